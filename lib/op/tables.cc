#include "op/tables.h"

#include <algorithm>

#include "absl/strings/str_split.h"
#include "base/checked_math.h"
#include "op/rule.h"

namespace hwest {
namespace {

// Bytes of a number in the base-128 form of protocol buffers.
int64_t VarintBytes(int64_t value) {
  int64_t bytes = 1;
  for (auto rest = static_cast<uint64_t>(value) >> 7; rest != 0; rest >>= 7) ++bytes;
  return bytes;
}

void Add(int64_t& total, int64_t more) { total = CheckedAdd(total, std::max<int64_t>(more, 0)).value_or(INT64_MAX); }

int64_t BytesOf(const Graph& graph, const Attribute& attribute) {
  int64_t bytes = 0;
  for (const int64_t value : attribute.ints) Add(bytes, VarintBytes(value));
  Add(bytes, static_cast<int64_t>(attribute.floats.size() * sizeof(float)));
  for (const StrId text : attribute.strings) Add(bytes, static_cast<int64_t>(graph.str(text).size()));
  for (const ConstantId tensor : attribute.tensors) Add(bytes, graph.constant(tensor).length);
  return bytes;
}

}  // namespace

int64_t TableBytes(const Graph& graph, NodeId node) {
  if (!HasTrait(graph, node, trait::kHoldsTables)) return 0;
  int64_t bytes = 0;
  for (const Attribute& attribute : graph.attributes(node)) Add(bytes, BytesOf(graph, attribute));
  return bytes;
}

int64_t LearnedElements(const Graph& graph, NodeId node) {
  const OpRule* rule = RuleOf(graph, node);
  int64_t elements = 0;
  if (rule == nullptr || rule->learned.empty()) return elements;
  for (const absl::string_view name : absl::StrSplit(rule->learned, ' ')) {
    const Attribute* attribute = graph.FindAttribute(node, name);
    if (attribute == nullptr) continue;
    Add(elements, static_cast<int64_t>(attribute->floats.size()));
    for (const ConstantId tensor : attribute->tensors) Add(elements, graph.constant(tensor).Elements());
  }
  return elements;
}

}  // namespace hwest
