// check: models against their budgets, for people and as a gate in CI.
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "budget/report.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// The check that MODEL and flags make.
absl::StatusOr<Budget> BudgetOfFlags(const CheckOptions& options) {
  if (!options.budget.empty()) {
    return MakeError(Code::kUsage, "a model and --budget were both named", "a budget names its models; give one of them");
  }
  if (options.request.target.empty()) return MakeError(Code::kUsage, "no target was named", "add --target NAME");
  if (options.limits.empty()) {
    return MakeError(Code::kUsage, "no limit was given", "add one, e.g. --max-latency 12ms, or use --budget FILE");
  }
  if (options.update) return MakeError(Code::kUsage, "--update writes into a budget file", "add --budget FILE");
  BudgetCheck check;
  check.model = check.model_path = options.words[0];
  check.target = options.request.target;
  check.mode = options.request.mode;
  check.precision = options.request.precision;
  check.batch = options.request.bind.batch;
  check.dims = options.request.bind.dims;
  check.limits = options.limits;
  for (BudgetLimit& limit : check.limits) limit.judge = options.judge;
  return Budget{"", {std::move(check)}};
}

absl::StatusOr<Budget> BudgetOfFile(const CheckOptions& options) {
  const RequestDraft& request = options.request;
  const bool has_point = !request.target.empty() || !request.mode.empty() || request.precision != "auto" ||
                         request.bind.batch.has_value() || !request.bind.dims.empty() ||
                         request.context.has_value();
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

struct Tally {
  size_t over = 0, unknown = 0, undecided = 0;
};

Tally TallyOf(const std::vector<CheckResult>& results) {
  Tally tally;
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      tally.over += line.verdict == BudgetVerdict::kOver;
      tally.unknown += line.verdict == BudgetVerdict::kUnknown;
      tally.undecided += line.verdict == BudgetVerdict::kUndecided;
    }
  }
  return tally;
}

std::string LimitsText(size_t count, const char* are) {
  return count == 1 ? absl::StrCat("1 limit is ", are) : absl::StrCat(count, " limits are ", are);
}

absl::Status StatusOf(const Tally& tally, const Budget& budget, const CheckOptions& options, const Streams& streams) {
  if (tally.over > 0) {
    return AfterReport(MakeError(Code::kCheckFailed, LimitsText(tally.over, "broken"),
                                 "the report says by how much, and what would help"));
  }
  if (tally.undecided > 0 && Refuses(budget, BudgetVerdict::kUndecided)) {
    return AfterReport(MakeError(Code::kCheckFailed, LimitsText(tally.undecided, "undecided"),
                                 "judge by the point or the upper end alone, or let it pass with --undecided warn"));
  }
  if (tally.undecided > 0 && options.quiet == Quiet::kNo) {
    std::fprintf(streams.err, "onnx-hwest: warning: %s: inside the interval of the estimate\n",
                 LimitsText(tally.undecided, "undecided").c_str());
  }
  if (tally.unknown == 0) return absl::OkStatus();
  return AfterReport(MakeError(Code::kIncomplete,
                               absl::StrCat(tally.unknown, tally.unknown == 1 ? " figure is unknown" : " figures are unknown"),
                               "the report says what is missing"));
}

}  // namespace

absl::Status RunCheckVerb(const CheckOptions& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(const Budget budget, BudgetOf(options));
  const auto nowhere = [](absl::string_view) { return absl::OkStatus(); };
  HWEST_RETURN_IF_ERROR(WriteCheck({}, {}, options.report, nowhere));
  const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
  HWEST_ASSIGN_OR_RETURN(const std::vector<CheckResult> results, RunBudget(budget, options.request, {progress, nullptr}));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteCheck(budget, results, options.report, sink); }));
  if (options.update) HWEST_RETURN_IF_ERROR(Update(budget, results));
  return StatusOf(TallyOf(results), budget, options, streams);
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

// clang-format off: a paragraph a flag
constexpr Flag kCheckFlags[] = {
    {.name = "--budget", .value = "FILE", .help = "file of limits, see `onnx-hwest describe budget`", .group = "Budget",
     .set = SetText<&CheckOptions::budget>, .default_text = kDefaultBudget, .example = kDefaultBudget,
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
    {.name = "--judge", .value = "WHICH",
     .help = "point: the estimate; upper: the worse end of its interval; interval: both ends", .group = "Budget",
     .set = SetChoice<&CheckOptions::judge>, .named_choices = NamesOf<JudgeName, Judge, kNumEnumerators<Judge>>,
     .default_text = "point"},
    {.name = "--undecided", .value = "WHAT", .help = "fail or warn when a limit judged by both ends lies between them",
     .group = "Budget", .set = SetChoice<&CheckOptions::undecided>, .choices = kUndecidedWords,
     .default_text = "as the budget says, else fail", .is_rare = true},
    {.name = "--update", .help = "write the values of today as comments beside the limits of the budget file",
     .group = "Budget", .set = Switch<true, &CheckOptions::update>, .is_rare = true, .is_form = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> CheckVerbFlags() { return kCheckFlags; }

}  // namespace hwest
