#include "budget/judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/generation.h"
#include "hwest/llm.h"
#include "plan/memory_needs.h"
#include "report/getters.h"
#include "report/read_json.h"
#include "report/view.h"
#include "report/view_parts.h"
#include "study/what_if.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kCostlyGroups = 3;
constexpr size_t kMostNamed = 5;  // nodes

std::string MissingTimes(const Analysis& analysis) {
  return absl::StrCat(analysis.coverage.nodes - analysis.coverage.costed, " of ", analysis.coverage.nodes,
                      " nodes have no time");
}

Figured Exact(std::optional<double> value) {
  return {value, value, value, false, value.has_value() ? "" : "it is not known"};
}

Figured CountOf(const Count& count, bool is_part, const std::string& why) {
  const auto* number = std::get_if<int64_t>(&count);
  Figured known = Exact(number != nullptr ? std::optional<double>(static_cast<double>(*number)) : std::nullopt);
  known.is_part = is_part;
  if (is_part) known.why = why;
  return known;
}

bool HasAccelerator(const Target& target) {
  return std::any_of(target.units.begin(), target.units.end(),
                     [](const Unit& unit) { return unit.placeable && !IsCpu(unit); });
}

// Whether a group runs on a CPU although the target has accelerators and its operator is not allowed to stay there.
bool FallsBack(const Analysis& analysis, const PlannedGroup& planned, const std::vector<std::string>& allow) {
  const bool is_allowed = std::find(allow.begin(), allow.end(), analysis.graph->op(RootOf(planned))) != allow.end();
  return HasAccelerator(*analysis.target) && planned.unit.valid() && IsCpu(analysis.target->units[planned.unit]) &&
         !is_allowed;
}

// The share of time in groups that fall back; none without any time.
std::optional<double> FallbackShare(const Analysis& analysis, const std::vector<std::string>& allow) {
  double all_s = 0, fallen_s = 0;
  for (const PlannedGroup& group : analysis.plan->groups) {
    if (!group.estimate.has_value()) continue;
    all_s += group.estimate->time_s;
    if (FallsBack(analysis, group, allow)) fallen_s += group.estimate->time_s;
  }
  if (all_s > 0) return fallen_s / all_s;
  return HasAccelerator(*analysis.target) ? std::nullopt : std::optional<double>(0);
}

// A figure, now or before, for limits on growth.
struct Measure {
  std::optional<double> value;
  bool is_part = false;  // a part is unknown
};

absl::StatusOr<Measure> MeasureBefore(const BudgetLimit& limit, const Analysis& analysis) {
  HWEST_ASSIGN_OR_RETURN(const Cell report, ReadSavedAnalysis(limit.against));
  const Cell* request = FindMember(report, "request");
  if (request == nullptr || TextMember(*request, "target") != analysis.target->name) {
    return MakeError(Code::kUsage,
                     absl::StrCat(EscapeControl(limit.against), " is of another target than ", analysis.target->name),
                     "save a report of the same model on the same target");
  }
  const Cell* summary = FindMember(report, "summary");
  if (summary == nullptr) return Measure();
  const bool is_latency = limit.figure == BudgetFigure::kLatencyGrowth;
  return Measure{FigureMember(*summary, is_latency ? "latency_s" : "peak_memory_bytes"),
                 !CoversAll(report, is_latency ? "costed" : "typed")};
}

Measure MeasureNow(const BudgetLimit& limit, const SummaryView& s) {
  if (limit.figure == BudgetFigure::kLatencyGrowth) return {s.latency_s, s.incomplete.value_or(false)};
  const std::optional<int64_t>& bytes = s.peak_memory_bytes;
  return {bytes.has_value() ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt, s.bytes_partial};
}

Figured Growth(const Measure& now, const Measure& before) {
  if (before.is_part) return {.why = "the saved report does not know all of it"};
  if (!before.value.has_value() || *before.value <= 0) return {.why = "the saved report has no such figure"};
  if (!now.value.has_value()) return {.why = "it is not known"};
  Figured known = Exact(*now.value / *before.value - 1);
  known.is_part = now.is_part;
  if (now.is_part) known.why = "some of it is not known";
  return known;
}

// Bytes that the memories lack.
Figured MissingMemory(const Analysis& analysis) {
  if (const std::string why = UnknownFitText(analysis.memory_needs); !why.empty()) return {.why = why};
  int64_t missing = 0;
  for (const MemoryNeed& need : analysis.memory_needs) {
    missing += std::max<int64_t>(0, need.needed_bytes() - need.size_bytes.value_or(0));
  }
  return Exact(static_cast<double>(missing));
}

Figured Interval(std::optional<double> value, std::optional<double> low, std::optional<double> high, bool incomplete,
                 const Analysis& analysis) {
  Figured known{value, low, high, incomplete, ""};
  if (incomplete) known.why = MissingTimes(analysis);
  if (!incomplete && !value.has_value()) known.why = "the target states too little for it";
  return known;
}

// A rate has the interval of its time. Nodes without a time can only lower it.
Figured RateOf(const SummaryView& s, const Analysis& analysis) {
  if (!s.throughput_per_s.has_value()) return {.why = MissingTimes(analysis)};
  const bool is_part = s.incomplete.value_or(false);
  Figured known{s.throughput_per_s, std::nullopt, std::nullopt, is_part, is_part ? MissingTimes(analysis) : ""};
  const bool has_interval = s.latency_s.has_value() && s.latency_low_s.has_value() && s.latency_high_s.has_value() &&
                            *s.latency_low_s > 0 && *s.latency_high_s > 0;
  if (!has_interval) return known;
  known.low = *s.throughput_per_s * *s.latency_s / *s.latency_high_s;
  known.high = *s.throughput_per_s * *s.latency_s / *s.latency_low_s;
  return known;
}

// A language model on the target's runtime.
absl::StatusOr<LlmResult> OnRuntime(const BudgetLimit& limit, const Analysis& analysis) {
  HWEST_ASSIGN_OR_RETURN(const Decoder decoder, DecoderOfGraph(analysis.graph));
  return EstimateLlm(decoder, *analysis.target, {.prompts = {limit.prompt}});
}

absl::StatusOr<Figured> OfTokens(const BudgetLimit& limit, const Analysis& analysis) {
  const absl::StatusOr<LlmResult> result = OnRuntime(limit, analysis);
  if (!result.ok()) return Figured{.why = DiagnosticOf(result.status()).message};
  if (result->rows.empty()) return Figured{.why = result->refusal};
  const LlmRow& row = result->rows.front();
  if (limit.figure == BudgetFigure::kTtft) return Figured{row.ttft_s.value, row.ttft_s.low, row.ttft_s.high, false, ""};
  return Figured{1 / row.token_s.value, 1 / row.token_s.high, 1 / row.token_s.low, false, ""};
}

bool IsAboutMemory(BudgetFigure figure) {
  return figure == BudgetFigure::kPeakMemory || figure == BudgetFigure::kMissingMemory;
}

// What the runtime of a language model keeps in memory, for a prompt and its answer; none = nothing here runs it so,
// and the analysis says what its kernels need.
std::optional<LlmResult> RuntimeMemory(const BudgetLimit& limit, const Analysis& analysis) {
  const std::optional<Decoder> decoder = IsAboutMemory(limit.figure) ? DecoderIfAny(analysis.graph) : std::nullopt;
  if (!decoder.has_value()) return std::nullopt;
  LlmRequest request{.prompts = {limit.prompt}};
  if (limit.context.has_value()) {
    request.contexts = {*limit.context};
    request.prompts = {std::min(limit.prompt, *limit.context)};
  }
  absl::StatusOr<LlmResult> result = EstimateLlm(*decoder, *analysis.target, request);
  if (!result.ok() || result->rows.empty()) return std::nullopt;
  return *std::move(result);
}

Figured OfRuntimeMemory(const BudgetLimit& limit, const LlmResult& result) {
  const double needed = result.rows.front().memory.total_bytes();
  if (limit.figure == BudgetFigure::kPeakMemory) return Exact(needed);
  if (!result.memory_bytes.has_value()) return {.why = "the memory of the target is not stated"};
  return Exact(std::max(0.0, needed - *result.memory_bytes));
}

absl::StatusOr<Figured> FigureOf(const BudgetLimit& limit, const SummaryView& s, const Analysis& analysis) {
  const bool incomplete = s.incomplete.value_or(false);
  if (const std::optional<LlmResult> memory = RuntimeMemory(limit, analysis); memory.has_value()) {
    return OfRuntimeMemory(limit, *memory);
  }
  switch (limit.figure) {
    case BudgetFigure::kLatency: return Interval(s.latency_s, s.latency_low_s, s.latency_high_s, incomplete, analysis);
    case BudgetFigure::kRate: return RateOf(s, analysis);
    case BudgetFigure::kEnergy: return Interval(s.energy_j, s.energy_low_j, s.energy_high_j, incomplete, analysis);
    case BudgetFigure::kPower: return Interval(s.power_w, std::nullopt, std::nullopt, incomplete, analysis);
    case BudgetFigure::kPeakMemory: {
      Figured known =
          Exact(s.peak_memory_bytes.has_value() ? std::optional<double>(static_cast<double>(*s.peak_memory_bytes))
                                                : std::nullopt);
      known.is_part = s.bytes_partial;
      if (s.bytes_partial) known.why = "the size of some value is not known";
      return known;
    }
    case BudgetFigure::kMacs: return CountOf(s.macs, s.counts_partial, "some node could not be counted");
    case BudgetFigure::kParams: return Exact(static_cast<double>(analysis.params.params));
    case BudgetFigure::kFallback: {
      Figured known = Exact(FallbackShare(analysis, limit.allow));
      if (!incomplete) return known;
      return Figured{.why = MissingTimes(analysis)};
    }
    case BudgetFigure::kSegments: return Exact(static_cast<double>(analysis.plan->segments.size()));
    case BudgetFigure::kUnknown: return Exact(static_cast<double>(analysis.coverage.nodes - analysis.coverage.costed));
    case BudgetFigure::kLatencyGrowth:
    case BudgetFigure::kPeakMemoryGrowth: {
      HWEST_ASSIGN_OR_RETURN(const Measure before, MeasureBefore(limit, analysis));
      return Growth(MeasureNow(limit, s), before);
    }
    case BudgetFigure::kMissingMemory: return MissingMemory(analysis);
    case BudgetFigure::kTtft:
    case BudgetFigure::kTokensPerS: return OfTokens(limit, analysis);
  }
  return Figured();
}

bool IsAboutTokens(BudgetFigure figure) { return figure == BudgetFigure::kTtft || figure == BudgetFigure::kTokensPerS; }
bool IsAboutEnergy(BudgetFigure figure) { return figure == BudgetFigure::kEnergy || figure == BudgetFigure::kPower; }
bool IsAboutTime(BudgetFigure figure) {
  return figure == BudgetFigure::kLatency || figure == BudgetFigure::kRate || figure == BudgetFigure::kLatencyGrowth;
}

// What a group adds to the figure of the limit.
double AmountOf(const Analysis& analysis, const PlannedGroup& planned, const BudgetLimit& limit) {
  switch (limit.figure) {
    case BudgetFigure::kEnergy:
    case BudgetFigure::kPower: return planned.estimate->energy.total();
    case BudgetFigure::kMacs: return static_cast<double>(planned.work.macs);
    case BudgetFigure::kParams: return static_cast<double>(planned.work.weight_bytes);
    case BudgetFigure::kPeakMemory:
    case BudgetFigure::kPeakMemoryGrowth:
    case BudgetFigure::kMissingMemory:
      return static_cast<double>(planned.work.weight_bytes) + static_cast<double>(planned.work.out_bytes);
    case BudgetFigure::kFallback: return FallsBack(analysis, planned, limit.allow) ? planned.estimate->time_s : 0;
    default: return planned.estimate->time_s;
  }
}

std::string SourceLineOf(const Analysis& analysis, const PlannedGroup& planned) {
  for (const NodeId node : planned.group.nodes) {
    const absl::string_view line = analysis.graph->str(analysis.graph->node(node).source_line);
    if (!line.empty()) return std::string(line);
  }
  return "";
}

std::vector<CostlyGroup> CostliestGroups(const Analysis& analysis, const BudgetLimit& limit) {
  std::vector<CostlyGroup> groups;
  double all = 0;
  for (size_t i = 0; i < analysis.plan->groups.size(); ++i) {
    const PlannedGroup& planned = analysis.plan->groups[i];
    if (!planned.estimate.has_value()) continue;
    const double amount = AmountOf(analysis, planned, limit);
    all += amount;
    if (amount <= 0) continue;
    groups.push_back(
        {GroupId(i), analysis.graph->Label(RootOf(planned)), std::string(planned.group.pattern), amount, 0});
  }
  // Of time also what passes between kernels, as in every other table.
  if (GroupAmountKind(limit.figure) == AmountKind::kSeconds) all = std::max(all, analysis.plan->latency_s);
  const auto is_costlier = [](const CostlyGroup& a, const CostlyGroup& b) { return a.amount > b.amount; };
  std::stable_sort(groups.begin(), groups.end(), is_costlier);
  if (groups.size() > kCostlyGroups) groups.resize(kCostlyGroups);
  for (CostlyGroup& group : groups) {
    group.share = all > 0 ? group.amount / all : 0;
    group.source_line = SourceLineOf(analysis, analysis.plan->groups[group.id.index()]);
  }
  return groups;
}

// "without a time: 'a', 'b' and 3 more"
std::string UnknownNodes(const Analysis& analysis) {
  const std::vector<NodeId>& nodes = analysis.coverage.unknown_nodes;
  std::string text;
  for (size_t i = 0; i < std::min(nodes.size(), kMostNamed); ++i) {
    absl::StrAppend(&text, i == 0 ? "without a time: '" : ", '", analysis.graph->Label(nodes[i]), "'");
  }
  if (nodes.size() > kMostNamed) absl::StrAppend(&text, " and ", nodes.size() - kMostNamed, " more");
  return text;
}

// The growth of a line when its figure becomes `ratio` times what it is now.
std::optional<double> GrownBy(const LimitLine& line, double ratio) {
  return line.value.has_value() ? std::optional<double>(ratio * (1 + *line.value) - 1) : std::nullopt;
}

// The figure with a change applied; none where the change does not report it.
std::optional<double> FigureWith(const WhatIfRow& row, const LimitLine& line, const SummaryView& now) {
  // What a cut leaves to the CPU is part of the time; of its other figures nothing is known.
  if (row.beside_s.has_value() && line.limit.figure != BudgetFigure::kLatency) return std::nullopt;
  switch (line.limit.figure) {
    case BudgetFigure::kLatency: return row.latency_s + row.beside_s.value_or(0);
    case BudgetFigure::kRate:
      return row.interval_s > 0 ? std::optional<double>(static_cast<double>(row.batch) / row.interval_s) : std::nullopt;
    case BudgetFigure::kEnergy: return row.energy_j;
    case BudgetFigure::kPower:
      if (!row.energy_j.has_value() || row.interval_s <= 0) return std::nullopt;
      return *row.energy_j / row.interval_s;
    case BudgetFigure::kLatencyGrowth:
      if (!now.latency_s.has_value() || *now.latency_s <= 0) return std::nullopt;
      return GrownBy(line, row.latency_s / *now.latency_s);
    case BudgetFigure::kPeakMemory:
      return now.bytes_partial ? std::nullopt : std::optional<double>(static_cast<double>(row.peak_memory_bytes));
    case BudgetFigure::kPeakMemoryGrowth:
      if (now.bytes_partial || now.peak_memory_bytes.value_or(0) <= 0) return std::nullopt;
      return GrownBy(line, static_cast<double>(row.peak_memory_bytes) / static_cast<double>(*now.peak_memory_bytes));
    case BudgetFigure::kSegments: return static_cast<double>(row.segments);
    default: return std::nullopt;
  }
}

// Whether a change of target, placement or precision can affect the figure; it cannot affect the model's work.
bool MayChange(BudgetFigure figure) {
  return IsAboutTime(figure) || IsAboutEnergy(figure) || figure == BudgetFigure::kPeakMemory ||
         figure == BudgetFigure::kPeakMemoryGrowth || figure == BudgetFigure::kSegments;
}

// The first that mends the line, by scope, else the nearest to it; another board only where nothing else comes nearer.
std::optional<Mend> MendOf(const LimitLine& line, const std::vector<WhatIfRow>& rows, const View& view) {
  const SummaryView& now = view.summary;
  const bool least = InfoOf(line.limit.figure).at_least;
  const bool is_rate = line.limit.figure == BudgetFigure::kRate;
  std::optional<Mend> best;
  for (const WhatIfRow& row : rows) {
    // A larger batch makes one run longer and more expensive; only the rate gains.
    if (row.kind == WhatIfKind::kBatch && !is_rate) continue;
    // Any slowdown lowers power; only a mode is meant to.
    if (row.kind != WhatIfKind::kMode && IsAboutEnergy(line.limit.figure) && row.saving_s < 0) continue;
    const std::optional<double> point = FigureWith(row, line, now);
    if (!point.has_value() || !line.value.has_value()) continue;
    const bool improves = least ? *point > *line.value : *point < *line.value;
    if (!improves) continue;
    const double judged = JudgedAt(line.limit, {line.value, line.low, line.high, false, ""}, *point);
    const bool mends = least ? judged >= line.limit.bound : judged <= line.limit.bound;
    const bool closer = !best.has_value() || (least ? *point > best->value : *point < best->value);
    if (best.has_value() && (best->mends || (row.scope == ChangeScope::kBoard && !mends))) break;
    if (mends || closer) {
      best = Mend{row.change, row.flags, getters::CommandOf(row, view).value_or(""), *point, mends};
    }
  }
  return best;
}

std::string MemoryWhy(const LlmResult& result) {
  const LlmMemory& memory = result.rows.front().memory;
  return absl::StrCat("with ", result.runtime_title, ", weights ", result.weights, ": weights ",
                      FormatBytes(memory.weights_bytes), ", cache ", FormatBytes(memory.cache_bytes), ", work space ",
                      FormatBytes(memory.work_bytes));
}

absl::Status Explain(const std::shared_ptr<const Graph>& graph, const Analysis& analysis, const CheckWatch& watch,
                     CheckResult* result) {
  std::optional<std::vector<WhatIfRow>> changes;
  std::optional<View> view;
  for (LimitLine& line : result->lines) {
    if (line.verdict != BudgetVerdict::kOver && line.verdict != BudgetVerdict::kUndecided) continue;
    if (const std::optional<LlmResult> memory = RuntimeMemory(line.limit, analysis); memory.has_value()) {
      line.why = MemoryWhy(*memory);
      continue;  // the runtime's own form has no groups
    }
    if (line.limit.figure == BudgetFigure::kMissingMemory) line.why = result->misfit;
    if (line.limit.figure == BudgetFigure::kUnknown) {
      line.why = UnknownNodes(analysis);
      continue;
    }
    if (IsAboutTokens(line.limit.figure)) continue;  // the runtime's own form has no groups
    line.groups = CostliestGroups(analysis, line.limit);
    if (!MayChange(line.limit.figure) || graph == nullptr) continue;
    if (!changes.has_value()) {
      const CureSource source = SourceOf({result->check.model_path, watch.limits});
      HWEST_ASSIGN_OR_RETURN(Changes tried, TryChanges(graph, analysis, source, watch.progress, watch.stop));
      changes = std::move(tried.rows);
      view.emplace(MakeView(analysis, {.model_path = result->check.model_path}));
    }
    line.mend = MendOf(line, *changes, *view);
    line.was_tried = true;
  }
  return absl::OkStatus();
}

absl::Status WithLine(const absl::Status& status, const Budget& budget, const BudgetCheck& check) {
  const Diagnostic error = DiagnosticOf(status);
  if (budget.path.empty()) return status;
  return MakeError(error.code,
                   absl::StrCat(EscapeControl(budget.path), ":", check.line > 0 ? absl::StrCat(check.line, ": ") : " ",
                                error.message),
                   error.remedy, error.options);
}

absl::StatusOr<CheckResult> RunCheck(const BudgetCheck& check, const Analyzer& analyzer, RequestDraft draft,
                                     const CheckWatch& watch) {
  draft.target = check.target;
  draft.mode = check.mode;
  draft.precision = check.precision;
  draft.bind.batch = check.batch;
  draft.bind.dims = check.dims;
  HWEST_ASSIGN_OR_RETURN(AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
  request.finds_best = false;
  BudgetCheck asked = check;
  for (BudgetLimit& limit : asked.limits) limit.context = draft.context;
  for (const BudgetLimit& limit : check.limits) {
    if (!(IsAboutTokens(limit.figure) || IsAboutMemory(limit.figure)) || draft.context.has_value()) continue;
    const absl::StatusOr<KeyValueCache> cache = FindCache(analyzer.graph(), request);
    if (cache.ok()) request = StepOf(*cache, request, cache->fixed_step, limit.prompt);
    break;
  }
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, analyzer.Analyze(request));
  return JudgeCheck(asked, analysis, analyzer.graph(), watch);
}

}  // namespace

AmountKind GroupAmountKind(BudgetFigure figure) {
  switch (figure) {
    case BudgetFigure::kEnergy:
    case BudgetFigure::kPower: return AmountKind::kJoules;
    case BudgetFigure::kMacs: return AmountKind::kCount;
    case BudgetFigure::kParams:
    case BudgetFigure::kPeakMemory:
    case BudgetFigure::kPeakMemoryGrowth:
    case BudgetFigure::kMissingMemory: return AmountKind::kBytes;
    default: return AmountKind::kSeconds;
  }
}

BudgetVerdict WorstOf(const std::vector<CheckResult>& results) {
  BudgetVerdict worst = BudgetVerdict::kOk;
  for (const CheckResult& result : results) worst = std::max(worst, result.verdict);
  return worst;
}

bool Refuses(const Budget& budget, BudgetVerdict verdict) {
  if (verdict == BudgetVerdict::kUndecided) return budget.undecided == Undecided::kFail;
  return verdict != BudgetVerdict::kOk;
}

absl::StatusOr<CheckResult> JudgeCheck(const BudgetCheck& check, const Analysis& analysis,
                                       const std::shared_ptr<const Graph>& graph, const CheckWatch& watch) {
  CheckResult result;
  result.check = check;
  result.target = analysis.target->name;
  result.mode = analysis.mode;
  result.precision = analysis.precision;
  result.batch = analysis.batch;
  result.fits = FitsIn(analysis.memory_needs);
  for (const Diagnostic& found : analysis.diagnostics) {
    if (found.code == Code::kDoesNotFit) result.misfit = absl::StrCat(found.message, ": ", found.remedy);
  }
  const SummaryView summary = SummaryOf(analysis);
  for (const BudgetLimit& limit : check.limits) {
    if (const std::optional<LlmResult> memory = RuntimeMemory(limit, analysis); memory.has_value()) {
      result.fits = memory->rows.front().fits;
      result.misfit = result.fits.value_or(true) ? "" : absl::StrCat("it does not fit: ", MemoryWhy(*memory));
    }
    HWEST_ASSIGN_OR_RETURN(const Figured known, FigureOf(limit, summary, analysis));
    LimitLine line;
    line.limit = limit;
    line.value = known.value;
    line.low = known.low;
    line.high = known.is_part ? std::nullopt : known.high;
    line.verdict = VerdictOf(limit, known);
    line.margin = MarginOf(limit, known);
    line.probability = ProbabilityOf(limit, known);
    if (line.verdict == BudgetVerdict::kUnknown) line.why = known.why;
    result.verdict = std::max(result.verdict, line.verdict);
    result.lines.push_back(std::move(line));
  }
  HWEST_RETURN_IF_ERROR(Explain(graph, analysis, watch, &result));
  return result;
}

absl::StatusOr<std::vector<CheckResult>> RunBudget(const Budget& budget, const RequestDraft& base,
                                                   const CheckWatch& watch) {
  std::vector<CheckResult> results;
  std::map<std::string, std::unique_ptr<Analyzer>> models;  // of the checks still to come
  std::map<std::string, size_t> left;
  for (const BudgetCheck& check : budget.checks) ++left[check.model_path];
  for (const BudgetCheck& check : budget.checks) {
    if (watch.stop != nullptr && watch.stop()) return MakeError(Code::kInterrupted, "the check was interrupted", "");
    if (watch.progress != nullptr) watch.progress(absl::StrCat("checking ", check.model, " on ", check.target));
    std::unique_ptr<Analyzer>& analyzer = models[check.model_path];
    if (analyzer == nullptr) {
      absl::StatusOr<std::shared_ptr<const Graph>> graph = LoadModel(check.model_path);
      if (!graph.ok()) return WithLine(graph.status(), budget, check);
      analyzer = std::make_unique<Analyzer>(*std::move(graph));
    }
    absl::StatusOr<CheckResult> result = RunCheck(check, *analyzer, base, watch);
    if (!result.ok()) return WithLine(result.status(), budget, check);
    results.push_back(*std::move(result));
    if (--left[check.model_path] == 0) models.erase(check.model_path);
  }
  return results;
}

}  // namespace hwest
