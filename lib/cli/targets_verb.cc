// targets, targets show NAME, targets diff A B, targets lint FILE|FOLDER...
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
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

// The .textproto files in and below a folder, sorted.
absl::StatusOr<std::vector<std::string>> FilesIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".textproto" && at->is_regular_file(error)) paths.push_back(at->path().string());
  }
  if (error) {
    return MakeError(Code::kTargetInvalid,
                     absl::StrCat("cannot read ", EscapeControl(folder), " (", error.message(), ")"),
                     "name a folder of target and toolchain files, or the files");
  }
  if (paths.empty()) {
    return MakeError(Code::kUsage, absl::StrCat("there is no .textproto file in or below ", EscapeControl(folder)),
                     "`targets lint` takes target and toolchain files, or folders of them");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

absl::StatusOr<std::vector<std::string>> FilesToLint(const Options& options) {
  std::vector<std::string> paths;
  for (size_t i = 1; i < options.words.size(); ++i) {
    std::error_code error;
    std::vector<std::string> found = {options.words[i]};
    if (std::filesystem::is_directory(options.words[i], error)) {
      HWEST_ASSIGN_OR_RETURN(found, FilesIn(options.words[i]));
    }
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

std::string Counted(size_t count, const char* what) { return absl::StrCat(count, " ", what, count == 1 ? "" : "s"); }

absl::Status Lint(const Options& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<std::string> paths, FilesToLint(options));
  std::vector<LintReport> reports;
  size_t problems = 0;
  for (const std::string& path : paths) {
    HWEST_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
    reports.push_back(LintTarget(text, path));
    problems += ErrorsIn(reports.back());
  }
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return WriteLint(reports, options.report, sink); }));
  if (problems == 0) return absl::OkStatus();
  return MakeError(Code::kCheckFailed,
                   absl::StrCat(Counted(problems, "problem"), " in ", Counted(reports.size(), "file")),
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
  if (words[0] == "diff" && words.size() == 3) {
    HWEST_ASSIGN_OR_RETURN(const Target a, LoadTarget(words[1]));
    HWEST_ASSIGN_OR_RETURN(const Target b, LoadTarget(words[2]));
    return Deliver(options, streams, [&](Sink sink) { return WriteTargetDiff(a, b, options.report, sink); });
  }
  if (words[0] == "lint" && words.size() >= 2) return Lint(options, streams);
  return MakeError(
      Code::kUsage, absl::StrCat("`targets ", EscapeControl(words[0]), "` is not complete or not known"),
      "write onnx-hwest targets list, targets show NAME, targets diff A B, or targets lint FILE|FOLDER...");
}

}  // namespace hwest
