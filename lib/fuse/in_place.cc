#include "fuse/in_place.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hwest/graph.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {
namespace {

bool IsConcat(const GuardContext& context, NodeId node) {
  return context.classes[node] == NodeClass::kLayout && HasTrait(context.graph, node, trait::kJoins);
}

int64_t AxisOf(const GuardContext& context, NodeId concat) {
  const Attribute* axis = context.graph.FindAttribute(concat, "axis");
  return axis != nullptr && axis->kind == AttrKind::kInt ? axis->i : 1;
}

int64_t ReadsAtRun(const GuardContext& context, ValueId value) {
  const auto uses = context.graph.uses(value);
  return std::count_if(uses.begin(), uses.end(),
                       [&](const Use& use) { return IsReadAtRun(context.graph, context.classes, use); });
}

// Of the kernel that makes it; a view lies between at most when it is all that reads what it shows.
bool IsMadeForIt(const GuardContext& context, ValueId value) {
  const Graph& graph = context.graph;
  while (value.valid() && !graph.value(value).is_output) {
    const NodeId producer = graph.value(value).producer;
    if (!producer.valid() || HasTrait(graph, producer, trait::kDequantizes)) return false;
    const NodeClass made_by = context.classes[producer];
    if (made_by == NodeClass::kCompute || made_by == NodeClass::kLayout) return true;
    if (made_by != NodeClass::kView) return false;
    value = graph.inputs(producer)[0];
    if (!value.valid() || ReadsAtRun(context, value) != 1) return false;
  }
  return false;
}

// The input before `index`, which decides where the value begins.
ValueId Before(const GuardContext& context, NodeId concat, size_t index) {
  return index == 0 ? ValueId() : context.graph.inputs(concat)[index - 1];
}

// The place is the same in every concatenation that takes the value, by induction over the inputs before it.
bool HasOnePlace(const GuardContext& context, NodeId concat, size_t index, Places places) {
  const ValueId value = context.graph.inputs(concat)[index];
  for (const Use& use : context.graph.uses(value)) {
    if (!IsConcat(context, use.node) || (use.node == concat && use.input == index)) continue;
    const bool alike = use.node != concat && use.input == index &&
                       Before(context, use.node, index) == Before(context, concat, index) &&
                       AxisOf(context, use.node) == AxisOf(context, concat);
    if (places == Places::kOne || !alike) return false;
  }
  return true;
}

}  // namespace

std::string WhyNotInPlace(const GuardContext& context, NodeId concat, Places places) {
  const auto inputs = context.graph.inputs(concat);
  if (inputs.empty()) return "it has no inputs";
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || !IsMadeForIt(context, inputs[i])) {
      return absl::StrCat("input ", i, " is not what a kernel makes for it");
    }
    if (!HasOnePlace(context, concat, i, places)) {
      return absl::StrCat("input ", i, " has a place in another concatenation");
    }
  }
  return "";
}

bool IsInPlace(const GuardContext& context, NodeId concat, Places places) {
  return IsConcat(context, concat) && WhyNotInPlace(context, concat, places).empty();
}

}  // namespace hwest
