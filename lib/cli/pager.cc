#include "cli/pager.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/status_macros.h"
#include "cli/output.h"

namespace hwest {
namespace {

// "" = no pager.
std::string PagerOf(const Options& options, const Streams& streams) {
  if (!options.output.empty() || options.quiet == Quiet::kYes || options.report.format != Format::kText) return "";
  if (::isatty(::fileno(streams.out)) != 1) return "";
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string(terminal) == "dumb") return "";
  const char* pager = std::getenv("PAGER");
  const std::string command = pager == nullptr ? "less" : pager;
  return command == "cat" ? "" : command;
}

bool FitsTerminal(const std::string& text, const Streams& streams) {
  struct winsize size = {};
  if (::ioctl(::fileno(streams.out), TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return true;
  return std::count(text.begin(), text.end(), '\n') < size.ws_row;
}

// The pager reads the keyboard and handles Ctrl-C while it runs. It may also exit before the text ends.
class IgnoreSignal {
 public:
  explicit IgnoreSignal(int signal) : signal_(signal) {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(signal_, &ignore, &before_);
  }
  ~IgnoreSignal() { ::sigaction(signal_, &before_, nullptr); }
  IgnoreSignal(const IgnoreSignal&) = delete;

 private:
  int signal_;
  struct sigaction before_;
};

// False when the pager could not be started.
bool ShowIn(const std::string& pager, const std::string& text, const Streams& streams) {
  std::fflush(streams.out);
  ::setenv("LESS", "FRX", 0);  // quit on one page, keep colour and screen
  std::FILE* pipe = ::popen(pager.c_str(), "w");
  if (pipe == nullptr) return false;
  const IgnoreSignal interrupt(SIGINT), closed(SIGPIPE);
  std::fwrite(text.data(), 1, text.size(), pipe);  // a pager may exit early
  constexpr int kNotFound = 127;
  const int status = ::pclose(pipe);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == kNotFound);
}

}  // namespace

absl::Status DeliverPaged(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write) {
  const std::string pager = PagerOf(options, streams);
  if (pager.empty()) return Deliver(options, streams, write);
  std::string text;
  HWEST_RETURN_IF_ERROR(write([&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  }));
  if (!FitsTerminal(text, streams) && ShowIn(pager, text, streams)) return absl::OkStatus();
  return Deliver(options, streams, [&](Sink sink) { return sink(text); });
}

}  // namespace hwest
