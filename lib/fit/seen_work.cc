#include "fit/seen_work.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hwest {
namespace {

// Less of a model's time than this says nothing about an operator.
constexpr double kLeastShare = 0.01;
constexpr double kDigits = 100;  // of shares, which are written rounded up
// Of fewer families the second largest share is chance; folds there do not tell it from a class that counts whole.
constexpr size_t kManyFamilies = 20;

double Sum(const TimeByClass& times) {
  double sum = 0;
  for (const auto& [operator_class, seconds] : times) sum += seconds;
  return sum;
}

}  // namespace

void SeenWork::Add(const std::string& family, const TimeByClass& times) {
  all_.insert(family);
  const double all = Sum(times);
  for (const auto& [operator_class, seconds] : times) {
    if (seconds <= 0 || seconds < kLeastShare * all) continue;
    double& share = shares_[operator_class][family];
    share = std::max(share, seconds / all);
  }
}

// 0 when fewer than two families spend time there.
double SeenWork::SeenOf(const ByFamily& shares, const std::string& without) const {
  double first = 0, second = 0;
  for (const auto& [family, share] : shares) {
    if (family == without) continue;
    second = std::max(second, std::min(first, share));
    first = std::max(first, share);
  }
  const bool is_few = all_.size() - all_.count(without) < kManyFamilies;
  return is_few && second > 0 ? 1 : std::ceil(second * kDigits) / kDigits;
}

std::string SeenWork::Classes() const {
  std::set<std::string> seen;
  for (const auto& [operator_class, shares] : shares_) {
    const double share = SeenOf(shares, "");
    if (share > 0) seen.insert(share < 1 ? absl::StrCat(operator_class, "=", share) : operator_class);
  }
  return absl::StrJoin(seen, " ");
}

double SeenWork::UnseenShare(const TimeByClass& times, const std::string& family) const {
  const double all = Sum(times);
  double unseen = 0;
  for (const auto& [operator_class, seconds] : times) {
    const auto at = shares_.find(operator_class);
    const double seen = at != shares_.end() ? SeenOf(at->second, family) : 0;
    unseen += all > 0 ? std::max(0.0, seconds / all - seen) : 0;
  }
  return unseen;
}

}  // namespace hwest
