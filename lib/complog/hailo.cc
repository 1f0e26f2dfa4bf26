// Hailo's parser, of a model that it does not take as a whole:
//   UnsupportedOperationError in op /head/TopK: TopK operation is unsupported
//   Please try to parse the model again, using these end node names: /head/Conv, /head/Conv_1
//   Parsing failed with recommendations for end node names: ['/head/Conv', '/head/Conv_1'].
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"

namespace hwest {

CompilerLog ReadHailoLog(absl::string_view text) {
  CompilerLog log{.program = "Hailo Dataflow Compiler"};
  for (const std::string& line : LinesOf(text)) {
    absl::string_view rest;
    if (After(line, "Error in op ", &rest)) {
      const size_t colon = rest.find(": ");
      if (colon == absl::string_view::npos) continue;
      log.kernels.push_back({.name = std::string(rest.substr(0, colon)),
                             .unit = LogUnit::kCpu,
                             .unit_name = "host",
                             .reason = std::string(absl::StripAsciiWhitespace(rest.substr(colon + 2)))});
    } else if (After(line, "recommendations for end node names: ", &rest)) {
      log.ends = QuotedIn(rest);
    } else if (After(line, "using these end node names:", &rest)) {
      log.ends.clear();
      for (absl::string_view name : absl::StrSplit(rest, ',')) {
        name = absl::StripAsciiWhitespace(name);
        if (!name.empty()) log.ends.emplace_back(name);
      }
    }
  }
  return log;
}

}  // namespace hwest
