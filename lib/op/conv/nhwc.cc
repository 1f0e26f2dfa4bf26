// ONNX Runtime's layout variants of standard operators (com.ms.internal.nhwc): activations are [N, spatial..., C], all
// other operands, attributes and versions are those of the standard operator. Resize names its axes in NHWC order.
#include <utility>

#include "base/status_macros.h"
#include "op/conv/conv_common.h"
#include "op/conv/nhwc_common.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// Two operators have their channels-first form in ONNX Runtime's own domain.
const OpRule& ChannelsFirstRule(const OpView& op) {
  const bool own = op.op() == "QLinearAveragePool" || op.op() == "QLinearConvTranspose";
  return *FindRule(own ? kMicrosoft : absl::string_view(), op.op());
}

absl::Status InferNhwc(InferContext& ctx) { return InferChannelsLast(ctx, ChannelsFirstRule(ctx).infer); }

// Layout transformation may have fused an activation behind the operator.
absl::StatusOr<Work> WorkNhwc(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, WorkChannelsLast(op, ChannelsFirstRule(op).work));
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  AddOps(op.dims(), work, OutElements(op, 0), activation, op.in(0).elem);
  return work;
}

absl::Status InferNhwcResize(InferContext& ctx) { return StandardRule("Resize").infer(ctx); }
absl::StatusOr<Work> WorkNhwcResize(const OpView& op) { return StandardRule("Resize").work(op); }

constexpr absl::string_view kNhwc = "com.ms.internal.nhwc";
constexpr OpClass kLayout = OpClass::kLayout;

// clang-format off
constexpr OpRule kNhwcRules[] = {
    {.domain = kNhwc, .op = "AveragePool", .versions = "1 7 10 11 19 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "BatchNormalization", .versions = "1 6 7 9 14 15", .infer = InferNhwc, .work = WorkNhwc,
     .traits = trait::kFoldsIntoWeights, .parameters = Inputs({1, 2}), .buffers = Inputs({3, 4})},
    {.domain = kNhwc, .op = "Conv", .versions = "1 11 22", .infer = InferNhwc, .work = WorkNhwc,
     .traits = trait::kWindowOfWeights, .parameters = Inputs({1, 2})},
    {.domain = kNhwc, .op = "ConvTranspose", .versions = "1 11 22", .infer = InferNhwc, .work = WorkNhwc,
     .traits = trait::kWindowOfWeights, .parameters = Inputs({1, 2})},
    {.domain = kNhwc, .op = "DepthToSpace", .versions = "1 11 13", .infer = InferNhwc, .work = WorkNhwc,
     .op_class = kLayout},
    {.domain = kNhwc, .op = "GlobalAveragePool", .versions = "1 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "GlobalLpPool", .versions = "1 2 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "GlobalMaxPool", .versions = "1 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "GridSample", .versions = "16 20 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "InstanceNormalization", .versions = "1 6 22", .infer = InferNhwc, .work = WorkNhwc,
     .traits = trait::kWholeInput | trait::kTakesStatistics},
    {.domain = kNhwc, .op = "LRN", .versions = "1 13", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "LpPool", .versions = "1 2 11 18 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "MaxPool", .versions = "1 8 10 11 12 22", .infer = InferNhwc, .work = WorkNhwc},
    {.domain = kNhwc, .op = "MaxUnpool", .versions = "9 11 22", .infer = InferNhwc, .work = WorkNhwc,
     .op_class = kLayout, .shape_inputs = Inputs({2})},
    {.domain = kNhwc, .op = "QLinearAveragePool", .versions = "1", .infer = InferNhwc, .work = WorkNhwc,
     .scales = Inputs({1, 2, 3, 4})},
    {.domain = kNhwc, .op = "QLinearConv", .versions = "10", .infer = InferNhwc, .work = WorkNhwc,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3, 8})},
    {.domain = kNhwc, .op = "QLinearConvTranspose", .versions = "1", .infer = InferNhwc, .work = WorkNhwc,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3, 8})},
    {.domain = kNhwc, .op = "Resize", .versions = "10 11 13 18 19", .infer = InferNhwcResize, .work = WorkNhwcResize,
     .shape_inputs = Inputs({1, 2, 3})},
    {.domain = kNhwc, .op = "SpaceToDepth", .versions = "1 13", .infer = InferNhwc, .work = WorkNhwc,
     .op_class = kLayout},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> NhwcRules() { return kNhwcRules; }

}  // namespace hwest
