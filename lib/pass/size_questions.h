// SizeQuestions: what was asked of a graph whose answer may follow the sizes of its values. While the answers stay, so
// does whatever was decided by them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace hwest {

class SizeQuestions {
 public:
  using Ask = std::function<int()>;

  // The question `of` about nodes or values `at`; it is kept once. What `ask` refers to outlives this.
  void Add(const void* of, uint64_t at, Ask ask, int answer) {
    if (seen_.emplace(of, at).second) rows_.push_back({std::move(ask), answer});
  }
  // Something else was looked at: nothing says whether the decision stays.
  void GiveUp() { is_all_ = false; }

  bool HaveSameAnswers() const {
    if (!is_all_) return false;
    for (const auto& [ask, answer] : rows_) {
      if (ask() != answer) return false;
    }
    return true;
  }

 private:
  bool is_all_ = true;
  std::vector<std::pair<Ask, int>> rows_;
  std::set<std::pair<const void*, uint64_t>> seen_;
};

}  // namespace hwest
