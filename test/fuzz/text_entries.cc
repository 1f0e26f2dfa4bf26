// Entries for texts written by users or by other programs.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "budget/budget.h"
#include "complog/compare.h"
#include "cost/precision.h"
#include "fit/operators.h"
#include "fuse/fusion_rules.h"
#include "fuzz/entries.h"
#include "fuzz/model_check.h"
#include "fuzz/require.h"
#include "fuzz/small_model.h"
#include "hwest/target.h"
#include "hwest/workload.h"
#include "measured/import.h"
#include "op/op_rules.h"
#include "profile/read_profile.h"
#include "rewrite/sample.h"
#include "rewrite/user_rules.h"
#include "study/quantize_apply.h"
#include "study/quantize_plan.h"
#include "target/read.h"

namespace hwest::test {
namespace {

const std::shared_ptr<const Graph>& TheGraph() {
  static const auto& graph = *new std::shared_ptr<const Graph>(LoadChecked(SmallModel()));
  return graph;
}

const std::shared_ptr<const Target>& TheTarget() {
  static const auto& target = *new std::shared_ptr<const Target>([] {
    absl::StatusOr<Target> loaded = LoadTarget("tda4vm");
    RequireKnownError(loaded.status());
    return std::make_shared<const Target>(*std::move(loaded));
  }());
  return target;
}

}  // namespace

void RunToolchain(absl::string_view bytes) {
  const ReadResult<proto::Toolchain> read = ReadToolchain(bytes, "toolchain");
  for (const LintProblem& problem : read.problems) {
    Require(problem.line >= 0 && !problem.message.empty(), "a problem says what it is");
  }
}

void RunOpRules(absl::string_view bytes) {
  const absl::StatusOr<OpRules> rules = OpRules::Parse(bytes, "rules");
  RequireKnownError(rules.status());
  if (!rules.ok()) return;
  for (const auto& [domain, op] : rules->Names()) Require(rules->Find(domain, op) != nullptr, "a listed rule is found");
  AnalysisRequest request;
  request.op_rules = std::string(bytes);
  AnalyzeChecked(TheGraph(), request);
  request.bind.dims.emplace_back("N", 3);
  AnalyzeChecked(TheGraph(), request);
}

void RunFusions(absl::string_view bytes) {
  const auto rules = FusionRules::Parse(bytes, "fusions");
  RequireKnownError(rules.status());
  if (!rules.ok() || (*rules)->rows.empty()) return;
  AnalysisRequest request;
  request.loaded = TheTarget();
  request.fusion_rules = std::string(bytes);
  request.bind.dims.emplace_back("N", 3);
  AnalyzeChecked(TheGraph(), request);
}

void RunRewriteRules(absl::string_view bytes) {
  const auto rules = UserRules::Parse(bytes, "rules");
  RequireKnownError(rules.status());
  if (!rules.ok() || (*rules)->rules.empty()) return;
  const auto request_of = [&](const Graph&) -> absl::StatusOr<AnalysisRequest> {
    AnalysisRequest request;
    request.rewrite_rules = std::string(bytes);
    return request;
  };
  RequireKnownError(RewriteModelMemory(SmallModel(), "small.onnx", request_of, {}, nullptr).status());
  // A sample whose types are all stated is quick to make.
  for (const UserRule& rule : (*rules)->rules) {
    if (!rule.types.empty()) RequireKnownError(SampleOf(rule, SampleNumbers::kSigned).status());
  }
}

void RunBudget(absl::string_view bytes) {
  for (const char* name : {"hwest.budget", "budget.json"}) {
    const absl::StatusOr<Budget> budget = ParseBudget(bytes, name);
    RequireKnownError(budget.status());
    if (!budget.ok()) continue;
    Require(!budget->checks.empty(), "a budget checks something");
    for (const BudgetCheck& check : budget->checks) Require(!NameOf(check).empty(), "a check has a name");
  }
}

void RunWorkload(absl::string_view bytes) {
  const absl::StatusOr<Workload> workload = ParseWorkload(bytes, "stack");
  RequireKnownError(workload.status());
  if (workload.ok()) Require(!workload->tasks.empty(), "a workload has a task");
}

void RunSensitivity(absl::string_view bytes) {
  const auto rows = ParseSensitivity(bytes, "losses", "int8");
  RequireKnownError(rows.status());
  for (size_t i = 0; rows.ok() && i < rows->size(); ++i) Require((*rows)[i].loss >= 0, "a loss is 0 or more");
  RequireKnownError(ParseLayerFormats(bytes, "layers").status());
}

void RunRanges(absl::string_view bytes) {
  const auto ranges = ParseRanges(bytes, "ranges");
  RequireKnownError(ranges.status());
  if (!ranges.ok()) return;
  for (const auto& [tensor, range] : *ranges) Require(range.low <= range.high, "a range has its ends in order");
}

void RunMeasurements(absl::string_view bytes) {
  MeasurementDefaults defaults;
  defaults.models = {{"", "model"}};
  defaults.device = defaults.unit = defaults.runtime = "any";
  defaults.precision = "fp32";
  const auto rows = ImportMeasurements(bytes, "rows", defaults);
  RequireKnownError(rows.status());
  if (!rows.ok()) return;
  for (const Measurement& row : *rows) {
    Require(row.value > 0, "a figure is above 0");
    Require(!row.model.empty(), "a row names its model");
  }
}

void RunOperators(absl::string_view bytes) {
  constexpr size_t kMostRows = 8;
  absl::StatusOr<std::vector<MeasuredOperator>> rows = ParseOperators(bytes, "operators");
  RequireKnownError(rows.status());
  if (!rows.ok()) return;
  if (rows->size() > kMostRows) rows->resize(kMostRows);
  const absl::StatusOr<OperatorValidation> found = ValidateOperators(*rows, {.target = TheTarget()});
  Require(found.ok(), "rows that cannot be predicted are skipped");
  size_t count = found->points.size();
  for (const SkippedRows& row : found->skipped) count += row.count;
  Require(count == rows->size(), "every row is a point or skipped");
  for (const OperatorPoint& point : found->points) Require(point.factor() > 0, "a prediction is above 0");
}

void RunProfile(absl::string_view bytes) {
  const absl::StatusOr<Profile> profile = ParseProfile(bytes, "profile");
  RequireKnownError(profile.status());
  if (!profile.ok()) return;
  AnalysisRequest request;
  request.loaded = TheTarget();
  request.measured_profile = std::make_shared<const Profile>(*profile);
  request.bind.dims.emplace_back("N", 3);
  const absl::StatusOr<Analysis> analysis = Analyze(TheGraph(), request);
  RequireKnownError(analysis.status());
  if (!analysis.ok()) return;
  const MeasuredTimes& times = *analysis->measured;
  Require(times.entries.size() == profile->entries.size(), "every kernel of a profile is said of");
  for (const MeasuredEntry& entry : times.entries) {
    Require(entry.groups.empty() == (entry.match == MeasuredMatch::kNoKernel || entry.match == MeasuredMatch::kUnknown),
            "a match says what it is");
  }
}

void RunLog(absl::string_view bytes) {
  const absl::StatusOr<CompilerLog> log = ReadCompilerLog(bytes, "log", LogFormat::kAuto);
  RequireKnownError(log.status());
  if (!log.ok()) return;
  AnalysisRequest request;
  request.loaded = TheTarget();
  request.bind.dims.emplace_back("N", 3);
  const absl::StatusOr<Analysis> analysis = Analyze(TheGraph(), request);
  RequireKnownError(analysis.status());
  if (!analysis.ok()) return;
  const absl::StatusOr<LogComparison> laid_over = CompareLog(*log, "log", *analysis);
  RequireKnownError(laid_over.status());
  if (!laid_over.ok()) return;
  Require(laid_over->agree <= static_cast<int64_t>(laid_over->nodes.size()), "no more agree than there are");
  Require(laid_over->edges_agree <= laid_over->edges, "no more edges agree than there are");
}

}  // namespace hwest::test
