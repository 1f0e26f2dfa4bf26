// What verbs that write a model do with it: the file, its weights beside it, verification and the report.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "hwest/diagnostic.h"
#include "hwest/rewrite.h"

namespace hwest {

// Errors: kUsage for a format that the report does not have, and for flags that do not go together.
absl::Status CheckWritten(const Options& options, const WrittenOptions& how);

// DeliverWritten writes the model to `path`, brings its weights, verifies it where asked, and delivers the report and
// `notes`. Errors: those of these steps; kCheckFailed and kIncomplete after the report, see app::StatusOf.
absl::Status DeliverWritten(const Options& options, const WrittenOptions& how, const std::string& path,
                            const Rewritten& rewritten, std::vector<Diagnostic> notes, const Streams& streams);

}  // namespace hwest
