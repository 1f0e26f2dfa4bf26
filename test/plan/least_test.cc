// The lower bound on plans without fusions, compared with such plans.
#include "plan/least.h"

#include <limits>

#include "plan/plan_fixture.h"

namespace hwest {
namespace {

using test::PlanRun;

constexpr double kAll = std::numeric_limits<double>::infinity();

double Least(PlanRun& f, double enough = kAll) {
  double seconds = -1;
  const absl::Status status = f.With([&](const PlanInput& input) {
    seconds = LeastUnfusedSeconds(input, enough);
    return absl::OkStatus();
  });
  REQUIRE(status.ok());
  return seconds;
}

constexpr char kOne[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) { y = Relu(x) })";

constexpr char kLeastChain[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) {
    a = Relu(x)
    s = Softmax(a)
    y = Relu(s)
  })";

// Values that fit the scratchpad one by one and not together.
constexpr char kWide[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 40000] x) => (float[1, 40000] y) {
    a = Relu(x)
    b = Exp(a)
    c = Tanh(a)
    d = Add(b, c)
    y = Add(a, d)
  })";

TEST_CASE("no plan without fusions is below its bound") {
  const char* text = GENERATE(as<const char*>(), kOne, kLeastChain, kWide);
  for (const char* precision : {"auto", "int8"}) {
    PlanRun f(text);
    f.request.precision = precision;
    const absl::StatusOr<Plan> plan = f.Place();
    CAPTURE(text, precision);
    REQUIRE(plan.ok());
    const double least = Least(f);
    CAPTURE(text, precision);
    CHECK(least > 0);
    CHECK(least <= plan->latency_s);
  }
}

// On the npu: a launch of 1 us, and 4000 bytes in and out at 1 GB/s.
TEST_CASE("the bound of one node is the node where it runs fastest") {
  PlanRun f(kOne);
  CHECK(Least(f) == Approx(9e-6));
}

TEST_CASE("it stops above what is enough") {
  PlanRun f(kWide);
  const double all = Least(f), some = Least(f, all / 4);
  CHECK(some > all / 4);
  CHECK(some < all);
}

TEST_CASE("where plans may be below the sum of their nodes it says nothing") {
  PlanRun f(kLeastChain);
  SECTION("a fused group") { f.joined = {{f.node("s"), f.node("y")}}; }
  SECTION("a pin") { f.request.pin = {{.what = "Softmax", .unit = "cpu"}}; }
  SECTION("a unit whose groups overlap") { f.target.units[UnitId(0u)].kind = UnitKind::kDataflow; }
  CHECK(Least(f) == 0);
}

}  // namespace
}  // namespace hwest
