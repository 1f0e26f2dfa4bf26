#include <algorithm>
#include <memory>
#include <string>

#include "base/text.h"
#include "hwest/study.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

int64_t NumBatchRows(const std::string& body) {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64] x) => (y) "
      "<int64[1] first = {0}> { w = RandomNormal<shape = [64, 64]>() " + body + " }"));
  AnalysisRequest request;
  request.target = "x86-avx2";
  const auto base = Analyze(graph, request);
  INFO(base.status());
  REQUIRE(base.ok());
  const auto rows = WhatIf(graph, *base, "", nullptr);
  REQUIRE(rows.ok());
  return std::count_if(rows->begin(), rows->end(), [](const WhatIfRow& row) { return row.kind == WhatIfKind::kBatch; });
}

TEST_CASE("a larger batch is proposed only where the work follows it") {
  CHECK(NumBatchRows("y = MatMul(x, w)") == 3);
  CHECK(NumBatchRows("g = Gather(x, first)  y = MatMul(g, w)") == 0);
}

TEST_CASE("a larger batch says its time per input and per batch") {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64] x, float[64, 64] w) => (y) { y = MatMul(x, w) }"));
  AnalysisRequest request;
  request.target = "x86-avx2";
  const auto base = Analyze(graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(graph, *base, "", nullptr);
  REQUIRE(rows.ok());
  for (const WhatIfRow& row : *rows) {
    if (row.kind != WhatIfKind::kBatch) continue;
    const std::string per_input = FormatSeconds(row.latency_s / static_cast<double>(row.batch)) + " per input, ";
    CHECK(row.change == "batch " + std::to_string(row.batch) + " instead of 1: " + per_input +
                            FormatSeconds(row.latency_s) + " per batch");
  }
}

}  // namespace
}  // namespace hwest
