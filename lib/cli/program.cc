// The program as a whole, run by main and, through the shared library, by launchers in other languages.
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

namespace hwest {
namespace {

void EndOnInterrupt(int) {
  constexpr char kLine[] = "onnx-hwest: error: interrupted: run the command again\n";
  (void)!::write(STDERR_FILENO, kLine, sizeof(kLine) - 1);
  ::_exit(130);
}

void CatchInterrupt() {
  struct sigaction old;
  if (::sigaction(SIGINT, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = EndOnInterrupt;
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

int RunProgram(const std::vector<std::string>& args) {
  CatchInterrupt();
  return RunCli(args, Streams());
}

}  // namespace hwest
