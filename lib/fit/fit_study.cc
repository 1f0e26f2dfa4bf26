#include "fit/fit_study.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "fit/interval_law.h"

namespace hwest {
namespace {

constexpr int kFullSteps = 12;       // linearisations of the fit to all rows
constexpr int kFoldSteps = 1;        // of one that begins there
constexpr size_t kFewestErrors = 5;  // that an interval is taken from
constexpr int kDigits = 4;           // of what is written; spreads are wider than that
// Priors decide a parameter that the data would leave within this much of its prior spread.
constexpr double kUndetermined = 0.9;
constexpr double kNarrowestInterval = 0.05;
// Of one number format on one device, before it gets a scale of its own: fewer tell a network's ways from the device's.
constexpr size_t kFewestFormatFamilies = 10;
constexpr size_t kFewestLaunchFamilies = 10;  // the same, of a launch

const Unit& MainUnit(const FitRow& row) { return *UnitOf(*row.query.target, row.query.engines[0][0]); }

double Rounded(double value) { return std::strtod(absl::StrFormat("%.*g", kDigits, value).c_str(), nullptr); }

FitClass ClassOf(const FitRow& row) { return {MainUnit(row).kind, row.query.precision}; }

std::set<FitClass> ClassesOf(const std::vector<FitRow>& rows) {
  std::map<FitClass, std::set<std::string>> models;
  for (const FitRow& row : rows) models[ClassOf(row)].insert(row.measured.model);
  std::set<FitClass> classes;
  for (const auto& [key, own] : models) {
    if (own.size() >= kFewestFittedModels) classes.insert(key);
  }
  return classes;
}

std::vector<FreeFact> FreeFactsOf(const std::vector<FitRow>& rows, const Targets& family, PriorFrom priors) {
  std::vector<FreeFact> free;
  for (const auto& [kind, precision] : ClassesOf(rows)) {
    for (FreeFact& fact : SharedFacts(family, kind, precision, priors)) free.push_back(std::move(fact));
  }
  std::map<std::pair<std::string, std::string>, std::vector<const FitRow*>> devices;  // target and unit
  for (const FitRow& row : rows) devices[{row.query.target->name, MainUnit(row).name}].push_back(&row);
  for (const auto& [key, own] : devices) {
    if (own.size() < kFewestFittedRows) continue;
    std::map<std::string, std::set<std::string>> families;  // measured in each precision
    for (const FitRow* row : own) families[row->query.precision].insert(row->measured.family);
    const bool has_many = std::any_of(families.begin(), families.end(), [](const auto& measured) {
      return measured.second.size() >= kFewestLaunchFamilies;
    });
    const bool with_launch = has_many && IsCpu(MainUnit(*own[0]));
    for (FreeFact& fact : DeviceFacts(*own[0]->query.target, MainUnit(*own[0]), with_launch, priors)) {
      free.push_back(std::move(fact));
    }
    if (families.size() < 2) continue;
    for (const auto& [precision, measured] : families) {
      if (measured.size() < kFewestFormatFamilies) continue;
      free.push_back(FormatFact(*own[0]->query.target, MainUnit(*own[0]), precision, priors));
    }
  }
  return free;
}

// Plans and points of one family out of all.
absl::StatusOr<FitProblem> ProblemOf(const std::vector<FitRow>& rows, const FitRows& all,
                                     const std::vector<UnitKind>& kinds, PriorFrom priors) {
  FitProblem problem;
  std::map<std::pair<std::string, std::string>, uint32_t> machines;  // target and mode
  std::map<size_t, uint32_t> plans;
  for (const FitRow& row : rows) {
    const auto [machine, is_new] =
        machines.try_emplace({row.query.target->name, row.query.mode}, static_cast<uint32_t>(problem.machines.size()));
    if (is_new) {
      HWEST_ASSIGN_OR_RETURN(Target target, ApplyMode(*row.query.target, row.query.mode));
      if (priors == PriorFrom::kStated) StripFits(target.family, kinds, &target);
      problem.machines.push_back(std::move(target));
    }
    const auto [plan, is_new_plan] = plans.try_emplace(row.plan, static_cast<uint32_t>(problem.plans.size()));
    if (is_new_plan) problem.plans.push_back({all.plans[row.plan].plan, machine->second});
    problem.points.push_back({plan->second, portable::Log(row.seconds), row.weight});
  }
  return problem;
}

bool HasPipelines(const FitProblem& problem) {
  return std::any_of(problem.plans.begin(), problem.plans.end(),
                     [](const FitProblem::Placed& placed) { return !placed.plan.pipelines.empty(); });
}

// Pipelines jump from one layout to another, so that the loss has valleys: which one a fit ends in must not hang on the
// fit before.
void StartAtPriors(std::vector<FreeFact>* facts) {
  for (FreeFact& fact : *facts) fact.start = std::clamp(fact.prior, fact.min, fact.max);
}

// Leaves free what the data say something about, and starts it where a first fit of everything ends.
absl::StatusOr<std::vector<FreeFact>> Determined(const FitProblem& problem, const FitOptions& options) {
  const FitEngine engine(problem, options);
  const std::vector<uint8_t> everything(problem.points.size(), 1);
  HWEST_ASSIGN_OR_RETURN(const FitState state, engine.Fit(engine.Start(), everything, kFullSteps));
  const std::vector<double> spreads = engine.Spreads(state, everything);
  std::vector<FreeFact> free;
  for (size_t j = 0; j < problem.free.size(); ++j) {
    if (spreads[j] >= kUndetermined * problem.free[j].spread) continue;
    free.push_back(problem.free[j]);
    free.back().start = std::clamp(portable::Exp(state.ln_values[j]), free.back().min, free.back().max);
  }
  return free;
}

std::string KeyOf(const std::vector<uint8_t>& used) { return std::string(used.begin(), used.end()); }

bool IsOf(const FreeFact& free, const FitRow& row) {
  if (!free.target.empty()) {
    return row.query.target->name == free.target && MainUnit(row).name == free.unit &&
           (free.precision.empty() || row.query.precision == free.precision);
  }
  return ClassOf(row) == FitClass{free.kind, free.precision};
}

}  // namespace

absl::StatusOr<FamilyStudy> FamilyStudy::Make(std::vector<FitRow> rows, const FitRows& all, const Targets& family,
                                              const FitStudyOptions& options) {
  FamilyStudy study;
  study.family_ = family.front()->family;
  study.data_ = options.data;
  study.shared_by_ = options.priors == PriorFrom::kStated ? study.family_ : "";
  study.priors_ = options.priors;
  study.rows_ = std::move(rows);
  for (const FitRow& row : study.rows_) {
    const UnitKind kind = MainUnit(row).kind;
    if (std::find(study.kinds_.begin(), study.kinds_.end(), kind) == study.kinds_.end()) study.kinds_.push_back(kind);
  }
  HWEST_ASSIGN_OR_RETURN(FitProblem problem, ProblemOf(study.rows_, all, study.kinds_, options.priors));
  problem.free = FreeFactsOf(study.rows_, family, options.priors);
  if (HasPipelines(problem)) StartAtPriors(&problem.free);
  HWEST_ASSIGN_OR_RETURN(problem.free, Determined(problem, options.fit));
  study.engine_ = std::make_unique<FitEngine>(std::move(problem), options.fit);
  const std::vector<uint8_t> everything(study.rows_.size(), 1);
  HWEST_ASSIGN_OR_RETURN(study.full_, study.engine_->Fit(study.engine_->Start(), everything, kFullSteps));
  study.states_[KeyOf(everything)] = study.full_;
  return study;
}

absl::StatusOr<FitState> FamilyStudy::StateFor(const std::vector<uint8_t>& used) const {
  const auto known = states_.find(KeyOf(used));
  if (known != states_.end()) return known->second;
  return engine_->Fit(full_, used, kFoldSteps);
}

size_t FamilyStudy::num_folds() const {
  std::set<std::string> families, targets;
  for (const FitRow& row : rows_) {
    families.insert(row.measured.family);
    targets.insert(row.query.target->name);
  }
  return families.size() + targets.size();
}

absl::Status FamilyStudy::LeaveOutBy(const std::function<std::string(const FitRow&)>& key, std::vector<double>* errors,
                                     const std::function<void()>& progress) {
  std::set<std::string> names;
  for (const FitRow& row : rows_) names.insert(key(row));
  errors->assign(rows_.size(), 0);
  for (const std::string& name : names) {
    std::vector<uint8_t> used;
    for (const FitRow& row : rows_) used.push_back(key(row) == name ? 0 : 1);
    HWEST_ASSIGN_OR_RETURN(FitState state, StateFor(used));
    for (size_t i = 0; i < rows_.size(); ++i) {
      const FitProblem::Point& point = engine_->problem().points[i];
      if (used[i] == 0) (*errors)[i] = state.ln_seconds[point.plan] - point.ln_seconds;
    }
    states_[KeyOf(used)] = std::move(state);
    if (progress) progress();
  }
  return absl::OkStatus();
}

absl::Status FamilyStudy::LeaveOut(const std::function<void()>& progress) {
  HWEST_RETURN_IF_ERROR(LeaveOutBy([](const FitRow& row) { return row.measured.family; }, &family_errors_, progress));
  return LeaveOutBy([](const FitRow& row) { return row.query.target->name; }, &target_errors_, progress);
}

const TimeByClass& FamilyStudy::TimesOf(size_t row) const {
  const FitProblem& problem = engine_->problem();
  const UnitId unit = UnitIdOf(*rows_[row].query.target, rows_[row].query.engines[0][0]);
  return problem.plans[problem.points[row].plan].plan.times[unit.index()];
}

std::map<FitClass, SeenWork> FamilyStudy::SeenBy(const std::vector<uint8_t>& used) const {
  std::map<FitClass, SeenWork> seen;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (used[i] != 0) seen[ClassOf(rows_[i])].Add(rows_[i].measured.family, TimesOf(i));
  }
  return seen;
}

std::vector<double> FamilyStudy::UnseenShares(const std::vector<uint8_t>& used) const {
  const std::map<FitClass, SeenWork> seen = SeenBy(used);
  std::vector<double> shares;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const auto of = seen.find(ClassOf(rows_[i]));
    shares.push_back(of == seen.end() ? 1 : of->second.UnseenShare(TimesOf(i), rows_[i].measured.family));
  }
  return shares;
}

// Left-out errors of the rows in use alone: a fold's own rows stay unseen.
std::vector<FittedInterval> FamilyStudy::IntervalsFrom(const std::vector<uint8_t>& used) const {
  const std::vector<double> unseen = UnseenShares(used);
  std::map<FitClass, std::pair<std::vector<LeftOutMiss>, std::vector<LeftOutMiss>>> misses;
  for (size_t i = 0; i < rows_.size() && !family_errors_.empty(); ++i) {
    if (used[i] == 0 || rows_[i].measured.closeness != Closeness::kExact) continue;
    const FitClass key = ClassOf(rows_[i]);
    const std::string& family = rows_[i].measured.family;
    const double error = std::fabs(family_errors_[i]);
    auto& [measured, others] = misses[key];
    measured.push_back({family, error, unseen[i]});
    others.push_back({family, std::max(error, std::fabs(target_errors_[i])), unseen[i]});
  }
  const auto width = [](double of) { return Rounded(std::clamp(of, kNarrowestInterval, kWidestInterval)); };
  std::vector<FittedInterval> intervals;
  for (const auto& [key, of] : misses) {
    if (of.first.size() < kFewestErrors) continue;
    const IntervalLaw law = FitIntervalLaw(of.first);
    intervals.push_back({.family = family_,
                         .kind = key.first,
                         .precision = key.second,
                         .measured = width(law.seen),
                         .others = width(ScaledTo(of.second, law).seen),
                         .unseen = Rounded(std::min(law.unseen, kWidestInterval)),
                         .count = static_cast<int>(of.first.size())});
  }
  return intervals;
}

std::vector<FittedEvidence> FamilyStudy::EvidenceFrom(const std::vector<uint8_t>& used) const {
  std::map<FitClass, int> counts;
  for (size_t i = 0; i < rows_.size(); ++i) counts[ClassOf(rows_[i])] += used[i] != 0 ? 1 : 0;
  const std::set<FitClass> fitted = ClassesOf(rows_);
  std::vector<FittedEvidence> evidence;
  for (const auto& [key, seen] : SeenBy(used)) {
    if (fitted.count(key) == 0) continue;
    evidence.push_back({.kind = key.first,
                        .evidence = {.precision = key.second,
                                     .classes = seen.Classes(),
                                     .count = counts.at(key),
                                     .families = static_cast<int>(seen.num_families()),
                                     .data = data_,
                                     .shared_by = shared_by_}});
  }
  return evidence;
}

absl::StatusOr<FamilyFit> FamilyStudy::FitTo(const std::vector<uint8_t>& used) const {
  HWEST_ASSIGN_OR_RETURN(const FitState state, StateFor(used));
  const std::vector<double> spreads = engine_->Spreads(state, used);
  FamilyFit fit{.family = family_,
                .data = data_,
                .shared_by = shared_by_,
                .facts = {},
                .intervals = IntervalsFrom(used),
                .evidence = EvidenceFrom(used)};
  for (size_t j = 0; j < spreads.size(); ++j) {
    const FreeFact& free = engine_->problem().free[j];
    FittedFact fact{.free = free,
                    .value = std::clamp(Rounded(portable::Exp(state.ln_values[j])), free.min, free.max),
                    .spread = Rounded(spreads[j])};
    for (size_t i = 0; i < rows_.size(); ++i) fact.count += used[i] != 0 && IsOf(free, rows_[i]) ? 1 : 0;
    if (fact.count > 0) fit.facts.push_back(std::move(fact));
  }
  return fit;
}

Target FamilyStudy::Fitted(const FamilyFit& fit, const Target& target) const {
  Target fitted = target;
  if (priors_ == PriorFrom::kStated) StripFits(family_, kinds_, &fitted);
  ApplyFits(fit, &fitted);
  return fitted;
}

absl::StatusOr<std::shared_ptr<const FitStudy>> FitStudy::Make(const std::vector<Measurement>& rows,
                                                               const Targets& targets, const FitStudyOptions& options) {
  FitRows all = CollectFitRows(rows, targets, options.rows);
  std::map<std::string, std::vector<FitRow>> by_family;
  for (FitRow& row : all.rows) by_family[row.query.target->family].push_back(std::move(row));
  auto study = std::make_shared<FitStudy>();
  size_t total = 0, done = 0;
  for (auto& [name, own] : by_family) {
    Targets family;
    for (const auto& target : targets) {
      if (target->family == name) family.push_back(target);
    }
    if (family.empty()) continue;
    HWEST_ASSIGN_OR_RETURN(FamilyStudy made, FamilyStudy::Make(std::move(own), all, family, options));
    total += made.num_folds();
    study->families_.push_back(std::move(made));
  }
  const auto progress = [&] {
    ++done;
    if (options.progress) options.progress(done, total);
  };
  for (FamilyStudy& family : study->families_) HWEST_RETURN_IF_ERROR(family.LeaveOut(progress));
  study->plans_ = std::move(all.plans);
  study->skipped_ = std::move(all.skipped);
  return std::shared_ptr<const FitStudy>(std::move(study));
}

absl::StatusOr<Targets> FitStudy::Refit(const Targets& targets, absl::Span<const Measurement> rows) const {
  std::set<size_t> numbers;
  for (const Measurement& row : rows) numbers.insert(row.row);
  Targets fitted = targets;
  for (const FamilyStudy& study : families_) {
    std::vector<uint8_t> used;
    for (const FitRow& row : study.rows()) used.push_back(numbers.count(row.measured.row) > 0 ? 1 : 0);
    HWEST_ASSIGN_OR_RETURN(const FamilyFit fit, study.FitTo(used));
    for (auto& target : fitted) {
      if (target->family == study.family()) target = std::make_shared<const Target>(study.Fitted(fit, *target));
    }
  }
  return fitted;
}

}  // namespace hwest
