#include "plan/evidence.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
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

bool Covers(const Evidence& evidence, absl::string_view operator_class) {
  const absl::string_view classes = evidence.classes;
  for (size_t at = classes.find(operator_class); at != absl::string_view::npos;
       at = classes.find(operator_class, at + 1)) {
    const size_t end = at + operator_class.size();
    const bool begins = at == 0 || classes[at - 1] == ' ';
    if (begins && (end == classes.size() || classes[end] == ' ')) return true;
  }
  return false;
}

double UnseenShare(const Evidence& evidence, const TimeByClass& times) {
  double all = 0, unseen = 0;
  for (const auto& [operator_class, seconds] : times) {
    all += seconds;
    if (!Covers(evidence, operator_class)) unseen += seconds;
  }
  return all > 0 ? unseen / all : 0;
}

}  // namespace hwest
