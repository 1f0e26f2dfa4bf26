// What trtexec of TensorRT exports: [{"computeMs": ..}, ..] and [{"count": N}, {"name": .., "averageMs": ..}, ..].
#include <algorithm>

#include "base/status_macros.h"
#include "measured/importers.h"

namespace hwest {
namespace {

constexpr double kMillisecondsPerSecond = 1e3;

bool HasNumber(const Tree& tree, absl::string_view key) {
  return tree.is_array() &&
         std::any_of(tree.begin(), tree.end(), [&](const Tree& entry) { return NumberOf(entry, key).has_value(); });
}

absl::StatusOr<std::vector<Measurement>> RowWith(const Imported& file, std::optional<double> milliseconds) {
  if (!milliseconds.has_value() || *milliseconds <= 0) {
    return ImportError(file.name, "holds no time above 0", "export it again from a run that ended");
  }
  Said said;
  if (file.defaults.unit.empty()) said.unit = "GPU";
  if (file.defaults.runtime.empty()) said.runtime = "TensorRT trtexec";
  HWEST_ASSIGN_OR_RETURN(Measurement row, RowOf(file, said));
  row.source = "trtexec";
  row.value = *milliseconds;
  return std::vector<Measurement>{std::move(row)};
}

}  // namespace

bool IsTrtexecTimes(const Tree& tree) { return HasNumber(tree, "computeMs") || HasNumber(tree, "endComputeMs"); }

absl::StatusOr<std::vector<Measurement>> ReadTrtexecTimes(const Imported& file) {
  std::vector<double> times;
  for (const Tree& query : file.tree) {
    const std::optional<double> start = NumberOf(query, "startComputeMs"), end = NumberOf(query, "endComputeMs");
    if (const std::optional<double> ms = NumberOf(query, "computeMs"); ms.has_value())
      times.push_back(*ms);
    else if (start.has_value() && end.has_value())
      times.push_back(*end - *start);
  }
  return RowWith(file, MedianOf(std::move(times)));
}

absl::StatusOr<std::vector<Measurement>> ReadTrtexecProfile(const Imported& file) {
  HWEST_ASSIGN_OR_RETURN(const Profile profile, ReadTrtexecLayers(file.tree, file.name));
  double sum_s = 0;
  for (const ProfileEntry& layer : profile.entries) sum_s += layer.time_s;
  return RowWith(file, sum_s * kMillisecondsPerSecond);
}

}  // namespace hwest
