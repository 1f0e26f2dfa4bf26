// How a command line is split into its parts.
#include "cli/command.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

using Words = std::vector<std::string>;
using Kind = CommandPart::Kind;

// "V:shapes W:m.onnx F:--top=5 E:--": kind, text and value of each part.
std::string TextOf(const Command& command) {
  return absl::StrJoin(command.parts, " ", [](std::string* out, const CommandPart& part) {
    const char* kinds[] = {"V", "W", "F", "E"};
    absl::StrAppend(out, kinds[static_cast<size_t>(part.kind)], ":", part.text);
    if (part.value.has_value()) absl::StrAppend(out, "=", *part.value);
  });
}

struct ReadCase {
  Words args;
  const char* parts;
};

TEST_CASE("a command is its verb, words and flags") {
  const auto c = GENERATE(values<ReadCase>({
      {{}, ""},
      {{"m.onnx"}, "W:m.onnx"},
      {{"m", "--target", "t"}, "W:m F:--target=t"},
      {{"m", "--target=t"}, "W:m F:--target=t"},
      {{"m", "--dim=a=1"}, "W:m F:--dim=a=1"},
      {{"m", "--host="}, "W:m F:--host="},
      {{"m", "--host", ""}, "W:m F:--host="},
      {{"m", "--json", "n"}, "W:m F:--json W:n"},
      {{"m", "--top", "-1"}, "W:m F:--top=-1"},
      {{"m", "--output", "-"}, "W:m F:--output=-"},
      {{"m", "--grep", "-x"}, "W:m F:--grep=-x"},
      {{"m", "--grep=--x"}, "W:m F:--grep=--x"},
      {{"m", "--grep", "--json"}, "W:m F:--grep F:--json"},
      {{"m", "--target"}, "W:m F:--target"},
      {{"m", "--target", "--"}, "W:m F:--target E:--"},
      {{"m", "--value", "x=[1, 2]"}, "W:m F:--value=x=[1, 2]"},
      {{"m", "--value", "[1, 2]"}, "W:m F:--value=[1, 2]"},
      {{"m", "--nothing", "t"}, "W:m F:--nothing W:t"},
      {{"-h"}, "F:-h"},
      {{"-"}, "W:-"},
      {{"-3"}, "W:-3"},
      {{""}, "W:"},
      {{"++"}, "W:++"},
      {{"shapes", "m"}, "V:shapes W:m"},
      {{"--quiet", "shapes", "shapes"}, "F:--quiet V:shapes W:shapes"},
      {{"--output", "shapes", "m"}, "F:--output=shapes W:m"},
      {{"m", "shapes"}, "W:m W:shapes"},
      {{"--", "shapes"}, "E:-- W:shapes"},
      {{"shapes", "--", "--json", "--"}, "V:shapes E:-- W:--json W:--"},
  }));
  const Command command = ReadCommand(c.args);
  CHECK(TextOf(command) == c.parts);
  CHECK(ArgsOf(command.parts) == c.args);
}

struct SweepCase {
  Words args;
  Verb verb;
};

TEST_CASE("an analysis of several points is a sweep") {
  const auto c = GENERATE(values<SweepCase>({
      {{"m", "--target", "t"}, Verb::kAnalyze},
      {{"m", "n"}, Verb::kAnalyze},
      {{"m", "n", "--target", "t"}, Verb::kSweep},
      {{"--target", "t", "--", "m", "n"}, Verb::kSweep},
      {{"--target", "t", "--", "m", "--target"}, Verb::kSweep},
      {{"--target", "t", "m", "--", "--shard", "1/2"}, Verb::kSweep},
      {{"--target", "t", "--", "--mode=a,b"}, Verb::kAnalyze},
      {{"m", "--target", "t,u"}, Verb::kSweep},
      {{"m", "--target=all"}, Verb::kSweep},
      {{"m", "--mode", "all"}, Verb::kSweep},
      {{"m", "--mode", "30W, 4 cores"}, Verb::kAnalyze},
      {{"m", "--batch", "1,2"}, Verb::kSweep},
      {{"m", "--batch", "8"}, Verb::kAnalyze},
      {{"m", "--size", "64:128:+64"}, Verb::kSweep},
      {{"m", "--dim", "a=1,2"}, Verb::kSweep},
      {{"m", "--dim", "a:b=1"}, Verb::kAnalyze},
      {{"m", "--precision", "fp16,int8"}, Verb::kSweep},
      {{"m", "--precision", "gpu=fp16,dla0=int8"}, Verb::kAnalyze},
      {{"m", "--shard", "1/2"}, Verb::kSweep},
      {{"analyze", "m", "--target", "t,u"}, Verb::kSweep},
      {{"shapes", "m", "--target", "t,u"}, Verb::kShapes},
  }));
  INFO(absl::StrJoin(c.args, " "));
  CHECK(ReadCommand(c.args).verb == c.verb);
}

TEST_CASE("flags are those of the verb") {
  const Command graph = ReadCommand({"--unit", "cpu", "graph", "m"}),
                validate = ReadCommand({"validate", "--unit", "CPU"});
  CHECK(graph.parts[0].flag == FindFlag("--unit", Verb::kGraph));
  CHECK(validate.parts[1].flag == FindFlag("--unit", Verb::kValidate));
  CHECK(graph.parts[0].flag != validate.parts[1].flag);
  CHECK(ReadCommand({"shapes", "m", "--unit", "x"}).parts[2].flag == nullptr);
  CHECK(FindGiven(ReadCommand({"m", "-h"}), "--help") != nullptr);
}

TEST_CASE("what follows -- is no flag for whoever reads the command") {
  CHECK_FALSE(AsksForJson(ReadCommand({"m.onnx", "--", "--json"})));
  CHECK_FALSE(AsksForJson(ReadCommand({"m.onnx", "--json=1"})));
  CHECK(AsksForJson(ReadCommand({"--json", "--", "m.onnx"})));
  CHECK(AsksForJson(ReadCommand({"--bogus", "--format", "json"})));
  CHECK(AsksForJson(ReadCommand({"--format=json", "--target"})));
  const auto with = [](const Words& args) { return ArgsOf(WithFlags(ReadCommand(args), {"--budget", "b"})); };
  CHECK(with({"m.onnx"}) == Words{"m.onnx", "--budget", "b"});
  CHECK(with({"m.onnx", "--", "-n"}) == Words{"m.onnx", "--budget", "b", "--", "-n"});
}

}  // namespace
}  // namespace hwest::test
