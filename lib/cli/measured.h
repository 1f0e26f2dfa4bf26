// The files of --measurements, with what the other flags say about them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "cli/options.h"
#include "measured/measurements.h"

namespace hwest {

// ReadMeasured reads all files, one after the other, as one table. Errors: as ReadMeasurements.
absl::StatusOr<std::vector<Measurement>> ReadMeasured(const MeasuredOptions& options);

}  // namespace hwest
