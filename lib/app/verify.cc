#include "app/verify.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "report/read_json.h"

extern char** environ;

namespace hwest::app {
namespace {

constexpr size_t kMostOutput = 16 << 20;
constexpr size_t kMostReason = 300;
constexpr absl::string_view kInstall = "pip install 'onnx-hwest[verify]', or name another interpreter by PYTHON";

struct Output {
  int code = -1;  // -1 = it ended with a signal
  std::string text, errors;
};

void Close(int end) {
  if (end >= 0) ::close(end);
}

// Reads both ends until they are closed, so that neither fills up.
void ReadAll(int out, int errors, Output* output) {
  pollfd ends[] = {{.fd = out, .events = POLLIN, .revents = 0}, {.fd = errors, .events = POLLIN, .revents = 0}};
  std::string* const texts[] = {&output->text, &output->errors};
  char buffer[4096];
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends, 2, -1) < 0 && errno != EINTR) return;
    for (size_t i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t got = ::read(ends[i].fd, buffer, sizeof(buffer));
      if (got > 0 && texts[i]->size() < kMostOutput) texts[i]->append(buffer, static_cast<size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) ends[i].fd = -1;  // poll leaves it out
    }
  }
}

absl::StatusOr<Output> RunProgram(std::vector<std::string> words) {
  int out[2], errors[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return MakeError(Code::kInternal, "no pipe to a program", "try again");
  if (::pipe2(errors, O_CLOEXEC) != 0) {
    Close(out[0]);
    Close(out[1]);
    return MakeError(Code::kInternal, "no pipe to a program", "try again");
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Without it `python -m` imports what lies in the current folder.
  std::string safe = "PYTHONSAFEPATH=1";
  std::vector<char*> environment = {safe.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  Close(out[1]);
  Close(errors[1]);
  Output output;
  if (failed == 0) {
    ReadAll(out[0], errors[0], &output);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  Close(out[0]);
  Close(errors[0]);
  if (failed != 0) return absl::NotFoundError(words[0]);
  return output;
}

std::string LastLine(const std::string& text) {
  std::string last;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::StripAsciiWhitespace(line).empty()) last = std::string(absl::StripAsciiWhitespace(line));
  }
  return EscapeControl(last.substr(0, kMostReason));
}

// A name that begins with a dash is still a file.
std::string AsPath(const std::string& path) { return absl::StartsWith(path, "-") ? absl::StrCat("./", path) : path; }

Verification NotRun(Exactness exactness, std::string why) {
  Verification verification;
  verification.exactness = exactness;
  verification.message = std::move(why);
  return verification;
}

Verification ReadVerification(const Cell& document, Exactness exactness) {
  Verification verification = NotRun(exactness, TextMember(document, "message"));
  verification.verdict = TextMember(document, "verdict");
  verification.runs = static_cast<int64_t>(FigureMember(document, "runs").value_or(0));
  verification.tolerance = FigureMember(document, "tolerance");
  verification.weights_drawn = static_cast<int64_t>(FigureMember(document, "weights_drawn").value_or(0));
  const std::string first = TextMember(document, "first_difference");
  if (!first.empty()) verification.first_difference = first;
  for (const Cell& row : ListMember(document, "outputs")) {
    Verification::Output output{.name = TextMember(row, "name"),
                                .max_abs = FigureMember(row, "max_abs"),
                                .max_rel = FigureMember(row, "max_rel"),
                                .rounding = FigureMember(row, "rounding")};
    ReadMember(row, "varies", &output.varies);
    ReadMember(row, "equal", &output.equal);
    verification.outputs.push_back(std::move(output));
  }
  for (const Cell& row : ListMember(document, "choices")) {
    verification.choices.push_back({.name = TextMember(row, "name"),
                                    .op = TextMember(row, "operator"),
                                    .changed = static_cast<int64_t>(FigureMember(row, "changed").value_or(0)),
                                    .elements = static_cast<int64_t>(FigureMember(row, "elements").value_or(0))});
  }
  return verification;
}

}  // namespace

Verification Verify(const VerifyRequest& request) {
  const char* named = std::getenv("PYTHON");
  const std::string python = named == nullptr || *named == '\0' ? "python3" : named;
  std::vector<std::string> words = {python,
                                    "-m",
                                    "onnx_hwest.verify",
                                    AsPath(request.first),
                                    AsPath(request.second),
                                    "--runs",
                                    absl::StrCat(request.runs),
                                    "--class",
                                    std::string(ExactnessName(request.exactness)),
                                    "--json"};
  for (const std::string& value : request.values) words.push_back(absl::StrCat("--value=", value));
  if (!request.samples.empty()) words.push_back(absl::StrCat("--samples=", request.samples));
  const absl::StatusOr<Output> output = RunProgram(std::move(words));
  if (!output.ok()) {
    return NotRun(request.exactness,
                  absl::StrCat("cannot start ", EscapeControl(python), ": install Python, and ", kInstall));
  }
  if (absl::StrContains(output->errors, "No module named 'onnx_hwest'") ||
      absl::StrContains(output->errors, "No module named onnx_hwest")) {
    return NotRun(request.exactness,
                  absl::StrCat("the Python package onnx_hwest is missing in ", EscapeControl(python), ": ", kInstall));
  }
  const absl::StatusOr<Cell> document = ReadJson(output->text);
  if (!document.ok() || TextMember(*document, "verdict").empty()) {
    const std::string reason = LastLine(output->errors);
    return NotRun(request.exactness,
                  reason.empty() ? absl::StrCat(EscapeControl(python), " ended with status ", output->code) : reason);
  }
  return ReadVerification(*document, request.exactness);
}

absl::Status StatusOf(const Verification& verification) {
  if (verification.verdict == "equal") return absl::OkStatus();
  if (verification.verdict == "differs") {
    return MakeError(Code::kCheckFailed, "the file that was written computes something else",
                     "leave the rule out with --no-rule, and report it");
  }
  return MakeError(Code::kIncomplete, absl::StrCat("not verified: ", verification.message),
                   "the file is written; leave out --verify to go without");
}

Exactness CoarsestOf(const std::vector<AppliedRule>& rules) {
  Exactness coarsest = Exactness::kExact;
  for (const AppliedRule& rule : rules) coarsest = std::max(coarsest, rule.exactness);
  return coarsest;
}

}  // namespace hwest::app
