#include "plan/evidence.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "cost/model_view.h"
#include "plan/operator_class.h"

namespace hwest {

TimeByClass TimeByClassOf(const ModelView& model, const Plan& plan, UnitId unit) {
  absl::flat_hash_map<std::string, double> seconds;
  for (const PlannedGroup& group : plan.groups) {
    if (group.unit != unit || !group.estimate.has_value()) continue;
    seconds[OperatorClassOf(model, group.group, group.work)] += group.estimate->time_s;
  }
  TimeByClass times(seconds.begin(), seconds.end());
  std::sort(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return times;
}

const Evidence* EvidenceAt(const Unit& unit, absl::string_view precision) {
  const auto at = std::find_if(unit.evidence.begin(), unit.evidence.end(),
                               [&](const Evidence& row) { return row.precision == precision; });
  return at == unit.evidence.end() ? nullptr : &*at;
}

double SeenShare(const Evidence& evidence, absl::string_view operator_class) {
  for (const absl::string_view row : absl::StrSplit(evidence.classes, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(row, absl::MaxSplits('=', 1));
    if (parts.first != operator_class) continue;
    double share = 1;
    return parts.second.empty() || !absl::SimpleAtod(parts.second, &share) ? 1 : share;
  }
  return 0;
}

double UnseenShare(const Evidence& evidence, const TimeByClass& times) {
  double all = 0, unseen = 0;
  for (const auto& [operator_class, seconds] : times) all += seconds;
  if (all <= 0) return 0;
  for (const auto& [operator_class, seconds] : times) {
    unseen += std::max(0.0, seconds / all - SeenShare(evidence, operator_class));
  }
  return unseen;
}

}  // namespace hwest
