// The reference of the file, read from the text of workload.proto, which has one declaration a line with its comment.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hwest/workload.h"

namespace hwest {

extern const char kWorkloadProto[];

std::vector<WorkloadKey> WorkloadKeys() {
  std::vector<WorkloadKey> keys;
  std::string in;
  for (const absl::string_view line : absl::StrSplit(absl::string_view(kWorkloadProto), '\n')) {
    const size_t slashes = line.find("//");
    if (slashes == absl::string_view::npos || slashes == 0) {
      if (absl::StartsWith(line, "message ") || absl::StartsWith(line, "enum ")) {
        in = std::vector<std::string>(absl::StrSplit(line, ' '))[1];
      }
      continue;
    }
    const std::vector<std::string> words =
        absl::StrSplit(line.substr(0, slashes), absl::ByAnyChar(" ;"), absl::SkipEmpty());
    size_t equals = 0;
    while (equals < words.size() && words[equals] != "=") ++equals;
    if (equals == 0 || equals == words.size()) continue;
    keys.push_back(
        {.in = in == "Workload" ? "" : absl::AsciiStrToLower(in),
         .name = words[equals - 1],
         .type = equals > 1 ? absl::StrCat(words[0] == "repeated" ? "repeated " : "", words[equals - 2]) : "",
         .meaning = std::string(absl::StripAsciiWhitespace(line.substr(slashes + 2)))});
  }
  return keys;
}

}  // namespace hwest
