// Widths: which layers change together, and that a row's figure is that of the model written with the other width.
#include "study/width.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "hwest/diagnostic.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

struct WidthFound {
  std::string bytes;
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Analysis> analysis;
  absl::StatusOr<WidthReport> report;
};

Analysis AnalysedOn(const std::shared_ptr<const Graph>& graph, const std::string& target) {
  AnalysisRequest request;
  request.target = target;
  absl::StatusOr<Analysis> analysis = Analyze(graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

WidthFound WidthsFound(const std::string& text, const std::string& target, const WidthOptions& options = {}) {
  WidthFound found{.bytes = test::ModelFromText(text), .report = absl::UnknownError("not asked")};
  found.graph = *LoadModelFromMemory(found.bytes, "test");
  found.analysis = std::make_shared<const Analysis>(AnalysedOn(found.graph, target));
  const auto read = [&] { return ReadModelMemory(found.bytes, "test"); };
  found.report = WidthsOf(*found.analysis, read, {}, options, nullptr, nullptr);
  return found;
}

const WidthRow& RowNamed(const WidthFound& found, const std::string& output) {
  INFO(output << ": " << found.report.status());
  REQUIRE(found.report.ok());
  const auto row = std::find_if(found.report->rows.begin(), found.report->rows.end(),
                                [&](const WidthRow& each) { return each.layer == output; });
  REQUIRE(row != found.report->rows.end());
  return *row;
}

// A residual block: `a` and `c` are added, `d` is depthwise behind them, `p` reads a concatenation.
constexpr char kBlock[] = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 3, 32, 32] x)
    => (float[1, 10] y) <float[$A,3,3,3] wa, float[$A] ba, float[$B,$A,3,3] wb,
                         float[$A,$B,1,1] wc, float[$A,1,3,3] wd, float[$P,$E,1,1] wp,
                         float[$P,10] wy> {
  a = Conv <pads = [1, 1, 1, 1]> (x, wa, ba)
  b = Conv <pads = [1, 1, 1, 1]> (a, wb)
  r = Relu(b)
  c = Conv(r, wc)
  s = Add(a, c)
  d = Conv <pads = [1, 1, 1, 1], group = $A> (s, wd)
  e = Concat <axis = 1> (d, b)
  p = Conv(e, wp)
  m = GlobalAveragePool(p)
  f = Flatten(m)
  y = MatMul(f, wy)
})";

std::string BlockOf(int a, int b, int p) {
  return absl::StrReplaceAll(
      kBlock,
      {{"$A", std::to_string(a)}, {"$B", std::to_string(b)}, {"$P", std::to_string(p)}, {"$E", std::to_string(a + b)}});
}

TEST_CASE("layers that a sum ties change together, depthwise ones follow") {
  const WidthFound found = WidthsFound(BlockOf(24, 40, 72), "tda4vm");
  const WidthRow &a = RowNamed(found, "a"), &b = RowNamed(found, "b"), &c = RowNamed(found, "c"),
                 &d = RowNamed(found, "d"), &p = RowNamed(found, "p"), &y = RowNamed(found, "y");
  CHECK(a.width == 24);
  CHECK(a.fixed.empty());
  CHECK(a.set >= 0);
  CHECK(c.set == a.set);
  CHECK(d.set == a.set);
  CHECK(a.tied == std::vector<std::string>{"c", "d"});
  CHECK(a.readers == std::vector<std::string>{"b", "p"});
  CHECK(b.set != a.set);
  CHECK(b.tied.empty());
  CHECK(b.readers == std::vector<std::string>{"c", "p"});
  CHECK(p.readers == std::vector<std::string>{"y"});
  CHECK(y.set == -1);
  CHECK(y.fixed == "output y of the model has them");
}

struct WidthCase {
  const char* layer;
  int width;
  int a, b, p;  // of the model that is written so
};

TEST_CASE("a width is what the model written with it takes") {
  for (const char* const target : {"tda4vm", "jetson-orin", "rk3588", "x86-avx512"}) {
    for (const WidthCase& row : {WidthCase{"a", 17, 17, 40, 72},
                                 {"c", 48, 48, 40, 72},
                                 {"d", 8, 8, 40, 72},
                                 {"b", 33, 24, 33, 72},
                                 {"p", 64, 24, 40, 64}}) {
      INFO(target << " " << row.layer << " " << row.width);
      const WidthFound found = WidthsFound(BlockOf(24, 40, 72), target, {.layers = {row.layer}, .width = row.width});
      const WidthRow& of = RowNamed(found, row.layer);
      REQUIRE(of.asked.has_value());
      const Analysis written =
          AnalysedOn(*LoadModelFromMemory(test::ModelFromText(BlockOf(row.a, row.b, row.p)), "test"), target);
      CHECK(of.asked->latency_s == Approx(written.plan->latency_s).epsilon(1e-9));
      CHECK(of.asked->saving_s == Approx(found.analysis->plan->latency_s - written.plan->latency_s).margin(1e-12));
      CHECK(of.asked->params == written.params.params);
      CHECK(of.asked->macs == written.totals.macs.value());
    }
  }
}

TEST_CASE("what stands against a change is named") {
  struct Case {
    const char* text;
    const char* why;
  };
  for (const Case& row :
       {Case{R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 8, 4, 4] x) => (float[1, 5] y)
           <float[8,8,1,1] w, int64[2] to = {1, 128}, float[128,5] v> {
           a = Conv(x, w)
           b = Reshape(a, to)
           y = MatMul(b, v) })",
             "b does not take this size"},
        Case{R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 8, 4, 4] x) => (float[1, 4, 4, 4] y)
           <float[8,8,1,1] w, int64[2] parts = {4, 4}> {
           a = Conv(x, w)
           b, c = Split <axis = 1> (a, parts)
           y = Add(b, c) })",
             "b needs 8 of them"},
        Case{R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 8, 4, 4] x) => (float[1, 12, 16] y)
           <float[8,8,1,1] w, float[4,8,1,1] v, int64[3] to = {1, 12, 16}> {
           a = Conv(x, w)
           b = Conv(x, v)
           c = Concat <axis = 1> (a, b)
           y = Reshape(c, to) })",
             "y does not take this size"},
        Case{R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 8, 4, 4] x) => (float[1, 8, 4, 4] y)
           <float[8,8,1,1] w> {
           a = Conv(x, w)
           y = Add(a, x) })",
             "needs 8 of them"}}) {
    const WidthFound found = WidthsFound(row.text, "tda4vm");
    const WidthRow& of = RowNamed(found, "a");
    CHECK(of.set == -1);
    CHECK_THAT(of.fixed, Contains(row.why));
    CHECK_FALSE(of.smaller.has_value());
  }
}

TEST_CASE("the steps are those of the array") {
  const WidthFound found = WidthsFound(BlockOf(64, 70, 72), "tda4vm");
  const WidthRow& b = RowNamed(found, "b");
  REQUIRE(b.filled.has_value());
  CHECK(*b.filled > 70);
  CHECK(*b.waste == Approx(1 - 70.0 / static_cast<double>(*b.filled)));
  REQUIRE(b.smaller.has_value());
  CHECK(b.smaller->width < 70);
  CHECK(b.smaller->saving_s > 0);
  REQUIRE_FALSE(b.staircase.empty());
  CHECK(found.report->waste_share > 0);
  CHECK(found.report->waste_share < 1);
}

TEST_CASE("widths refuse what they cannot answer") {
  const WidthFound found = WidthsFound(BlockOf(24, 40, 72), "tda4vm", {.layers = {"nobody"}, .width = {}});
  REQUIRE_FALSE(found.report.ok());
  CHECK(DiagnosticOf(found.report.status()).code == Code::kUsage);
  CHECK_THAT(std::string(found.report.status().message()), Contains("nobody"));
}

}  // namespace
}  // namespace hwest
