#include "op/conv/nhwc_common.h"

#include <algorithm>
#include <utility>

namespace hwest {
namespace {

Type ChannelsFirst(Type type) {
  if (!type.shape.ranked() || type.shape.rank() < 3) return type;
  Shape::Dims dims(type.shape.dims().begin(), type.shape.dims().end());
  std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
  type.shape = Shape(std::move(dims));
  return type;
}

Type ChannelsLast(Type type) {
  if (!type.shape.ranked() || type.shape.rank() < 3) return type;
  Shape::Dims dims(type.shape.dims().begin(), type.shape.dims().end());
  std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  type.shape = Shape(std::move(dims));
  return type;
}

}  // namespace

absl::Status InferChannelsLast(InferContext& ctx, InferFn infer) {
  const Type input = ChannelsFirst(ctx.in(0));
  ctx.SeeAs(&input, nullptr);
  const absl::Status status = infer(ctx);
  ctx.SeeAs(nullptr, nullptr);
  if (status.ok()) ctx.set_out(0, ChannelsLast(ctx.out(0)));
  return status;
}

absl::StatusOr<Work> WorkChannelsLast(const OpView& op, WorkFn work) {
  if (work == nullptr) return Work();
  const Type input = ChannelsFirst(op.in(0));
  const Type output = ChannelsFirst(op.out(0));
  OpView view = op;
  view.SeeAs(&input, &output);
  return work(view);
}

}  // namespace hwest
