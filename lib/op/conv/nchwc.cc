// ONNX Runtime's blocked layout (com.microsoft.nchwc): channels are padded to the block of the machine that saved the
// file, shapes stay [N, C, spatial...].
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/conv_common.h"
#include "op/conv/pool_common.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// Blocks are 8 or 16 channels wide.
constexpr int64_t kWidestBlock = 16;

// Inputs X, W, B?, Sum? (added before the activation).
absl::Status InferNchwcConv(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, {}));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkNchwcConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, {}));
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  const Dim elements = OutElements(op, 0);
  if (op.has_input(3)) AddOps(op.dims(), work, elements, {.add = 1});
  AddOps(op.dims(), work, elements, activation);
  return work;
}

absl::Status InferNchwcPool(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, PoolShape(ctx));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkNchwcAveragePool(const OpView& op) { return FindRule("", "AveragePool")->work(op); }

// Every axis grows by its whole-numbered scale.
absl::Status InferNchwcUpsample(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const absl::Span<const int64_t> scales = ctx.ints("scales");
  Shape shape = ctx.in(0).shape;
  if (shape.ranked() && scales.empty()) shape = Shape::UnknownDims(shape.rank());
  if (shape.ranked() && !scales.empty() && scales.size() != static_cast<size_t>(shape.rank())) {
    return absl::InvalidArgumentError(
        absl::StrCat("Upsample has ", scales.size(), " scales for ", shape.rank(), " axes"));
  }
  for (int axis = 0; shape.ranked() && !scales.empty() && axis < shape.rank(); ++axis) {
    const int64_t scale = scales[static_cast<size_t>(axis)];
    if (scale < 1) return absl::InvalidArgumentError(absl::StrCat("scales holds ", scale, ", expected at least 1"));
    shape.set_dim(axis, ctx.dims().Mul(shape.dim(axis), scale));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Linear: 4 neighbours weighted and summed; nearest copies.
absl::StatusOr<Work> WorkNchwcUpsample(const OpView& op) {
  return op.attr("mode", "nearest") == "linear" ? ElementWork(op, {.add = 4, .mul = 4}) : Work();
}

absl::Status CheckImage(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  return RequireRank(op, 0, 3);
}

// The channels that the convolution reads to which a blocked value leads, directly or through pooling; unknown when it
// leads to none. Its weights are padded like its input.
Dim ChannelsOfReader(const OpView& op, ValueId value) {
  constexpr int kMaxHops = 8;
  const Graph& graph = op.graph();
  for (int hop = 0; hop < kMaxHops && value.valid(); ++hop) {
    ValueId next;
    for (const Use& use : graph.uses(value)) {
      const OpView reader = op.at(use.node);
      if (use.input != 0 || reader.domain() != op.domain()) continue;
      const Shape& weights = reader.in(1).shape;
      if (!reader.has_input(1)) {
        next = reader.has_output(0) ? reader.output(0) : next;
      } else if (weights.ranked() && weights.rank() >= 3) {
        return op.dims().Mul(weights.dim(1), reader.attr("group", int64_t{1}));
      }
    }
    value = next;
  }
  return Dim::Unknown();
}

// Whole blocks; of which width only the readers tell, unless the channels fill the widest ones.
Dim BlockedChannels(const OpView& op, Dim channels) {
  DimPool& dims = op.dims();
  if (dims.Mod(channels, kWidestBlock).IsConstant(0)) return channels;
  const Dim read = op.has_output(0) ? ChannelsOfReader(op, op.output(0)) : Dim::Unknown();
  for (const int64_t block : {kWidestBlock / 2, kWidestBlock}) {
    if (!read.is_unknown() && read == dims.Mul(dims.CeilDiv(channels, block), block)) return read;
  }
  return Dim::Unknown();
}

// To blocks, from [N, C, spatial...] or [N, spatial..., C].
absl::Status InferReorderInput(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckImage(ctx));
  const Shape& x = ctx.in(0).shape;
  Shape shape = x;
  if (x.ranked()) {
    const bool last = ctx.attr("channels_last", int64_t{0}) != 0;
    const Dim channels = x.dim(last ? x.rank() - 1 : 1);
    for (int axis = 2; last && axis < x.rank(); ++axis) shape.set_dim(axis, x.dim(axis - 1));
    shape.set_dim(1, BlockedChannels(ctx, channels));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// From blocks to [N, channels, spatial...] or [N, spatial..., channels].
absl::Status InferReorderOutput(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckImage(ctx));
  const int64_t channels = ctx.attr("channels", int64_t{0});
  if (channels < 1) return absl::InvalidArgumentError(absl::StrCat("channels is ", channels, ", expected 1 or more"));
  const Shape& x = ctx.in(0).shape;
  Shape shape = x;
  if (x.ranked()) {
    const bool last = ctx.attr("channels_last", int64_t{0}) != 0;
    for (int axis = 2; last && axis < x.rank(); ++axis) shape.set_dim(axis - 1, x.dim(axis));
    shape.set_dim(last ? x.rank() - 1 : 1, channels);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// clang-format off
constexpr OpRule kNchwcRules[] = {
    {.domain = "com.microsoft.nchwc", .op = "AveragePool", .versions = "1", .infer = InferNchwcPool,
     .work = WorkNchwcAveragePool},
    {.domain = "com.microsoft.nchwc", .op = "Conv", .versions = "1", .infer = InferNchwcConv, .work = WorkNchwcConv,
     .traits = trait::kWindowOfWeights, .parameters = Inputs({1, 2})},
    {.domain = "com.microsoft.nchwc", .op = "GlobalAveragePool", .versions = "1", .infer = InferGlobalPool,
     .work = WorkGlobalAveragePool},
    {.domain = "com.microsoft.nchwc", .op = "GlobalMaxPool", .versions = "1", .infer = InferGlobalPool,
     .work = WorkGlobalMaxPool},
    {.domain = "com.microsoft.nchwc", .op = "MaxPool", .versions = "1", .infer = InferNchwcPool, .work = WorkMaxPool},
    {.domain = "com.microsoft.nchwc", .op = "ReorderInput", .versions = "1", .infer = InferReorderInput,
     .op_class = OpClass::kLayout},
    {.domain = "com.microsoft.nchwc", .op = "ReorderOutput", .versions = "1", .infer = InferReorderOutput,
     .op_class = OpClass::kLayout},
    {.domain = "com.microsoft.nchwc", .op = "Upsample", .versions = "1", .infer = InferNchwcUpsample,
     .work = WorkNchwcUpsample},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> NchwcRules() { return kNchwcRules; }

}  // namespace hwest
