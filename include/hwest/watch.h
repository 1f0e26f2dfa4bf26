// Watch: who waits for a study hears how far it is, and may end it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace hwest {

// Each may be null.
struct Watch {
  // Called before each step of a study that names its steps, in the thread of the caller. `total` = how many there are;
  // 0 = not known.
  std::function<void(const std::string& step, size_t total)> step;
  // Called when `done` of `total` equal pieces are done, "analyses" say, from any thread but one at a time.
  std::function<void(const char* pieces, size_t done, size_t total)> count;
  // Asked between the stages of every analysis, from any thread; true = the study ends with kInterrupted.
  std::function<bool()> stop;
};

}  // namespace hwest
