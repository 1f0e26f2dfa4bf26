// Slices of one value.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "fuse/siblings.h"
#include "rewrite/apply.h"
#include "rewrite/payload.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

constexpr int kFirstWithPartsAsInput = 13;  // version of Split since which sizes of parts are an input

// The node that makes all parts that the slices take, in their order.
RawNode SplitOf(const Analysis& analysis, const Slices& slices, const std::vector<int64_t>& files, EditedModel* model) {
  const Graph& graph = *analysis.graph;
  RawNode node;
  node.domain = node.overload = model->Intern("");
  node.op = model->Intern("Split");
  node.inputs = {model->raw().graph.nodes[static_cast<size_t>(files[0])].inputs[0]};
  node.name = model->raw().graph.nodes[static_cast<size_t>(files[0])].name;
  const RawAttribute axis{
      .name = model->Intern("axis"), .kind = AttrKind::kInt, .i = slices.axis, .s = model->Intern("")};
  node.attributes = {axis};
  std::vector<int64_t> sizes;
  for (const NodeId slice : slices.nodes) {
    const ValueId part = graph.outputs(slice)[0];
    node.outputs.push_back(model->Intern(graph.name(part)));
    sizes.push_back(analysis.facts.values[part].type.shape.dim(static_cast<int>(slices.axis)).value());
  }
  if (graph.node(slices.nodes[0]).opset < kFirstWithPartsAsInput) {
    node.attributes.push_back(
        {.name = model->Intern("split"), .kind = AttrKind::kInts, .s = model->Intern(""), .ints = sizes});
    return node;
  }
  Constant constant;
  constant.name = model->NewName(model->text(node.outputs[0]));
  constant.elem = ElemType::kInt64;
  constant.storage = Storage::kDecoded;
  constant.dims = {static_cast<int64_t>(sizes.size())};
  for (const int64_t size : sizes) AppendInt(size, 64, &constant.data);
  constant.length = static_cast<int64_t>(constant.data.size());
  node.inputs.push_back(constant.name);
  model->AddInitializer(std::move(constant));
  return node;
}

bool HasKnownParts(const Analysis& analysis, const Slices& slices) {
  return std::all_of(slices.nodes.begin(), slices.nodes.end(), [&](NodeId slice) {
    const auto outputs = analysis.graph->outputs(slice);
    if (outputs.size() != 1 || !outputs[0].valid()) return false;
    const Shape& shape = analysis.facts.values[outputs[0]].type.shape;
    const auto axis = static_cast<int>(slices.axis);
    return shape.ranked() && axis < shape.rank() && shape.dim(axis).is_constant();
  });
}

int64_t JoinSlices(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful) {
  const GuardContext context{*analysis.graph, analysis.facts, analysis.classes, NumberMatch::kOfType};
  int64_t made = 0;
  for (size_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    const Slices slices = FindSlices(context, NodeId(n));
    if (slices.nodes.empty() || !HasKnownParts(analysis, slices)) continue;
    std::vector<int64_t> files;
    for (const NodeId slice : slices.nodes) files.push_back(FileNodeOf(analysis, *model, slice));
    if (std::any_of(files.begin(), files.end(), [](int64_t file) { return file < 0; })) continue;
    RawNode split = SplitOf(analysis, slices, files, model);
    const auto first = static_cast<size_t>(*std::min_element(files.begin(), files.end()));
    for (const int64_t file : files) {
      for (const StrId input : model->raw().graph.nodes[static_cast<size_t>(file)].inputs) doubtful->push_back(input);
      model->Remove(static_cast<size_t>(file));
    }
    const NodeOrigin& origin = model->node_origins()[first];
    model->InsertBefore(first, std::move(split), origin.file >= 0 ? origin.file : origin.like);
    ++made;
  }
  return made;
}

// A Slice of one element along one axis, without that axis, as the element.
std::string GatherOfSlice(const Site& site) {
  const NodeId slice = site.NodeOf("s");
  const auto starts = site.IntsOf(slice, "starts", 1), ends = site.IntsOf(slice, "ends", 2),
             axes = site.IntsOf(slice, "axes", 3), steps = site.IntsOf(slice, "steps", 4);
  const int rank = site.RankOf(site.ValueOf("x"));
  if (!starts.has_value() || !ends.has_value() || starts->size() != 1 || ends->size() != 1 || rank < 1) return "";
  const bool is_one = (*starts)[0] != -1
                          ? (*starts)[0] < (1 << 30) && (*starts)[0] > -(1 << 30) && (*ends)[0] == (*starts)[0] + 1
                          : (*ends)[0] >= (1 << 30);
  if (!is_one || (site.InputOf(slice, 4).valid() && steps != std::vector<int64_t>{1})) return "";
  if (site.InputOf(slice, 3).valid() && !axes.has_value()) return "";
  int64_t axis = axes.has_value() && axes->size() == 1 ? (*axes)[0] : axes.has_value() ? -rank - 1 : 0;
  axis += axis < 0 ? rank : 0;
  auto gone = site.IntsOf(site.root(), "axes", 1);
  const auto x = site.SizesOf(site.ValueOf("x")), part = site.SizesOf(site.ValueOf("s"));
  if (axis < 0 || axis >= rank || !gone.has_value() || gone->size() != 1 || !x.has_value() || !part.has_value())
    return "";
  if ((*gone)[0] + ((*gone)[0] < 0 ? rank : 0) != axis) return "";
  const int64_t size = (*x)[static_cast<size_t>(axis)], at = (*starts)[0];
  if (at < -size || at >= size || (*part)[static_cast<size_t>(axis)] != 1) return "";
  return absl::StrCat("Gather(x, $index(", at, "); axis=", axis, ")");
}

// clang-format off
constexpr RewriteRule kSliceRules[] = {
    {.name = "slices_to_split", .key = "Slice", .match = "", .holds = "", .make = "", .whole = JoinSlices,
     .undoes = "split_to_slices", .words = "Slices of one value that take all of it become a Split",
     .reason = kOnnxSpecification},
    {.name = "slice_to_gather", .key = "Squeeze", .match = "Squeeze(s:Slice(x))", .holds = "composes", .make = "",
     .compose = GatherOfSlice, .figures = "index", .undoes = "gather_scalar_to_slice",
     .words = "a Slice of one element and a Squeeze become Gather", .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> SliceRewrites() { return kSliceRules; }

}  // namespace hwest
