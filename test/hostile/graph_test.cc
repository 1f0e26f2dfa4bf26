// Graphs: cycles, recursion, nesting, exploding inlining, clashing names.
#include "absl/strings/str_cat.h"
#include "hostile/hostile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

const Message& X() {
  static const Message& input = *new Message(Value("x", FloatType({"2", "3"})));
  return input;
}

std::string Nodes(const std::vector<Message>& nodes, const std::vector<std::string>& outputs = {"y"}) {
  return ModelWith(Graph(nodes, {X()}, outputs));
}

// y = f0(x), where function k is `body(k)` and the last one is Relu.
template <class Body>
std::string Chain(int count, Body body) {
  std::vector<Message> functions;
  for (int k = 0; k < count; ++k) functions.push_back(Function(absl::StrCat("f", k), {"a"}, {"b"}, body(k)));
  functions.push_back(Function(absl::StrCat("f", count), {"a"}, {"b"}, {Node("Relu", {"a"}, {"b"})}));
  return ModelWith(Graph({Call("f0", {"x"}, {"y"})}, {X()}, {"y"}), functions);
}

std::string NestedCalls(int depth) {
  return Chain(depth, [](int k) { return std::vector<Message>{Call(absl::StrCat("f", k + 1), {"a"}, {"b"})}; });
}

// Each function calls the next ten times: 10^depth nodes.
std::string CallsThatMultiply(int depth) {
  return Chain(depth, [](int k) {
    std::vector<Message> nodes;
    std::string value = "a";
    for (int i = 0; i < 10; ++i) {
      const std::string next = i == 9 ? "b" : absl::StrCat("t", i);
      nodes.push_back(Call(absl::StrCat("f", k + 1), {value}, {next}));
      value = next;
    }
    return nodes;
  });
}

// As above, but no call makes a node or a value.
std::string EmptyCallsThatMultiply(int depth) {
  std::vector<Message> functions;
  for (int k = 0; k <= depth; ++k) {
    const std::vector<Message> calls(k == depth ? 0 : 10, Call(absl::StrCat("f", k + 1), {}, {}));
    functions.push_back(Function(absl::StrCat("f", k), {}, {}, calls));
  }
  return ModelWith(Graph({Call("f0", {}, {}), Node("Relu", {"x"}, {"y"})}, {X()}, {"y"}), functions);
}

// A thousand calls of a function whose node has a long list as attribute.
std::string ListsThatMultiply(size_t elements) {
  const std::vector<int64_t> list(elements, 1);
  const Message attribute = Message().Bytes(1, "axes").PackedVarints(8, list).Varint(20, 7);
  std::vector<Message> calls;
  for (int i = 0; i < 1000; ++i) calls.push_back(Call("f", {"x"}, {absl::StrCat("y", i)}));
  return ModelWith(Graph(calls, {X()}, {"y0"}),
                   {Function("f", {"a"}, {"b"}, {Node("Foo", {"a"}, {"b"}).Sub(5, attribute)})});
}

// Call names of sixty thousand bytes, one in the other, around a thousand nodes.
std::string NamesThatMultiply() {
  const std::string name(60'000, 'n');
  std::vector<Message> functions;
  for (int k = 0; k < 50; ++k) {
    functions.push_back(
        Function(absl::StrCat("f", k), {"a"}, {"b"}, {Call(absl::StrCat("f", k + 1), {"a"}, {"b"}).Bytes(3, name)}));
  }
  std::vector<Message> nodes;
  for (int i = 0; i < 1000; ++i) nodes.push_back(Node("Relu", {"a"}, {absl::StrCat("t", i)}));
  nodes.push_back(Node("Relu", {"a"}, {"b"}));
  functions.push_back(Function("f50", {"a"}, {"b"}, nodes));
  return ModelWith(Graph({Call("f0", {"x"}, {"y"})}, {X()}, {"y"}), functions);
}

Message If(const Message& then_body) {
  return Node("If", {"c"}, {"y"})
      .Sub(5, GraphAttribute("then_branch", then_body))
      .Sub(5, GraphAttribute("else_branch", then_body));
}

std::string NestedBodies(int depth) {
  Message body = Graph({Node("Relu", {"x"}, {"y"})}, {}, {"y"});
  const Message other = body;
  for (int i = 0; i < depth; ++i) {
    body = Graph({Node("If", {"c"}, {"y"})
                      .Sub(5, GraphAttribute("then_branch", body))
                      .Sub(5, GraphAttribute("else_branch", other))},
                 {}, {"y"});
  }
  return ModelWith(body.Sub(11, X()).Sub(11, Value("c", Message().Sub(1, Message().Varint(1, 9)))));
}

TEST_CASE("graphs that are none") {
  const Message recursive = Function("f", {"a"}, {"b"}, {Call("f", {"a"}, {"b"})});
  const Message ping = Function("f", {"a"}, {"b"}, {Call("g", {"a"}, {"b"})});
  const Message pong = Function("g", {"a"}, {"b"}, {Call("f", {"a"}, {"b"})});
  const Message body = Graph({Call("f", {"x"}, {"y"})}, {}, {"y"});
  const Message through_body =
      Function("f", {"x"}, {"y"}, {Node("Cast", {"x"}, {"c"}).Sub(5, IntAttribute("to", 9)), If(body)});
  const Message writes_input =
      Function("f", {"a", "c"}, {"b"}, {Node("Relu", {"c"}, {"a"}), Node("Relu", {"a"}, {"b"})});
  const Message twin = Function("f", {"a"}, {"b"}, {Node("Relu", {"a"}, {"b"})});
  const auto calling = [](const Message& function) {
    return ModelWith(Graph({Node("Abs", {"x"}, {"t"}), Call("f", {"t", "x"}, {"y"})}, {X()}, {"y"}), {function});
  };
  const Case cases[] = {
      {23, "a cycle", Nodes({Node("Add", {"x", "y"}, {"t"}), Node("Relu", {"t"}, {"y"})}), 3,
       "the graph has a cycle of 2 nodes", ""},
      {23, "a node that reads itself", Nodes({Node("Relu", {"y"}, {"y"})}), 3, "the graph has a cycle of 1 nodes", ""},
      {23, "a cycle through a body",
       ModelWith(Graph({If(Graph({Node("Relu", {"y"}, {"z"})}, {}, {"z"}))}, {Value("c", FloatType({}))}, {"y"})), 3,
       "the graph has a cycle", ""},
      {60, "a function that calls itself", calling(recursive), 3, "function 'f' calls itself", ""},
      {60, "two functions that call each other",
       ModelWith(Graph({Call("f", {"x"}, {"y"})}, {X()}, {"y"}), {ping, pong}), 3, "function 'f' calls itself", ""},
      {60, "a function that calls itself in a body", calling(through_body), 3, "function 'f' calls itself", ""},
      {60, "a function that writes its input", calling(writes_input), 3, "writes 'a', which is", ""},
      {60, "two functions of one name", ModelWith(Graph({Call("f", {"x"}, {"y"})}, {X()}, {"y"}), {recursive, twin}), 0,
       "", "y,tensor,float,2;3,"},
      {37, "a value produced twice", Nodes({Node("Relu", {"x"}, {"y"}), Node("Abs", {"x"}, {"y"})}), 3,
       "value 'y' is produced twice", ""},
      {37, "a node that lists an output twice", Nodes({Node("Split", {"x"}, {"y", "y"})}), 3,
       "value 'y' is produced twice", ""},
      {37, "a node that writes the model's input",
       Nodes({Node("Relu", {"x"}, {"t"}), Node("Relu", {"t"}, {"x"})}, {"t"}), 3, "the graph has a cycle", ""},
      {37, "a node that writes another input",
       ModelWith(Graph({Node("Relu", {"x"}, {"z"})}, {X(), Value("z", FloatType({}))}, {"z"})), 3,
       "writes 'z', which is an input or initialiser", ""},
      {37, "a call that writes another input",
       ModelWith(Graph({Call("f", {"x"}, {"z"})}, {X(), Value("z", FloatType({}))}, {"z"}),
                 {Function("f", {"a"}, {"a"}, {})}),
       3, "writes 'z', which is an input or initialiser", ""},
      {37, "a value without a producer", Nodes({Node("Relu", {"z"}, {"y"})}), 3, "reads 'z', which nothing defines",
       ""},
      {37, "an output without a producer", Nodes({}, {"y"}), 3, "graph output 'y' is produced by no node", ""},
  };
  for (const Case& test : cases) Check(test);
}

TEST_CASE("nesting and inlining are bounded") {
  const Case cases[] = {
      {60, "a hundred functions deep", NestedCalls(99), 0, "", "y,tensor,float,2;3,"},
      {60, "deeper", NestedCalls(100), 3, "is nested too deeply", ""},
      {60, "ten million million nodes", CallsThatMultiply(13), 3, "after inlining", ""},
      {60, "calls without end that make nothing", EmptyCallsThatMultiply(30), 3, "after inlining", ""},
      {60, "a billion attribute elements", ListsThatMultiply(1'000'000), 3,
       "calls, values and attribute elements after inlining", ""},
      {60, "gigabytes of names", NamesThatMultiply(), 3, "bytes of names after inlining", ""},
      {60, "bodies sixty deep", NestedBodies(60), 0, "", "x,tensor,float,2;3,"},
      {60, "bodies deeper", NestedBodies(64), 3, "nested more than 64 deep", ""},
      {60, "bodies of thousands", NestedBodies(3000), 3, "nested more than 64 deep", ""},
  };
  for (const Case& test : cases) Check(test);
}

TEST_CASE("odd but legal graphs") {
  const Message initialiser = RawTensor("w", 1, {1}, "1234");
  // clang-format off
  const Case cases[] = {
      {37, "no node at all", ModelWith(Graph({}, {X()}, {"x"})), 0, "", "x,tensor,float,2;3,"},
      {37, "nothing at all", ModelWith(Message()), 0, "", "name,kind"},
      {37, "an output that is an initialiser", ModelWith(Graph({}, {}, {"w"}).Sub(5, initialiser)), 0, "",
       "w,tensor,float,1,"},
      {37, "an output listed twice", Nodes({Node("Relu", {"x"}, {"y"})}, {"y", "y"}), 0, "", "y,tensor,float,2;3,"},
      {37, "an operator without a name", Nodes({Node("", {"x"}, {"y"})}), 0, "no rule for ai.onnx::", "y,"},
      {37, "nodes of one name",
       Nodes({Node("Relu", {"x"}, {"t"}).Bytes(3, "n"), Node("Relu", {"t"}, {"y"}).Bytes(3, "n")}), 0, "",
           "y,tensor,float,2;3,"},
      {37, "megabytes of doc_string", Message().Varint(1, 8).Bytes(6, std::string(4 << 20, 'd'))
           .Sub(7, Graph({Node("Relu", {"x"}, {"y"}).Bytes(6, std::string(4 << 20, 'd'))}, {X()}, {"y"})).Sub(8,
               OpsetImport("", 17)).bytes(),
       0, "", "y,tensor,float,2;3,"},
      {37, "a name of megabytes", Nodes({Node("Relu", {"x"}, {"y"}).Bytes(3, std::string(1 << 20, 'n'))}), 3,
       "names may have up to 65536 bytes", ""},
      {37, "a node with thousands of inputs", Nodes({Node("Concat", std::vector<std::string>(5000, "x"), {"y"}).Sub(5,
       IntAttribute("axis", 0))}),
       0, "", "y,tensor,float,10000;3,"},
      {30, "no operator set", Message().Varint(1, 8).Sub(7, Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {"y"})).bytes(),
       0,
       "the model imports no ai.onnx operator set; 18 is assumed", "y,tensor,float,2;3,"},
      {30, "no version at all", Message().Sub(7, Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {"y"})).bytes(), 0, "",
       "y,tensor,float,2;3,"},
      {30, "a version of the future", Model(Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {"y"}), 314159).bytes(), 0,
       "the model imports ai.onnx 314159", "y,tensor,float,2;3,"},
      {30, "a version beyond 32 bits", Model(Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {"y"}), INT64_MAX).bytes(), 0,
       "the model imports ai.onnx 9223372036854775807", "y,tensor,float,2;3,"},
      {30, "a negative version", Model(Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {"y"}), -1).bytes(), 0,
       "the model imports no ai.onnx operator set", "y,tensor,float,2;3,"},
      {30, "a domain that is not imported", Model(Graph({Node("Relu", {"x"}, {"y"}).Bytes(7, "no.where")}, {X()},
       {"y"})).bytes(), 0,
       "no rule for no.where::Relu", "y,"},
      {25, "declared otherwise",
       ModelWith(Graph({Node("Relu", {"x"}, {"y"})}, {X()}, {}).Sub(12, Value("y", FloatType({"7", "7"})))), 0,
       "the file declares [7, 7], inference finds [2, 3]", "y,tensor,float,2;3,"},
      {32, "an input of -1 axes", ModelWith(Graph({Node("Relu", {"x"}, {"y"})}, {Value("x", FloatType({"-1", "3"}))},
       {"y"})), 0,
       "declares a dim of -1; taken as unknown", "y,tensor,float,"},
  };
  // clang-format on
  for (const Case& test : cases) Check(test);
}

}  // namespace
}  // namespace hwest::test
