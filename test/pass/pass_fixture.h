// Runs the passes in order on a model given as text.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pass/bind.h"
#include "pass/classify.h"
#include "pass/infer.h"
#include "pass/infer_bound.h"
#include "pass/runs.h"
#include "pass/settle.h"
#include "pass/work.h"
#include "support/graphs.h"

namespace hwest::test {

struct PassRun {
  explicit PassRun(Graph g) : graph(std::move(g)), dims(&graph.dims()) {}

  Graph graph;
  DimPool dims;
  Facts facts;
  IdMap<NodeId, NodeClass> classes;
  WorkTables tables;
  IdMap<GraphId, Dim> runs;
  Totals totals;
  std::vector<Diagnostic> diagnostics;

  std::string shape(absl::string_view value) { return ToString(facts.values[ValueOf(graph, value)].type.shape, dims); }
  // "float[2, n]", "seq(float[2]) x 3", "some float[2]" (an optional that holds one; "no", "maybe"), "?" when unknown.
  std::string type(absl::string_view value) {
    const Type& type = facts.values[ValueOf(graph, value)].type;
    if (type.kind == ValueKind::kUnknown) return "?";
    const bool sequence = type.kind == ValueKind::kSequence || type.inner == ValueKind::kSequence;
    std::string text =
        absl::StrCat(sequence ? "seq(" : "", ElemTypeName(type.elem), ToString(type.shape, dims), sequence ? ")" : "");
    if (type.kind == ValueKind::kSequence) absl::StrAppend(&text, " x ", dims.ToString(type.length));
    const char* const presence[] = {"maybe ", "some ", "no "};
    if (type.kind == ValueKind::kOptional) text = absl::StrCat(presence[static_cast<int>(type.presence)], text);
    return text;
  }
  // "{4 n ?}", "{}" when nothing is known.
  std::string numbers(absl::string_view value) {
    const Known& known = facts.values[ValueOf(graph, value)].known;
    std::string text = "{";
    for (size_t i = 0; known != nullptr && i < known->size(); ++i) {
      const Scalar& scalar = (*known)[i];
      absl::StrAppend(&text, i == 0 ? "" : " ", scalar.is_int() ? dims.ToString(scalar.dim()) : "?");
    }
    return absl::StrCat(text, "}");
  }
  NodeClass class_of(absl::string_view output) { return classes[NodeOf(graph, output)]; }
};

inline PassRun RunPasses(Graph graph, const BindRequest& request = {}) {
  PassRun run(std::move(graph));
  auto bound = Bind(run.graph, request, run.dims);
  REQUIRE(bound.ok());
  auto facts = InferBound(run.graph, request, *bound, run.dims, run.diagnostics);
  REQUIRE(facts.ok());
  run.facts = *std::move(facts);
  REQUIRE(SettleSymbols(request.expect, run.dims).ok());
  run.classes = Classify(run.graph, run.facts, run.dims);
  run.tables = CountWork(run.graph, run.facts, run.classes, run.dims);
  run.runs = CountRuns(run.graph, run.facts, run.tables.work, run.dims);
  run.totals = SumTotals(run.graph, run.tables, run.classes, run.runs, run.dims);
  return run;
}

inline PassRun RunPasses(absl::string_view text, const BindRequest& request = {}) {
  return RunPasses(GraphFromText(text), request);
}

}  // namespace hwest::test
