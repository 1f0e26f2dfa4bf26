// Whole commands in process.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace hwest::test {

// Outcome of one run of the program.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string TakenText(std::FILE* file) {
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

// RunCommand runs `onnx-hwest ARGS...`; what uses it links hwest_cli.
inline Outcome RunCommand(const std::vector<std::string>& args) {
  const Streams streams{std::tmpfile(), std::tmpfile()};
  Outcome outcome;
  outcome.code = RunCli(args, streams);
  outcome.out = TakenText(streams.out);
  outcome.err = TakenText(streams.err);
  return outcome;
}

}  // namespace hwest::test
