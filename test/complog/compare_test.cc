// Logs that the compilers wrote, beside our plan; and logs that are cut, changed or of another model.
#include "complog/compare.h"

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

constexpr char kFolder[] = HWEST_SOURCE_DIR "/test/complog/";

std::string TextOf(const std::string& file) {
  std::ifstream stream(kFolder + file, std::ios::binary);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

Analysis AnalysisOf(const std::string& model, const std::string& target) {
  AnalysisRequest request;
  request.target = target;
  return *Analyze(*LoadModel(kFolder + model), request);
}

absl::StatusOr<LogComparison> Compare(const std::string& text, const Analysis& analysis) {
  const absl::StatusOr<CompilerLog> log = ReadCompilerLog(text, "build.log", LogFormat::kAuto);
  if (!log.ok()) return log.status();
  return CompareLog(*log, "build.log", analysis);
}

std::map<std::string, LogNode> ByName(const LogComparison& log, const Analysis& analysis) {
  std::map<std::string, LogNode> nodes;
  for (const LogNode& node : log.nodes) nodes[analysis.graph->Label(node.node)] = node;
  return nodes;
}

TEST_CASE("a table of layers of RKNN-Toolkit2 is laid over the nodes that became its layers") {
  const Analysis analysis = AnalysisOf("tiny_net.onnx", "rk3588");
  const LogComparison log = *Compare(TextOf("logs/rknn.log"), analysis);
  CHECK(log.program == "RKNN-Toolkit2 2.5.0");
  std::map<std::string, LogNode> nodes = ByName(log, analysis);
  CHECK(nodes.at("/stem/Conv").kernel == "/stem/Conv");
  CHECK(nodes.at("/stem/Relu").kernel == "/stem/Conv");             // ConvRelu
  CHECK(nodes.at("/block/act/Mul").kernel == "/block/conv1/Conv");  // ConvExSwish
  CHECK(nodes.at("/block/Add").kernel == "/block/conv2/Conv_ConvAdd");
  CHECK(nodes.at("/head/GlobalAveragePool").type == "Conv");  // became two
  CHECK(nodes.at("/fc/Gemm").log_unit == "NPU");
  CHECK(nodes.at("/mid/Floor").log_unit == "CPU");
  CHECK(log.nodes.size() == 12);
  CHECK(log.agree == 12);
  CHECK(log.unmatched == 0);
  CHECK(log.log_kernels == 8);
  CHECK(log.edges_agree == log.edges);
}

TEST_CASE("what QNN's provider refuses is laid over the plan, with its reason") {
  const Analysis analysis = AnalysisOf("tiny_mod.onnx", "sa8775p");
  const LogComparison log = *Compare(TextOf("logs/qnn.log"), analysis);
  std::map<std::string, LogNode> nodes = ByName(log, analysis);
  CHECK(log.nodes.size() == 6);
  CHECK(log.agree == 6);
  CHECK(nodes.at("/mid/Mod").reason == "QNN Mod Op only support fmod == 0 for now.");
  CHECK(nodes.at("/head/Conv").log_unit == "QNN");
  CHECK(log.log_segments == 2);
  CHECK(log.plan_segments == 2);
}

TEST_CASE("placements of ONNX Runtime and devices of OpenVINO say where each node runs") {
  const Analysis mod = AnalysisOf("tiny_mod.onnx", "sa8775p");
  const LogComparison placed = *Compare(TextOf("logs/ort.log"), mod);
  CHECK(placed.nodes.size() == 1);  // the provider's nodes carry names of its own
  CHECK(ByName(placed, mod).at("/mid/Mod").agrees);
  const Analysis net = AnalysisOf("tiny_net.onnx", "rk3588");
  const LogComparison all = *Compare(TextOf("logs/ort_cpu.log"), net);
  CHECK(all.nodes.size() == 12);
  CHECK(all.agree == 1);  // Floor
  const LogComparison devices = *Compare(TextOf("logs/openvino.json"), net);
  CHECK(devices.nodes.size() == 12);
  CHECK(ByName(devices, net).at("/fc/Gemm").log_unit == "CPU");
}

TEST_CASE("forms of logs that only name borders divide the nodes") {
  const Analysis analysis = AnalysisOf("tiny_net.onnx", "rk3588");
  struct Row {
    const char* log;
    const char* node;
    const char* unit;
  };
  const char* const hailo = "Please try to parse the model again, using these end node names: /head/Conv";
  const char* const tidl = "1\n2\n0\n1\n";
  const char* const dla =
      "[I] [TRT] [DlaLayer] {ForeignNode[/stem/Conv.../block/Add]}\n[I] [TRT] [GpuLayer] /mid/Floor";
  for (const Row& row : std::vector<Row>{{hailo, "/head/Conv", "device"},
                                         {hailo, "/fc/Gemm", "host"},
                                         {tidl, "/stem/Relu", "TIDL"},
                                         {tidl, "/block/conv1/Conv", "Arm"},
                                         {dla, "/block/act/Mul", "DLA"},
                                         {dla, "/mid/Floor", "GPU"}}) {
    INFO(row.log << "\n" << row.node);
    const LogComparison log = *Compare(row.log, analysis);
    CHECK(ByName(log, analysis).at(row.node).log_unit == row.unit);
  }
}

TEST_CASE("a log of another model, and one without a plan, is refused") {
  const Analysis analysis = AnalysisOf("tiny_mod.onnx", "sa8775p");
  const absl::Status other = Compare("[DlaLayer] no_such_node\n", analysis).status();
  CHECK(DiagnosticOf(other).message == "build.log: no node of the model is named in the log, e.g. 'no_such_node'");
  AnalysisRequest shapes;
  const Analysis bare = *Analyze(*LoadModel(std::string(kFolder) + "tiny_mod.onnx"), shapes);
  CHECK(DiagnosticOf(Compare(TextOf("logs/qnn.log"), bare).status()).message == "a compiler's log is laid over a plan");
}

TEST_CASE("logs that are cut off or changed are read or refused") {
  const Analysis net = AnalysisOf("tiny_net.onnx", "rk3588");
  std::minstd_rand random(1);
  for (const char* file : {"rknn.log", "qnn.log", "ort.log", "openvino.json"}) {
    const std::string whole = TextOf(std::string("logs/") + file);
    for (int i = 0; i < 200; ++i) {
      std::string text = whole.substr(0, i % 2 == 0 ? random() % whole.size() : whole.size());
      for (unsigned change = 0; change < random() % 4 && !text.empty(); ++change) {
        text[random() % text.size()] = static_cast<char>(random() % 256);
      }
      INFO(file << " " << i);
      const absl::StatusOr<LogComparison> log = Compare(text, net);
      if (!log.ok()) CHECK(DiagnosticOf(log.status()).code == Code::kUsage);
      if (log.ok()) CHECK(log->agree <= static_cast<int64_t>(log->nodes.size()));
    }
  }
}

}  // namespace
}  // namespace hwest::test
