// GELU and the ONNX Runtime operators that belong to no other family.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

constexpr PerElement kErfGelu = {.add = 1, .mul = 3, .transcendental = 1};
constexpr PerElement kTanhGelu = {.add = 2, .mul = 6, .transcendental = 1};

absl::Status InferGelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkGelu(const OpView& op) {
  return ElementWork(op, op.attr("approximate", "none") == "tanh" ? kTanhGelu : kErfGelu);
}

// Gelu(A + B) with B along the last axis of A.
absl::Status InferBiasGelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, ctx.Unify(shape.dim(shape.rank() - 1), DimOr(ctx.in(1).shape, 0)));
    shape.set_dim(shape.rank() - 1, size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkBiasGelu(const OpView& op) {
  PerElement per = kErfGelu;
  ++per.add;
  return ElementWork(op, per);
}

// uint8 data packs several values along its last axis; int4 and uint4 tensors have their logical size.
int64_t ValuesPerElement(const OpView& op) {
  const int64_t bits = op.attr("bits", int64_t{4});
  return op.in(0).elem == ElemType::kUint8 && (bits == 1 || bits == 2 || bits == 4) ? 8 / bits : 1;
}

// Inputs data, indices, scales, zero_points?: Gather along gather_axis, then dequantisation to the type of scales.
absl::Status InferGatherBlockQuantized(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  const Shape& data = ctx.in(0).shape;
  const Shape& indices = ctx.in(1).shape;
  Shape shape;
  if (data.ranked() && indices.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const int gather, NormalizeAxis(ctx.attr("gather_axis", int64_t{0}), data.rank()));
    Shape::Dims dims;
    for (int axis = 0; axis < data.rank(); ++axis) {
      if (axis == gather) {
        dims.insert(dims.end(), indices.dims().begin(), indices.dims().end());
      } else if (axis == data.rank() - 1) {
        dims.push_back(ctx.dims().Mul(data.dim(axis), ValuesPerElement(ctx)));
      } else {
        dims.push_back(data.dim(axis));
      }
    }
    shape = Shape(std::move(dims));
  }
  ctx.set_out(0, ctx.in(2).elem, std::move(shape));
  return absl::OkStatus();
}

// Only the gathered slices of data, scales and zero points are read.
absl::StatusOr<Work> WorkGatherBlockQuantized(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  DimPool& dims = op.dims();
  Work work;
  AddOps(dims, work, OutElements(op, 0), {.add = 1, .mul = 1});
  const int64_t gather = op.attr("gather_axis", int64_t{0});
  for (const int i : {0, 2, 3}) {
    const Shape& source = op.in(i).shape;
    if (!source.ranked() || source.rank() == 0) continue;
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(gather, source.rank()));
    Shape slice = source;
    slice.set_dim(axis, 1);
    SetRead(work, i, dims.Mul(slice.Elements(dims), InElements(op, 1)));
  }
  return work;
}

constexpr PackedInputs kPackedTable[] = {{.inputs = Inputs({0}), .bits = "bits"}};

// clang-format off
constexpr OpRule kContribRules[] = {
    {.op = "Gelu", .versions = "20", .infer = InferGelu, .work = WorkGelu, .traits = trait::kElementwise,
     .activation = "GELU"},
    {.domain = "com.microsoft", .op = "BiasGelu", .versions = "1", .infer = InferBiasGelu, .work = WorkBiasGelu,
     .parameters = Inputs({1})},
    {.domain = "com.microsoft", .op = "GatherBlockQuantized", .versions = "1", .infer = InferGatherBlockQuantized,
     .work = WorkGatherBlockQuantized, .scales = Inputs({2, 3}), .weights = Inputs({0}), .packed = kPackedTable},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribRules() { return kContribRules; }

}  // namespace hwest
