// Reads the files of --measurements, with what other flags say about them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "cli/options.h"
#include "measured/measurements.h"

namespace hwest {

// ReadMeasured reads all files, in order, as one table. Errors: as ReadMeasurements.
absl::StatusOr<std::vector<Measurement>> ReadMeasured(const MeasuredOptions& options);

}  // namespace hwest
