#include "analysis/resize.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr int64_t kMostChannels = 4;

// Axes of height and width; none when the type is none of images. Both are free or neither is: the positions of a cache
// with few heads are free, its features are not.
std::optional<std::pair<int, int>> ImageAxes(const Type& type) {
  if (!type.is_tensor() || !type.shape.ranked() || type.shape.rank() != 4) return std::nullopt;
  const auto holds_channels = [&](int axis) {
    const Dim dim = type.shape.dim(axis);
    return dim.is_constant() && dim.value() >= 1 && dim.value() <= kMostChannels;
  };
  const auto is_fixed = [&](int axis) { return type.shape.dim(axis).is_constant(); };
  if (holds_channels(1) && is_fixed(2) == is_fixed(3)) return std::pair(2, 3);
  if (holds_channels(3) && is_fixed(1) == is_fixed(2)) return std::pair(1, 2);
  return std::nullopt;
}

bool IsMatrix(const Type* type) {
  return type != nullptr && type->is_tensor() && type->shape.ranked() && type->shape.rank() == 2;
}

bool HoldsTokens(const Type* type) {
  return IsMatrix(type) && (type->elem == ElemType::kInt64 || type->elem == ElemType::kInt32);
}

void BindAxis(const Graph& graph, ValueId input, int axis, int64_t size, BindRequest* bind) {
  bind->resized.emplace_back(absl::StrCat(graph.name(input), ".", axis), size);
}

// What messages call the sizes asked for.
void NameResized(absl::string_view what, int64_t size, BindRequest* bind) {
  absl::StrAppend(&bind->resized_as, bind->resized_as.empty() ? "" : " and ", what, " ", size);
}

}  // namespace

absl::Status BindImageSize(const Graph& graph, int64_t size, BindRequest* bind) {
  bool found = false;
  for (const ValueId input : graph.main().inputs) {
    const Type* type = graph.declared(input);
    const auto axes = type != nullptr ? ImageAxes(*type) : std::nullopt;
    if (!axes.has_value()) continue;
    found = true;
    for (const int axis : {axes->first, axes->second}) BindAxis(graph, input, axis, size, bind);
  }
  NameResized("image size", size, bind);
  if (found) return absl::OkStatus();
  return MakeError(Code::kBindConflict, "no input holds images: none is of rank 4 with up to four channels",
                   "use --dim INPUT.AXIS=N for the sizes of other inputs", {{"--dim", {"INPUT.AXIS=N"}}});
}

absl::Status BindSequenceLength(const Graph& graph, int64_t length, BindRequest* bind) {
  std::vector<Dim> lengths;
  for (const ValueId input : graph.main().inputs) {
    const Type* type = graph.declared(input);
    if (HoldsTokens(type)) lengths.push_back(type->shape.dim(1));
  }
  for (const ValueId input : graph.main().inputs) {
    const Type* type = graph.declared(input);
    if (!IsMatrix(type)) continue;
    const Dim dim = type->shape.dim(1);
    const bool is_as_long = !dim.is_unknown() && std::find(lengths.begin(), lengths.end(), dim) != lengths.end();
    if (HoldsTokens(type) || is_as_long) BindAxis(graph, input, 1, length, bind);
  }
  NameResized("length", length, bind);
  if (!lengths.empty()) return absl::OkStatus();
  return MakeError(Code::kBindConflict, "the file takes no tokens: no input is an integer tensor of rank 2",
                   "use --dim INPUT.AXIS=N for the sizes of other inputs", {{"--dim", {"INPUT.AXIS=N"}}});
}

}  // namespace hwest
