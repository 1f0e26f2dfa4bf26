// Runs the program as a separate process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "import/temp_folder.h"

namespace hwest::test {

// How a run ended: exit code, or 128 + signal.
struct End {
  int code = -1;
  std::string err;
  int64_t max_rss_bytes = 0;
  double cpu_s = 0;
};

struct Plan {
  std::vector<std::string> args;
  std::string in = "/dev/null", out = "/dev/null";
  std::function<void()> before_exec = [] {};            // in the child
  std::function<void(pid_t)> meanwhile = [](pid_t) {};  // in the parent
};

// RunProcess runs `onnx-hwest ARGS...`; what it writes to standard error passes through a file in `folder`.
End RunProcess(const TempFolder& folder, const Plan& plan);

}  // namespace hwest::test
