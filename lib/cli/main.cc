#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/cli.h"

namespace {

void OnInterrupt(int) {
  constexpr char kLine[] = "onnx-hwest: error: interrupted: run the command again\n";
  (void)!::write(STDERR_FILENO, kLine, sizeof(kLine) - 1);
  ::_exit(130);
}

void CatchInterrupt() {
  struct sigaction old;
  if (::sigaction(SIGINT, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  CatchInterrupt();
  return hwest::RunCli(std::vector<std::string>(argv + 1, argv + argc), hwest::Streams());
}
