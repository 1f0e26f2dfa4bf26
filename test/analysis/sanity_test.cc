// The laws of sanity_laws.h on every built-in target in every mode.
#include "analysis/sanity_laws.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using test::Changes;

// What a vision network and a transformer are made of: convolutions of each shape, a join, a gate, pooling, attention,
// normalisation, and an operator that many accelerators leave to the host.
constexpr char kNetwork[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> "
    "agraph (float[n, 3, 64, 64] x, float[32, 3, 3, 3] w0, float[32, 1, 3, 3] w1, float[64, 32, 1, 1] w2,"
    " float[64, 64, 3, 3] w3, float[64, 192] q, float[64, 256] u, float[256, 64] d, float[64] g, float[64] b,"
    " float[64, 1000] m) => (float[n, 1000] y) <int64[3] rows = {0, 64, -1}, float[1] eighth = {0.125}> {"
    " c0 = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(x, w0)  r0 = Relu(c0)"
    " c1 = Conv<pads = [1, 1, 1, 1], group = 32>(r0, w1)  s1 = Sigmoid(c1)  a1 = Mul(c1, s1)"
    " c2 = Conv(a1, w2)  c3 = Conv<pads = [1, 1, 1, 1]>(c2, w3)  j = Add(c2, c3)  r3 = Relu(j)"
    " p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(r3)"
    " f = Reshape(p, rows)  t = Transpose<perm = [0, 2, 1]>(f)  l = LayerNormalization<axis = -1>(t, g, b)"
    " h = MatMul(l, q)  hq, hk, hv = Split<axis = -1, num_outputs = 3>(h)  kt = Transpose<perm = [0, 2, 1]>(hk)"
    " e = MatMul(hq, kt)  es = Mul(e, eighth)  z = Softmax<axis = -1>(es)  o = MatMul(z, hv)  v = Add(o, t)"
    " mu = MatMul(v, u)  er = Tanh(mu)  md = MatMul(er, d)  k = ReduceMean<axes = [1], keepdims = 0>(md)"
    " y = MatMul(k, m) }";

// The same between Q and DQ: what computes reads and writes 8 bits, with a gate between steps of their own.
constexpr char kQuantised[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> "
    "agraph (float[1, 3, 128, 128] x, int8[32, 3, 3, 3] w0, int8[64, 32, 3, 3] w1, int8[10, 64, 1, 1] w2)"
    " => (float[1, 10, 1, 1] y)"
    " <float s = {0.02}, int8 z = {0}> {"
    " q = QuantizeLinear(x, s, z)  f = DequantizeLinear(q, s, z)  f0 = DequantizeLinear(w0, s, z)"
    " c0 = Conv<pads = [1, 1, 1, 1]>(f, f0)  qc = QuantizeLinear(c0, s, z)  dc = DequantizeLinear(qc, s, z)"
    " g = Sigmoid(dc)  qg = QuantizeLinear(g, s, z)  dg = DequantizeLinear(qg, s, z)  a = Mul(dc, dg)"
    " qa = QuantizeLinear(a, s, z)  da = DequantizeLinear(qa, s, z)  f1 = DequantizeLinear(w1, s, z)"
    " c1 = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(da, f1)  r = Relu(c1)  qr = QuantizeLinear(r, s, z)"
    " dr = DequantizeLinear(qr, s, z)  p = GlobalAveragePool(dr)  qp = QuantizeLinear(p, s, z)"
    " dp = DequantizeLinear(qp, s, z)  f2 = DequantizeLinear(w2, s, z)  c2 = Conv(dp, f2)"
    " qy = QuantizeLinear(c2, s, z)  y = DequantizeLinear(qy, s, z) }";

struct Row {
  const char* file;  // below test/models; empty = `text`
  BindRequest bind;
  const char* text = kNetwork;
};

std::shared_ptr<const Graph> Load(const Row& row) {
  const std::string path = std::string(HWEST_SOURCE_DIR) + "/test/models/" + row.file;
  auto graph = *row.file == '\0' ? LoadModelFromMemory(test::ModelFromText(row.text), "network.onnx") : LoadModel(path);
  INFO(graph.status());
  REQUIRE(graph.ok());
  return *graph;
}

void CheckOn(const std::string& target, const std::string& mode, const Row& row, Changes changes) {
  const auto loaded = test::TargetInMode(target, mode);
  REQUIRE(loaded.ok());
  const auto violations = test::CheckSanity(Load(row), row.bind, *loaded, changes);
  INFO(target << " " << mode << " " << row.file);
  INFO(violations.status());
  REQUIRE(violations.ok());
  for (const test::Violation& violation : *violations) FAIL_CHECK(TextOf(violation));
}

TEST_CASE("the laws hold in every mode of every target") {
  const Row network = {.file = "", .bind = {.dims = {{"n", 1}}}};
  for (const TargetSummary& target : ListTargets()) {
    std::vector<std::string> modes = target.modes;
    if (modes.empty()) modes.push_back("");
    for (const std::string& mode : modes) {
      CheckOn(target.name, mode, network, mode == modes.front() ? Changes::kEach : Changes::kTogether);
    }
  }
}

TEST_CASE("the laws hold for Q and DQ in every mode of every target") {
  const Row network = {.file = "", .bind = {}, .text = kQuantised};
  for (const TargetSummary& target : ListTargets()) {
    std::vector<std::string> modes = target.modes;
    if (modes.empty()) modes.push_back("");
    for (const std::string& mode : modes) CheckOn(target.name, mode, network, Changes::kTogether);
  }
}

TEST_CASE("the laws hold for real exports on targets of each kind") {
  const Row rows[] = {
      {.file = "mobilenet_v2.ts.onnx", .bind = {}},
      {.file = "mnasnet0_5.ts.onnx", .bind = {}},
      {.file = "bert-base_128.ts.onnx", .bind = {.dims = {{"batch", 1}, {"seq", 16}}}},
      {.file = "lstm_tagger_50.ts.onnx", .bind = {.dims = {{"batch", 1}, {"seq", 16}}}},
  };
  for (const char* target : {"jetson-orin", "tda4vm", "snapdragon-8-gen-3", "hailo-8l", "rk3588", "x86-avx512"}) {
    for (const Row& row : rows) CheckOn(target, "", row, Changes::kTogether);
  }
}

}  // namespace
}  // namespace hwest
