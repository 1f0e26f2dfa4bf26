// Ctrl-C as a question for long work, which ends where nothing is lost.
#pragma once

#include <signal.h>

namespace hwest {

// While one of these lives, the first SIGINT is only noted and the second one ends the process with 130. Nothing
// changes where SIGINT is ignored.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool Seen();
  // Goes on to the end of the process: of work that is whole, where there is nothing left to interrupt.
  void Keep() { is_kept_ = true; }

 private:
  bool is_kept_ = false;
  struct sigaction before_ = {};
};

}  // namespace hwest
