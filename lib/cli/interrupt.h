// Ctrl-C as a request that long work polls, so that it stops where nothing is lost.
#pragma once

#include <signal.h>

namespace hwest {

// While an InterruptWatch lives, the first SIGINT is only noted; the second ends the process with 130. It changes
// nothing where SIGINT is ignored.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool Seen();
  // Keeps noting until the process ends: the work is complete, nothing is left to interrupt.
  void Keep() { is_kept_ = true; }

 private:
  bool is_kept_ = false;
  struct sigaction before_ = {};
};

}  // namespace hwest
