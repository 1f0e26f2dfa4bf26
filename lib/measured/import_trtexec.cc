// What trtexec of TensorRT exports: [{"computeMs": ..}, ..] and [{"count": N}, {"name": .., "averageMs": ..}, ..].
#include <algorithm>

#include "base/status_macros.h"
#include "measured/importers.h"

namespace hwest {
namespace {

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

// Milliseconds of one layer in one run.
std::optional<double> LayerMs(const Tree& layer, std::optional<double> count) {
  for (const char* key : {"medianMs", "averageMs"}) {
    if (const std::optional<double> ms = NumberOf(layer, key); ms.has_value()) return ms;
  }
  const std::optional<double> total = NumberOf(layer, "timeMs");
  if (!total.has_value() || count.value_or(0) <= 0) return std::nullopt;
  return *total / *count;
}

}  // namespace

bool IsTrtexecTimes(const Tree& tree) { return HasNumber(tree, "computeMs") || HasNumber(tree, "endComputeMs"); }

absl::StatusOr<std::vector<Measurement>> ReadTrtexecTimes(const Imported& file) {
  std::vector<double> times;
  for (const Tree& query : file.tree) {
    const std::optional<double> start = NumberOf(query, "startComputeMs"), end = NumberOf(query, "endComputeMs");
    if (const std::optional<double> ms = NumberOf(query, "computeMs"); ms.has_value()) times.push_back(*ms);
    else if (start.has_value() && end.has_value()) times.push_back(*end - *start);
  }
  return RowWith(file, MedianOf(std::move(times)));
}

bool IsTrtexecProfile(const Tree& tree) { return HasNumber(tree, "averageMs") || HasNumber(tree, "timeMs"); }

absl::StatusOr<std::vector<Measurement>> ReadTrtexecProfile(const Imported& file) {
  std::optional<double> count;
  for (const Tree& entry : file.tree) {
    if (!count.has_value()) count = NumberOf(entry, "count");
  }
  double sum = 0;
  for (const Tree& layer : file.tree) {
    if (TextOf(layer, "name").empty()) continue;
    const std::optional<double> ms = LayerMs(layer, count);
    if (!ms.has_value() || *ms < 0) {
      return ImportError(file.name, "a layer has no time", "export it again from a run that ended");
    }
    sum += *ms;
  }
  return RowWith(file, sum);
}

}  // namespace hwest
