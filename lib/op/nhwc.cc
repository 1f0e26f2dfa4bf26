// ONNX Runtime's layout variants of standard operators (com.ms.internal.nhwc): activations are [N, spatial..., C], all
// other operands, attributes and versions are those of the standard operator. Resize names its axes in NHWC order.
#include <utility>

#include "base/status_macros.h"
#include "op/conv_common.h"
#include "op/contrib_common.h"
#include "op/families.h"
#include "op/nhwc_common.h"

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
constexpr OpClass kCompute = OpClass::kCompute;
constexpr OpClass kLayout = OpClass::kLayout;

constexpr OpRule kRules[] = {
    {kNhwc, "AveragePool", "1 7 10 11 19 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "BatchNormalization", "1 6 7 9 14 15", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "Conv", "1 11 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "ConvTranspose", "1 11 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "DepthToSpace", "1 11 13", InferNhwc, nullptr, WorkNhwc, kLayout},
    {kNhwc, "GlobalAveragePool", "1 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "GlobalLpPool", "1 2 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "GlobalMaxPool", "1 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "GridSample", "16 20 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "InstanceNormalization", "1 6 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "LRN", "1 13", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "LpPool", "1 2 11 18 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "MaxPool", "1 8 10 11 12 22", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "MaxUnpool", "9 11 22", InferNhwc, nullptr, WorkNhwc, kLayout, 0b100},
    {kNhwc, "QLinearAveragePool", "1", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "QLinearConv", "10", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "QLinearConvTranspose", "1", InferNhwc, nullptr, WorkNhwc, kCompute},
    {kNhwc, "Resize", "10 11 13 18 19", InferNhwcResize, nullptr, WorkNhwcResize, kCompute, 0b1110},
    {kNhwc, "SpaceToDepth", "1 13", InferNhwc, nullptr, WorkNhwc, kLayout},
};

}  // namespace

absl::Span<const OpRule> NhwcRules() { return kRules; }

}  // namespace hwest
