// One match and one near miss per row of the table of readings.
#include "fuse/readings.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "fuse/fuse_fixture.h"
#include "fuse/read.h"
#include "pass/work.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr const char* kInputs =
    "float[1,2,4,4] x, float[1,2,4,4] r, float[3,4] a, float[1,3,1,4] flat, float16[3,4] h, bool[1,2,4,4] free";
constexpr const char* kWeights =
    "float half = {0.5}, float twenty = {20}, int64[4] along = {1,1,3,1}, "
    "float[2,2,3,3] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, "
    "float zero = {0}, float one = {1}, float two = {2}, float[1] ones = {1}, float low = {-3.0e38}, "
    "float[1,2,1,1] wide_one = {1,1}, bool yes = {1}, bool no = {0}, "
    "float[2,2,1,1] pixel = {1,1,1,1}, float[2] b2 = {1,1}, "
    "float[4,4] w4 = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, "
    "float[4] b4 = {1,1,1,1}, float[3,4] b34 = {1,1,1,1,1,1,1,1,1,1,1,1}, int64[8] around = {0,0,1,1,0,0,1,1}, "
    "int64[8] shift = {0,0,1,0,0,0,-1,0}, int64[8] deep = {0,1,0,0,0,1,0,0}, int64[8] none = {0,0,0,0,0,0,0,0}, "
    "int64[4] once = {1,1,1,1}, int64[4] twice = {1,1,2,1}, int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] i2 = {2}, "
    "int64[1] i3 = {3}, "
    "int64[1] far = {9}, int64[1] back = {-1}, int64[1] start = {-1}, int64[1] before = {-9}, "
    "int64[4] sizes = {1,2,4,4}, "
    "int64[4] larger = {1,2,8,8}";

// What the node that makes `y` is read as: "Op(a, b)" by the names of its operands; "as written" where that is so.
std::string ReadingOf(const std::string& body, int opset, std::string* row = nullptr) {
  const std::string outputs = body.find("z = ") == std::string::npos ? "y" : "y, z";
  Analysed model = Analyse({.inputs = kInputs, .outputs = outputs, .weights = kWeights, .body = body, .opset = opset});
  WorkMap work = CountWork(model.graph, model.facts, model.classes, *model.dims).work;
  const auto reading = MakeReading(model.graph, *model.dims, {model.facts, model.classes, work});
  const NodeId node = model.Find("y");
  REQUIRE(node.valid());
  if (reading == nullptr || !reading->nodes.contains(node)) return "as written";
  if (row != nullptr) *row = std::string(reading->nodes.at(node).row->match.name);
  std::vector<std::string> operands;
  for (const ValueId input : reading->graph.inputs(node)) operands.emplace_back(reading->graph.name(input));
  return absl::StrCat(reading->graph.op(node), "(", absl::StrJoin(operands, ", "), ")");
}

struct Case {
  std::string row;
  std::string body;  // reads as `want`
  std::string want;
  std::string near_miss;  // stays as it is written
  int opset = 17;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case>& cases = *new std::vector<Case>{
      {"blocks", "y = com.microsoft.nchwc.ReorderOutput<channels = 2>(x)", "Identity(x)",
       "y = Transpose<perm = [0, 2, 3, 1]>(x)"},
      {"nan_guard", "p = Softmax(x) q = IsNaN(p) y = Where(q, zero, p)", "Identity(p)",
       "p = Softmax(x) q = IsNaN(p) y = Where(q, one, p)"},
      {"where_true", "y = Where(yes, x, r)", "Identity(x)", "y = Where(free, x, r)"},
      {"where_false", "y = Where(no, x, r)", "Identity(r)", "y = Where(free, x, r)"},
      {"cast_back", "d = Cast<to = 1>(h) y = Cast<to = 10>(d)", "Identity(h)",
       "d = Cast<to = 10>(a) y = Cast<to = 1>(d)"},
      {"cast_chain", "d = Cast<to = 1>(h) y = Cast<to = 11>(d)", "Cast(h)",
       "d = Cast<to = 10>(a) y = Cast<to = 11>(d)"},
      {"transpose_back", "t = Transpose<perm = [0, 2, 3, 1]>(x) y = Transpose<perm = [0, 3, 1, 2]>(t)", "Identity(x)",
       "t = Transpose<perm = [0, 2, 3, 1]>(x) u = Relu(t) y = Transpose<perm = [0, 3, 1, 2]>(u)"},
      {"transpose_chain", "t = Transpose<perm = [0, 2, 3, 1]>(x) y = Transpose<perm = [0, 2, 3, 1]>(t)", "Transpose(x)",
       "t = Relu(x) y = Transpose<perm = [0, 2, 3, 1]>(t)"},
      {"transpose_of_ones", "y = Transpose<perm = [0, 2, 1, 3]>(flat)", "Identity(flat)",
       "y = Transpose<perm = [0, 3, 2, 1]>(flat)"},
      {"takes_all", "y = Slice(x, i0, far, i2)", "Identity(x)", "y = Slice(x, start, before, i2, back)"},
      {"pads_nothing", "y = Pad(x, none)", "Identity(x)", "y = Pad(x, around)"},
      {"pads_nothing", "y = Pad(x, none)", "Identity(x)", "y = Pad(x, shift)"},
      {"joins_one", "y = Concat<axis = 1>(x)", "Identity(x)", "y = Concat<axis = 1>(x, r)"},
      {"neutral_factor", "y = Mul(x, one)", "Identity(x)", "y = Mul(x, two)"},
      {"neutral_factor", "y = Div(x, wide_one)", "Identity(x)", "y = Div(one, x)"},
      {"neutral_summand", "y = Sub(x, zero)", "Identity(x)", "y = Sub(zero, x)"},
      {"power_of_one", "y = Pow(x, one)", "Identity(x)", "y = Pow(one, x)"},
      {"repeats_once", "y = Tile(x, once)", "Identity(x)", "y = Tile(x, twice)"},
      {"resizes_nothing", "y = Resize(x, , , sizes)", "Identity(x)", "y = Resize(x, , , larger)"},
      {"relu_again", "p = Relu(x) y = Relu(p)", "Identity(p)", "p = Neg(x) y = Relu(p)"},
      {"square", "y = Pow(x, two)", "Mul(x, x)", "y = Pow(two, x)"},
      {"square_root", "y = Pow(x, half)", "Sqrt(x)", "y = Pow(half, x)"},
      {"softplus_guard", "s = Softplus(x) g = Greater(x, twenty) y = Where(g, x, s)", "Identity(s)",
       "s = Softplus(x) g = Greater(x, two) y = Where(g, x, s)"},
      {"softplus_guard", "s = Softplus(x) g = Greater(x, twenty) y = Where(g, x, s)", "Identity(s)",
       "s = Softplus(r) g = Greater(x, twenty) y = Where(g, x, s)"},
      {"larger_than_zero", "y = Max(x, zero)", "Relu(x)", "y = Max(x, one)"},
      {"larger_than_zero", "y = Max(zero, x)", "Relu(x)", "y = Max(x, zero, r)"},
      {"tile_of_ones", "y = Tile(flat, along)", "Expand(flat, along)", "y = Tile(x, twice)"},
      {"turned_softmax",
       "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax<axis = 3>(t) y = Transpose<perm = [0, 3, 1, 2]>(s)",
       "Softmax(x)",
       "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax<axis = 1>(t) y = Transpose<perm = [0, 3, 1, 2]>(s)"},
      {"turned_softmax",
       "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax<axis = 3>(t) y = Transpose<perm = [0, 3, 1, 2]>(s)",
       "Softmax(x)",
       "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax<axis = 3>(t) y = Transpose<perm = [0, 2, 3, 1]>(s)", 11},
      {"product_and_bias", "m = MatMul(a, w4) y = Add(m, b4)", "Gemm(a, w4, b4)", "m = MatMul(a, w4) y = Add(m, b34)"},
      {"product_and_bias", "m = MatMul(a, w4) y = Add(b4, m)", "Gemm(a, w4, b4)",
       "m = MatMul(a, w4) n = Add(m, b4) y = Mul(n, m)"},
      {"pad_conv", "p = Pad(x, around) y = Conv(p, w)", "Conv(x, w)", "p = Pad(x, around, one) y = Conv(p, w)"},
      {"pad_conv", "p = Pad(x, around) y = Conv(p, w)", "Conv(x, w)",
       "p = Pad(x, around) y = Conv<auto_pad = \"SAME_UPPER\">(p, w)"},
      {"pad_average", "p = Pad(x, around) y = AveragePool<kernel_shape = [3, 3]>(p)", "AveragePool(x)",
       "p = Pad(x, around) y = AveragePool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(p)"},
      {"pad_max", "p = Pad(x, around, low) y = MaxPool<kernel_shape = [3, 3]>(p)", "MaxPool(x)",
       "p = Pad(x, around) y = MaxPool<kernel_shape = [3, 3]>(p)"},
      {"pad_max_relu", "u = Relu(x) p = Pad(u, around) y = MaxPool<kernel_shape = [3, 3]>(p)", "MaxPool(u)",
       "u = Relu(x) p = Pad(u, deep) y = MaxPool<kernel_shape = [3, 3]>(p)"},
      {"mean_image", "y = ReduceMean<axes = [2, 3], keepdims = 0>(x)", "GlobalAveragePool(x)",
       "y = ReduceMean<axes = [1, 2]>(x)"},
      {"mean_image", "y = ReduceMean<axes = [-1, -2]>(x)", "GlobalAveragePool(x)", "y = ReduceMean<axes = [1]>(a)"},
      {"mean_rows", "m = ReduceMean<axes = [3], keepdims = 0>(x) y = ReduceMean<axes = [2]>(m)", "GlobalAveragePool(x)",
       "m = ReduceMean<axes = [3], keepdims = 0>(x) y = ReduceMean<axes = [1]>(m)"},
      {"average_image", "y = AveragePool<kernel_shape = [4, 4]>(x)", "GlobalAveragePool(x)",
       "y = AveragePool<kernel_shape = [4, 3]>(x)"},
      {"max_image", "y = MaxPool<kernel_shape = [4, 4]>(x)", "GlobalMaxPool(x)",
       "y = MaxPool<kernel_shape = [4, 4], pads = [1, 1, 1, 1]>(x)"},
      {"largest_of_image", "y = ReduceMax<axes = [2, 3]>(x)", "GlobalMaxPool(x)", "y = ReduceMax<axes = [3]>(x)"},
      {"slices", "y = Slice(x, i0, i1, i2) z = Slice(x, i1, far, i2)", "Split(x)",
       "y = Slice(x, i0, i1, i2) z = Slice(x, i2, far, i2)"},
      {"copy", "z = Exp(x) y = Exp(x)", "Identity(z)", "z = Exp(r) y = Exp(x)"},
  };
  return cases;
}

TEST_CASE("every reading is found, and its near miss is not") {
  for (const Case& c : Cases()) {
    INFO(c.row << ": " << c.body);
    std::string row;
    CHECK(ReadingOf(c.body, c.opset, &row) == c.want);
    CHECK(row == c.row);
    INFO(c.near_miss);
    std::string other;
    const std::string near_miss = ReadingOf(c.near_miss, c.opset, &other);
    CHECK(other != c.row);
    CHECK(near_miss != c.want);
  }
}

TEST_CASE("every row of readings has a case") {
  std::set<std::string> rows, cases;
  for (const ReadingRow& row : AllReadings()) {
    CHECK(FindReading(row.match.name) == &row);
    rows.emplace(row.match.name);
    if (row.kind == ReadingKind::kSpelled) cases.emplace(row.match.name);  // see "an operator written out"
    if (row.kind == ReadingKind::kTaken) cases.emplace(row.match.name);    // see "a refused operator"
  }
  for (const Case& c : Cases()) cases.insert(c.row);
  CHECK(rows == cases);
}

// A model with what it is read as.
struct Read {
  Analysed model;
  WorkMap work;
  std::shared_ptr<const Reading> reading;

  explicit Read(const std::string& body, const std::string& outputs = "y")
      : model(Analyse({.inputs = kInputs, .outputs = outputs, .weights = kWeights, .body = body})) {
    work = CountWork(model.graph, model.facts, model.classes, *model.dims).work;
    reading = MakeReading(model.graph, *model.dims, {model.facts, model.classes, work});
  }
  std::string OpOf(const std::string& name) const { return std::string(reading->graph.op(model.Find(name))); }
  NodeClass ClassOf(const std::string& name) const { return model.classes[model.Find(name)]; }
};

TEST_CASE("nodes that went into another one are views of no work") {
  const Read read("p = Pad(x, around) c = Conv(p, w) y = Relu(c)");
  REQUIRE(read.reading != nullptr);
  CHECK(read.ClassOf("p") == NodeClass::kView);
  CHECK(read.reading->graph.inputs(read.model.Find("p")).empty());
  CHECK(read.reading->nodes.at(read.model.Find("p")).into == read.model.Find("c"));
  CHECK(read.reading->nodes.at(read.model.Find("c")).parts == std::vector<NodeId>{read.model.Find("p")});
  CHECK_FALSE(read.model.facts.IsNeeded(read.model.graph.outputs(read.model.Find("p"))[0]));
  CHECK(read.work[read.model.Find("c")]->macs.IsConstant(1 * 2 * 4 * 4 * 2 * 3 * 3));
  CHECK(ReadingText(read.model.graph, read.reading.get(), read.model.Find("p")) ==
        "part of c, read as Conv: the convolution adds the zeros around its input itself");
  CHECK(ReadingText(read.model.graph, read.reading.get(), read.model.Find("y")).empty());
  CHECK(ReadingText(read.model.graph, nullptr, read.model.Find("y")).empty());
}

TEST_CASE("what something else reads stays") {
  const Read read("p = Pad(x, around) c = Conv(p, w) q = Relu(p) m = ReduceMax<axes = [2, 3]>(q) y = Mul(c, m)");
  REQUIRE(read.reading != nullptr);
  CHECK(read.OpOf("c") == "Conv");
  CHECK(read.ClassOf("p") == NodeClass::kLayout);
  CHECK(read.reading->graph.inputs(read.model.Find("p")).size() == 2);
  const Read output("p = Pad(x, around) y = Conv(p, w)", "y, p");
  CHECK(output.ClassOf("p") == NodeClass::kLayout);
  const ValueId padded = output.model.graph.inputs(output.model.Find("p"))[0];
  CHECK(output.reading->graph.inputs(output.model.Find("y"))[0] == padded);
}

TEST_CASE("readings go on from what was read") {
  // The guard is gone, then what reads it: the second node looks through the first, which goes into it.
  const Read read(
      "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax(t) n = IsNaN(s) g = Where(n, zero, s) "
      "u = Mul(g, one) y = Transpose<perm = [0, 2, 3, 1]>(u)");
  REQUIRE(read.reading != nullptr);
  for (const char* name : {"g", "u"}) CHECK(read.ClassOf(name) == NodeClass::kView);
  CHECK(read.ClassOf("n") == NodeClass::kView);
  CHECK(read.reading->nodes.at(read.model.Find("n")).into == read.model.Find("u"));
}

TEST_CASE("a softmax between transposes keeps the axis it is over") {
  const Read read(
      "t = Transpose<perm = [0, 2, 3, 1]>(x) s = Softmax<axis = -1>(t) y = Transpose<perm = [0, 3, 1, 2]>(s)");
  REQUIRE(read.reading != nullptr);
  const NodeId node = read.model.Find("y");
  const Attribute* axis = read.reading->graph.FindAttribute(node, "axis");
  REQUIRE(axis != nullptr);
  CHECK(axis->i == 1);
  CHECK(read.reading->graph.node(node).opset >= 13);
  for (const char* name : {"t", "s"}) CHECK(read.ClassOf(name) == NodeClass::kView);
}

TEST_CASE("slices that take all of a value are one split") {
  const Read read(
      "y1 = Slice(x, i1, i3, i2) y0 = Slice(x, i0, i1, i2) y2 = Slice(x, i3, far, i2) "
      "y = Concat<axis = 2>(y2, y1, y0)");
  REQUIRE(read.reading != nullptr);
  const Graph& graph = read.reading->graph;
  const NodeId split = read.model.Find("y1");
  CHECK(graph.op(split) == "Split");
  CHECK(graph.inputs(split).size() == 1);
  REQUIRE(graph.outputs(split).size() == 3);
  std::vector<std::string> outputs;
  for (const ValueId output : graph.outputs(split)) {
    outputs.emplace_back(graph.name(output));
    CHECK(graph.value(output).producer == split);
    CHECK(read.model.facts.IsNeeded(output));
  }
  CHECK(outputs == std::vector<std::string>{"y0", "y1", "y2"});
  CHECK(read.ClassOf("y0") == NodeClass::kView);
  for (const char* body : {"y0 = Slice(x, i0, i1, i2) y1 = Slice(x, i2, far, i2) y = Concat<axis = 2>(y1, y0)",
                           "y0 = Slice(x, i0, i2, i2) y1 = Slice(x, i1, far, i2) y = Concat<axis = 2>(y1, y0)",
                           "y0 = Slice(x, i0, i2, i2) y1 = Slice(x, i2, far, i3) y = Concat<axis = 1>(y1, y0)",
                           "y0 = Slice(x, i0, i2, i2) y1 = Slice(r, i2, far, i2) y = Concat<axis = 2>(y1, y0)"}) {
    INFO(body);
    CHECK(Read(body).reading == nullptr);
  }
}

TEST_CASE("what an earlier node computes is not computed again") {
  const Read read("p = Exp(x) q = Exp(x) s = Neg(p) t = Neg(q) y = Mul(s, t)");
  REQUIRE(read.reading != nullptr);
  for (const char* name : {"q", "t"}) {
    CHECK(read.OpOf(name) == "Identity");
    CHECK(read.ClassOf(name) == NodeClass::kView);
  }
  for (const char* name : {"p", "s"}) CHECK(read.ClassOf(name) == NodeClass::kCompute);
  for (const char* body : {"p = Exp(x) q = Exp(r) y = Mul(p, q)", "p = Exp(x) q = Neg(x) y = Mul(p, q)",
                           "p = LeakyRelu<alpha = 0.1>(x) q = LeakyRelu<alpha = 0.2>(x) y = Mul(p, q)",
                           "p = Add(x, one) q = Add(x, two) y = Mul(p, q)",
                           "p = RandomNormalLike(x) q = RandomNormalLike(x) y = Mul(p, q)",
                           "u = QuantizeLinear(x, one) p = DequantizeLinear(u, one) q = DequantizeLinear(u, one) "
                           "y = Mul(p, q)",
                           "p = Conv(x, w) q = Conv(x, w) y = Mul(p, q)"}) {
    INFO(body);
    CHECK(Read(body).reading == nullptr);
  }
}

TEST_CASE("a refused operator is taken as another one") {
  struct Taken {
    std::string row, body, near_miss;
  };
  const std::vector<Taken> cases = {
      {"constant_divisor", "y = Div(x, two)", "y = Div(two, x)"},
      {"constant_divisor", "y = Div(x, two)", "y = Div(x, r)"},
      {"constant_subtrahend", "y = Sub(x, two)", "y = Sub(x, r)"},
      {"pointwise_deconv", "y = ConvTranspose(x, pixel)", "y = ConvTranspose<strides = [2, 2]>(x, pixel)"},
      {"pointwise_deconv", "y = ConvTranspose(x, pixel, b2)", "y = ConvTranspose<group = 2>(x, pixel)"},
      {"pointwise_deconv", "y = ConvTranspose(x, pixel)", "y = ConvTranspose<pads = [1, 1, 1, 1]>(x, pixel)"},
      {"pointwise_deconv", "y = ConvTranspose(x, pixel)", "y = ConvTranspose<output_shape = [4, 4]>(x, pixel)"},
      {"pointwise_deconv", "y = ConvTranspose(x, pixel)", "y = ConvTranspose(x, w)"},
      {"fused_conv", "y = com.microsoft.FusedConv<activation = \"Relu\">(x, w)",
       "y = com.microsoft.NhwcFusedConv(x, w)"},
      {"fused_gemm", "y = com.microsoft.FusedGemm<activation = \"Relu\">(a, w4)", "y = Gemm(a, w4)"},
      {"fused_matmul", "y = com.microsoft.FusedMatMul(a, w4)", "y = com.microsoft.FusedMatMulActivation(a, w4)"},
      {"runtime_gelu", "y = com.microsoft.Gelu(x)", "y = Gelu(x)"},
      {"bias_gelu", "y = com.microsoft.BiasGelu(a, b4)", "y = com.microsoft.BiasAdd(a, b4, a)"},
      {"fast_gelu", "y = com.microsoft.FastGelu(x)", "y = Sigmoid(x)"},
      {"quick_gelu", "y = com.microsoft.QuickGelu(x)", "y = Sigmoid(x)"},
      {"skip_layer_norm", "y = com.microsoft.SkipLayerNormalization(a, a, b4)",
       "y = com.microsoft.SkipSimplifiedLayerNormalization(a, a, b4)"},
      {"blocked_conv", "y = com.microsoft.nchwc.Conv(x, w)", "y = com.microsoft.Conv(x, w)"},
      {"blocked_max_pool", "y = com.microsoft.nchwc.MaxPool<kernel_shape = [2, 2]>(x)",
       "y = MaxPool<kernel_shape = [2, 2]>(x)"},
      {"blocked_average_pool", "y = com.microsoft.nchwc.AveragePool<kernel_shape = [2, 2]>(x)",
       "y = AveragePool<kernel_shape = [2, 2]>(x)"},
      {"blocked_image_mean", "y = com.microsoft.nchwc.GlobalAveragePool(x)", "y = GlobalAveragePool(x)"},
      {"blocked_image_max", "y = com.microsoft.nchwc.GlobalMaxPool(x)", "y = GlobalMaxPool(x)"},
      {"blocked_upsample", "y = com.microsoft.nchwc.Upsample<scales = [1, 1, 2, 2]>(x)", "y = Upsample(x, along)"},
  };
  const auto find = [](const std::string& body) {
    const Analysed model = Analyse({.inputs = kInputs, .outputs = "y", .weights = kWeights, .body = body});
    const ReadingRow* row = FindTaken({model.graph, model.facts, model.classes}, model.Find("y"));
    return row == nullptr ? std::string() : std::string(row->match.name);
  };
  std::set<std::string> rows, seen;
  for (const Taken& c : cases) {
    INFO(c.body << " / " << c.near_miss);
    CHECK(find(c.body) == c.row);
    CHECK(find(c.near_miss).empty());
    CHECK(ReadingOf(c.body, 17) == "as written");
    seen.insert(c.row);
  }
  for (const ReadingRow& row : AllReadings()) {
    if (row.kind == ReadingKind::kTaken) rows.emplace(row.match.name);
  }
  CHECK(rows == seen);
}

TEST_CASE("an operator written out is a fusion where a toolchain takes the operator") {
  const Analysed model = Analyse({.inputs = "float[1,2,4,4] x",
                                  .outputs = "y",
                                  .weights = "",
                                  .body = "p = Softplus(x) q = Tanh(p) y = Mul(x, q)"});
  Toolchain toolchain{.name = "test"};
  CHECK(FuseWith(model, toolchain).groups.size() == 3);
  toolchain.support.push_back({.ops = {"Mish"}, .domain = "", .supported = true});
  toolchain.by_op.push_back({"", "Mish", 0});
  CHECK(Makes(toolchain, "mish"));
  CHECK(FuseWith(model, toolchain).groups.size() == 1);
  toolchain.keeps.push_back({.reading = "mish_spelled", .source = "test"});
  CHECK_FALSE(Makes(toolchain, "mish"));
  CHECK(FuseWith(model, toolchain).groups.size() == 3);
  for (const ReadingRow& row : AllReadings()) {
    if (row.kind != ReadingKind::kSpelled) continue;
    INFO(row.match.name);
    Toolchain takes{.name = "test"};
    CHECK_FALSE(Makes(takes, row.fusion));
    takes.support.push_back({.ops = {std::string(row.means)}, .domain = "", .supported = true});
    takes.by_op.push_back({"", std::string(row.means), 0});
    CHECK(Makes(takes, row.fusion));
    takes.support[0].supported = false;
    CHECK_FALSE(Makes(takes, row.fusion));
  }
}

}  // namespace
}  // namespace hwest::test
