// The cost elsewhere that explain gives for a node or a whole group.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "hwest/study.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

TEST_CASE("a group is compared with the same nodes on other units") {
  std::ifstream file(std::string(HWEST_SOURCE_DIR) + "/test/models/tiny/residual_block.onnxtxt");
  std::stringstream text;
  text << file.rdbuf();
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(text.str()));
  AnalysisRequest request;
  request.target = GENERATE("tda4vm", "rk3588", "sa8295p");
  const auto base = Analyze(graph, request);
  REQUIRE(base.ok());
  size_t moved = 0;
  for (const PlannedGroup& group : base->plan->groups) {
    const std::vector<NodeId> nodes(group.group.nodes.begin(), group.group.nodes.end());
    if (!group.unit.valid() || nodes.size() < 2) continue;
    const auto rows = MovesOf(graph, *base, nodes);
    REQUIRE(rows.ok());
    for (const MoveRow& row : *rows) {
      if (!row.latency_s.has_value()) continue;
      AnalysisRequest pinned = request;
      for (const NodeId node : nodes)
        pinned.pin.push_back({absl::StrCat("#", node.index()), base->target->units[row.unit].name});
      const auto again = Analyze(graph, pinned);
      REQUIRE(again.ok());
      CHECK(again->plan->latency_s == *row.latency_s);
      double time_s = 0;
      std::set<GroupId> seen;
      for (const NodeId node : nodes) {
        const GroupId id = again->plan->group_of[node];
        const PlannedGroup& there = again->plan->groups[id.index()];
        CHECK(there.unit == row.unit);
        if (seen.insert(id).second) time_s += there.estimate->time_s;
      }
      CHECK(std::abs(time_s - *row.time_s) <= 1e-12);
      if (row.unit == group.unit) {
        CHECK(*row.time_s == group.estimate->time_s);
      } else {
        ++moved;
      }
    }
  }
  CHECK(moved > 0);
}

TEST_CASE("views of a fused group have no time where the fusion is not made") {
  const auto graph = std::make_shared<const Graph>(test::GraphFromText(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      group_norm (float[1, 32, 14, 14] x) => (float[1, 32, 14, 14] y)
      <float[8] scale, float[8] shift, int64[3] groups = {1, 8, -1}, int64[4] whole = {1, 32, 14, 14}>
      {
        g = Reshape(x, groups)
        n = InstanceNormalization(g, scale, shift)
        y = Reshape(n, whole)
      })"));
  AnalysisRequest request;
  request.target = "jetson-tx2";
  const auto base = Analyze(graph, request);
  REQUIRE(base.ok());
  const PlannedGroup& group = base->plan->groups[0];
  REQUIRE(group.group.nodes.size() == 3);
  const auto rows = MovesOf(graph, *base, {group.group.nodes.begin(), group.group.nodes.end()});
  REQUIRE(rows.ok());
  const bool is_apart = std::any_of(rows->begin(), rows->end(),
                                    [&](const MoveRow& row) { return row.unit != group.unit && row.time_s > 0; });
  CHECK(is_apart);
}

}  // namespace
}  // namespace hwest
