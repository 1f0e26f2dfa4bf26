// Two nodes are alike if and only if no limit can tell them apart.
#include "pass/alike.h"

#include "pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

// The second Conv, Relu or Add of a graph against the first one: alike or not.
TEST_CASE("alike nodes") {
  struct Case {
    const char* name;
    const char* inputs;
    const char* nodes;  // "a" and "b" are the outputs of the two nodes
    bool alike;
  };
  const Case c = GENERATE(values<Case>({
      {"two equal convolutions", "float[1, 8, 4, 4] x, float[1, 8, 4, 4] y",
       "a = Conv<pads = [1, 1, 1, 1]>(x, w) b = Conv<pads = [1, 1, 1, 1]>(y, w) z = Add(a, b)", true},
      {"another attribute", "float[1, 8, 4, 4] x, float[1, 8, 4, 4] y",
       "a = Conv<pads = [1, 1, 1, 1]>(x, w) b = Conv<pads = [1, 1, 1, 1], group = 1>(y, w) z = Add(a, b)", false},
      {"another size", "float[1, 8, 4, 4] x, float[1, 8, 2, 2] y", "a = Relu(x) b = Relu(y) z = Identity(a)", false},
      {"another type", "float[4] x, float16[4] y", "a = Relu(x) b = Relu(y) z = Identity(a)", false},
      {"another maker", "float[4] x, float[4] y", "p = Abs(y) a = Relu(x) b = Relu(p) z = Add(a, b)", false},
      {"another reader behind views", "float[4] x, float[4] y",
       "a = Relu(x) b = Relu(y) v = Identity(a) u = Identity(b) p = Abs(v) q = Neg(u) z = Add(p, q)", false},
      {"the same reader behind views", "float[4] x, float[4] y",
       "a = Relu(x) b = Relu(y) v = Identity(a) u = Identity(b) p = Abs(v) q = Abs(u) z = Add(p, q)", true},
      {"another reader", "float[4] x, float[4] y", "a = Relu(x) b = Relu(y) z = Add(a, x) q = Sub(b, z)", false},
      {"the same operand of a reader", "float[4] x, float[4] y, float[4] u",
       "a = Relu(x) b = Relu(y) p = Sub(a, u) q = Sub(b, u) z = Add(p, q)", true},
      {"another operand of a reader", "float[4] x, float[4] y", "a = Relu(x) b = Relu(y) z = Sub(a, b)", false},
      {"more parts", "float[2] x, float[1] y",
       "p = Concat<axis = 0>(x, x) q = Concat<axis = 0>(x, y, y) a = Relu(p) b = Relu(q) z = Max(a, b, p, q)", false},
      {"another operator", "float[4] x, float[4] y", "a = Relu(x) b = Abs(y) z = Add(a, b)", false},
      {"another constant", "float[4] x, float[4] y",
       "l = Constant<value = float {0.0}>() h = Constant<value = float {6.0}>() a = Max(x, l) b = Max(y, h) "
       "z = Add(a, b)",
       false},
      {"an equal constant", "float[4] x, float[4] y",
       "l = Constant<value = float {6.0}>() h = Constant<value = float {6.0}>() a = Max(x, l) b = Max(y, h) "
       "z = Add(a, b)",
       true},
      {"a computed operand", "float[4] x, float[4] y",
       "l = Constant<value = float[4] {6.0, 1.0, 2.0, 3.0}>() a = Max(x, l) b = Max(y, x) z = Add(a, b)", false},
  }));
  INFO(c.name);
  const std::string head = "<ir_version: 8, opset_import: [\"\" : 17]> agraph (";
  const test::PassRun run = test::RunPasses(
      test::GraphFromText(head + c.inputs + ") => (float[1] z) <float[8, 8, 3, 3] w> { " + c.nodes + " }"));
  IdMap<ValueId, ValueId> roots;
  for (uint32_t v = 0; v < run.graph.values().size(); ++v) roots.push_back(ValueId(v));
  const IdMap<NodeId, NodeId> alike = FindAlike(run.graph, run.facts, run.classes, roots);
  const NodeId a = test::NodeOf(run.graph, "a"), b = test::NodeOf(run.graph, "b");
  CHECK(alike[a] == a);
  CHECK(alike[b] == (c.alike ? a : b));
}

}  // namespace
}  // namespace hwest
