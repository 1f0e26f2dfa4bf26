// Where the operands of a contraction are: outside its group, or made by it.
#pragma once

#include <cstddef>

#include "cost/model_view.h"
#include "hwest/estimate.h"
#include "hwest/group.h"

namespace hwest {

// OperandsOf finds the operands of contraction `index` of `node`, a member of `group`, by their sizes among what the
// node reads. What members make of a value from outside, element by element or by moving it, is that value; what they
// multiplied is made inside.
OperandBytes OperandsOf(const ModelView& model, const Group& group, NodeId node, size_t index,
                        const ContractionSize& size, Precision precision);

}  // namespace hwest
