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

constexpr char kTrex[] =
    ",Name,type,Inputs,Outputs,precision,latency.pct_time,latency.avg_time,latency.median_time,latency.time\n"
    "0,/stem/Conv + /stem/Relu,Convolution,\"[Region(x), Region(y)]\",[],FP16,80.0,0.42,0.40,42.0\n"
    "1,\"PWN(/a/Sigmoid, /a/Mul)\",Pointwise,[],[],FP16,20.0,0.11,0.10,11.0\n";
constexpr char kTrexOlder[] =
    "Name,type,latency.pct_time,latency.avg_time,latency.time\n"
    "stem,Convolution,80.0,0.4,40.0\n";
constexpr char kTidl[] =
    "1 0 /stem/Conv\n"
    "2 4 /stem/Add\n"
    "TI ONNXRT\n"
    "   Network Cycles 1000\n"
    "\n"
    "   Layer,   Layer Cycles,kernelOnlyCycles, coreLoopCycles,LayerSetupCycles,dmaPipeupCycles, dmaPipeDownCycles,\n"
    "     1,            600,            500,            500,              7,             14,                18,\n"
    "     2,            200,            150,            150,              7,              3,                16,\n"
    "Sub Graph Stats 15.000000 80.000000 4.000000\n"
    "   Network Cycles 1000\n"
    "   Layer,   Layer Cycles,kernelOnlyCycles, coreLoopCycles,LayerSetupCycles,dmaPipeupCycles, dmaPipeDownCycles,\n"
    "     1,            600,            500,            500,              7,             14,                18,\n"
    "     2,            200,            150,            150,              7,              3,                16,\n"
    "Sub Graph Stats 15.000000 120.000000 4.000000\n";
constexpr char kVela[] =
    "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,SRAM AC,"
    "DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
    "Conv2D,Conv2D,NPU,615968,37.13,200000,80.0,200000,5292,0,0,0,1016064,80,69.2,stem/Relu;stem/Conv_act\n"
    "Softmax,MaxPool,NPU,32,1.79,10000,4.0,10000,4,0,0,0,5,0.04,0.04,add_softmax_0\n"
    "Softmax,Asr,NPU,144,8.04,40000,16.0,40000,18,0,0,0,0,0.0,0.0,Identity:0\n"
    "experiment,network,accelerator_configuration,system_config,memory_mode,core_clock,arena_cache_size,sram_bandwidth,"
    "dram_bandwidth,on_chip_flash_bandwidth,off_chip_flash_bandwidth,weights_storage_area,feature_map_storage_area,"
    "inferences_per_second,batch_size,inference_time,passes_before_fusing\n"
    "default,net,Ethos_U55_256,internal-default,internal-default,500000000.0,384.0,3.7,3.7,3.7,0.46,Off-chip "
    "Flash,SRAM,"
    "2000.0,1,0.0005,3\n";
constexpr char kVelaOlder[] =
    "TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,"
    "MAC Count,Network%,Util%,Name\n"
    "CONV_2D,Conv2DBias,615968,37.13,200000.0,80.0,200000.0,5292.0,0.0,0.0,0.0,1016064,80,69.2,stem/Relu;stem/Conv\n"
    "ADD,Add,158688,9.56,50000.0,20.0,50000.0,2023.0,0.0,0.0,0.0,0,0,0.0,add\n"
    "experiment,network,accelerator_configuration,system_config,memory_mode,core_clock,arena_cache_size\n"
    "default,net,Ethos_U55_256,internal-default,internal-default,500000000.0,384.0\n";
constexpr char kVelaPrinted[] =
    "################################################################################\n"
    "Performance for NPU Subgraph _split_1\n"
    "TFLite_operator      NNG Operator         SRAM Usage  Peak%  Op Cycles Network% Name\n"
    "-------------------- -------------------- ---------- ------ ---------- -------- --------------------\n"
    "CONV_2D              Conv2DBias               629616  86.18     200000    80.00 "
    "stem/Relu;stem/batch_normalization/FusedBatchNorm;stem/Conv\n"
    "ADD                  Add                      730624 100.00      50000    20.00 add\n"
    "\n"
    "Network summary for net\n"
    "Accelerator configuration               Ethos_U55_256\n"
    "Accelerator clock                                 500 MHz\n";

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
      {kTrex, "trex", {{"/stem/Conv + /stem/Relu", 400}, {"PWN(/a/Sigmoid, /a/Mul)", 100}}},
      {kTrexOlder, "trex", {{"stem", 400}}},
      {kTidl, "tidl", {{"/stem/Conv", 75}, {"/stem/Add", 25}}},
      {kVela, "vela", {{"stem/Relu;stem/Conv_act", 400}, {"Identity:0", 20}, {"Identity:0", 80}}},
      {kVelaOlder, "vela", {{"stem/Relu;stem/Conv", 400}, {"add", 100}}},
      {kVelaPrinted, "vela", {{"stem/Relu;stem/batch_normalization/FusedBatchNorm;stem/Conv", 400}, {"add", 100}}},
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

TEST_CASE("layers of TIDL keep their numbers where nothing names them") {
  const std::string trace = std::string(kTidl).substr(std::string(kTidl).find("TI ONNXRT"));
  const auto profile = ParseProfile(trace, "p.txt");
  REQUIRE(profile.ok());
  REQUIRE(profile->entries.size() == 2);
  CHECK(profile->entries[0].name == "1");
  CHECK(profile->entries[0].time_s * 1e6 == Approx(75));
}

TEST_CASE("tables without times are refused with what to do") {
  const auto until = [](const std::string& text, const char* end) { return text.substr(0, text.find(end)); };
  for (const auto& [text, part] : {std::pair<std::string, std::string>{kRknnBuild, "table of a build"},
                                   {until(kQnn, "3,BACKEND"), "cycles"},
                                   {until(kTidl, "Sub Graph Stats"), "cycles"},
                                   {absl::StrCat("1 0 other\n", kTidl), "several subgraphs"},
                                   {until(kVela, "experiment"), "at which clock"},
                                   {until(kVelaPrinted, "Accelerator clock"), "at which clock"},
                                   {R"({"Layers": [{"Name": "a"}], "Bindings": []})", "graph of an engine"}}) {
    INFO(part);
    const auto profile = ParseProfile(text, "p.txt");
    REQUIRE(!profile.ok());
    CHECK_THAT(DiagnosticOf(profile.status()).message, Catch::Contains(part));
    CHECK(!DiagnosticOf(profile.status()).remedy.empty());
  }
}

}  // namespace hwest::test
