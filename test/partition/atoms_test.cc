// Atoms and their order on small graphs with overlays written by hand.
#include "partition/atoms.h"

#include "cost/tiny_target.h"
#include "partition/cuts.h"
#include "partition/flow.h"
#include "partition/order.h"
#include "pass/pass_fixture.h"

namespace hwest {
namespace {

ModelView View(test::PassRun& run) { return {run.graph, run.facts, run.classes, run.tables.work, run.dims}; }

constexpr UnitId kNpu(0u);
constexpr UnitId kCpu(1u);

// a -> b -> d and a -> c -> d, then a view and e.
constexpr char kDiamond[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[8] x) => (float[8] e) {
    a = Relu(x)
    b = Exp(a)
    c = Tanh(a)
    d = Add(b, c)
    v = Identity(d)
    e = Sqrt(v)
  })";

class Fixture {
 public:
  explicit Fixture(const char* text) : run(test::RunPasses(text)), target(test::TinyTarget()), overlays(2) {
    support = SupportTable(2);
    for (Overlay& overlay : overlays) overlay.group_of = IdMap<NodeId, GroupId>(run.graph.nodes().size());
    for (auto& rows : support) rows = SharedMap<NodeId, Support>(run.graph.nodes().size(), {.verdict = Verdict::kYes});
  }
  NodeId node(const char* output) { return test::NodeOf(run.graph, output); }
  void Group(UnitId unit, const std::vector<const char*>& outputs) {
    hwest::Group group{.pattern = "test"};
    for (const char* output : outputs) group.nodes.push_back(node(output));
    group.root = group.nodes.back();
    for (const NodeId member : group.nodes) overlays[unit].group_of[member] = GroupId(overlays[unit].groups.size());
    overlays[unit].groups.push_back(group);
  }
  void Refuse(UnitId unit, const char* output) { support[unit].Set(node(output), {.verdict = Verdict::kNo}); }
  // "a bc d": atoms in order, each the names of its nodes' outputs.
  std::string Text() {
    shared = Overlays();
    for (const Overlay& overlay : overlays) shared.push_back(std::make_shared<Overlay>(overlay));
    usable = MakeUsable(View(run), support, IdMap<NodeId, UnitId>(run.graph.nodes().size()), shared,
                        {{kNpu, false}, {kCpu, false}});
    usable.width_first = width_first;
    atoms = BuildAtoms(View(run), target, usable);
    std::string text;
    for (const Atom& atom : atoms.atoms) {
      if (!text.empty()) text += " ";
      for (const NodeId id : atom.nodes) text += std::string(run.graph.name(run.graph.outputs(id)[0]));
    }
    return text;
  }

  test::PassRun run;
  Target target;
  IdMap<UnitId, Overlay> overlays;
  Overlays shared;
  SupportTable support;
  std::optional<std::vector<std::string>> width_first;
  Usable usable;
  Atoms atoms;
};

TEST_CASE("atoms are the union of what the units fuse") {
  Fixture f(kDiamond);
  SECTION("nothing fused, one branch after the other") { CHECK(f.Text() == "a b c d e"); }
  SECTION("one unit's groups") {
    f.Group(kNpu, {"c", "d"});
    CHECK(f.Text() == "a b cd e");
  }
  SECTION("overlapping groups of two units") {
    f.Group(kNpu, {"c", "d"});
    f.Group(kCpu, {"d", "e"});
    CHECK(f.Text() == "a b cde");
  }
  SECTION("a group around a branch takes the branch in") {
    f.Group(kNpu, {"a", "c", "d"});
    CHECK(f.Text() == "abcd e");
  }
}

// Two masks beside a product of two values; the host runs u and w.
constexpr char kMasked[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[8,8] x, float[8,8] y, float[8,8] z) => (float[8,8] e) {
    a = MatMul(x, x)
    b = Relu(a)
    s = Neg(y)
    u = Exp(s)
    v = Abs(u)
    w = Tanh(z)
    c = Add(b, w)
    e = Mul(c, v)
  })";

TEST_CASE("what is ready comes before what it makes ready") {
  Fixture f(kMasked);
  f.width_first.emplace();
  SECTION("not where the accelerator runs all") { CHECK(f.Text() == "a b w c s u v e"); }
  SECTION("not where no toolchain says so") {
    f.width_first.reset();
    f.Refuse(kNpu, "u");
    f.Refuse(kNpu, "w");
    CHECK(f.Text() == "a b w c s u v e");
  }
  SECTION("single operators before a product of two values") {
    f.Refuse(kNpu, "u");
    f.Refuse(kNpu, "w");
    CHECK(f.Text() == "s w u v a b c e");
  }
  SECTION("those named last behind all others") {
    f.width_first->push_back("Neg");
    f.Refuse(kNpu, "w");
    CHECK(f.Text() == "w a b c s u v e");
  }
}

// Three products with weights, of which two are one kernel with what follows; the host runs t.
constexpr char kWeighted[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[8,8] x) => (float[8,8] e)
  <float[8,8] w = {)"
                             "1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,"
                             R"(0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1}> {
    k = MatMul(x, w)
    d = Add(k, x)
    m = MatMul(x, w)
    r = Relu(m)
    n = MatMul(x, w)
    t = Tanh(n)
    h = Add(d, r)
    e = Add(h, t)
  })";

TEST_CASE("products with weights wait for single operators, and sums for these") {
  Fixture f(kWeighted);
  f.width_first.emplace();
  f.Group(kNpu, {"k", "d"});
  f.Group(kNpu, {"m", "r"});
  f.Refuse(kNpu, "t");
  CHECK(f.Text() == "n t mr kd h e");
}

constexpr char kTurned[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4,8] x, float[8,4] y) => (float[8,4] d) {
    s = Neg(y)
    t = Transpose(x)
    d = Add(s, t)
  })";

TEST_CASE("what the host brings into another order comes first") {
  Fixture f(kTurned);
  f.width_first.emplace();
  CHECK(f.Text() == "s t d");
  f.Refuse(kNpu, "t");
  CHECK(f.Text() == "t s d");
}

// Rows of tokens that the host makes, and a value beside them.
constexpr char kRows[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,8,8] x, float[8,8] y) => (float[1,8,8] d) {
    t = Tanh(x)
    a = Relu(t)
    s = Neg(y)
    b = Abs(s)
    d = Add(a, b)
  })";

TEST_CASE("what reads rows of the host's waits for all others") {
  Fixture f(kRows);
  f.width_first.emplace();
  f.Refuse(kNpu, "t");
  CHECK(f.Text() == "t s b a d");
}

TEST_CASE("an atom that the accelerator refuses is split") {
  Fixture f(kDiamond);
  SECTION("its own group is not runnable") {
    f.Group(kNpu, {"c", "d"});
    f.Refuse(kNpu, "c");
    CHECK(f.Text() == "a b c d e");
    CHECK_FALSE(f.atoms.atoms[2].feasible[0]);
    CHECK(f.atoms.atoms[2].feasible[1]);
  }
  SECTION("another unit's group ties a refused node to it") {
    f.Group(kNpu, {"c", "d"});
    f.Group(kCpu, {"d", "e"});
    f.Refuse(kNpu, "e");
    CHECK(f.Text() == "a b cd e");
  }
}

std::vector<GroupRef> GroupsOn(Fixture& f, uint32_t atom, size_t row) {
  std::vector<GroupRef> refs;
  AddGroupsOn(View(f.run), f.usable, f.atoms, atom, row, &refs);
  return refs;
}

TEST_CASE("groups of an atom follow the unit's overlay where they are whole") {
  Fixture f(kDiamond);
  f.Group(kNpu, {"c", "d"});
  f.Group(kCpu, {"d", "e"});
  f.Refuse(kNpu, "e");
  REQUIRE(f.Text() == "a b cd e");
  const auto npu = GroupsOn(f, 2, 0);
  REQUIRE(npu.size() == 1);
  CHECK(npu[0].overlay_group == GroupId(0u));
  // The CPU's group d+e lies across two atoms, so its nodes run alone.
  const auto cpu = GroupsOn(f, 2, 1);
  REQUIRE(cpu.size() == 2);
  CHECK(cpu[0].node == f.node("c"));
  CHECK(cpu[1].node == f.node("d"));
}

TEST_CASE("values flow between atoms through views") {
  Fixture f(kDiamond);
  f.Group(kNpu, {"c", "d"});
  REQUIRE(f.Text() == "a b cd e");
  const Flow flow = MakeFlow(View(f.run), f.atoms);
  const auto names = [&](absl::Span<const uint32_t> values) {
    std::string text;
    for (const uint32_t v : values) text += std::string(f.run.graph.name(flow.values[v].value));
    return text;
  };
  CHECK(names(flow.reads[0]) == "x");
  CHECK(names(flow.writes[0]) == "a");
  CHECK(names(flow.reads[2]) == "ab");
  CHECK(names(flow.writes[2]) == "d");
  CHECK(names(flow.reads[3]) == "d");
  CHECK(flow.values.back().is_output);
}

TEST_CASE("the host copies between kernels of an accelerator, once") {
  Fixture f(kDiamond);
  const auto cuts = [&f] {
    f.Text();
    std::string text;
    const std::vector<uint64_t> bits = CutsOf(View(f.run), f.usable, f.atoms);
    for (size_t atom = 0; atom < bits.size(); ++atom) {
      if ((bits[atom] & 1u) != 0)
        text += std::string(f.run.graph.name(f.run.graph.outputs(f.atoms.atoms[atom].nodes.back())[0]));
      CHECK((bits[atom] & 2u) == 0);  // of the CPU
    }
    return text;
  };
  const auto copies = [&f](const char* output, Copies around) {
    f.support[kNpu].Set(f.node(output), {.verdict = Verdict::kYes, .copies = around});
  };
  SECTION("nothing") { CHECK(cuts().empty()); }
  SECTION("what a node reads") {
    copies("c", {.before = true});
    CHECK(cuts() == "c");
  }
  SECTION("what a node makes, for its first reader") {
    copies("a", {.after = true});
    CHECK(cuts() == "b");
  }
  SECTION("a view") {
    copies("v", {.before = true});
    CHECK(cuts() == "e");
  }
  SECTION("a view, as soon as there is what it shows") {
    copies("v", {.after = true});
    f.Group(kNpu, {"a", "b", "c", "d"});
    CHECK(cuts() == "e");
  }
  SECTION("what a node makes, before those that do not read it") {
    f.Refuse(kNpu, "d");
    copies("b", {.after = true});
    CHECK(cuts().empty());  // no kernel of the accelerator reads it
  }
  SECTION("what the model gives out, unless nothing comes behind it") {
    copies("e", {.given = true});
    CHECK(cuts().empty());
  }
  SECTION("not what the host makes") {
    copies("e", {.before = true});
    f.Refuse(kNpu, "d");
    CHECK(cuts().empty());
  }
  SECTION("not inputs of the model") {
    copies("a", {.before = true});
    CHECK(cuts().empty());
  }
}

TEST_CASE("the host copies what the model gives out before the accelerator goes on") {
  Fixture f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8] x) => (float[8] v, float[8] c, float[8] d) {
      a = Relu(x)
      b = Exp(a)
      v = Identity(b)
      c = Tanh(a)
      d = Sqrt(c)
    })");
  const auto cuts_before = [&f](const char* output) {
    REQUIRE(f.Text() == "a b c d");
    const std::vector<uint64_t> bits = CutsOf(View(f.run), f.usable, f.atoms);
    for (uint32_t atom = 0; atom < bits.size(); ++atom) {
      CHECK((bits[atom] & 1u) == (atom == f.atoms.atom_of[f.node(output)] ? 1u : 0u));
    }
    CHECK_FALSE(bits.empty());
  };
  SECTION("of a kernel, which others read as it is") {
    f.support[kNpu].Set(f.node("c"), {.verdict = Verdict::kYes, .copies = {.given = true}});
    cuts_before("d");
  }
  SECTION("of a view") {
    f.support[kNpu].Set(f.node("v"), {.verdict = Verdict::kYes, .copies = {.given = true}});
    cuts_before("c");
  }
}

TEST_CASE("a sum with zeros in front is a view of its other operand") {
  Fixture f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8] x) => (float[8] e) <float zero = {0}> {
      a = Relu(x)
      v = Add(zero, a)
      e = Exp(v)
    })");
  f.run.classes[f.node("v")] = NodeClass::kView;  // as read
  f.support[kNpu].Set(f.node("v"), {.verdict = Verdict::kYes, .copies = {.before = true}});
  REQUIRE(f.Text() == "a e");
  CHECK(f.run.graph.name(RootOf(View(f.run), f.run.graph.outputs(f.node("v"))[0])) == "a");
  const std::vector<uint64_t> bits = CutsOf(View(f.run), f.usable, f.atoms);
  REQUIRE(bits.size() == 2);
  CHECK((bits[1] & 1u) == 1u);
}

TEST_CASE("cycles between blocks are found") {
  BlockGraph blocks;
  blocks.before = {{}, {0, 3}, {1}, {2}, {3}};
  const std::vector<uint32_t> component = Components(blocks);
  CHECK(component[1] == component[2]);
  CHECK(component[2] == component[3]);
  CHECK(component[0] != component[1]);
  CHECK(component[4] != component[3]);
}

}  // namespace
}  // namespace hwest
