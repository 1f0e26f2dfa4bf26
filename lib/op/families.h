// The rows of every operator family. rule.cc joins them into the one table of rules.
#pragma once

#include "absl/types/span.h"
#include "op/rule.h"

namespace hwest {

absl::Span<const OpRule> AtenRules();
absl::Span<const OpRule> ContribActivationRules();
absl::Span<const OpRule> ContribAttentionRules();
absl::Span<const OpRule> ContribConvRules();
absl::Span<const OpRule> ContribGroupQueryRules();
absl::Span<const OpRule> ContribLstmRules();
absl::Span<const OpRule> ContribMatMulRules();
absl::Span<const OpRule> ContribMoveRules();
absl::Span<const OpRule> ContribMultiHeadRules();
absl::Span<const OpRule> ContribNormRules();
absl::Span<const OpRule> ContribPackedRules();
absl::Span<const OpRule> ContribPositionRules();
absl::Span<const OpRule> ContribQuantRules();
absl::Span<const OpRule> ContribRecurrentRules();
absl::Span<const OpRule> ContribRules();
absl::Span<const OpRule> ContribTextRules();
absl::Span<const OpRule> ContribWeightOnlyRules();
absl::Span<const OpRule> ControlRules();
absl::Span<const OpRule> ConvRules();
absl::Span<const OpRule> ConvVariantRules();
absl::Span<const OpRule> DetectionRules();
absl::Span<const OpRule> EinsumRules();
absl::Span<const OpRule> ImageRules();
absl::Span<const OpRule> LossRules();
absl::Span<const OpRule> MatMulRules();
absl::Span<const OpRule> MlLinearRules();
absl::Span<const OpRule> MlRules();
absl::Span<const OpRule> MlTreeRules();
absl::Span<const OpRule> NchwcRules();
absl::Span<const OpRule> NhwcRules();
absl::Span<const OpRule> NormRules();
absl::Span<const OpRule> OptionalRules();
absl::Span<const OpRule> OrtLegacyRules();
absl::Span<const OpRule> OrtPluginRules();
absl::Span<const OpRule> PointwiseRules();
absl::Span<const OpRule> PoolRules();
absl::Span<const OpRule> QuantRules();
absl::Span<const OpRule> RandomRules();
absl::Span<const OpRule> RecurrentRules();
absl::Span<const OpRule> ReduceRules();
absl::Span<const OpRule> SequenceRules();
absl::Span<const OpRule> ShapeRules();
absl::Span<const OpRule> SignalRules();
absl::Span<const OpRule> StandardAttentionRules();
absl::Span<const OpRule> TextRules();
absl::Span<const OpRule> TrainingRules();

}  // namespace hwest
