// Control flow: operators that run bodies.
#include "op/control/rules.h"
#include "op/families.h"

namespace hwest {
namespace {

constexpr absl::string_view kMs = "com.microsoft";

// clang-format off
constexpr OpRule kControlRules[] = {
    {.domain = "ai.onnx.preview", .op = "FlexAttention", .versions = "1", .infer = InferFlexAttention,
     .work = WorkFlexAttention, .follow = FollowFlexAttention},
    {.op = "If", .versions = "1 11 13 16 19 21 23 24 25", .infer = InferIf, .op_class = OpClass::kControl,
     .traits = trait::kBranches, .follow = FollowIf},
    {.op = "Loop", .versions = "1 11 13 16 19 21 23 24 25", .infer = InferLoop, .op_class = OpClass::kControl,
     .shape_inputs = Inputs({0}), .follow = FollowLoop},
    {.op = "Scan", .versions = "8 9 11 16 19 21 23 24 25", .infer = InferScan, .op_class = OpClass::kControl,
     .follow = FollowScan},
    {.op = "SequenceMap", .versions = "17", .infer = InferSequenceMap, .op_class = OpClass::kControl,
     .follow = FollowSequenceMap},
    {.domain = kMs, .op = "BeamSearch", .versions = "1", .infer = InferSearch, .op_class = OpClass::kControl,
     .shape_inputs = Inputs({1, 2, 3, 4}), .follow = FollowSearch},
    {.domain = kMs, .op = "GreedySearch", .versions = "1", .infer = InferSearch, .op_class = OpClass::kControl,
     .shape_inputs = Inputs({1, 2}), .follow = FollowSearch},
    {.domain = kMs, .op = "Sampling", .versions = "1", .infer = InferSearch, .op_class = OpClass::kControl,
     .shape_inputs = Inputs({1, 2}), .follow = FollowSearch},
    {.domain = kMs, .op = "WhisperBeamSearch", .versions = "1", .infer = InferSearch, .op_class = OpClass::kControl,
     .shape_inputs = Inputs({1, 2, 3, 4}), .follow = FollowSearch},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ControlRules() { return kControlRules; }

}  // namespace hwest
