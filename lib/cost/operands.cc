#include "cost/operands.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/checked_math.h"
#include "op/rule.h"
#include "pass/work.h"

namespace hwest {
namespace {

constexpr int kMostHops = 32;
constexpr int kRows = 2;  // the axis of an image that its rows follow each other on

bool IsMember(const Group& group, NodeId node) {
  return node.valid() && std::binary_search(group.nodes.begin(), group.nodes.end(), node);
}

bool IsWindow(ContractionKind kind) {
  return kind == ContractionKind::kConv || kind == ContractionKind::kDepthwise ||
         kind == ContractionKind::kConvTranspose;
}

int64_t Product(int64_t a, int64_t b) { return CheckedMul(a, b).value_or(0); }

// Whole matrices of `matrix` elements, all of a batch or such as several products share.
bool HoldsMatrices(int64_t elements, int64_t matrix, int64_t batch) {
  if (elements <= 0 || matrix <= 0 || elements % matrix != 0) return false;
  const int64_t count = elements / matrix;
  return count <= batch && batch % count == 0;
}

class Finder {
 public:
  Finder(const ModelView& model, const Group& group, NodeId node, const ContractionSize& size, Precision precision)
      : model_(model), group_(group), node_(node), size_(size), precision_(precision) {
    const absl::Span<const ValueId> inputs = model.graph.inputs(node);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (ReadsData(model, node, i)) inputs_.push_back(inputs[i]);
    }
  }

  OperandBytes Run(size_t index) {
    OperandBytes operands;
    const size_t count = model_.work[node_]->contractions.size();
    const bool takes_results = index > 0 && size_.kind == ContractionKind::kActivation;
    const ValueId left = takes_results ? ValueId() : Left();
    if (takes_results) std::reverse(inputs_.begin(), inputs_.end());  // values of attention come last
    const ValueId right = Right();
    operands.left = static_cast<int64_t>(TouchedShare(left) * static_cast<double>(OutsideBytes(left)));
    if (size_.kind != ContractionKind::kRecurrent) operands.right = OutsideBytes(right);
    operands.alike = Alike(right);
    operands.halo = Halo(left, right, operands.left);
    operands.result_is_inner = index + 1 < count || MultipliesAgain();
    return operands;
  }

 private:
  int64_t Elements(ValueId value) const { return ElementsOf(model_, value).value_or(0); }

  ValueId Take(size_t at) {
    if (at >= inputs_.size()) return ValueId();
    const ValueId value = inputs_[at];
    inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(at));
    return value;
  }

  size_t Matrices(int64_t matrix) const {
    const auto holds = [&](ValueId value) { return HoldsMatrices(Elements(value), matrix, size_.batch); };
    return static_cast<size_t>(std::find_if(inputs_.begin(), inputs_.end(), holds) - inputs_.begin());
  }

  // Windows read their image more than once, a recurrent layer its own results, too.
  ValueId Left() {
    const bool is_first = IsWindow(size_.kind) || size_.kind == ContractionKind::kRecurrent;
    return Take(is_first ? 0 : Matrices(Product(size_.m, size_.k)));
  }

  // Packed weights have other sizes.
  ValueId Right() {
    const size_t at = Matrices(Product(size_.n, size_.k));
    if (at < inputs_.size()) return Take(at);
    ValueId largest;
    for (const ValueId value : inputs_) {
      const bool more = !largest.valid() || Elements(value) > Elements(largest);
      if (IsConstant(model_, value) && more) largest = value;
    }
    return largest;
  }

  // The value from outside that `value` is made of; invalid = the group makes it.
  ValueId Outside(ValueId value) const {
    for (int hop = 0; value.valid() && hop < kMostHops; ++hop) {
      const ValueId root = RootOf(model_, value);
      const NodeId producer = model_.graph.value(root).producer;
      if (!IsMember(group_, producer) || IsConstant(model_, value)) return root;
      const std::optional<Work>& work = model_.work[producer];
      if (!work.has_value() || !work->contractions.empty()) return ValueId();
      value = DataOf(producer);
    }
    return ValueId();
  }

  ValueId DataOf(NodeId node) const {
    for (size_t i = 0; i < model_.graph.inputs(node).size(); ++i) {
      const ValueId input = model_.graph.inputs(node)[i];
      if (ReadsData(model_, node, i) && !IsConstant(model_, input)) return input;
    }
    return ValueId();
  }

  int64_t OutsideBytes(ValueId value) const {
    const ValueId outside = Outside(value);
    return outside.valid() ? DeployedBytes(model_, outside, precision_).value_or(0) : 0;
  }

  // Of a value that the node itself reads from outside, where a window steps over rows.
  double TouchedShare(ValueId value) const {
    if (!value.valid() || Outside(value) != RootOf(model_, value)) return 1;
    const std::vector<std::optional<Dim>>& reads = model_.work[node_]->reads;
    const absl::Span<const ValueId> inputs = model_.graph.inputs(node_);
    const size_t at = static_cast<size_t>(std::find(inputs.begin(), inputs.end(), value) - inputs.begin());
    if (at >= reads.size() || !reads[at].has_value() || Elements(value) <= 0) return 1;
    const std::optional<int64_t> touched = Evaluate(*reads[at], model_.dims);
    return touched.has_value() ? static_cast<double>(*touched) / static_cast<double>(Elements(value)) : 1;
  }

  // Directions of a recurrent layer have weights of their own.
  int64_t Alike(ValueId right) const {
    const int64_t matrix = Product(size_.n, size_.k);
    if (size_.kind == ContractionKind::kRecurrent) {
      int64_t weights = 0;
      for (const ValueId value : inputs_) weights += IsConstant(model_, value) ? Elements(value) : 0;
      return size_.batch / std::clamp<int64_t>(weights / std::max<int64_t>(1, matrix), 1, size_.batch);
    }
    const int64_t elements = right.valid() ? Elements(right) : 0;
    if (HoldsMatrices(elements, matrix, size_.batch)) return size_.batch / (elements / matrix);
    return size_.kind == ContractionKind::kMatMul ? size_.batch : 1;
  }

  int64_t Attribute(absl::string_view name, int64_t fallback) const {
    const hwest::Attribute* attribute = model_.graph.FindAttribute(node_, name);
    return attribute != nullptr && !attribute->ints.empty() ? attribute->ints[0] : fallback;
  }

  int64_t Rows(ValueId value) const {
    if (!value.valid()) return 0;
    const Shape& shape = model_.facts.values[value].type.shape;
    return shape.ranked() && shape.rank() > kRows ? Evaluate(shape.dim(kRows), model_.dims).value_or(0) : 0;
  }

  // Rows of a window past those that it goes on by.
  int64_t Halo(ValueId left, ValueId right, int64_t bytes) const {
    const bool slides = size_.kind == ContractionKind::kConv || size_.kind == ContractionKind::kDepthwise;
    const int64_t rows = Rows(left);
    if (!slides || size_.kernel_elements <= 1 || rows <= 0) return 0;
    const int64_t taps = Attribute("kernel_shape", std::max<int64_t>(1, Rows(right)));
    const int64_t window = (taps - 1) * Attribute("dilations", 1) + 1;
    const int64_t again = std::clamp<int64_t>(window - Attribute("strides", 1), 0, rows);
    const int64_t images = std::max<int64_t>(1, size_.kind == ContractionKind::kConv ? Alike(right) : 1);
    return static_cast<int64_t>(static_cast<double>(bytes) / static_cast<double>(images) * static_cast<double>(again) /
                                static_cast<double>(rows));
  }

  // Whether a later member multiplies what this one made, which no one else reads.
  bool MultipliesAgain() const {
    for (const ValueId output : model_.graph.outputs(node_)) {
      if (output.valid() && std::find(group_.outputs.begin(), group_.outputs.end(), output) != group_.outputs.end()) {
        return false;
      }
    }
    const auto after = std::upper_bound(group_.nodes.begin(), group_.nodes.end(), node_);
    return std::any_of(after, group_.nodes.end(), [&](NodeId later) {
      return model_.work[later].has_value() && !model_.work[later]->contractions.empty();
    });
  }

  const ModelView& model_;
  const Group& group_;
  const NodeId node_;
  const ContractionSize& size_;
  const Precision precision_;
  std::vector<ValueId> inputs_;  // that no operand was found in yet
};

}  // namespace

OperandBytes OperandsOf(const ModelView& model, const Group& group, NodeId node, size_t index,
                        const ContractionSize& size, Precision precision) {
  return Finder(model, group, node, size, precision).Run(index);
}

}  // namespace hwest
