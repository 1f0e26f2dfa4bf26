// Inference shared by operators that work element by element.
#pragma once

#include "op/rule.h"

namespace hwest {

// Output 0 has the type of input 0.
absl::Status InferSameAsInput(InferContext& ctx);

// The first element type of inputs [first, last) that is known; undefined when none is.
ElemType FirstElem(const OpView& op, int first, int last);

// The type that attribute `name` holds as a number, or as an upper-case name before opset 6; undefined when absent.
ElemType ElemAttr(const OpView& op, absl::string_view name);

}  // namespace hwest
