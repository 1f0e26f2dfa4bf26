// --evidence: the record beside a report.
#pragma once

#include "absl/status/status.h"
#include "cli/command.h"
#include "cli/options.h"

namespace hwest {

// Errors: kUsage where the record would take the place of the report.
absl::Status CheckEvidencePath(const Options& options);
// Writes the record that `options` asks for, of `command`; nothing when it asks for none. The command runs once
// more for its report as JSON. Errors: kOutputUnwritable; kUsage for models from standard input.
absl::Status Record(const Command& command, const Options& options);

}  // namespace hwest
