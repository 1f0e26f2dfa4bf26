#include "fuse/guards.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "fuse/channels_last.h"
#include "fuse/guard_helpers.h"
#include "op/known.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {

// A node that lacks the operand is refused elsewhere; its shape is not known.
const Shape& ShapeOf(const GuardContext& context, ValueId value) {
  static const auto& none = *new Shape();
  return value.valid() ? context.facts.values[value].type.shape : none;
}

ValueId InputAt(const GuardContext& context, NodeId node, size_t index) {
  const auto inputs = context.graph.inputs(node);
  return index < inputs.size() ? inputs[index] : ValueId();
}

int64_t IntAttribute(const GuardContext& context, NodeId node, absl::string_view name, int64_t fallback) {
  const Attribute* attribute = context.graph.FindAttribute(node, name);
  return attribute != nullptr && attribute->kind == AttrKind::kInt ? attribute->i : fallback;
}

double FloatAttribute(const GuardContext& context, NodeId node, absl::string_view name, double fallback) {
  const Attribute* attribute = context.graph.FindAttribute(node, name);
  return attribute != nullptr && attribute->kind == AttrKind::kFloat ? attribute->f : fallback;
}

std::optional<std::vector<int64_t>> Ints(const GuardContext& context, NodeId node, absl::string_view name,
                                         size_t index) {
  const Attribute* attribute = context.graph.FindAttribute(node, name);
  if (attribute != nullptr && attribute->kind == AttrKind::kInts) return attribute->ints;
  const ValueId input = InputAt(context, node, index);
  if (!input.valid()) return std::nullopt;
  const Known& known = context.facts.values[input].known;
  return known == nullptr ? std::nullopt : ConstantInts(*known);
}

std::optional<std::vector<int64_t>> PadsOfPad(const GuardContext& context, NodeId pad) {
  auto pads = Ints(context, pad, "pads", 1);
  if (!pads.has_value()) pads = Ints(context, pad, "paddings", 1);
  if (!pads.has_value() || !InputAt(context, pad, 3).valid()) return pads;
  const auto axes = Ints(context, pad, "", 3);
  const Shape& shape = ShapeOf(context, InputAt(context, pad, 0));
  if (!axes.has_value() || !shape.ranked() || pads->size() != 2 * axes->size()) return std::nullopt;
  const int64_t rank = shape.rank();
  std::vector<int64_t> all(static_cast<size_t>(2 * rank), 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
    if (axis < 0 || axis >= rank) return std::nullopt;
    all[static_cast<size_t>(axis)] = (*pads)[i];
    all[static_cast<size_t>(axis + rank)] = (*pads)[i + axes->size()];
  }
  return all;
}

bool AllOnes(absl::Span<const Dim> dims) {
  return std::all_of(dims.begin(), dims.end(), [](Dim dim) { return dim.IsConstant(1); });
}

namespace {

// Relative distance within which two constants are one: rounding to bfloat16 moves a value by up to 2^-9.
constexpr double kTolerance = 2.5e-3;

bool Near(double value, double number, double tolerance = kTolerance) {
  return std::fabs(value - number) <= std::fabs(number) * tolerance + 1e-9;
}

// Constants are written with seven digits or more, or as their type rounds them.
double ToleranceOf(const GuardContext& context, ElemType elem) {
  if (context.numbers == NumberMatch::kUsual || elem == ElemType::kBfloat16) return kTolerance;
  return elem == ElemType::kFloat16 ? 5e-4 : 1e-6;
}

bool IsScalar(const GuardContext& context, ValueId value) {
  const Shape& shape = ShapeOf(context, value);
  return shape.ranked() && AllOnes(shape.dims());
}

// One matrix for all of a stack: the dims in front of the last two are 1.
bool IsOneMatrix(const GuardContext& context, ValueId value) {
  const Shape& shape = ShapeOf(context, value);
  if (!shape.ranked() || shape.rank() < 2) return false;
  return AllOnes(shape.dims().subspan(0, static_cast<size_t>(shape.rank() - 2)));
}

// One factor for whole matrices: the last two dims are 1.
bool IsScale(const GuardContext& context, ValueId value) {
  const Shape& shape = ShapeOf(context, value);
  if (!shape.ranked()) return false;
  const int tail = std::min(shape.rank(), 2);
  return AllOnes(shape.dims().subspan(static_cast<size_t>(shape.rank() - tail)));
}

bool IsBias(const GuardContext& context, ValueId value) {
  const Shape& shape = ShapeOf(context, value);
  if (!IsConst(context, value) || !shape.ranked() || shape.rank() == 0) return false;
  return AllOnes(shape.dims().first(static_cast<size_t>(shape.rank() - 1)));
}

// No two dims can differ: symbols that may be equal count as equal, so a later binding never changes the answer.
bool MayBeSameShape(const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked() || a.rank() != b.rank()) return false;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const Dim left = a.dim(axis), right = b.dim(axis);
    if (left.is_constant() && right.is_constant() && left != right) return false;
  }
  return true;
}

bool HasSameShapes(const GuardContext& context, NodeId node) {
  const Shape& out = ShapeOf(context, context.graph.outputs(node)[0]);
  for (const ValueId input : context.graph.inputs(node)) {
    if (!input.valid() || !MayBeSameShape(ShapeOf(context, input), out)) return false;
  }
  return true;
}

// One operand is a constant with one element, or one per channel (axis 1 of the output).
bool IsPerChannel(const GuardContext& context, NodeId node) {
  const Shape& out = ShapeOf(context, context.graph.outputs(node)[0]);
  if (!out.ranked() || out.rank() < 3) return false;
  for (const ValueId input : context.graph.inputs(node)) {
    if (!input.valid() || !IsConst(context, input)) continue;
    const Shape& shape = ShapeOf(context, input);
    if (!shape.ranked() || shape.rank() > out.rank()) continue;
    bool fits = true;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const bool is_channel = axis + out.rank() - shape.rank() == 1;
      if (!is_channel && !shape.dim(axis).IsConstant(1)) fits = false;
    }
    if (fits) return true;
  }
  return false;
}

// BatchNormalization computes with stored statistics: not in training mode, and nobody reads statistics.
bool IsInference(const GuardContext& context, NodeId node) {
  if (IntAttribute(context, node, "training_mode", 0) != 0) return false;
  const auto outputs = context.graph.outputs(node);
  return std::none_of(outputs.begin() + 1, outputs.end(),
                      [&](ValueId value) { return value.valid() && context.facts.IsNeeded(value); });
}

// Softmax along the last axis; before opset 13 the default axis was 1 and all later ones were flattened into it.
bool IsLastAxis(const GuardContext& context, NodeId node) {
  const int64_t fallback = context.graph.node(node).opset < 13 ? 1 : -1;
  const int64_t axis = IntAttribute(context, node, "axis", fallback);
  const Shape& shape = ShapeOf(context, context.graph.outputs(node)[0]);
  return axis == -1 || (shape.ranked() && axis == shape.rank() - 1);
}

// Transpose that swaps the last two axes and nothing else.
bool IsMatrixTranspose(const GuardContext& context, NodeId node) {
  const auto perm = Ints(context, node, "perm", 1);
  if (!perm.has_value() || perm->size() < 2) return false;
  const int64_t rank = static_cast<int64_t>(perm->size());
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t from = axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
    if ((*perm)[static_cast<size_t>(axis)] != from) return false;
  }
  return true;
}

// Reduction over the last axes, without gaps.
bool IsTrailing(const GuardContext& context, NodeId node) {
  auto axes = Ints(context, node, "axes", 1);
  const Shape& shape = ShapeOf(context, context.graph.inputs(node)[0]);
  if (!axes.has_value() || axes->empty()) return false;
  if (*axes == std::vector<int64_t>{-1}) return true;
  if (!shape.ranked()) return false;
  for (int64_t& axis : *axes) axis = axis < 0 ? axis : axis - shape.rank();
  std::sort(axes->begin(), axes->end());
  for (size_t i = 0; i < axes->size(); ++i) {
    if ((*axes)[i] != static_cast<int64_t>(i) - static_cast<int64_t>(axes->size())) return false;
  }
  return true;
}

// Zeros around the spatial axes only: what a convolution's own `pads` can say.
bool IsZeroPad(const GuardContext& context, NodeId node) {
  const Attribute* mode = context.graph.FindAttribute(node, "mode");
  if (mode != nullptr && context.graph.str(mode->s) != "constant") return false;
  if (FloatAttribute(context, node, "value", 0) != 0) return false;
  const ValueId fill = InputAt(context, node, 2);
  if (fill.valid() && !EqualsNumber(context, fill, 0)) return false;
  const auto pads = PadsOfPad(context, node);
  if (!pads.has_value() || pads->size() % 2 != 0 || pads->size() < 6) return false;
  const size_t rank = pads->size() / 2;
  for (const size_t axis : {size_t{0}, size_t{1}, rank, rank + 1}) {
    if ((*pads)[axis] != 0) return false;
  }
  return std::all_of(pads->begin(), pads->end(), [](int64_t pad) { return pad >= 0; });
}

bool ClipsFromZeroTo(const GuardContext& context, NodeId node, double most) {
  const ValueId low = InputAt(context, node, 1), high = InputAt(context, node, 2);
  if (!low.valid() && !high.valid()) {
    return FloatAttribute(context, node, "min", -1) == 0 && FloatAttribute(context, node, "max", -1) == most;
  }
  return low.valid() && high.valid() && EqualsNumber(context, low, 0) && EqualsNumber(context, high, most);
}

bool IsClipZeroSix(const GuardContext& context, NodeId node) { return ClipsFromZeroTo(context, node, 6); }
bool IsClipZeroOne(const GuardContext& context, NodeId node) { return ClipsFromZeroTo(context, node, 1); }

// One operand is a number that makes the other `factor` times as large: a factor, or the divisor.
bool ScalesBy(const GuardContext& context, NodeId node, double factor) {
  const bool is_product = HasTrait(context.graph, node, trait::kCommutes);
  const ValueId first = InputAt(context, node, 0), second = InputAt(context, node, 1);
  if (!first.valid() || !second.valid()) return false;
  return EqualsNumber(context, second, is_product ? factor : 1 / factor) ||
         (is_product && EqualsNumber(context, first, factor));
}

bool Halves(const GuardContext& context, NodeId node) { return ScalesBy(context, node, 0.5); }
bool TakesSixth(const GuardContext& context, NodeId node) { return ScalesBy(context, node, 1.0 / 6); }

// Of two operands one is 0; an operator of one is Relu.
bool IsAboveZero(const GuardContext& context, NodeId node) {
  const auto inputs = context.graph.inputs(node);
  return inputs.size() == 1 || (inputs.size() == 2 && std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
                                  return input.valid() && EqualsNumber(context, input, 0);
                                }));
}

// HardSigmoid as HardSwish uses it: alpha 1/6 (the operator's default is 0.2), beta 1/2.
bool IsSixth(const GuardContext& context, NodeId node) {
  const double tolerance = ToleranceOf(context, ElemType::kFloat);
  return Near(FloatAttribute(context, node, "alpha", 0.2), 1.0 / 6, tolerance) &&
         Near(FloatAttribute(context, node, "beta", 0.5), 0.5, tolerance);
}

// Weights of a convolution with a constant shape; null otherwise.
const Shape* KernelOf(const GuardContext& context, NodeId node) {
  const ValueId weights = InputAt(context, node, 1);
  if (!weights.valid()) return nullptr;
  const Shape& shape = ShapeOf(context, weights);
  return shape.ranked() && shape.rank() >= 3 ? &shape : nullptr;
}

// One input channel per group.
bool IsDepthwise(const GuardContext& context, NodeId node) {
  const Shape* kernel = KernelOf(context, node);
  return kernel != nullptr && kernel->dim(1).IsConstant(1) && IntAttribute(context, node, "group", 1) > 1;
}

// Several input channels in each group.
bool IsWide(const GuardContext& context, NodeId node) {
  const Shape* kernel = KernelOf(context, node);
  return kernel != nullptr && kernel->dim(1).is_constant() && kernel->dim(1).value() > 1;
}

bool IsDense(const GuardContext& context, NodeId node) {
  const Attribute* strides = context.graph.FindAttribute(node, "strides");
  return strides == nullptr ||
         std::all_of(strides->ints.begin(), strides->ints.end(), [](int64_t step) { return step == 1; });
}

bool IsPointwise(const GuardContext& context, NodeId node) {
  const Shape* kernel = KernelOf(context, node);
  return kernel != nullptr && IntAttribute(context, node, "group", 1) == 1 && AllOnes(kernel->dims().subspan(2));
}

bool IsTwoByTwo(const GuardContext& context, NodeId node) {
  const std::vector<int64_t> two = {2, 2};
  const Attribute* kernel = context.graph.FindAttribute(node, "kernel_shape");
  const Attribute* strides = context.graph.FindAttribute(node, "strides");
  return kernel != nullptr && strides != nullptr && kernel->ints == two && strides->ints == two;
}

// Slice that leaves elements out: some step is larger than 1, none is negative.
bool IsStrided(const GuardContext& context, NodeId node) {
  const auto steps = Ints(context, node, "steps", 4);
  if (!steps.has_value()) return false;
  return std::all_of(steps->begin(), steps->end(), [](int64_t step) { return step >= 1; }) &&
         std::any_of(steps->begin(), steps->end(), [](int64_t step) { return step > 1; });
}

using Perm = std::vector<int64_t>;

bool HasPerm(const GuardContext& context, NodeId node, absl::Span<const Perm> perms) {
  const Attribute* perm = context.graph.FindAttribute(node, "perm");
  return perm != nullptr && std::find(perms.begin(), perms.end(), perm->ints) != perms.end();
}

// A Reshape in front made axes 1 and 2 out of the channels alone, whatever it made of the positions. Windows are more
// than there were images.
bool SplitsChannels(const GuardContext& context, NodeId node) {
  const ValueId split = InputAt(context, node, 0);
  const NodeId reshape = split.valid() ? context.graph.value(split).producer : NodeId();
  if (!reshape.valid()) return false;
  const Shape& from = ShapeOf(context, InputAt(context, reshape, 0));
  const Shape& to = ShapeOf(context, split);
  if (!from.ranked() || from.rank() < 3 || !to.ranked() || to.rank() < 3) return false;
  if (from.dim(0) != to.dim(0)) return false;
  const Dim channels = from.dim(1), groups = to.dim(1), per_group = to.dim(2);
  if (!channels.is_constant() || !groups.is_constant() || !per_group.is_constant() || groups.value() < 1) return false;
  return channels.value() % groups.value() == 0 && channels.value() / groups.value() == per_group.value();
}

// Channels as [groups, per group], the two swapped; positions may be one axis, where nothing else looks like it.
bool SwapsChannels(const GuardContext& context, NodeId node) {
  if (HasPerm(context, node, {Perm{0, 2, 1, 3, 4}, Perm{0, 1, 2, 4, 3}})) return true;
  return HasPerm(context, node, {Perm{0, 2, 1, 3}}) && SplitsChannels(context, node);
}

// Blocks of pixels to or from channels, either order of the channels, channels first or last.
bool MovesBlocks(const GuardContext& context, NodeId node) {
  return HasPerm(context, node,
                 {Perm{0, 1, 3, 5, 2, 4}, Perm{0, 3, 5, 1, 2, 4}, Perm{0, 1, 4, 2, 5, 3}, Perm{0, 3, 4, 1, 5, 2}});
}

// [N, H / w, w, W / w, w, C] with the windows in front, or back.
bool MovesWindows(const GuardContext& context, NodeId node) { return HasPerm(context, node, {Perm{0, 1, 3, 2, 4, 5}}); }

// Positions, heads and their size; windows of an image have one axis more.
bool IsOfHeads(const GuardContext& context, NodeId node) {
  constexpr size_t kMostAxes = 5;
  const auto perm = Ints(context, node, "perm", 1);
  return perm.has_value() && perm->size() <= kMostAxes;
}

// Input 1 is a constant matrix.
bool HasMatrixOfWeights(const GuardContext& context, NodeId node) {
  const ValueId weights = InputAt(context, node, 1);
  const OpRule* rule = RuleOf(context.graph, node);
  return weights.valid() && rule != nullptr && Covers(rule->parameters, 1) && IsConst(context, weights) &&
         ShapeOf(context, weights).ranked() && ShapeOf(context, weights).rank() > 1;
}

// No square.
bool TakesTwoValues(const GuardContext& context, NodeId node) {
  return InputAt(context, node, 0) != InputAt(context, node, 1);
}

// A product of rows with a constant matrix.
bool IsProductOfRows(const GuardContext& context, NodeId node) {
  return HasMatrixOfWeights(context, node) && !HasTrait(context.graph, node, trait::kWindowOfWeights);
}

// What `value` was before views, sums with constants and normalisations by them.
ValueId BehindConstants(const GuardContext& context, ValueId value) {
  constexpr int kMostMakers = 8;
  for (int hop = 0; hop < kMostMakers && value.valid(); ++hop) {
    const NodeId maker = context.graph.value(value).producer;
    if (!maker.valid() || IsProductOfRows(context, maker)) return value;
    const absl::Span<const ValueId> inputs = context.graph.inputs(maker);
    const auto is_data = [&](ValueId input) { return input.valid() && !IsConst(context, input); };
    const bool has_constants = inputs.size() > 1 && std::count_if(inputs.begin(), inputs.end(), is_data) == 1;
    const bool takes_them =
        HasTrait(context.graph, maker, trait::kElementwise) || HasTrait(context.graph, maker, trait::kFoldsIntoWeights);
    if (context.classes[maker] != NodeClass::kView && !(has_constants && takes_them)) return value;
    value =
        context.classes[maker] == NodeClass::kView ? inputs[0] : *std::find_if(inputs.begin(), inputs.end(), is_data);
  }
  return value;
}

// The value of which `value` is the product with weights; none for others.
ValueId MultipliedBy(const GuardContext& context, ValueId value) {
  const ValueId product = BehindConstants(context, value);
  const NodeId maker = product.valid() ? context.graph.value(product).producer : NodeId();
  if (!maker.valid() || !IsProductOfRows(context, maker)) return ValueId();
  return BehindConstants(context, InputAt(context, maker, 0));
}

// Whether a node called `op` adds two products of one value with weights.
bool SumsProducts(const GuardContext& context, StrId op) {
  for (uint32_t n = 0; n < context.graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (context.graph.node(node).op != op) continue;
    const ValueId first = MultipliedBy(context, InputAt(context, node, 0));
    if (first.valid() && first == MultipliedBy(context, InputAt(context, node, 1))) return true;
  }
  return false;
}

// No sum, as `node` is one, of two products of one value with weights is in the model: the compiler's rule fails there,
// and builds only without it.
bool IsLoneSum(const GuardContext& context, NodeId node) {
  if (!context.sums_products.has_value()) context.sums_products = SumsProducts(context, context.graph.node(node).op);
  return !*context.sums_products;
}

// Queries, keys and values, an axis of 3, are put in front of everything else.
bool PutsPartsFirst(const GuardContext& context, NodeId node) {
  constexpr size_t kAxes = 5;
  constexpr int64_t kParts = 3;
  const auto perm = Ints(context, node, "perm", 1);
  const Shape& out = ShapeOf(context, context.graph.outputs(node)[0]);
  return perm.has_value() && perm->size() == kAxes && (*perm)[0] > 0 && out.ranked() && out.dim(0).IsConstant(kParts);
}

// What reads it, views looked through, is one product of two values.
bool GoesIntoPair(const GuardContext& context, NodeId node) {
  constexpr int kMostViews = 8;
  ValueId value = context.graph.outputs(node)[0];
  for (int hop = 0; hop < kMostViews; ++hop) {
    const auto uses = context.graph.uses(value);
    if (uses.size() != 1) return false;
    const NodeId reader = uses[0].node;
    if (context.classes[reader] != NodeClass::kView) {
      return context.classes[reader] == NodeClass::kCompute && context.graph.inputs(reader).size() == 2 &&
             !HasTrait(context.graph, reader, trait::kElementwise) && !HasMatrixOfWeights(context, reader);
    }
    value = context.graph.outputs(reader)[0];
  }
  return false;
}

// What a product with weights made, its last axis divided into heads, which are put in front for a product of two.
bool PlacesHeads(const GuardContext& context, NodeId node) {
  constexpr int kMostMakers = 8;
  if (!HasPerm(context, node, {Perm{0, 2, 1, 3}, Perm{0, 2, 3, 1}})) return false;
  if (!GoesIntoPair(context, node)) return false;
  ValueId value = InputAt(context, node, 0);
  for (int hop = 0; hop < kMostMakers && value.valid(); ++hop) {
    const NodeId maker = context.graph.value(value).producer;
    if (!maker.valid() || HasMatrixOfWeights(context, maker)) return maker.valid();
    const ValueId first = InputAt(context, maker, 0), second = InputAt(context, maker, 1);
    const bool is_pair = HasTrait(context.graph, maker, trait::kElementwise) && second.valid();
    if (context.classes[maker] != NodeClass::kView && !is_pair) return false;
    if (is_pair && !IsConst(context, first) && !IsConst(context, second)) return false;
    value = is_pair && IsConst(context, first) ? second : first;
  }
  return false;
}

// What reads it, views looked through, are products with weights.
bool GoesIntoProduct(const GuardContext& context, NodeId node) {
  constexpr size_t kMostReaders = 16;
  std::vector<ValueId> open = {context.graph.outputs(node)[0]};
  for (size_t i = 0; i < open.size(); ++i) {
    const auto uses = context.graph.uses(open[i]);
    if (uses.empty() || open.size() > kMostReaders) return false;
    for (const Use& use : uses) {
      if (context.classes[use.node] == NodeClass::kView && use.input == 0) {
        open.push_back(context.graph.outputs(use.node)[0]);
      } else if (IsReadAtRun(context.graph, context.classes, use) && !HasMatrixOfWeights(context, use.node)) {
        return false;
      }
    }
  }
  return true;
}

// Neither that nor a cache, which is an input of the model or what a Concat makes.
bool PlacesOtherwise(const GuardContext& context, NodeId node) {
  if (PlacesHeads(context, node)) return false;
  NodeId maker = node;
  do {
    const auto inputs = context.graph.inputs(maker);
    maker = inputs.empty() || !inputs[0].valid() ? NodeId() : context.graph.value(inputs[0]).producer;
  } while (maker.valid() && context.classes[maker] == NodeClass::kView);
  return maker.valid() && !HasTrait(context.graph, maker, trait::kJoins);
}

// The two parts of a Split, the second one first, along the axis that it was split at.
bool TurnsAround(const GuardContext& context, NodeId node) {
  const auto parts = context.graph.inputs(node);
  if (parts.size() != 2 || !parts[0].valid()) return false;
  const NodeId split = context.graph.value(parts[0]).producer;
  const Shape& shape = ShapeOf(context, parts[0]);
  if (!split.valid() || context.graph.outputs(split).size() != 2 || !shape.ranked()) return false;
  const auto axis_of = [&](NodeId at) { return IntAttribute(context, at, "axis", 0); };
  return context.graph.outputs(split)[0] == parts[1] && (axis_of(split) - axis_of(node)) % shape.rank() == 0;
}

// Channels that do not fill lanes of 8.
bool IsRagged(const GuardContext& context, ValueId value) {
  constexpr int64_t kLane = 8;
  const Shape& shape = ShapeOf(context, value);
  return shape.ranked() && shape.rank() > 1 && shape.dim(1).is_constant() && shape.dim(1).value() % kLane != 0;
}

// Not the result of a window of weights, which would take a scale in.
bool IsUnweighted(const GuardContext& context, ValueId value) {
  const NodeId maker = value.valid() ? context.graph.value(value).producer : NodeId();
  return !maker.valid() || !HasTrait(context.graph, maker, trait::kWindowOfWeights);
}

// clang-format off
constexpr Guard kGuards[] = {
    {.name = "const", .needed = "a constant", .edit = "make it an initialiser", .value = IsConst},
    {.name = "scalar", .needed = "one element", .edit = "use one factor", .value = IsScalar},
    {.name = "scale", .needed = "one factor per matrix", .edit = "make the last two dims 1", .value = IsScale},
    {.name = "bias", .needed = "a constant vector", .edit = "make it a 1-D initialiser", .value = IsBias},
    {.name = "same_shape", .needed = "operands of one shape", .edit = "expand the smaller operand",
     .node = HasSameShapes},
    {.name = "per_channel", .needed = "a constant per channel", .edit = "make the operand [C, 1, 1]",
     .node = IsPerChannel},
    {.name = "inference", .needed = "inference mode", .edit = "export in eval mode", .node = IsInference},
    {.name = "last_axis", .needed = "the last axis", .edit = "transpose so that the axis is last", .node = IsLastAxis},
    {.name = "last_two", .needed = "a swap of the last two axes", .edit = "swap only the last two axes",
     .node = IsMatrixTranspose},
    {.name = "trailing", .needed = "known trailing axes", .edit = "reduce over the last axes", .node = IsTrailing},
    {.name = "zero_pad", .needed = "known zero padding of the spatial axes", .edit = "pad with constant 0",
     .node = IsZeroPad},
    {.name = "zero_six", .needed = "limits 0 and 6", .edit = "clip to [0, 6]", .node = IsClipZeroSix},
    {.name = "zero_one", .needed = "limits 0 and 1", .edit = "clip to [0, 1]", .node = IsClipZeroOne},
    {.name = "halves", .needed = "a factor of 1/2", .edit = "multiply with 0.5", .node = Halves},
    {.name = "sixths", .needed = "a factor of 1/6", .edit = "divide by 6", .node = TakesSixth},
    {.name = "above_zero", .needed = "the limit 0", .edit = "use Relu", .node = IsAboveZero},
    {.name = "sixth", .needed = "alpha 1/6 and beta 1/2", .edit = "set alpha 1/6 and beta 1/2", .node = IsSixth},
    {.name = "depthwise", .needed = "one input channel per group", .edit = "set group to the number of channels",
     .node = IsDepthwise},
    {.name = "wide", .needed = "several input channels per group", .edit = "use fewer groups", .node = IsWide},
    {.name = "dense", .needed = "steps of 1", .edit = "use strides of 1", .node = IsDense},
    {.name = "pointwise", .needed = "a 1x1 kernel and one group", .edit = "use a 1x1 kernel", .node = IsPointwise},
    {.name = "two_by_two", .needed = "a 2x2 window with stride 2", .edit = "use kernel_shape [2, 2], strides [2, 2]",
     .node = IsTwoByTwo},
    {.name = "strided", .needed = "known steps, one of them above 1", .edit = "take every other element",
     .node = IsStrided},
    {.name = "swaps_channels", .needed = "a swap of channel groups", .edit = "permute [0, 2, 1, 3, 4]",
     .node = SwapsChannels},
    {.name = "moves_blocks", .needed = "blocks of pixels to or from channels", .edit = "permute [0, 1, 3, 5, 2, 4]",
     .node = MovesBlocks},
    {.name = "moves_windows", .needed = "windows before their pixels", .edit = "permute [0, 1, 3, 2, 4, 5]",
     .node = MovesWindows},
    {.name = "of_heads", .needed = "at most five axes", .edit = "transpose positions, heads and their size alone",
     .node = IsOfHeads},
    {.name = "heads_placed", .needed = "heads of a product, put in front", .edit = "permute [0, 2, 1, 3]",
     .node = PlacesHeads},
    {.name = "otherwise_placed", .needed = "neither heads of a product nor a cache", .edit = "none is needed",
     .node = PlacesOtherwise},
    {.name = "into_product", .needed = "products with weights that read it", .edit = "none is needed",
     .node = GoesIntoProduct},
    {.name = "parts_first", .needed = "an axis of 3 that is put in front", .edit = "permute [2, 0, 3, 1, 4]",
     .node = PutsPartsFirst},
    {.name = "one_matrix", .needed = "one matrix for all products", .edit = "add one mask to all heads",
     .value = IsOneMatrix},
    {.name = "turns", .needed = "both parts of one Split, the second first", .edit = "split and join along one axis",
     .node = TurnsAround},
    {.name = "ragged", .needed = "a number of channels that is no multiple of 8", .edit = "none is needed",
     .value = IsRagged},
    {.name = "unweighted", .needed = "no convolution", .edit = "none is needed: the convolution takes it",
     .value = IsUnweighted},
    {.name = "of_two", .needed = "two values", .edit = "none is needed", .node = TakesTwoValues},
    {.name = "no_products", .needed = "a model without sums of two products of one value with weights",
     .edit = "make one product of the two", .node = IsLoneSum},
    {.name = "stays_image", .needed = "channels of an image that are last for a while",
     .edit = "permute [0, 2, 3, 1] behind a convolution, and [0, 3, 1, 2] in front of the next", .node = StaysImage},
    {.name = "keeps_order",
     .needed = "channels of an image that become the last axis, or the last axis that becomes them",
     .edit = "permute [0, 2, 3, 1] behind a convolution, or [0, 3, 1, 2] in front of one", .node = KeepsOrder},
};
// clang-format on

}  // namespace

absl::Span<const Guard> AllGuards() {
  static const std::vector<Guard>& all = *new std::vector<Guard>([] {
    std::vector<Guard> guards(std::begin(kGuards), std::end(kGuards));
    guards.insert(guards.end(), ReadingGuards().begin(), ReadingGuards().end());
    return guards;
  }());
  return all;
}

const Guard* FindGuard(absl::string_view name) {
  for (const Guard& guard : AllGuards()) {
    if (guard.name == name) return &guard;
  }
  return nullptr;
}

bool IsConst(const GuardContext& context, ValueId value) {
  return IsConstantValue(context.graph, context.classes, value);
}

bool EqualsNumber(const GuardContext& context, ValueId value, double number) {
  const Known& known = context.facts.values[value].known;
  if (known == nullptr || known->empty()) return false;
  const double tolerance = ToleranceOf(context, context.facts.values[value].type.elem);
  return std::all_of(known->begin(), known->end(), [&](const Scalar& scalar) {
    return scalar.is_constant() && Near(scalar.number(), number, tolerance);
  });
}

std::string Describe(const GuardContext& context, NodeId node) {
  std::string text(context.graph.op(node));
  for (const Attribute& attribute : context.graph.attributes(node)) {
    if (attribute.kind == AttrKind::kInt) {
      absl::StrAppend(&text, " ", context.graph.str(attribute.name), "=", attribute.i);
    } else if (attribute.kind == AttrKind::kFloat) {
      absl::StrAppend(&text, " ", context.graph.str(attribute.name), "=", attribute.f);
    } else if (attribute.kind == AttrKind::kInts) {
      absl::StrAppend(&text, " ", context.graph.str(attribute.name), "=[", absl::StrJoin(attribute.ints, ", "), "]");
    }
  }
  return text;
}

std::string Describe(const GuardContext& context, ValueId value) {
  const Type& type = context.facts.values[value].type;
  std::string text = absl::StrCat(IsConst(context, value) ? "constant " : "", ElemTypeName(type.elem));
  if (!type.shape.ranked()) return absl::StrCat(text, " of unknown rank");
  absl::StrAppend(&text, " [");
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim dim = type.shape.dim(axis);
    absl::StrAppend(&text, axis == 0 ? "" : ", ", dim.is_constant() ? absl::StrCat(dim.value()) : "?");
  }
  return absl::StrCat(text, "]");
}

}  // namespace hwest
