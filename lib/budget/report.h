// Reports of a check: for people, for programs, and in the forms that CI services read.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "budget/judge.h"
#include "report/report.h"

namespace hwest {

// Formats: text, json, csv, markdown (at most 900 kB, to fit a job summary), junit, sarif, codequality,
// openmetrics, benchmark (github-action-benchmark, customSmallerIsBetter: without rates) and bencher (Bencher Metric
// Format). Errors: kUsage for other formats; those of `sink`.
absl::Status WriteCheck(const Budget& budget, const std::vector<CheckResult>& results, const ReportOptions& options,
                        Sink sink);

// One function per format of CI services. Formats with a verdict agree with the exit code; benchmark and bencher hold
// figures.
std::string CheckAsJunit(const Budget& budget, const std::vector<CheckResult>& results);
std::string CheckAsSarif(const Budget& budget, const std::vector<CheckResult>& results);
std::string CheckAsCodeQuality(const Budget& budget, const std::vector<CheckResult>& results);
std::string CheckAsOpenMetrics(const Budget& budget, const std::vector<CheckResult>& results);
std::string CheckAsBenchmark(const std::vector<CheckResult>& results);
std::string CheckAsBencher(const std::vector<CheckResult>& results);

// "latency at most 12.00 ms"
std::string LimitText(const BudgetLimit& limit);
// "13.00 ms (9.000 ms to 18.00 ms), 1.000 ms too much (8.3 % of the limit); holds with 38 %"; with Judge::kUpper it is
// the worse end that is too much.
std::string FindingText(const LimitLine& line);
// The most expensive groups and the change that would mend the line, a sentence each; empty if the line holds.
std::vector<std::string> HelpTexts(const LimitLine& line);

// The text of the budget file with today's values as comments beside the limits. Errors: kUsage for a JSON budget,
// which cannot have comments.
absl::StatusOr<std::string> WithValuesOfToday(absl::string_view text, const Budget& budget,
                                              const std::vector<CheckResult>& results);

}  // namespace hwest
