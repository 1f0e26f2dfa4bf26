// Language models in a sweep: the figures of the runtimes that run them, as the verb `llm` has them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "hwest/decoder.h"
#include "hwest/graph.h"
#include "hwest/target.h"
#include "sweep/points.h"
#include "sweep/row.h"

namespace hwest {

// A graph, a language model, or both in one.
struct SweepSource {
  std::shared_ptr<const Graph> graph;  // null = a configuration, the header of a GGUF file, or a folder
  std::optional<Decoder> decoder;      // whole, so that a runtime can take it
};
SweepSource SourceOf(std::shared_ptr<const Graph> graph);
// Errors: those of LoadModel, of a path that is no language model either.
absl::StatusOr<SweepSource> ReadSource(const std::string& path);

// Fills the runtime's figures of a row whose graph was analysed, or could not be for want of sizes, and says in
// `message` what the others are.
void AddRuntime(const Decoder& decoder, const std::shared_ptr<const Target>& loaded, const SweepPoint& point,
                SweepRow* row);
// The row of a model without a graph. Errors: kUsage where no runtime of the target takes it; those of SharedTarget.
absl::StatusOr<SweepRow> RuntimeRow(const std::string& model, const Decoder& decoder,
                                    const std::shared_ptr<const Target>& loaded, const SweepPoint& point);

// Whether the row has a runtime's figures alone.
bool IsOfRuntimeAlone(const SweepRow& row);
bool HasRuntime(const SweepRow& row);

}  // namespace hwest
