// Slow kernels: operators that a runtime computes slower than the unit could.
#pragma once

#include <vector>

#include "cost/model_view.h"
#include "hwest/estimate.h"
#include "hwest/group.h"
#include "hwest/target.h"
#include "pass/limit.h"

namespace hwest {

// SlowKernelOf is the first row that holds for a node of `group`; null = none.
const SlowKernel* SlowKernelOf(const LimitContext& context, const Group& group, NodeId node,
                               const std::vector<SlowKernel>& rows);

// Adds to `work`, that of `group`, what the first row that holds for each of its nodes says. Where that cannot be
// counted, the counts of `work` are not known.
void AddSlowKernels(const ModelView& model, const Group& group, const std::vector<SlowKernel>& rows, GroupWork* work);

}  // namespace hwest
