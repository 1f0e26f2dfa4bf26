// check: models against their budgets, for people and as a gate in CI.
#include <fstream>
#include <iterator>
#include <utility>

#include "app/check.h"
#include "base/status_macros.h"
#include "budget/report.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// The check that MODEL and flags make.
absl::StatusOr<Budget> BudgetOfFlags(const Options& options) {
  if (!options.budget.path.empty()) {
    return MakeError(Code::kUsage, "a model and --budget were both named", "a budget names its models; give one of them");
  }
  if (options.request.target.empty()) return MakeError(Code::kUsage, "no target was named", "add --target NAME");
  if (options.budget.limits.empty()) {
    return MakeError(Code::kUsage, "no limit was given", "add one, e.g. --max-latency 12ms, or use --budget FILE");
  }
  if (options.budget.update) return MakeError(Code::kUsage, "--update writes into a budget file", "add --budget FILE");
  const std::string& model = options.words[0];
  return Budget{"", {app::CheckOf(model, model, options.request, options.budget.limits, options.budget.judge)}};
}

absl::StatusOr<Budget> BudgetOfFile(const Options& options) {
  const RequestDraft& request = options.request;
  const bool has_point = !request.target.empty() || !request.mode.empty() || request.precision != "auto" ||
                         request.bind.batch.has_value() || !request.bind.dims.empty() ||
                         request.context.has_value();
  if (has_point || !options.budget.limits.empty()) {
    return MakeError(Code::kUsage, "limits and targets of a budget stand in its file",
                     "name a model before the flags, or leave them out");
  }
  return ReadBudget(options.budget.path.empty() ? kDefaultBudget : options.budget.path);
}

absl::StatusOr<Budget> BudgetOf(const Options& options) {
  HWEST_ASSIGN_OR_RETURN(Budget budget, options.words.empty() ? BudgetOfFile(options) : BudgetOfFlags(options));
  if (options.budget.undecided.has_value()) budget.undecided = *options.budget.undecided;
  return budget;
}

absl::Status Update(const Budget& budget, const std::vector<CheckResult>& results) {
  std::ifstream file(budget.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  HWEST_ASSIGN_OR_RETURN(const std::string updated, WithValuesOfToday(text, budget, results));
  return WriteFile(budget.path, [&](Sink sink) { return sink(updated); });
}

void WarnUndecided(const app::CheckReport& report, const Options& options, const Streams& streams) {
  const size_t undecided = app::TallyOf(report.results).undecided;
  if (undecided == 0 || options.quiet == Quiet::kYes) return;
  std::fprintf(streams.err, "onnx-hwest: warning: %s: inside the interval of the estimate\n",
               app::LimitsText(undecided, "undecided").c_str());
}

}  // namespace

absl::Status RunCheckVerb(const Options& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(Budget budget, BudgetOf(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kCheck, options.report.format));
  HWEST_ASSIGN_OR_RETURN(const app::CheckReport report,
                         app::Check(std::move(budget), options.request, WatchOf(options, streams)));
  HWEST_RETURN_IF_ERROR(Deliver(
      options, streams, [&](Sink sink) { return WriteCheck(report.budget, report.results, options.report, sink); }));
  if (options.budget.update) HWEST_RETURN_IF_ERROR(Update(report.budget, report.results));
  const absl::Status gate = app::GateOf(report);
  if (DiagnosticOf(gate).code != Code::kCheckFailed || gate.ok()) WarnUndecided(report, options, streams);
  return gate.ok() ? gate : AfterReport(gate);
}

}  // namespace hwest
