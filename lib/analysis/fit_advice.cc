#include "analysis/fit_advice.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/text.h"
#include "pass/caches.h"
#include "plan/memory_needs.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

using Needs = std::vector<MemoryNeed>;

int64_t SumOf(const Needs& needs) {
  int64_t bytes = 0;
  for (const MemoryNeed& need : needs) bytes += need.needed_bytes();
  return bytes;
}

// What would make the model fit, in words with the options that they name.
class Advice {
 public:
  explicit Advice(const Workspace& workspace) : workspace_(workspace), a_(workspace.analysis) {
    AddPrecision();
    AddBatch();
    AddContext();
    AddTarget();
  }

  void Fill(Diagnostic* diagnostic) {
    diagnostic->remedy = ways_.empty() ? "use a smaller model, or a target with more memory"
                                       : absl::StrCat("it would fit with ", absl::StrJoin(ways_, ", or "));
    diagnostic->options = std::move(options_);
  }

 private:
  void Add(const NamedOption& option, const std::string& more) {
    ways_.push_back(absl::StrCat(option.text(), more));
    options_.push_back(option);
  }
  // The share of what is alive at the peak that leaves enough room; none = the weights alone are too much.
  std::optional<double> ShareThatFits(bool of_cache_alone) const;
  std::optional<Needs> WithWeightsAt(const std::string& precision, const FilePrecision& file) const;
  void AddPrecision();
  void AddBatch();
  void AddContext();
  void AddTarget();

  const Workspace& workspace_;
  const Analysis& a_;
  std::vector<std::string> ways_;
  std::vector<NamedOption> options_;
};

// Of the same plan; activations are left as they are, so that less may do.
std::optional<Needs> Advice::WithWeightsAt(const std::string& precision, const FilePrecision& file) const {
  const auto choice = ChoosePrecisions(*a_.target, precision, file, a_.request.only);
  if (!choice.ok()) return std::nullopt;
  const ModelView model = ViewOf(workspace_);
  WeightCopies copies(model);
  for (const PlannedGroup& row : a_.plan->groups) {
    const bool is_run = row.unit.valid() && choice->units[row.unit].has_value();
    const Memory* const memory = row.unit.valid() ? SharedMemoryOf(*a_.target, a_.target->units[row.unit]) : nullptr;
    const Precision width = is_run ? choice->units[row.unit]->main : row.work.precision;
    const WeightBlocks layout = row.unit.valid() ? WeightBlocksOf(a_.target->units[row.unit], width) : WeightBlocks();
    copies.Add(row.group, width, row.unit, memory, layout);
  }
  return MemoryNeedsOf(model, *a_.target, *a_.plan, copies);
}

// The widest one that fits.
void Advice::AddPrecision() {
  const FilePrecision file = FilePrecisionOf(ViewOf(workspace_));
  const UnitId main = MainUnitOf(*a_.target);
  if (file.quantised.has_value() || !main.valid()) return;
  std::optional<std::pair<int64_t, std::string>> best;
  for (const std::string& name : PrecisionsOf(a_.target->units[main])) {
    const std::optional<Needs> needs = WithWeightsAt(name, file);
    if (!needs.has_value() || FitsIn(*needs) != true) continue;
    if (!best.has_value() || SumOf(*needs) > best->first) best = {SumOf(*needs), name};
  }
  if (!best.has_value()) return;
  Add({"--precision", {best->second}},
      absl::StrCat(", at most ", FormatBytes(static_cast<double>(best->first)), " then"));
}

std::optional<double> Advice::ShareThatFits(bool of_cache_alone) const {
  double share = 1;
  for (const MemoryNeed& need : a_.memory_needs) {
    if (need.fits == true) continue;
    const int64_t shrinks = need.cache_bytes + (of_cache_alone ? 0 : need.activation_bytes);
    const int64_t room = need.size_bytes.value_or(0) - (need.needed_bytes() - shrinks);
    if (!need.fits.has_value() || room <= 0 || shrinks <= 0) return std::nullopt;
    share = std::min(share, static_cast<double>(room) / static_cast<double>(shrinks));
  }
  return share;
}

void Advice::AddBatch() {
  const std::optional<double> share = ShareThatFits(false);
  if (a_.batch <= 1 || !share.has_value()) return;
  const auto batch = static_cast<int64_t>(std::floor(static_cast<double>(a_.batch) * *share));
  if (batch >= 1) Add({"--batch", {absl::StrCat(batch)}}, "");
}

// Tokens that the caches hold before a run; none when they do not grow, or not alike.
std::optional<int64_t> CachedTokens(const Workspace& workspace) {
  const ModelView model = ViewOf(workspace);
  std::optional<int64_t> tokens;
  for (const Cache& cache : FindCaches(model.graph, model.facts)) {
    const Shape& before = model.facts.values[cache.input].type.shape;
    const Shape& after = model.facts.values[cache.output].type.shape;
    for (int axis = 0; axis < before.rank(); ++axis) {
      const auto past = Evaluate(before.dim(axis), model.dims), now = Evaluate(after.dim(axis), model.dims);
      if (!past.has_value() || !now.has_value() || *now <= *past) continue;
      if (tokens.has_value() && *tokens != *past) return std::nullopt;
      tokens = past;
    }
  }
  return tokens;
}

void Advice::AddContext() {
  const std::optional<double> share = ShareThatFits(true);
  const std::optional<int64_t> tokens = share.has_value() ? CachedTokens(workspace_) : std::nullopt;
  if (!tokens.has_value()) return;
  const auto context = static_cast<int64_t>(std::floor(static_cast<double>(*tokens) * *share));
  if (context >= 1) ways_.push_back(absl::StrCat(context, " tokens in the cache"));
}

// "jetson" of "jetson-orin".
absl::string_view LineOf(absl::string_view family) { return family.substr(0, family.find('-')); }

// The one with the least memory that holds the same needs.
void Advice::AddTarget() {
  const Target& own = *a_.target;
  std::optional<std::pair<int64_t, std::string>> best;
  for (const TargetSummary& row : ListTargets()) {
    if (row.name == own.name || LineOf(row.family) != LineOf(own.family)) continue;
    const auto other = SharedTarget(row.name, "");
    if (!other.ok()) continue;
    Needs needs = a_.memory_needs;
    int64_t size = 0;
    for (MemoryNeed& need : needs) {
      JudgeNeed(**other, &need);
      size += need.size_bytes.value_or(0);
    }
    if (FitsIn(needs) == true && (!best.has_value() || size < best->first)) best = {size, row.name};
  }
  if (best.has_value()) Add({"--target", {best->second}}, "");
}

}  // namespace

std::optional<Diagnostic> DoesNotFit(const Workspace& workspace) {
  const Analysis& a = workspace.analysis;
  if (FitsIn(a.memory_needs) != false) return std::nullopt;
  Diagnostic diagnostic{
      .code = Code::kDoesNotFit,
      .message = absl::StrCat("the model does not fit into memory: ", MissingMemoryText(a.memory_needs)),
      .remedy = ""};
  Advice(workspace).Fill(&diagnostic);
  return diagnostic;
}

}  // namespace hwest
