// The program as a process: it may read from and write to anything that the system has.
#include "hostile/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hostile/hostile.h"
#include "import/temp_folder.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

std::string Small() { return ModelWith(Graph({Node("Relu", {"x"}, {"y"})}, {Value("x", FloatType({"2"}))}, {"y"})); }

TEST_CASE("models that are no files") {
  const TempFolder folder;
  folder.Write("m.onnx", Small());
  fs::create_directory(folder / "folder");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("loop", folder / "loop");
  struct Row {
    std::string model;
    int code;
    std::string err;
  };
  const Row rows[] = {
      {"m.onnx", 0, ""},
      {"folder", 3, "it is a directory"},
      {"pipe", 3, "it is a pipe"},
      {"loop", 3, "symbolic links"},
      {"missing", 3, "No such file"},
      {"m.onnx/x", 3, "Not a directory"},
  };
  for (const Row& row : rows) {
    const End end = RunProcess(folder, {.args = {"shapes", (folder / row.model).string()}});
    INFO(row.model << ": " << end.err);
    CHECK(end.code == row.code);
    CHECK_THAT(end.err, Catch::Contains(row.err));
  }
  CHECK_THAT(RunProcess(folder, {.args = {"shapes", "/dev/zero"}}).err, Catch::Contains("it is a device"));
}

TEST_CASE("a hole of three gigabytes is skipped, not read") {
  const TempFolder folder;
  constexpr int64_t kBytes = int64_t{3} << 30;
  const Message tensor = Message().Varint(1, kBytes / 4).Varint(2, 1).Bytes(8, "w");
  const std::string raw = absl::StrCat("\x4a", VarintBytes(kBytes));
  const std::string head =
      absl::StrCat("\x2a", VarintBytes(tensor.bytes().size() + raw.size() + kBytes), tensor.bytes(), raw);
  const std::string bytes = absl::StrCat("\x08\x08\x3a", VarintBytes(head.size() + kBytes), head);
  const std::string path = folder.Write("m.onnx", bytes);
  fs::resize_file(path, bytes.size() + kBytes);
  const End end = RunProcess(folder, {.args = {"shapes", path}});
  INFO(end.err);
  CHECK(end.code == 0);
  CHECK(end.max_rss_bytes < int64_t{1} << 29);
}

TEST_CASE("standard input is read from a pipe, and not without end") {
  const TempFolder folder;
  const std::string path = folder.Write("m.onnx", Small());
  CHECK(RunProcess(folder, {.args = {"shapes", "-"}, .in = path}).code == 0);
  const End nothing = RunProcess(folder, {.args = {"shapes", "-"}});
  CHECK(nothing.code == 3);
  CHECK_THAT(nothing.err, Catch::Contains("standard input"));
  const End closed = RunProcess(folder, {.args = {"shapes", "-"}, .before_exec = [] { ::close(0); }});
  CHECK(closed.code == 3);
  const End zeros = RunProcess(folder, {.args = {"shapes", "-"}, .in = "/dev/zero"});
  CHECK(zeros.code == 3);
  CHECK_THAT(zeros.err, Catch::Contains("holds zero bytes where a model should start"));
}

TEST_CASE("outputs that cannot be written") {
  const TempFolder folder;
  const std::string path = folder.Write("m.onnx", Small());
  struct Row {
    std::string what;
    Plan plan;
    int code;
  };
  const auto closed = [] { ::close(1); };
  // clang-format off
  const Row rows[] = {
      {"a full device", {.args = {"shapes", path}, .out = "/dev/full"}, 6},
      {"a closed standard output", {.args = {"shapes", path}, .before_exec = closed}, 6},
      {"a full device as file", {.args = {"shapes", path, "--output", "/dev/full"}}, 6},
      {"a folder", {.args = {"shapes", path, "--output", (folder / "").string()}}, 6},
      {"a folder that is not there", {.args = {"shapes", path, "--output", (folder / "no/o.json").string()}}, 6},
      {"a file too large", {.args = {"shapes", path, "--output", (folder / "o.json").string()},
                            .before_exec = [] {
                              const struct rlimit none = {0, 0};
                              ::setrlimit(RLIMIT_FSIZE, &none);
                              ::signal(SIGXFSZ, SIG_IGN);
                            }}, 6},
  };
  // clang-format on
  for (const Row& row : rows) {
    const End end = RunProcess(folder, row.plan);
    INFO(row.what << ": " << end.err);
    CHECK(end.code == row.code);
    CHECK_FALSE(fs::exists((folder / "o.json")));
  }
}

TEST_CASE("a reader that goes away ends the run quietly") {
  const TempFolder folder;
  const std::string path = folder.Write("m.onnx", Small());
  for (const bool ignored : {false, true}) {
    const End end = RunProcess(folder, {.args = {"describe", "ops"}, .before_exec = [ignored] {
                                          int ends[2];
                                          if (::pipe(ends) != 0) ::_exit(126);
                                          ::close(ends[0]);
                                          ::dup2(ends[1], 1);
                                          ::signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL);
                                        }});
    INFO(end.err);
    CHECK(end.code == (ignored ? 0 : 128 + SIGPIPE));
    CHECK(end.err.empty());
  }
}

TEST_CASE("Ctrl-C ends a run that waits for its input with 130") {
  const TempFolder folder;
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int keep = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  const auto interrupt = [&](pid_t child) {
    // The program has taken the pipe over when it is empty again.
    REQUIRE(::write(keep, "\x08", 1) == 1);
    int waiting = 1;
    for (siginfo_t ended = {}; waiting > 0 && ended.si_pid == 0;) {
      ::usleep(1000);
      ::ioctl(keep, FIONREAD, &waiting);
      ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    ::kill(child, SIGINT);
  };
  const End end = RunProcess(folder, {.args = {"shapes", "-"}, .in = pipe, .meanwhile = interrupt});
  ::close(keep);
  CHECK(end.code == 130);
  CHECK_THAT(end.err, Catch::Contains("interrupted"));
}

}  // namespace
}  // namespace hwest::test
