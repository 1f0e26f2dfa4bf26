// What the operators of classical machine learning (ai.onnx.ml) share.
#pragma once

#include "op/rule.h"

namespace hwest {

inline constexpr absl::string_view kMlDomain = "ai.onnx.ml";

// Samples are the rows of input 0: [N, F], or [F] for a single one. Unranked inputs have neither.
struct Samples {
  Dim rows;      // N
  Dim features;  // F
};

// Errors: input 0 is absent, no tensor, or of another rank.
absl::StatusOr<Samples> ReadSamples(const OpView& op);

// Labels of a classifier: their number, 0 when the node names none, and their type.
struct Labels {
  int64_t count = 0;
  ElemType elem = ElemType::kInt64;
};
Labels ReadLabels(const OpView& op, absl::string_view ints, absl::string_view strings);

// Sets Y [N], the best label, and Z [N, scores].
void SetClasses(InferContext& ctx, Dim rows, ElemType label, Dim scores);

// Adds what post_transform does to `scores` numbers.
void AddPostTransform(const OpView& op, Work& work, Dim scores);

}  // namespace hwest
