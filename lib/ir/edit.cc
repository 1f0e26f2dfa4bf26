#include "ir/edit.h"

#include <algorithm>
#include <string>

#include "base/interner.h"
#include "ir/uses.h"

namespace hwest {
namespace {

// Values with more uses, which are constants in real graphs, keep those that are gone until Finish.
constexpr uint32_t kMostUses = 64;

}  // namespace

GraphEdit::GraphEdit(const Graph& base) {
  graph_.info_ = base.info_;
  graph_.strings_ = base.strings_;
  graph_.added_strings_ = base.added_strings_;
  graph_.nodes_ = base.nodes_;
  graph_.values_ = base.values_;
  graph_.constants_ = base.constants_;
  graph_.bodies_ = base.bodies_;
  graph_.scopes_ = base.scopes_;
  graph_.edges_ = base.edges_;
  graph_.attributes_ = base.attributes_;
  graph_.declared_ = base.declared_;
  graph_.use_begin_ = base.use_begin_;
  graph_.uses_ = base.uses_;
  graph_.is_constant_ = base.is_constant_;
  graph_.dims_ = DimPool(&base.dims_);
}

StrId GraphEdit::Intern(absl::string_view text) {
  const StrId known = graph_.FindStr(text);
  if (known.valid()) return known;
  graph_.added_strings_.emplace_back(text);
  return StrId(Graph::kAddedStrings + static_cast<uint32_t>(graph_.added_strings_.size() - 1));
}

// The place of a use that is gone shows another use of the value, so that whoever asks for its users meets no other
// node.
void GraphEdit::GiveUpUse(ValueId value, NodeId node) {
  const uint32_t begin = graph_.use_begin_[value.index()], end = graph_.use_begin_[value.index() + 1];
  if (end - begin > kMostUses) return;
  const auto is_other = [node](const Use& use) { return use.node != node; };
  const auto first = graph_.uses_.begin() + begin, last = graph_.uses_.begin() + end;
  const auto other = std::find_if(first, last, is_other);
  if (other == last) return;
  const Use shown = *other;
  std::replace_if(first, last, [node](const Use& use) { return use.node == node; }, shown);
}

void GraphEdit::GiveUpUses(NodeId node) {
  for (const ValueId input : graph_.inputs(node)) {
    if (input.valid()) GiveUpUse(input, node);
  }
}

void GraphEdit::Become(NodeId node, StrId domain, StrId op, int32_t opset, absl::Span<const ValueId> inputs,
                       absl::Span<const Attribute> attributes) {
  const std::vector<ValueId> operands(inputs.begin(), inputs.end());
  for (const ValueId input : graph_.inputs(node)) {
    const bool stays = std::find(operands.begin(), operands.end(), input) != operands.end();
    if (input.valid() && !stays) GiveUpUse(input, node);
  }
  Node& row = graph_.nodes_[node];
  row.domain = domain;
  row.op = op;
  row.opset = opset;
  row.first_input = static_cast<uint32_t>(graph_.edges_.size());
  row.num_inputs = static_cast<uint32_t>(operands.size());
  graph_.edges_.insert(graph_.edges_.end(), operands.begin(), operands.end());
  const std::vector<Attribute> own(attributes.begin(), attributes.end());
  row.first_attribute = static_cast<uint32_t>(graph_.attributes_.size());
  row.num_attributes = static_cast<uint32_t>(own.size());
  graph_.attributes_.insert(graph_.attributes_.end(), own.begin(), own.end());
}

void GraphEdit::Silence(NodeId node) {
  GiveUpUses(node);
  graph_.nodes_[node].num_inputs = 0;
}

void GraphEdit::TakeOutputs(NodeId node, absl::Span<const ValueId> outputs) {
  Node& row = graph_.nodes_[node];
  row.first_output = static_cast<uint32_t>(graph_.edges_.size());
  row.num_outputs = static_cast<uint32_t>(outputs.size());
  graph_.edges_.insert(graph_.edges_.end(), outputs.begin(), outputs.end());
  for (const ValueId output : outputs) graph_.values_[output].producer = node;
}

Graph GraphEdit::Finish() && {
  IndexUses(graph_.nodes_, graph_.edges_, graph_.values_.size(), &graph_.use_begin_, &graph_.uses_);
  return std::move(graph_);
}

}  // namespace hwest
