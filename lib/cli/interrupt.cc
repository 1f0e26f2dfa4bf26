#include "cli/interrupt.h"

#include <unistd.h>

namespace hwest {
namespace {

volatile sig_atomic_t seen = 0;

void OnInterrupt(int) {
  if (seen != 0) ::_exit(130);
  seen = 1;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  seen = 0;
  if (::sigaction(SIGINT, nullptr, &before_) == 0 && before_.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

InterruptWatch::~InterruptWatch() {
  if (!is_kept_) ::sigaction(SIGINT, &before_, nullptr);
}

bool InterruptWatch::Seen() { return seen != 0; }

}  // namespace hwest
