#include "fit/calibrate.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "fit/calibration_file.h"
#include "fit/validate.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

// What is fitted: a family, or one target.
struct FitScope {
  std::string name;
  bool is_family = false;
  Targets targets;
};

absl::StatusOr<FitScope> ScopeOf(const std::string& text) {
  FitScope scope{.name = text, .is_family = true, .targets = {}};
  if (!absl::StrContains(text, '/')) {
    HWEST_ASSIGN_OR_RETURN(const Targets all, LoadBuiltInTargets());
    for (const auto& target : all) {
      if (absl::EqualsIgnoreCase(target->family, text)) scope.targets.push_back(target);
    }
  }
  if (!scope.targets.empty()) return scope;
  HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(text));
  scope = {.name = target.name, .is_family = false, .targets = {}};
  scope.targets.push_back(std::make_shared<const Target>(std::move(target)));
  return scope;
}

// How a file beside others names the target it begins with.
std::string BaseOf(const Target& target, const std::string& folder) {
  if (target.origin == "built-in") return target.name;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(target.origin, error);
  if (error) return target.origin;
  if (folder.empty()) return path.string();
  const std::filesystem::path relative = std::filesystem::relative(path, folder, error);
  return error || relative.empty() ? path.string() : relative.string();
}

// Share of the row's time in work that the evidence of the target does not show; 0 without evidence.
double UnseenBy(const Target& target, const FitRow& row, const TimeByClass& times) {
  const Unit& unit = *UnitOf(target, row.query.engines[0][0]);
  const Evidence* evidence = EvidenceAt(unit, PrecisionName(row.precision));
  return evidence == nullptr ? 0 : UnseenShare(*evidence, times);
}

Point PointOf(const FitRow& row, const FitPlan& plan, double ln_seconds, const Target& target, double unseen,
              const std::string& fold) {
  const Unit& unit = *UnitOf(target, row.query.engines[0][0]);
  const double value = FigureFrom(row, plan, portable::Exp(ln_seconds));
  const double factor = IntervalFactor(unit, row.precision, unseen);
  Point point{.measured = row.measured, .query = row.query, .prediction = {}, .fold = fold};
  point.prediction.value = value;
  point.prediction.low = value / factor;
  point.prediction.high = value * factor;
  return point;
}

// Predictions from the plans alone: placed once, timed with the values in force, and with those fitted without the
// family of the row's model.
void AddPoints(const FamilyStudy& study, const FamilyFit& fit, const std::vector<FitRows::Placed>& plans,
               std::vector<Point>* before, std::vector<Point>* after) {
  const std::vector<double> unseen = study.UnseenShares(std::vector<uint8_t>(study.rows().size(), 1));
  for (size_t i = 0; i < study.rows().size(); ++i) {
    const FitRow& row = study.rows()[i];
    const FitPlan& plan = plans[row.plan].plan;
    const double ln_measured = portable::Log(row.seconds);
    const absl::StatusOr<Target> stored = ApplyMode(*row.query.target, row.query.mode);
    const std::optional<double> seconds = stored.ok() ? SecondsOf(plan, *stored) : std::nullopt;
    if (!seconds.has_value()) continue;
    const Target& target = *row.query.target;
    before->push_back(PointOf(row, plan, portable::Log(*seconds), target, UnseenBy(target, row, study.TimesOf(i)), ""));
    after->push_back(PointOf(row, plan, ln_measured + study.family_errors()[i], study.Fitted(fit, target), unseen[i],
                             row.measured.family));
  }
}

void AddFacts(const FamilyFit& fit, const Targets& targets, Calibration* calibration) {
  for (const auto& [free, value] : FitsOf(fit)) {
    const auto of = std::find_if(targets.begin(), targets.end(), [&name = free.target](const auto& target) {
      return name.empty() || target->name == name;
    });
    if (of == targets.end()) continue;
    calibration->facts.push_back({.target = value.shared_by.empty() ? (*of)->name : "",
                                  .path = PathOf(free, **of),
                                  .prior = free.prior,
                                  .min = free.min,
                                  .max = free.max,
                                  .fit = value});
  }
}

std::vector<Measurement> RowsFor(const std::vector<Measurement>& rows, const Targets& targets) {
  std::vector<Measurement> own;
  for (const Measurement& row : rows) {
    if (MatchRow(row, targets).ok()) own.push_back(row);
  }
  return own;
}

absl::Status NothingToFit(const FitStudy& study, const FitScope& scope) {
  const std::string why = study.skipped().empty() ? "" : absl::StrCat(" (", study.skipped().front().reason, ")");
  return MakeError(Code::kUsage, absl::StrCat("no row can be fitted to ", scope.name, why),
                   "measure models of the folder on it");
}

}  // namespace

absl::StatusOr<Calibration> Calibrate(const std::vector<Measurement>& rows, const CalibrateOptions& options) {
  HWEST_RETURN_IF_ERROR(CheckModels(options.predict));
  HWEST_ASSIGN_OR_RETURN(const FitScope scope, ScopeOf(options.target));
  const std::vector<Measurement> named = RowsFor(rows, scope.targets);
  const bool is_own_board = named.empty() && !scope.is_family;
  FitStudyOptions study_options{
      .rows = {.predict = options.predict, .target = is_own_board ? scope.targets.front() : nullptr},
      .fit = {},
      .priors = scope.is_family ? PriorFrom::kStated : PriorFrom::kInForce,
      .data = options.data,
      .progress = options.progress};
  HWEST_ASSIGN_OR_RETURN(const auto study, FitStudy::Make(is_own_board ? rows : named, scope.targets, study_options));
  if (study->families().empty()) return NothingToFit(*study, scope);
  const FamilyStudy& family = study->families().front();
  HWEST_ASSIGN_OR_RETURN(FamilyFit fit, family.FitTo(std::vector<uint8_t>(family.rows().size(), 1)));

  Calibration calibration{.name = scope.name, .is_family = scope.is_family};
  calibration.skipped = study->skipped();
  std::vector<Point> before, after;
  AddPoints(family, fit, study->plans(), &before, &after);
  calibration.before = PoolsOf(before);
  calibration.after = PoolsOf(after);
  AddFacts(fit, scope.targets, &calibration);
  for (const FittedEvidence& row : fit.evidence) {
    calibration.evidence.push_back({UnitNameOf(row.kind, *scope.targets.front()), row.evidence});
  }
  for (const auto& target : scope.targets) {
    const std::string text = CalibratedText(family.Fitted(fit, *target), absl::StrCat(target->name, "-calibrated"),
                                            BaseOf(*target, options.folder));
    absl::StrAppend(&calibration.file, scope.is_family ? absl::StrCat("# target ", target->name, "\n") : "", text,
                    scope.is_family ? "\n" : "");
  }
  return calibration;
}

}  // namespace hwest
