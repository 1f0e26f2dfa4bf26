// Entry points that take any bytes. The fuzzer calls them with bytes of its own, the replay test with kept ones.
#pragma once

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest::test {

// Entry reads `bytes` as a hostile user would have written them. It returns when the library kept its promises about
// them; otherwise the process ends (see Require).
struct Entry {
  absl::string_view name;
  absl::string_view bytes_are;
  absl::string_view kept_in;  // the folder of seeds/ and findings/
  void (*run)(absl::string_view bytes);
};

absl::Span<const Entry> Entries();
// Null when there is none.
const Entry* FindEntry(absl::string_view name);

void RunDims(absl::string_view bytes);
void RunMetadata(absl::string_view bytes);
void RunReader(absl::string_view bytes);
void RunOps(absl::string_view bytes);
void RunTarget(absl::string_view bytes);
void RunRewrite(absl::string_view bytes);
void RunModel(absl::string_view bytes);
void RunReports(absl::string_view bytes);
void RunToolchain(absl::string_view bytes);
void RunOpRules(absl::string_view bytes);
void RunFusions(absl::string_view bytes);
void RunRewriteRules(absl::string_view bytes);
void RunBudget(absl::string_view bytes);
void RunWorkload(absl::string_view bytes);
void RunMeasurements(absl::string_view bytes);
void RunProfile(absl::string_view bytes);
void RunOperators(absl::string_view bytes);
void RunLog(absl::string_view bytes);
void RunSaved(absl::string_view bytes);
void RunValue(absl::string_view bytes);
void RunLiteral(absl::string_view bytes);
void RunExternal(absl::string_view bytes);
void RunDecoder(absl::string_view bytes);
void RunDecoderGraph(absl::string_view bytes);
void RunRanges(absl::string_view bytes);
void RunSensitivity(absl::string_view bytes);

}  // namespace hwest::test
