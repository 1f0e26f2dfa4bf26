"""What report() of each kind of result takes; those of an analysis and its graph also take Binary, for
bytes. Written by lib/report/tables/generate.py from lib/report/formats.cc."""

from typing import Literal

Binary = Literal["png", "pdf"]
TableFormat = Literal["text", "json", "csv", "markdown"]
AnalysisFormat = Literal["text", "json", "csv", "markdown", "dot", "svg", "perfetto", "netron", "model-explorer",
    "html"]
ShapesFormat = Literal["text", "json", "csv", "markdown", "dot", "svg", "html"]
GraphFormat = Literal["text", "json", "csv", "markdown", "dot", "svg", "onnxtext"]
ValidationFormat = Literal["text", "markdown", "json", "csv", "svg"]
SweepFormat = Literal["text", "markdown", "json", "jsonl", "csv", "html", "svg"]
CheckFormat = Literal["text", "json", "csv", "markdown", "junit", "sarif", "codequality", "openmetrics", "benchmark",
    "bencher", "html"]
DiffFormat = Literal["text", "json", "csv", "markdown", "html"]
WorkloadFormat = Literal["text", "markdown", "json", "csv", "svg", "html", "perfetto"]
ExploreFormat = Literal["text", "markdown", "json", "csv", "svg", "html"]
MemoryFormat = Literal["text", "json", "csv", "markdown", "svg", "html", "c"]
LlmFormat = Literal["text", "json", "csv", "markdown", "svg", "html"]
Quantize_planFormat = Literal["text", "json", "csv", "markdown", "svg", "html"]
WidthFormat = Literal["text", "json", "csv", "markdown", "svg", "html"]
