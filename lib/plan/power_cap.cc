// The fastest plan under a cap on average power. Latency and energy are weighed against each other: with the price of
// a joule at `price` seconds, every plan that keeps the cap costs at least
//   (1 - price * cap) * latency + price * energy <= latency,
// so each solved weighting also bounds the latency of such plans from below.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "plan/pipeline.h"
#include "plan/search.h"

namespace hwest {
namespace {

constexpr int kBisections = 12;
constexpr int kMostDescents = 8;

class CapSearch {
 public:
  explicit CapSearch(const SearchInput& input) : input_(input), cap_w_(*input.plan.request.power_cap_w) {}

  absl::StatusOr<Candidate> Run() {
    for (const std::vector<UnitChoice>& choice : input_.choices) TryChoice(choice);
    if (!whole_.has_value()) return NoPlacement();
    if (least_w_ <= 0) {
      return MakeError(Code::kUsage, "a power cap means nothing here: the target states no energy figures",
                       "leave --power-cap out, or choose a mode with --mode", {"--power-cap", "--mode"});
    }
    if (!best_.has_value()) return TooLow();
    best_->lower_bound = std::max(bound_s_, whole_->lower_bound);
    best_->greedy_latency_s.reset();
    best_->search = whole_->search;
    best_->search.exact = false;
    Reweigh(input_.plan, kInSeconds, &best_->problem);
    return *std::move(best_);
  }

 private:
  void TryChoice(const std::vector<UnitChoice>& choice);
  std::optional<Candidate> TryWeights(Problem& problem, CostWeights weights);
  void Descend(Problem& problem);
  void Bisect(Problem& problem);
  absl::Status TooLow() const;

  // As reports state it: of inferences that follow each other, which may overlap.
  double PowerOf(const Draft& draft) const {
    const double interval_s = IntervalSeconds(draft.segments, input_.plan.target, draft.latency_s);
    return interval_s > 0 ? draft.energy_j / interval_s : 0;
  }
  // A cap that is met but for rounding is met.
  bool Keeps(const Draft& draft) const { return PowerOf(draft) <= cap_w_ * (1 + 1e-9); }

  const SearchInput& input_;
  const double cap_w_;
  std::optional<Candidate> whole_;  // the fastest plan of all units, whatever its power
  std::optional<Candidate> best_;
  double bound_s_ = 0;
  double least_w_ = kInfeasible;
};

absl::Status CapSearch::TooLow() const {
  // Rounded up in its last digit, so that what is printed is reached.
  const double digit = portable::Pow(10, std::floor(portable::Log10(least_w_)) - 3);
  const std::string least = absl::StrFormat("%.*g", 6, std::ceil(least_w_ / digit) * digit);
  const NamedOption cap("--power-cap", {least});
  return MakeError(Code::kUsage,
                   absl::StrFormat("no placement stays within %g W: the least that one reaches is %s W", cap_w_, least),
                   absl::StrCat("write ", cap.text(), " or more, or choose a slower --mode"), {cap, "--mode"});
}

std::optional<Candidate> CapSearch::TryWeights(Problem& problem, CostWeights weights) {
  Reweigh(input_.plan, weights, &problem);
  std::optional<Candidate> candidate = Solve(input_.plan, problem, weights);
  if (!candidate.has_value()) return candidate;
  const Draft& draft = candidate->draft;
  const bool is_whole = !whole_.has_value() || NumUnplaced(draft) <= NumUnplaced(whole_->draft);
  if (!is_whole) return std::nullopt;
  least_w_ = std::min(least_w_, PowerOf(draft));
  if (!Keeps(draft)) return candidate;
  if (best_.has_value() && draft.latency_s >= best_->draft.latency_s * (1 - kPlanTolerance)) return candidate;
  best_ = candidate;
  best_->problem = problem;
  return candidate;
}

// Lowers the power as long as weighing seconds at the power reached so far finds less.
void CapSearch::Descend(Problem& problem) {
  double power_w = least_w_;
  for (int i = 0; i < kMostDescents; ++i) {
    const auto candidate = TryWeights(problem, {.seconds = -power_w, .joules = 1});
    if (!candidate.has_value() || !(PowerOf(candidate->draft) < power_w * (1 - 1e-9))) return;
    power_w = PowerOf(candidate->draft);
  }
}

void CapSearch::Bisect(Problem& problem) {
  double low = 0, high = 1 / cap_w_;
  for (int i = 0; i < kBisections; ++i) {
    const double price = (low + high) / 2;
    const auto candidate = TryWeights(problem, {.seconds = 1 - price * cap_w_, .joules = price});
    if (!candidate.has_value()) return;
    bound_s_ = std::max(bound_s_, candidate->lower_bound);
    (Keeps(candidate->draft) ? high : low) = price;
  }
}

void CapSearch::TryChoice(const std::vector<UnitChoice>& choice) {
  std::optional<Candidate> fastest = SolveChoice(input_, choice, kInSeconds);
  if (!fastest.has_value()) return;
  Problem problem = std::move(fastest->problem);
  const bool is_first = !whole_.has_value();
  if (is_first) whole_ = std::move(fastest);
  TryWeights(problem, kInSeconds);
  // These do not depend on the cap: the least power named for one is reached under another.
  TryWeights(problem, kInJoules);
  Descend(problem);
  if (is_first && !Keeps(whole_->draft)) Bisect(problem);
}

}  // namespace

absl::StatusOr<Candidate> SearchUnderCap(const SearchInput& input) {
  if (input.plan.request.objective != Objective::kLatency) {
    return MakeError(Code::kUsage, "--power-cap asks for the least latency, --objective for the least energy",
                     "give one of them", {"--power-cap", "--objective"});
  }
  return CapSearch(input).Run();
}

}  // namespace hwest
