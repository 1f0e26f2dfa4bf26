#include "cost/slow_kernels.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/work.h"

namespace hwest {
namespace {

constexpr double kMostCycles = 9e18;  // that a count holds

bool IsContraction(const ModelView& model, NodeId node) {
  return model.work[node].has_value() && !model.work[node]->contractions.empty();
}

bool Dequantizes(const std::string& op) {
  const OpRule* rule = FindRule("", op);
  return rule != nullptr && (rule->traits & trait::kDequantizes) != 0;
}

// Of an image in whole blocks of `block` channels; none = not known.
std::optional<double> ElementsInBlocks(const ModelView& model, ValueId value, int64_t block) {
  constexpr int kChannels = 1;
  const std::optional<int64_t> count = ElementsOf(model, value);
  const Shape& shape = model.facts.values[value].type.shape;
  if (!count.has_value() || block <= 1 || !shape.ranked() || shape.rank() < 4) return count;
  const std::optional<int64_t> channels = Evaluate(shape.dim(kChannels), model.dims);
  if (!channels.has_value() || *channels <= 0) return count;
  return static_cast<double>(*count / *channels) * static_cast<double>((*channels + block - 1) / block * block);
}

// Those of the windows of `work`, where the node contracts; none = not known.
std::optional<double> ElementsThrough(const ModelView& model, NodeId node, const GroupWork& work, int64_t block) {
  double elements = 0;
  if (IsContraction(model, node)) {
    for (const ContractionSize& size : work.contractions) {
      elements += static_cast<double>(size.batch) * static_cast<double>(size.m) * static_cast<double>(size.k);
    }
    return elements;
  }
  for (const auto& values : {model.graph.inputs(node), model.graph.outputs(node)}) {
    if (values.empty() || !values[0].valid()) continue;
    const std::optional<double> count = ElementsInBlocks(model, values[0], block);
    if (!count.has_value()) return std::nullopt;
    elements = std::max(elements, *count);
  }
  return elements;
}

// The operator that makes the data of `group`, behind views; empty = an input of the model.
absl::string_view MakerOfData(const LimitContext& context, const Group& group) {
  for (const ValueId input : context.graph.inputs(group.nodes.front())) {
    if (!input.valid() || IsConstantValue(context.graph, context.classes, input)) continue;
    NodeId maker = context.graph.value(input).producer;
    while (maker.valid() && context.classes[maker] == NodeClass::kView) {
      const ValueId data = context.graph.inputs(maker)[0];
      maker = data.valid() ? context.graph.value(data).producer : NodeId();
    }
    return maker.valid() ? context.graph.op(maker) : absl::string_view();
  }
  return {};
}

}  // namespace

const SlowKernel* SlowKernelOf(const LimitContext& context, const Group& group, NodeId node,
                               const std::vector<SlowKernel>& rows) {
  const auto row = absl::c_find_if(rows, [&](const SlowKernel& slow) {
    return context.graph.domain(node).empty() && absl::c_linear_search(slow.ops, context.graph.op(node)) &&
           (slow.only_in.empty() || absl::c_linear_search(slow.only_in, group.pattern)) &&
           (slow.after.empty() || absl::c_linear_search(slow.after, MakerOfData(context, group))) &&
           AllHold(context, node, slow.limits);
  });
  return row != rows.end() ? &*row : nullptr;
}

void AddSlowKernels(const ModelView& model, const Group& group, const std::vector<SlowKernel>& rows, GroupWork* work) {
  if (rows.empty()) return;
  const LimitContext context{model.graph, model.facts, model.classes, &model.dims, work->precision.act};
  work->reads_on_one_core = absl::c_any_of(
      rows, [](const SlowKernel& slow) { return slow.one_core && absl::c_any_of(slow.ops, Dequantizes); });
  for (const NodeId node : group.nodes) {
    const SlowKernel* row = SlowKernelOf(context, group, node, rows);
    if (row == nullptr) continue;
    // What runs behind a product is a part of its kernel.
    work->on_one_core |= row->one_core && (work->contractions.empty() || IsContraction(model, node));
    if (row->cycles.value_or(0) <= 0) continue;
    const std::optional<double> elements = ElementsThrough(model, node, *work, row->channel_block);
    const double cycles = static_cast<double>(work->slow_cycles) + row->cycles.value_or(0) * elements.value_or(0);
    if (!elements.has_value() || cycles > kMostCycles) {
      work->counts_known = false;
    } else {
      work->slow_cycles = static_cast<int64_t>(cycles);
    }
  }
}

}  // namespace hwest
