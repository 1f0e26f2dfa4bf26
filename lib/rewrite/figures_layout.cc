// Axes, permutations and sizes.
#include <algorithm>
#include <map>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "base/checked_math.h"
#include "fuse/guard_helpers.h"
#include "rewrite/figures.h"

namespace hwest {
namespace {

using Ints = std::vector<int64_t>;

constexpr int64_t kMostBlock = 1 << 15;  // so that its square fits
constexpr int64_t kMostSize = 1 << 20;   // of an axis that blocks are moved along

// The shape of a value as a target of Reshape: at most one size that is not known, which becomes -1.
Computed Sizes(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  if (!value.valid() || !site.TypeOf(value).shape.ranked()) return std::nullopt;
  Ints sizes;
  int unknown = 0;
  for (const Dim dim : site.TypeOf(value).shape.dims()) {
    if (!dim.is_constant() && ++unknown > 1) return std::nullopt;
    if (dim.IsConstant(0)) return std::nullopt;
    sizes.push_back(dim.is_constant() ? dim.value() : -1);
  }
  return Figure::Ints(std::move(sizes));
}

std::optional<Ints> PermOf(const Site& site, NodeId node) {
  if (!node.valid()) return std::nullopt;
  const auto perm = site.IntsOf(node, "perm", 99);
  if (perm.has_value()) return perm;
  const int rank = site.RankOf(site.InputOf(node, 0));
  if (rank < 0) return std::nullopt;
  Ints reversed(static_cast<size_t>(rank));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return reversed;
}

bool IsPerm(const Ints& perm) {
  Ints sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// Two transposes one after the other: (first, second).
Computed BothPerms(const Site& site, Args args) {
  const auto first = PermOf(site, site.NodeOf(args[0])), second = PermOf(site, site.NodeOf(args[1]));
  if (!first.has_value() || !second.has_value() || first->size() != second->size()) return std::nullopt;
  if (!IsPerm(*first) || !IsPerm(*second)) return std::nullopt;
  Ints both;
  for (const int64_t axis : *second) both.push_back((*first)[static_cast<size_t>(axis)]);
  return Figure::Ints(std::move(both));
}

// The permutation that swaps the axis of a node with the last one; none when it is the last.
Computed SwapWithLast(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const int rank = site.RankOf(site.InputOf(node, 0));
  if (rank < 2) return std::nullopt;
  int64_t axis = site.IntOf(node, "axis", -1);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank - 1) return std::nullopt;
  Ints perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[static_cast<size_t>(axis)], perm.back());
  return Figure::Ints(std::move(perm));
}

// Axes from that of a normalisation to the last, counted from the end: (node, default).
Computed TrailingAxes(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const int rank = site.RankOf(site.InputOf(node, 0));
  int64_t axis = site.IntOf(node, "axis", IntArg(args, 1, -1));
  if (axis >= 0 && rank < 0) return std::nullopt;
  axis -= axis >= 0 ? rank : 0;
  if (axis >= 0 || (rank >= 0 && axis < -rank)) return std::nullopt;
  Ints axes;
  for (; axis < 0; ++axis) axes.push_back(axis);
  return Figure::Ints(std::move(axes));
}

// The first of the axes that a reduction goes over, which are the last ones, counted from the end.
Computed FirstAxis(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  if (!node.valid()) return std::nullopt;
  const auto axes = site.IntsOf(node, "axes", 1);
  if (!axes.has_value() || axes->empty()) return std::nullopt;
  return Figure::Int(-static_cast<int64_t>(axes->size()));
}

// All axes from the third on.
Computed SpatialAxes(const Site& site, Args args) {
  const int rank = site.RankOf(site.ValueOf(args[0]));
  if (rank < 3) return std::nullopt;
  Ints axes(static_cast<size_t>(rank - 2));
  std::iota(axes.begin(), axes.end(), 2);
  return Figure::Ints(std::move(axes));
}

// The sizes of the axes from the third on, as a pooling window.
Computed SpatialSizes(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() < 3) return std::nullopt;
  return Figure::Ints(Ints(sizes->begin() + 2, sizes->end()));
}

// Axes of a reduction.
Computed AxesOf(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const auto axes = site.IntsOf(node, "axes", 1);
  if (!axes.has_value() || axes->empty()) return std::nullopt;
  return Figure::Ints(*axes);
}

// How many elements one result of a reduction is made of, as a constant.
Computed CountOf(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const auto axes = site.IntsOf(node, "axes", 1);
  const auto sizes = site.SizesOf(site.InputOf(node, 0));
  if (!axes.has_value() || axes->empty() || !sizes.has_value()) return std::nullopt;
  double count = 1;
  for (int64_t axis : *axes) {
    axis += axis < 0 ? static_cast<int64_t>(sizes->size()) : 0;
    if (axis < 0 || axis >= static_cast<int64_t>(sizes->size())) return std::nullopt;
    count *= static_cast<double>((*sizes)[static_cast<size_t>(axis)]);
  }
  return Figure::Tensor({count}, {});
}

// Gather of neighbours: starts (0), ends (1) or the axis (2).
Computed GatherAsSlice(const Site& site, Args args) {
  const ValueId indices = site.InputOf(site.root(), 1);
  const auto at = site.NumbersOf(indices);
  const auto sizes = site.SizesOf(indices);
  const int rank = site.RankOf(site.InputOf(site.root(), 0));
  if (!at.has_value() || at->empty() || !sizes.has_value() || sizes->size() > 1 || rank < 0) return std::nullopt;
  for (size_t i = 1; i < at->size(); ++i) {
    if ((*at)[i] != (*at)[0] + static_cast<double>(i)) return std::nullopt;
  }
  if ((*at)[0] < 0 && at->back() >= 0) return std::nullopt;
  int64_t axis = site.IntOf(site.root(), "axis", 0);
  axis += axis < 0 ? rank : 0;
  switch (IntArg(args, 0, 0)) {
    case 0: return Figure::Ints({static_cast<int64_t>((*at)[0])});
    case 1:  // the element before the first from the end has no end to name but the largest
      return Figure::Ints({at->back() == -1 ? int64_t{1} << 31 : static_cast<int64_t>(at->back()) + 1});
    default: return Figure::Ints({axis});
  }
}

// Pads of a convolution, or a pooling, with those of the Pad before it: (pad, node).
Computed PadsWith(const Site& site, Args args) {
  const NodeId pad = site.NodeOf(args[0]), node = site.NodeOf(args[1]);
  const auto outer = PadsOfPad(site.guards(), pad);
  const int rank = site.RankOf(site.InputOf(pad, 0));
  if (!outer.has_value() || rank < 3) return std::nullopt;
  if (static_cast<int>(outer->size()) != 2 * rank) return std::nullopt;
  const auto spatial = static_cast<size_t>(rank - 2);
  Ints pads = site.IntsOf(node, "pads", 99).value_or(Ints(2 * spatial));
  if (pads.size() != 2 * spatial) return std::nullopt;
  for (size_t i = 0; i < spatial; ++i) {
    pads[i] += (*outer)[i + 2];
    pads[i + spatial] += (*outer)[i + 4 + spatial];
  }
  return Figure::Ints(std::move(pads));
}

// An attribute of a node on one axis more in front: (node, attribute, value there, value without the attribute).
Computed WithFront(const Site& site, Args args) {
  const int64_t front = IntArg(args, 2, 1);
  Ints ints = site.IntsOf(site.NodeOf(args[0]), args[1], 99).value_or(Ints{IntArg(args, 3, 1)});
  ints.insert(ints.begin(), front);
  return Figure::Ints(std::move(ints));
}

Computed PadsWithFront(const Site& site, Args args) {
  const Ints pads = site.IntsOf(site.NodeOf(args[0]), "pads", 99).value_or(Ints{0, 0});
  if (pads.size() != 2) return std::nullopt;
  return Figure::Ints({0, pads[0], 0, pads[1]});
}

// The window of weights [M, C, k] on two axes.
Computed KernelWithFront(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() != 3) return std::nullopt;
  return Figure::Ints({1, (*sizes)[2]});
}

// Block of SpaceToDepth and DepthToSpace: their Reshape before (0), Transpose (1).
Computed BlocksOfSpace(const Site& site, Args args) {
  const auto x = site.SizesOf(site.InputOf(site.root(), 0));
  const int64_t block = site.IntOf(site.root(), "blocksize", 0);
  if (!x.has_value() || x->size() != 4 || block < 1 || block > kMostBlock) return std::nullopt;
  if ((*x)[2] % block != 0 || (*x)[3] % block != 0) return std::nullopt;
  if (IntArg(args, 0, 0) == 1) return Figure::Ints({0, 3, 5, 1, 2, 4});
  return Figure::Ints({(*x)[0], (*x)[1], (*x)[2] / block, block, (*x)[3] / block, block});
}

Computed BlocksOfDepth(const Site& site, Args args) {
  const auto x = site.SizesOf(site.InputOf(site.root(), 0));
  const int64_t block = site.IntOf(site.root(), "blocksize", 0);
  if (!x.has_value() || x->size() != 4 || block < 1 || block > kMostBlock || (*x)[1] % (block * block) != 0)
    return std::nullopt;
  const int64_t depth = (*x)[1] / (block * block);
  const bool columns_first = site.TextOf(site.root(), "mode", "DCR") == "CRD";
  if (IntArg(args, 0, 0) == 1) {
    return Figure::Ints(columns_first ? Ints{0, 1, 4, 2, 5, 3} : Ints{0, 3, 4, 1, 5, 2});
  }
  return Figure::Ints(columns_first ? Ints{(*x)[0], depth, block, block, (*x)[2], (*x)[3]}
                                    : Ints{(*x)[0], block, block, depth, (*x)[2], (*x)[3]});
}

// Reshape, Transpose, Reshape that move blocks: (transpose, "space" or "depth", perm that has to be there). The block.
Computed BlockOf(const Site& site, Args args) {
  const NodeId transpose = site.NodeOf(args[0]);
  const auto perm = PermOf(site, transpose);
  const auto x = site.SizesOf(site.ValueOf("x")), parts = site.SizesOf(site.InputOf(transpose, 0)),
             out = site.SizesOf(site.ValueOf("root"));
  if (!perm.has_value() || !x.has_value() || !parts.has_value() || !out.has_value()) return std::nullopt;
  if (x->size() != 4 || parts->size() != 6 || out->size() != 4 || (*x)[0] != (*parts)[0]) return std::nullopt;
  const Ints& p = *parts;
  if (std::any_of(p.begin(), p.end(), [](int64_t size) { return size > kMostSize; })) return std::nullopt;
  int64_t block = 0;
  if (args[1] == "space" && *perm == Ints{0, 3, 5, 1, 2, 4} && p[3] == p[5] && p[1] == (*x)[1]) {
    block = p[3];
    const Ints wanted{p[0], p[1] * block * block, p[2], p[4]};
    if (p[2] * block != (*x)[2] || p[4] * block != (*x)[3] || *out != wanted) return std::nullopt;
  } else if (args[1] == "columns" && *perm == Ints{0, 1, 4, 2, 5, 3} && p[2] == p[3]) {
    block = p[2];
    const Ints wanted{p[0], p[1], p[4] * block, p[5] * block};
    if (p[4] != (*x)[2] || p[5] != (*x)[3] || *out != wanted) return std::nullopt;
  } else if (args[1] == "depth" && *perm == Ints{0, 3, 4, 1, 5, 2} && p[1] == p[2]) {
    block = p[1];
    const Ints wanted{p[0], p[3], p[4] * block, p[5] * block};
    if (p[4] != (*x)[2] || p[5] != (*x)[3] || *out != wanted) return std::nullopt;
  } else {
    return std::nullopt;
  }
  return Figure::Int(block);
}

// Leading axes as one: the shape [B, m, n] of the value.
Computed AsThreeAxes(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() < 4) return std::nullopt;
  const auto batch = Product(absl::MakeConstSpan(*sizes).first(sizes->size() - 2));
  if (!batch.has_value()) return std::nullopt;
  return Figure::Ints({*batch, (*sizes)[sizes->size() - 2], sizes->back()});
}

Computed AsMatrix(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() < 3) return std::nullopt;
  const auto rows = Product(absl::MakeConstSpan(*sizes).first(sizes->size() - 1));
  if (!rows.has_value()) return std::nullopt;
  return Figure::Ints({*rows, sizes->back()});
}

// The shape of a value with further axes of size 1: (value, how many at the end).
Computed WithOnes(const Site& site, Args args) {
  auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value()) return std::nullopt;
  sizes->insert(sizes->end(), static_cast<size_t>(IntArg(args, 1, 1)), 1);
  return Figure::Ints(*std::move(sizes));
}

// Weights [M, C, k, k] as [M, C k k, 1, 1].
Computed PatchSizes(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() != 4) return std::nullopt;
  const auto window = Product(absl::MakeConstSpan(*sizes).subspan(1));
  if (!window.has_value()) return std::nullopt;
  return Figure::Ints({(*sizes)[0], *window, 1, 1});
}

// [N, groups, rest] of GroupNormalization's input.
Computed AsGroups(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.InputOf(site.root(), 0));
  const int64_t groups = site.IntOf(site.root(), args[0], 0);
  if (!sizes.has_value() || sizes->size() < 3 || groups < 1 || (*sizes)[1] % groups != 0) return std::nullopt;
  return Figure::Ints({(*sizes)[0], groups, -1});
}

// Groups of channels that a value is split into: (value).
Computed GroupsOf(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() < 3) return std::nullopt;
  return Figure::Int((*sizes)[1]);
}

// Copies along each axis that make the root's input its output.
Computed Repeats(const Site& site, Args) {
  const auto from = site.SizesOf(site.InputOf(site.root(), 0)), to = site.SizesOf(site.ValueOf("root"));
  if (!from.has_value() || !to.has_value() || from->size() != to->size()) return std::nullopt;
  Ints repeats;
  for (size_t i = 0; i < from->size(); ++i) {
    if ((*from)[i] == 0 || (*to)[i] % (*from)[i] != 0) return std::nullopt;
    repeats.push_back((*to)[i] / (*from)[i]);
  }
  return Figure::Ints(std::move(repeats));
}

struct Equation {
  std::string left, right, out;
};

std::optional<Equation> EquationOf(const Site& site) {
  std::string text = site.TextOf(site.root(), "equation", "");
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::vector<std::string> sides = absl::StrSplit(text, "->");
  if (sides.size() != 2) return std::nullopt;
  const std::vector<std::string> terms = absl::StrSplit(sides[0], ',');
  if (terms.size() != 2) return std::nullopt;
  const Equation equation{terms[0], terms[1], sides[1]};
  for (const std::string* term : {&equation.left, &equation.right, &equation.out}) {
    for (const char c : *term) {
      if (!absl::ascii_isalpha(static_cast<unsigned char>(c)) || std::count(term->begin(), term->end(), c) != 1) {
        return std::nullopt;
      }
    }
  }
  return equation;
}

bool Has(const std::string& labels, char c) { return labels.find(c) != std::string::npos; }

Ints PermTo(const std::string& from, const std::string& to) {
  Ints perm;
  for (const char c : to) perm.push_back(static_cast<int64_t>(from.find(c)));
  return perm;
}

// An Einsum of two operands as a matrix product: how the left one (0), the right one (1) and the product (2) are
// permuted. One label each for rows, columns and the sum; the others are common to all three.
Computed EinsumPerm(const Site& site, Args args) {
  const auto equation = EquationOf(site);
  if (!equation.has_value()) return std::nullopt;
  std::string batch, rows, columns, sum;
  for (const char c : equation->left) {
    (Has(equation->right, c) ? (Has(equation->out, c) ? batch : sum) : rows).push_back(c);
  }
  for (const char c : equation->right) {
    if (!Has(equation->left, c)) columns.push_back(c);
  }
  if (rows.size() != 1 || columns.size() != 1 || sum.size() != 1) return std::nullopt;
  const std::string product = batch + rows + columns;
  if (equation->out.size() != product.size() || !Has(equation->out, rows[0]) || !Has(equation->out, columns[0])) {
    return std::nullopt;
  }
  switch (IntArg(args, 0, 0)) {
    case 0: return Figure::Ints(PermTo(equation->left, batch + rows + sum));
    case 1: return Figure::Ints(PermTo(equation->right, batch + sum + columns));
    default: return Figure::Ints(PermTo(product, equation->out));
  }
}

// A window split into two, one after the other: (0) the first, (1) the second.
Computed SplitWindow(const Site& site, Args args) {
  const auto kernel = site.IntsOf(site.root(), "kernel_shape", 99);
  const auto strides = site.IntsOf(site.root(), "strides", 99);
  const auto pads = site.IntsOf(site.root(), "pads", 99);
  const auto x = site.SizesOf(site.InputOf(site.root(), 0));
  if (!kernel.has_value() || kernel->size() != 2 || !strides.has_value() || *strides != *kernel) return std::nullopt;
  if (pads.has_value() && std::any_of(pads->begin(), pads->end(), [](int64_t pad) { return pad != 0; })) {
    return std::nullopt;
  }
  if (!x.has_value() || x->size() != 4) return std::nullopt;
  Ints windows;
  bool is_split = false;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t size = (*kernel)[axis];
    if (size < 1 || (*x)[axis + 2] % size != 0) return std::nullopt;
    int64_t part = 1;
    for (int64_t divisor = 2; divisor <= size / divisor && divisor < kMostBlock; ++divisor) {
      if (size % divisor == 0) part = divisor;
    }
    is_split |= part > 1;
    windows.push_back(IntArg(args, 0, 0) == 0 ? size / part : part);
  }
  return is_split ? Computed(Figure::Ints(std::move(windows))) : std::nullopt;
}

// Starts, ends and the like of a flattening Reshape: whether it keeps the first axis and makes the rest one.
Computed FlattenAxis(const Site& site, Args) {
  const auto from = site.SizesOf(site.InputOf(site.root(), 0)), to = site.SizesOf(site.ValueOf("root"));
  if (!from.has_value() || !to.has_value() || to->size() != 2 || from->size() < 3 || (*from)[0] != (*to)[0]) {
    return std::nullopt;
  }
  return Figure::Int(1);
}

constexpr FigureRow kLayoutFigures[] = {
    {"sizes", "the shape of a value", Sizes, "v"},
    {"both_perms", "two permutations one after the other", BothPerms, "nn"},
    {"swap_with_last", "the permutation of a node's axis and the last one", SwapWithLast},
    {"trailing_axes", "axes from that of the node to the last", TrailingAxes, "n?#"},
    {"first_axis", "the first of the last axes that a reduction goes over", FirstAxis},
    {"axes", "axes of a reduction", AxesOf, "n"},
    {"count", "elements that one result of a reduction is made of", CountOf, "n"},
    {"spatial_axes", "axes from the third on", SpatialAxes, "v"},
    {"spatial_sizes", "sizes of the axes from the third on", SpatialSizes, "v"},
    {"gather_slice", "start, end and axis of a Gather of neighbours", GatherAsSlice},
    {"pads_with", "pads of a node with those of the Pad before it", PadsWith},
    {"with_front", "an attribute on one axis more in front", WithFront},
    {"kernel_with_front", "a window of one axis on two", KernelWithFront},
    {"pads_with_front", "pads on one axis more in front", PadsWithFront},
    {"space_blocks", "shape and permutation that move pixels to channels", BlocksOfSpace},
    {"depth_blocks", "shape and permutation that move channels to pixels", BlocksOfDepth},
    {"block", "the block of pixels that three layout nodes move", BlockOf},
    {"three_axes", "a shape with the leading axes as one", AsThreeAxes, "v"},
    {"matrix", "a shape with all axes but the last as one", AsMatrix, "v"},
    {"with_ones", "a shape with further axes of size 1", WithOnes},
    {"patch_sizes", "the shape of weights for windows that became channels", PatchSizes},
    {"groups", "a shape by groups of channels", AsGroups},
    {"groups_of", "groups of channels that a value is split into", GroupsOf, "v"},
    {"repeats", "copies along each axis", Repeats},
    {"einsum", "permutations that make an Einsum a matrix product", EinsumPerm},
    {"half_window", "a pooling window as two smaller ones", SplitWindow},
    {"flatten_axis", "1 where a Reshape keeps the first axis alone", FlattenAxis},
};

}  // namespace

std::optional<int64_t> Product(absl::Span<const int64_t> sizes) {
  std::optional<int64_t> product = 1;
  for (const int64_t size : sizes) {
    if (product.has_value()) product = CheckedMul(*product, size);
  }
  return product;
}

absl::Span<const FigureRow> LayoutFigures() { return kLayoutFigures; }

}  // namespace hwest
