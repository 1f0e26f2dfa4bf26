#include "profile/cycle_times.h"

#include <optional>

#include "profile/json_tree.h"

namespace hwest {
namespace {

constexpr double kCycleMicrosecond = 1e-6;

}  // namespace

void CycleTimes::Add(const std::string& node, double value, std::map<std::string, std::vector<double>>* to) {
  if (cycles_.count(node) + microseconds_.count(node) == 0) order_.push_back(node);
  (*to)[node].push_back(value);
}

void CycleTimes::AddCycles(const std::string& node, double cycles) { Add(node, cycles, &cycles_); }

void CycleTimes::AddMicroseconds(const std::string& node, double microseconds) {
  Add(node, microseconds, &microseconds_);
}

absl::StatusOr<Profile> CycleTimes::Times(absl::string_view program, absl::string_view name,
                                          absl::string_view remedy) const {
  Profile profile{.program = std::string(program)};
  double all_cycles = 0;
  for (const auto& [node, cycles] : cycles_) all_cycles += MedianOf(cycles).value_or(0);
  const std::optional<double> whole_us = MedianOf(whole_us_);
  for (const std::string& node : order_) {
    if (const auto at = microseconds_.find(node); at != microseconds_.end()) {
      profile.entries.push_back({.name = node, .op = "", .time_s = *MedianOf(at->second) * kCycleMicrosecond});
    } else if (whole_us.has_value() && all_cycles > 0) {
      const double share = *MedianOf(cycles_.at(node)) / all_cycles;
      profile.entries.push_back({.name = node, .op = "", .time_s = share * *whole_us * kCycleMicrosecond});
    }
  }
  if (profile.entries.empty() && !order_.empty()) {
    return ImportError(name, "counts cycles and does not say how long the accelerator ran", remedy);
  }
  if (!whole_us_.empty()) profile.runs = static_cast<int64_t>(whole_us_.size());
  return profile;
}

}  // namespace hwest
