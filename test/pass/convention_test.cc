#include "pass/convention.h"

#include "pass/convention_rules.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::RunPasses;

const std::string kNetHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

// A convolution of 4 filters over 3 x 3 of 2 channels, 8 x 8 positions: 4608 products a sample.
const std::string kConvNet =
    kNetHead +
    "agraph (float[n, 2, 8, 8] x) => (float[n, 10] y)"
    " <int64[4] ws = {4, 2, 3, 3}, float[4] b = {1, 2, 3, 4}, int64[2] fs = {10, 4}, int64[1] gs = {10}> {"
    " w = ConstantOfShape(ws)  f = ConstantOfShape(fs)  g = ConstantOfShape(gs)"
    " c = Conv<pads = [1, 1, 1, 1]>(x, w, b)  n1 = BatchNormalization(c, b, b, b, b)  r = Relu(n1)"
    " p = GlobalAveragePool(r)  q = Flatten(p)  y = Gemm<transB = 1>(q, f, g) }";

struct Figures {
  std::string total;
  std::vector<std::pair<std::string, std::string>> rows;  // operator and count
};

Figures CountText(Convention convention, const std::string& model) {
  auto run = RunPasses(model);
  const ConventionTable table =
      CountAs(convention, run.graph, run.facts, run.classes, run.tables.work, run.runs, run.dims);
  Figures figures{.total = run.dims.ToString(table.total)};
  for (const ConventionRow& row : table.rows) {
    figures.rows.emplace_back(row.op, run.dims.ToString(row.theirs));
    CHECK_FALSE(row.reason.empty());
  }
  return figures;
}

TEST_CASE("conventions: a convolution net") {
  using Rows = std::vector<std::pair<std::string, std::string>>;
  struct Row {
    Convention convention;
    std::string total;
    Rows rows;
  };
  // clang-format off
  const Row rows[] = {
      {Convention::kFvcore, "5416*n",
       {{"BatchNormalization", "512*n"}, {"Conv", "4608*n"}, {"Flatten", "0"}, {"Gemm", "40*n"},
        {"GlobalAveragePool", "256*n"}, {"Relu", "0"}}},
      {Convention::kTorch, "9296*n",
       {{"BatchNormalization", "0"}, {"Conv", "9216*n"}, {"Flatten", "0"}, {"Gemm", "80*n"},
        {"GlobalAveragePool", "0"}, {"Relu", "0"}}},
      {Convention::kThop, "5932*n",
       {{"BatchNormalization", "1024*n"}, {"Conv", "4608*n"}, {"Flatten", "0"}, {"Gemm", "40*n"},
        {"GlobalAveragePool", "260*n"}, {"Relu", "0"}}},
      {Convention::kOnnxTool, "13378*n",
       {{"BatchNormalization", "7936*n"}, {"Conv", "4864*n"}, {"Flatten", "0"}, {"Gemm", "50*n"},
        {"GlobalAveragePool", "272*n"}, {"Relu", "256*n"}}},
  };
  // clang-format on
  for (const Row& row : rows) {
    INFO(std::string(InfoOf(row.convention).name));
    const Figures figures = CountText(row.convention, kConvNet);
    CHECK(figures.total == row.total);
    CHECK(figures.rows == row.rows);
  }
}

TEST_CASE("conventions: the native one sums to the totals") {
  auto run = RunPasses(kConvNet);
  const ConventionTable table =
      CountAs(Convention::kNative, run.graph, run.facts, run.classes, run.tables.work, run.runs, run.dims);
  CHECK(table.total == run.totals.flops);
  Dim macs = 0;
  for (const ConventionRow& row : table.rows) macs = run.dims.Add(macs, row.native_macs);
  CHECK(macs == run.totals.macs);
}

TEST_CASE("conventions: attention written out, and layers of their own") {
  const std::string attention =
      kNetHead +
      "agraph (float[2, 5, 8] q, float[2, 8, 5] k) => (float[2, 5, 4] y) <int64[2] ws = {5, 4}> {"
      " w = ConstantOfShape(ws)  s = MatMul(q, k)  p = Softmax<axis = -1>(s)  y = MatMul(p, w) }";
  CHECK(CountText(Convention::kFvcore, attention).total == "600");  // 400 + 200
  CHECK(CountText(Convention::kTorch, attention).total == "1200");
  CHECK(CountText(Convention::kThop, attention).total == "340");       // 200, and a softmax of 3 * 50 - 10
  CHECK(CountText(Convention::kOnnxTool, attention).total == "2400");  // 600 and 36 * 50

  const std::string up =
      "<ir_version: 8, opset_import: [\"\" : 10]> "
      "agraph (float[1, 2, 3, 3] x) => (float[1, 2, 6, 6] y, float[1, 2, 6, 6] z)"
      " <float[4] s = {1, 1, 2, 2}> {"
      " y = Resize<mode = \"linear\">(x, s)  z = Resize<mode = \"nearest\">(x, s) }";
  CHECK(CountText(Convention::kFvcore, up).total == "360");  // 4 * 72 + 72
  CHECK(CountText(Convention::kThop, up).total == "864");    // 11 * 72 + 72
  CHECK(CountText(Convention::kOnnxTool, up).total == "288");

  const std::string lstm = kNetHead +
                           "agraph (float[7, 2, 3] x) => (float[7, 1, 2, 5] y)"
                           " <int64[3] ws = {1, 20, 3}, int64[3] rs = {1, 20, 5}, int64[2] bs = {1, 40}> {"
                           " w = ConstantOfShape(ws)  r = ConstantOfShape(rs)  b = ConstantOfShape(bs)"
                           " y = LSTM<hidden_size = 5>(x, w, r, b) }";
  CHECK(CountText(Convention::kThop, lstm).total == "3360");       // 14 * (4 * (40 + 15) + 20)
  CHECK(CountText(Convention::kOnnxTool, lstm).total == "15400");  // 14 * (60 + 100 + 40) + 180 * 70
  CHECK(CountText(Convention::kTorch, lstm).total == "0");
}

TEST_CASE("conventions: transposed convolutions over output positions") {
  const std::string model = kNetHead +
                            "agraph (float[1, 4, 3, 3] x) => (float[1, 6, 6, 6] y)"
                            " <int64[4] ws = {4, 6, 2, 2}, int64[1] bs = {6}> {"
                            " w = ConstantOfShape(ws)  b = ConstantOfShape(bs)"
                            " y = ConvTranspose<strides = [2, 2]>(x, w, b) }";
  CHECK(CountText(Convention::kTorch, model).total == "1728");     // 2 * 9 * 96
  CHECK(CountText(Convention::kThop, model).total == "3456");      // 216 * 4 * 4
  CHECK(CountText(Convention::kOnnxTool, model).total == "5400");  // 216 * 24 + 216
}

TEST_CASE("conventions: a functional call has no module to hook") {
  const Figures figures =
      CountText(Convention::kThop,
                "<ir_version: 8, opset_import: [\"\" : 17, \"m\" : 1]> "
                "agraph (float[1, 4] x) => (float[1, 3] y) <float[4, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {"
                " y = m.Net(x, w) } "
                "<domain: \"m\", opset_import: [\"\" : 17, \"m\" : 1]> Net (x, w) => (y) {"
                " h = m.Linear(x, w)  z = MatMul(x, w)  y = Add(h, z) } "
                "<domain: \"m\", opset_import: [\"\" : 17]> Linear (x, w) => (y) { y = MatMul(x, w) }");
  CHECK(figures.total == "12");
  const std::vector<std::pair<std::string, std::string>> rows = {{"Add", "0"}, {"MatMul", "12"}, {"MatMul", "0"}};
  CHECK(figures.rows == rows);
}

TEST_CASE("conventions: an operator without a rule makes the total unknown") {
  const std::string model =
      "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> "
      "agraph (float[4] x) => (float[4] y, float[4] z) { y = my.Foo(x)  z = Relu(x) }";
  for (const ConventionInfo& info : AllConventions()) {
    CHECK(CountText(info.convention, model).total == "?");
  }
}

TEST_CASE("conventions: every tool ends with what it does not know") {
  for (const ConventionInfo& info : AllConventions()) {
    CHECK(FindConvention(info.name) == &info);
    const ConventionRule* last = nullptr;
    for (const ConventionRule& rule : ConventionRules()) {
      if (rule.convention != info.convention) continue;
      CHECK((last == nullptr || !last->ops.empty()));
      last = &rule;
    }
    CHECK((last == nullptr) == (info.convention == Convention::kNative));
    if (last != nullptr) CHECK(last->ops.empty());
  }
  CHECK(FindConvention("ptflops") == nullptr);
}

}  // namespace
}  // namespace hwest
