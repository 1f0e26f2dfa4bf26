// Guards that readings ask for, and the attributes that they change.
#include <algorithm>
#include <iterator>

#include "fuse/guard_helpers.h"
#include "fuse/readings.h"
#include "hwest/type.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {
namespace {

const Type& TypeOf(const GuardContext& context, ValueId value) { return context.facts.values[value].type; }

bool SameShape(const Shape& a, const Shape& b) { return a.known() && b.known() && a == b; }

// The node that makes the value, names of it looked through.
NodeId MakerOf(const GuardContext& context, ValueId value) {
  constexpr int kMaxNames = 16;
  for (int hop = 0; hop < kMaxNames && value.valid(); ++hop) {
    const NodeId node = context.graph.value(value).producer;
    const bool is_name = node.valid() && context.classes[node] == NodeClass::kView &&
                         HasTrait(context.graph, node, trait::kPassesThrough);
    if (!is_name) return node;
    value = InputAt(context, node, 0);
  }
  return NodeId();
}

ValueId FirstOutput(const GuardContext& context, NodeId node) { return context.graph.outputs(node)[0]; }

bool AllElements(const GuardContext& context, ValueId value, double number) {
  const Known& known = context.facts.values[value].known;
  return known != nullptr && !known->empty() && std::all_of(known->begin(), known->end(), [number](const Scalar& s) {
           return s.is_constant() && s.number() == number;
         });
}

bool IsAllOne(const GuardContext& context, ValueId value) { return AllElements(context, value, 1); }
bool IsAllHalf(const GuardContext& context, ValueId value) { return AllElements(context, value, 0.5); }
bool IsAllTwo(const GuardContext& context, ValueId value) { return AllElements(context, value, 2); }
bool IsAllZero(const GuardContext& context, ValueId value) { return AllElements(context, value, 0); }

// The result has the type of the operand that is no constant, beside one whose contents are known.
bool KeepsShape(const GuardContext& context, NodeId node) {
  const auto inputs = context.graph.inputs(node);
  if (std::none_of(inputs.begin(), inputs.end(),
                   [&](ValueId input) { return input.valid() && context.facts.values[input].known != nullptr; })) {
    return false;
  }
  const Type& out = TypeOf(context, FirstOutput(context, node));
  for (const ValueId input : inputs) {
    if (!input.valid() || IsConst(context, input)) continue;
    const Type& type = TypeOf(context, input);
    if (type.elem == out.elem && SameShape(type.shape, out.shape)) return true;
  }
  return false;
}

bool KeepsElements(const GuardContext& context, NodeId node) {
  return SameShape(ShapeOf(context, InputAt(context, node, 0)), ShapeOf(context, FirstOutput(context, node)));
}

// A slice as large as what it is taken of, not backwards.
bool TakesAll(const GuardContext& context, NodeId node) {
  if (!KeepsElements(context, node)) return false;
  if (!InputAt(context, node, 4).valid()) return true;
  const auto steps = Ints(context, node, "steps", 4);
  return steps.has_value() && std::all_of(steps->begin(), steps->end(), [](int64_t step) { return step > 0; });
}

// As large as before, by coordinates that follow the size.
bool KeepsSize(const GuardContext& context, NodeId node) {
  const Attribute* mode = context.graph.FindAttribute(node, "coordinate_transformation_mode");
  return KeepsElements(context, node) && (mode == nullptr || context.graph.str(mode->s) != "tf_crop_and_resize");
}

bool HasOneInput(const GuardContext& context, NodeId node) { return context.graph.inputs(node).size() == 1; }

bool Holds(ElemType wide, ElemType narrow) {
  if (wide == narrow) return true;
  const auto is_signed = [](ElemType type) {
    return type == ElemType::kInt8 || type == ElemType::kInt16 || type == ElemType::kInt32 || type == ElemType::kInt64;
  };
  if (narrow == ElemType::kBool) return IsFloat(wide) || IsInteger(wide);
  if (IsFloat(narrow)) return wide == ElemType::kDouble || (wide == ElemType::kFloat && narrow != ElemType::kDouble);
  if (!IsInteger(narrow) || ElemBits(narrow) > 32) return false;
  if (wide == ElemType::kDouble) return true;
  if (wide == ElemType::kFloat) return ElemBits(narrow) <= 16;
  if (!IsInteger(wide) || (is_signed(narrow) && !is_signed(wide))) return false;
  return ElemBits(wide) > ElemBits(narrow);
}

// A conversion back to the type before one that holds every value of it.
bool Restores(const GuardContext& context, NodeId node) {
  const NodeId before = MakerOf(context, InputAt(context, node, 0));
  if (!before.valid() || context.graph.inputs(before).empty()) return false;
  const ElemType first = TypeOf(context, context.graph.inputs(before)[0]).elem;
  const ElemType between = TypeOf(context, FirstOutput(context, before)).elem;
  return first != ElemType::kUndefined && first == TypeOf(context, FirstOutput(context, node)).elem &&
         Holds(between, first);
}

// Of two conversions one after the other the second alone does.
bool GoesThroughWider(const GuardContext& context, NodeId node) {
  const NodeId before = MakerOf(context, InputAt(context, node, 0));
  if (!before.valid() || context.graph.inputs(before).empty()) return false;
  const ElemType first = TypeOf(context, context.graph.inputs(before)[0]).elem;
  return first != ElemType::kUndefined && Holds(TypeOf(context, FirstOutput(context, before)).elem, first);
}

// Two matrices; only one node reads their product.
bool MultipliesMatrices(const GuardContext& context, NodeId node) {
  const Shape& rows = ShapeOf(context, InputAt(context, node, 0));
  const Shape& columns = ShapeOf(context, InputAt(context, node, 1));
  const ValueId out = FirstOutput(context, node);
  const auto uses = context.graph.uses(out);
  const int64_t reads = std::count_if(uses.begin(), uses.end(),
                                      [&](const Use& use) { return IsReadAtRun(context.graph, context.classes, use); });
  return rows.ranked() && rows.rank() == 2 && columns.ranked() && columns.rank() == 2 && reads == 1 &&
         !context.graph.value(out).is_output;
}

// Axes as the transpose orders them; without the attribute they are reversed.
std::vector<int64_t> PermOf(const GuardContext& context, NodeId node) {
  const Attribute* perm = context.graph.FindAttribute(node, "perm");
  if (perm != nullptr) return perm->ints;
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  std::vector<int64_t> reversed;
  for (int axis = shape.ranked() ? shape.rank() : 0; axis-- > 0;) reversed.push_back(axis);
  return reversed;
}

bool IsPermutation(const std::vector<int64_t>& perm) {
  return std::all_of(perm.begin(), perm.end(),
                     [&](int64_t axis) { return axis >= 0 && axis < static_cast<int64_t>(perm.size()); });
}

bool AreInverse(const std::vector<int64_t>& outer, const std::vector<int64_t>& inner) {
  if (outer.empty() || outer.size() != inner.size() || !IsPermutation(outer)) return false;
  for (size_t axis = 0; axis < outer.size(); ++axis) {
    if (inner[static_cast<size_t>(outer[axis])] != static_cast<int64_t>(axis)) return false;
  }
  return true;
}

bool Cancels(const GuardContext& context, NodeId node) {
  const NodeId before = MakerOf(context, InputAt(context, node, 0));
  return before.valid() && AreInverse(PermOf(context, node), PermOf(context, before));
}

// The transpose before the node that makes the input of this one; none when something else is there.
NodeId TurnBefore(const GuardContext& context, NodeId node) {
  const NodeId between = MakerOf(context, InputAt(context, node, 0));
  return between.valid() ? MakerOf(context, InputAt(context, between, 0)) : NodeId();
}

bool TurnsBack(const GuardContext& context, NodeId node) {
  const NodeId before = TurnBefore(context, node);
  return before.valid() && AreInverse(PermOf(context, node), PermOf(context, before));
}

// Axes that are repeated have one element; Expand takes the counts as its shape then.
bool RepeatsOnes(const GuardContext& context, NodeId node) {
  constexpr int kExpandSince = 8;
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  const auto counts = Ints(context, node, "repeats", 1);
  if (context.graph.node(node).opset < kExpandSince || !shape.ranked() || !counts.has_value() ||
      counts->size() != static_cast<size_t>(shape.rank())) {
    return false;
  }
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if ((*counts)[static_cast<size_t>(axis)] != 1 && !shape.dim(axis).IsConstant(1)) return false;
  }
  return true;
}

// The order of a transpose together with the one before it.
std::optional<std::vector<Attribute>> PermOfBoth(const GuardContext& context, NodeId node) {
  const NodeId before = MakerOf(context, InputAt(context, node, 0));
  const StrId name = context.graph.FindStr("perm");
  if (!before.valid() || !name.valid()) return std::nullopt;
  const std::vector<int64_t> outer = PermOf(context, node), inner = PermOf(context, before);
  if (outer.empty() || outer.size() != inner.size() || !IsPermutation(outer)) return std::nullopt;
  Attribute perm{.name = name, .kind = AttrKind::kInts};
  for (const int64_t axis : outer) perm.ints.push_back(inner[static_cast<size_t>(axis)]);
  return std::vector<Attribute>{std::move(perm)};
}

bool IsOfTranspose(const GuardContext& context, NodeId node) { return PermOfBoth(context, node).has_value(); }

// Axes of other sizes than 1 keep their order.
bool MovesOnes(const GuardContext& context, NodeId node) {
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  const std::vector<int64_t> perm = PermOf(context, node);
  if (!shape.known() || static_cast<int>(perm.size()) != shape.rank() || !IsPermutation(perm)) return false;
  int64_t last = -1;
  for (const int64_t axis : perm) {
    if (shape.dim(static_cast<int>(axis)).IsConstant(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

// Axes of a reduction from the first on, ascending; nullopt when they are not known.
std::optional<std::vector<int64_t>> AxesOf(const GuardContext& context, NodeId node, int rank) {
  auto axes = Ints(context, node, "axes", 1);
  if (!axes.has_value()) return std::nullopt;
  for (int64_t& axis : *axes) axis = axis < 0 ? axis + rank : axis;
  std::sort(axes->begin(), axes->end());
  return axes;
}

std::vector<int64_t> ImageAxes(int rank) {
  std::vector<int64_t> axes;
  for (int axis = 2; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

// An image: batch and channels before two or three axes.
bool IsImage(const Shape& shape) { return shape.ranked() && (shape.rank() == 4 || shape.rank() == 5); }

bool IsOverImage(const GuardContext& context, NodeId node) {
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  return IsImage(shape) && AxesOf(context, node, shape.rank()) == ImageAxes(shape.rank());
}

// Over the spatial axes that a reduction before it left.
bool IsOverRestOfImage(const GuardContext& context, NodeId node) {
  const NodeId before = MakerOf(context, InputAt(context, node, 0));
  if (!before.valid() || context.graph.inputs(before).empty()) return false;
  const Shape& shape = ShapeOf(context, context.graph.inputs(before)[0]);
  const Shape& between = ShapeOf(context, FirstOutput(context, before));
  if (!IsImage(shape) || !between.ranked()) return false;
  auto axes = AxesOf(context, before, shape.rank());
  const auto rest = AxesOf(context, node, between.rank());
  if (!axes.has_value() || !rest.has_value()) return false;
  // Without the axes that are gone the later ones move up.
  std::vector<int64_t> left;
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    const bool gone = std::find(axes->begin(), axes->end(), axis) != axes->end();
    if (!gone || between.rank() == shape.rank()) left.push_back(axis);
  }
  for (const int64_t axis : *rest) {
    if (axis < 0 || axis >= static_cast<int64_t>(left.size())) return false;
    axes->push_back(left[static_cast<size_t>(axis)]);
  }
  std::sort(axes->begin(), axes->end());
  return *axes == ImageAxes(shape.rank());
}

bool AreZero(const GuardContext& context, NodeId node, absl::string_view attribute) {
  const Attribute* values = context.graph.FindAttribute(node, attribute);
  return values == nullptr ||
         std::all_of(values->ints.begin(), values->ints.end(), [](int64_t value) { return value == 0; });
}

// Its pads are those of the attribute, or none.
bool StatesPads(const GuardContext& context, NodeId node) {
  const Attribute* mode = context.graph.FindAttribute(node, "auto_pad");
  if (mode == nullptr) return true;
  const absl::string_view text = context.graph.str(mode->s);
  return text == "NOTSET" || text == "VALID" || text.empty();
}

// The zeros before it count as elements of the window, as those it adds itself would.
bool CountsPads(const GuardContext& context, NodeId node) {
  const bool counts = IntAttribute(context, node, "count_include_pad", 0) != 0;
  return StatesPads(context, node) && IntAttribute(context, node, "ceil_mode", 0) == 0 &&
         (counts || AreZero(context, node, "pads"));
}

// One window that covers the image and nothing beside it.
bool IsWholeImage(const GuardContext& context, NodeId node) {
  const Attribute* kernel = context.graph.FindAttribute(node, "kernel_shape");
  const Attribute* dilations = context.graph.FindAttribute(node, "dilations");
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  if (kernel == nullptr || !IsImage(shape)) return false;
  if (!StatesPads(context, node) || !AreZero(context, node, "pads")) return false;
  if (kernel->ints.size() != static_cast<size_t>(shape.rank() - 2)) return false;
  if (dilations != nullptr &&
      std::any_of(dilations->ints.begin(), dilations->ints.end(), [](int64_t dilation) { return dilation != 1; })) {
    return false;
  }
  for (int axis = 2; axis < shape.rank(); ++axis) {
    if (!shape.dim(axis).IsConstant(kernel->ints[static_cast<size_t>(axis - 2)])) return false;
  }
  // Nobody asks where the largest element was.
  const auto outputs = context.graph.outputs(node);
  return std::none_of(outputs.begin() + 1, outputs.end(),
                      [&](ValueId value) { return value.valid() && context.facts.IsNeeded(value); });
}

// The second operand alone is constant; neither is an integer, which rounds otherwise.
bool IsByConstant(const GuardContext& context, NodeId node) {
  const ValueId by = InputAt(context, node, 1);
  return by.valid() && IsConst(context, by) && !IsConst(context, InputAt(context, node, 0)) &&
         IsFloat(TypeOf(context, by).elem);
}

// A window of one pixel, side by side, all channels to all, that adds nothing around the image.
bool IsOfPixels(const GuardContext& context, NodeId node) {
  const Shape& weights = ShapeOf(context, InputAt(context, node, 1));
  if (!weights.ranked() || weights.rank() < 3 || !IsConst(context, InputAt(context, node, 1))) return false;
  for (int axis = 2; axis < weights.rank(); ++axis) {
    if (!weights.dim(axis).IsConstant(1)) return false;
  }
  const Attribute* strides = context.graph.FindAttribute(node, "strides");
  return StatesPads(context, node) && AreZero(context, node, "pads") && AreZero(context, node, "output_padding") &&
         IntAttribute(context, node, "group", 1) == 1 &&
         (strides == nullptr ||
          std::all_of(strides->ints.begin(), strides->ints.end(), [](int64_t stride) { return stride == 1; })) &&
         context.graph.FindAttribute(node, "output_shape") == nullptr;
}

bool AddsNothing(const GuardContext& context, NodeId pad) {
  const auto pads = PadsOfPad(context, pad);
  return pads.has_value() && std::all_of(pads->begin(), pads->end(), [](int64_t size) { return size == 0; });
}

// Around the spatial axes only.
bool PadsImage(const GuardContext& context, NodeId pad) {
  const auto pads = PadsOfPad(context, pad);
  const Attribute* mode = context.graph.FindAttribute(pad, "mode");
  if (mode != nullptr && context.graph.str(mode->s) != "constant") return false;
  if (!pads.has_value() || pads->size() % 2 != 0 || pads->size() < 6) return false;
  const size_t rank = pads->size() / 2;
  const bool is_batch_free = (*pads)[0] == 0 && (*pads)[1] == 0 && (*pads)[rank] == 0 && (*pads)[rank + 1] == 0;
  return is_batch_free && std::all_of(pads->begin(), pads->end(), [](int64_t pad_size) { return pad_size >= 0; });
}

// What is added is the lowest number.
bool PadsWithLowest(const GuardContext& context, NodeId pad) {
  constexpr double kLowest = -1e30;
  if (!PadsImage(context, pad)) return false;
  const ValueId fill = InputAt(context, pad, 2);
  double number = FloatAttribute(context, pad, "value", 0);
  if (fill.valid()) {
    const Known& known = context.facts.values[fill].known;
    if (known == nullptr || known->size() != 1 || !(*known)[0].is_constant()) return false;
    number = (*known)[0].number();
  }
  return number <= kLowest;
}

// clang-format off
constexpr Guard kReadingGuards[] = {
    {.name = "all_one", .needed = "ones", .edit = "use ones", .value = IsAllOne},
    {.name = "all_half", .needed = "halves", .edit = "use halves", .value = IsAllHalf},
    {.name = "all_two", .needed = "twos", .edit = "use twos", .value = IsAllTwo},
    {.name = "all_zero", .needed = "zeros", .edit = "use zeros", .value = IsAllZero},
    {.name = "keeps_shape", .needed = "a result like its operand", .edit = "use operands that do not broadcast",
     .node = KeepsShape},
    {.name = "keeps_elements", .needed = "a result of the size of its input", .edit = "add no element",
     .node = KeepsElements},
    {.name = "adds_nothing", .needed = "pads of 0", .edit = "leave it out", .node = AddsNothing},
    {.name = "takes_all", .needed = "every element", .edit = "take all of it", .node = TakesAll},
    {.name = "one_input", .needed = "one input", .edit = "join one part", .node = HasOneInput},
    {.name = "restores", .needed = "the type before the conversion before it", .edit = "convert back",
     .node = Restores},
    {.name = "keeps_size", .needed = "the size to stay", .edit = "leave it out", .node = KeepsSize},
    {.name = "through_wider", .needed = "a type between that holds every value", .edit = "convert once",
     .node = GoesThroughWider},
    {.name = "matrices", .needed = "two matrices whose product one node reads", .edit = "use operands of rank 2",
     .node = MultipliesMatrices},
    {.name = "of_transpose", .needed = "known orders of both transposes", .edit = "state both orders",
     .node = IsOfTranspose},
    {.name = "cancels", .needed = "the inverse of the transpose before it", .edit = "permute back", .node = Cancels},
    {.name = "turns_back", .needed = "the inverse of the transpose before the node between", .edit = "permute back",
     .node = TurnsBack},
    {.name = "of_ones", .needed = "axes of size 1 alone to be repeated", .edit = "repeat axes of size 1",
     .node = RepeatsOnes},
    {.name = "moves_ones", .needed = "axes of size 1 alone to change places", .edit = "keep the order of the others",
     .node = MovesOnes},
    {.name = "over_image", .needed = "the spatial axes", .edit = "reduce over the axes from 2 on", .node = IsOverImage},
    {.name = "rest_of_image", .needed = "the spatial axes left", .edit = "reduce over the axes from 2 on",
     .node = IsOverRestOfImage},
    {.name = "whole_image", .needed = "a window as large as the image", .edit = "pool the whole image",
     .node = IsWholeImage},
    {.name = "by_constant", .needed = "a constant second operand", .edit = "make it constant", .node = IsByConstant},
    {.name = "of_pixels", .needed = "a window of one pixel at stride 1, without groups", .edit = "use Conv",
     .node = IsOfPixels},
    {.name = "states_pads", .needed = "pads as an attribute", .edit = "set auto_pad to NOTSET", .node = StatesPads},
    {.name = "counts_pads", .needed = "pads that count", .edit = "set count_include_pad to 1", .node = CountsPads},
    {.name = "lowest_pad", .needed = "the lowest number around the spatial axes", .edit = "pad with -inf",
     .node = PadsWithLowest},
};
// clang-format on

// Of a convolution or pool that does what the Pad before it did. Requires a Pad around the spatial axes, and an
// `auto_pad` that states pads.
std::optional<std::vector<Attribute>> PadsOfBoth(const GuardContext& context, NodeId node) {
  const NodeId pad = MakerOf(context, InputAt(context, node, 0));
  const auto outer = pad.valid() ? PadsOfPad(context, pad) : std::nullopt;
  const StrId name = context.graph.FindStr("pads");
  if (!outer.has_value() || !name.valid()) return std::nullopt;
  const size_t rank = outer->size() / 2, spatial = rank - 2;
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  if (!shape.ranked() || static_cast<size_t>(shape.rank()) != rank) return std::nullopt;
  std::vector<Attribute> attributes;
  Attribute pads{.name = name, .kind = AttrKind::kInts};
  pads.ints.assign(2 * spatial, 0);
  for (const Attribute& attribute : context.graph.attributes(node)) {
    if (context.graph.str(attribute.name) == "auto_pad") continue;
    if (attribute.name != name) {
      attributes.push_back(attribute);
    } else if (attribute.ints.size() == pads.ints.size()) {
      pads.ints = attribute.ints;
    }
  }
  for (size_t axis = 0; axis < spatial; ++axis) {
    pads.ints[axis] += (*outer)[axis + 2];
    pads.ints[axis + spatial] += (*outer)[axis + 2 + rank];
  }
  attributes.push_back(std::move(pads));
  return attributes;
}

// The axis of a softmax over the last one between a transpose and its inverse, before the transposes.
std::optional<std::vector<Attribute>> AxisBeforeTurns(const GuardContext& context, NodeId node) {
  const NodeId before = TurnBefore(context, node);
  const StrId name = context.graph.FindStr("axis");
  const std::vector<int64_t> perm = before.valid() ? PermOf(context, before) : std::vector<int64_t>();
  if (perm.empty() || !name.valid()) return std::nullopt;
  return std::vector<Attribute>{{.name = name, .kind = AttrKind::kInt, .i = perm.back()}};
}

struct ChangedAttribute {
  absl::string_view name;
  std::optional<std::vector<Attribute>> (*find)(const GuardContext& context, NodeId node);
};
constexpr ChangedAttribute kChanged[] = {{"axis", AxisBeforeTurns}, {"pads", PadsOfBoth}, {"perm", PermOfBoth}};

}  // namespace

absl::Span<const Guard> ReadingGuards() { return kReadingGuards; }

std::optional<std::vector<Attribute>> AttributesAsRead(const GuardContext& context, NodeId node,
                                                       absl::string_view attribute) {
  for (const ChangedAttribute& row : kChanged) {
    if (row.name == attribute) return row.find(context, node);
  }
  return std::nullopt;
}

}  // namespace hwest
