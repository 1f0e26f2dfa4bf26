#include "cost/slow_kernels.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "pass/limit.h"

namespace hwest {
namespace {

// Those of the windows of `work`, where the node contracts; what is not known counts as none.
int64_t ElementsThrough(const ModelView& model, NodeId node, const GroupWork& work) {
  int64_t elements = 0;
  if (model.work[node].has_value() && !model.work[node]->contractions.empty()) {
    for (const ContractionSize& size : work.contractions) elements += size.batch * size.m * size.k;
    return elements;
  }
  for (const auto& values : {model.graph.inputs(node), model.graph.outputs(node)}) {
    if (!values.empty() && values[0].valid()) elements = std::max(elements, ElementsOf(model, values[0]).value_or(0));
  }
  return elements;
}

}  // namespace

void AddSlowKernels(const ModelView& model, const Group& group, const std::vector<SlowKernel>& rows, GroupWork* work) {
  if (rows.empty()) return;
  const LimitContext context{model.graph, model.facts, model.classes, &model.dims, work->precision.act};
  for (const NodeId node : group.nodes) {
    const auto row = absl::c_find_if(rows, [&](const SlowKernel& slow) {
      return absl::c_linear_search(slow.ops, model.graph.op(node)) && AllHold(context, node, slow.limits);
    });
    if (row == rows.end()) continue;
    const auto elements = static_cast<double>(ElementsThrough(model, node, *work));
    work->slow_cycles += static_cast<int64_t>(row->cycles.value_or(0) * elements);
  }
}

}  // namespace hwest
