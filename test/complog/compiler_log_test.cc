// What is read from each compiler's log, and what is refused.
#include "complog/compiler_log.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kDla[] =
    "[08/31/2023-07:07:49] [I] [TRT] ---------- Layers Running on DLA ----------\n"
    "[08/31/2023-07:07:49] [I] [TRT] [DlaLayer] {ForeignNode[/stem/Conv.../block/Add]}\n"
    "[08/31/2023-07:07:49] [I] [TRT] ---------- Layers Running on GPU ----------\n"
    "[08/31/2023-07:07:49] [I] [TRT] [GpuLayer] CONVOLUTION: /head/Conv + PWN(/head/Relu)\n";
constexpr char kOldDla[] =
    "INFO: [TRT]: --------------- Layers running on DLA: \n"
    "INFO: [TRT]: {conv_1,relu_1}, {conv_2}, \n"
    "INFO: [TRT]: --------------- Layers running on GPU: \n"
    "INFO: [TRT]: conv_3 + relu_3, PWN(mul_4, add_4), fc, \n";
constexpr char kLayers[] =
    R"({"Layers": [{"Name": "conv + relu", "LayerType": "CaskConvolution"}, "pool"], "Bindings": ["x"]})";
constexpr char kTidl[] =
    "Supported TIDL layer type ---            Conv -- /stem/Conv \n"
    "Unsupported (imports) TIDL layer type for ONNX op type --- Floor \n"
    "Layers type not supported by TIDL --- layer type - Floor,  Node name -/mid/Floor  \n"
    "Final number of subgraphs created are : 2, - Offloaded Nodes - 11, Total Nodes - 13 \n";
constexpr char kHailo[] =
    "Parsing failed. The errors found in the graph are:\n"
    " UnsupportedOperationError in op /head/TopK: TopK operation is unsupported\n"
    "Please try to parse the model again, using these end node names: /head/Conv, /head/Conv_1\n";
constexpr char kHailoAsked[] =
    "Parsing failed with recommendations for end node names: ['/a/Conv', '/b/Conv'].\n"
    "Would you like to parse again with the recommendation? (y/n)\n";
constexpr char kUnitOfTwo[] =
    "x [V:onnxruntime:, qnn.cc:1 LogNodeSupport] Validation FAILED for 2 nodes in OrtNodeUnit (Mod) :\n"
    "\tOperator type: DequantizeLinear Node name: dq Node index: 1\n"
    "\tOperator type: Mod Node name: mod Node index: 2\n"
    "\tREASON : QNN Mod Op only support fmod == 0 for now.\n";

// "NAME@UNIT(NODES)" of each kernel, then what stands beside them.
std::string TextOf(const CompilerLog& log) {
  std::vector<std::string> parts;
  for (const LogKernel& kernel : log.kernels) {
    std::string part = absl::StrCat(kernel.name, "@", kernel.unit_name);
    if (!kernel.type.empty()) absl::StrAppend(&part, " ", kernel.type);
    if (!kernel.nodes.empty()) absl::StrAppend(&part, " (", absl::StrJoin(kernel.nodes, ","), ")");
    if (!kernel.positions.empty()) absl::StrAppend(&part, " #", absl::StrJoin(kernel.positions, ","));
    if (!kernel.reason.empty()) absl::StrAppend(&part, ": ", kernel.reason);
    parts.push_back(part);
  }
  if (!log.ends.empty()) parts.push_back(absl::StrCat("ends ", absl::StrJoin(log.ends, ",")));
  if (log.segments.has_value()) parts.push_back(absl::StrCat("segments ", *log.segments));
  if (log.others.has_value()) parts.push_back(absl::StrCat("others ", log.others->second));
  return absl::StrJoin(parts, "; ");
}

struct Row {
  const char* format;
  const char* text;
  const char* want;
};

constexpr Row kRows[] = {
    {"tensorrt", kDla, "{ForeignNode[/stem/Conv.../block/Add]}@DLA; /head/Conv + PWN(/head/Relu)@GPU CONVOLUTION"},
    {"tensorrt", kOldDla,
     "conv_1,relu_1@DLA (conv_1,relu_1); conv_2@DLA (conv_2); conv_3 + relu_3@GPU; PWN(mul_4, add_4)@GPU; fc@GPU"},
    {"tensorrt", kLayers, "conv + relu@ CaskConvolution; pool@"},
    {"tidl", kTidl, "/stem/Conv@TIDL; /mid/Floor@Arm: Layers type not supported by TIDL; segments 2"},
    {"tidl", "2\n3\n0\n1\n2\n1\n5\n", "subgraph 0@TIDL #0,1,2; subgraph 1@TIDL #5; segments 2; others Arm"},
    {"tidl", "0\n", "segments 0; others Arm"},
    {"hailo", kHailo, "/head/TopK@host: TopK operation is unsupported; ends /head/Conv,/head/Conv_1"},
    {"hailo", kHailoAsked, "ends /a/Conv,/b/Conv"},
    {"qnn", kUnitOfTwo, "dq@not QNN (dq,mod): QNN Mod Op only support fmod == 0 for now."},
    {"ort", "x VerifyEachNodeIsAssignedToAnEp]  All nodes placed on [CPUExecutionProvider]. Number of nodes: 14\n",
     "others CPUExecutionProvider"},
    {"openvino", R"({"a": "NPU", "b/WithoutBiases": "GPU.0"})", "a@NPU; b@GPU.0"},
    {"rknn",
     "\x1b[1;33mD RKNN: [10:37:06.685] 1    ConvRelu  INT8  NPU  (1,3,32,32),(8,3,3,3),(8)  (1,8,16,16)  "
     "363/2304/2304  4  Conv:/stem/Conv\x1b[0m\n",
     "/stem/Conv@NPU ConvRelu"},
};

TEST_CASE("each compiler's log is known by what it holds") {
  for (const Row& row : kRows) {
    INFO(row.format << "\n" << row.text);
    const absl::StatusOr<CompilerLog> log = ReadCompilerLog(row.text, "build.log", LogFormat::kAuto);
    REQUIRE(log.ok());
    CHECK(LogFormatName(log->format) == row.format);
    CHECK(TextOf(*log) == row.want);
    CHECK(TextOf(*ReadCompilerLog(row.text, "build.log", log->format)) == row.want);
  }
}

TEST_CASE("what is no log is refused with what one holds") {
  for (const char* text : {"", "\n", "hello", "{}", "[]", "{\"a\": 1}", "{\"a\": \"TPU\"}", "2\n3\n0\n", "1\n99\n0\n",
                           "99999999999999999999\n", "D RKNN: [10:37:06.685] 1    ConvRelu  INT8  NPU"}) {
    INFO(text);
    const absl::StatusOr<CompilerLog> log = ReadCompilerLog(text, "build.log", LogFormat::kAuto);
    REQUIRE_FALSE(log.ok());
    CHECK(DiagnosticOf(log.status()).code == Code::kUsage);
    CHECK(DiagnosticOf(log.status()).message == "build.log: is no compiler's log that is known");
  }
  const Diagnostic wrong = DiagnosticOf(ReadCompilerLog(kTidl, "build.log", LogFormat::kRknn).status());
  CHECK(wrong.message == "build.log: is no log of the format rknn");
  CHECK(wrong.remedy ==
        "give a whole log; it holds the layer table with the column Target, which RKNN(verbose=True) prints when it "
        "builds");
}

}  // namespace
}  // namespace hwest::test
