// When values are in memory: from the group that makes them to their last reader, or until another takes their place.
#include <algorithm>
#include <map>
#include <string>

#include "plan/liveness.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

// A diamond: `a` waits for `c`. `c` takes the place of `b`, and `y` that of `a`.
constexpr char kDiamond[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[64] x) => (float[64] y) {"
    " a = Relu(x)  b = Sigmoid(a)  c = Tanh(b)  y = Add(a, c) }";

Analysis WithFusions(const char* text, const char* fusions) {
  AnalysisRequest request;
  request.target = "jetson-orin";
  request.only = {"cpu"};
  request.fusions = fusions;
  request.precision = "fp32";
  auto analysis = Analyze(std::make_shared<const Graph>(test::GraphFromText(text)), request);
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

TEST_CASE("lifetimes of a diamond") {
  const Analysis analysis = WithFusions(kDiamond, "none");
  std::map<std::string, Lifetime> by_name;
  for (const Lifetime& life : analysis.plan->lifetimes) by_name[std::string(analysis.graph->name(life.value))] = life;
  const auto is = [&](const char* name, uint32_t first, uint32_t last) {
    const Lifetime& life = by_name.at(name);
    INFO(name);
    CHECK(life.bytes == 256);
    CHECK(life.first == GroupId(first));
    CHECK(life.last == GroupId(last));
  };
  CHECK(by_name.size() == 5);
  is("x", 0, 0);
  is("a", 0, 2);
  is("b", 1, 1);
  is("c", 2, 3);
  is("y", 3, 3);
  CHECK(LiveBytesOf(analysis.plan->lifetimes, 4) == std::vector<int64_t>{512, 512, 512, 512});
}

TEST_CASE("the largest of the live bytes, with the weights, is the peak") {
  const char* fusions = GENERATE("none", "");
  const Analysis analysis = WithFusions(kDiamond, fusions);
  const std::vector<int64_t> live = LiveBytesOf(analysis.plan->lifetimes, analysis.plan->groups.size());
  CHECK(*std::max_element(live.begin(), live.end()) + analysis.plan->deployed_bytes ==
        analysis.plan->peak_memory_bytes);
}

}  // namespace
}  // namespace hwest
