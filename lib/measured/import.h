// Importing measurements: files that other programs write, turned into the rows of a measurement file.
//
// A file is known by its content, not by its name. What it does not say (most name neither the model nor the device)
// the caller does; see MeasurementDefaults in measured/measurements.h.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "measured/measurements.h"

namespace hwest {

struct ImportInfo {
  absl::string_view name;     // "trtexec-times"
  absl::string_view written;  // by which program
  absl::string_view summary;  // what a row is made of
};
// Every form that ImportMeasurements reads, CSV first.
std::vector<ImportInfo> AllImports();

// ImportMeasurements reads the text of a file of any of these forms; `name` stands for it in errors. Rows are in the
// order of the file, of mappings by name. Errors: kUsage for a text that is none of them or is not complete, for a file
// without a usable figure, and for what neither the file nor `defaults` says, naming the flag that says it.
absl::StatusOr<std::vector<Measurement>> ImportMeasurements(absl::string_view text, absl::string_view name,
                                                            const MeasurementDefaults& defaults);
// ReadMeasurements reads a file of any of these forms. Errors: kUsage for a file that cannot be read, and as
// ImportMeasurements.
absl::StatusOr<std::vector<Measurement>> ReadMeasurements(const std::string& path,
                                                          const MeasurementDefaults& defaults = {});

}  // namespace hwest
