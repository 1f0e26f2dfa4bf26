// The work that measurements cover: classes of operators in which models of several families spend time.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "plan/evidence.h"

namespace hwest {

class SeenWork {
 public:
  // A model of `family` was measured that takes these times.
  void Add(const std::string& family, const TimeByClass& times);

  // Classes that are seen, as Evidence has them.
  std::string Classes() const;
  // Share of the times in classes that are not seen without the models of `family`.
  double UnseenShare(const TimeByClass& times, const std::string& family) const;
  size_t num_families() const { return all_.size(); }

 private:
  bool IsSeen(absl::string_view operator_class, const std::string& without) const;

  absl::flat_hash_map<std::string, std::set<std::string>> families_;  // by class
  std::set<std::string> all_;
};

}  // namespace hwest
