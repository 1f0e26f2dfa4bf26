// What ends refusals: each cure is made again by its flags, and the nodes that it names are refused no longer.
#include "study/cures.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hwest/diagnostic.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

struct Found {
  std::shared_ptr<const Graph> graph;
  std::vector<RefusalRow> rows;
};

Found CuresOf(const std::string& text, const std::string& target, const std::string& precision = "auto") {
  const std::string bytes = test::ModelFromText(text);
  auto model = std::make_shared<const EditedModel>(*EditedModel::FromMemory(bytes, "test"));
  const CureSource source{.model = model, .read = [&] { return ReadModelMemory(bytes, "test"); }};
  Found found{.graph = *model->GraphOf()};
  AnalysisRequest request;
  request.target = target;
  request.precision = precision;
  const absl::StatusOr<Analysis> analysis = Analyze(found.graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  found.rows = RefusalsOf(*analysis);
  REQUIRE(FindCures(found.graph, *analysis, source, nullptr, nullptr, &found.rows).ok());
  return found;
}

const RefusalRow& RowOf(const Found& found, const std::string& op) {
  const auto row = std::find_if(found.rows.begin(), found.rows.end(), [&](const auto& each) { return each.op == op; });
  REQUIRE(row != found.rows.end());
  return *row;
}

struct CureCase {
  const char* model;
  const char* target;
  const char* op;
  CureKind kind;
  const char* flag;  // the last one, or of a cut the value
};

constexpr char kSoftmax[] = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 8, 16, 16] x)
    => (float[1, 8, 16, 16] y) { a = Softmax <axis = 1> (x) y = Relu(a) })";
// Post-processing of a network: hardly any MACs, and no form that the target takes.
constexpr char kDetection[] = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 64, 64, 64] x)
    => (float[1, 64] y) <int64[4] f = {64, 64, 3, 3}> {
  w = ConstantOfShape(f)
  c = Conv <pads = [1, 1, 1, 1]> (x, w)
  y = Det(c)
})";

TEST_CASE("a refusal has the change that ends it") {
  for (const CureCase& row : {CureCase{kSoftmax, "tda4vm", "Softmax", CureKind::kRewrite, "softmax_axis_moved"},
                              CureCase{kDetection, "tda4vm", "Det", CureKind::kCut, "c"}}) {
    INFO(row.op);
    const Found found = CuresOf(row.model, row.target);
    const RefusalRow& refused = RowOf(found, row.op);
    REQUIRE(refused.cure.has_value());
    CHECK(refused.cure->kind == row.kind);
    CHECK(refused.cure->nodes == refused.nodes);
    const std::string last = row.kind == CureKind::kCut ? refused.cure->outputs.back() : refused.cure->flags.back();
    CHECK(last == row.flag);
  }
}

TEST_CASE("a change that puts other refused nodes in place of the old ones is no cure") {
  // Det in the middle of the work, which no rule writes out.
  const Found found = CuresOf(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[4, 4] x, float[4, 4] z)
      => (float[4, 4] y) { m = MatMul(x, z) d = Det(m) n = Mul(m, d) y = MatMul(n, z) })",
                              "tda4vm");
  CHECK_FALSE(RowOf(found, "Det").cure.has_value());
}

TEST_CASE("what the request denies is refused, and needs no cure") {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(kSoftmax));
  AnalysisRequest request;
  request.target = "tda4vm";
  request.deny = {{"Relu", "c7x-mma"}};
  const Analysis analysis = *Analyze(graph, request);
  std::vector<RefusalRow> rows = RefusalsOf(analysis);
  REQUIRE(FindCures(graph, analysis, {}, nullptr, nullptr, &rows).ok());
  const auto denied = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.op == "Relu"; });
  REQUIRE(denied != rows.end());
  CHECK(denied->evidence == EvidenceKind::kRequest);
  CHECK_FALSE(denied->cure.has_value());
}

TEST_CASE("the study ends when it is told to") {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(kSoftmax));
  AnalysisRequest request;
  request.target = "tda4vm";
  const Analysis analysis = *Analyze(graph, request);
  std::vector<RefusalRow> rows = RefusalsOf(analysis);
  const absl::Status status = FindCures(graph, analysis, {}, nullptr, [] { return true; }, &rows);
  CHECK(DiagnosticOf(status).code == Code::kInterrupted);
}

}  // namespace
}  // namespace hwest
