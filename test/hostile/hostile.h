// Runs each hostile file through the whole program in process: what a user would see.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "support/onnx_writer.h"
#include "support/run_cli.h"

namespace hwest::test {

// RunOn writes `bytes` to a model file in a fresh folder and runs `onnx-hwest ARGS... --format csv` on it, MODEL in
// `args` standing for its path; `shapes MODEL` when there are no arguments.
Outcome RunOn(const std::string& bytes, const std::vector<std::string>& args = {});

// Case is one hostile file: refused (exit 3 and what the error says) or bounded (exit 0, what the warnings say and what
// the table of values holds).
struct Case {
  int pitfall;  // number of the list of pitfalls that describes it
  std::string name;
  std::string bytes;
  int code;
  std::string err;  // part of standard error, "" = empty
  std::string out;  // part of standard output
};

void Check(const Case& test);

// Pieces of models.
Message Value(absl::string_view name, const Message& type);  // ValueInfoProto
Message FloatType(const std::vector<std::string>& dims);     // numbers or expressions
Message Graph(const std::vector<Message>& nodes, const std::vector<Message>& inputs,
              const std::vector<std::string>& outputs);
Message Function(absl::string_view name, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs, const std::vector<Message>& nodes);
Message Call(absl::string_view function, const std::vector<std::string>& inputs,
             const std::vector<std::string>& outputs);
Message Int64s(absl::string_view name, const std::vector<int64_t>& values);  // TensorProto, one axis
// A model of opset 17 that also imports the domain "local" of the functions.
std::string ModelWith(const Message& graph, const std::vector<Message>& functions = {});
// y = OP(inputs), x being float[2, 3]; other inputs are int64 constants.
std::string OneNode(absl::string_view op, const std::vector<std::vector<int64_t>>& constants,
                    const std::vector<Message>& attributes = {});

}  // namespace hwest::test
