// The class of a group: which operator, and how large, for saying what work measurements have covered.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "hwest/estimate.h"
#include "hwest/group.h"

namespace hwest {

struct ModelView;  // cost/model_view.h

// OperatorClassOf returns e.g. "conv_1x1.m", "matmul.l" or "Transpose:5.s": the largest contraction of the group by its
// form, else the operator that is not element-wise with its rank where it only moves, else "elementwise"; behind the
// dot the size of `work`, which is that of the group.
std::string OperatorClassOf(const ModelView& model, const Group& group, const GroupWork& work);

// What people call it: "1 x 1 convolution, medium", "Transpose 5-D, small".
std::string OperatorClassText(absl::string_view operator_class);

}  // namespace hwest
