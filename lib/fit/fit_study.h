// Fits of whole families of targets, and their errors on measurements that were left out.
//
//   HWEST_ASSIGN_OR_RETURN(const auto study, FitStudy::Make(rows, targets, options));
//   HWEST_ASSIGN_OR_RETURN(Targets fitted, study->Refit(targets, rows));   // a Fitter for validate
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fit/apply_fits.h"
#include "fit/fit.h"
#include "fit/fit_rows.h"
#include "fit/folds.h"
#include "fit/seen_work.h"

namespace hwest {

inline constexpr size_t kFewestFittedModels = 4;  // that the figures of a kind of machine are fitted to
inline constexpr size_t kFewestFittedRows = 3;    // that those of a device are

struct FitStudyOptions {
  FitRowsOptions rows;
  FitOptions fit;
  PriorFrom priors = PriorFrom::kStated;
  std::string data;  // what the fits say they were found from
  // Called after each fit of a part of the rows. May be empty.
  std::function<void(size_t done, size_t total)> progress;
};

// What fits and intervals are of: a kind of unit at a precision.
using FitClass = std::pair<UnitKind, std::string>;

// FamilyStudy fits the targets of one family. Rows are points in the order given.
class FamilyStudy {
 public:
  static absl::StatusOr<FamilyStudy> Make(std::vector<FitRow> rows, const FitRows& all, const Targets& family,
                                          const FitStudyOptions& options);

  const std::string& family() const { return family_; }
  const std::vector<FitRow>& rows() const { return rows_; }
  const FitEngine& engine() const { return *engine_; }
  size_t num_folds() const;  // model families and targets
  // Fits without each model family and each target in turn. Called once, before the rest.
  absl::Status LeaveOut(const std::function<void()>& progress);
  // The fit to the rows whose `used` is not 0.
  absl::StatusOr<FamilyFit> FitTo(const std::vector<uint8_t>& used) const;
  // ln(predicted / measured) of each row by the fit without its model family, or without its target.
  const std::vector<double>& family_errors() const { return family_errors_; }
  const std::vector<double>& target_errors() const { return target_errors_; }
  // What the unit of a row runs.
  const TimeByClass& TimesOf(size_t row) const;
  // By row, the share of its time in work that the rows in use do not show without its model's family.
  std::vector<double> UnseenShares(const std::vector<uint8_t>& used) const;
  Target Fitted(const FamilyFit& fit, const Target& target) const;

 private:
  absl::StatusOr<FitState> StateFor(const std::vector<uint8_t>& used) const;
  absl::Status LeaveOutBy(const std::function<std::string(const FitRow&)>& key, std::vector<double>* errors,
                          const std::function<void()>& progress);
  std::map<FitClass, SeenWork> SeenBy(const std::vector<uint8_t>& used) const;
  std::vector<FittedInterval> IntervalsFrom(const std::vector<uint8_t>& used) const;
  std::vector<FittedEvidence> EvidenceFrom(const std::vector<uint8_t>& used) const;

  std::string family_;
  std::string data_, shared_by_;
  PriorFrom priors_ = PriorFrom::kStated;
  std::vector<FitRow> rows_;
  std::vector<UnitKind> kinds_;  // that are fitted
  std::unique_ptr<FitEngine> engine_;
  FitState full_;
  std::map<std::string, FitState> states_;  // by what was used, a byte per row
  std::vector<double> family_errors_, target_errors_;
};

class FitStudy {
 public:
  // Errors: those of the optimiser.
  static absl::StatusOr<std::shared_ptr<const FitStudy>> Make(const std::vector<Measurement>& rows,
                                                              const Targets& targets, const FitStudyOptions& options);

  const std::vector<FamilyStudy>& families() const { return families_; }
  const std::vector<SkippedRows>& skipped() const { return skipped_; }
  const std::vector<FitRows::Placed>& plans() const { return plans_; }
  // A Fitter: `rows` are some of those the study was made from, told by their number.
  absl::StatusOr<Targets> Refit(const Targets& targets, absl::Span<const Measurement> rows) const;

 private:
  std::vector<FamilyStudy> families_;
  std::vector<FitRows::Placed> plans_;
  std::vector<SkippedRows> skipped_;
};

}  // namespace hwest
