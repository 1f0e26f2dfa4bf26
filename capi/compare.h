// State that fills the tables of comparisons and checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/check.h"
#include "app/diff.h"
#include "budget/report.h"
#include "report/cell.h"
#include "sweep/row.h"

namespace hwest::capi {

using DiffState = app::DiffReport;

// A limit and its check; a CheckState owns both.
struct CheckLine {
  const CheckResult* check;
  const LimitLine* line;
  std::string file;  // of the budget; "" = none

  std::optional<int64_t> file_line() const {
    return line->limit.line > 0 ? std::optional<int64_t>(line->limit.line) : std::nullopt;
  }
};

struct CheckState {
  CheckState(Budget asked, std::vector<CheckResult> found) : budget(std::move(asked)), results(std::move(found)) {
    for (const CheckResult& check : results) {
      for (const LimitLine& line : check.lines) lines.push_back({&check, &line, budget.path});
    }
  }
  CheckState(const CheckState&) = delete;
  CheckState& operator=(const CheckState&) = delete;

  int64_t Count(BudgetVerdict verdict) const {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const CheckLine& row) { return row.line->verdict == verdict; });
  }

  const Budget budget;
  const std::vector<CheckResult> results;
  std::vector<CheckLine> lines;
};

inline std::optional<double> NumberOf(const Cell& cell) {
  return cell.is_number() ? std::optional<double>(cell.figure()) : std::nullopt;
}

}  // namespace hwest::capi
