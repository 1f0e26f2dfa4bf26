#include "hwest/generation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cost/model_view.h"
#include "hwest/diagnostic.h"
#include "plan/memory_needs.h"

namespace hwest {
namespace {

absl::StatusOr<Analysis> Run(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request,
                             const std::string& what, const StudyProgress& progress) {
  if (progress != nullptr) progress(what);
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, Analyze(graph, request));
  if (analysis.plan.has_value() && analysis.coverage.time_share.has_value()) return analysis;
  return MakeError(Code::kIncomplete, absl::StrCat(what, ": a part of the model has no unit or no time"),
                   "the report without --context names it", {"analyze --context"});
}

std::optional<double> EnergyOf(const Plan& plan) {
  return plan.energy_j > 0 ? std::optional<double>(plan.energy_j) : std::nullopt;
}

int64_t CacheBytes(const Analysis& analysis, const KeyValueCache& cache) {
  int64_t bits = 0;
  for (const ValueId input : cache.inputs) {
    const Dim elements = analysis.facts.values[input].type.shape.Elements(*analysis.dims);
    if (elements.is_constant()) bits += elements.value() * ElemBits(analysis.facts.values[input].type.elem);
  }
  return bits / 8;
}

// Whether both fit.
std::optional<bool> Both(std::optional<bool> a, std::optional<bool> b) {
  if (!a.value_or(true) || !b.value_or(true)) return false;
  return a.has_value() ? b : a;
}

// Every kernel where the plan put it.
std::vector<Pin> PinsOf(const Analysis& analysis) {
  std::vector<Pin> pins;
  for (uint32_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    const GroupId group = analysis.plan->group_of[NodeId(n)];
    const UnitId unit = group.valid() ? analysis.plan->groups[group.index()].unit : UnitId();
    if (!unit.valid() || !IsKernel(analysis.classes[NodeId(n)])) continue;
    pins.push_back({absl::StrCat("#", n), analysis.target->units[unit].name});
  }
  return pins;
}

class ByLength {
 public:
  ByLength(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request, const KeyValueCache& cache,
           const StudyProgress& progress)
      : graph_(graph), request_(request), cache_(cache), progress_(progress) {}

  // Places the model once, for `context` tokens in the cache, which stays the row of that context.
  absl::Status Place(int64_t context) {
    longest_ = context;
    HWEST_ASSIGN_OR_RETURN(placed_, RunToken(request_, context));
    pins_ = PinsOf(placed_);
    return absl::OkStatus();
  }

  absl::StatusOr<GenerationRow> Row(int64_t context) {
    GenerationRow row{.context = context, .fits = true};
    HWEST_RETURN_IF_ERROR(AddPrompt(&row));
    if (context == longest_) {
      AddToken(placed_, &row);
      return row;
    }
    AnalysisRequest request = request_;
    request.pin.insert(request.pin.end(), pins_.begin(), pins_.end());
    absl::StatusOr<Analysis> token = RunToken(request, context);
    // A limit of a toolchain that depends on the length forbids the placement.
    if (!token.ok() && DiagnosticOf(token.status()).code == Code::kUsage) token = RunToken(request_, context);
    if (!token.ok()) return token.status();
    AddToken(*token, &row);
    return row;
  }

 private:
  absl::StatusOr<Analysis> RunToken(const AnalysisRequest& request, int64_t context) {
    return Run(graph_, StepOf(cache_, request, cache_.fixed_step, context), absl::StrCat("a token after ", context),
               progress_);
  }
  absl::Status AddPrompt(GenerationRow* row);
  void AddToken(const Analysis& token, GenerationRow* row) const;

  const std::shared_ptr<const Graph>& graph_;
  const AnalysisRequest& request_;
  const KeyValueCache& cache_;
  const StudyProgress& progress_;
  int64_t longest_ = 0;
  Analysis placed_;
  std::vector<Pin> pins_;
};

absl::Status ByLength::AddPrompt(GenerationRow* row) {
  if (cache_.step.empty()) return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const Analysis prompt, Run(graph_, StepOf(cache_, request_, row->context, 0),
                                                    absl::StrCat("a prompt of ", row->context, " tokens"), progress_));
  row->first_token_s = prompt.plan->latency_s;
  row->first_token_low_s = prompt.plan->latency_low_s;
  row->first_token_high_s = prompt.plan->latency_high_s;
  row->first_token_j = EnergyOf(*prompt.plan);
  row->fits = Both(row->fits, FitsIn(prompt.memory_needs));
  return absl::OkStatus();
}

void ByLength::AddToken(const Analysis& token, GenerationRow* row) const {
  const auto tokens = static_cast<double>(cache_.fixed_step);
  row->token_s = token.plan->latency_s / tokens;
  row->token_low_s = token.plan->latency_low_s / tokens;
  row->token_high_s = token.plan->latency_high_s / tokens;
  if (const auto joules = EnergyOf(*token.plan)) row->token_j = *joules / tokens;
  row->cache_bytes = CacheBytes(token, cache_);
  row->peak_memory_bytes = token.plan->peak_memory_bytes;
  row->fits = Both(row->fits, FitsIn(token.memory_needs));
}

}  // namespace

absl::StatusOr<std::vector<GenerationRow>> ByContext(const std::shared_ptr<const Graph>& graph,
                                                     const AnalysisRequest& request, const KeyValueCache& cache,
                                                     const std::vector<int64_t>& contexts,
                                                     const StudyProgress& progress) {
  std::vector<GenerationRow> rows;
  if (contexts.empty()) return rows;
  ByLength study(graph, request, cache, progress);
  HWEST_RETURN_IF_ERROR(study.Place(*std::max_element(contexts.begin(), contexts.end())));
  for (const int64_t context : contexts) {
    HWEST_ASSIGN_OR_RETURN(rows.emplace_back(), study.Row(context));
  }
  return rows;
}

}  // namespace hwest
