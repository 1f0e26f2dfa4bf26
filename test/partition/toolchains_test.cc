// What the built-in toolchains refuse in small models.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cost/tiny_target.h"
#include "fuse/fuse.h"
#include "hwest/diagnostic.h"
#include "op/rule.h"
#include "partition/support.h"
#include "pass/pass_fixture.h"
#include "target/embedded.h"

namespace hwest {
namespace {

struct ToolchainRow {
  const char* toolchain;
  const char* model;  // what stands between the braces of a graph; x is an input, y the node that counts
  const char* input;
  const char* what = "";  // is refused for; "" = runs
  const char* found = "";
};

constexpr char kAvgSame[] = R"(y = AveragePool <kernel_shape = [3, 3], auto_pad = "SAME_UPPER"> (x))";
constexpr char kAvgOneSided[] = "y = AveragePool <kernel_shape = [2, 2], pads = [0, 0, 1, 1]> (x)";
constexpr char kAvgValid[] = R"(y = AveragePool <kernel_shape = [2, 2], auto_pad = "VALID"> (x))";
constexpr char kAvg[] = "y = AveragePool <kernel_shape = [2, 2, 2]> (x)";
constexpr char kMax[] = "y = MaxPool <kernel_shape = [2, 2, 2]> (x)";
constexpr char kConv[] = "f = Constant <value_ints = [4, 4, 3, 3]> () w = ConstantOfShape(f) y = Conv(x, w)";
constexpr char kConv3d[] = "f = Constant <value_ints = [4, 4, 3, 3, 3]> () w = ConstantOfShape(f) y = Conv(x, w)";
constexpr char kDeconvSame[] =
    "f = Constant <value_ints = [4, 4, 3, 3]> () w = ConstantOfShape(f)"
    R"( y = ConvTranspose <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, w))";
constexpr char kDeconvShape[] =
    "f = Constant <value_ints = [4, 4, 3, 3]> () w = ConstantOfShape(f)"
    " y = ConvTranspose <output_shape = [16, 16], strides = [2, 2]> (x, w)";
constexpr char kDeconv[] =
    "f = Constant <value_ints = [4, 4, 3, 3]> () w = ConstantOfShape(f) y = ConvTranspose <strides = [2, 2]> (x, w)";
constexpr char kMul[] = "y = Mul(x, x)";
constexpr char kRows[] = "i = Constant <value_ints = [0]> () y = Gather(x, i)";
constexpr char kReverse[] = "y = Transpose(x)";
constexpr char kTurnedRound[] =
    "s = Constant <value_ints = [-1]> () e = Constant <value_ints = [-999]> () a = Constant <value_ints = [1]> ()"
    " y = Slice(x, s, e, a, s)";
constexpr char kMirrored[] =
    "s = Constant <value_ints = [-1]> () e = Constant <value_ints = [-999]> () a = Constant <value_ints = [3]> ()"
    " y = Slice(x, s, e, a, s)";
constexpr char kTile[] = "s = Constant <value_ints = [2, 1, 1, 1]> () y = Tile(x, s)";
constexpr char kImage[] = "float[1, 4, 8, 8] x", kVolume[] = "float[1, 4, 8, 8, 8] x";
constexpr char kType[] = "element type of input 0", kRank[] = "rank of input 0";

// The verdict of the toolchain on node y of a model.
Support CheckedIn(const std::string& toolchain, const std::string& model) {
  test::PassRun run = test::RunPasses(model.c_str());
  Target target = test::TinyTarget();
  target.toolchains[0] = *LoadToolchain(toolchain);
  for (Unit& unit : target.units) {
    if (unit.name == "npu") unit.toolchain = toolchain;
  }
  const ModelView view{run.graph, run.facts, run.classes, run.tables.work, run.dims};
  return (*CheckSupport(view, target, {}, {}))[UnitId(0u)][test::NodeOf(run.graph, "y")];
}

Support Checked(const ToolchainRow& row) {
  return CheckedIn(row.toolchain, absl::StrCat("<ir_version: 10, opset_import: [\"\" : 20]> g (", row.input,
                                               ") => (float[] y) { ", row.model, " }"));
}

constexpr ToolchainRow kToolchainRows[] = {
    {"rknn", kAvgSame, kImage, "attribute count_include_pad, where padding is at least 1", "0"},
    {"rknn", kAvgOneSided, kImage, "attribute count_include_pad, where padding is at least 1", "0"},
    {"rknn", kAvgValid, kImage, "", ""},
    {"rknn", kAvg, kVolume, kRank, "5"},
    {"rknn", kMax, kVolume, kRank, "5"},
    {"rknn", kConv, kImage, "", ""},
    {"rknn", kConv3d, kVolume, kRank, "5"},
    {"rknn", "y = MaxPool <kernel_shape = [8, 8], strides = [8, 8], ceil_mode = 1> (x)", kImage, "", ""},
    {"rknn", "y = GlobalMaxPool(x)", "float[1, 4, 64, 64] x", "", ""},
    {"rknn", "s = Constant <value_floats = [1.0, 1.0, 9.0, 9.0]> () y = Resize(x, , s)", kImage, "", ""},
    {"rknn", R"(s = Constant <value_floats = [1.0, 1.0, 1.5, 1.5]> () y = Resize <mode = "linear"> (x, , s))", kImage,
     "scale factor of dim -1, where attribute mode is linear and scale factor of dim -1 is at least 1 and elements of "
     "input 0 from dim 2 on is at least 2",
     "1.5"},
    {"rknn", R"(s = Constant <value_floats = [1.0, 1.0, 0.5, 0.5]> () y = Resize <mode = "linear"> (x, , s))", kImage,
     "", ""},
    {"rknn", "y = ReduceMean <axes = [1]> (x)", kImage, "", ""},
    {"rknn", "y = Softmax(x)", kImage, "", ""},
    {"rknn", "y = Pow(x, x)", kImage, "elements of input 1", "256"},
    {"rknn", "c = Constant <value_float = -0.5> () y = Pow(x, c)", kImage, "", ""},
    {"rknn", "c = Constant <value_float = 0.5> () y = Pow(x, c)", kImage, "values of input 1", "0.5"},
    {"rknn", "y = Transpose <perm = [0, 1, 2, 4, 3, 5]> (x)", "float[1, 8, 16, 2, 16, 2] x", "", ""},
    {"rknn", "y = Transpose <perm = [0, 1, 2, 4, 3, 5]> (x)", "float[2, 8, 16, 2, 16, 2] x",
     "number of dims other than 1 of input 0", "6"},
    {"rknn", kTurnedRound, kImage, "values of input 4, where axes in input 3 is at most -2", "-1"},
    {"rknn", kMirrored, kImage, "", ""},
    {"tensorrt-dla", kDeconv, kImage, "", ""},
    {"tensorrt-dla", kDeconvSame, kImage, "padding", "1"},
    {"tensorrt-dla", kDeconvShape, kImage, "padding", "1"},
    {"rknn", "y = Transpose <perm = [0, 1, 3, 2]> (x)", "float[1, 4, 128, 144] x", "", ""},
    {"rknn", "y = Transpose <perm = [0, 2, 1, 3]> (x)", "float[1, 4, 128, 128] x", "", ""},
    {"rknn", "y = Transpose <perm = [0, 2, 1, 3]> (x)", "float[1, 4, 128, 144] x", "", ""},
    {"rknn", "r = Relu(x) y = Transpose <perm = [0, 2, 1, 3]> (r)", "float[1, 4, 128, 144] x",
     "elements of input 0 from dim 2 on, where rank of input 0 is 4 and attribute perm [0] is at most 0 and attribute "
     "perm [1] is 2 and attribute perm [2] is at most 1 and maker of input 0 is Add, Clip, Concat, Conv, "
     "ConvTranspose, Mul, Relu",
     "18432"},
    {"rknn-rk3566", "y = Transpose <perm = [0, 2, 1, 3]> (x)", "float[1, 4, 64, 64] x", "", ""},
    {"rknn-rk3566", "y = Transpose <perm = [0, 1, 3, 2]> (x)", "float[2, 4, 128, 144] x",
     "attribute perm [1], where rank of input 0 is 4 and dim 0 of input 0 is at least 2", "1"},
    {"rknn", "c = Constant <value_float = 1.0> () y = Sub(c, x)", kImage, "", ""},
    {"rknn", "y = Sub(x, x)", kImage, "", ""},
    {"rknn", "f = Constant <value_ints = [8, 8]> () c = ConstantOfShape(f) y = Sub(c, x)", kImage,
     "broadcast of input 0 (1 = stretched), where input 0 is constant and rank of output 0 is 4 and dim 0 of output 0 "
     "is at most 1 and dim -2 of output 0 is at least 2",
     "x1xx"},
    {"rknn", "f = Constant <value_ints = [8, 8]> () c = ConstantOfShape(f) y = Sub(x, c)", kImage, "", ""},
    {"rknn-rk3566", "y = Transpose <perm = [0, 2, 1, 3, 4]> (x)", kVolume,
     "rank of input 0, where rank of input 0 is at least 5", "5"},
    {"rknn", "y = Max(x, x)", kImage, "", ""},
    {"rknn", "c = Constant <value_floats = [0.0]> () y = Max(x, c)", kImage, "rank of input 1", "1"},
    {"rknn", kTile, kImage, "value [0] of input 1", "2"},
    {"rknn", "y = GlobalAveragePool(x)", kVolume, kRank, "5"},
    {"rknn-2.5", "y = GlobalAveragePool(x)", kVolume, "", ""},
    {"rknn-2.5", "y = MaxPool <kernel_shape = [2, 2, 2]> (x)", kVolume, kRank, "5"},
    {"rknn", "y = DepthToSpace <blocksize = 3> (x)", "float[1, 9, 8, 8] x", "attribute blocksize", "3"},
    {"qnn", "y = InstanceNormalization(x, x, x)", kVolume, kRank, "5"},
    {"qnn-sm7750", kConv, kImage, "", ""},
    {"vela", kMul, kVolume, "", ""},
    {"vela", "y = Transpose <perm = [0, 2, 1, 3]> (x)", kImage, "", ""},
    {"vela", "y = ReduceMean <axes = [0]> (x)", kImage, "", ""},
    {"vela", "y = ReduceMean <axes = [1]> (x)", kImage,
     "attribute axes from the end, where rank of input 0 is at least 4 and dim 1 of input 0 is at least 2 and dim -2 "
     "of "
     "input 0 is at least 2 and dim -1 of input 0 is at least 2",
     "-3"},
    {"vela", "y = ReduceMean <axes = [1]> (x)", "float[1, 4, 1, 8] x", "", ""},
    {"vela", "y = ArgMax <axis = 2> (x)", kImage, "attribute axis from the end, where rank of input 0 is at least 4",
     "-2"},
    {"vela-u85", "y = ArgMax <axis = 2> (x)", kImage, "", ""},
    {"onnxruntime-cpu", kMul, kImage, "", ""},
    {"onnxruntime-cpu", kMul, "bfloat16[1, 4, 8, 8] x", kType, "bfloat16"},
    {"qnn", "y = Mod <fmod = 1> (x, x)", kImage, "attribute fmod", "1"},
    {"qnn", "s = Constant <value_floats = [1.0, 1.0]> () y = LayerNormalization <axis = 2> (x, s)", kImage,
     "attribute axis from the end", "-2"},
    {"qnn", kReverse, "float[2, 3, 4, 5, 6] x", "", ""},
    {"qnn", kReverse, "float[2, 3, 4, 5, 6, 7] x", kRank, "6"},
    {"qnn", kRows, "float[2, 3, 4, 5, 6, 7] x", kRank, "6"},
    {"qnn-2.51", kReverse, "float[2, 3, 4, 5, 6, 7] x", kRank, "6"},
    {"tidl", "y = Transpose <perm = [2, 0, 3, 1, 4]> (x)", "float[2, 3, 4, 5, 6] x", "", ""},
    {"tidl", "y = Transpose <perm = [0, 4, 1, 2, 3]> (x)", "float[2, 3, 4, 5, 6] x",
     "attribute perm [1], where rank of input 0 is 5", "4"},
    {"openvino", "y = GridSample(x, x)", "float[1, 2, 2, 2] x", "", ""},
    {"openvino", "y = GridSample(x, x)", "float[1, 3, 3, 3, 3] x", kRank, "5"},
};

TEST_CASE("built-in toolchains see the pads and the rank that a node has") {
  for (const ToolchainRow& row : kToolchainRows) {
    INFO(row.toolchain << ": " << row.model);
    const Support support = Checked(row);
    CHECK((support.verdict == Verdict::kNo) == (row.what[0] != '\0'));
    CHECK(support.what == row.what);
    CHECK(support.found == row.found);
  }
}

TEST_CASE("the runtime of RKNN runs on its CPU what each chip's NPU does not") {
  CHECK(Checked({"rknn", "y = Floor(x)", kImage}).verdict == Verdict::kNo);
  CHECK(Checked({"rknn", "y = ReduceMax <axes = [2, 3]> (x)", kImage}).verdict == Verdict::kNo);  // no GlobalMaxPool
  CHECK(Checked({"rknn-rk3566", "y = Softmax(x)", kImage}).verdict == Verdict::kNo);
  CHECK(Checked({"rknn-rk3566", "y = Floor(x)", kImage}).verdict == Verdict::kNo);
  CHECK(Checked({"rknn-rk3566", "y = Add(x, x)", kImage}).verdict == Verdict::kYes);
}

TEST_CASE("RK3566 transposes on its CPU what does not fill lanes of 8") {
  struct Row {
    const char* what;
    const char* input;
    const char* model;
    Verdict want;
  };
  const std::vector<Row> rows = {
      {"values", "float[1, 64, 64] x, float[1, 2, 8, 64] o",
       "r = Reshape(x, heads) y = Transpose <perm = [0, 2, 1, 3]> (r) z = MatMul(o, y)", Verdict::kNoted},
      {"positions of values", "float[1, 49, 64] x, float[1, 2, 8, 49] o",
       "r = Reshape(x, heads) y = Transpose <perm = [0, 2, 1, 3]> (r) z = MatMul(o, y)", Verdict::kNo},
      {"size of a head", "float[1, 64, 40] x, float[1, 2, 8, 64] o",
       "r = Reshape(x, heads) y = Transpose <perm = [0, 2, 1, 3]> (r) z = MatMul(o, y)", Verdict::kNo},
      {"positions of queries", "float[1, 49, 64] x, float[1, 2, 32, 8] o",
       "r = Reshape(x, heads) y = Transpose <perm = [0, 2, 1, 3]> (r) z = MatMul(y, o)", Verdict::kNoted},
      {"mixed positions", "float[1, 196, 64] x, float[196, 8] o",
       "n = LayerNormalization(x, s) y = Transpose <perm = [0, 2, 1]> (n) z = MatMul(y, o)", Verdict::kNo},
      {"mixed positions that fill lanes", "float[1, 64, 64] x, float[64, 8] o",
       "n = LayerNormalization(x, s) y = Transpose <perm = [0, 2, 1]> (n) z = MatMul(y, o)", Verdict::kNoted},
      {"a left operand", "float[1, 2, 49, 32] x, float[1, 2, 49, 8] o",
       "y = Transpose <perm = [0, 1, 3, 2]> (x) z = MatMul(y, o)", Verdict::kNo},
      {"a right operand", "float[1, 2, 49, 32] x, float[1, 2, 8, 32] o",
       "k = Neg(x) y = Transpose <perm = [0, 1, 3, 2]> (k) z = MatMul(o, y)", Verdict::kNoted},
      {"values of a split", "float[1, 49, 80] x, float[1, 2, 8, 49] o",
       "r = Reshape(x, heads) a, v = Split <axis = 3> (r, parts) y = Transpose <perm = [0, 2, 1, 3]> (v) z = MatMul(o, "
       "y)",
       Verdict::kNo},
      {"values of a split that fill lanes", "float[1, 64, 80] x, float[1, 2, 8, 64] o",
       "r = Reshape(x, heads) a, v = Split <axis = 3> (r, parts) y = Transpose <perm = [0, 2, 1, 3]> (v) z = MatMul(o, "
       "y)",
       Verdict::kNoted},
      {"heads in front of what stays in rows", "float[1, 2, 64, 8] o, float[1, 2, 8, 32] x",
       "m = MatMul(o, x) y = Transpose <perm = [0, 2, 1, 3]> (m) r = Reshape(y, rows) z = HardSwish(r)", Verdict::kNo},
      {"scores whose heads weights mix", "float[1, 2, 16, 8] o, float[1, 2, 8, 16] x",
       "m = MatMul(o, x) y = Transpose <perm = [0, 2, 3, 1]> (m) z = MatMul(y, mixed)", Verdict::kNo},
      {"mixed scores in front of a product", "float[1, 16, 16, 2] o, float[1, 2, 16, 8] x",
       "m = MatMul(o, mixed) y = Transpose <perm = [0, 3, 1, 2]> (m) z = MatMul(y, x)", Verdict::kNo},
      {"keys of rows", "float[1, 2, 8, 16] o, float[1, 8, 32] x",
       "m = MatMul(x, keys) r = Reshape(m, heads) y = Transpose <perm = [0, 2, 3, 1]> (r) z = MatMul(o, y)",
       Verdict::kNoted},
      {"keys of a cache", "float[1, 2, 49, 32] x, float[1, 2, 8, 32] o",
       "y = Transpose <perm = [0, 1, 3, 2]> (x) z = MatMul(o, y)", Verdict::kNo},
      {"keys joined to a cache", "float[1, 2, 32, 32] x, float[1, 2, 8, 32] o",
       "k = Neg(x) j = Concat <axis = 2> (x, k) f = Identity(j) y = Transpose <perm = [0, 1, 3, 2]> (f)"
       " z = MatMul(o, y)",
       Verdict::kNo},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const Support support =
        CheckedIn("rknn-rk3566",
                  absl::StrCat("<ir_version: 10, opset_import: [\"\" : 20]> g (", row.input,
                               ") => (float[] z) <int64[4] heads = {0, 0, 2, -1}, int64[2] parts = {8, 32},"
                               " int64[3] rows = {0, 0, -1}, float[64] s, float[2, 2] mixed, float[32, 32] keys> { ",
                               row.model, " }"));
    CHECK(support.verdict == row.want);
  }
}

// A file for a CPU or a framework on a GPU. Every other built-in toolchain is an accelerator's.
const std::set<std::string> kRunsAnyType = {"armnn",           "cmsis-nn", "litert-cpu",      "mnn",          "ncnn",
                                            "onnxruntime-cpu", "openvino", "pytorch-compile", "pytorch-eager"};
// Compilers that take double; all but MIGraphX compute in a narrower type.
const std::set<std::string> kNarrowsDouble = {"migraphx",    "openvino-npu", "rknn",        "rknn-2.5",
                                              "rknn-rk3562", "rknn-rk3566",  "rknn-rk3576", "tpu-mlir"};

TEST_CASE("every toolchain of an accelerator answers for every element type") {
  for (const EmbeddedFile& file : EmbeddedToolchains()) {
    const std::string name(file.name);
    if (kRunsAnyType.count(name) > 0) continue;
    INFO(name);
    const Toolchain toolchain = *LoadToolchain(name);
    if (toolchain.language.has_value() && toolchain.support.empty()) continue;  // it runs decoders alone
    for (const char* type : {"string", "complex64", "complex128"}) {
      const std::string input = absl::StrCat(type, "[1, 4, 8, 8] x");
      const Support refused = Checked({name.c_str(), "y = Concat <axis = 1> (x, x)", input.c_str()});
      CHECK(refused.verdict == Verdict::kNo);
      CHECK(refused.what == kType);
    }
    const bool takes_double = Checked({name.c_str(), kMul, "double[1, 4, 8, 8] x"}).verdict != Verdict::kNo;
    CHECK(takes_double == (kNarrowsDouble.count(name) > 0));
    CHECK(Checked({name.c_str(), kConv, kImage}).verdict != Verdict::kNo);
  }
}

// An accelerator has no string, and a double in its files is not what it computes with.
TEST_CASE("accelerators refuse data of types that they do not compute with") {
  for (const char* name : {"drp-ai-tvm", "edgetpu-compiler", "hailo-dfc", "qnn-dsp", "rknn", "st-neural-art",
                           "tensorrt-dla", "tidl", "tidl-c7504", "vela", "voyager"}) {
    INFO(name);
    CHECK(Checked({name, kMul, "int64[1, 4, 8, 8] x"}).found == "int64");
    if (kNarrowsDouble.count(name) > 0) continue;
    CHECK(Checked({name, kMul, "double[1, 4, 8, 8] x"}).found == "double");
  }
}

TEST_CASE("indices and shapes are no data") {
  for (const char* name : {"hailo-dfc", "rknn", "qnn", "tidl", "hobot-bayes-e", "vela-u85"}) {
    INFO(name);
    CHECK(Checked({name, "i = Constant <value_ints = [0, 1]> () y = Gather <axis = 1> (x, i)", kImage}).what != kType);
    CHECK(Checked({name, "s = Constant <value_ints = [4, 64]> () y = Reshape(x, s)", kImage}).what != kType);
  }
}

// A node of every operator of the standard, on operands that most of them refuse.
std::string EveryOperator() {
  std::string nodes, outputs;
  for (const OpRule& rule : AllRules()) {
    if (!rule.domain.empty() || rule.op_class == OpClass::kControl) continue;
    absl::StrAppend(&nodes, " y_", rule.op, " = ", rule.op, "(x)");
    absl::StrAppend(&outputs, outputs.empty() ? "" : ", ", "float[] y_", rule.op);
  }
  return absl::StrCat("<ir_version: 10, opset_import: [\"\" : 20]> g (double[1, 4, 8, 8, 2, 3, N] x) => (", outputs,
                      ") {", nodes, " }");
}

TEST_CASE("RKNN brings values into another order on the CPU") {
  struct Case {
    const char* toolchain;
    const char* model;
    const char* input;
    Copies copies;
  };
  constexpr Copies kBoth{.before = true, .after = true}, kBefore{.before = true}, kAfter{.after = true}, kNeither;
  // Cases outlive the call that generates them.
  static constexpr char kMean[] = "i = Constant <value_ints = [1]> () y = ReduceMean <keepdims = 0> (x, i)";
  static constexpr char kLastMean[] = "i = Constant <value_ints = [2]> () y = ReduceMean <keepdims = 0> (x, i)";
  static constexpr char kBoxes[] =
      "f = Constant <value_ints = [1, 16, 1, 1]> () w = ConstantOfShape(f) c = Conv(x, w)"
      " s = Constant <value_ints = [1, 4, 40]> () y = Reshape(c, s)";
  static constexpr char kTurned[] = "y = Transpose <perm = [0, 2, 1]> (x)";
  static constexpr char kFours[] = "s = Constant <value_ints = [1, 31, 4]> () y = Reshape(x, s)";
  static constexpr char kHeads[] = "s = Constant <value_ints = [1, 8, 16]> () y = Reshape(x, s)";
  static constexpr char kSwish[] = "y = HardSwish(x)";
  static constexpr char kPatches[] = "y = Einsum <equation = \"nhwpqc->nchpwq\"> (x)";
  static constexpr char kNormalised[] =
      "f = Constant <value_ints = [8]> () o = ConstantOfShape(f) n = InstanceNormalization(x, o, o)";
  static const std::string* const from_groups = new std::string[3]{
      absl::StrCat(kNormalised, " s = Constant <value_ints = [1, 32, 14, 14]> () y = Reshape(n, s)"),
      absl::StrCat(kNormalised, " s = Constant <value_ints = [1, 128, 14, 14]> () y = Reshape(n, s)"),
      absl::StrCat(kNormalised, " s = Constant <value_ints = [1, 32, 16, 16]> () y = Reshape(n, s)")};
  const char* const fours = from_groups[0].c_str();
  const char* const blocks = from_groups[1].c_str();
  const char* const lanes = from_groups[2].c_str();
  const auto c = GENERATE_COPY(values<Case>({
      {"rknn", fours, "float[1, 8, 784] x", kBefore},
      {"rknn", blocks, "float[1, 8, 3136] x", kNeither},
      {"rknn", lanes, "float[1, 8, 1024] x", kNeither},
      {"rknn-rk3566", fours, "float[1, 8, 784] x", kBefore},
      {"rknn-rk3566", blocks, "float[1, 8, 3136] x", kNeither},
      {"rknn-rk3566", lanes, "float[1, 8, 1024] x", kBefore},
      {"rknn-rk3576", fours, "float[1, 8, 784] x", kNeither},
      {"rknn-rk3562", fours, "float[1, 8, 784] x", kNeither},
      {"rknn-rk3566", kMean, "float[1, 49, 64] x", kBoth},
      {"rknn-rk3566", kLastMean, "float[1, 49, 64] x", kNeither},
      {"rknn", kMean, "float[1, 49, 64] x", kNeither},
      {"rknn-rk3566", kBoxes, "float[1, 16, 4, 40] x", kAfter},
      {"rknn-rk3566", kBoxes, "float[1, 16, 8, 20] x", kNeither},
      {"rknn-rk3566", kTurned, "float[1, 64, 1] x", kBefore},
      {"rknn-rk3566", kTurned, "float[1, 64, 49] x", kNeither},
      {"rknn", kTurned, "float[1, 64, 1] x", kNeither},
      {"rknn", kFours, "float[1, 124, 1, 1] x", kBefore},
      {"rknn", kHeads, "float[1, 128, 1, 1] x", kNeither},
      {"rknn-rk3566", "y = Flatten(x)", "float[1, 256, 6, 6] x", kAfter},
      {"rknn-rk3566", "y = Flatten(x)", "float[1, 256, 1, 1] x", kNeither},
      {"rknn-rk3562", "y = Flatten(x)", "float[1, 256, 6, 6] x", kNeither},
      {"rknn", "y = Flatten(x)", "float[1, 256, 6, 6] x", kAfter},
      {"rknn", "y = Flatten(x)", "float[1, 32, 12, 20] x", kNeither},
      {"rknn", kPatches, "float[1, 8, 8, 2, 2, 4] x", kBefore},
      {"rknn-rk3566", kPatches, "float[1, 8, 8, 2, 2, 4] x", kNeither},
      {"rknn-rk3566", kSwish, "float[1, 49, 64] x", kBoth},
      {"rknn-rk3566", kSwish, kImage, kNeither},
      {"rknn", kSwish, "float[1, 49, 64] x", kNeither},
  }));
  INFO(c.toolchain << ": " << c.input << ": " << c.model);
  const Copies copies = Checked({c.toolchain, c.model, c.input}).copies;
  CHECK(copies.before == c.copies.before);
  CHECK(copies.after == c.copies.after);
}

// Groups of that pattern among those of an INT8 model.
size_t GroupsOf(const std::string& toolchain, const std::string& pattern, const std::string& model) {
  test::PassRun run = test::RunPasses(model.c_str());
  const Toolchain by = *LoadToolchain(toolchain);
  const auto overlay = Fuse(run.graph, run.facts, run.classes, {.toolchain = &by, .dims = &run.dims});
  size_t count = 0;
  for (const Group& group : overlay->groups) count += group.pattern == pattern;
  return count;
}

TEST_CASE("RKNN makes a normalisation of a factor and an offset that stand behind what they change") {
  const char* const body =
      GENERATE("m = Mul(r, c) y = Add(m, c)", "m = Mul(c, r) y = Add(m, c)", "m = Mul(r, c) y = Add(c, m)");
  INFO(body);
  const std::string text(body);
  const bool is_behind = text.find("Mul(r") != std::string::npos && text.find("Add(m") != std::string::npos;
  CHECK(GroupsOf("rknn", "scale_shift",
                 absl::StrCat("<ir_version: 10, opset_import: [\"\" : 17]> g (float[1, 2, 4, 4] x)",
                              " => (float[1, 2, 4, 4] y) <float[2, 1, 1] c = {2, 3}> ",
                              "{ r = MaxPool <kernel_shape = [1, 1]> (x) ", text, " }")) == (is_behind ? 1u : 0u));
}

TEST_CASE("RKNN adds to a product with weights where its positions stay positions") {
  const auto [shape, want] = GENERATE(table<const char*, size_t>({{"1, 4, 2", 1}, {"1, 2, 2, 2", 0}, {"1, 2, 4", 0}}));
  INFO(shape);
  CHECK(GroupsOf("rknn", "matmul_bias_add",
                 absl::StrCat("<ir_version: 10, opset_import: [\"\" : 17]> g (float[1, 4, 2] x, float[", shape,
                              "] r) => (float[", shape, "] y) <float[2, 2] w = {1, 2, 3, 4}, float[2] b = {1, 2}> {",
                              " m = MatMul(x, w) p = Add(m, b) s = Constant <value_ints = [", shape,
                              "]> () v = Reshape(p, s) y = Add(v, r) }")) == want);
}

// By what fills blocks of channels and lanes there.
TEST_CASE("RKNN writes what the model gives out on the CPU") {
  struct Case {
    const char* toolchain;
    const char* model;
    const char* input;
    bool is_copied;
  };
  static constexpr char kRelu[] = "y = Relu(x)";
  static constexpr char kRow[] = "s = Constant <value_ints = [1, -1, 18]> () y = Reshape(x, s)";
  static constexpr char kJoined[] =
      "s = Constant <value_ints = [1, -1, 18]> () r = Reshape(x, s)"
      " y = Concat <axis = 1> (r, r)";
  const auto c = GENERATE_COPY(values<Case>({
      {"rknn", kRelu, "float[1, 1000] x", true},
      {"rknn", kRelu, "float[1, 1008] x", false},
      {"rknn", kRelu, "float[1, 25, 4] x", true},
      {"rknn", kRelu, "float[1, 25, 16] x", false},
      {"rknn", kRelu, kImage, false},
      {"rknn", kRow, "float[1, 4, 8, 36] x", false},  // written as the image that it is
      {"rknn", kJoined, "float[1, 4, 8, 36] x", false},
      {"rknn-rk3566", kRelu, "float[1, 1000] x", false},
      {"rknn-rk3566", kRelu, "float[1, 1001] x", true},
      {"rknn-rk3566", kRelu, "float[1, 25, 16] x", true},
      {"rknn-rk3566", kRelu, kVolume, true},
      {"rknn-rk3576", kRelu, "float[1, 1001] x", false},
      {"rknn-rk3562", kRelu, "float[1, 25, 4] x", false},
  }));
  INFO(c.toolchain << ": " << c.input << ": " << c.model);
  CHECK(Checked({c.toolchain, c.model, c.input}).copies.given == c.is_copied);
}

TEST_CASE("RK3566 brings images into other shapes on its CPU unless blocks of 8 channels stay whole") {
  struct Case {
    const char* shape;
    const char* input;
    bool is_copied;
  };
  const auto c = GENERATE(values<Case>({
      {"1, 64, 5, 80", "float[1, 64, 20, 20] x", false},  // the same channels
      {"1, 10, 58, 58", "float[1, 10, 29, 116] x", false},
      {"10, 4, 58, 58", "float[1, 40, 58, 58] x", true},
      {"6, 16, 1, 49", "float[1, 96, 1, 49] x", false},
      {"1, 32, 4, 49", "float[1, 64, 2, 49] x", true},        // positions become channels
      {"1, 12, 96, 196", "float[1, 1152, 14, 14] x", false},  // heads
      {"1, 128, 20, 20", "float[1, 2, 64, 400] x", false},
      {"1, 2, 60, 400", "float[1, 120, 20, 20] x", true},
  }));
  INFO(c.input << ": " << c.shape);
  const std::string model = absl::StrCat("s = Constant <value_ints = [", c.shape, "]> () y = Reshape(x, s)");
  CHECK(Checked({"rknn-rk3566", model.c_str(), c.input}).copies.after == c.is_copied);
  CHECK_FALSE(Checked({"rknn-rk3562", model.c_str(), c.input}).copies.after);
}

TEST_CASE("every refusal of every toolchain says where it comes from") {
  test::PassRun run = test::RunPasses(EveryOperator().c_str());
  const ModelView view{run.graph, run.facts, run.classes, run.tables.work, run.dims};
  int64_t refusals = 0;
  for (const std::string& name : ListToolchains()) {
    Target target = test::TinyTarget();
    target.toolchains[0] = *LoadToolchain(name);
    for (Unit& unit : target.units) {
      if (unit.name == "npu") unit.toolchain = name;
    }
    const std::vector<FactSource>& sources = target.toolchains[0].sources;
    const SupportTable table = *CheckSupport(view, target, {}, {});
    for (uint32_t n = 0; n < run.graph.nodes().size(); ++n) {
      const Support& support = table[UnitId(0u)][NodeId(n)];
      if (support.verdict != Verdict::kNo) continue;
      const auto evidence = EvidenceOf(run.graph, NodeId(n), &target.toolchains[0], support);
      INFO(name << ": " << run.graph.op(NodeId(n)) << ": " << SupportText(support, evidence));
      ++refusals;
      CHECK(evidence.has_value());
      CHECK(std::any_of(sources.begin(), sources.end(),
                        [&](const FactSource& source) { return source.key == support.source; }));
    }
  }
  CHECK(refusals > 2000);
}

}  // namespace
}  // namespace hwest
