#include "cost/weight_layout.h"

#include <algorithm>

#include "cost/machine.h"

namespace hwest {
namespace {

double FilledShare(int64_t channels, int64_t block) {
  if (channels <= 0) return 1;
  return static_cast<double>(CeilDiv(channels, block) * block) / static_cast<double>(channels);
}

}  // namespace

WeightBlocks WeightBlocksOf(const Unit& unit, Precision precision) {
  const std::string class_name = PrecisionName(precision);
  const auto block = [&](const char* name) {
    return std::max<int64_t>(1, static_cast<int64_t>(ParamAt(unit, name, class_name)));
  };
  return {.inputs = block("weight_input_block"), .outputs = block("weight_output_block")};
}

double PaddedShare(const WeightBlocks& blocks, const ContractionSize& size) {
  switch (size.kind) {
    case ContractionKind::kConv:
    case ContractionKind::kConvTranspose:
    case ContractionKind::kMatMul:
      return FilledShare(Channels(size), blocks.inputs) * FilledShare(size.n, blocks.outputs);
    case ContractionKind::kDepthwise: return FilledShare(size.batch * size.n, blocks.inputs);
    case ContractionKind::kActivation:
    case ContractionKind::kRecurrent: return 1;
  }
  return 1;
}

double PaddedShare(const WeightBlocks& blocks, const GroupWork& work) {
  if (blocks.inputs <= 1 && blocks.outputs <= 1) return 1;
  double plain = 0, padded = 0;
  for (const ContractionSize& size : work.contractions) {
    if (size.kind == ContractionKind::kActivation) continue;
    const double weights = static_cast<double>(size.n) * static_cast<double>(size.k);
    plain += weights;
    padded += weights * PaddedShare(blocks, size);
  }
  return plain > 0 ? padded / plain : 1;
}

}  // namespace hwest
