// Which placement problems share a frame.
#include "plan/frame.h"

#include "plan/plan_fixture.h"

namespace hwest {
namespace {

using test::PlanRun;

constexpr char kFrameChain[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) {
    a = Relu(x)
    y = Exp(a)
  })";

TEST_CASE("targets share a frame as long as the same units run the same groups") {
  PlanRun f(kFrameChain);
  const IdMap<NodeId, UnitId> no_pins(f.run.graph.nodes().size());
  const std::vector<UnitChoice> both = {{UnitId(0u)}, {UnitId(1u)}};
  const absl::Status status = f.With([&](const PlanInput& input) {
    FrameCache known(1000);
    const auto frame_of = [&](const Target& target, const Overlays& overlays, const Usable& usable) {
      return FrameOf(input.model, target, overlays, usable, &known);
    };
    const Usable usable = MakeUsable(input.model, input.support, no_pins, input.overlays, both);
    const auto frame = frame_of(input.target, input.overlays, usable);
    CHECK(frame->atoms.atoms.size() == 2);
    CHECK(frame->first_group == std::vector<uint32_t>{0, 1, 2, 3, 4});

    Target faster = input.target;
    faster.units[UnitId(0u)].clock_hz = test::Figure(2e9);
    CHECK(frame_of(faster, input.overlays, usable) == frame);

    Usable less = usable;
    less.use[0][f.node("a")] = Ability::kNo;
    CHECK(frame_of(input.target, input.overlays, less) != frame);

    Overlays others = input.overlays;
    others[UnitId(0u)] = std::make_shared<Overlay>(*others[UnitId(0u)]);
    CHECK(frame_of(input.target, others, usable) != frame);
    CHECK(FrameOf(input.model, input.target, input.overlays, usable, nullptr) != frame);
    return absl::OkStatus();
  });
  REQUIRE(status.ok());
}

}  // namespace
}  // namespace hwest
