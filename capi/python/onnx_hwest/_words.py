"""Words of the C ABI; the number of each is its place. None is what is not chosen or not known.
Written by lib/report/tables/generate.py from words.table beside it."""

from typing import Dict, Optional, Tuple

WORDS: Dict[str, Tuple[Optional[str], ...]] = {
    "WORDS": ("c", "python"),
    "SEVERITY": ("error", "warning", "note"),
    "VALUE": ("unknown", "tensor", "sequence", "optional", "map", "sparse"),
    "UNIT": ("unknown", "simt_gpu", "systolic", "dataflow", "vector_dsp", "simd_cpu"),
    "TRUST": ("unknown", "published", "measured", "secondary", "recalled", "derived", "estimated"),
    "OBJECTIVE": ("latency", "energy"),
    "OVERLAP": ("no", "yes"),
    "GRADE": (None, "measured", "family", "datasheet", "assumed"),
    "BOUND": (None, "compute", "memory", "overhead", "transfer", "balanced"),
    "NODE": ("compute", "layout", "view", "shape", "constant", "control", "opaque", "dead"),
    "ORIGIN": ("module", "function", "unknown"),
    "EVENT": ("transfer", "invoke", "group", "pipeline"),
    "VERDICT": ("yes", "no", "noted"),
    "EVIDENCE": (None, "compiler", "list", "inferred", "request"),
    "CURE": (None, "rewrite", "fold", "opset", "toolchain", "precision", "cut"),
    "CHANGE": ("support", "activation", "precision", "batch", "bandwidth", "mode", "rewrite", "opset", "toolchain",
        "placement", "cut", "sparsity", "recipe", "width", "layers"),
    "SCOPE": ("same", "batch", "network", "board"),
    "RISK": ("none", "rounding", "calibration", "training"),
    "JUDGE": ("point", "upper", "interval"),
    "LEAVE_OUT": ("none", "family", "device", "source", "family,device"),
    "REPORT": ("analysis", "shapes", "support", "explain", "graph"),
    "FORMAT": ("text", "json", "csv", "markdown", "dot", "svg", "png", "pdf", "perfetto", "netron", "model-explorer",
        "c", "html", "jsonl", "junit", "sarif", "codequality", "openmetrics", "benchmark", "bencher", "onnxtext"),
    "LEVEL": (None, "node", "group", "segment", "module", "unit"),
    "COLOR_BY": (None, "unit", "bound", "time", "energy", "intensity", "precision", "measured"),
    "COLLAPSE": ("auto", "module", "segment", "none"),
    "CHART": (None, "timeline", "memory", "roofline", "modules"),
}
