// What layout nodes inside a group move: Transpose, Concat, Slice, Gather and their like.
#pragma once

#include "cost/model_view.h"
#include "hwest/estimate.h"

namespace hwest {

// CountMoves adds what `node`, a member of `group`, moves to `work`: moved_elements, copied_elements and moved_rows.
void CountMoves(const ModelView& model, const Group& group, NodeId node, GroupWork& work);

}  // namespace hwest
