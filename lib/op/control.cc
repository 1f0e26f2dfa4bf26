// Control flow: operators that run bodies.
#include "op/control_rules.h"
#include "op/families.h"

namespace hwest {
namespace {

constexpr absl::string_view kMs = "com.microsoft";

constexpr OpRule kRules[] = {
    {"ai.onnx.preview", "FlexAttention", "1", InferFlexAttention, nullptr, WorkFlexAttention, OpClass::kCompute, 0,
     FollowFlexAttention},
    {"", "If", "1 11 13 16 19 21 23 24 25", InferIf, nullptr, nullptr, OpClass::kControl, 0, FollowIf},
    {"", "Loop", "1 11 13 16 19 21 23 24 25", InferLoop, nullptr, nullptr, OpClass::kControl, 0b1, FollowLoop},
    {"", "Scan", "8 9 11 16 19 21 23 24 25", InferScan, nullptr, nullptr, OpClass::kControl, 0, FollowScan},
    {"", "SequenceMap", "17", InferSequenceMap, nullptr, nullptr, OpClass::kControl, 0, FollowSequenceMap},
    {kMs, "BeamSearch", "1", InferSearch, nullptr, nullptr, OpClass::kControl, 0b11110, FollowSearch},
    {kMs, "GreedySearch", "1", InferSearch, nullptr, nullptr, OpClass::kControl, 0b110, FollowSearch},
    {kMs, "Sampling", "1", InferSearch, nullptr, nullptr, OpClass::kControl, 0b110, FollowSearch},
    {kMs, "WhisperBeamSearch", "1", InferSearch, nullptr, nullptr, OpClass::kControl, 0b11110, FollowSearch},
};

}  // namespace

absl::Span<const OpRule> ControlRules() { return kRules; }

}  // namespace hwest
