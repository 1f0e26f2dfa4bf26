#include "study/activations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fuse/fuse.h"
#include "hwest/reading.h"
#include "op/rule.h"

namespace hwest {
namespace {

// Fusion patterns that compute an activation, beside the operators that do.
struct ActivationPattern {
  absl::string_view family;
  absl::string_view name;
  absl::string_view match;  // in a rewrite rule, where g is what it is of
};
constexpr ActivationPattern kPatterns[] = {{"GELU", "gelu_erf", "@erf_half(_)"},
                                           {"GELU", "gelu_tanh", "@tanh_half(_)"},
                                           {"SiLU", "silu", "Mul(Sigmoid(g), g:_)"},
                                           {"HardSwish", "hardswish", "@hardswish(_)"},
                                           {"Mish", "mish", "@mish(_)"}};

// Nothing but the activations, whatever the target's toolchains fuse.
Toolchain ActivationsOnly() {
  Toolchain toolchain{.name = "activations"};
  for (const ActivationPattern& pattern : kPatterns) toolchain.fuses.push_back({.pattern = std::string(pattern.name)});
  return toolchain;
}

class Finder {
 public:
  explicit Finder(const Analysis& analysis) : analysis_(analysis), graph_(GraphAsRead(analysis)) {}

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
  absl::string_view FamilyOf(const Group& group) const;
  std::string RuleFor(const Group& group) const;
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

// "" = no activation. An operator with a second operand does more than one.
absl::string_view Finder::FamilyOf(const Group& group) const {
  if (group.nodes.size() == 1) {
    const OpRule* rule = RuleOf(graph_, group.root);
    return rule == nullptr || graph_.inputs(group.root).size() > 1 ? "" : rule->activation;
  }
  const auto row = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                [&](const ActivationPattern& pattern) { return pattern.name == group.pattern; });
  return row == std::end(kPatterns) ? "" : row->family;
}

std::string Finder::RuleFor(const Group& group) const {
  const auto row = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                [&](const ActivationPattern& pattern) { return pattern.name == group.pattern; });
  if (group.nodes.size() > 1 && row != std::end(kPatterns)) return absl::StrCat(row->match, " -> Relu(g)");
  const absl::string_view domain = graph_.domain(group.root);
  return absl::StrCat(domain, domain.empty() ? "" : "::", graph_.op(group.root), "(x) -> Relu(x)");
}

void Finder::AddGroup(const Group& group) {
  const std::string name(FamilyOf(group));
  if (name.empty()) return;
  std::vector<ModelEdit> edits;
  for (const NodeId node : group.nodes) {
    const ValueId input = PathInput(group, node);
    if (graph_.IsConstant(graph_.outputs(node)[0])) continue;
    if (!input.valid() || graph_.node(node).graph != GraphId(0u)) return;
    edits.push_back({.output = std::string(graph_.name(graph_.outputs(node)[0])),
                     .op = node == group.root ? "Relu" : "Identity",
                     .input = std::string(graph_.name(input))});
  }
  ActivationFamily& family = families_[name];
  family.name = name;
  ++family.places;
  std::string rule = RuleFor(group);
  const bool is_new = std::find(family.rules.begin(), family.rules.end(), rule) == family.rules.end();
  if (is_new) family.rules.push_back(std::move(rule));
  family.edits.insert(family.edits.end(), edits.begin(), edits.end());
}

}  // namespace

std::vector<ActivationFamily> FindActivations(const Analysis& analysis) { return Finder(analysis).Run(); }

}  // namespace hwest
