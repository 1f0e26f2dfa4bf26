#include "hwest/graph.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/interner.h"

namespace hwest {

int64_t Constant::Elements() const {
  int64_t elements = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) return -1;
    const auto product = CheckedMul(elements, dim);
    if (!product.has_value()) return -1;
    elements = *product;
  }
  return elements;
}

Graph::Graph() = default;
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

absl::string_view Graph::str(StrId id) const {
  if (id.index() >= kAddedStrings) return id.valid() ? added_strings_[id.index() - kAddedStrings] : absl::string_view();
  return strings_ != nullptr ? (*strings_)[id] : absl::string_view();
}

StrId Graph::FindStr(absl::string_view text) const {
  const StrId id = strings_ == nullptr ? StrId() : strings_->Find(text);
  if (id.valid()) return id;
  const auto added = std::find(added_strings_.begin(), added_strings_.end(), text);
  return added == added_strings_.end() ? StrId()
                                       : StrId(kAddedStrings + static_cast<uint32_t>(added - added_strings_.begin()));
}

absl::Span<const Attribute> Graph::attributes(NodeId id) const {
  const Node& node = nodes_[id];
  return absl::MakeConstSpan(attributes_).subspan(node.first_attribute, node.num_attributes);
}

const Attribute* Graph::FindAttribute(NodeId id, absl::string_view name) const {
  for (const Attribute& attribute : attributes(id)) {
    if (str(attribute.name) == name) return &attribute;
  }
  return nullptr;
}

absl::Span<const Use> Graph::uses(ValueId id) const {
  const uint32_t begin = use_begin_[id.index()];
  return absl::MakeConstSpan(uses_).subspan(begin, use_begin_[id.index() + 1] - begin);
}

std::string Graph::Label(NodeId id) const {
  if (!name(id).empty()) return std::string(name(id));
  for (const ValueId output : outputs(id)) {
    if (output.valid()) return std::string(name(output));
  }
  return absl::StrCat(op(id), " #", id.index());
}

Origin Graph::OriginOf(NodeId id) const {
  const ScopeId scope_id = node(id).scope;
  if (!scope_id.valid()) return Origin::kUnknown;
  return scopes_[scope_id].has_children ? Origin::kFunction : Origin::kModule;
}

const Type* Graph::declared(ValueId id) const {
  const int32_t index = values_[id].declared;
  return index < 0 ? nullptr : &declared_[static_cast<size_t>(index)];
}

}  // namespace hwest
