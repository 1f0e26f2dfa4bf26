// The work that measurements cover: classes of operators in which models of several families spend time, for one alone
// may owe its agreement to chance. Where many families were measured, a class counts up to the largest share of a
// model's time that a second one spends in it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "plan/evidence.h"

namespace hwest {

class SeenWork {
 public:
  // A model of `family` was measured that takes these times.
  void Add(const std::string& family, const TimeByClass& times);

  // Classes that are seen, as Evidence has them.
  std::string Classes() const;
  // Share of the times beyond what is seen without the models of `family`.
  double UnseenShare(const TimeByClass& times, const std::string& family) const;
  size_t num_families() const { return all_.size(); }

 private:
  using ByFamily = std::map<std::string, double>;
  double SeenOf(const ByFamily& shares, const std::string& without) const;

  absl::flat_hash_map<std::string, ByFamily> shares_;  // by class, the largest of a family's models
  std::set<std::string> all_;
};

}  // namespace hwest
