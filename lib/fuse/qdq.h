// QuantizeLinear and DequantizeLinear around a kernel become part of its integer form.
#pragma once

#include "fuse/guards.h"
#include "hwest/group.h"

namespace hwest {

// UndoesQuantize is true where quantising what `dequantize` makes, as it is or through views, gives what it read: of
// the same type, scale and zero point.
bool UndoesQuantize(const GuardContext& context, NodeId dequantize, NodeId quantize);

// AbsorbQdq moves QuantizeLinear into the group whose only result it takes, and DequantizeLinear into the group that
// alone reads it, else into the group that ends in its QuantizeLinear. Others keep a group of their own. Groups that
// become empty are left with no nodes; `inputs` and `outputs` are not touched. Afterwards no group waits for itself.
void AbsorbQdq(const GuardContext& context, IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of);

}  // namespace hwest
