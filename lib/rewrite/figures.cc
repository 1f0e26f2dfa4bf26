// Plain figures, and the checks.
#include "rewrite/figures.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "absl/strings/numbers.h"
#include "rewrite/replacement.h"

namespace hwest {
int64_t IntArg(Args args, size_t index, int64_t fallback) {
  int64_t value = 0;
  return index < args.size() && absl::SimpleAtoi(args[index], &value) ? value : fallback;
}

namespace {

double NumberArg(Args args, size_t index, double fallback) {
  double value = 0;
  return index < args.size() && absl::SimpleAtod(args[index], &value) ? value : fallback;
}

// An attribute of a node as a float: $float(node, attribute, default).
Computed FloatFigure(const Site& site, Args args) {
  return Figure::Float(site.FloatOf(site.NodeOf(args[0]), args[1], NumberArg(args, 2, 0)));
}

Computed ScalarFigure(const Site& site, Args args) {
  return Figure::Tensor({site.FloatOf(site.NodeOf(args[0]), args[1], NumberArg(args, 2, 0))}, {});
}

// The one number that a constant holds, as an attribute: $number(value).
Computed NumberFigure(const Site& site, Args args) {
  const auto numbers = site.NumbersOf(site.ValueOf(args[0]));
  if (!numbers.has_value() || numbers->empty()) return std::nullopt;
  for (const double number : *numbers) {
    if (number != (*numbers)[0]) return std::nullopt;
  }
  return Figure::Float((*numbers)[0]);
}

Computed IntFigure(const Site& site, Args args) {
  return Figure::Int(site.IntOf(site.NodeOf(args[0]), args[1], IntArg(args, 2, 0)));
}

// The side of a convolution's square window.
Computed SideFigure(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() != 4) return std::nullopt;
  return Figure::Int((*sizes)[2]);
}

Computed IndexFigure(const Site&, Args args) { return Figure::Int(IntArg(args, 0, 0)); }

constexpr FigureRow kPlainFigures[] = {
    {"side", "the side of a square window: (weights)", SideFigure, "v"},
    {"float", "a float attribute: (node, attribute, default)", FloatFigure, "na?#"},
    {"scalar", "a float attribute as a constant: (node, attribute, default)", ScalarFigure, "na?#"},
    {"int", "an integer attribute: (node, attribute, default)", IntFigure, "na?#"},
    {"number", "the number that a constant holds: (value)", NumberFigure, "v"},
    {"index", "a whole number without axes: (number)", IndexFigure, "#"},
};

// Checks.

bool HasSameTypeAndShape(const Site& site, ValueId a, ValueId b) {
  if (!a.valid() || !b.valid()) return false;
  const Type& left = site.TypeOf(a);
  const Type& right = site.TypeOf(b);
  return left.is_tensor() && right.is_tensor() && left.elem == right.elem && left.shape.known() &&
         left.shape == right.shape;
}

bool IsSame(const Site& site, Args args) {
  return HasSameTypeAndShape(site, site.ValueOf(args[0]), site.ValueOf(args[1]));
}

// Nobody reads outputs of the root past the first.
bool IsAlone(const Site& site, Args) {
  const auto outputs = site.graph().outputs(site.root());
  return std::none_of(outputs.begin() + 1, outputs.end(), [&](ValueId value) {
    return value.valid() && (!site.graph().uses(value).empty() || site.graph().value(value).is_output);
  });
}

bool IsView(const Site& site, Args args) {
  return IsAlone(site, args) && HasSameTypeAndShape(site, site.InputOf(site.root(), 0), site.ValueOf("root"));
}

bool HasRank(const Site& site, Args args) {
  const int rank = site.RankOf(site.ValueOf(args[0]));
  return rank >= IntArg(args, 1, 0) && rank <= IntArg(args, 2, IntArg(args, 1, 0));
}

bool IsFloatMatch(const Site& site, Args) { return HoldsNumbers(site.elem()); }

bool HasInt(const Site& site, Args args) {
  return site.IntOf(site.NodeOf(args[0]), args[1], IntArg(args, 2, 0)) == IntArg(args, 3, 0);
}

bool HasFloat(const Site& site, Args args) {
  const double wanted = NumberArg(args, 3, 0);
  return std::fabs(site.FloatOf(site.NodeOf(args[0]), args[1], NumberArg(args, 2, 0)) - wanted) <=
         1e-6 * std::fabs(wanted);
}

bool IsOneOf(absl::string_view text, std::initializer_list<absl::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// (node, attribute, default, text)
bool HasText(const Site& site, Args args) { return site.TextOf(site.NodeOf(args[0]), args[1], args[2]) == args[3]; }

bool LacksAttribute(const Site& site, Args args) { return !site.HasAttribute(site.NodeOf(args[0]), args[1]); }

bool IsPlainlyPadded(const Site& site, Args args) {
  const std::string mode = site.TextOf(site.NodeOf(args[0]), "auto_pad", "NOTSET");
  return mode == "NOTSET";
}

bool HasOpset(const Site& site, Args args) {
  const int64_t opset = site.opset();
  return opset >= IntArg(args, 0, 0) && opset <= IntArg(args, 1, 1 << 20);
}

// The shape of both together is that of the third: nothing between them has to repeat elements.
bool Broadcasts(const Site& site, Args args) {
  const auto a = site.SizesOf(site.ValueOf(args[0])), b = site.SizesOf(site.ValueOf(args[1])),
             out = site.SizesOf(site.ValueOf(args[2]));
  if (!a.has_value() || !b.has_value() || !out.has_value()) return false;
  const size_t rank = std::max(a->size(), b->size());
  if (rank != out->size()) return false;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t left = i < a->size() ? (*a)[a->size() - 1 - i] : 1;
    const int64_t right = i < b->size() ? (*b)[b->size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) return false;
    if (std::max(left, right) != (*out)[rank - 1 - i]) return false;
  }
  return true;
}

// Every element of a constant is `args[1]`; an operand that is absent has none.
bool HoldsAll(const Site& site, Args args) {
  if (!site.ValueOf(args[0]).valid()) return true;
  const auto numbers = site.NumbersOf(site.ValueOf(args[0]));
  const double wanted = NumberArg(args, 1, 1);
  return numbers.has_value() && !numbers->empty() &&
         std::all_of(numbers->begin(), numbers->end(), [&](double number) { return number == wanted; });
}

bool HoldsNoZero(const Site& site, Args args) {
  const auto numbers = site.NumbersOf(site.ValueOf(args[0]));
  return numbers.has_value() && !numbers->empty() && std::all_of(numbers->begin(), numbers->end(), [](double number) {
           return std::isfinite(number) && std::isfinite(1.0 / number);
         });
}

// Absent, or a constant whose every element is between two numbers or between their negatives.
bool IsSized(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  if (!value.valid()) return true;
  const auto numbers = site.NumbersOf(value);
  const double least = NumberArg(args, 1, 0), most = NumberArg(args, 2, 0);
  return numbers.has_value() && std::all_of(numbers->begin(), numbers->end(), [&](double number) {
           return std::fabs(number) >= least && std::fabs(number) <= most;  // not so for NaN
         });
}

// What callers pass, or a product of matrices: no constant of the model makes it infinite.
bool IsReal(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  if (!value.valid()) return false;
  const Value& entry = site.graph().value(value);
  return (entry.is_input && !entry.is_initializer) || site.IsProduct(value);
}

bool HasNumber(const Site& site, Args args) {
  const auto numbers = site.NumbersOf(site.ValueOf(args[0]));
  return numbers.has_value() && numbers->size() == 1 && (*numbers)[0] >= NumberArg(args, 1, 0) &&
         (*numbers)[0] <= NumberArg(args, 2, NumberArg(args, 1, 0));
}

// The value has as many axes as the match's result and the same sizes.
bool KeepsShape(const Site& site, Args args) {
  const Shape& shape = site.TypeOf(site.ValueOf(args[0])).shape;
  return shape.known() && shape == site.TypeOf(site.ValueOf("root")).shape;
}

// A reduction, that of the match when none is named, over all axes from the third on.
bool ReducesSpace(const Site& site, Args args) {
  const NodeId node = args.empty() ? site.root() : site.NodeOf(args[0]);
  if (!node.valid()) return false;
  const ValueId x = site.InputOf(node, 0);
  auto axes = site.IntsOf(node, "axes", 1);
  const int rank = site.RankOf(x);
  if (!axes.has_value() || rank < 3) return false;
  for (int64_t& axis : *axes) axis += axis < 0 ? rank : 0;
  std::sort(axes->begin(), axes->end());
  if (static_cast<int>(axes->size()) != rank - 2) return false;
  for (int i = 0; i < rank - 2; ++i) {
    if ((*axes)[static_cast<size_t>(i)] != i + 2) return false;
  }
  return true;
}

// The pooling window is all of the image, without padding.
bool PoolsAll(const Site& site, Args) {
  const auto x = site.SizesOf(site.InputOf(site.root(), 0));
  const auto kernel = site.IntsOf(site.root(), "kernel_shape", 99);
  const auto out = site.SizesOf(site.ValueOf("root"));
  const auto pads = site.IntsOf(site.root(), "pads", 99);
  if (!x.has_value() || !kernel.has_value() || !out.has_value() || x->size() != kernel->size() + 2) return false;
  if (pads.has_value() && std::any_of(pads->begin(), pads->end(), [](int64_t pad) { return pad != 0; })) return false;
  if (site.TextOf(site.root(), "auto_pad", "NOTSET") != "NOTSET") return false;
  return std::equal(kernel->begin(), kernel->end(), x->begin() + 2) &&
         std::all_of(out->begin() + 2, out->end(), [](int64_t size) { return size == 1; });
}

// A convolution whose windows lie side by side and cover the image.
bool HasPatches(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const auto x = site.SizesOf(site.InputOf(node, 0)), w = site.SizesOf(site.InputOf(node, 1));
  const auto strides = site.IntsOf(node, "strides", 99), pads = site.IntsOf(node, "pads", 99),
             dilations = site.IntsOf(node, "dilations", 99);
  if (!x.has_value() || !w.has_value() || x->size() != 4 || w->size() != 4 || !strides.has_value()) return false;
  const int64_t side = (*w)[2];
  const auto is = [](int64_t wanted) { return [wanted](int64_t value) { return value == wanted; }; };
  return side >= 2 && (*w)[3] == side && *strides == std::vector<int64_t>{side, side} &&
         (!pads.has_value() || std::all_of(pads->begin(), pads->end(), is(0))) &&
         (!dilations.has_value() || std::all_of(dilations->begin(), dilations->end(), is(1))) &&
         site.IntOf(node, "group", 1) == 1 && (*x)[2] % side == 0 && (*x)[3] % side == 0 &&
         site.TextOf(node, "auto_pad", "NOTSET") == "NOTSET";
}

// The constant has the sizes that a reduction goes over: (constant, reduction).
bool Spans(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  const NodeId reduction = site.NodeOf(args[1]);
  if (!sizes.has_value() || !reduction.valid()) return false;
  const auto axes = site.IntsOf(reduction, "axes", 1);
  const Shape& shape = site.TypeOf(site.InputOf(reduction, 0)).shape;
  if (!axes.has_value() || axes->size() != sizes->size() || !shape.ranked()) return false;
  const int rank = shape.rank();
  for (int i = 0; i < static_cast<int>(sizes->size()); ++i) {
    const int axis = rank - static_cast<int>(sizes->size()) + i;
    if (axis < 0 || !shape.dim(axis).IsConstant((*sizes)[static_cast<size_t>(i)])) return false;
  }
  return true;
}

// Absent, or of one axis with more than one element.
bool IsVector(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  if (!value.valid()) return true;
  const auto sizes = site.SizesOf(value);
  const auto out = site.SizesOf(site.ValueOf("root"));
  return sizes.has_value() && sizes->size() == 1 && out.has_value() && !out->empty() && (*sizes)[0] == out->back();
}

bool HasElem(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  return value.valid() && ElemTypeName(site.TypeOf(value).elem) == args[1];
}

// A Resize that takes the same elements with another transformation of coordinates, asymmetric or half_pixel, given its
// sizes.
bool ResizesAlike(const Site& site, Args args) {
  const NodeId node = site.root();
  const auto from = site.SizesOf(site.InputOf(node, 0)), to = site.SizesOf(site.ValueOf("root"));
  if (!from.has_value() || !to.has_value() || from->size() != to->size() || !ResizesAsAWhole(site)) return false;
  for (size_t axis = 0; axis < from->size(); ++axis) {
    if ((*to)[axis] <= 1 && (*from)[axis] != (*to)[axis]) return false;
  }
  const std::string mode = site.TextOf(node, "mode", "nearest"),
                    coordinates = site.TextOf(node, "coordinate_transformation_mode", "half_pixel"),
                    nearest = site.TextOf(node, "nearest_mode", "round_prefer_floor");
  if (IsOneOf(mode, {"linear", "cubic"})) return coordinates == "pytorch_half_pixel" && args[0] == "half_pixel";
  const bool is_asymmetric = coordinates == "asymmetric",
             is_ceil = coordinates == "half_pixel" && nearest == "round_prefer_ceil";
  return ResizesInBlocks(site) && !(args[0] == "asymmetric" ? is_asymmetric : is_ceil);
}

// Two values agree on all axes but the last two.
bool HasSameBatch(const Site& site, Args args) {
  const auto a = site.SizesOf(site.ValueOf(args[0])), b = site.SizesOf(site.ValueOf(args[1]));
  return a.has_value() && b.has_value() && a->size() == b->size() && a->size() > 2 &&
         std::equal(a->begin(), a->end() - 2, b->begin());
}

// Every node of the match that reduces as the named one does goes over the same axes, which stay as axes of size 1.
bool HasSameAxes(const Site& site, Args args) {
  const NodeId named = site.NodeOf(args[0]);
  if (!named.valid()) return false;
  const auto axes_of = [&](NodeId node) {
    auto axes = site.IntsOf(node, "axes", 1);
    const int rank = site.RankOf(site.InputOf(node, 0));
    if (!axes.has_value() || rank < 0) return std::optional<std::vector<int64_t>>();
    for (int64_t& axis : *axes) axis += axis < 0 ? rank : 0;
    std::sort(axes->begin(), axes->end());
    return axes;
  };
  const auto wanted = axes_of(named);
  return wanted.has_value() &&
         std::all_of(site.place().match.nodes.begin(), site.place().match.nodes.end(), [&](NodeId node) {
           if (site.graph().node(node).op != site.graph().node(named).op) return true;
           return site.IntOf(node, "keepdims", 1) == 1 && axes_of(node) == wanted;
         });
}

// One number for each channel of the other value: [C, 1, ..], with or without an axis of size 1 in front.
bool HasChannels(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0])), x = site.SizesOf(site.ValueOf(args[1]));
  if (!sizes.has_value() || !x.has_value() || x->size() < 3 || sizes->size() + 1 < x->size() ||
      sizes->size() > x->size()) {
    return false;
  }
  for (size_t i = 0; i < sizes->size(); ++i) {
    const size_t axis = x->size() - sizes->size() + i;
    if ((*sizes)[i] != (axis == 1 ? (*x)[1] : 1)) return false;
  }
  return true;
}

// The first value is the second with its channels in groups, and the result has the shape of the second.
bool IsGrouped(const Site& site, Args args) {
  const auto groups = site.SizesOf(site.ValueOf(args[0])), x = site.SizesOf(site.ValueOf(args[1]));
  if (!groups.has_value() || !x.has_value() || groups->size() < 3 || x->size() < 3) return false;
  if (site.SizesOf(site.ValueOf("root")) != *x || (*groups)[0] != (*x)[0]) return false;
  const auto all = Product(*x);
  return all.has_value() && *all > 0 && Product(*groups) == all && (*groups)[1] > 0 && (*x)[1] % (*groups)[1] == 0;
}

// The replacement can be written.
bool Composes(const Site& site, Args) { return !site.place().rule->compose(site).empty(); }

bool Varies(const Site& site, Args args) { return !IsConst(site.guards(), site.ValueOf(args[0])); }

// The axis that the match takes elements of has no more than 32 bits can tell apart.
bool IndexesNarrowly(const Site& site, Args) {
  constexpr int64_t kMost = int64_t{1} << 31;
  const Shape& shape = site.TypeOf(site.InputOf(site.root(), 0)).shape;
  if (!shape.ranked()) return false;
  int64_t axis = site.IntOf(site.root(), "axis", 0);
  axis += axis < 0 ? shape.rank() : 0;
  if (axis < 0 || axis >= shape.rank() || !shape.dim(static_cast<int>(axis)).is_constant()) return false;
  return shape.dim(static_cast<int>(axis)).value() <= kMost;
}

bool IsAnyConstant(const Site& site, Args args) { return site.IsConstant(site.ValueOf(args[0])); }

constexpr CheckRow kChecks[] = {
    {"same", "two values have one type and shape", IsSame, "vv"},
    {"view", "the output is the input", IsView, ""},
    {"alone", "nobody reads further outputs of the match", IsAlone, ""},
    {"rank", "the value has that rank, or one between two", HasRank, "v#?#"},
    {"floats", "the match results in float, float16 or bfloat16", IsFloatMatch, ""},
    {"int_is", "an integer attribute: (node, attribute, default, value)", HasInt, "na##"},
    {"float_is", "a float attribute: (node, attribute, default, value)", HasFloat, "na##"},
    {"text_is", "a text attribute: (node, attribute, default, value)", HasText, "natt"},
    {"lacks", "the node has no such attribute", LacksAttribute, "na"},
    {"explicit_pads", "padding is stated in numbers", IsPlainlyPadded, "n"},
    {"opset", "the operator set is that one or later, or between two", HasOpset, "#?#"},
    {"broadcasts", "two values together have the shape of the third", Broadcasts, "vvv"},
    {"all", "every element of a constant, where there is one, is that number", HoldsAll, "o#"},
    {"no_zero", "no element of a constant is 0", HoldsNoZero, "v"},
    {"sized", "absent, or every element of a constant within limits, of either sign: (value, least, most)", IsSized,
     "o##"},
    {"real", "an input of the model, or a product of matrices", IsReal},
    {"between", "a constant of one number within limits", HasNumber, "v#?#"},
    {"keeps_shape", "the value has the shape of the result", KeepsShape, "v"},
    {"reduces_space", "the reduction is over all axes from the third on", ReducesSpace},
    {"pools_all", "the window is the whole image", PoolsAll},
    {"spans", "the constant has the sizes that a reduction goes over", Spans, "vn"},
    {"vector", "absent, or one number for each column of the result", IsVector, "o"},
    {"same_batch", "two values agree on all axes but the last two", HasSameBatch, "vv"},
    {"constant", "a constant of the file, whatever its size", IsAnyConstant, "v"},
    {"elem", "a value has elements of that type", HasElem, "vt"},
    {"resizes_alike", "a Resize takes the same elements by other coordinates", ResizesAlike},
    {"same_axes", "reductions of the match go over the axes of the named one", HasSameAxes, "n"},
    {"channels", "one number for each channel of a value: (constant, value)", HasChannels, "vv"},
    {"grouped", "a value with its channels in groups: (groups, value)", IsGrouped},
    {"composes", "the replacement can be written", Composes},
    {"varies", "the value is no constant", Varies, "v"},
    {"narrow", "integers of a constant fit in 32 bits", IsNarrow},
    {"indexes_narrowly", "indices into the axis fit in 32 bits", IndexesNarrowly},
    {"patches", "windows lie side by side and cover the image", HasPatches},
};

template <class Row>
const Row* Find(absl::Span<const Row> rows, absl::string_view name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

// Whether what the rule of a user names is there. Rules of the table ask only where they have looked.
bool HasOperands(const Site& site, const Call& call, absl::string_view takes) {
  if (site.place().rule->parsed == nullptr) return true;
  size_t i = 0;
  for (const char kind : takes) {
    if (kind == '?') continue;
    if (i == call.args.size()) break;
    const std::string& arg = call.args[i++];
    if (kind == 'v' && !site.ValueOf(arg).valid()) return false;
    if (kind == 'n' && !site.NodeOf(arg).valid()) return false;
  }
  return true;
}

}  // namespace

bool ResizesAsAWhole(const Site& site) {
  return site.IntOf(site.root(), "antialias", 0) == 0 &&
         site.TextOf(site.root(), "keep_aspect_ratio_policy", "stretch") == "stretch";
}

bool ResizesInBlocks(const Site& site) {
  const NodeId node = site.root();
  const auto from = site.SizesOf(site.InputOf(node, 0)), to = site.SizesOf(site.ValueOf("root"));
  const std::string coordinates = site.TextOf(node, "coordinate_transformation_mode", "half_pixel"),
                    nearest = site.TextOf(node, "nearest_mode", "round_prefer_floor");
  const bool is_half = IsOneOf(coordinates, {"half_pixel", "pytorch_half_pixel"}) &&
                       IsOneOf(nearest, {"round_prefer_floor", "round_prefer_ceil"});
  const bool is_asymmetric = coordinates == "asymmetric" && nearest == "floor";
  if (!from.has_value() || !to.has_value() || from->size() != to->size() || !ResizesAsAWhole(site)) return false;
  if (site.TextOf(node, "mode", "nearest") != "nearest" || (!is_half && !is_asymmetric)) return false;
  for (size_t axis = 0; axis < from->size(); ++axis) {
    if ((*from)[axis] < 1 || (*to)[axis] < 1 || (*to)[axis] % (*from)[axis] != 0) return false;
  }
  const ValueId scales = site.InputOf(node, 2);
  if (!scales.valid() || site.SizesOf(scales) == std::vector<int64_t>{0}) return true;
  const auto numbers = site.NumbersOf(scales);
  return numbers.has_value() && std::all_of(numbers->begin(), numbers->end(),
                                            [](double scale) { return scale >= 1 && scale == std::floor(scale); });
}

absl::Span<const FigureRow> PlainFigures() { return kPlainFigures; }
absl::Span<const CheckRow> AllChecks() { return kChecks; }

std::vector<const FigureRow*> RewriteFigures() {
  std::vector<const FigureRow*> all;
  for (const auto& rows :
       {PlainFigures(), LayoutFigures(), ConstantFigures(), ImageFigures(), BlockFigures(), IntegerFigures()}) {
    for (const FigureRow& row : rows) all.push_back(&row);
  }
  return all;
}

const FigureRow* FindFigure(absl::string_view name) {
  for (const auto& rows :
       {PlainFigures(), LayoutFigures(), ConstantFigures(), ImageFigures(), BlockFigures(), IntegerFigures()}) {
    if (const FigureRow* row = Find(rows, name)) return row;
  }
  return nullptr;
}

Computed ComputeFigure(const Site& site, const Call& call) {
  const FigureRow* row = FindFigure(call.name);
  return HasOperands(site, call, row->takes) ? row->compute(site, call.args) : std::nullopt;
}

bool CheckHolds(const Site& site, const Call& call) {
  const CheckRow* row = FindCheck(call.name);
  return HasOperands(site, call, row->takes) && row->holds(site, call.args);
}

const CheckRow* FindCheck(absl::string_view name) { return Find(AllChecks(), name); }

}  // namespace hwest
