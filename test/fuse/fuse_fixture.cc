#include "fuse/fuse_fixture.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "fuse/patterns.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"
#include "pass/bind.h"
#include "pass/classify.h"
#include "pass/infer.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {

NodeId Analysed::Find(absl::string_view label) const {
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId node{i};
    if (graph.name(node) == label || graph.op(node) == label) return node;
    for (const ValueId output : graph.outputs(node)) {
      if (output.valid() && graph.name(output) == label) return node;
    }
  }
  return NodeId();
}

Analysed Analyse(const Source& source) {
  const std::string weights = source.weights.empty() ? "" : absl::StrCat("<", source.weights, ">");
  const std::string text = absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", source.opset,
                                        ", \"com.microsoft\" : 1, \"com.microsoft.nchwc\" : 1]> g (", source.inputs,
                                        ") => (", source.outputs, ") ", weights, " {", source.body, "}");
  auto raw = ReadModelMemory(ModelFromText(text), "fixture");
  REQUIRE(raw.ok());
  auto graph = BuildGraph(*std::move(raw), {.limits = {}, .role_of = BuildRoleOf});
  REQUIRE(graph.ok());
  Analysed model{*std::move(graph), nullptr, {}, {}};
  model.dims = std::make_unique<DimPool>(&model.graph.dims());
  const auto bound = Bind(model.graph, {}, *model.dims);
  REQUIRE(bound.ok());
  std::vector<Diagnostic> diagnostics;
  model.facts = Infer(model.graph, *bound, *model.dims, diagnostics);
  model.classes = Classify(model.graph, model.facts, *model.dims);
  return model;
}

Toolchain Picking(absl::string_view picks) {
  Toolchain toolchain;
  toolchain.name = "test";
  for (const absl::string_view pick : absl::StrSplit(picks, ' ', absl::SkipEmpty())) {
    toolchain.fuses.push_back({.pattern = std::string(pick), .limits = {}, .source = "test"});
  }
  return toolchain;
}

Toolchain PickingAll() {
  std::string picks;
  for (const PatternRow& row : AllPatterns()) absl::StrAppend(&picks, row.picks, " ");
  return Picking(picks);
}

Overlay FuseWith(const Analysed& model, const Toolchain& toolchain) {
  auto overlay = Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain});
  INFO(overlay.status().message());
  REQUIRE(overlay.ok());
  return *std::move(overlay);
}

std::map<std::string, int> Patterns(const Overlay& overlay) {
  std::map<std::string, int> counts;
  for (const Group& group : overlay.groups) ++counts[std::string(group.pattern)];
  return counts;
}

std::vector<std::string> Rows(const Analysed& model, const Overlay& overlay) {
  std::vector<std::string> rows;
  for (const Group& group : overlay.groups) {
    std::string row = absl::StrCat(group.pattern, ":");
    for (const NodeId node : group.nodes) absl::StrAppend(&row, " ", model.graph.op(node));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace hwest::test
