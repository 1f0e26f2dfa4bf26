#include "llm/part.h"

#include <algorithm>
#include <tuple>

#include "base/checked_math.h"
#include "base/status_macros.h"
#include "llm/structure.h"
#include "pass/weights.h"

namespace hwest {
namespace {

auto SizesOf(const DecoderLayers& l) {
  return std::tie(l.heads, l.kv_heads, l.key_dim, l.value_dim, l.window, l.latent_dim, l.cross_tokens, l.cross_weights,
                  l.state_elements, l.state_macs, l.attention_weights, l.mlp_weights, l.mlp_weights_stored, l.mlp_width,
                  l.experts, l.active_experts, l.other_weights, l.products);
}

}  // namespace

void AddLayer(DecoderLayers layer, Decoder* decoder) {
  layer.count = std::max<int64_t>(layer.count, 1);
  for (DecoderLayers& known : decoder->layers) {
    if (SizesOf(known) != SizesOf(layer)) continue;
    known.count = SaturatingAdd(known.count, layer.count);
    return;
  }
  decoder->layers.push_back(layer);
}

absl::StatusOr<GraphPart> PartOfGraph(const std::shared_ptr<const Graph>& graph) {
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, Analyze(graph, {}));
  const DecoderStructure found = FindStructure(analysis);
  GraphPart part;
  absl::flat_hash_set<ValueId> inputs;
  for (const Product& product : found.products) {
    part.once.weights = SaturatingAdd(part.once.weights, product.stored);
    inputs.insert(product.input);
  }
  part.once.products = static_cast<int64_t>(inputs.size());
  part.once.layers = static_cast<int64_t>(found.cores.size());
  part.once.macs = SizeAtOne(analysis, analysis.totals.macs).value_or(0);
  part.once.tokens = found.tokens;
  for (const ValueId output : graph->main().outputs) {
    if (!output.valid()) continue;
    const Shape& shape = analysis.facts.values[output].type.shape;
    if (!shape.ranked() || shape.rank() < 2) continue;
    int64_t rows = 1;
    for (int axis = 0; axis + 1 < shape.rank(); ++axis) {
      rows = CheckedMul(rows, SizeAtOne(analysis, shape.dim(axis)).value_or(1)).value_or(rows);
    }
    part.once.tokens = std::max<int64_t>(rows, 1);
    break;
  }
  for (const RowTable& table : found.tables) {
    if (table.rows <= part.table_rows) continue;
    part.table_rows = table.rows;
    part.table_width = table.width;
  }
  if (found.cores.empty() && !found.products.empty()) {
    const auto is_head = [](const Product& product) { return product.is_head; };
    if (std::all_of(found.products.begin(), found.products.end(), is_head)) {
      for (const Product& product : found.products) part.head_n += product.n;
      part.head_k = found.products[0].k;
    }
  }
  part.file_bytes = analysis.params.stored_bytes;
  return part;
}

}  // namespace hwest
