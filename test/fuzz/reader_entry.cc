#include <string>

#include "fuzz/entries.h"
#include "fuzz/memory_file.h"
#include "fuzz/require.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"

namespace hwest::test {
namespace {

void RequireModelError(const absl::Status& status) {
  const Code code = DiagnosticOf(status).code;
  Require(code == Code::kModelFormat || code == Code::kModelCorrupt || code == Code::kModelRefused,
          "a model is read, or refused as a model");
}

// Ids of a graph lie in its tables, and order is topological.
void CheckGraph(const Graph& graph) {
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    for (const ValueId input : graph.inputs(NodeId(n))) {
      if (!input.valid()) continue;
      const Value& value = graph.value(input);
      Require(!value.producer.valid() || value.producer < NodeId(n), "a value is made before it is read");
    }
    for (const ValueId output : graph.outputs(NodeId(n))) {
      if (output.valid()) Require(graph.value(output).producer == NodeId(n), "a value has one producer");
    }
  }
}

// In place, or from a file: the length says which.
absl::StatusOr<RawModel> Read(absl::string_view bytes) {
  if (bytes.size() % 4 != 0) return ReadModelMemory(bytes, "model");
  return ReadModelFile(MemoryFile(bytes).path());
}

}  // namespace

void RunReader(absl::string_view bytes) {
  absl::StatusOr<RawModel> raw = Read(bytes);
  if (!raw.ok()) return RequireModelError(raw.status());
  BuildOptions options;
  options.role_of = &BuildRoleOf;
  options.limits.max_nodes = 20'000;
  const absl::StatusOr<Graph> graph = BuildGraph(*std::move(raw), options);
  if (!graph.ok()) return RequireModelError(graph.status());
  CheckGraph(*graph);
}

}  // namespace hwest::test
