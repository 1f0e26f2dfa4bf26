// Nodes that move data, and nodes that do nothing.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

// Each part of a Split as a Slice.
std::string SlicesOfSplit(const Site& site) {
  const NodeId node = site.root();
  const auto x = site.SizesOf(site.InputOf(node, 0));
  if (!x.has_value() || x->empty()) return "";
  int64_t axis = site.IntOf(node, "axis", 0);
  axis += axis < 0 ? static_cast<int64_t>(x->size()) : 0;
  if (axis < 0 || axis >= static_cast<int64_t>(x->size())) return "";
  std::vector<std::string> parts;
  int64_t start = 0;
  for (const ValueId output : site.graph().outputs(node)) {
    const auto part = output.valid() ? site.SizesOf(output) : std::nullopt;
    if (!part.has_value() || part->size() != x->size()) return "";
    const int64_t end = start + (*part)[static_cast<size_t>(axis)];
    parts.push_back(absl::StrCat("Slice(x; starts=[", start, "], ends=[", end, "], axes=[", axis, "])"));
    start = end;
  }
  return start == (*x)[static_cast<size_t>(axis)] ? absl::StrJoin(parts, ", ") : "";
}

// The order of the axes that the transpose called t states, and the position of each of `axes` before it.
struct Turn {
  std::vector<int64_t> perm;
  std::vector<int64_t> axes;
};

std::optional<Turn> TurnOf(const Site& site, const std::vector<int64_t>& axes) {
  const auto perm = site.IntsOf(site.NodeOf("t"), "perm", 99);
  if (!perm.has_value()) return std::nullopt;
  const auto rank = static_cast<int64_t>(perm->size());
  Turn turn{*perm, {}};
  for (int64_t axis : axes) {
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) return std::nullopt;
    turn.axes.push_back((*perm)[static_cast<size_t>(axis)]);
  }
  return turn;
}

// Ends of a slice, of which the largest mean "to the end": numbers of replacements hold whole ones up to 2^53.
std::vector<int64_t> Bounded(std::vector<int64_t> ends) {
  constexpr int64_t kFar = int64_t{1} << 40;
  for (int64_t& end : ends) end = std::clamp(end, -kFar, kFar);
  return ends;
}

// A Slice of what was transposed as a transpose of the part.
std::string TransposeOfSlice(const Site& site) {
  const NodeId node = site.root();
  const auto starts = site.IntsOf(node, "starts", 1), ends = site.IntsOf(node, "ends", 2),
             axes = site.IntsOf(node, "axes", 3), steps = site.IntsOf(node, "steps", 4);
  if (!starts.has_value() || !ends.has_value() || !axes.has_value()) return "";
  if (site.InputOf(node, 4).valid() && !steps.has_value()) return "";
  const auto turn = TurnOf(site, *axes);
  if (!turn.has_value()) return "";
  const std::string stepped = steps.has_value() ? absl::StrCat(", steps=", ListText(*steps)) : "";
  return absl::StrCat("Transpose(Slice(x; starts=", ListText(Bounded(*starts)), ", ends=", ListText(Bounded(*ends)),
                      ", axes=", ListText(turn->axes), stepped, "); perm=", ListText(turn->perm), ")");
}

// A Gather of one element of what was transposed: the axis is gone, and later ones move up.
std::string TransposeOfGather(const Site& site) {
  const auto turn = TurnOf(site, {site.IntOf(site.root(), "axis", 0)});
  if (!turn.has_value()) return "";
  std::vector<int64_t> perm;
  for (const int64_t axis : turn->perm) {
    if (axis != turn->axes[0]) perm.push_back(axis > turn->axes[0] ? axis - 1 : axis);
  }
  return absl::StrCat("Transpose(Gather(x, i; axis=", turn->axes[0], "); perm=", ListText(perm), ")");
}

// A Split of what was transposed as transposes of the parts.
std::string TransposesOfSplit(const Site& site) {
  const NodeId node = site.root();
  const int64_t axis = site.IntOf(node, "axis", 0);
  const auto turn = TurnOf(site, {axis});
  if (!turn.has_value()) return "";
  std::vector<std::string> names, parts;
  std::vector<int64_t> sizes;
  for (const ValueId output : site.graph().outputs(node)) {
    const auto part = output.valid() ? site.SizesOf(output) : std::nullopt;
    if (!part.has_value() || part->size() != turn->perm.size()) return "";
    sizes.push_back((*part)[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(part->size()) : axis)]);
    names.push_back(absl::StrCat("part", names.size()));
    parts.push_back(absl::StrCat("Transpose(", names.back(), "; perm=", ListText(turn->perm), ")"));
  }
  return absl::StrCat(absl::StrJoin(names, " "), " = Split(x; axis=", turn->axes[0], ", split=", ListText(sizes), "); ",
                      absl::StrJoin(parts, ", "));
}

// Tile along one axis as a Concat.
std::string ConcatOfTile(const Site& site) {
  const auto repeats = site.IntsOf(site.root(), "repeats", 1);
  if (!repeats.has_value()) return "";
  int axis = -1;
  for (size_t i = 0; i < repeats->size(); ++i) {
    if ((*repeats)[i] == 1) continue;
    if (axis >= 0 || (*repeats)[i] < 1 || (*repeats)[i] > 8) return "";
    axis = static_cast<int>(i);
  }
  if (axis < 0) return "";
  const std::vector<std::string> copies(static_cast<size_t>((*repeats)[static_cast<size_t>(axis)]), "x");
  return absl::StrCat("Concat(", absl::StrJoin(copies, ", "), "; axis=", axis, ")");
}

// clang-format off
constexpr RewriteRule kLayoutRules[] = {
    {.name = "identity_removed", .key = "Identity", .match = "Identity(x)", .holds = "", .make = "x",
     .use = RuleUse::kCanonical, .words = "Identity is left out", .reason = kOnnxSpecification},
    {.name = "dropout_removed", .key = "Dropout", .match = "Dropout(x, _?, t?)", .holds = "view all(t, 0)",
     .make = "x",
     .use = RuleUse::kCanonical, .words = "Dropout of inference is left out", .reason = kOnnxSpecification},
    {.name = "cast_removed", .key = "Cast", .match = "Cast(x)", .holds = "view", .make = "x",
     .use = RuleUse::kCanonical, .words = "a Cast to the type that is there already is left out",
     .reason = kOnnxSpecification},
    {.name = "nothing_removed", .key = "Reshape Expand Tile Concat Slice Pad Transpose Squeeze Unsqueeze Flatten",
     .match = "(Slice[takes_all](_) | Pad[adds_nothing](_) | Concat[one_input](_) | Transpose[moves_ones](_) | "
              "(Reshape|Expand|Tile|Squeeze|Unsqueeze|Flatten)(_))",
     .holds = "view", .make = "root.0", .use = RuleUse::kCanonical,
     .words = "layout nodes whose result is their input are left out", .reason = kOnnxSpecification},
    {.name = "nan_guard_removed", .key = "IsNaN", .match = "Where(IsNaN(p*:Softmax(@plain_scores)), 0, p)",
     .holds = "alone real(q) sized(f, 0.0001, 10000) sized(m, 0, 10000)", .make = "p", .use = RuleUse::kCanonical,
     .words = "the guard against NaN after Softmax is left out where nothing hides a whole row",
     .reason = "Softmax of finite scores is never NaN"},
    {.name = "masked_nan_guard_removed", .key = "IsNaN", .match = "Where(IsNaN(p*:Softmax(_)), 0, p)", .holds = "alone",
     .make = "p", .exactness = Exactness::kApproximate,
     .words = "the guard against NaN after Softmax is left out: a row that a mask hides as a whole is NaN instead of 0",
     .reason = "Softmax is NaN only in rows whose every score is -inf: no token is left to attend to"},
    {.name = "transposes_joined", .key = "Transpose", .match = "t:Transpose(s*:Transpose(x))", .holds = "",
     .make = "Transpose(x; perm=$both_perms(s, t))", .use = RuleUse::kCanonical,
     .words = "two Transposes become one", .reason = kOnnxSpecification},
    {.name = "reshapes_joined", .key = "Reshape Flatten Squeeze Unsqueeze",
     .match = "(Reshape|Flatten|Squeeze|Unsqueeze)(s*:(Reshape|Flatten|Squeeze|Unsqueeze)(x))", .holds = "",
     .make = "Reshape(x, $sizes(root))", .use = RuleUse::kCanonical,
     .words = "a Reshape of a Reshape becomes one; Flatten, Squeeze and Unsqueeze are such, too",
     .reason = kOnnxSpecification},
    {.name = "expand_removed", .key = "Expand",
     .match = "(Add|Sub|Mul|Div|Pow|Equal|Less|Greater|And|Or)(a, e:Expand(x))",
     .holds = "broadcasts(a, x, root) rank(root, 1, 8)", .make = "Root(a, x; *root)", .use = RuleUse::kCanonical,
     .words = "an Expand that the next node does anyway is left out", .reason = "ONNX broadcasting"},
    {.name = "where_decided", .key = "Where", .match = "Where(c[const], x, _)", .holds = "all(c, 1) keeps_shape(x)",
     .make = "x", .use = RuleUse::kCanonical, .words = "a Where whose condition always holds is left out",
     .reason = kOnnxSpecification},
    {.name = "where_refused", .key = "Where", .match = "Where(c[const], _, x)", .holds = "all(c, 0) keeps_shape(x)",
     .make = "x", .use = RuleUse::kCanonical, .words = "a Where whose condition never holds is left out",
     .reason = kOnnxSpecification},
    {.name = "pad_into_conv", .key = "Pad", .match = "r:Conv(p:Pad[zero_pad](x), w, b?)",
     .holds = "explicit_pads(r)", .make = "Conv(x, w, b; *r, pads=$pads_with(p, r))", .use = RuleUse::kCanonical,
     .words = "zeros around an image become those of the convolution", .reason = kOnnxSpecification},
    {.name = "pad_into_average_pool", .key = "AveragePool", .match = "r:AveragePool(p:Pad[zero_pad](x))",
     .holds = "explicit_pads(r) int_is(r, ceil_mode, 0, 0) lacks(r, pads) opset(7)",
     .make = "AveragePool(x; *r, pads=$pads_with(p, r), count_include_pad=1)", .use = RuleUse::kCanonical,
     .words = "zeros around an image become those of the pooling", .reason = kOnnxSpecification},

    {.name = "split_to_slices", .key = "Split", .match = "Split(x)", .holds = "", .make = "", .compose = SlicesOfSplit,
     .undoes = "slices_to_split",
     .words = "a Split becomes a Slice for each part", .reason = kOnnxSpecification},
    {.name = "split_before_transpose", .key = "Split", .match = "Split(t:Transpose(x))", .holds = "", .make = "",
     .compose = TransposesOfSplit, .words = "a Split of a transposed value becomes Transposes of its parts",
     .reason = kOnnxSpecification},
    {.name = "slice_before_transpose", .key = "Slice", .match = "Slice(t*:Transpose(x))", .holds = "", .make = "",
     .compose = TransposeOfSlice, .words = "a Slice of a transposed value becomes a Transpose of the part",
     .reason = kOnnxSpecification},
    {.name = "gather_before_transpose", .key = "Gather", .match = "Gather(t*:Transpose(x), i[const])",
     .holds = "rank(i, 0)", .make = "", .compose = TransposeOfGather,
     .words = "a Gather of one element of a transposed value becomes a Transpose of it", .reason = kOnnxSpecification},
    {.name = "gather_to_slice", .key = "Gather", .match = "Gather(x, i[const])", .holds = "rank(i, 1)",
     .make = "Slice(x; starts=$gather_slice(0), ends=$gather_slice(1), axes=$gather_slice(2))",
     .words = "a Gather of neighbours becomes a Slice", .reason = kOnnxSpecification},
    {.name = "gather_scalar_to_slice", .key = "Gather", .match = "Gather(x, i[const])", .holds = "rank(i, 0)",
     .make = "Squeeze(Slice(x; starts=$gather_slice(0), ends=$gather_slice(1), axes=$gather_slice(2)); "
             "axes=$gather_slice(2))",
     .undoes = "slice_to_gather", .words = "a Gather of one element becomes a Slice and a Squeeze",
     .reason = kOnnxSpecification},
    {.name = "space_to_depth_to_reshapes", .key = "SpaceToDepth", .match = "SpaceToDepth(x)", .holds = "",
     .make = "Reshape(Transpose(Reshape(x, $space_blocks(0)); perm=$space_blocks(1)), $sizes(root))",
     .undoes = "space_to_depth_from_reshapes",
     .words = "SpaceToDepth becomes Reshape, Transpose and Reshape", .reason = kOnnxSpecification},
    {.name = "space_to_depth_from_reshapes", .key = "Transpose", .match = "Reshape(t:Transpose(Reshape(x)))",
     .holds = "", .make = "SpaceToDepth(x; blocksize=$block(t, space))", .undoes = "space_to_depth_to_reshapes",
     .words = "Reshape, Transpose and Reshape that move pixels to channels become SpaceToDepth",
     .reason = kOnnxSpecification},
    {.name = "depth_to_space_to_reshapes", .key = "DepthToSpace", .match = "DepthToSpace(x)", .holds = "",
     .make = "Reshape(Transpose(Reshape(x, $depth_blocks(0)); perm=$depth_blocks(1)), $sizes(root))",
     .words = "DepthToSpace becomes Reshape, Transpose and Reshape", .reason = kOnnxSpecification},
    {.name = "depth_to_space_from_reshapes", .key = "Transpose", .match = "Reshape(t:Transpose(Reshape(x)))",
     .holds = "", .make = "DepthToSpace(x; blocksize=$block(t, depth), mode=\"DCR\")",
     .undoes = "depth_to_space_to_reshapes",
     .words = "Reshape, Transpose and Reshape that move channels to pixels become DepthToSpace",
     .reason = kOnnxSpecification},
    {.name = "pixel_shuffle_from_reshapes", .key = "Transpose", .match = "Reshape(t:Transpose(Reshape(x)))",
     .holds = "", .make = "DepthToSpace(x; blocksize=$block(t, columns), mode=\"CRD\")",
     .undoes = "depth_to_space_to_reshapes",
     .words = "Reshape, Transpose and Reshape of a pixel shuffle become DepthToSpace", .reason = kOnnxSpecification},
    {.name = "view_to_reshape", .key = "Flatten Squeeze Unsqueeze", .match = "(Flatten|Squeeze|Unsqueeze)(x)",
     .holds = "", .make = "Reshape(x, $sizes(root))", .undoes = "reshape_to_flatten",
     .words = "Flatten, Squeeze and Unsqueeze become Reshape", .reason = kOnnxSpecification},
    {.name = "reshape_to_flatten", .key = "Reshape", .match = "Reshape(x)", .holds = "",
     .make = "Flatten(x; axis=$flatten_axis)", .undoes = "view_to_reshape",
     .words = "a Reshape that keeps the first axis alone becomes Flatten", .reason = kOnnxSpecification},
    {.name = "expand_to_tile", .key = "Expand", .match = "Expand(x)", .holds = "", .make = "Tile(x, $repeats)",
     .undoes = "tile_to_expand", .words = "Expand becomes Tile", .reason = kOnnxSpecification},
    {.name = "tile_to_expand", .key = "Tile", .match = "Tile[of_ones](x)", .holds = "",
     .make = "Expand(x, $sizes(root))", .undoes = "expand_to_tile",
     .words = "a Tile of axes of one element becomes Expand", .reason = kOnnxSpecification},
    {.name = "tile_to_concat", .key = "Tile", .match = "Tile(x)", .holds = "", .make = "", .compose = ConcatOfTile,
     .words = "a Tile along one axis becomes Concat", .reason = kOnnxSpecification},
    {.name = "resize_to_asymmetric", .key = "Resize", .match = "r:Resize(x)",
     .holds = "opset(11) resizes_alike(asymmetric)",
     .make = "Resize(x, root.1, root.2, root.3; *r, coordinate_transformation_mode=\"asymmetric\", "
             "nearest_mode=\"floor\")",
     .undoes = "resize_to_half_pixel",
     .words = "the nearest element by asymmetric coordinates, where whole factors make these the same",
     .reason = kOnnxSpecification},
    {.name = "resize_to_half_pixel", .key = "Resize", .match = "r:Resize(x)",
     .holds = "opset(11) resizes_alike(half_pixel)",
     .make = "Resize(x, root.1, root.2, root.3; *r, coordinate_transformation_mode=\"half_pixel\", "
             "nearest_mode=\"round_prefer_ceil\")",
     .undoes = "resize_to_asymmetric",
     .words = "coordinates of half pixels, where whole factors or more than one pixel make these the same",
     .reason = kOnnxSpecification},
    {.name = "softmax_axis_moved", .key = "Softmax", .match = "r:Softmax(x)", .holds = "opset(13)",
     .make = "Transpose(Softmax(Transpose(x; perm=$swap_with_last(r)); axis=-1); perm=$swap_with_last(r))",
     .words = "Softmax over another axis becomes one over the last, between Transposes", .reason = kOnnxSpecification},
    {.name = "log_softmax_axis_moved", .key = "LogSoftmax", .match = "r:LogSoftmax(x)", .holds = "opset(13)",
     .make = "Transpose(LogSoftmax(Transpose(x; perm=$swap_with_last(r)); axis=-1); perm=$swap_with_last(r))",
     .words = "LogSoftmax over another axis becomes one over the last, between Transposes",
     .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> LayoutRewrites() { return kLayoutRules; }

}  // namespace hwest
