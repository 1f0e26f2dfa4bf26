// The rows of the C ABI, made from the same view that reports print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hwest.h"
#include "hwest/analysis.h"
#include "report/view.h"

namespace hwest::capi {

// Rows owns every string and array that the structs made from it point to.
class Rows {
 public:
  explicit Rows(const Analysis& analysis);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  hwest_totals Totals() const;
  size_t num_groups() const { return groups_.size(); }
  // Requires index < num_groups().
  hwest_group Group(size_t index) const;

 private:
  struct CountText {
    int64_t value = -1;
    std::string text;  // empty = unknown
  };
  static CountText TextOf(const Count& count);
  static hwest_count CountOf(const CountText& count);

  RequestView request_;
  ModelFacts model_;
  SummaryView summary_;
  CoverageView coverage_;
  int32_t grade_ = HWEST_GRADE_UNKNOWN;
  CountText macs_, int_macs_, flops_;
  std::vector<std::string> units_;
  std::vector<GroupRow> groups_;
  std::vector<std::vector<uint32_t>> nodes_;  // by group
};

}  // namespace hwest::capi
