// Fitting a target, or a family of them, to measurements.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "app/measured.h"
#include "fit/calibrate.h"
#include "hwest/watch.h"
#include "report/report.h"

namespace hwest::app {

struct CalibrateRequest {
  std::string target;           // name or path of a target, or a family of built-in ones
  std::string measurements;     // file; reports name it so
  std::string models;           // folder of the models that its rows name, or several: "a, b"
  std::string output = {};      // where the target file goes; its base is named relative to it
  Measurements rows = nullptr;  // of `measurements`; null = they are read
  size_t threads = 0;           // that analyse; 0 = 2
  Watch watch = {};             // counts "analyses" and "fits of a part of the rows"
};

struct CalibrateResult {
  Calibration calibration;
  CalibrationRequest request;
};

// Errors: those of Calibrate and of reading measurements; kInterrupted.
absl::StatusOr<CalibrateResult> Calibrate(const CalibrateRequest& request);

}  // namespace hwest::app
