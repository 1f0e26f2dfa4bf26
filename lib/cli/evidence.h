// --evidence: the record beside a report.
#pragma once

#include "absl/status/status.h"
#include "cli/command.h"
#include "cli/options.h"

namespace hwest {

// Errors: kUsage where the record would overwrite the report.
absl::Status CheckEvidencePath(const Options& options);
// Writes the record of `command` if `options` asks for one. Runs the command again for its report as JSON. Errors:
// kOutputUnwritable; kUsage for models from standard input.
absl::Status Record(const Command& command, const Options& options);

}  // namespace hwest
