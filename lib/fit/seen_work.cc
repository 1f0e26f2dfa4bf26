#include "fit/seen_work.h"

#include <vector>

#include "absl/strings/str_join.h"

namespace hwest {
namespace {

// Less of a model's time than this says nothing about an operator.
constexpr double kLeastShare = 0.01;
// One family alone may owe its agreement to chance.
constexpr size_t kFewestFamilies = 2;

double Sum(const TimeByClass& times) {
  double sum = 0;
  for (const auto& [operator_class, seconds] : times) sum += seconds;
  return sum;
}

}  // namespace

void SeenWork::Add(const std::string& family, const TimeByClass& times) {
  all_.insert(family);
  const double least = kLeastShare * Sum(times);
  for (const auto& [operator_class, seconds] : times) {
    if (seconds >= least && seconds > 0) families_[operator_class].insert(family);
  }
}

bool SeenWork::IsSeen(absl::string_view operator_class, const std::string& without) const {
  const auto at = families_.find(operator_class);
  if (at == families_.end()) return false;
  return at->second.size() - at->second.count(without) >= kFewestFamilies;
}

std::string SeenWork::Classes() const {
  std::set<std::string> seen;
  for (const auto& [operator_class, families] : families_) {
    if (families.size() >= kFewestFamilies) seen.insert(operator_class);
  }
  return absl::StrJoin(seen, " ");
}

double SeenWork::UnseenShare(const TimeByClass& times, const std::string& family) const {
  const double all = Sum(times);
  double unseen = 0;
  for (const auto& [operator_class, seconds] : times) {
    if (!IsSeen(operator_class, family)) unseen += seconds;
  }
  return all > 0 ? unseen / all : 0;
}

}  // namespace hwest
