#include "fuse/in_place.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "fuse/qdq.h"
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

// Where every part is dequantised, and the whole quantised again at the scale of the parts, integers are joined.
bool JoinsIntegers(const GuardContext& context, NodeId concat) {
  const Graph& graph = context.graph;
  const ValueId whole = graph.outputs(concat)[0];
  NodeId quantize;
  for (const Use& use : graph.uses(whole)) {
    if (!IsReadAtRun(graph, context.classes, use)) continue;
    if (quantize.valid() || !HasTrait(graph, use.node, trait::kQuantizes)) return false;
    quantize = use.node;
  }
  if (!quantize.valid() || graph.value(whole).is_output) return false;
  const auto inputs = graph.inputs(concat);
  return std::all_of(inputs.begin(), inputs.end(), [&](ValueId part) {
    const NodeId producer = part.valid() ? graph.value(part).producer : NodeId();
    return producer.valid() && HasTrait(graph, producer, trait::kDequantizes) && !graph.value(part).is_output &&
           ReadsAtRun(context, part) == 1 && UndoesQuantize(context, producer, quantize);
  });
}

// What is read of the part: the integers where it is dequantised.
ValueId PartOf(const GuardContext& context, NodeId concat, size_t index, bool joins_integers) {
  const ValueId part = context.graph.inputs(concat)[index];
  return joins_integers ? context.graph.inputs(context.graph.value(part).producer)[0] : part;
}

// Whether a concatenation other than this one takes the integers.
bool IsJoinedElsewhere(const GuardContext& context, ValueId integers, NodeId concat) {
  for (const Use& use : context.graph.uses(integers)) {
    if (IsConcat(context, use.node)) return true;
    for (const ValueId output : context.graph.outputs(use.node)) {
      if (!output.valid()) continue;
      for (const Use& next : context.graph.uses(output)) {
        if (next.node != concat && IsConcat(context, next.node)) return true;
      }
    }
  }
  return false;
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
  const bool joins_integers = JoinsIntegers(context, concat);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || !IsMadeForIt(context, PartOf(context, concat, i, joins_integers))) {
      return absl::StrCat("input ", i, " is not what a kernel makes for it");
    }
    const bool is_elsewhere = joins_integers && IsJoinedElsewhere(context, PartOf(context, concat, i, true), concat);
    if (is_elsewhere || !HasOnePlace(context, concat, i, places)) {
      return absl::StrCat("input ", i, " has a place in another concatenation");
    }
  }
  return "";
}

bool IsInPlace(const GuardContext& context, NodeId concat, Places places) {
  return IsConcat(context, concat) && WhyNotInPlace(context, concat, places).empty();
}

}  // namespace hwest
