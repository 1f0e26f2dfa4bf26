// Nodes that a profiler counts cycles of, and the time that the accelerator took for all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/profile.h"

namespace hwest {

// Of all runs, in order of appearance. Cycles are those of threads that run side by side, so that each node takes its
// share of the accelerator's time.
class CycleTimes {
 public:
  void AddCycles(const std::string& node, double cycles);
  void AddMicroseconds(const std::string& node, double microseconds);
  void AddWhole(double microseconds) { whole_us_.push_back(microseconds); }

  // Medians of the runs. Errors: kUsage for cycles without a time of the whole; `remedy` says how to get one.
  absl::StatusOr<Profile> Times(absl::string_view program, absl::string_view name, absl::string_view remedy) const;

 private:
  void Add(const std::string& node, double value, std::map<std::string, std::vector<double>>* to);

  std::vector<std::string> order_;
  std::map<std::string, std::vector<double>> cycles_, microseconds_;
  std::vector<double> whole_us_;
};

}  // namespace hwest
