// The command line: onnx-hwest MODEL --target T, and its verbs.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace hwest {

// Where a run writes. `out` holds the report alone; errors, notes and progress go to `err`.
struct Streams {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
};

// RunCli runs one command and returns the process exit code. `args` are the words after the program's name.
int RunCli(const std::vector<std::string>& args, const Streams& streams);

// RunProgram is RunCli on the process's own streams; SIGINT ends the process with 130 unless it is ignored.
int RunProgram(const std::vector<std::string>& args);

}  // namespace hwest
