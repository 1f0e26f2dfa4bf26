#include "sweep/image_size.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

constexpr int64_t kMostChannels = 4;

// Axes of height and width; none when the type is none of images.
std::optional<std::pair<int, int>> ImageAxes(const Type& type) {
  if (!type.is_tensor() || !type.shape.ranked() || type.shape.rank() != 4) return std::nullopt;
  const auto holds_channels = [&](int axis) {
    const Dim dim = type.shape.dim(axis);
    return dim.is_constant() && dim.value() >= 1 && dim.value() <= kMostChannels;
  };
  if (holds_channels(1)) return std::pair(2, 3);
  if (holds_channels(3)) return std::pair(1, 2);
  return std::nullopt;
}

}  // namespace

absl::Status BindImageSize(const Graph& graph, int64_t size, BindRequest* bind) {
  bool found = false;
  for (const ValueId input : graph.main().inputs) {
    const Type* type = graph.declared(input);
    const auto axes = type != nullptr ? ImageAxes(*type) : std::nullopt;
    if (!axes.has_value()) continue;
    found = true;
    for (const int axis : {axes->first, axes->second}) {
      bind->dims.emplace_back(absl::StrCat(graph.name(input), ".", axis), size);
    }
  }
  if (found) return absl::OkStatus();
  return MakeError(Code::kBindConflict, "no input holds images: none is of rank 4 with up to four channels",
                   "use --dim INPUT.AXIS=N for the sizes of other inputs");
}

absl::Status CheckResized(const Analysis* exported, const Analysis& resized, int64_t size) {
  absl::flat_hash_set<std::string> before;
  if (exported != nullptr) {
    for (const Diagnostic& row : exported->diagnostics) {
      if (row.code == Code::kInferFailed) before.insert(row.node);
    }
  }
  for (const Diagnostic& row : resized.diagnostics) {
    if (row.code != Code::kInferFailed || before.contains(row.node)) continue;
    return MakeError(Code::kBindConflict,
                     absl::StrCat("node '", row.node, "' cannot work at image size ", size, ": ", row.message),
                     "export the model with dynamic height and width, or at that size");
  }
  return absl::OkStatus();
}

}  // namespace hwest
