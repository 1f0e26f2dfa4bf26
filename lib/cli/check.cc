#include "cli/check.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"

extern char** environ;

namespace hwest {
namespace {

constexpr char kProgram[] = "onnx-hwest-check";
constexpr size_t kMaxReason = 4096;

struct Outcome {
  int status = 0;  // of the process, as waitpid gives it
  std::string reason;
};

// Finds the program in the folder of this one or, if installed, in libexec.
absl::StatusOr<std::string> FindProgram() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {".", "../libexec/onnx-hwest"}) {
    const std::filesystem::path program = (folder / place / kProgram).lexically_normal();
    if (!error && ::access(program.c_str(), X_OK) == 0) return program.string();
  }
  return MakeError(Code::kUsage, absl::StrCat("--check needs the program ", kProgram, " beside this one"),
                   "install it, or leave out --check");
}

// Reads the output of the process, up to a cap, and waits until it ends.
Outcome Collect(pid_t process, int from) {
  Outcome outcome;
  char buffer[1024];
  for (;;) {
    const ssize_t got = ::read(from, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    outcome.reason.append(buffer, static_cast<size_t>(got));
    if (outcome.reason.size() > kMaxReason) outcome.reason.resize(kMaxReason);
  }
  while (::waitpid(process, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  return outcome;
}

absl::StatusOr<Outcome> Spawn(const std::string& program, const std::string& model) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return MakeError(Code::kInternal, "no pipe to a program", "try again");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  // A name that begins with a dash is still a file.
  std::string path = model[0] == '-' ? absl::StrCat("./", model) : model;
  std::string name = kProgram;
  char* arguments[] = {name.data(), path.data(), nullptr};
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return MakeError(Code::kUsage, absl::StrCat("cannot start ", program), "install it, or leave out --check");
  }
  Outcome outcome = Collect(process, ends[0]);
  ::close(ends[0]);
  return outcome;
}

// The first line; libonnx adds its own call stack and hints below.
std::string FirstLine(const std::string& text) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (const std::string& line : lines) {
    if (!absl::StripAsciiWhitespace(line).empty()) return std::string(absl::StripAsciiWhitespace(line));
  }
  return "no reason given";
}

}  // namespace

absl::Status CheckModel(const std::string& path, std::vector<Diagnostic>* notes) {
  if (path == "-") {
    return MakeError(Code::kUsage, "--check reads a file, not standard input", "save the model and name the file");
  }
  HWEST_ASSIGN_OR_RETURN(const std::string program, FindProgram());
  HWEST_ASSIGN_OR_RETURN(const Outcome outcome, Spawn(program, path));
  const int code = WIFEXITED(outcome.status) ? WEXITSTATUS(outcome.status) : -1;
  if (code == 0) return absl::OkStatus();
  if (code == 7) {
    notes->push_back({.code = Code::kOpsetNewer,
                      .message = absl::StrCat("not checked: the model is of ", FirstLine(outcome.reason)),
                      .remedy = "use a newer libonnx"});
    return absl::OkStatus();
  }
  // Any other status is no verdict: a loader that does not find libonnx exits with 127.
  if (code > 0 && code != 3 && code != 8) {
    return MakeError(Code::kUsage, absl::StrCat("cannot start ", program, ": it ended with status ", code),
                     "install it and libonnx, or leave out --check");
  }
  const std::string reason = code < 0 ? std::string("it ended with a crash") : FirstLine(outcome.reason);
  return MakeError(Code::kCheckFailed, absl::StrCat("libonnx rejects the model: ", reason),
                   "export the model again, or leave out --check");
}

}  // namespace hwest
