// Layers that ncnn prints when it is built with NCNN_BENCHMARK: "Convolution  conv1  0.52ms  |  feature_map: ..".
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kLayerMs = 1e-3;
constexpr char kFeatureMap[] = "feature_map:";

std::optional<ProfileEntry> LayerIn(absl::string_view line) {
  const std::vector<absl::string_view> words = WordsIn(line);
  if (words.size() < 4 || words[3] != "|") return std::nullopt;
  absl::string_view text = words[2];
  const std::optional<double> ms = absl::ConsumeSuffix(&text, "ms") ? TimeIn(text) : std::nullopt;
  if (!ms.has_value()) return std::nullopt;
  return ProfileEntry{.name = std::string(words[1]), .op = std::string(words[0]), .time_s = *ms * kLayerMs};
}

}  // namespace

bool IsNcnnLayers(absl::string_view text) {
  return absl::StrContains(text, kFeatureMap) && absl::StrContains(text, "ms ");
}

absl::StatusOr<Profile> ReadNcnnLayers(absl::string_view text, absl::string_view) {
  Profile profile{.program = "ncnn"};
  for (const std::string& line : PlainLines(text)) {
    std::optional<ProfileEntry> layer = LayerIn(line);
    if (layer.has_value()) profile.entries.push_back(*std::move(layer));
  }
  return profile;
}

}  // namespace hwest
