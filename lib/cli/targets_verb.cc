// targets, targets show NAME, targets lint FILE...
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && (text << file.rdbuf() || file.peek() == std::char_traits<char>::eof())) return text.str();
  return MakeError(Code::kTargetInvalid,
                   absl::StrCat("cannot read ", EscapeControl(path), " (", std::strerror(errno), ")"),
                   "name a target or toolchain file");
}

absl::Status Lint(const Options& options, const Streams& streams) {
  std::vector<LintReport> reports;
  size_t problems = 0;
  for (size_t i = 1; i < options.words.size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(const std::string text, ReadText(options.words[i]));
    reports.push_back(LintTarget(text, options.words[i]));
    problems += reports.back().problems.size();
  }
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return WriteLint(reports, options.report, sink); }));
  if (problems == 0) return absl::OkStatus();
  return MakeError(Code::kCheckFailed,
                   absl::StrCat(problems, problems == 1 ? " problem" : " problems", " in ", reports.size(),
                                reports.size() == 1 ? " file" : " files"),
                   "each row of the report says what to change");
}

}  // namespace

absl::Status RunTargets(const Options& options, const Streams& streams) {
  const std::vector<std::string>& words = options.words;
  if (words.empty() || (words.size() == 1 && words[0] == "list")) {
    return Deliver(options, streams, [&](Sink sink) { return WriteTargets(ListTargets(), options.report, sink); });
  }
  if (words[0] == "show" && words.size() == 2) {
    HWEST_ASSIGN_OR_RETURN(const Target target, LoadTarget(words[1]));
    return Deliver(options, streams, [&](Sink sink) { return WriteTarget(target, options.report, sink); });
  }
  if (words[0] == "lint" && words.size() >= 2) return Lint(options, streams);
  return MakeError(Code::kUsage, absl::StrCat("`targets ", EscapeControl(words[0]), "` is not complete or not known"),
                   "write onnx-hwest targets list, targets show NAME, or targets lint FILE...");
}

}  // namespace hwest
