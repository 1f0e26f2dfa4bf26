// Calibration: a target, or every target of a family, fitted to measurements.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fit/fit_study.h"
#include "fit/summary.h"

namespace hwest {

struct CalibrateOptions {
  PredictOptions predict;
  std::string target;  // name or path of a target, or the name of a family of built-in ones
  std::string data;    // what the fits say they were found from
  // Folder that the file will be written to; it names its base relative to it. Empty = the base by its whole path.
  std::string folder = {};
  // Called after each fit of a part of the rows. May be empty.
  std::function<void(size_t done, size_t total)> progress;
};

// One fitted figure. A shared one has a row for the family, whose target is empty.
struct CalibratedFact {
  std::string target;
  std::string path;  // as TargetFact
  double prior = 0;
  double min = 0;  // bounds
  double max = 0;
  Fit fit;
};

// What the measurements have seen of the work of a unit.
struct CalibratedEvidence {
  std::string unit;
  Evidence evidence;
};

struct Calibration {
  std::string name;  // of the target or the family
  bool is_family = false;
  std::vector<CalibratedFact> facts;
  std::vector<CalibratedEvidence> evidence;
  std::vector<Pool> before;  // the rows of the fit as they are predicted without it,
  std::vector<Pool> after;   // and by a fit to the other families of models
  std::vector<SkippedRows> skipped;
  std::string file;  // target files: one, or one for each target of the family under "# target NAME"
};

// Calibrate fits to the rows that measured_as gives to the target, or to all when it gives none: a user's own board.
// Values in force are the priors then; a family is fitted from what its files state. Errors: kTargetUnknown,
// kModelMissing, kUsage when no row can be fitted.
absl::StatusOr<Calibration> Calibrate(const std::vector<Measurement>& rows, const CalibrateOptions& options);

}  // namespace hwest
