// --evidence: the record beside a report.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/options.h"

namespace hwest {

// Errors: kUsage where the record would take the place of the report.
absl::Status CheckEvidencePath(const Options& options);
// Writes the record that `options` asks for, of the command `args`; nothing when it asks for none. The command runs once
// more for its report as JSON. Errors: kOutputUnwritable; kUsage for models from standard input.
absl::Status Record(const std::vector<std::string>& args, const Options& options);

}  // namespace hwest
