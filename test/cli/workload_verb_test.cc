// The verb `workload`: formats, exit codes and what its JSON holds.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/run_cli.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::RunCommand;

const std::string kExamples = std::string(HWEST_SOURCE_DIR) + "/examples/workloads/";

// A folder with files, gone at the end of the test.
class Folder {
 public:
  Folder() { REQUIRE(::mkdtemp(path_) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string Path(const std::string& name) const { return std::string(path_) + "/" + name; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }

 private:
  char path_[32] = "/tmp/hwest_workload_XXXXXX";
};

std::string Resnet() { return std::string(HWEST_SOURCE_DIR) + "/examples/models/resnet18.onnx"; }

std::string Missed() {
  return "target: \"jetson-orin\"\ntask { name: \"a\" model: \"" + Resnet() +
         "\" rate: \"30 FPS\" deadline: \"10 us\" }\n";
}

void CheckKeys(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    INFO(key);
    CHECK(object.contains(key));
  }
}

TEST_CASE("a workload as JSON has every key of the contract") {
  const Outcome outcome = RunCommand({"workload", kExamples + "automotive_orin.textproto", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const Json doc = Json::parse(outcome.out);
  CHECK(doc["kind"] == "workload");
  CheckKeys(doc, {"schema", "tool", "request", "diagnostics", "tasks", "units", "memory", "slowdown", "hyperperiod_s",
                  "energy_j_per_s", "segments"});
  REQUIRE(doc["tasks"].size() == 4);
  CheckKeys(doc["tasks"][0],
            {"name", "model", "rate_per_s", "deadline_s", "priority", "units", "alone_s", "response_mean_s",
             "response_worst_s", "response_bound_s", "margin_s", "missed_per_s", "max_rate_per_s", "verdict"});
  CheckKeys(doc["tasks"][0]["units"][0], {"unit", "share"});
  CheckKeys(doc["units"][0], {"name", "busy_share", "by_task"});
  CheckKeys(doc["memory"], {"peak_bytes", "mean_bytes_per_s", "peak_bytes_per_s", "by_task"});
  REQUIRE(doc["traffic"].size() == 6);  // four tasks, two loads
  for (const Json& row : doc["traffic"]) CHECK(doc["memory"]["by_task"][row["task"]] == row["mean_bytes_per_s"]);
  REQUIRE(doc["slowdown"].size() == 12);
  CheckKeys(doc["slowdown"][0], {"task", "by", "factor"});
  REQUIRE(!doc["segments"].empty());
  CheckKeys(doc["segments"][0], {"task", "job", "unit", "start_s", "end_s"});
  CHECK(outcome.out == RunCommand({"workload", kExamples + "automotive_orin.textproto", "--json"}).out);
}

TEST_CASE("every shipped workload runs, on its target and in its format") {
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    INFO(entry.path());
    const Outcome outcome = RunCommand({"workload", entry.path().string(), "--quiet"});
    CHECK(outcome.code == 0);
    CHECK(outcome.out.find("Verdict") != std::string::npos);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("--target and --mode go before those of the file") {
  const Outcome outcome = RunCommand({"workload", kExamples + "two_detectors.textproto", "--mode", "30W", "--json"});
  REQUIRE(outcome.code == 0);
  CHECK(Json::parse(outcome.out)["request"]["mode"] == "30W");
  CHECK(RunCommand({"workload", kExamples + "two_detectors.textproto", "--target", "tda4vm"}).code ==
        2);  // has no dla0
}

TEST_CASE("models in streams take the place of a file") {
  const std::string model = std::string(HWEST_SOURCE_DIR) + "/test/models/mnasnet0_5.ts.onnx";
  const Outcome outcome = RunCommand({"workload", model, "--target", "rk3576", "--streams", "2@30FPS", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const Json doc = Json::parse(outcome.out);
  REQUIRE(doc["tasks"].size() == 2);
  CHECK(doc["tasks"][1]["rate_per_s"] == 30);
  CHECK(doc["reached_per_s"] == 60);
  CHECK(doc["power_of"] == "the board");
  CheckKeys(doc["units"][0], {"asked_share"});
  CHECK(RunCommand({"workload", model, "--target", "rk3576", "--streams", "2"}).out.find("inputs a second in all") !=
        std::string::npos);
  CHECK(RunCommand({"workload", model, "--target", "rk3576"}).err.find("--streams") != std::string::npos);
  for (const char* streams : {"0", "many", "2@fast", "65"}) {
    INFO(streams);
    CHECK(RunCommand({"workload", model, "--target", "rk3576", "--streams", streams}).code == 2);
  }
}

TEST_CASE("a card of a workload stands in the host that is named") {
  const Outcome outcome = RunCommand({"workload", kExamples + "two_detectors.textproto", "--host", "raspberry-pi-5"});
  CHECK(outcome.code == 2);  // of a SoC
  const std::string model = std::string(HWEST_SOURCE_DIR) + "/test/models/mnasnet0_5.ts.onnx";
  const Outcome card = RunCommand(
      {"workload", model, "--target", "hailo-8l", "--streams", "2@30FPS", "--host", "raspberry-pi-5", "--json"});
  INFO(card.err);
  REQUIRE(card.code == 0);
  CHECK(Json::parse(card.out)["request"]["host"] == "raspberry-pi-5");
  CHECK(Json::parse(card.out)["request"]["mode"] == "PCIe x1");
}

TEST_CASE("verdicts leave the exit code alone, but for --strict") {
  const Folder folder;
  const std::string file = folder.Write("stack.textproto", Missed());
  const Outcome plain = RunCommand({"workload", file}), strict = RunCommand({"workload", file, "--strict"});
  CHECK(plain.code == 0);
  CHECK(strict.code == 8);
  CHECK(strict.out == plain.out);
  CHECK(strict.err.find("1 of 1 tasks miss their deadlines") != std::string::npos);
  CHECK(RunCommand({"workload", kExamples + "two_detectors.textproto", "--strict"}).code == 0);
}

TEST_CASE("--strict exits with 7 when a time is not known, and with 8 before that") {
  const Folder folder;
  folder.Write("odd.onnx",
               test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17, \"odd\" : 1]> odd (float[64, 64] x) => "
                                   "(float[64, 64] y) { a = Relu(x) y = odd.Mystery(a) }"));
  const std::string odd = "target: \"jetson-orin\" task { model: \"odd.onnx\" rate: \"1 FPS\" ";
  const std::string file = folder.Write("stack.textproto", odd + "}");
  const Outcome plain = RunCommand({"workload", file}), strict = RunCommand({"workload", file, "--strict"});
  CHECK(plain.code == 0);
  CHECK(plain.out.find("1 in simulation only") != std::string::npos);
  CHECK(plain.out.find(">= ") != std::string::npos);
  CHECK(strict.code == 7);
  CHECK(strict.out == plain.out);
  CHECK(strict.err.find("task \"odd\" has groups without a known time") != std::string::npos);
  const Json doc = Json::parse(RunCommand({"workload", file, "--json"}).out);
  CHECK(doc["tasks"][0]["response_bound_s"].is_null());
  CHECK(doc["tasks"][0]["margin_s"].is_null());
  CHECK(doc["tasks"][0]["verdict"] == "simulated");
  CHECK(doc["tasks"][0]["unknown_groups"] == 1);
  const std::string late = folder.Write("late.textproto", odd + "deadline: \"1 ns\" }");
  CHECK(RunCommand({"workload", late, "--strict"}).code == 8);
}

TEST_CASE("formats of a workload") {
  const Folder folder;
  const std::string file = kExamples + "automotive_tda4vm.textproto";
  REQUIRE(RunCommand({"workload", file, "--output", folder.Path("a.svg")}).code == 0);
  CHECK(folder.Read("a.svg").find("<svg xmlns=") != std::string::npos);
  CHECK(folder.Read("a.svg").find("</svg>") != std::string::npos);
  CHECK(folder.Read("a.svg").find("lanes, job 0 on") != std::string::npos);
  REQUIRE(RunCommand({"workload", file, "--output", folder.Path("a.perfetto.json")}).code == 0);
  const Json trace = Json::parse(folder.Read("a.perfetto.json"));
  CHECK(trace["traceEvents"].size() > 20);
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") CHECK(event["dur"].get<double>() > 0);
  }
  CHECK(RunCommand({"workload", file, "--format", "csv"}).out.substr(0, 10) == "name,model");
  CHECK(RunCommand({"workload", file, "--format", "markdown"}).out.find("## tasks") != std::string::npos);
  CHECK(RunCommand({"workload", file, "--format", "dot"}).code == 2);
}

TEST_CASE("a wrong file is one line with its place, and leaves the output alone") {
  struct Case {
    std::string text;
    int code;
    std::string says;
  };
  const auto c = GENERATE_COPY(values<Case>({
      {"task { model: \"x.onnx\"\n  colour: \"red\" }", 2, "stack.textproto:2: unknown key \"colour\""},
      {"{\n \"task\": [{\"model\": \"x.onnx\", \"colour\": 1}]}", 2, "stack.textproto:2: unknown key \"colour\""},
      {"target: \"tda4vm\"\ntask { model: \"x.onnx\" rate: \"1 FPS\" }", 3, "stack.textproto:2: task \"x\""},
      {"target: \"nothing\"\ntask { model: \"x.onnx\" rate: \"1 FPS\" }", 4, "nothing"},
      {"task { name: \"a\" model: \"x.onnx\" after: \"a\" }", 2, "in a circle"},
  }));
  const Folder folder;
  const std::string file = folder.Write("stack.textproto", c.text), output = folder.Write("out.json", "before");
  const Outcome outcome = RunCommand({"workload", file, "--json", "--output", output});
  CHECK(outcome.code == c.code);
  CHECK(outcome.err.find(c.says) != std::string::npos);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(Json::parse(outcome.out)["kind"] == "error");
  CHECK(folder.Read("out.json") == "before");
  CHECK(RunCommand({"workload", folder.Path("missing.textproto")}).code == 2);
}

}  // namespace
}  // namespace hwest
