// Pieces that readers of decoders share.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/decoder.h"

namespace hwest {

// Counts `layer` with those of the decoder that are equal to it; its `count` says how many it stands for, 0 = one.
void AddLayer(DecoderLayers layer, Decoder* decoder);

// What one graph holds, decoder or not.
struct GraphPart {
  EncoderPart once;        // of all its products: what it is as an encoder
  int64_t table_rows = 0;  // of a table that rows are picked from: an embedding alone
  int64_t table_width = 0;
  int64_t head_n = 0, head_k = 0;  // of one product that widens and leaves the graph, without any other: a head alone
  int64_t file_bytes = 0;
};
absl::StatusOr<GraphPart> PartOfGraph(const std::shared_ptr<const Graph>& graph);

}  // namespace hwest
