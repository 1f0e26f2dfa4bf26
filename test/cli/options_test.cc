// From words to options, and the messages for what is refused.
#include "cli/options.h"

#include "cli/output.h"
#include "report/text_table.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

using Words = std::vector<std::string>;

template <class Own = Options>
absl::StatusOr<Own> Parsed(const Words& args) {
  const absl::StatusOr<std::unique_ptr<Options>> options = ParseOptions(ReadCommand(args));
  if (!options.ok()) return options.status();
  return dynamic_cast<const Own&>(**options);
}

struct BadCase {
  Words args;
  const char* what;    // part of the message
  const char* remedy;  // part of the remedy
};

TEST_CASE("usage errors name the flag and what to write instead") {
  const auto c = GENERATE(values<BadCase>({
      {{}, "no model", "onnx-hwest MODEL --target NAME"},
      {{"shapes", "m.onnx", "extra"}, "one word too many: 'extra'", "shapes MODEL"},
      {{"explain", "m.onnx"}, "`explain` needs MODEL NODE", "explain MODEL NODE"},
      {{"m.onnx", "--host", ""}, "--host cannot be ''", "raspberry-pi-5"},
      {{"shapes", "m.onnx", "--host", "x"}, "--host means nothing for `shapes`", "leave it out"},
      {{"m.onnx", "--stats"}, "--stats means nothing for `analyze`", "leave it out"},
      {{"m.onnx", "--targt", "x"}, "unknown flag --targt", "did you mean --target"},
      {{"m.onnx", "--target"}, "--target needs a value", "--target NAME"},
      {{"m.onnx", "--target", "--json"}, "--target needs a value", "--target NAME"},
      {{"m.onnx", "--target", "a", "--target", "b"}, "--target was given twice", "once"},
      {{"m.onnx", "--json=1"}, "--json takes no value", "alone"},
      {{"m.onnx", "--json", "--format", "csv"}, "--json contradicts", "one of them"},
      {{"m.onnx", "--format", "jsn"}, "--format cannot be 'jsn'", "did you mean json"},
      {{"m.onnx", "--level", "everything"}, "--level cannot be", "node, group, segment, module, unit"},
      {{"m.onnx", "--flops-as", "ptflops"}, "--flops-as cannot be 'ptflops'", "native, fvcore, torch"},
      {{"m.onnx", "--flops-as", "fvcor"}, "--flops-as cannot be 'fvcor'", "did you mean fvcore"},
      {{"support", "m.onnx", "--flops-as", "fvcore"}, "--flops-as means nothing", "leave it out"},
      {{"m.onnx", "--top", "-1"}, "--top cannot be '-1'", "at least 0"},
      {{"m.onnx", "--batch", "0"}, "--batch cannot be '0'", "at least 1"},
      {{"m.onnx", "--dim", "batch"}, "--dim cannot be 'batch'", "NAME=N"},
      {{"m.onnx", "--dim", "batch=x"}, "--dim cannot be", "whole number"},
      {{"m.onnx", "--shape", "1x?"}, "--shape cannot be '1x?'", "1x3x224x224"},
      {{"m.onnx", "--precision", "int9"}, "--precision cannot be", "int8"},
      {{"m.onnx", "--precision", "fp16,dla0=int8"}, "--precision cannot be 'fp16,dla0=int8'", "UNIT=P,UNIT=P"},
      {{"m.onnx", "--precision", "gpu=fp61"}, "--precision cannot be 'fp61'", "did you mean fp16"},
      {{"shapes", "m.onnx", "--host-competes"}, "--host-competes means nothing for `shapes`", "leave it out"},
      {{"m.onnx", "--objective", "speed"}, "--objective cannot be", "latency, energy"},
      {{"m.onnx", "--deny", "Conv"}, "--deny cannot be 'Conv'", "WHAT@UNIT"},
      {{"m.onnx", "--only", "gpu,"}, "--only cannot be", "UNIT,UNIT"},
      {{"m.onnx", "--fusions", "no-such-file.txt"}, "--fusions cannot be", "name a file"},
      {{"shapes", "m.onnx", "--target", "t"}, "--target means nothing for `shapes`", "leave it out"},
      {{"targets", "--dim", "a=1"}, "--dim means nothing for `targets`", "leave it out"},
      {{"m.onnx", "--power-cap", "0"}, "--power-cap cannot be '0'", "--power-cap 15"},
      {{"m.onnx", "--power-cap", "nan"}, "--power-cap cannot be 'nan'", "watts above zero"},
      {{"m.onnx", "--context", "128,x"}, "--context cannot be '128,x'", "--context 128,512,2048"},
      {{"m.onnx", "--context", "0"}, "--context cannot be '0'", "--context 128,512,2048"},
      {{"shapes", "m.onnx", "--context", "8"}, "--context means nothing for `shapes`", "leave it out"},
      {{"m.onnx", "--what-if=x"}, "--what-if takes no value", "alone"},
      {{"graph", "m.onnx", "--start", "x"}, "--start cannot be 'x'", "whole number"},
      {{"graph", "m.onnx", "--context", "1,2", "--around", "n"}, "--context cannot be '1,2'", "whole number"},
      {{"graph", "m.onnx", "--mode", "30W"}, "--mode means nothing without a target", "--target NAME"},
      {{"graph", "m.onnx", "--op", "Conv,"}, "--op cannot be 'Conv,'", "a comma between them"},
      {{"graph", "m.onnx", "--width", "3"}, "--width cannot be '3'", "at least 40"},
      {{"graph", "m.onnx", "--top", "3"}, "--top means nothing for `graph`", "leave it out"},
      {{"m.onnx", "--around", "n"}, "--around means nothing for `analyze`", "leave it out"},
      {{"m.onnx", "--color-by", "tim"}, "--color-by cannot be 'tim'", "did you mean time"},
      {{"m.onnx", "--collapse", "all"}, "--collapse cannot be 'all'", "auto, module, segment, none"},
      {{"m.onnx", "--chart", "gantt"}, "--chart cannot be 'gantt'", "timeline, memory, roofline, modules"},
      {{"graph", "m.onnx", "--chart", "memory"}, "--chart means nothing for `graph`", "leave it out"},
      {{"explain", "m.onnx", "n", "--what-if"}, "--what-if means nothing for `explain`", "leave it out"},
      {{"m.onnx", "--toolchain", "tensorrt"}, "--toolchain cannot be 'tensorrt'", "UNIT=NAME"},
      {{"m.onnx", "--toolchain", "gpu="}, "--toolchain cannot be 'gpu='", "UNIT=NAME"},
      {{"shapes", "m.onnx", "--overlap"}, "--overlap means nothing for `shapes`", "leave it out"},
      {{"m.onnx", "--op-rules", "no/such"}, "--op-rules cannot be 'no/such'", "can be read"},
      {{"calibrate", "--leave-out", "family"}, "--leave-out means nothing for `calibrate`", "leave it out"},
      {{"validate", "m.csv"}, "one word too many: 'm.csv'", "--measurements FILE"},
      {{"validate", "--leave-out", "famliy"}, "--leave-out cannot be 'famliy'", "did you mean family"},
      {{"validate", "--shape", "1x2"}, "--shape means nothing for `validate`", "leave it out"},
      {{"m.onnx", "--device", "d"}, "--device means nothing for `analyze`", "leave it out"},
      {{"m.onnx", "--unit", "d"}, "--unit means nothing for `analyze`", "leave it out"},
      {{"m.onnx", "--runtime", "d"}, "--runtime means nothing for `analyze`", "leave it out"},
      {{"validate", "--model", "A="}, "--model cannot be 'A='", "PART=MODEL"},
      {{"validate", "--measurements", "a="}, "--measurements cannot be 'a='", "name a file"},
      {{"m.onnx", "--models", "d"}, "--models means nothing for `analyze`", "leave it out"},
      {{"m.onnx", "--x\nyz"}, "unknown flag --x\\x0ayz", "--help"},
      {{"swep", "m.onnx"}, "no verb and no file 'swep'", "did you mean onnx-hwest sweep?"},
      {{"Shapes"}, "no verb and no file 'Shapes'", "did you mean onnx-hwest shapes?"},
      {{"shape"}, "no verb and no file 'shape'", "did you mean onnx-hwest shapes?"},
      {{"help", "swep"}, "there is no verb 'swep'", "did you mean onnx-hwest help sweep?"},
      {{"rewrite", "m.onnx", "--annotate", "--fold"}, "--fold contradicts --annotate", "one of them"},
      {{"m.onnx", "--json", "--format=text"}, "--json contradicts --format", "one of them"},
      {{"graph", "m.onnx", "--around", ""}, "--around cannot be ''", "write --around NODE, e.g. --around Conv_12"},
      {{"m.onnx", "--stats"}, "--stats means nothing", "onnx-hwest analyze --help"},
      {{"m.onnx", "--help=x"}, "--help takes no value", "alone"},
      {{"m.onnx", "-x"}, "unknown flag -x", "--help"},
      {{"m.onnx", "--mode", "--"}, "--mode needs a value", "--mode MODE"},
  }));
  const auto options = Parsed(c.args);
  REQUIRE(!options.ok());
  const Diagnostic error = DiagnosticOf(options.status());
  CHECK(error.code == Code::kUsage);
  CHECK_THAT(error.message, Catch::Contains(c.what));
  CHECK_THAT(error.remedy, Catch::Contains(c.remedy));
}

TEST_CASE("a full command") {
  const auto options = Parsed({"--quiet",
                               "m.onnx",
                               "--target=jetson-orin",
                               "--dim",
                               "batch=4",
                               "--dim",
                               "x.0=2",
                               "--shape",
                               "1x128",
                               "--shape",
                               "ids=2x64",
                               "--batch",
                               "8",
                               "--expect",
                               "n=5",
                               "--value",
                               "ids=[1, 2]",
                               "--mode",
                               "30W",
                               "--precision",
                               "gpu=fp16,dla0=int8",
                               "--host-competes",
                               "--fusions",
                               "none",
                               "--objective",
                               "energy",
                               "--only",
                               "gpu,dla0",
                               "--deny",
                               "Conv@dla0",
                               "--assume",
                               "Foo@gpu",
                               "--pin",
                               "a@b@gpu",
                               "--max-segments",
                               "3",
                               "--level",
                               "node",
                               "--top",
                               "5",
                               "--flops-as",
                               "onnx-tool",
                               "--strict",
                               "--output",
                               "o.svg"});
  REQUIRE(options.ok());
  CHECK(options->verb == Verb::kAnalyze);
  CHECK(options->words == Words{"m.onnx"});
  const RequestDraft& request = options->request;
  CHECK(request.target == "jetson-orin");
  CHECK(request.bind.dims == std::vector<std::pair<std::string, int64_t>>{{"batch", 4}, {"x.0", 2}});
  CHECK(request.bind.shapes ==
        std::vector<std::pair<std::string, std::vector<int64_t>>>{{"", {1, 128}}, {"ids", {2, 64}}});
  CHECK(request.bind.batch == 8);
  CHECK(request.bind.expect.size() == 1);
  CHECK(request.values == Words{"ids=[1, 2]"});
  CHECK(request.mode == "30W");
  CHECK(request.precision == "gpu=fp16,dla0=int8");
  CHECK(request.host_competes == HostCompetes::kYes);
  CHECK(request.fusions == "none");
  CHECK(request.objective == Objective::kEnergy);
  CHECK(request.only == Words{"gpu", "dla0"});
  CHECK(request.deny[0].what == "Conv");
  CHECK(request.pin[0].what == "a@b");
  CHECK(request.pin[0].unit == "gpu");
  CHECK(request.max_segments == 3);
  CHECK(request.flops_as == Convention::kOnnxTool);
  CHECK(options->report.level == Level::kNode);
  CHECK(options->report.top == 5);
  CHECK(options->strict == Strict::kYes);
  CHECK(FormatOf(*options, Streams()).value() == Format::kSvg);
}

struct VerbCase {
  Words args;
  Verb verb;
  Words words;
};

TEST_CASE("a word is a verb only if it equals one and comes first") {
  const auto c = GENERATE(values<VerbCase>({
      {{"shapes", "m"}, Verb::kShapes, {"m"}},
      {{"--quiet", "shapes", "m"}, Verb::kShapes, {"m"}},
      {{"--output", "shapes", "m"}, Verb::kAnalyze, {"m"}},
      {{"./shapes"}, Verb::kAnalyze, {"./shapes"}},
      {{"./Shapes"}, Verb::kAnalyze, {"./Shapes"}},
      {{"-"}, Verb::kAnalyze, {"-"}},
      {{"--", "--odd.onnx"}, Verb::kAnalyze, {"--odd.onnx"}},
      {{"--", "shapes"}, Verb::kAnalyze, {"shapes"}},
      {{"--target", "a", "--", "--target", "b,c"}, Verb::kSweep, {"--target", "b,c"}},
      {{"--target", "a", "--", "--json"}, Verb::kAnalyze, {"--json"}},
      {{"sweep", "m", "--target", "a", "--", "--strict", "-"}, Verb::kSweep, {"m", "--strict", "-"}},
      {{"explain", "m", "--", "-node"}, Verb::kExplain, {"m", "-node"}},
      {{"targets", "lint", "--", "--odd", "--"}, Verb::kTargets, {"lint", "--odd", "--"}},
      {{"analyze", "shapes"}, Verb::kAnalyze, {"shapes"}},
      {{"explain", "m", "#3", "--target", "t"}, Verb::kExplain, {"m", "#3"}},
      {{"targets"}, Verb::kTargets, {}},
      {{"targets", "lint", "a", "b"}, Verb::kTargets, {"lint", "a", "b"}},
      {{"describe", "codes"}, Verb::kDescribe, {"codes"}},
  }));
  const auto options = Parsed(c.args);
  INFO(std::string(options.status().message()));
  REQUIRE(options.ok());
  CHECK(options->verb == c.verb);
  CHECK(options->words == c.words);
}

TEST_CASE("a mode whose name holds a comma is one mode") {
  const auto one = Parsed({"m", "--target", "t", "--mode", "30W, 4 cores"});
  REQUIRE(one.ok());
  CHECK((one->verb == Verb::kAnalyze && one->request.mode == "30W, 4 cores"));
  const auto two = Parsed<SweepOptions>({"m", "--target", "t", "--mode", "15W,30W, 4 cores"});
  REQUIRE(two.ok());
  CHECK(two->verb == Verb::kSweep);
  CHECK(two->axes.modes == Words{"15W", "30W, 4 cores"});
  CHECK_FALSE(Parsed({"sweep", "m", "--target", "t", "--mode", "15W,"}).ok());
}

TEST_CASE("the free dims command keeps what follows -- at its end") {
  const Diagnostic error = WithCommand({.code = Code::kFreeDims, .message = "m", .remedy = "bind them: --dim s=1"},
                                       ReadCommand({"--target", "t", "--", "--odd.onnx"}));
  CHECK(error.remedy == "onnx-hwest --target t --dim s=1 -- --odd.onnx");
}

TEST_CASE("the command of an interrupted sweep has --resume once, at its end") {
  const Diagnostic error = WithCommand({.code = Code::kInterrupted, .message = "m", .remedy = "--resume"},
                                       ReadCommand({"sweep", "m", "--resume", "--output=a b.csv"}));
  CHECK(error.remedy == "onnx-hwest sweep m '--output=a b.csv' --resume");
}

TEST_CASE("the free dims command repeats the user's words as a shell takes them") {
  const Diagnostic error =
      WithCommand({.code = Code::kFreeDims, .message = "m", .remedy = "bind them: --dim s10=1 --dim s11=128"},
                  ReadCommand({"my model.onnx", "--target", "it's"}));
  CHECK(error.remedy == "onnx-hwest 'my model.onnx' --target 'it'\\''s' --dim s10=1 --dim s11=128");
  CHECK(ShellQuoted("") == "''");
  CHECK(ShellQuoted("a$b") == "'a$b'");
  CHECK(ShellQuoted("--dim=s.0=1") == "--dim=s.0=1");
}

TEST_CASE("words of flags may be in any case") {
  const auto options = Parsed(
      {"m.onnx", "--target", "x", "--precision", "gpu=FP16,DLA0=Int8", "--objective", "Energy", "--format", "JSON"});
  REQUIRE(options.ok());
  CHECK(options->request.precision == "gpu=fp16,DLA0=int8");
  CHECK(options->request.objective == Objective::kEnergy);
  CHECK(options->format == Format::kJson);
}

TEST_CASE("one context of explain, diff and check, several of analyze") {
  for (const std::vector<std::string>& verb :
       {Words{"explain", "m.onnx", "n"}, Words{"diff", "a", "b"}, Words{"check", "m.onnx"}}) {
    std::vector<std::string> args = verb;
    args.insert(args.end(), {"--target", "x", "--context", "2048"});
    const auto options = Parsed(args);
    INFO(verb[0] << " " << options.status());
    REQUIRE(options.ok());
    CHECK(options->request.context == 2048);
    args.back() = "128,2048";
    CHECK_FALSE(Parsed(args).ok());
    args.back() = "99999999";
    CHECK_FALSE(Parsed(args).ok());
  }
  const auto options = Parsed<AnalyzeOptions>({"m.onnx", "--target", "x", "--context", "128,2048"});
  REQUIRE(options.ok());
  CHECK(options->contexts == std::vector<int64_t>{128, 2048});
  CHECK_FALSE(options->request.context.has_value());
}

}  // namespace
}  // namespace hwest::test
