// Graphs and analyses from ONNX text, for tests of every folder above import.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "hwest/graph.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {

inline absl::StatusOr<Graph> BuildBytes(absl::string_view bytes, BuildOptions options = {}) {
  absl::StatusOr<RawModel> raw = ReadModelMemory(bytes, "test.onnx");
  if (!raw.ok()) return raw.status();
  options.role_of = &BuildRoleOf;
  return BuildGraph(*std::move(raw), options);
}

// The graph of a model given in text form; an error fails the running test.
inline Graph GraphFromText(absl::string_view text) {
  absl::StatusOr<Graph> graph = BuildBytes(ModelFromText(text));
  INFO((graph.ok() ? std::string() : std::string(graph.status().message())));
  REQUIRE(graph.ok());
  return *std::move(graph);
}

// The node whose first output has this name; fails the test when there is none.
inline NodeId NodeOf(const Graph& graph, absl::string_view output) {
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    for (const ValueId value : graph.outputs(NodeId(n))) {
      if (value.valid() && graph.name(value) == output) return NodeId(n);
    }
  }
  FAIL("no node produces " << std::string(output));
  return NodeId();
}

inline ValueId ValueOf(const Graph& graph, absl::string_view name) {
  for (size_t v = 0; v < graph.values().size(); ++v) {
    if (graph.name(ValueId(v)) == name) return ValueId(v);
  }
  FAIL("no value " << std::string(name));
  return ValueId();
}

}  // namespace hwest::test
