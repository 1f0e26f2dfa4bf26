// trtexec --exportProfile of TensorRT: [{"count": N}, {"name": .., "averageMs": ..}, ..].
#include <algorithm>

#include "profile/read_profile.h"

namespace hwest {
namespace {

constexpr double kSecondsPerMillisecond = 1e-3;

bool HasNumber(const Tree& tree, absl::string_view key) {
  return tree.is_array() &&
         std::any_of(tree.begin(), tree.end(), [&](const Tree& entry) { return NumberOf(entry, key).has_value(); });
}

// Of one layer in one run.
std::optional<double> LayerMs(const Tree& layer, const std::optional<double>& count) {
  for (const char* key : {"medianMs", "averageMs"}) {
    if (const std::optional<double> ms = NumberOf(layer, key); ms.has_value()) return ms;
  }
  const std::optional<double> total = NumberOf(layer, "timeMs");
  if (!total.has_value() || count.value_or(0) <= 0) return std::nullopt;
  return *total / *count;
}

}  // namespace

bool IsTrtexecProfile(const Tree& tree) { return HasNumber(tree, "averageMs") || HasNumber(tree, "timeMs"); }

absl::StatusOr<Profile> ReadTrtexecLayers(const Tree& tree, absl::string_view name) {
  Profile profile{.program = "trtexec"};
  std::optional<double> count;
  for (const Tree& entry : tree) {
    if (!count.has_value()) count = NumberOf(entry, "count");
  }
  if (count.has_value() && *count >= 1 && *count < 1e15) profile.runs = static_cast<int64_t>(*count);
  for (const Tree& layer : tree) {
    std::string layer_name = TextOf(layer, "name");
    if (layer_name.empty()) continue;
    const std::optional<double> ms = LayerMs(layer, count);
    if (!ms.has_value() || *ms < 0) {
      return ImportError(name, "a layer has no time", "export it again from a run that ended");
    }
    profile.entries.push_back({.name = std::move(layer_name), .time_s = *ms * kSecondsPerMillisecond});
  }
  return profile;
}

}  // namespace hwest
