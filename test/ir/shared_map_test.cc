#include "hwest/shared_map.h"

#include <optional>
#include <string>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("equal rows are stored once and read by id") {
  SharedMap<NodeId, std::string> map(3, "a");
  map.Set(NodeId(1u), "b");
  CHECK(map.push_back("a") == NodeId(3u));
  map.Set(NodeId(0u), "b");
  CHECK(map.size() == 4);
  CHECK(map[NodeId(0u)] == "b");
  CHECK(map[NodeId(1u)] == "b");
  CHECK(map[NodeId(2u)] == "a");
  CHECK(map[NodeId(3u)] == "a");
  CHECK(std::vector<std::string>(map.distinct().begin(), map.distinct().end()) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("none is a row like any other") {
  SharedMap<NodeId, std::optional<int>> map(2);
  map.Set(NodeId(1u), 0);
  CHECK_FALSE(map[NodeId(0u)].has_value());
  CHECK(map[NodeId(1u)] == 0);
  CHECK(map.distinct().size() == 2);
}

TEST_CASE("a copy is a table of its own; a moved one keeps its rows") {
  SharedMap<NodeId, std::string> map(2, "a");
  SharedMap<NodeId, std::string> copy = map;
  copy.Set(NodeId(0u), "b");
  CHECK(map[NodeId(0u)] == "a");
  CHECK(map.distinct().size() == 1);
  const SharedMap<NodeId, std::string> moved = std::move(copy);
  CHECK(moved[NodeId(0u)] == "b");
  CHECK(moved[NodeId(1u)] == "a");
  CHECK(SharedMap<NodeId, std::string>().empty());
}

}  // namespace
}  // namespace hwest
