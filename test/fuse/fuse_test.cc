#include "fuse/fuse.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fuse/fuse_fixture.h"
#include "fuse/patterns.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr const char* kGpuPicks =
    "conv_bn conv_act conv_silu conv_hardswish conv_add conv_add_act pad_conv gemm_act matmul_bias matmul_bias_act "
    "bn_act add_act layer_norm gelu_erf silu attention elementwise_chain";

enum class Bn { kFolded, kKept };

// Writes convolution networks, with BatchNormalization kept as nodes or folded into weights.
class Net {
 public:
  explicit Net(Bn bn) : bn_(bn) {}

  std::string Conv(const std::string& x, absl::string_view attributes = "") {
    const std::string out = Add(absl::StrCat("Conv", attributes), x, bn_ == Bn::kKept ? "w" : "w, b");
    return bn_ == Bn::kKept ? Add("BatchNormalization", out, "b, b, b, b") : out;
  }
  std::string Add(absl::string_view op, absl::string_view first, absl::string_view rest = "") {
    const std::string out = absl::StrCat("t", count_++);
    absl::StrAppend(&body_, out, " = ", op, "(", first, rest.empty() ? "" : ", ", rest, ") ");
    return out;
  }
  std::map<std::string, int> Fuse(const Toolchain& toolchain) {
    const Analysed model = Analyse({"float[1, 2, 8, 8] x", "float[?] y",
                                    "float[2, 2, 1, 1] w = {1, 1, 1, 1}, "
                                    "float[2] b = {1, 1}, float[2, 2] fc = {1, 1, 1, 1}, float low = {0}, "
                                    "float high = {6}, float[4] up = {1, 1, 2, 2}",
                                    body_ + "y = Identity(t" + std::to_string(count_ - 1) + ")", 17});
    return Patterns(FuseWith(model, toolchain));
  }

 private:
  Bn bn_;
  int count_ = 0;
  std::string body_;
};

std::map<std::string, int> ResNet18(Bn bn, const Toolchain& toolchain) {
  Net net(bn);
  std::string x = net.Add("MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>", net.Add("Relu", net.Conv("x")));
  for (int block = 0; block < 8; ++block) {
    const bool shrinks = block == 2 || block == 4 || block == 6;
    const std::string inner = net.Conv(net.Add("Relu", net.Conv(x)));
    x = net.Add("Relu", net.Add("Add", inner, shrinks ? net.Conv(x) : x));
  }
  net.Add("Gemm", net.Add("Flatten", net.Add("GlobalAveragePool", x)), "fc");
  return net.Fuse(toolchain);
}

std::map<std::string, int> MobileNetV2(Bn bn, const Toolchain& toolchain) {
  Net net(bn);
  std::string x = net.Add("Clip", net.Conv("x"), "low, high");
  for (int block = 0; block < 3; ++block) {
    std::string inner = net.Add("Clip", net.Conv(x), "low, high");
    inner = net.Add("Clip", net.Conv(inner), "low, high");
    inner = net.Conv(inner);
    x = block == 0 ? inner : net.Add("Add", x, inner);
  }
  net.Add("Gemm", net.Add("Flatten", net.Add("GlobalAveragePool", x)), "fc");
  return net.Fuse(toolchain);
}

std::map<std::string, int> UNet(Bn bn, const Toolchain& toolchain) {
  Net net(bn);
  const std::string skip = net.Add("Relu", net.Conv("x"));
  const std::string low = net.Add("Relu", net.Conv(net.Add("MaxPool<kernel_shape = [2, 2], strides = [2, 2]>", skip)));
  const std::string up = net.Add("Resize", low, ", up");
  const std::string half = net.Add("Conv", net.Add("Mul", up, skip), "w");
  net.Add("Sigmoid", net.Conv(net.Add("Relu", net.Conv(half))));
  return net.Fuse(toolchain);
}

// Every node that costs something is in one group, and groups point at each other consistently.
void CheckPartition(const Analysed& model, const Overlay& overlay) {
  std::map<NodeId, int> seen;
  for (size_t i = 0; i < overlay.groups.size(); ++i) {
    const Group& group = overlay.groups[GroupId(i)];
    REQUIRE_FALSE(group.nodes.empty());
    for (const ValueId input : group.inputs) {
      const NodeId producer = model.graph.value(input).producer;
      if (producer.valid() && overlay.group_of[producer].valid()) CHECK(overlay.group_of[producer] < GroupId(i));
    }
    for (const NodeId node : group.nodes) {
      ++seen[node];
      CHECK(overlay.group_of[node] == GroupId(i));
    }
  }
  for (size_t i = 0; i < model.graph.nodes().size(); ++i) {
    const NodeClass node_class = model.classes[NodeId(i)];
    const bool is_free = IsFolded(node_class);
    const bool is_view = node_class == NodeClass::kView;
    const int count = seen.count(NodeId(i)) == 0 ? 0 : seen[NodeId(i)];
    CHECK((is_view ? count <= 1 : count == (is_free ? 0 : 1)));
  }
}

TEST_CASE("without a toolchain nothing fuses") {
  const Analysed model = Analyse(
      {"float[1, 2, 4, 4] x, float[2, 2, 1, 1] w", "float[?] y", "", "c = Conv(x, w) i = Identity(c) y = Relu(i)", 17});
  const auto overlay = Fuse(model.graph, model.facts, model.classes, {});
  REQUIRE(overlay.ok());
  CHECK(Rows(model, *overlay) == std::vector<std::string>{"Conv: Conv", "Relu: Relu"});
  CHECK_FALSE(overlay->group_of[model.Find("Identity")].valid());
  CheckPartition(model, *overlay);
}

TEST_CASE("an unknown pick is an error of the target") {
  const Analysed model = Analyse({"float[2] x", "float[?] y", "", "y = Relu(x)", 17});
  const Toolchain toolchain = Picking("conv_act conv_magic");
  const auto overlay = Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain});
  REQUIRE_FALSE(overlay.ok());
  CHECK(DiagnosticOf(overlay.status()).code == Code::kTargetInvalid);
}

TEST_CASE("an operator that a toolchain never takes is in none of its kernels, what is around it may be") {
  const Analysed model =
      Analyse({"float[1,2,3,4] q, float[1,2,4,3] k, float[1,2,3,4] v", "float[1,2,3,4] y", "float eighth = {0.125}",
               "d = MatMul(q, k) l = Mul(d, eighth) s = Softmax<axis = -1>(l) y = MatMul(s, v)", 17});
  Toolchain toolchain = Picking("attention matmul_scale");
  CHECK(Rows(model, FuseWith(model, toolchain)) == std::vector<std::string>{"attention: MatMul Mul Softmax MatMul"});
  toolchain.support.push_back({.ops = {"Softmax"}, .supported = false});
  const std::vector<std::string> apart = {"MatMul: MatMul Mul", "Softmax: Softmax", "MatMul: MatMul"};
  CHECK(Rows(model, FuseWith(model, toolchain)) == apart);
  toolchain.support.back().limits = {{.kind = LimitKind::kRank, .max = 3, .text = "rank:0"}};  // at times it does
  CHECK(Rows(model, FuseWith(model, toolchain)).size() == 1);
}

TEST_CASE("ResNet-18 is 23 kernels") {
  const std::map<std::string, int> patterns = ResNet18(Bn::kFolded, Picking(kGpuPicks));
  CHECK(patterns ==
        std::map<std::string, int>{
            {"Conv", 3}, {"Gemm", 1}, {"GlobalAveragePool", 1}, {"MaxPool", 1}, {"conv_act", 9}, {"conv_add_act", 8}});
}

TEST_CASE("BatchNormalization kept or folded gives the same groups") {
  const Toolchain gpu = Picking(kGpuPicks), plain = Picking("conv_bn conv_act"), none = Picking("");
  CHECK(ResNet18(Bn::kKept, gpu) == ResNet18(Bn::kFolded, gpu));
  CHECK(MobileNetV2(Bn::kKept, gpu) == MobileNetV2(Bn::kFolded, gpu));
  CHECK(UNet(Bn::kKept, gpu) == UNet(Bn::kFolded, gpu));
  CHECK(ResNet18(Bn::kKept, plain) == ResNet18(Bn::kFolded, plain));
  CHECK(ResNet18(Bn::kKept, none) != ResNet18(Bn::kFolded, none));
}

TEST_CASE("uses that do not run do not count, others do") {
  struct Case {
    const char* body;
    const char* outputs;
    int fused;
  };
  const auto c = GENERATE(values<Case>({
      {"c = Conv(x, w) y = Relu(c)", "float[?] y", 1},
      {"c = Conv(x, w) y = Relu(c)", "float[?] y, float[?] c", 0},
      {"c = Conv(x, w) d = Relu(c) s = Shape(c) y = Reshape(d, s)", "float[?] y", 1},
      {"c = Conv(x, w) y = Relu(c) n = Neg(c) m = Abs(n)", "float[?] y", 1},
      {"c = Conv(x, w) d = Relu(c) y = CastLike(d, c)", "float[?] y", 1},
      {"c = Conv(x, w) d = Relu(c) y = Concat<axis = 1>(c, d)", "float[?] y", 0},
      {"c = Conv(x, w) i = Identity(c) d = Relu(i) y = Concat<axis = 1>(c, d)", "float[?] y", 0},
      {"c = Conv(x, w) i = Identity(c) d = Relu(i) y = Concat<axis = 1>(i, d)", "float[?] y", 0},
  }));
  INFO(c.body);
  const Analysed model = Analyse({"float[1, 2, 4, 4] x, float[2, 2, 1, 1] w", c.outputs, "", c.body, 17});
  const Overlay overlay = FuseWith(model, Picking("conv_act"));
  CHECK(Patterns(overlay)["conv_act"] == c.fused);
  CheckPartition(model, overlay);
}

TEST_CASE("groups do not cross a body") {
  const Analysed model = Analyse({"float[1, 2, 4, 4] x, float[2, 2, 1, 1] w, bool c", "float[?] y", "",
                                  "n = Conv(x, w) y = If(c) <then_branch = t () => (float[1,2,4,4] u) { u = Relu(n) }, "
                                  "else_branch = e () => (float[1,2,4,4] z) { o = Conv(x, w) z = Relu(o) }>",
                                  17});
  const Overlay overlay = FuseWith(model, Picking("conv_act"));
  CHECK(Patterns(overlay) == std::map<std::string, int>{{"Conv", 1}, {"If", 1}, {"Relu", 1}, {"conv_act", 1}});
  CheckPartition(model, overlay);
}

TEST_CASE("a sum goes to one of two convolutions, and to the other where that one cannot take it") {
  const std::string weights = "float[2, 2, 1, 1] w = {1, 1, 1, 1}",
                    nodes = "a = Conv(x, w) b = Conv(x, w) s = Add(a, b) y = Relu(s)";
  const auto joined = [&](const char* outputs, const char* picked) {
    const Analysed model = Analyse({"float[1, 2, 4, 4] x", outputs, weights, nodes, 17});
    const Overlay overlay = FuseWith(model, Picking(picked));
    CHECK(Rows(model, overlay) == std::vector<std::string>{"Conv: Conv", "conv_add_act: Conv Add Relu"});
    return overlay.group_of[model.Find("a")] == GroupId(1u) ? "a" : "b";
  };
  CHECK(joined("float[?] y", "conv_add_act") == std::string("a"));
  CHECK(joined("float[?] y, float[?] a", "conv_add_act") == std::string("b"));
  CHECK(joined("float[?] y", "wide_conv_add_relu") == std::string("a"));
  CHECK(joined("float[?] y, float[?] a", "wide_conv_add_relu") == std::string("b"));
}

TEST_CASE("inputs and outputs of a group") {
  const Analysed model = Analyse({"float[3, 4] a, float[3, 4] e", "float[?] y", "float[4] g = {1, 1, 1, 1}",
                                  "s = Add(a, e) n = LayerNormalization(s, g, g) y = Concat<axis = 0>(n, s)", 17});
  const Overlay overlay = FuseWith(model, Picking("skip_layer_norm"));
  const Group& group = overlay.groups[GroupId(0u)];
  const auto names = [&](absl::Span<const ValueId> values) {
    std::multiset<std::string> out;
    for (const ValueId value : values) out.emplace(model.graph.name(value));
    return out;
  };
  CHECK(names(group.inputs) == std::multiset<std::string>{"a", "e", "g"});
  CHECK(names(group.outputs) == std::multiset<std::string>{"n", "s"});
  CHECK(group.root == model.Find("n"));
}

TEST_CASE("a group with two outputs comes before the readers of either") {
  const Analysed model = Analyse({"float[3, 4] a, float[3, 4] e", "float[?] y, float[?] z", "float[4] g = {1, 1, 1, 1}",
                                  "s = Add(a, e) y = Softmax(s) z = LayerNormalization(s, g, g)", 17});
  const Overlay overlay = FuseWith(model, Picking("skip_layer_norm"));
  CHECK(Rows(model, overlay) ==
        std::vector<std::string>{"skip_layer_norm: Add LayerNormalization", "Softmax: Softmax"});
  CheckPartition(model, overlay);
}

TEST_CASE("quantisation joins its neighbours") {
  const std::string weights =
      "float[2, 2, 1, 1] w = {1, 1, 1, 1}, float s = {0.1}, int8 z = {0}, int8[2, 2, 1, 1] wq = {1, 1, 1, 1}";
  const std::string body =
      "xq = QuantizeLinear(x, s, z) xd = DequantizeLinear(xq, s, z) wd = DequantizeLinear(wq, s, z) "
      "c = Conv(xd, wd) cq = QuantizeLinear(c, s, z) cd = DequantizeLinear(cq, s, z) r = Relu(cd) "
      "rq = QuantizeLinear(r, s, z) rd = DequantizeLinear(rq, s, z) p = MaxPool<kernel_shape = [1, 1]>(rd) "
      "q = Conv(rd, w) y = Concat<axis = 1>(p, q)";
  const Analysed model = Analyse({"float[1, 2, 4, 4] x", "float[?] y", weights, body, 17});
  Toolchain toolchain = Picking("conv_act");
  CHECK(FuseWith(model, toolchain).groups.size() == 11);
  toolchain.absorbs_qdq = true;
  const Overlay overlay = FuseWith(model, toolchain);
  CHECK(Rows(model, overlay) ==
        std::vector<std::string>{"QuantizeLinear: QuantizeLinear",
                                 "conv_act: DequantizeLinear Conv QuantizeLinear DequantizeLinear Relu QuantizeLinear "
                                 "DequantizeLinear",
                                 "MaxPool: MaxPool", "Conv: Conv", "Concat: Concat"});
  CheckPartition(model, overlay);
  const auto row_of = [](const Overlay& made, size_t group) {
    const PatternRow* row = made.groups[GroupId(group)].fusion.get();
    return std::string(row != nullptr ? row->name : "");
  };
  CHECK(row_of(overlay, 0).empty());
  CHECK(row_of(overlay, 1) == "conv_act");
  CHECK(row_of(overlay, 2).empty());
  Toolchain absorber = Picking("");
  absorber.absorbs_qdq = true;
  CHECK(row_of(FuseWith(model, absorber), 1) == "qdq");
}

TEST_CASE("integers of one scale are joined in place, those of others are scaled anew") {
  const auto rows = [](absl::string_view first, absl::string_view last, absl::string_view more = "") {
    const Analysed model = Analyse(
        {"float[1, 2, 4, 4] x", "float[?] y", "float s = {0.1}, float same = {0.1}, float t = {0.2}, int8 z = {0}",
         absl::StrCat("a = Relu(x) aq = QuantizeLinear(a, s, z) ad = DequantizeLinear(aq, ", first,
                      ", z) b = Neg(a) bq = QuantizeLinear(b, s, z) bd = DequantizeLinear(bq, s, z) "
                      "c = Concat<axis = 1>(ad, bd) cq = QuantizeLinear(c, ",
                      last, ", z) cd = DequantizeLinear(cq, s, z) ", more, more.empty() ? "y = Exp(cd)" : ""),
         17});
    Toolchain toolchain = Picking("concat_in_place");
    toolchain.absorbs_qdq = true;
    const Overlay overlay = FuseWith(model, toolchain);
    CheckPartition(model, overlay);
    for (const std::string& row : Rows(model, overlay)) {
      if (absl::StrContains(row, " Concat")) return row;
    }
    return std::string();
  };
  const std::string in_place = "concat_in_place: DequantizeLinear DequantizeLinear Concat QuantizeLinear";
  CHECK(rows("s", "s") == in_place);
  CHECK(rows("same", "same") == in_place);
  CHECK(absl::StartsWith(rows("t", "s"), "Concat:"));
  CHECK(absl::StartsWith(rows("s", "t"), "Concat:"));
  // The integers have a place in another concatenation, or the whole is read as floats.
  CHECK(absl::StartsWith(rows("s", "s", "ae = DequantizeLinear(aq, s, z) y = Concat<axis = 1>(ae, cd)"), "Concat:"));
  CHECK(absl::StartsWith(rows("s", "s", "y = Concat<axis = 1>(c, cd)"), "Concat:"));
}

TEST_CASE("integers that a view shows are not quantised again") {
  const auto rows = [](absl::string_view scale, absl::string_view more = "y = Exp(vd)") {
    const Analysed model = Analyse(
        {"float[1, 2, 4, 4] x", "float[?] y", "float s = {0.1}, float t = {0.2}, int8 z = {0}",
         absl::StrCat("a = Relu(x) aq = QuantizeLinear(a, s, z) ad = DequantizeLinear(aq, s, z) f = Flatten(ad) "
                      "v = Unsqueeze(f, one) vq = QuantizeLinear(v, ",
                      scale, ", z) vd = DequantizeLinear(vq, s, z) one = Constant<value_ints = [1]>() ", more),
         17});
    Toolchain toolchain;
    toolchain.absorbs_qdq = true;
    const Overlay overlay = FuseWith(model, toolchain);
    CheckPartition(model, overlay);
    return Rows(model, overlay);
  };
  CHECK(rows("s")[0] == "Relu: Relu QuantizeLinear DequantizeLinear QuantizeLinear");
  CHECK(rows("t").size() == rows("s").size() + 1);
  CHECK(rows("s", "g = Neg(f) e = Exp(vd) y = Mul(g, e)")[0] == "Relu: Relu QuantizeLinear DequantizeLinear");
}

TEST_CASE("a long chain of one operator stays linear") {
  std::string body;
  std::string last = "x";
  for (int i = 0; i < 3000; ++i) {
    body += absl::StrCat("i", i, " = Identity(", last, ") ");
    last = absl::StrCat("i", i);
  }
  const Analysed model = Analyse({"float[4] x", "float[?] y", "", body + "y = Relu(" + last + ")", 17});
  const Overlay overlay = FuseWith(model, PickingAll());
  CHECK(overlay.groups.size() == 1);
}

}  // namespace
}  // namespace hwest::test
