// One function per verb. Each writes its report; a returned error ends the command with the exit code of its code.
#pragma once

#include "absl/status/status.h"
#include "cli/cli.h"
#include "cli/options.h"

namespace hwest {

absl::Status RunModelVerb(const Options& options, const Streams& streams);  // analyze, shapes, support, explain, graph
absl::Status RunTargets(const Options& options, const Streams& streams);
absl::Status RunFusions(const Options& options, const Streams& streams);
absl::Status RunDescribe(const Options& options, const Streams& streams);
std::string PageNames(absl::string_view separator);  // what `describe` shows
absl::Status RunCalibrate(const Options& options, const Streams& streams);
absl::Status RunCheckVerb(const Options& options, const Streams& streams);
absl::Status RunDiffVerb(const Options& options, const Streams& streams);
absl::Status RunVerify(const Options& options, const Streams& streams);
absl::Status RunRewrite(const Options& options, const Streams& streams);
absl::Status RunSweepVerb(const Options& options, const Streams& streams);
absl::Status RunValidate(const Options& options, const Streams& streams);
absl::Status RunWorkloadVerb(const Options& options, const Streams& streams);

}  // namespace hwest
