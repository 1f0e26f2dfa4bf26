// Counts what a group reads, writes and computes, on small models.
#include "cost/group_work.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cost/dataflow.h"
#include "cost/precision.h"
#include "cost/tiny_target.h"
#include "hwest/diagnostic.h"
#include "pass/pass_fixture.h"

namespace hwest {
namespace {

constexpr Precision kInt8 = {Num::kInt8, Num::kInt8};
constexpr Precision kFp16 = {Num::kFp16, Num::kFp16};

// "{0, 0, ...}", the values of an initialiser.
std::string Zeros(int count) { return absl::StrCat("{", absl::StrJoin(std::vector<int>(count, 0), ", "), "}"); }

std::string ConvRelu() {
  return absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y) <float[4, 3, 3, 3] w = )",
                      Zeros(108), R"(> {
      c = Conv <pads = [1, 1, 1, 1]> (x, w)
      y = Relu(c)
    })");
}

ModelView View(test::PassRun& run) { return {run.graph, run.facts, run.classes, run.tables.work, run.dims}; }

TEST_CASE("a concatenation in place moves nothing and is no launch") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 6, 8, 8] y) {
      a = Relu(x)
      b = Exp(x)
      y = Concat <axis = 1> (a, b)
    })");
  Group group = SingleNode(View(run), NodeId(2u));
  const GroupWork copied = MakeGroupWork(View(run), group, kInt8);
  CHECK(copied.in_bytes == 6 * 64);
  CHECK(copied.moved_elements == 6 * 64);
  CHECK(copied.num_kernels == 1);
  group.pattern = "concat_in_place";
  const GroupWork placed = MakeGroupWork(View(run), group, kInt8);
  CHECK(placed.in_bytes + placed.out_bytes + placed.moved_elements == 0);
  CHECK(placed.num_nodes == 1);
  CHECK(placed.num_kernels == 0);
}

TEST_CASE("operands of a contraction are found by their sizes, whatever spells it") {
  struct Row {
    const char* what;
    const char* text;
    uint32_t node;
    OperandBytes want;
  };
  const Row rows[] = {
      {"product",
       "g (float[8, 16] x) => (float[8, 4] y) <float[16, 4] w> { y = MatMul(x, w) }",
       0,
       {.left = 128, .right = 64}},
      {"shared by a batch",
       "g (float[3, 8, 16] x) => (float[3, 8, 4] y) <float[16, 4] w> { y = MatMul(x, w) }",
       0,
       {.left = 384, .right = 64}},
      {"images share their filters",
       "g (float[2, 4, 8, 8] x) => (float[2, 6, 8, 8] y) <float[6, 4, 3, 3] w> { y = Conv<pads = [1, 1, 1, 1]>(x, w) }",
       0,
       {.left = 512, .right = 216, .halo = 64, .alike = 2}},
      {"groups do not",
       "g (float[1, 4, 8, 8] x) => (float[1, 6, 4, 4] y) <float[6, 2, 3, 3] w>"
       " { y = Conv<pads = [1, 1, 1, 1], strides = [2, 2], group = 2>(x, w) }",
       0,
       {.left = 256, .right = 108, .halo = 32}},
      {"both activations",
       "g (float[2, 8, 16] x, float[2, 16, 4] w) => (float[2, 8, 4] y) { y = MatMul(x, w) }",
       0,
       {.left = 256, .right = 128}},
      {"one side for all",
       "g (float[2, 8, 16] x, float[1, 16, 4] w) => (float[2, 8, 4] y) { y = MatMul(x, w) }",
       0,
       {.left = 256, .right = 64, .alike = 2}},
      {"steps share their weights",
       "g (float[5, 2, 4] x) => (float[5, 1, 2, 3] y) <float[1, 12, 4] w, float[1, 12, 3] r>"
       " { y = LSTM<hidden_size = 3>(x, w, r) }",
       0,
       {.left = 40, .right = OperandBytes::kAsSized, .alike = 5}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    test::PassRun run = test::RunPasses(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> ", row.text));
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(row.node)), kInt8);
    REQUIRE(work.contractions.size() == 1);
    CHECK(work.contractions[0].operands.left == row.want.left);
    CHECK(work.contractions[0].operands.right == row.want.right);
    CHECK(work.contractions[0].operands.halo == row.want.halo);
    CHECK(work.contractions[0].operands.alike == row.want.alike);
    CHECK_FALSE(work.contractions[0].operands.result_is_inner);
  }
}

TEST_CASE("what a group multiplies again never leaves it, and what it only rearranges comes from outside") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 8, 4] q, float[2, 8, 4] k, float[2, 8, 4] v) => (float[2, 8, 4] y) {
      t = Transpose <perm = [0, 2, 1]> (k)
      s = MatMul (q, t)
      z = Softmax <axis = -1> (s)
      y = MatMul (z, v)
    })");
  Group group = SingleNode(View(run), NodeId(3u));
  group.nodes = {NodeId(0u), NodeId(1u), NodeId(2u), NodeId(3u)};
  const GroupWork work = MakeGroupWork(View(run), group, kInt8);
  REQUIRE(work.contractions.size() == 2);
  CHECK(work.contractions[0].operands == OperandBytes{.left = 64, .right = 64, .result_is_inner = true});
  CHECK(work.contractions[1].operands == OperandBytes{.left = 0, .right = 64});
}

TEST_CASE("statistics are taken by a normalisation, in one node or in several") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (float[2, 64] x, float[64, 64] w) => (float[2, 64] y, float[2, 64] s, float[2, 1] n, float[2, 64] p)
      <int64[1] axis = {1}> {
      m = ReduceMean (x, axis)
      y = Sub (x, m)
      s = Softmax (x)
      e = Exp (x)
      n = ReduceSum (e, axis)
      p = MatMul (x, w)
    })");
  const auto takes = [&](std::vector<uint32_t> nodes) {
    Group group = SingleNode(View(run), NodeId(nodes.back()));
    group.nodes.clear();
    for (const uint32_t node : nodes) group.nodes.push_back(NodeId(node));
    return TakesStatistics(View(run), group, MakeGroupWork(View(run), group, kInt8));
  };
  CHECK(takes({0, 1}));
  CHECK(takes({2}));
  CHECK_FALSE(takes({0}));  // the statistics alone
  CHECK_FALSE(takes({3, 4}));
  CHECK_FALSE(takes({1}));
  CHECK_FALSE(takes({5}));
}

TEST_CASE("products side by side are one product with all their columns") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[5, 4] x, float[6, 4] z) => (float[5, 3] a, float[5, 2] b, float[6, 3] c)
      <float[4, 3] v = {1,1,1,1,1,1,1,1,1,1,1,1}, float[4, 2] w = {1,1,1,1,1,1,1,1}> {
      a = MatMul (x, v)
      b = MatMul (x, w)
      c = MatMul (z, v)
    })");
  Group group = SingleNode(View(run), NodeId(0u));
  group.nodes = {NodeId(0u), NodeId(1u), NodeId(2u)};
  group.outputs = {run.graph.outputs(NodeId(0u))[0], run.graph.outputs(NodeId(1u))[0],
                   run.graph.outputs(NodeId(2u))[0]};
  CHECK(MakeGroupWork(View(run), group, kInt8).contractions.size() == 3);
  group.pattern = "horizontal";
  const GroupWork joined = MakeGroupWork(View(run), group, kInt8);
  REQUIRE(joined.contractions.size() == 2);  // the third reads other rows
  CHECK(joined.contractions[0].n == 3 + 2);
  CHECK(joined.contractions[1].n == 3);
  CHECK(joined.num_kernels == 1);
  CHECK(joined.in_bytes == 5 * 4 + 6 * 4);
  CHECK(joined.weight_bytes == 4 * 3 + 4 * 2);
}

TEST_CASE("what keeps its order counts as copied, what changes places only as moved") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 6, 8, 8] x) => (float[1, 3, 8, 8] a, float[1, 3, 8, 8] b, float[1, 8, 8, 6] t) {
      a, b = Split <axis = 1> (x)
      t = Transpose <perm = [0, 2, 3, 1]> (x)
    })");
  const GroupWork split = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
  CHECK(split.moved_elements == 6 * 64);
  CHECK(split.copied_elements == 6 * 64);
  const GroupWork transposed = MakeGroupWork(View(run), SingleNode(View(run), NodeId(1u)), kInt8);
  CHECK(transposed.moved_elements == 6 * 64);
  CHECK(transposed.copied_elements == 0);
}

TEST_CASE("transposes move rows where the innermost axis stays, and copy images to positions") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 6, 8, 4] x) => (float[1, 8, 6, 4] r, float[1, 8, 4, 6] t) {
      r = Transpose <perm = [0, 2, 1, 3]> (x)
      t = Transpose <perm = [0, 2, 3, 1]> (x)
    })");
  const auto work = [&](uint32_t node, absl::string_view pattern, Precision precision) {
    Group group = SingleNode(View(run), NodeId(node));
    group.pattern = pattern;
    return MakeGroupWork(View(run), group, precision);
  };
  using Rows = std::vector<MovedRows>;
  constexpr int64_t kElements = 6 * 8 * 4;
  CHECK(work(0, "Transpose", kInt8).moved_rows == Rows{{.elements = kElements, .from = 4, .to = 4, .is_kept = true}});
  CHECK(work(1, "Transpose", kInt8).moved_rows == Rows{{.elements = kElements, .from = 4, .to = 6}});
  for (const Precision precision : {kInt8, kFp16}) {
    CHECK(work(1, "image_positions", precision).copied_elements == kElements);
    CHECK(work(1, "image_positions", precision).moved_rows.empty());
  }
  CHECK(Scale(work(0, "Transpose", kInt8), 3).moved_rows[0].elements == 3 * kElements);
}

TEST_CASE("a shuffle of channels is a copy behind a concatenation alone") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 4] x, float[1, 6, 8, 4] y) => (float[1, 3, 2, 8, 4] s, float[1, 3, 2, 8, 4] t)
        <int64[5] split = {1, 2, 3, 8, 4}> {
      c = Concat <axis = 1> (x, x)
      u = Reshape (c, split)
      s = Transpose <perm = [0, 2, 1, 3, 4]> (u)
      v = Reshape (y, split)
      t = Transpose <perm = [0, 2, 1, 3, 4]> (v)
    })");
  const auto work = [&](uint32_t node) {
    Group group = SingleNode(View(run), NodeId(node));
    group.pattern = "channel_shuffle";
    return MakeGroupWork(View(run), group, kInt8);
  };
  constexpr int64_t kElements = 6 * 8 * 4;
  CHECK(work(2).copied_elements == kElements);
  CHECK(work(4).copied_elements == 0);
  CHECK(work(4).moved_rows.size() == 1);
}

TEST_CASE("elements scaled by statistics of their axis are counted once an element") {
  struct Row {
    absl::string_view node;
    int64_t want;
  };
  const Row rows[] = {
      {"y = Softmax <axis = 1> (x)", 3 * 64},
      {"y = LpNormalization <axis = 1> (x)", 3 * 64},
      {"y = Sigmoid (x)", 0},
      {"y = ReduceMean <axes = [1]> (x)", 0},
  };
  for (const Row& row : rows) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1, 3, 8, 8] x) => (y) {)",
                                                     row.node, "}"));
    INFO(row.node);
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
    CHECK(work.scaled_elements == row.want);
    CHECK(Scale(work, 3).scaled_elements == 3 * row.want);
  }
}

TEST_CASE("a normalisation that is written out scales its elements once, as the operator does") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 16, 64] x) => (float[1, 16, 64] y) { m = ReduceMean <axes = [-1]> (x)  y = Sub(x, m) })");
  Group group = SingleNode(View(run), NodeId(0u));
  group.nodes = {NodeId(0u), NodeId(1u)};
  group.root = NodeId(1u);
  CHECK(MakeGroupWork(View(run), group, kInt8).scaled_elements == 0);
  group.pattern = "layer_norm";
  CHECK(MakeGroupWork(View(run), group, kInt8).scaled_elements == 16 * 64);
}

TEST_CASE("a depthwise convolution of a signal is that of an image of one row") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 4, 30] x, float[4, 1, 3] w, float[1, 4, 8, 8] u, float[4, 1, 3, 3] v) => (y, z) {
      y = Conv <group = 4, pads = [1, 1]> (x, w)
      z = Conv <group = 4, pads = [1, 1, 1, 1]> (u, v)
    })");
  const auto height = [&](uint32_t node) {
    return MakeGroupWork(View(run), SingleNode(View(run), NodeId(node)), kInt8).contractions[0].height;
  };
  CHECK(height(0) == 1);
  CHECK(height(1) == 8);
}

TEST_CASE("a convolution knows the height of the image that it writes") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 6, 8, 4] x, float[2, 6, 1, 1] w, float[1, 6, 12] a, float[2, 6, 1] b)
        => (float[1, 2, 8, 4] c, float[1, 2, 12] d) {
      c = Conv (x, w)
      d = Conv (a, b)
    })");
  const auto height = [&](uint32_t node) {
    return MakeGroupWork(View(run), SingleNode(View(run), NodeId(node)), kInt8).contractions[0].height;
  };
  CHECK(height(0) == 8);
  CHECK(height(1) == 0);
}

TEST_CASE("transposes that a compiler joins move their elements once") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 6, 8, 4] x) => (float[1, 8, 4, 6] t, float[6, 8, 1, 4] r) {
      a = Transpose <perm = [0, 2, 1, 3]> (x)
      t = Transpose <perm = [0, 1, 3, 2]> (a)
      b = Transpose <perm = [0, 2, 1, 3]> (x)
      r = Transpose <perm = [2, 1, 0, 3]> (b)
    })");
  const auto work = [&](uint32_t first) {
    Group group = SingleNode(View(run), NodeId(first + 1));
    group.nodes = {NodeId(first), NodeId(first + 1)};
    group.pattern = "transpose_chain";
    return MakeGroupWork(View(run), group, kInt8);
  };
  constexpr int64_t kElements = 6 * 8 * 4;
  CHECK(work(0).moved_elements == kElements);
  CHECK_FALSE(work(0).moved_rows[0].is_kept);
  CHECK(work(2).moved_elements == kElements);
  CHECK(work(2).moved_rows[0].is_kept);
}

TEST_CASE("samples at places that data decide are moved one by one") {
  const auto moved = [](absl::string_view mode) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 16]>
      g (float[1, 3, 20, 20] x, float[1, 5, 7, 2] grid) => (float[1, 3, h, w] y) {
        y = GridSample <mode = ")",
                                                     mode, R"("> (x, grid)
      })"));
    return MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8).moved_elements;
  };
  constexpr int64_t kPlaces = 5 * 7, kPlacing = 2 * 2 * kPlaces;
  CHECK(moved("bilinear") == 4 * 3 * kPlaces + kPlacing);
  CHECK(moved("bicubic") == 16 * 3 * kPlaces + kPlacing);
}

TEST_CASE("positions that are divided into heads are told from other transposes") {
  const auto positions = [](absl::string_view shape, absl::string_view perm) {
    test::PassRun run =
        test::RunPasses(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> g (float", shape,
                                     " x) => (float[a, b, c, d] y) { y = Transpose <perm = ", perm, "> (x) }"));
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
    REQUIRE(work.moved_rows.size() == 1);
    return work.moved_rows[0].positions;
  };
  CHECK(positions("[1, 400, 8, 64]", "[0, 2, 1, 3]") == 400);
  CHECK(positions("[1, 8, 400, 64]", "[0, 2, 1, 3]") == 0);  // heads put together
  CHECK(positions("[1, 400, 8, 64]", "[0, 2, 3, 1]") == 0);
  CHECK(positions("[400, 8, 1, 64]", "[1, 0, 2, 3]") == 400);  // axes of one element are no axes
  CHECK(positions("[400, 2, 4, 64]", "[1, 2, 0, 3]") == 400);  // queries, keys and values of heads
  CHECK(positions("[400, 2, 4, 64]", "[2, 1, 0, 3]") == 0);    // whose parts change places
  CHECK(positions("[9, 400, 8, 64]", "[0, 2, 1, 3]") == 400);  // of each window
}

TEST_CASE("parts of channels are known by where they are cut, and taken one by one or together") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (float[1, 96, 8, 8] x, float[1, 49, 192] t, float[1, 128, 4, 4] d, float[1, 49, 3, 64] p, int64[1] at) =>
        (float[1, 64, 8, 8] u, float[1, 32, 8, 8] v, float[1, 49, 48] s, float[1, 96, 4, 8] h, float[1, 32, 8, 8] e,
         float[1, 8, 16, 16] f, float[1, 1, 49, 64] g, float[1, 96, 8, 8] r)
    <int64[2] parts = {64, 32}, int64[1] begin = {48}, int64[1] end = {96}, int64[1] last = {2}, int64[1] zero = {0},
     int64[1] four = {4}, int64[1] rows = {2}> {
      u, v = Split <axis = 1> (x, parts)
      s = Slice (t, begin, end, last)
      h = Slice (x, zero, four, rows)
      e = DepthToSpace <blocksize = 2> (d)
      f = DepthToSpace <blocksize = 4> (d)
      o = Transpose <perm = [0, 2, 1, 3]> (p)
      g = Gather <axis = 1> (o, at)
      r = Relu (x)
    })");
  const auto work = [&](uint32_t node) { return MakeGroupWork(View(run), SingleNode(View(run), NodeId(node)), kInt8); };
  using Rows = std::vector<MovedRows>;
  CHECK(work(0).moved_rows == Rows{{.elements = 96 * 64, .cut = 32, .is_copied = true}});
  CHECK(work(0).copied_elements == 96 * 64);
  CHECK(work(1).moved_rows == Rows{{.elements = 49 * 48, .cut = 48, .is_copied = true}});
  CHECK(work(2).moved_rows.empty());  // rows of an image
  CHECK(work(3).moved_rows[0].cut == 32);
  CHECK(work(4).moved_rows[0].cut == 0);
  CHECK(work(5).moved_rows[0].positions == 49);
  CHECK(work(5).moved_rows[0].is_in_parts);
}

TEST_CASE("a part of heads that is transposed again is moved once") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (float[1, 49, 3, 2, 64] p) => (float[1, 2, 49, 64] q, float[1, 2, 64, 49] k, float[1, 2, 49, 64] v)
    <int64[1] first = {0}> {
      t = Transpose <perm = [2, 0, 3, 1, 4]> (p)
      q0, k0, v0 = Split <axis = 0, num_outputs = 3> (t)
      q = Squeeze (q0, first)
      k1 = Squeeze (k0, first)
      v = Squeeze (v0, first)
      k = Transpose <perm = [0, 1, 3, 2]> (k1)
    })");
  const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
  CHECK(work.moved_elements == 2 * 49 * 2 * 64);
  CHECK(work.moved_rows ==
        std::vector<MovedRows>{{.elements = 2 * 49 * 2 * 64, .from = 64, .to = 64, .is_kept = true, .positions = 49}});
}

TEST_CASE("copies along axes are copied runs") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 32, 1, 1] x) => (float[1, 32, 8, 8] y) <int64[4] shape = {1, 32, 8, 8}> { y = Expand (x, shape) })");
  const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
  CHECK(work.copied_elements == 32 * 64);
  CHECK(work.moved_rows.empty());
}

TEST_CASE("averages count as wide under sliding windows of more than 64 elements") {
  struct Row {
    absl::string_view window;
    int64_t want;
    Precision precision = kInt8;
  };
  constexpr Precision kHalf = {Num::kFp16, Num::kFp16};
  const Row rows[] = {
      {"kernel_shape = [8, 8], strides = [1, 1]", 0},
      {"kernel_shape = [9, 9]", 3 * 12 * 12 * 81},
      {"kernel_shape = [20, 20]", 0},  // a reduction
      // Windows beside each other are sums of blocks in integers.
      {"kernel_shape = [10, 10], strides = [10, 10]", 0},
      {"kernel_shape = [10, 10], strides = [10, 10]", 3 * 4 * 100, kHalf},
      {"kernel_shape = [10, 10], strides = [5, 5]", 3 * 9 * 100},
      // Of half precision those that count the padding are convolutions with equal weights.
      {"kernel_shape = [9, 9], pads = [4, 4, 4, 4]", 3 * 20 * 20 * 81, kHalf},
      {"kernel_shape = [9, 9], pads = [4, 4, 4, 4], count_include_pad = 1", 0, kHalf},
      {"kernel_shape = [9, 9], pads = [4, 4, 4, 4], count_include_pad = 1", 3 * 20 * 20 * 81},
  };
  for (const Row& row : rows) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 3, 20, 20] x) => (float[1, 3, h, w] y) {
        y = AveragePool <)",
                                                     row.window, R"(> (x)
      })"));
    INFO(row.window);
    CHECK(MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), row.precision).wide_window_ops == row.want);
  }
}

TEST_CASE("comparisons of all elements of an axis are a search, those under a window or of two tensors are none") {
  struct Row {
    absl::string_view node;
    int64_t want;
  };
  const Row rows[] = {
      {"y = ArgMax <axis = 1> (x)", 3 * 64},
      {"y = ReduceMax <axes = [1]> (x)", 2 * 64},
      {"y = ReduceMean <axes = [1]> (x)", 0},
      {"y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)", 0},
      {"y = Relu (x)", 0},
      {"y = Greater (x, x)", 0},
  };
  for (const Row& row : rows) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1, 3, 8, 8] x) => (y) {)",
                                                     row.node, "}"));
    INFO(row.node);
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
    CHECK((work.search_ops > 0) == (row.want > 0));
    CHECK(work.search_ops <= 3 * 64);
  }
}

TEST_CASE("arithmetic with constants counts elements of images, or positions, and those whose channel has a constant") {
  struct Row {
    int channels;
    absl::string_view node;
    int constants;
    Precision precision;
    int64_t of_images, of_channels;
  };
  const Row rows[] = {
      {3, "y = Sub (x, c)", 3, kInt8, 3 * 64, 0},
      {3, "y = Sub (x, c)", 1, kInt8, 0, 0},  // into the scale
      {3, "y = Sub (x, c)", 1, kFp16, 64, 0},
      {8, "y = Mul (x, c)", 8, kInt8, 0, 8 * 64},
      {8, "y = Mul (x, c)", 1, kInt8, 0, 0},
      {8, "y = Mul (x, x)", 8, kInt8, 0, 0},
      {8, "y = PRelu (x, c)", 8, kInt8, 0, 0},  // an activation
      {8, "y = BatchNormalization (x, b, b, b, b)", 8, kInt8, 0, 8 * 64},
  };
  for (const Row& row : rows) {
    const std::string zeros = Zeros(row.constants);
    test::PassRun run =
        test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, )",
                                     row.channels, ", 8, 8] x) => (y) <float[", row.constants, ", 1, 1] c = ", zeros,
                                     ", float[", row.constants, "] b = ", zeros, "> {", row.node, "}"));
    INFO(row.node << " " << row.constants << " " << PrecisionName(row.precision));
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), row.precision);
    CHECK(work.image_elements == row.of_images);
    CHECK(work.channel_elements == row.of_channels);
  }
}

TEST_CASE("rows of few numbers count as positions of an image") {
  struct Row {
    absl::string_view shape;
    Precision precision;
    int64_t want;
  };
  const Row rows[] = {
      {"1, 100, 4", kFp16, 100}, {"100, 2", kFp16, 100},  {"100, 1", kFp16, 100}, {"1, 4, 100", kFp16, 0},
      {"1, 100, 5", kFp16, 0},   {"1, 100, 4", kInt8, 0}, {"4", kFp16, 0},
  };
  for (const Row& row : rows) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[)", row.shape,
                                                     "] a, float[", row.shape, "] b) => (y) { y = Sub (a, b) }"));
    INFO(row.shape << " " << PrecisionName(row.precision));
    CHECK(MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), row.precision).image_elements == row.want);
  }
}

TEST_CASE("slices at known places are copied unless they are single elements of rows") {
  struct Row {
    int axis;
    bool is_known, is_copied;
  };
  for (const Row& row : {Row{0, true, true}, Row{1, true, true}, Row{-2, true, true}, Row{2, true, false},
                         Row{-1, true, false}, Row{0, false, false}}) {
    test::PassRun run = test::RunPasses(absl::StrCat(
        R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3, 5, 64] x)", row.is_known ? "" : ", int64 i",
        ") => (y) ", row.is_known ? "<int64 i = {1}>" : "", " { y = Gather <axis = ", row.axis, "> (x, i) }"));
    INFO(row.axis << " " << row.is_known);
    const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
    CHECK(work.moved_elements > 0);
    CHECK(work.copied_elements == (row.is_copied ? work.moved_elements : 0));
  }
}

TEST_CASE("scores of a few heads are no image, whatever scales them") {
  const absl::string_view nodes[] = {
      "m = MatMul (q, k) s = Mul (m, c) y = Softmax <axis = -1> (s)",
      "m = MatMul (q, k) t = Add (m, mask) s = Mul (t, c) y = Softmax <axis = -1> (s)",
  };
  for (const absl::string_view text : nodes) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 2, 64, 8] q, float[1, 2, 8, 64] k, float[1, 1, 64, 64] mask) => (y) <float c = {0.1}> {)",
                                                     text, "}"));
    INFO(text);
    const GroupWork scaled = MakeGroupWork(View(run), SingleNode(View(run), test::NodeOf(run.graph, "s")), kFp16);
    CHECK(scaled.image_elements == 0);
    Group softmax = SingleNode(View(run), test::NodeOf(run.graph, "s"));
    softmax.nodes.push_back(test::NodeOf(run.graph, "y"));
    CHECK(MakeGroupWork(View(run), softmax, kFp16).image_elements == 0);
  }
}

TEST_CASE("tables of a few heads are no image, whatever scales them on their way to the scores") {
  for (const absl::string_view text : {"s = Mul (q, c) y = MatMul (s, k)",
                                       "s = Mul (q, c) t = Transpose <perm = [0, 1, 3, 2]> (s) y = MatMul (k, t)"}) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 2, 64, 64] q, float[1, 2, 64, 64] k) => (y) <float c = {0.1}> {)",
                                                     text, "}"));
    INFO(text);
    CHECK(MakeGroupWork(View(run), SingleNode(View(run), test::NodeOf(run.graph, "s")), kFp16).image_elements == 0);
  }
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 2, 64, 64] x, float[4, 2, 3, 3] w) => (y) <float c = {0.1}> { s = Mul (x, c) y = Conv (s, w) })");
  CHECK(MakeGroupWork(View(run), SingleNode(View(run), test::NodeOf(run.graph, "s")), kFp16).image_elements == 64 * 64);
}

TEST_CASE("2:4 sparse weights are half their elements and two bits of index for each, where channels come in fours") {
  struct Case {
    const char* name;
    const char* input;
    const char* output;
    const char* weights;
    int count;
    const char* node;
    Num num;
    int64_t weight_bytes;
    bool sparse;
  };
  const auto c = GENERATE(values<Case>({
      {"convolution", "1, 4, 8, 8", "float[1, 8, 6, 6]", "8, 4, 3, 3", 288, "Conv(x, w)", Num::kFp16, 288 / 2 * 18 / 8,
       true},
      {"product", "8, 16", "float[8, 32]", "16, 32", 512, "MatMul(x, w)", Num::kInt8, 512 / 2 * 10 / 8, true},
      {"transposed product", "8, 16", "float[8, 32]", "32, 16", 512, "Gemm<transB = 1>(x, w)", Num::kFp16,
       512 / 2 * 18 / 8, true},
      {"three channels", "1, 3, 8, 8", "float[1, 8, 6, 6]", "8, 3, 3, 3", 216, "Conv(x, w)", Num::kFp16, 216 * 2,
       false},
      {"depthwise", "1, 4, 8, 8", "float[1, 4, 6, 6]", "4, 1, 3, 3", 36, "Conv<group = 4>(x, w)", Num::kFp16, 36 * 2,
       false},
      {"no product", "4, 16", "float[4, 16]", "4, 16", 64, "Add(x, w)", Num::kFp16, 64 * 2, false},
  }));
  INFO(c.name);
  const std::string text =
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> g (float[", c.input, "] x) => (", c.output,
                   " y) <float[", c.weights, "] w = ", Zeros(c.count), "> { y = ", c.node, " }");
  test::PassRun run = test::RunPasses(text);
  const Group group = SingleNode(View(run), NodeId(0u));
  const GroupWork dense = MakeGroupWork(View(run), group, {c.num, c.num});
  const GroupWork work = MakeGroupWork(View(run), group, {.act = c.num, .weight = c.num, .sparse = true});
  CHECK(work.weight_bytes == c.weight_bytes);
  CHECK((work.weight_bytes < dense.weight_bytes) == c.sparse);
  CHECK(work.in_bytes == dense.in_bytes);
  CHECK(work.macs == dense.macs);
  for (const ContractionSize& size : work.contractions) CHECK(size.sparse == c.sparse);
  for (const ContractionSize& size : dense.contractions) CHECK_FALSE(size.sparse);
}

TEST_CASE("a product of two activations has no sparse weights") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8, 16] x, float[16, 32] w) => (float[8, 32] y) { y = MatMul(x, w) })");
  const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)),
                                       {.act = Num::kFp16, .weight = Num::kFp16, .sparse = true});
  CHECK(work.weight_bytes == 0);
  REQUIRE(work.contractions.size() == 1);
  CHECK_FALSE(work.contractions[0].sparse);
}

TEST_CASE("precisions are sparse on units that state a rate for that") {
  Target target = test::TinyTarget();
  target.units[UnitId(0u)].rates[0].sparse_per_cycle = test::Figure(2048);
  IdMap<UnitId, std::optional<UnitPrecision>> units(target.units.size());
  units[UnitId(0u)] = UnitPrecision{.main = kInt8, .floating = kFp16, .note = ""};
  units[UnitId(1u)] = UnitPrecision{.main = {Num::kFp32, Num::kFp32}, .floating = {Num::kFp32, Num::kFp32}, .note = ""};
  AssumeSparse(target, &units);
  CHECK(units[UnitId(0u)]->main.sparse);
  CHECK_FALSE(units[UnitId(0u)]->floating.sparse);
  CHECK_FALSE(units[UnitId(1u)]->main.sparse);
  CHECK_FALSE(HasSparseRate(target.units[UnitId(0u)], {Num::kInt8, Num::kInt4}));  // unpacked to int8 first
}

// Both nodes of ConvRelu as one group.
Group Fused(const test::PassRun& run) {
  Group group{.pattern = "conv_act", .nodes = {NodeId(0u), NodeId(1u)}, .root = NodeId(1u)};
  group.inputs = {run.graph.inputs(NodeId(0u))[0], run.graph.inputs(NodeId(0u))[1]};
  group.outputs = {run.graph.outputs(NodeId(1u))[0]};
  return group;
}

TEST_CASE("a fused group moves what crosses its border, at the deployed precision") {
  test::PassRun run = test::RunPasses(ConvRelu());
  const GroupWork int8 = MakeGroupWork(View(run), Fused(run), kInt8);
  CHECK(int8.macs == 4 * 64 * 27);
  CHECK(int8.in_bytes == 3 * 64);
  CHECK(int8.weight_bytes == 4 * 27);
  CHECK(int8.out_bytes == 4 * 64);
  CHECK(int8.inner_bytes == 2 * 4 * 64);
  CHECK(int8.num_nodes == 2);
  CHECK(int8.num_kernels == 1);
  REQUIRE(int8.contractions.size() == 1);
  CHECK(int8.contractions[0].macs() == int8.macs);
  CHECK_FALSE(int8.contractions[0].integer);
  const GroupWork fp16 = MakeGroupWork(View(run), Fused(run), kFp16);
  CHECK(fp16.in_bytes == 2 * int8.in_bytes);
  CHECK(fp16.weight_bytes == 2 * int8.weight_bytes);
  const GroupWork w4 = MakeGroupWork(View(run), Fused(run), {Num::kFp16, Num::kInt4});
  CHECK(w4.in_bytes == fp16.in_bytes);
  CHECK(w4.weight_bytes == 4 * 27 / 2);
}

TEST_CASE("the parts of a group do the same work and move no fewer bytes") {
  test::PassRun run = test::RunPasses(ConvRelu());
  const GroupWork fused = MakeGroupWork(View(run), Fused(run), kFp16);
  GroupWork parts;
  for (const NodeId node : {NodeId(0u), NodeId(1u)}) {
    const GroupWork part = MakeGroupWork(View(run), SingleNode(View(run), node), kFp16);
    parts.macs += part.macs;
    parts.flops += part.flops;
    parts.in_bytes += part.in_bytes;
    parts.out_bytes += part.out_bytes;
  }
  CHECK(parts.macs == fused.macs);
  CHECK(parts.flops == fused.flops);
  CHECK(parts.in_bytes + parts.out_bytes == fused.in_bytes + fused.out_bytes + fused.inner_bytes);
}

struct ReadRow {
  const char* what;
  std::string text;
  const char* output;  // of the node to count
  int64_t in_bytes, weight_bytes, out_bytes;
};

TEST_CASE("bytes of single nodes") {
  const ReadRow rows[] = {
      {"an input used twice is read once",
       R"(<ir_version: 8, opset_import: ["" : 17]> g (float[10] x) => (float[10] y) { y = Mul(x, x) })", "y", 20, 0,
       20},
      {"a view of the other input is the same bytes",
       R"(<ir_version: 8, opset_import: ["" : 17]> g (float[10] x) => (float[10] y) { v = Identity(x) y = Mul(x, v) })",
       "y", 20, 0, 20},
      {"a table is read by the rows taken",
       absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
          g (int64[4] i) => (float[4, 8] y) <float[10, 8] t = )",
                    Zeros(80), "> { y = Gather(t, i) }"),
       "y", 32, 64, 64},
      {"shape operands are no traffic",
       R"(<ir_version: 8, opset_import: ["" : 17]>
          g (float[2, 3] x) => (float[6, 2] y)
          <int64[2] reps = {3, 1}> {
            s = Tile(x, reps)
            two = Constant <value = int64[2] {6, 2}> ()
            y = Reshape(s, two)
          })",
       "s", 12, 0, 36},
  };
  for (const ReadRow& row : rows) {
    INFO(row.what);
    test::PassRun run = test::RunPasses(row.text);
    const Group group = SingleNode(View(run), test::NodeOf(run.graph, row.output));
    const GroupWork work = MakeGroupWork(View(run), group, kFp16);
    CHECK(work.in_bytes == row.in_bytes);
    CHECK(work.weight_bytes == row.weight_bytes);
    CHECK(work.out_bytes == row.out_bytes);
    CHECK(work.bytes_known);
  }
}

TEST_CASE("a node without a rule leaves the counts unknown") {
  test::PassRun run = test::RunPasses(
      R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]> g (float[4] x) => (float[4] y) { y = my.Foo(x) })");
  const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kFp16);
  CHECK(work.has_opaque);
  CHECK_FALSE(work.counts_known);
}

TEST_CASE("several runs multiply the counts") {
  test::PassRun run = test::RunPasses(ConvRelu());
  const GroupWork once = MakeGroupWork(View(run), Fused(run), kInt8);
  CHECK(Scale(once, 3).macs == 3 * once.macs);
  CHECK(Scale(once, 3).weight_bytes == 3 * once.weight_bytes);
  CHECK(Scale(once, 0).flops == 0);
}

TEST_CASE("precision: the target's default, the request, or an error that lists the choices") {
  const Target target = test::TinyTarget();
  const FilePrecision fp32;
  const UnitId npu(0u), cpu(1u);
  const auto usual = ChoosePrecisions(target, "auto", fp32, {});
  REQUIRE(usual.ok());
  CHECK(usual->name == "int8");
  CHECK(usual->notes ==
        std::vector<std::string>{"assumed int8, file is fp32",
                                 "int8 of an fp32 file takes a calibration set or weights trained for it"});
  CHECK(usual->units[npu]->main == kInt8);
  CHECK(usual->units[cpu]->note == "runs fp32, as its runtime does");
  const auto asked = ChoosePrecisions(target, "int8", fp32, {});
  REQUIRE(asked.ok());
  CHECK(asked->name == "int8");
  CHECK(PrecisionName(asked->units[cpu]->main) == "fp32");
  CHECK_FALSE(ChoosePrecisions(target, "w4a8", fp32, {}).ok());  // no rate says that 4-bit weights are unpacked
  Target packed = target;
  packed.units[npu].rates.push_back({.work = WorkKind::kContraction, .act = Num::kInt8, .weight = Num::kInt4});
  const auto w4 = ChoosePrecisions(packed, "w4a8", fp32, {});
  REQUIRE(w4.ok());
  CHECK(PrecisionName(w4->units[npu]->main) == "w4a8");
  // So with 16 bits: half precision unpacks weights of its own accord only where integers are not at hand.
  Target wide = target;
  const auto add = [&](Num act, Num weight) {
    wide.units[npu].rates.push_back({.work = WorkKind::kContraction, .act = act, .weight = weight});
  };
  add(Num::kFp16, Num::kFp16);
  CHECK(PrecisionName(ChoosePrecisions(wide, "w4a16", fp32, {})->units[npu]->main) == "w4a16");
  add(Num::kInt16, Num::kInt16);
  CHECK_FALSE(ChoosePrecisions(wide, "w4a16", fp32, {}).ok());
  CHECK(ChoosePrecisions(wide, "w8a16", fp32, {})->units[npu]->main.act == Num::kInt16);
  add(Num::kFp16, Num::kInt4);
  CHECK(ChoosePrecisions(wide, "w4a16", fp32, {})->units[npu]->main.act == Num::kFp16);
  const auto refused = ChoosePrecisions(target, "fp16", fp32, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(DiagnosticOf(refused.status()).code == Code::kUsage);
  CHECK(DiagnosticOf(refused.status()).remedy == "npu runs int8");
  CHECK(ChoosePrecisions(target, "fp32", fp32, {"cpu"}).ok());
  CHECK_FALSE(ChoosePrecisions(target, "float", fp32, {}).ok());
}

// A GPU whose default is fp16, an accelerator whose own is int8 and that may have fp16 too, and a CPU.
Target TwoAccelerators(bool second_has_fp16) {
  Target target;
  const auto add = [&](const std::string& name, UnitKind kind, Num usual, std::vector<Num> nums) {
    Unit unit{.name = name, .kind = kind, .precision = usual};
    for (const Num num : nums) {
      Rate rate{.work = WorkKind::kContraction, .act = num, .weight = num};
      rate.per_cycle.stated = 64;
      unit.rates.push_back(rate);
    }
    target.units.push_back(unit);
  };
  target.name = "pair";
  add("gpu", UnitKind::kSimtGpu, Num::kFp16, {Num::kFp32, Num::kFp16, Num::kInt8});
  add("dla", UnitKind::kSystolic, Num::kInt8,
      second_has_fp16 ? std::vector{Num::kFp16, Num::kInt8} : std::vector{Num::kInt8});
  add("cpu", UnitKind::kSimdCpu, Num::kFp32, {Num::kFp32, Num::kFp16});
  return target;
}

std::string NamesOf(const absl::StatusOr<PrecisionChoice>& choice) {
  if (!choice.ok())
    return absl::StrCat(DiagnosticOf(choice.status()).message, ": ", DiagnosticOf(choice.status()).remedy);
  std::string text = absl::StrCat(choice->name, ":");
  for (const auto& row : choice->units) absl::StrAppend(&text, " ", row.has_value() ? PrecisionName(row->main) : "-");
  return text;
}

TEST_CASE("precision: one is assumed for the whole model, and a mix is made only when asked for") {
  const FilePrecision fp32;
  const Target both = TwoAccelerators(true), one = TwoAccelerators(false);
  for (const std::vector<std::string>& only : {std::vector<std::string>{}, {"dla"}, {"cpu"}}) {
    CHECK(NamesOf(ChoosePrecisions(both, "auto", fp32, only)) == "fp16: fp16 fp16 fp32");
  }
  const auto nearest = ChoosePrecisions(one, "auto", fp32, {});
  CHECK(NamesOf(nearest) == "fp16: fp16 int8 fp32");
  CHECK(nearest->units[UnitId(1u)]->note == "runs int8, the nearest it has to fp16");
  CHECK(NamesOf(ChoosePrecisions(both, "mixed", fp32, {})) == "mixed: fp16 int8 fp32");
  const auto mix = ChoosePrecisions(both, "cpu=fp16,dla=int8", fp32, {});
  CHECK(NamesOf(mix) == "cpu=fp16,dla=int8: fp16 int8 fp16");
  CHECK(mix->units[UnitId(1u)]->note == "int8 of an fp32 file takes a calibration set or weights trained for it");
  const std::string known =
      "gpu runs fp32, fp16, int8, w8a16, w4a16; dla runs fp16, int8, w8a16, w4a16; "
      "cpu runs fp32, fp16, w8a16, w4a16";
  CHECK(NamesOf(ChoosePrecisions(both, "npu=int8", fp32, {})) ==
        absl::StrCat("'npu=int8' names no unit of pair that runs work: ", known));
  CHECK(NamesOf(ChoosePrecisions(both, "dla=fp32", fp32, {})) ==
        absl::StrCat("dla of pair does not run fp32: ", known));
  CHECK(absl::StartsWith(NamesOf(ChoosePrecisions(both, "dla=half", fp32, {})),
                         "'half' is no precision: auto, mixed, fp32"));
}

// x and r are quantised, each read through a DequantizeLinear of its own; `residual` is added to the convolution.
std::string QuantisedBlock(const std::string& residual) {
  return R"(<ir_version: 8, opset_import: ["" : 17]>
    g (uint8[1, 4, 8, 8] x, uint8[1, 4, 8, 8] r, float[1, 4, 8, 8] plain, int8[4, 4, 1, 1] w) => (uint8[1, 4, 8, 8] y)
    <float s = {0.1}, uint8 z = {0}, int8 zw = {0}> {
      xf = DequantizeLinear(x, s, z)  wf = DequantizeLinear(w, s, zw)  rf = DequantizeLinear(r, s, z)
      c = Conv(xf, wf)  a = Add(c, )" +
         residual + R"()  y = QuantizeLinear(a, s, z) })";
}

Group GroupOf(const test::PassRun& run, std::initializer_list<uint32_t> nodes) {
  Group group;
  for (const uint32_t node : nodes) group.nodes.push_back(NodeId(node));
  group.root = group.nodes.back();
  for (const NodeId node : group.nodes) {
    for (const ValueId input : run.graph.inputs(node)) {
      const NodeId producer = run.graph.value(input).producer;
      const bool inside =
          producer.valid() && std::find(group.nodes.begin(), group.nodes.end(), producer) != group.nodes.end();
      if (!inside) group.inputs.push_back(input);
    }
  }
  group.outputs = {run.graph.outputs(group.root)[0]};
  return group;
}

TEST_CASE("an integer kernel needs both operands of a residual Add quantised") {
  test::PassRun both = test::RunPasses(QuantisedBlock("rf"));
  test::PassRun one = test::RunPasses(QuantisedBlock("plain"));
  // All but the DequantizeLinear of r; then with it.
  CHECK(HasIntegerOperands(View(both), GroupOf(both, {0, 1, 3, 4, 5})));
  CHECK(HasIntegerOperands(View(both), GroupOf(both, {0, 1, 2, 3, 4, 5})));
  CHECK_FALSE(HasIntegerOperands(View(one), GroupOf(one, {0, 1, 3, 4, 5})));
  CHECK(HasIntegerOperands(View(one), GroupOf(one, {0, 1, 3})));  // the Conv alone
}

TEST_CASE("in a quantised graph what is not quantised keeps its floating type") {
  test::PassRun run = test::RunPasses(QuantisedBlock("rf"));
  const Precision integer{.act = Num::kInt8, .weight = Num::kInt8, .floating = Num::kFp16};
  const int64_t elements = 4 * 8 * 8;
  // The residual stays an integer although its DequantizeLinear belongs to another group.
  CHECK(MakeGroupWork(View(run), GroupOf(run, {0, 1, 3, 4, 5}), integer).in_bytes == 2 * elements + 16);
  CHECK(MakeGroupWork(View(run), GroupOf(run, {0, 1, 3}), integer).out_bytes == 2 * elements);
  const Group lone = SingleNode(View(run), NodeId(2u));
  CHECK_FALSE(HasIntegerOperands(View(run), lone));
  const GroupWork work = MakeGroupWork(View(run), lone, {Num::kFp16, Num::kFp16});
  CHECK(work.in_bytes == elements);
  CHECK(work.out_bytes == 2 * elements);
}

TEST_CASE("Q/DQ of an integer kernel are its rescaling, those of a floating-point one are work") {
  test::PassRun quantised = test::RunPasses(QuantisedBlock("rf"));
  test::PassRun plain = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 4, 8, 8] x, float[1, 4, 8, 8] r, float[4, 4, 1, 1] w) => (y) { c = Conv(x, w)  y = Add(c, r) })");
  const Group block = GroupOf(quantised, {0, 1, 2, 3, 4, 5});
  const GroupWork integer = MakeGroupWork(View(quantised), block, kInt8);
  CHECK(integer.ops == MakeGroupWork(View(plain), GroupOf(plain, {0, 1}), kInt8).ops);
  CHECK(integer.flops == MakeGroupWork(View(quantised), block, kFp16).flops);
  CHECK(MakeGroupWork(View(quantised), block, kFp16).ops != integer.ops);
  // By itself each is a kernel that computes.
  const GroupWork alone = MakeGroupWork(View(quantised), SingleNode(View(quantised), NodeId(5u)), kInt8);
  CHECK(alone.ops != GroupWork().ops);
}

TEST_CASE("a quantised graph runs as it says") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (uint8[2, 4] a, uint8[4, 5] b) => (int32[2, 5] y) { y = MatMulInteger(a, b) })");
  const FilePrecision file = FilePrecisionOf(View(run));
  REQUIRE(file.quantised.has_value());
  CHECK(*file.quantised == kInt8);
  CHECK(HasIntegerOperands(View(run), SingleNode(View(run), NodeId(0u))));
  const GroupWork work = MakeGroupWork(View(run), SingleNode(View(run), NodeId(0u)), kInt8);
  CHECK(work.int_macs == 40);
  CHECK(work.contractions[0].integer);
}

TEST_CASE("a file has the type it says, where units have it or not") {
  struct Case {
    const char* graph;
    const char* name;
    Num floating;
  };
  const Case c = GENERATE(values<Case>({
      {"(float[2, 4] a, float[4, 5] b) => (y) { y = MatMul(a, b) }", "fp32", Num::kFp32},
      {"(float16[2, 4] a, float16[4, 5] b) => (y) { y = MatMul(a, b) }", "fp16", Num::kFp16},
      {"(bfloat16[2, 4] a, bfloat16[4, 5] b) => (y) { y = MatMul(a, b) }", "bf16", Num::kBf16},
      {"(double[2, 4] a, double[4, 5] b) => (y) { y = MatMul(a, b) }", "fp64", Num::kFp32},
      {"(float16[2, 4] a) => (y) { y = Relu(a) }", "fp16", Num::kFp16},
      {"(double[2, 4] a) => (y) { b = Relu(a) i = Cast<to = 7>(b) y = Add(i, i) }", "fp64", Num::kFp32},
      {"(int64[2, 4] a) => (y) { y = Add(a, a) }", "int64", Num::kFp32},
      {"(string[2, 4] a, int64[1] i) => (y) { y = Gather(a, i) }", "string", Num::kFp32},
      {"(double[2, 4] a, float[2, 4] b, float[4, 5] c) => (y, z) { z = Relu(a) y = MatMul(b, c) }", "fp32", Num::kFp32},
  }));
  CAPTURE(c.graph);
  test::PassRun run = test::RunPasses(std::string("<ir_version: 8, opset_import: [\"\" : 17]> agraph ") + c.graph);
  const FilePrecision file = FilePrecisionOf(View(run));
  CHECK(file.name == c.name);
  CHECK(file.floating == c.floating);
}

TEST_CASE("the weight that sets a file's precision stands where the operator's row says") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    g (uint8[2, 4] a, float s, uint8 z) => (uint8[2, 5] y) <uint8[4, 5] b = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
      14, 15, 16, 17, 18, 19, 20}> { y = com.microsoft.QGemm(a, s, z, b, s, z, , s, z) })");
  const FilePrecision file = FilePrecisionOf(View(run));
  REQUIRE(file.quantised.has_value());
  CHECK(*file.quantised == kInt8);  // input 1 is a scale
}

}  // namespace
}  // namespace hwest
