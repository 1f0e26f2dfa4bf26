// Checking a file for `targets lint`.
#include <algorithm>
#include <array>
#include <utility>

#include "hwest/target.h"
#include "target/convert.h"
#include "target/read.h"
#include "target/walk.h"

namespace hwest {
namespace {

constexpr size_t kTrusts = 7;

// Counts the figures of a file by trust. Support rows of a toolchain count as one figure each.
std::array<size_t, kTrusts> CountTrust(const google::protobuf::Message& root) {
  std::array<size_t, kTrusts> counts{};
  Walk(root, nullptr, [&](const WalkStep& step) {
    int trust = -1;
    if (step.type->name() == "Fact") {
      const auto& fact = static_cast<const proto::Fact&>(*step.message);
      if (fact.has_value()) trust = fact.trust();
    } else if (step.type->name() == "Support") {
      trust = static_cast<const proto::Support&>(*step.message).trust();
    }
    if (trust >= 0 && trust < static_cast<int>(kTrusts)) ++counts[static_cast<size_t>(trust)];
  });
  return counts;
}

void AddShares(const google::protobuf::Message& root, LintReport* report) {
  const auto counts = CountTrust(root);
  for (const size_t count : counts) report->facts += count;
  for (size_t i = 0; i < kTrusts; ++i) {
    if (counts[i] == 0) continue;
    const double share = static_cast<double>(counts[i]) / static_cast<double>(report->facts);
    report->trust.push_back({static_cast<Trust>(i), counts[i], share});
  }
}

size_t CountNoted(const proto::Toolchain& toolchain) {
  size_t noted = 0;
  for (const proto::Support& row : toolchain.support()) {
    if (!row.no() && !row.note().empty()) noted += static_cast<size_t>(row.op_size());
  }
  return noted;
}

}  // namespace

size_t ErrorsIn(const LintReport& report) {
  return static_cast<size_t>(std::count_if(report.problems.begin(), report.problems.end(),
                                           [](const LintProblem& row) { return row.severity == Severity::kError; }));
}

LintReport LintTarget(absl::string_view text, absl::string_view origin) {
  LintReport report{.origin = std::string(origin)};
  ReadResult<proto::Target> target = ReadTarget(text, origin);
  if (!target.problems.empty() && target.problems.front().path.empty()) {
    const ReadResult<proto::Toolchain> toolchain = ReadToolchain(text, origin);
    const bool parsed = toolchain.problems.empty() || !toolchain.problems.front().path.empty();
    // A file that parses as neither counts as the kind whose first error comes later.
    if (parsed || toolchain.problems.front().line > target.problems.front().line) {
      report.problems = toolchain.problems;
      report.noted = CountNoted(toolchain.message);
      AddShares(toolchain.message, &report);
      return report;
    }
  }
  report.problems = std::move(target.problems);
  report.problems.insert(report.problems.end(), target.warnings.begin(), target.warnings.end());
  AddShares(target.message, &report);
  return report;
}

}  // namespace hwest
