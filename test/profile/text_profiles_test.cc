#include <string>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "profile/read_profile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kRknn[] = R"(---------------
  Network Layer Information Table
---------------
ID  OpType  DataType Target InputShape  OutputShape  Cycles(DDR/NPU/Total)  Time(us)  MacUsage(%)  RW(KB)  FullName
---------------
1  InputOperator  FLOAT16  CPU  \  (1,3,256,256)  0/0/0  4  0.0%/0.0%/0.0%  0  InputOperator:input
2 ConvRelu FLOAT16 NPU (1,3,256,256),(8,3,1,1),(8) (1,8,256,256) 60956/131072/131072 390 0.30 384 Conv:/stem/Conv
3  Add  FLOAT16  NPU  (1,8,256,256),(1,8,256,256)  (1,8,256,256)  0/0/0  71  100.0%/0.0%/0.0%  256  Add:/stem/Add
---------------
Total Operator Elapsed Per Frame Time(us): 465
)";
constexpr char kRknnOlder[] =
    "Network Layer Information Table\n"
    "ID   OpType           DataType  Target   Time(us)   FullName\n"
    "1    InputOperator    UINT8     CPU      17    InputOperator:x\n"
    "2    ConvClip         UINT8     NPU      331   Conv:stem\n";
constexpr char kRknnBuild[] =
    "D RKNN: Network Layer Information Table\n"
    "D RKNN: [10:11:12.345] ID   OpType  DataType Target InputShape OutputShape FullName\n"
    "D RKNN: [10:11:12.345] 1    Acos    FLOAT16  CPU    (1,5)      (1,5)       Acos:node\n";
constexpr char kQnn[] =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n"
    "0,ROOT,4,COUNT,HW,ROOT,\"Number of HVX threads used\"\n"
    "2,NODE,500,CYCLES,HW,SUB-EVENT,\"/stem/Conv_token_12_3:OpId_1 (cycles)\"\n"
    "2,NODE,300,CYCLES,HW,SUB-EVENT,\"Add:OpId_2 (cycles)\"\n"
    "3,BACKEND,80,US,BACKEND,SUB-EVENT,Accelerator (execute) time\n"
    "2,NODE,700,CYCLES,HW,SUB-EVENT,\"/stem/Conv_token_12_3:OpId_1 (cycles)\"\n"
    "2,NODE,100,CYCLES,HW,SUB-EVENT,\"Add:OpId_2 (cycles)\"\n"
    "3,BACKEND,120,US,BACKEND,SUB-EVENT,Accelerator (execute) time\n";
constexpr char kTflite[] =
    "Profiling Info for Benchmark Initialization:\n"
    "============================== Run Order ==============================\n"
    "\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n"
    "\t         AllocateTensors\t    2.012\t    2.012\t100.000%\t100.000%\t    60.000\t        1\tAllocateTensors/0\n"
    "Operator-wise Profiling Info for Regular Benchmark Runs:\n"
    "============================== Run Order ==============================\n"
    "\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n"
    "\t                 CONV_2D\t    0.500\t    0.400\t 80.000%\t 80.000%\t     0.000\t        "
    "1\t[stem/Relu;stem/Conv]:0\n"
    "\t                     ADD\t    0.100\t    0.100\t 20.000%\t100.000%\t     0.000\t        1\t[add]:1\n"
    "============================== Top by Computation Time ==============================\n"
    "\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n"
    "\t                 CONV_2D\t    0.500\t    0.400\t 80.000%\t 80.000%\t     0.000\t        "
    "1\t[stem/Relu;stem/Conv]:0\n";
constexpr char kOpenVino[] =
    "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n"
    "x;Status.NOT_RUN;Parameter;unknown;0.000;0.000;\n"
    "stem;EXECUTED;Convolution;jit_avx512;0.400;0.390;\n"
    "add;EXECUTED;Add;jit;0.100;0.100;\n"
    "Total;;;;0.500;0.490;\n";
constexpr char kOpenVinoPrinted[] =
    "stem                          EXECUTED       layerType: Convolution        execType: jit_avx512 "
    "realTime (ms): 0.400 cpuTime (ms): 0.390\n"
    "add                           EXECUTED       layerType: Add        execType: jit realTime (ms): 0.100 "
    "cpuTime (ms): 0.1\n";
constexpr char kNcnn[] =
    "Convolution              stem                               0.40ms    |    feature_map:  224 x 224     "
    "inch:    3 *1   outch:   32 *8\n"
    "BinaryOp                 add                                0.10ms    |    feature_map:  112 x 112\n";

constexpr char kStEdgeAi[] =
    " Inference time per node\n"
    " c_id    m_id   type                   dur (ms)       %    cumul    CPU cycles     name\n"
    " 0       2      Conv2D (0x103)            0.400    80.0%    80.0%  [ 80,968  ]     ai_node_0\n"
    " 1       3      Eltwise                   0.100    20.0%   100.0%  [ 20,000  ]     ai_node_1\n"
    " total                                    0.500\n";

constexpr char kQnnText[] =
    "Input Log File Location: qnn.log\n"
    "Execute Stats (Average):\n"
    "------------------------\n"
    "Total Inference Time:\n"
    "---------------------\n"
    "    NetRun: 210 us\n"
    "    Accelerator (execute) time (cycles): 80000 cycles\n"
    "    Accelerator (execute) time: 100 us\n"
    "    Input OpId_2 (cycles): 0 cycles\n"
    "    /stem/Conv:OpId_21 (cycles): 600 cycles\n"
    "    Add:OpId_22 (cycles): 200 cycles\n"
    "\n"
    "Execute Stats (Overall):\n"
    "    /stem/Conv:OpId_21 (cycles): 900 cycles\n";
constexpr char kSnpe[] =
    "SNPE Execute Statistics (Averaged):\n"
    "----------------------------------------\n"
    "  Total Inference Time: 69 us\n"
    "  Accelerator Time: 0 \n"
    "  Per-Layer Execution Times: \n"
    "  ------------------------------\n"
    "    0: /stem/Conv : 23 us : CPU\n"
    "    1: add:0 : 1 us : CPU\n";
constexpr char kSnpeOlder[] =
    "Average SNPE Statistics:\n"
    "------------------------------\n"
    "Total Inference Time: 900 us\n"
    "Accelerator Time: 400 us\n"
    "Misc Accelerator Time: 13 us\n"
    "\n"
    "Layer Times: \n"
    "---------------\n"
    "0: 300 cycles : DSP\n"
    "1: 100 cycles : DSP\n";
constexpr char kExecuTorch[] =
    "event_block_name\tevent_name\traw\tp10 (ms)\tp50 (ms)\tp90 (ms)\tavg (ms)\top_types\tis_delegated_op\n"
    "Default\tMethod::init\t[0.03]\t0.03\t0.03\t0.03\t0.03\t[]\tFalse\n"
    "Execute\tOPERATOR_CALL\t[0.41]\t0.41\t0.41\t0.41\t0.41\t[]\tFalse\n"
    "Execute\tnative_call_convolution.out\t[0.4]\t0.3\t0.4\t0.5\t0.6\t['aten.convolution.default']\tFalse\n"
    "Execute\tnative_call_relu.out\t[0.1]\t0.1\t0.1\t0.1\t0.1\t['aten.relu.default']\tFalse\n"
    "Execute\tMethod::execute\t[0.5]\t0.5\t0.5\t0.5\t0.5\t[]\tFalse\n";
constexpr char kExecuTorchPrinted[] =
    "\xe2\x94\x82    \xe2\x94\x82 event_block_name \xe2\x94\x82 event_name \xe2\x94\x82 avg (us) \xe2\x94\x82\n"
    "\xe2\x94\x82  0 \xe2\x94\x82 Execute          \xe2\x94\x82 conv       \xe2\x94\x82      400 \xe2\x94\x82\n";

struct Sample {
  std::string text, program;
  std::vector<std::pair<std::string, double>> entries;  // names and microseconds
};

std::vector<Sample> Samples() {
  return {
      {kRknn, "rknn", {{"input", 4}, {"/stem/Conv", 390}, {"/stem/Add", 71}}},
      {kRknnOlder, "rknn", {{"x", 17}, {"stem", 331}}},
      {kQnn, "qnn", {{"/stem/Conv", 75}, {"Add", 25}}},
      {kQnnText, "qnn", {{"/stem/Conv", 75}, {"Add", 25}}},
      {kSnpe, "snpe", {{"/stem/Conv", 23}, {"add:0", 1}}},
      {kSnpeOlder, "snpe", {{"0", 300}, {"1", 100}}},
      {kExecuTorch, "executorch", {{"native_call_convolution.out", 400}, {"native_call_relu.out", 100}}},
      {kExecuTorchPrinted, "executorch", {{"conv", 400}}},
      {kTflite, "tflite", {{"stem/Relu", 400}, {"add", 100}}},
      {kOpenVino, "openvino", {{"stem", 400}, {"add", 100}}},
      {kOpenVinoPrinted, "openvino", {{"stem", 400}, {"add", 100}}},
      {kStEdgeAi, "stedgeai", {{"ai_node_0", 400}, {"ai_node_1", 100}}},
      {kNcnn, "ncnn", {{"stem", 400}, {"add", 100}}},
  };
}

}  // namespace

TEST_CASE("profiles that are text are known by their header") {
  for (const Sample& sample : Samples()) {
    const auto profile = ParseProfile(sample.text, "p.txt");
    INFO(sample.program);
    REQUIRE(profile.ok());
    CHECK(profile->program == sample.program);
    REQUIRE(profile->entries.size() == sample.entries.size());
    for (size_t i = 0; i < sample.entries.size(); ++i) {
      CHECK(profile->entries[i].name == sample.entries[i].first);
      CHECK(profile->entries[i].time_s * 1e6 == Approx(sample.entries[i].second));
    }
  }
}

TEST_CASE("profiles that ended early are read as far as they go, or refused") {
  for (const Sample& sample : Samples()) {
    INFO(sample.text.substr(0, 80));
    REQUIRE(ParseProfile(sample.text, "p.txt").ok());
    for (size_t length = 0; length < sample.text.size(); length += 3) {
      const auto profile = ParseProfile(sample.text.substr(0, length), "p.txt");
      if (!profile.ok()) {
        CHECK_FALSE(profile.status().message().empty());
        continue;
      }
      CHECK(profile->entries.size() <= sample.entries.size() + 1);  // a name that is cut is another one
      for (const ProfileEntry& entry : profile->entries) CHECK(entry.time_s >= 0);
    }
  }
}

TEST_CASE("a table of RKNN without times and cycles of QNN without a time are refused with what to do") {
  for (const auto& [text, part] : {std::pair<std::string, std::string>{kRknnBuild, "table of a build"},
                                   {std::string(kQnn).substr(0, std::string(kQnn).find("3,BACKEND")), "cycles"}}) {
    const auto profile = ParseProfile(text, "p.txt");
    REQUIRE(!profile.ok());
    CHECK_THAT(DiagnosticOf(profile.status()).message, Catch::Contains(part));
    CHECK(!DiagnosticOf(profile.status()).remedy.empty());
  }
}

}  // namespace hwest::test
