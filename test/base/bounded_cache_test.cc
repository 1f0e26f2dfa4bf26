#include "base/bounded_cache.h"

#include <memory>
#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

// Keeps the rows in order and names those that are still there.
TEST_CASE("a bounded cache keeps the newest within its capacity") {
  struct Case {
    const char* name;
    std::vector<std::pair<char, size_t>> kept;  // key and weight
    std::string left;
  };
  const Case c = GENERATE(values<Case>({
      {"all fit", {{'a', 4}, {'b', 6}}, "ab"},
      {"the oldest goes", {{'a', 4}, {'b', 6}, {'c', 1}}, "bc"},
      {"as many as have to", {{'a', 1}, {'b', 1}, {'c', 1}, {'d', 9}}, "cd"},
      {"one too heavy changes nothing", {{'a', 4}, {'b', 11}}, "a"},
      {"one as heavy as all", {{'a', 4}, {'b', 10}}, "b"},
  }));
  INFO(c.name);
  BoundedCache<char, std::string> cache(10);
  for (const auto& [key, weight] : c.kept) cache.Keep(key, std::make_shared<const std::string>(1, key), weight);
  std::string left;
  for (const char key : std::string("abcd")) {
    if (const auto value = cache.Find([&](char known) { return known == key; })) left += *value;
  }
  CHECK(left == c.left);
}

// What was handed out is the holder's.
TEST_CASE("a value outlives its row") {
  BoundedCache<int, std::string> cache(1);
  cache.Keep(1, std::make_shared<const std::string>("one"), 1);
  const auto one = cache.Find([](int) { return true; });
  cache.Keep(2, std::make_shared<const std::string>("two"), 1);
  CHECK(*one == "one");
}

}  // namespace
}  // namespace hwest
