// The rows of every operator family. rule.cc joins them into the one table of rules.
#pragma once

#include "absl/types/span.h"
#include "op/rule.h"

namespace hwest {

absl::Span<const OpRule> AttentionRules();
absl::Span<const OpRule> ContribRules();
absl::Span<const OpRule> ControlRules();
absl::Span<const OpRule> ConvRules();
absl::Span<const OpRule> ConvVariantRules();
absl::Span<const OpRule> DetectionRules();
absl::Span<const OpRule> EinsumRules();
absl::Span<const OpRule> MatMulRules();
absl::Span<const OpRule> NchwcRules();
absl::Span<const OpRule> NormRules();
absl::Span<const OpRule> PointwiseRules();
absl::Span<const OpRule> PoolRules();
absl::Span<const OpRule> QuantRules();
absl::Span<const OpRule> RecurrentRules();
absl::Span<const OpRule> ReduceRules();
absl::Span<const OpRule> ShapeRules();
absl::Span<const OpRule> StandardAttentionRules();

}  // namespace hwest
