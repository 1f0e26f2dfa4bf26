// What validation and calibration share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fit/predict.h"
#include "hwest/watch.h"
#include "measured/measurements.h"

namespace hwest::app {

using Measurements = std::shared_ptr<const std::vector<Measurement>>;

// `rows`, or if null the rows of the file, which take `device` where they name none. Errors: as ReadMeasurements.
absl::StatusOr<Measurements> RowsOf(const Measurements& rows, const std::string& path, const std::string& device);

PredictOptions PredictOptionsOf(const std::string& models, size_t threads, const Watch& watch);

}  // namespace hwest::app
