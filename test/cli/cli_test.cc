// Whole commands in process: exit code, standard output, standard error.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/run_cli.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

// A file that is gone at the end of the test.
class File {
 public:
  explicit File(const std::string& bytes) {
    const int fd = ::mkstemp(path_);
    REQUIRE(fd >= 0);
    ::close(fd);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { ::unlink(path_); }
  std::string path() const { return path_; }

 private:
  char path_[32] = "hwest_cli_XXXXXX";
};

std::string Model() {
  return ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> m (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }");
}

TEST_CASE("version and help") {
  const Outcome version = RunCommand({"--version"});
  CHECK(version.code == 0);
  CHECK(version.out.rfind("onnx-hwest ", 0) == 0);
  CHECK(RunCommand({"--help"}).out.find("Usage:") != std::string::npos);
}

struct ErrorCase {
  std::vector<std::string> args;  // MODEL stands for a good model
  int code;
  const char* part;  // of the error line
};

TEST_CASE("errors are one line with the contract's exit code") {
  const File model(Model());
  // clang-format off
  const auto c = GENERATE(values<ErrorCase>({
      {{}, 2, "no model was named"},
      {{"MODEL"}, 2, "no target was named"},
      {{"MODEL", "--bogus"}, 2, "unknown flag --bogus"},
      {{"missing.onnx", "--target", "jetson-orin"}, 3, "missing.onnx"},
      {{"shapes", "missing.onnx"}, 3, "missing.onnx"},
      {{"MODEL", "--target", "jetson-orrin", "--dim", "N=1"}, 4, "jetson-orin"},
      {{"MODEL", "--target", "jetson-orin"}, 5, "MODEL --target jetson-orin --dim N="},
      {{"shapes", "MODEL", "--output", "no/such/folder/out.txt"}, 6, "nothing was replaced"},
      {{"support", "MODEL", "--target", "jetson-orin", "--dim", "N=1", "--format", "svg"},
       2,
       "svg cannot show support"},
      {{"shapes", "MODEL", "--format", "junit"}, 2, "`onnx-hwest check` writes it; use text"},
      {{"shapes", "MODEL", "--output", "x.jsonl"}, 2, "`onnx-hwest sweep` writes it; use text"},
      {{"shapes", "MODEL", "--level", "segment", "--format", "csv"}, 2, "no table of segments"},
      {{"explain", "MODEL", "nothing", "--target", "jetson-orin", "--dim", "N=1"}, 2, "'nothing'"},
      {{"targets", "show", "jetson-orrin"}, 4, "jetson-orin"},
      {{"targets", "shwo", "x"}, 2, "targets show NAME"},
      {{"describe", "fusion"}, 2, "did you mean onnx-hwest describe fusions"},
      {{"describe", "xyzzy"}, 2, "`onnx-hwest describe` lists the pages"},
      {{"targets", "list", "x"}, 2, "targets list, targets show NAME"},
      {{"help", "shape"}, 2, "did you mean onnx-hwest help shapes"},
      {{"help", "shapes", "support"}, 2, "one word too many: 'support'"},
      {{"shapes", "MODEL", "--output", "x.foo"}, 2, "use one of .txt .json .csv .md .markdown .dot .gv .svg .png .pdf"},
      {{"shapes", "MODEL", "--output", "x.svg.bak"}, 2, "no format has the extension of 'x.svg.bak'"},
      {{"shapes", "MODEL", "--level", "unit", "--output", "x.svg"}, 2, "no table of units"},
      {{"shapes", "MODEL", "--level", "module", "--format", "svg"}, 2, "the file names no modules to draw"},
      {{"MODEL", "--target", "jetson-orin", "--dim", "N=1", "--host", "x86-avx2"}, 2,
       "it is a SoC, its CPU is part of it"},
      {{"MODEL", "--target", "hailo-8", "--dim", "N=1", "--host", "raspbery-pi-5"}, 4, "raspberry-pi-5"},
      {{"describe", "man", "--format", "csv"}, 2, "leave out --format"},
      {{"describe", "completions"}, 2, "--shell bash"},
      {{"validate"}, 2, "`validate` needs --measurements"},
      {{"validate", "--measurements", "MODEL"}, 2, "`validate` needs --models"},
      {{"calibrate", "--measurements", "MODEL", "--models", "."}, 2, "`calibrate` needs --target"},
      {{"calibrate", "--target", "sa8295p", "--measurements", "MODEL", "--models", "."}, 2,
       "`calibrate` needs --output"},
      {{"calibrate", "--target", "sa8295p", "--measurements", "MODEL", "--models", ".", "--output", "x.txt"},
       2,
       "is a target file"},
      {{"validate", "--measurements", "no-such.csv", "--models", "."}, 2, "'no-such.csv' cannot be read"},
      {{"validate", "--measurements", "MODEL", "--models", ".", "--format", "png"}, 2, "png cannot show a validation"},
  }));
  // clang-format on
  std::vector<std::string> args = c.args;
  std::string part = c.part;
  for (std::string& word : args) word = word == "MODEL" ? model.path() : word;
  if (part.rfind("MODEL", 0) == 0) part = "onnx-hwest " + model.path() + part.substr(5);
  const Outcome result = RunCommand(args);
  INFO(result.err);
  CHECK(result.code == c.code);
  CHECK(result.out.empty());
  CHECK(result.err.rfind("onnx-hwest: error: ", 0) == 0);
  CHECK(result.err.find('\n') == result.err.size() - 1);
  CHECK_THAT(result.err, Catch::Contains(part));
}

TEST_CASE("with JSON an error is a document, and the output file stays untouched") {
  const File model(Model());
  const File output("old");
  const auto args = GENERATE_REF(values<std::vector<std::string>>({
      {"--json", "--nothing"},
      {"shapes", "missing.onnx", "--format", "json"},
      {model.path(), "--target", "jetson-orin", "--json"},
      {model.path(), "--target", "nothing-like-it", "--json", "--output", output.path()},
  }));
  const Outcome result = RunCommand(args);
  const nlohmann::json doc = nlohmann::json::parse(result.out);
  CHECK(doc["kind"] == "error");
  CHECK(doc["diagnostics"][0]["severity"] == "error");
  CHECK(result.code > 0);
  CHECK(!result.err.empty());
  std::string kept;
  std::ifstream(output.path()) >> kept;
  CHECK(kept == "old");
}

TEST_CASE("a name without an extension, and a stated format, write anything anywhere") {
  const File model(Model());
  CHECK(RunCommand({"shapes", model.path(), "--output", "/dev/null"}).code == 0);
  const File out("");
  CHECK(RunCommand({"shapes", model.path(), "--output", out.path()}).code == 0);
  const std::string odd = out.path() + ".foo";
  CHECK(RunCommand({"shapes", model.path(), "--output", odd, "--json"}).code == 0);
  CHECK(::unlink(odd.c_str()) == 0);
}

TEST_CASE("help VERB is VERB --help") {
  CHECK(RunCommand({"help"}).out == RunCommand({"--help"}).out);
  for (const char* verb : {"analyze", "shapes", "targets", "describe", "calibrate", "help"}) {
    const Outcome help = RunCommand({"help", verb});
    CHECK(help.code == 0);
    CHECK_THAT(help.out, Catch::Contains(std::string("onnx-hwest ") + verb));
    CHECK(help.out == RunCommand({verb, "--help"}).out);
  }
}

TEST_CASE("targets list is targets, and describe alone lists its pages") {
  CHECK(RunCommand({"targets", "list"}).out == RunCommand({"targets"}).out);
  CHECK(RunCommand({"targets", "list", "--json"}).out == RunCommand({"targets", "--json"}).out);
  const auto pages = nlohmann::json::parse(RunCommand({"describe", "--json"}).out).at("pages");
  CHECK(pages.size() >= 11);
  for (const auto& row : pages) {
    const std::string page = row.at("page");
    INFO(page);
    std::vector<std::string> command = {"describe", page};
    if (page == "completions") command.insert(command.end(), {"--shell", "bash"});
    const Outcome shown = RunCommand(command);
    CHECK(shown.code == 0);
    CHECK_FALSE(shown.out.empty());
    constexpr size_t kReadable = 300;  // the longest summary of a target is on one line
    for (const absl::string_view line : absl::StrSplit(shown.out, '\n')) CHECK(line.size() <= kReadable);
  }
}

TEST_CASE("support --stats shows the statistics alone, in every format the same numbers") {
  const File model(Model());
  const std::vector<std::string> command = {"support", model.path(), "--target", "tda4vm", "--dim", "N=1", "--stats"};
  const auto with = [&](const char* format) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--format", format});
    return RunCommand(words);
  };
  const auto json = nlohmann::json::parse(with("json").out);
  CHECK_FALSE(json.at("rows").empty());
  const auto& tidl = json.at("stats").at("tidl");
  const std::string typed = std::to_string(tidl.at("typed").get<int>());
  const std::string noted = std::to_string(tidl.at("noted").get<int>());
  const std::string open = std::to_string(tidl.at("not_stated").get<int>());
  const std::string csv = with("csv").out;
  CHECK(csv.rfind("toolchain,typed,noted,not_stated\n", 0) == 0);
  CHECK_THAT(csv, Catch::Contains("tidl," + typed + "," + noted + "," + open + "\n"));
  CHECK_THAT(with("markdown").out, Catch::Contains("| tidl | " + typed + " | " + noted + " | " + open + " |"));
  const std::string text = RunCommand(command).out;
  CHECK_THAT(text, Catch::Contains("limits typed") && Catch::Contains(typed) && !Catch::Contains("Relu"));
  CHECK(RunCommand({model.path(), "--stats"}).code == 2);
}

TEST_CASE("support groups what is refused, and names the cure that it tried") {
  const File model(ModelFromText(R"(<ir_version: 8, opset_import: ["" : 17]> m (float[1, 8, 16, 16] x)
      => (float[1, 8, 16, 16] y) { a = Softmax <axis = 1> (x) b = Softmax <axis = 1> (a) c = Relu(b) y = Det(c) })"));
  const std::vector<std::string> command = {"support", model.path(), "--target", "tda4vm"};
  const Outcome text = RunCommand(command);
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Catch::Contains("What c7x-mma refuses\n  Softmax: 2 nodes, 50.0 %, e.g. a\n") &&
                           Catch::Contains("-3, needs -2 to -1 (list: tidl-ops)") &&
                           Catch::Contains("    cure: softmax_axis_moved: ") &&
                           Catch::Contains("--rule softmax_axis_moved") &&
                           Catch::Contains("    not stated (list: tidl-ops)\n    cure: no rewrite known\n"));
  std::vector<std::string> words = command;
  words.emplace_back("--json");
  const auto json = nlohmann::json::parse(RunCommand(words).out);
  const auto& refusals = json.at("refusals");
  REQUIRE(refusals.size() == 2);
  CHECK(refusals[0].at("nodes") == 2);
  CHECK(refusals[0].at("cure_nodes") == 2);
  CHECK(refusals[0].at("cure_kind") == "rewrite");
  CHECK(refusals[0].at("evidence") == "list");
  CHECK(refusals[1].at("cure").is_null());
  const std::string cure = refusals[0].at("cure_command");
  CHECK(cure ==
        "onnx-hwest rewrite " + model.path() + " --target tda4vm --rule softmax_axis_moved --output better.onnx");
  for (const auto& row : json.at("rows")) {
    const bool is_refused = row.at("supported") == "no" && row.at("unit") == "c7x-mma";
    const bool is_softmax = row.at("op") == "Softmax" && row.at("unit") == "c7x-mma";
    if (is_refused) CHECK(row.at("evidence") == "list");
    CHECK(row.at("cure") == (is_softmax ? nlohmann::json(cure) : nlohmann::json()));
  }
}

TEST_CASE("import-log lays a log over the plan, and says what is wrong with one") {
  const std::string folder = HWEST_SOURCE_DIR "/test/complog/";
  const std::string model = folder + "tiny_net.onnx", log = folder + "logs/rknn.log";
  const Outcome text = RunCommand({"import-log", log, model, "--target", "rk3588"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Catch::Contains("beside the log of RKNN-Toolkit2 2.5.0") &&
                           Catch::Contains("12 of 12 nodes run where the log puts them (100 %)"));
  const auto json = nlohmann::json::parse(RunCommand({"import-log", log, model, "--target", "hailo-8", "--json"}).out);
  CHECK(json.at("kind") == "import_log");
  CHECK(json.at("totals").at("format") == "rknn");
  CHECK(json.at("totals").at("nodes") == json.at("nodes").size());
  struct Row {
    std::vector<std::string> words;
    int code;
    const char* part;
  };
  const std::string other = folder + "tiny_mod.onnx";
  for (const Row& row : std::vector<Row>{
           {{log, model}, 2, "no target was named"},
           {{folder + "none.log", model, "--target", "rk3588"}, 2, "cannot read the log"},
           {{model, model, "--target", "rk3588"}, 2, "is no compiler's log that is known"},
           {{log, model, "--target", "rk3588", "--log-format", "tidl"}, 2, "is no log of the format tidl"},
           {{log, model, "--target", "rk3588", "--log-format", "tvm"}, 2, "--log-format"},
           {{log, folder + "none.onnx", "--target", "rk3588"}, 3, "none.onnx"},
           {{folder + "logs/qnn.log", HWEST_SOURCE_DIR "/examples/models/resnet18.onnx", "--target", "rk3588"},
            2,
            "no node of the model is named in the log"}}) {
    std::vector<std::string> words = {"import-log"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Outcome outcome = RunCommand(words);
    INFO(outcome.err);
    CHECK(outcome.code == row.code);
    CHECK_THAT(outcome.err, Catch::Contains(row.part));
  }
}

TEST_CASE("--host puts another CPU beside a module, and the report names it") {
  const File model(Model());
  const auto latency = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {model.path(), "--target", "hailo-8", "--only",
                                      "cpu",        "--dim",    "N=4096",  "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto json = nlohmann::json::parse(RunCommand(words).out);
    return std::make_pair(json.at("request").at("host").get<std::string>(),
                          json.at("summary").at("latency_s").get<double>());
  };
  const auto own = latency({}), same = latency({"--host", "x86-avx2"}), pi = latency({"--host", "raspberry-pi-4"});
  CHECK(own.first == "x86-avx2");
  CHECK(same == own);
  CHECK(pi.first == "raspberry-pi-4");
  CHECK(pi.second > own.second);
  const Outcome text = RunCommand({model.path(), "--target", "hailo-8", "--host", "rk3588", "--dim", "N=1"});
  CHECK_THAT(text.out, Catch::Contains("host rk3588"));
  const auto orin =
      nlohmann::json::parse(RunCommand({model.path(), "--target", "jetson-orin", "--dim", "N=1", "--json"}).out);
  CHECK(orin.at("request").at("host").is_null());
}

TEST_CASE("--level unit is a row per unit") {
  const File model(Model());
  const std::vector<std::string> command = {model.path(), "--target", "jetson-orin", "--dim", "N=1", "--level", "unit"};
  const auto with = [&](const char* format) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--format", format});
    return RunCommand(words).out;
  };
  const auto units = nlohmann::ordered_json::parse(with("json")).at("units");
  std::string head;
  for (const auto& [key, value] : units[0].items()) head += (head.empty() ? "" : ",") + key;
  const std::string csv = with("csv");
  CHECK(csv.rfind(head + "\n", 0) == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<ptrdiff_t>(units.size()) + 1);
  CHECK_THAT(with("markdown"), Catch::Contains("## units") && !Catch::Contains("## groups"));
  CHECK_THAT(with("text"), Catch::Contains("\nUnits\n") && !Catch::Contains("groups\n  id"));
}

TEST_CASE("shapes of a symbolic model") {
  const File model(Model());
  const Outcome result = RunCommand({"shapes", model.path(), "--json"});
  CHECK(result.code == 0);
  const nlohmann::json doc = nlohmann::json::parse(result.out);
  CHECK(doc["kind"] == "shapes");
  CHECK(doc["request"]["model"] == model.path());
  CHECK(doc["model"]["inputs"][0]["shape"] == nlohmann::json::array({"N", 4}));
  CHECK(doc["summary"]["macs"] == 0);
}

TEST_CASE("a value that stays unknown names its causes, from the nearest to the root") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> m (float[4] x) => (float[4] e) {"
                    " a = my.Foo(x)  b = Relu(a)  c = Sigmoid(b)  d = Tanh(c)  e = Relu(x) }"));
  const Outcome text = RunCommand({"shapes", model.path()});
  CHECK_THAT(text.out, Catch::Contains("a ? unknown because: a\n"));
  CHECK_THAT(text.out, Catch::Contains("b ? unknown because: a\n"));
  CHECK_THAT(text.out, Catch::Contains("d ? unknown because: c <- b <- a\n"));
  const auto doc = nlohmann::json::parse(RunCommand({"shapes", model.path(), "--json"}).out);
  for (const auto& value : doc["values"]) {
    if (value["name"] == "d") CHECK(value["blocked_by"] == nlohmann::json::array({"c", "b", "a"}));
    if (value["name"] == "e") CHECK(value["blocked_by"].empty());
  }
}

TEST_CASE("causal attention is shown beside the dense count") {
  const auto model_with = [](int causal) {
    return ModelFromText(
        "<ir_version: 10, opset_import: [\"\" : 23]> m (float[1, 2, 8, 16] q, float[1, 2, 8, 16] k,"
        " float[1, 2, 8, 16] v) => (float[1, 2, 8, 16] y) { y = Attention<is_causal = " +
        std::to_string(causal) + ">(q, k, v) }");
  };
  const File causal(model_with(1)), dense(model_with(0));
  const auto doc = nlohmann::json::parse(RunCommand({"shapes", causal.path(), "--json"}).out);
  const int64_t product = 2 * 8 * 8 * 16, hidden = 2 * (8 * 7 / 2) * 16;
  CHECK(doc["summary"]["macs"] == 2 * product);
  CHECK(doc["summary"]["causal_macs"] == 2 * (product - hidden));
  CHECK(doc["nodes"][0]["causal_macs"] == 2 * (product - hidden));
  CHECK_THAT(RunCommand({"shapes", causal.path()}).out, Catch::Contains("attention counted dense; causal"));
  const auto plain = nlohmann::json::parse(RunCommand({"shapes", dense.path(), "--json"}).out);
  CHECK(plain["summary"]["causal_macs"].is_null());
  CHECK(plain["nodes"][0]["causal_macs"].is_null());
  CHECK_THAT(RunCommand({"shapes", dense.path()}).out, !Catch::Contains("causal"));
}

TEST_CASE("an analysis for a built-in target") {
  const File model(Model());
  const Outcome result = RunCommand({model.path(), "--target", "jetson-orin", "--shape", "2x4", "--json"});
  INFO(result.err);
  REQUIRE(result.code == 0);
  const nlohmann::json doc = nlohmann::json::parse(result.out);
  CHECK(doc["summary"]["latency_s"].get<double>() > 0);
  CHECK(doc["request"]["batch"] == 2);
}

TEST_CASE("the header names one precision, a mix by its shares, and a host that competes") {
  const std::string model = std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx";
  const auto run = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), model);
    const Outcome result = RunCommand(flags);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return absl::StrReplaceAll(result.out, {{"\n  ", " "}});  // the header may wrap
  };
  CHECK_THAT(run({"--target", "jetson-orin"}), Catch::Contains("precision fp16 (assumed fp16, file is fp32), batch"));
  CHECK_THAT(run({"--target", "jetson-orin", "--only", "dla0", "--precision", "gpu=fp16,dla0=int8"}),
             Catch::Contains("precision gpu=fp16,dla0=int8 (MACs run 100 % int8)") &&
                 Catch::Contains("dla0: int8 of an fp32 file takes a calibration set"));
  CHECK_THAT(run({"--target", "jetson-orin", "--only", "cpu"}),
             Catch::Contains("precision fp16 (assumed fp16, file is fp32; MACs run 100 % fp32)"));
  CHECK_THAT(run({"--target", "hailo-8l"}), !Catch::Contains("the host competes"));
  CHECK_THAT(run({"--target", "hailo-8l", "--host-competes"}), Catch::Contains("the host competes"));
  const Outcome wrong = RunCommand({model, "--target", "jetson-orin", "--precision", "npu=int8"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err,
             Catch::Contains("'npu=int8' names no unit of jetson-agx-orin-64gb") && Catch::Contains("dla0 runs"));
}

TEST_CASE("sizes that contents decide: the report says what they are assumed at and costs at most") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> m (float[40000] x, float[9000] z) =>"
                    " (float[a] y, float[b] w) <float low = {0.5}> { s = Sigmoid(x)  g = Greater(s, low)"
                    " c = Compress(s, g)  y = Exp(c)  t = Sigmoid(z)  h = Greater(t, low)"
                    " d = Compress(t, h)  w = Exp(d) }"));
  const auto json_of = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {model.path(), "--target", "x86-avx512", "--json"};
    args.insert(args.end(), flags.begin(), flags.end());
    return nlohmann::json::parse(RunCommand(args).out);
  };
  const auto doc = json_of({});
  const auto& range = doc["summary"]["size_range"];
  CHECK(range["low_s"] == doc["summary"]["latency_s"]);
  CHECK(range["high_s"].get<double>() > range["low_s"].get<double>());
  CHECK(doc["model"]["symbols"][0]["assumed"] == 400);
  CHECK(doc["model"]["symbols"][0]["max"] == 40000);
  CHECK(doc["model"]["symbols"][1]["assumed"] == 90);
  const std::string text = RunCommand({model.path(), "--target", "x86-avx512"}).out;
  CHECK_THAT(text, Catch::Contains("Sizes        assumed where contents decide: 2 compress = 90 to 400"));
  CHECK_THAT(text, Catch::Contains("at most") && Catch::Contains("with these at their upper bounds"));
  const auto stated = json_of({"--expect", "compress*=20000"});
  CHECK(stated["model"]["symbols"][0]["assumed"] == 20000);
  CHECK(stated["model"]["symbols"][1]["assumed"] == 9000);
  CHECK(stated["summary"]["size_range"]["high_s"] == range["high_s"]);
  CHECK(stated["summary"]["peak_memory_bytes"] == doc["summary"]["peak_memory_bytes"]);
  const Outcome refused = RunCommand({model.path(), "--target", "x86-avx512", "--expect", "nonzero*=5"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("no data-dependent size of this model fits 'nonzero*'"));
}

TEST_CASE("--strict exits with 7 after the report and names what is missing") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17, \"my.domain\" : 1]> "
                    "m (float[1, 4] x) => (float[1, 4] y) { t = my.domain.Foo(x) y = Relu(t) }"));
  const Outcome strict = RunCommand({"shapes", model.path(), "--strict", "--quiet"});
  CHECK(strict.code == 7);
  CHECK(!strict.out.empty());
  CHECK_THAT(strict.err, Catch::Contains("unknown: t"));
  CHECK(RunCommand({"shapes", model.path(), "--quiet"}).code == 0);
}

TEST_CASE("--quiet keeps standard error empty") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17, \"my.domain\" : 1]> "
                    "m (float[1, 4] x) => (float[1, 4] y) { y = my.domain.Foo(x) }"));
  CHECK_THAT(RunCommand({"shapes", model.path(), "--format", "csv"}).err, Catch::StartsWith("onnx-hwest: warning: "));
  CHECK(RunCommand({"shapes", model.path(), "--format", "csv", "--quiet"}).err.empty());
}

constexpr char kColumns[] = "model,device,unit,runtime,precision,metric,value\n";

TEST_CASE("validate predicts the rows it can and counts the others") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> m (float[1, 64] x, float[64, 32] w) => (float[1, 32] y)"
                    " { y = MatMul(x, w) }"));
  const std::string onnx = model.path() + ".onnx";
  REQUIRE(std::rename(model.path().c_str(), onnx.c_str()) == 0);
  const File rows(kColumns + model.path() + ",SA8295P ADP,NPU,qnn_dlc,w8a8,latency_ms,0.5\n" + model.path() +
                  ",abacus,NPU,qnn_dlc,w8a8,latency_ms,0.5\n");
  const Outcome result = RunCommand({"validate", "--measurements", rows.path(), "--models", ".", "--json"});
  std::rename(onnx.c_str(), model.path().c_str());
  INFO(result.err);
  REQUIRE(result.code == 0);
  const auto doc = nlohmann::json::parse(result.out);
  CHECK(doc["kind"] == "validation");
  REQUIRE(doc["points"].size() == 1);
  CHECK(doc["points"][0]["target"] == "sa8295p");
  CHECK(doc["points"][0]["predicted"].get<double>() > 0);
  CHECK(doc["skipped"] == nlohmann::json::parse(R"([{"reason":"no target for the device","count":1}])"));
}

TEST_CASE("measured files of other programs say with flags what they leave out") {
  const File model(
      ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> m (float[1, 64] x, float[64, 32] w) => (float[1, 32] y)"
                    " { y = MatMul(x, w) }"));
  const std::string onnx = model.path() + ".onnx";
  REQUIRE(std::rename(model.path().c_str(), onnx.c_str()) == 0);
  const File times(R"([{"computeMs": 0.5}, {"computeMs": 0.7}, {"computeMs": 0.6}])");
  const Outcome silent = RunCommand({"validate", "--measurements", times.path(), "--models", "."});
  CHECK(silent.code == 2);
  CHECK_THAT(silent.err, Catch::Contains("does not say which model") && Catch::Contains("--measurements MODEL=FILE"));
  const Outcome result = RunCommand({"validate", "--measurements", model.path() + "=" + times.path(), "--models", ".",
                                     "--target", "jetson-orin", "--precision", "fp16", "--json"});
  std::rename(onnx.c_str(), model.path().c_str());
  INFO(result.err);
  REQUIRE(result.code == 0);
  const auto doc = nlohmann::json::parse(result.out);
  REQUIRE(doc["points"].size() == 1);
  CHECK(doc["points"][0]["measured"] == 0.6);
  CHECK(doc["points"][0]["unit"] == "GPU");
  CHECK(doc["points"][0]["runtime"] == "TensorRT trtexec");
  CHECK(doc["points"][0]["device"] == "jetson-orin");
}

TEST_CASE("validate refuses what it cannot do, each with its exit code") {
  const File rows(std::string(kColumns) + "m,d,NPU,r,int8,latency_ms,1\n");
  const File broken(std::string(kColumns) + "m,d,NPU,r,int8,latency_ms,-1\n");
  const std::vector<ErrorCase> cases = {
      {{"--measurements", rows.path(), "--models", "no-such-folder"}, 3, "no folder of models"},
      {{"--measurements", rows.path(), "--models", ".", "--target", "sa8295"}, 4, "sa8295p"},
      {{"--measurements", broken.path(), "--models", "."}, 2, ":2: value cannot be '-1'"},
  };
  for (const ErrorCase& c : cases) {
    std::vector<std::string> args = {"validate"};
    args.insert(args.end(), c.args.begin(), c.args.end());
    const Outcome result = RunCommand(args);
    CHECK(result.code == c.code);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::Contains(c.part));
  }
}

TEST_CASE("tables of the program") {
  const auto what = GENERATE(values<std::vector<std::string>>({{"describe", "ops"},
                                                               {"describe", "sizes"},
                                                               {"describe", "patterns"},
                                                               {"describe", "targets"},
                                                               {"describe", "formats"},
                                                               {"describe", "codes"},
                                                               {"fusions"},
                                                               {"targets"},
                                                               {"targets", "show", "jetson-orin"}}));
  for (const char* format : {"text", "json", "csv", "markdown"}) {
    std::vector<std::string> args = what;
    args.insert(args.end(), {"--format", format});
    const Outcome result = RunCommand(args);
    INFO(what[0] << " " << format << " " << result.err);
    CHECK(result.code == 0);
    CHECK(result.out.size() > 100);
  }
}

TEST_CASE("lint takes folders, and warns of what is not credible") {
  char folder[] = "hwest_lint_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const Outcome empty = RunCommand({"targets", "lint", folder});
  CHECK(empty.code == 2);
  CHECK_THAT(empty.err,
             Catch::Contains("no .textproto file in or below") && Catch::Contains("takes target and toolchain files"));
  const Outcome example = RunCommand({"describe", "target-example"});
  REQUIRE(example.code == 0);
  std::string slow = example.out;
  slow.replace(slow.find("value: 1e9 "), 10, "value: 1e6");
  std::filesystem::create_directory(std::string(folder) + "/below");
  std::ofstream(std::string(folder) + "/a.textproto") << example.out;
  std::ofstream(std::string(folder) + "/below/b.textproto") << slow;
  std::ofstream(std::string(folder) + "/notes.txt") << "no target";
  const Outcome two = RunCommand({"targets", "lint", folder, "--json"});
  INFO(two.err);
  CHECK(two.code == 0);
  const auto doc = nlohmann::json::parse(two.out);
  REQUIRE(doc["files"].size() == 2);
  CHECK((doc["files"][0]["problems"] == 0 && doc["files"][0]["warnings"] == 0));
  CHECK((doc["files"][1]["problems"] == 0 && doc["files"][1]["warnings"] == 1));
  REQUIRE(doc["problems"].size() == 1);
  CHECK(doc["problems"][0]["severity"] == "warning");
  const File model(Model());
  const Outcome run = RunCommand({model.path(), "--target", std::string(folder) + "/a.textproto", "--dim", "N=1"});
  INFO(run.err);
  CHECK(run.code == 0);
  std::filesystem::remove_all(folder);
}

TEST_CASE("fusions say how it is known that a toolchain makes them") {
  const auto rows = nlohmann::json::parse(RunCommand({"fusions", "--toolchain", "rknn", "--json"}).out).at("patterns");
  std::map<std::string, nlohmann::json> by_name;
  for (const auto& row : rows) by_name[row.at("name")] = row;
  CHECK(by_name.at("wide_conv_add").at("evidence") == nlohmann::json({"compiler"}));
  CHECK(by_name.at("wide_conv_add").at("seen_in") == nlohmann::json({"2.5.0"}));
  CHECK(by_name.at("softmax_mask").at("evidence") == nlohmann::json({"list"}));
  CHECK(by_name.at("softmax_mask").at("seen_in") == nlohmann::json({""}));
  CHECK(by_name.at("rms_norm").at("evidence") == nlohmann::json({"inferred"}));
}

TEST_CASE("the format of target files is described") {
  const Outcome json = RunCommand({"describe", "target-format", "--json"});
  REQUIRE(json.code == 0);
  const auto doc = nlohmann::json::parse(json.out);
  std::set<std::string> names;
  for (const auto& row : doc["target-format"]) names.insert(row["field"].get<std::string>());
  for (const char* name :
       {"Unit.clock_hz", "Rate.per_cycle", "param.waves_half", "limit.dim:I:AXIS", "fusion.conv_bn"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
  CHECK(RunCommand({"describe", "target-format"}).out.find("input channels at which half") != std::string::npos);
}

TEST_CASE("lint tells clean files from broken ones") {
  const File broken("name: \"x\" units {");
  const Outcome result = RunCommand({"targets", "lint", broken.path()});
  CHECK(result.code == 8);
  CHECK(!result.out.empty());
  CHECK(RunCommand({"targets", "lint", "no-such-file"}).code == 4);
  const File clean(
      "name: \"x\" summary: \"y\" sources { key: \"s\" title: \"S\" date: \"2026\" } base: \"hailo-8\"\n"
      "idle_w { value: 1 source: \"s\" trust: PUBLISHED }\n");
  const Outcome good = RunCommand({"targets", "lint", clean.path(), "--json"});
  INFO(good.err);
  REQUIRE(good.code == 0);
  double sum = 0;
  const auto doc = nlohmann::json::parse(good.out);
  for (const auto& row : doc["trust"]) sum += row["share"].get<double>();
  CHECK(sum == Approx(1));
}

}  // namespace
}  // namespace hwest::test
