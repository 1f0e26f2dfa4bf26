// check: checks models against their budgets, for people and as a gate in CI.
#include <fstream>
#include <iterator>
#include <utility>

#include "app/check.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "budget/report.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// The budget that MODEL and flags describe.
absl::StatusOr<Budget> BudgetOfFlags(const CheckOptions& options) {
  if (!options.budget.empty()) {
    return MakeError(Code::kUsage, "a model and --budget were both named",
                     "a budget names its models; give one of them");
  }
  if (options.request.target.empty()) return MakeError(Code::kUsage, "no target was named", "add --target NAME");
  if (options.limits.empty()) {
    return MakeError(Code::kUsage, "no limit was given", "add one, e.g. --max-latency 12ms, or use --budget FILE");
  }
  if (options.update) return MakeError(Code::kUsage, "--update writes into a budget file", "add --budget FILE");
  const std::string& model = options.words[0];
  return Budget{"", {app::CheckOf(model, model, options.request, options.limits, options.judge)}};
}

absl::StatusOr<Budget> BudgetOfFile(const CheckOptions& options) {
  const RequestDraft& request = options.request;
  const bool has_point = !request.target.empty() || !request.mode.empty() || request.precision != "auto" ||
                         request.bind.batch.has_value() || !request.bind.dims.empty() || request.context.has_value();
  if (has_point || !options.limits.empty()) {
    return MakeError(Code::kUsage, "limits and targets of a budget stand in its file",
                     "name a model before the flags, or leave them out");
  }
  return ReadBudget(options.budget.empty() ? kDefaultBudget : options.budget);
}

absl::StatusOr<Budget> BudgetOf(const CheckOptions& options) {
  HWEST_ASSIGN_OR_RETURN(Budget budget, options.words.empty() ? BudgetOfFile(options) : BudgetOfFlags(options));
  if (options.undecided.has_value()) budget.undecided = *options.undecided;
  return budget;
}

absl::Status Update(const Budget& budget, const std::vector<CheckResult>& results) {
  std::ifstream file(budget.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  HWEST_ASSIGN_OR_RETURN(const std::string updated, WithValuesOfToday(text, budget, results));
  return WriteFile(budget.path, [&](Sink sink) { return sink(updated); });
}

void WarnUndecided(const app::CheckReport& report, const CheckOptions& options, const Streams& streams) {
  const size_t undecided = app::TallyOf(report.results).undecided;
  if (undecided == 0 || options.quiet == Quiet::kYes) return;
  std::fprintf(streams.err, "onnx-hwest: warning: %s: inside the interval of the estimate\n",
               app::LimitsText(undecided, "undecided").c_str());
}

}  // namespace

absl::Status RunCheckVerb(const CheckOptions& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(Budget budget, BudgetOf(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kCheck, options.report.format));
  HWEST_ASSIGN_OR_RETURN(const app::CheckReport report,
                         app::Check(std::move(budget), options.request, WatchOf(options, streams)));
  HWEST_RETURN_IF_ERROR(Deliver(
      options, streams, [&](Sink sink) { return WriteCheck(report.budget, report.results, options.report, sink); }));
  if (options.update) HWEST_RETURN_IF_ERROR(Update(report.budget, report.results));
  const absl::Status gate = app::GateOf(report);
  if (DiagnosticOf(gate).code != Code::kCheckFailed || gate.ok()) WarnUndecided(report, options, streams);
  return gate.ok() ? gate : AfterReport(gate);
}

namespace {

constexpr char kUndecidedWords[] = "fail warn";  // by their numbers
static_assert(NumWords(kUndecidedWords) == kNumEnumerators<Undecided>);

template <BudgetFigure figure>
absl::Status AddLimit(const Flag&, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(BudgetLimit limit, ParseLimit(figure, value));
  dynamic_cast<CheckOptions&>(*options).limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::Status AddFits(const Flag&, const std::string&, Options* options) {
  dynamic_cast<CheckOptions&>(*options).limits.push_back(FitsLimit());
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kCheckFlags[] = {
    {.name = "--budget", .value = "FILE", .help = "file of limits, see `onnx-hwest describe budget`", .group = "Budget",
     .set = SetText<&CheckOptions::budget>, .default_text = TextIn(kDefaultBudget), .example = TextIn(kDefaultBudget),
     .path = PathIn::kFile},
    {.name = "--max-latency", .value = "TIME", .help = "latency of one run", .group = "Budget",
     .set = AddLimit<BudgetFigure::kLatency>, .example = "12ms"},
    {.name = "--min-rate", .value = "RATE", .help = "inputs per second", .group = "Budget",
     .set = AddLimit<BudgetFigure::kRate>, .example = "30"},
    {.name = "--max-energy", .value = "ENERGY", .help = "energy of one run", .group = "Budget",
     .set = AddLimit<BudgetFigure::kEnergy>, .example = "200mJ"},
    {.name = "--max-power", .value = "POWER", .help = "average power", .group = "Budget",
     .set = AddLimit<BudgetFigure::kPower>, .example = "15W"},
    {.name = "--max-memory", .value = "SIZE", .help = "peak of memory in use", .group = "Budget",
     .set = AddLimit<BudgetFigure::kPeakMemory>, .example = "64MB"},
    {.name = "--max-fallback", .value = "SHARE",
     .help = "share of the latency that CPUs take and accelerators could save", .group = "Budget",
     .set = AddLimit<BudgetFigure::kFallback>, .example = "5%"},
    {.name = "--max-ttft", .value = "TIME",
     .help = "time to the first token of a language model, on the target's runtime, for a prompt of 128 tokens",
     .group = "Budget", .set = AddLimit<BudgetFigure::kTtft>, .example = "500ms"},
    {.name = "--min-tokens-per-s", .value = "RATE", .help = "tokens per second of its answer", .group = "Budget",
     .set = AddLimit<BudgetFigure::kTokensPerS>, .example = "10"},
    {.name = "--fits", .help = "the memories of the target hold the model", .group = "Budget", .set = AddFits},
    {.name = "--judge", .value = "WHICH",
     .help = "point: the estimate; upper: the worse end of its interval; interval: both ends", .group = "Budget",
     .set = SetChoice<&CheckOptions::judge>, .named_choices = NamesOf<JudgeName, Judge, kNumEnumerators<Judge>>,
     .default_text = "point"},
    {.name = "--undecided", .value = "WHAT", .help = "fail or warn when a limit judged by both ends lies between them",
     .group = "Budget", .set = SetChoice<&CheckOptions::undecided>, .choices = TextIn(kUndecidedWords),
     .default_text = "as the budget says, else fail", .is_rare = true},
    {.name = "--update", .help = "write the values of today as comments beside the limits of the budget file",
     .group = "Budget", .set = Switch<true, &CheckOptions::update>, .is_rare = true, .is_form = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> CheckVerbFlags() { return kCheckFlags; }

}  // namespace hwest
