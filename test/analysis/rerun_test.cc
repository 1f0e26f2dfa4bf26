// Analyses of one model for many targets: each has only the tables of its own run.
#include "analysis/rerun.h"

#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

constexpr char kModel[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> agraph (float[2, 4] x, float[4, 8] w) => (float[2, 8] y) {"
    " m = MatMul(x, w)  h = Relu(m)  y = my.Odd(h) }";

TEST_CASE("a plan made anew is covered as one made at once") {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(kModel));
  auto rerun = Rerun::Start(graph, {});
  REQUIRE(rerun.ok());
  for (const char* target : {"jetson-orin", "tda4vm", "coral-usb", "jetson-orin"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const auto again = rerun->Plan(request);
    const auto once = Analyze(graph, request);
    REQUIRE(again.ok());
    REQUIRE(once.ok());
    CHECK((*again)->coverage.placed == once->coverage.placed);
    CHECK((*again)->coverage.costed == once->coverage.costed);
    CHECK((*again)->coverage.costed > 0);
    CHECK((*again)->coverage.macs_share == once->coverage.macs_share);
    CHECK((*again)->coverage.unknown_nodes == once->coverage.unknown_nodes);
    CHECK((*again)->toolchain_stats.size() == once->toolchain_stats.size());
    CHECK((*again)->plan->latency_s == once->plan->latency_s);
  }
}

}  // namespace
}  // namespace hwest
