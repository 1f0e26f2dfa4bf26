#include "hostile/hostile.h"

#include <filesystem>
#include <regex>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "import/temp_folder.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

// Each run has a folder of its own.
std::string WithoutFolder(const std::string& text) {
  return std::regex_replace(text, std::regex("[^ ]*/m\\.onnx"), "m.onnx");
}

}  // namespace

Outcome RunOn(const std::string& bytes, const std::vector<std::string>& args) {
  const TempFolder folder;
  const std::string path = folder.Write("m.onnx", bytes);
  std::vector<std::string> words = args.empty() ? std::vector<std::string>{"shapes", "MODEL"} : args;
  for (std::string& word : words) {
    if (word == "MODEL") word = path;
  }
  if (args.empty()) words.insert(words.end(), {"--format", "csv"});
  return RunCommand(words);
}

// `rewrite` builds graphs of what it reads, too, under the limits that every other verb has.
void CheckRefusedByRewrite(const Case& test, const Outcome& by_shapes) {
  const std::string written = (std::filesystem::temp_directory_path() / "hwest_hostile_out.onnx").string();
  const Outcome outcome = RunOn(test.bytes, {"rewrite", "MODEL", "--output", written});
  INFO("rewrite: " << outcome.err.substr(0, 2000));
  CHECK(outcome.code == 3);
  CHECK(WithoutFolder(outcome.err) == WithoutFolder(by_shapes.err));
  CHECK_FALSE(std::filesystem::exists(written));
}

void Check(const Case& test) {
  const Outcome outcome = RunOn(test.bytes);
  INFO(test.pitfall << " " << test.name << ": exit " << outcome.code << "\n" << outcome.err.substr(0, 2000));
  INFO(outcome.out.substr(0, 2000));
  CHECK(outcome.code == test.code);
  CHECK_THAT(outcome.out, Catch::Contains(test.out));
  CHECK_THAT(outcome.err, Catch::Contains(test.err));
  CHECK(outcome.err.empty() == test.err.empty());
  if (test.code == 3) CheckRefusedByRewrite(test, outcome);
}

Message Value(absl::string_view name, const Message& type) { return Message().Bytes(1, name).Sub(2, type); }

Message FloatType(const std::vector<std::string>& dims) {
  Message shape;
  for (const std::string& dim : dims) {
    int64_t size;
    shape.Sub(1, absl::SimpleAtoi(dim, &size) ? Message().Varint(1, size) : Message().Bytes(2, dim));
  }
  return Message().Sub(1, Message().Varint(1, 1).Sub(2, shape));
}

Message Graph(const std::vector<Message>& nodes, const std::vector<Message>& inputs,
              const std::vector<std::string>& outputs) {
  Message graph;
  for (const Message& node : nodes) graph.Sub(1, node);
  for (const Message& input : inputs) graph.Sub(11, input);
  for (const std::string& output : outputs) graph.Sub(12, Message().Bytes(1, output));
  return graph;
}

Message Function(absl::string_view name, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs, const std::vector<Message>& nodes) {
  Message function = Message().Bytes(1, name).Strings(4, inputs).Strings(5, outputs);
  for (const Message& node : nodes) function.Sub(7, node);
  return function.Sub(9, OpsetImport("", 17)).Sub(9, OpsetImport("local", 1)).Bytes(10, "local");
}

Message Call(absl::string_view function, const std::vector<std::string>& inputs,
             const std::vector<std::string>& outputs) {
  return Node(function, inputs, outputs).Bytes(7, "local");
}

Message Int64s(absl::string_view name, const std::vector<int64_t>& values) {
  return RawTensor(name, 7, {static_cast<int64_t>(values.size())}, LittleEndian(values, 8));
}

std::string ModelWith(const Message& graph, const std::vector<Message>& functions) {
  Message model = Model(graph).Sub(8, OpsetImport("local", 1));
  for (const Message& function : functions) model.Sub(25, function);
  return model.bytes();
}

std::string OneNode(absl::string_view op, const std::vector<std::vector<int64_t>>& constants,
                    const std::vector<Message>& attributes) {
  std::vector<std::string> inputs = {"x"};
  Message tensors;
  for (const std::vector<int64_t>& values : constants) {
    inputs.push_back(absl::StrCat("c", inputs.size()));
    tensors.Sub(5, Int64s(inputs.back(), values));
  }
  Message node = Node(op, inputs, {"y"});
  for (const Message& attribute : attributes) node.Sub(5, attribute);
  return ModelWith(Graph({node}, {Value("x", FloatType({"2", "3"}))}, {"y"}).Raw(tensors.bytes()));
}

}  // namespace hwest::test
