#include "profile/read_profile.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

std::map<std::string, double> MicrosecondsOf(const Profile& profile) {
  std::map<std::string, double> times;
  for (const ProfileEntry& entry : profile.entries) times[entry.name] = entry.time_s * 1e6;
  return times;
}

TEST_CASE("a layer of trtexec takes its median, in older releases its average") {
  struct Case {
    const char* text;
    double conv_us, fc_us;
    int64_t runs;
  };
  const auto c = GENERATE(values<Case>({
      {R"([{"count":10},{"name":"conv + relu","timeMs":8,"averageMs":0.8,"medianMs":0.75},
           {"name":"fc","timeMs":2,"averageMs":0.2,"medianMs":0.25}])",
       750, 250, 10},
      {R"([{"count":10},{"name":"conv + relu","timeMs":8,"averageMs":0.8},{"name":"fc","timeMs":2,"averageMs":0.2}])",
       800, 200, 10},
      {R"([{"count":4},{"name":"conv + relu","timeMs":6},{"name":"fc","timeMs":2}])", 1500, 500, 4},
  }));
  const auto profile = ParseProfile(c.text, "p.json");
  REQUIRE(profile.ok());
  CHECK(profile->program == "trtexec");
  CHECK(profile->runs == c.runs);
  const auto times = MicrosecondsOf(*profile);
  CHECK(times.size() == 2);
  CHECK(times.at("conv + relu") == Approx(c.conv_us));
  CHECK(times.at("fc") == Approx(c.fc_us));
}

TEST_CASE("the frame of TensorRT Engine Explorer is read by rows and by columns") {
  const auto text = GENERATE(values<std::string>(
      {R"([{"Name":"conv + relu","type":"Convolution","latency.avg_time":0.8,"latency.median_time":0.75},
           {"Name":"fc","type":"MatrixMultiply","latency.avg_time":0.25},{"Name":"copy","latency.avg_time":null}])",
       R"({"Name":{"0":"conv + relu","1":"fc"},"type":{"0":"Convolution","1":"MatrixMultiply"},
           "latency.avg_time":{"0":0.75,"1":0.25}})"}));
  const auto profile = ParseProfile(text, "p.json");
  REQUIRE(profile.ok());
  CHECK(profile->program == "trex");
  REQUIRE(profile->entries.size() == 2);
  CHECK(profile->entries[0].op == "Convolution");
  const auto times = MicrosecondsOf(*profile);
  CHECK(times.at("conv + relu") == Approx(750));
  CHECK(times.at("fc") == Approx(250));
}

TEST_CASE("a layer of a job of AI Hub takes its time, or its share of the inference by cycles") {
  struct Case {
    const char* detail;
    double conv_us, add_us;
  };
  const auto c = GENERATE(values<Case>({
      {R"({"name":"conv","type":"Conv","compute_unit":"NPU","execution_time":90,"execution_cycles":1},
          {"name":"add","execution_time":10})",
       90, 10},
      {R"({"name":"conv","execution_time":0,"execution_cycles":300},{"name":"add","execution_cycles":100})", 150, 50},
  }));
  const auto profile = ParseProfile(
      absl::StrCat(R"({"execution_summary":{"estimated_inference_time":200},"execution_detail":[)", c.detail, "]}"),
      "p.json");
  REQUIRE(profile.ok());
  CHECK(profile->program == "aihub");
  const auto times = MicrosecondsOf(*profile);
  CHECK(times.at("conv") == Approx(c.conv_us));
  CHECK(times.at("add") == Approx(c.add_us));
}

std::string Event(const char* category, const char* name, int start_us, int length_us, const char* op = "") {
  return absl::StrCat(R"({"cat":")", category, R"(","pid":1,"tid":1,"ph":"X","ts":)", start_us, R"(,"dur":)", length_us,
                      R"(,"name":")", name, R"(","args":{"op_name":")", op, "\"}}");
}

// Three runs of a convolution, and of a loop that runs an addition twice.
std::string Trace() {
  std::string text = Event("Session", "session_initialization", 0, 900);
  const int conv_us[] = {90, 10, 30}, add_us[] = {40, 4, 8};
  for (int run = 0; run < 3; ++run) {
    const int at = 1000 * (run + 1), loop = at + 200;
    absl::StrAppend(&text, ",", Event("Node", "conv_kernel_time", at + 1, conv_us[run], "FusedConv"));
    absl::StrAppend(&text, ",", Event("Node", "conv_fence_before", at + 1, 1, "FusedConv"));
    absl::StrAppend(&text, ",", Event("Node", "add_kernel_time", loop + 1, add_us[run], "Add"));
    absl::StrAppend(&text, ",", Event("Node", "add_kernel_time", loop + 50, add_us[run], "Add"));
    absl::StrAppend(&text, ",", Event("Node", "loop_kernel_time", loop, 2 * add_us[run] + 100, "Loop"));
    absl::StrAppend(&text, ",", Event("Session", "model_run", at, 900));
  }
  return absl::StrCat("[", text, "]");
}

TEST_CASE("a node of ONNX Runtime takes the median of the runs behind the first, without what its bodies take") {
  for (const std::string& text : {Trace(), absl::StrCat(R"({"traceEvents":)", Trace(), "}")}) {
    const auto profile = ParseProfile(text, "p.json");
    REQUIRE(profile.ok());
    CHECK(profile->program == "ONNX Runtime");
    CHECK(profile->runs == 2);
    const auto times = MicrosecondsOf(*profile);
    CHECK(times.size() == 3);
    CHECK(times.at("add") == Approx(12));
    CHECK(times.at("conv") == Approx(20));
    CHECK(times.at("loop") == Approx(100));
    CHECK(profile->entries.front().name == "conv");
    CHECK(profile->entries.front().op == "FusedConv");
  }
}

TEST_CASE("what is no profile is refused with what to give") {
  const auto text = GENERATE(values<std::string>({"", "{", "[]", "{}", R"({"a":1})", R"([{"computeMs":2}])",
                                                  R"([{"count":1},{"name":"a","timeMs":-1}])",
                                                  R"([{"name":"a","timeMs":1}])", R"([{"count":1},{"timeMs":1}])",
                                                  absl::StrCat("[", Event("Node", "a_kernel_time", 1, 2, "Add"), "]"),
                                                  absl::StrCat("[", Event("Session", "model_run", 1, 2), "]")}));
  const auto profile = ParseProfile(text, "p.json");
  REQUIRE_FALSE(profile.ok());
  const Diagnostic error = DiagnosticOf(profile.status());
  CHECK(error.code == Code::kUsage);
  CHECK(error.message.find("p.json") == 0);
  CHECK_FALSE(error.remedy.empty());
}

}  // namespace
}  // namespace hwest::test
