#include "study/activations.h"

#include <algorithm>
#include <map>

#include "fuse/fuse.h"

namespace hwest {
namespace {

struct Spelling {
  absl::string_view family;
  absl::string_view name;  // an operator, or a fusion pattern
  bool is_pattern;
};

constexpr Spelling kSpellings[] = {
    {"GELU", "Gelu", false},         {"GELU", "gelu_erf", true},       {"GELU", "gelu_tanh", true},
    {"SiLU", "Swish", false},        {"SiLU", "QuickGelu", false},     {"SiLU", "silu", true},
    {"HardSwish", "HardSwish", false}, {"HardSwish", "hardswish", true}, {"Mish", "Mish", false},
    {"Mish", "mish", true},          {"ELU", "Elu", false},            {"ELU", "Celu", false},
    {"ELU", "Selu", false},          {"Softplus", "Softplus", false},
};

const Spelling* SpellingOf(absl::string_view name, bool is_pattern) {
  for (const Spelling& spelling : kSpellings) {
    if (spelling.name == name && spelling.is_pattern == is_pattern) return &spelling;
  }
  return nullptr;
}

// Nothing but the activations, whatever the target's toolchains fuse.
Toolchain ActivationsOnly() {
  Toolchain toolchain{.name = "activations"};
  for (const Spelling& spelling : kSpellings) {
    if (spelling.is_pattern) toolchain.fuses.push_back({.pattern = std::string(spelling.name)});
  }
  return toolchain;
}

class Finder {
 public:
  explicit Finder(const Analysis& analysis) : analysis_(analysis), graph_(*analysis.graph) {}

  std::vector<ActivationFamily> Run() {
    const Toolchain toolchain = ActivationsOnly();
    const auto overlay = Fuse(graph_, analysis_.facts, analysis_.classes, {.toolchain = &toolchain});
    if (!overlay.ok()) return {};
    for (const Group& group : overlay->groups) AddGroup(group);
    std::vector<ActivationFamily> found;
    for (auto& [name, family] : families_) found.push_back(std::move(family));
    return found;
  }

 private:
  void AddGroup(const Group& group);
  ValueId PathInput(const Group& group, NodeId node) const;

  const Analysis& analysis_;
  const Graph& graph_;
  std::map<std::string, ActivationFamily> families_;
};

// The input on the way from the activation's own input to its end: made inside, else the one that is no constant.
ValueId Finder::PathInput(const Group& group, NodeId node) const {
  ValueId outer;
  for (const ValueId input : graph_.inputs(node)) {
    if (!input.valid() || graph_.IsConstant(input)) continue;
    const NodeId producer = graph_.value(input).producer;
    if (producer.valid() && std::binary_search(group.nodes.begin(), group.nodes.end(), producer)) return input;
    if (!outer.valid()) outer = input;
  }
  return outer;
}

void Finder::AddGroup(const Group& group) {
  const bool is_single = group.nodes.size() == 1;
  const Spelling* spelling =
      is_single ? SpellingOf(graph_.op(group.root), false) : SpellingOf(group.pattern, true);
  // An operator with a second operand does more than the activation.
  if (spelling == nullptr || (is_single && graph_.inputs(group.root).size() > 1)) return;
  std::vector<ModelEdit> edits;
  for (const NodeId node : group.nodes) {
    const ValueId input = PathInput(group, node);
    if (graph_.IsConstant(graph_.outputs(node)[0])) continue;
    if (!input.valid() || graph_.node(node).graph != GraphId(0u)) return;
    edits.push_back({.output = std::string(graph_.name(graph_.outputs(node)[0])),
                     .op = node == group.root ? "Relu" : "Identity",
                     .input = std::string(graph_.name(input))});
  }
  ActivationFamily& family = families_[std::string(spelling->family)];
  family.name = std::string(spelling->family);
  ++family.places;
  family.edits.insert(family.edits.end(), edits.begin(), edits.end());
}

}  // namespace

std::vector<ActivationFamily> FindActivations(const Analysis& analysis) { return Finder(analysis).Run(); }

}  // namespace hwest
