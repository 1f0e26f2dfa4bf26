// How much of an analysis rests on measurements, and how that affects its interval.
#include <algorithm>
#include <cmath>
#include <memory>

#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

const std::string kMixedNetwork =
    "<ir_version: 8, opset_import: [\"\" : 17]> "
    "agraph (float[1, 16, 64, 64] x, float[32, 16, 3, 3] w, float[32, 1, 3, 3] d, float[64, 32, 1, 1] p)"
    " => (float[a, b, c, e] y) {"
    " u = Conv<pads = [1, 1, 1, 1]>(x, w)  v = Conv<pads = [1, 1, 1, 1], group = 32>(u, d)  t = Conv(v, p)"
    " y = Transpose<perm = [0, 2, 3, 1]>(t) }";

Analysis WithEvidence(const std::string& classes, double unseen_ln) {
  auto target = LoadTarget("sa8295p");
  REQUIRE(target.ok());
  Unit& unit = target->units[UnitIdOf(*target, "htp")];
  unit.evidence.clear();
  if (classes != "none") {
    unit.evidence.push_back({.precision = "int8", .classes = classes, .count = 1, .families = 2, .data = "d"});
  }
  unit.params.push_back(
      {.name = "interval_ln_unseen.int8", .fact = {.fit = Fit{.value = unseen_ln}}, .min = 0, .max = 4});
  std::rotate(unit.params.begin(), unit.params.end() - 1, unit.params.end());
  AnalysisRequest request;
  request.loaded = std::make_shared<const Target>(*std::move(target));
  request.precision = "int8";
  request.only = {"htp"};
  auto graph = LoadModelFromMemory(test::ModelFromText(kMixedNetwork), "test.onnx");
  REQUIRE(graph.ok());
  auto analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

double HalfWidth(const Analysis& analysis) {
  return std::log(analysis.plan->latency_high_s / analysis.plan->latency_s);
}

TEST_CASE("the evidence share is of the time, and the rest is named") {
  const Analysis none = WithEvidence("none", 1);
  CHECK_FALSE(none.plan->evidence_share.has_value());
  CHECK(none.plan->unseen.empty());

  const Analysis nothing = WithEvidence("", 1);
  REQUIRE(nothing.plan->evidence_share.has_value());
  CHECK(*nothing.plan->evidence_share == Approx(0).margin(1e-9));
  std::vector<std::string> names;
  double shares = 0;
  for (const UnseenWork& row : nothing.plan->unseen) {
    names.push_back(row.what);
    shares += row.share;
  }
  CHECK(shares == Approx(1));
  for (const char* name : {"convolution", "depthwise convolution", "1 x 1 convolution", "Transpose 4-D"}) {
    CAPTURE(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }

  const Analysis some = WithEvidence("conv.s conv.m conv_1x1.s conv_1x1.m conv_depthwise.s conv_depthwise.m", 1);
  REQUIRE(some.plan->unseen.size() == 1);
  CHECK(some.plan->unseen[0].what == "Transpose 4-D");
  CHECK(*some.plan->evidence_share == Approx(1 - some.plan->unseen[0].share));
}

TEST_CASE("an interval widens with the share that measurements have not seen") {
  const std::string convs = "conv.s conv.m conv_1x1.s conv_1x1.m conv_depthwise.s conv_depthwise.m";
  const Analysis all = WithEvidence(convs + " Transpose:4.s Transpose:4.m Transpose:4.l", 1),
                 some = WithEvidence(convs, 1), no = WithEvidence("", 1);
  CHECK(*all.plan->evidence_share == 1);
  CHECK(HalfWidth(all) < HalfWidth(some));
  CHECK(HalfWidth(some) < HalfWidth(no));
  CHECK(HalfWidth(no) == Approx(std::hypot(HalfWidth(all), 1)));
  CHECK(HalfWidth(WithEvidence("", 0)) == Approx(HalfWidth(all)));
  size_t timed = 0;
  for (const PlannedGroup& group : no.plan->groups) {
    if (!group.estimate.has_value()) continue;
    CHECK(group.estimate->high_s == Approx(group.estimate->time_s * std::exp(HalfWidth(no))));
    ++timed;
  }
  CHECK(timed > 0);
}

}  // namespace
}  // namespace hwest
