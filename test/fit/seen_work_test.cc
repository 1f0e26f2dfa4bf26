#include "fit/seen_work.h"

#include <string>

#include "support/catch.h"

namespace hwest::test {
namespace {

SeenWork Seen() {
  SeenWork seen;
  seen.Add("a", {{"conv.m", 0.9}, {"Softmax.s", 0.1}});
  seen.Add("b", {{"conv.m", 0.99}, {"Resize:4.l", 0.005}, {"Softmax.s", 0.005}});
  seen.Add("c", {{"conv.m", 0.5}, {"Resize:4.l", 0.5}});
  seen.Add("c", {{"Resize:4.l", 1}});
  return seen;
}

TEST_CASE("work is seen where models of two families spend time in it") {
  // Softmax takes too little of b, Resize of all but c.
  CHECK(Seen().Classes() == "conv.m");
  CHECK(Seen().num_families() == 3);
}

TEST_CASE("a left-out family does not show its own work") {
  const TimeByClass times = {{"conv.m", 3}, {"Softmax.s", 1}};
  CHECK(Seen().UnseenShare(times, "d") == Approx(0.25));
  CHECK(Seen().UnseenShare(times, "a") == Approx(0.25));  // b and c still show the convolution
  SeenWork two;
  two.Add("a", {{"conv.m", 1}});
  two.Add("b", {{"conv.m", 1}});
  CHECK(two.UnseenShare(times, "c") == Approx(0.25));
  CHECK(two.UnseenShare(times, "a") == Approx(1));
  CHECK(two.UnseenShare({}, "a") == 0);
}

TEST_CASE("of many families, a class is seen as far as the second of them goes") {
  SeenWork seen;
  seen.Add("a", {{"conv.m", 1}, {"Softmax.s", 3}});
  seen.Add("b", {{"conv.m", 9}, {"Softmax.s", 1}});
  seen.Add("b", {{"conv.m", 4}, {"Softmax.s", 1}});  // the largest of a family's models counts
  CHECK(seen.Classes() == "Softmax.s conv.m");
  for (int other = 0; other < 18; ++other) seen.Add(std::to_string(other), {{"Relu.s", 1}});
  CHECK(seen.Classes() == "Relu.s Softmax.s=0.2 conv.m=0.25");
  CHECK(seen.UnseenShare({{"Softmax.s", 1}}, "c") == Approx(0.8));
  CHECK(seen.UnseenShare({{"Softmax.s", 1}, {"Relu.s", 9}}, "c") == 0);
  CHECK(seen.UnseenShare({{"Softmax.s", 1}}, "0") == 0);  // nineteen are left
}

}  // namespace
}  // namespace hwest::test
