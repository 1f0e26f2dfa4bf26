// A file below a megabyte takes at most five seconds of processor time and a gigabyte, or is refused.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hostile/hostile.h"
#include "hostile/process.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr double kMostCpuS = HWEST_MOST_CPU_S;
constexpr int64_t kMostBytes = int64_t{1} << 30;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMeasured = false;  // a sanitizer multiplies both
#else
constexpr bool kIsMeasured = true;
#endif

std::string V(int i) { return absl::StrCat("v", i); }

// y = v`count`, where node(i) makes v`i + 1`.
template <class MakeNode>
std::string Model(const std::vector<Message>& inputs, int count, const Message& tensors, MakeNode node) {
  std::vector<Message> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(node(i));
  return ModelWith(Graph(nodes, inputs, {V(count)}).Raw(tensors.bytes()));
}

Message Input(absl::string_view name, const std::vector<std::string>& dims) { return Value(name, FloatType(dims)); }
Message Scalar(absl::string_view name, int64_t value) { return RawTensor(name, 7, {}, LittleEndian({value}, 8)); }

std::vector<std::string> Symbols(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(absl::StrCat("s", i));
  return names;
}

// Contents of 65000 elements that thousands of nodes read.
std::string FoldedContents() {
  const Message ends = Message().Sub(5, Scalar("a", 0)).Sub(5, Scalar("b", 65000)).Sub(5, Scalar("d", 1));
  return Model({}, 15000, ends, [](int i) {
    return i == 0 ? Node("Range", {"a", "b", "d"}, {V(1)}) : Node("Mul", {V(1), V(1)}, {V(i + 1)});
  });
}

// As above, each made of the one before.
std::string FoldedChain() {
  return Model({}, 15000, Message().Sub(5, Int64s("n", {65536})), [](int i) {
    return i == 0 ? Node("ConstantOfShape", {"n"}, {V(1)}) : Node("Add", {V(i), V(1)}, {V(i + 1)});
  });
}

// Six megabytes of operator names in front of a column of short ones.
std::string LongNames() {
  return Model({Input("v0", {"2"})}, 8000, Message(),
               [](int i) { return Node(i < 13 ? std::string(60'000, 'O') : "Relu", {"v0"}, {V(i + 1)}); });
}

std::string WideBroadcasts() {
  return Model({Input("x", Symbols(1000))}, 15000, Message(),
               [](int i) { return Node("Add", {"x", "x"}, {V(i + 1)}); });
}

// A size that is the sum of thousands of symbols, each sum a size too.
std::string SumOfSymbols() {
  std::vector<Message> inputs = {Input("v0", {"s", "3"})};
  for (int i = 0; i < 8000; ++i) inputs.push_back(Input(absl::StrCat("x", i), {absl::StrCat("s", i), "3"}));
  return Model(inputs, 8000, Message(), [](int i) {
    return Node("Concat", {V(i), absl::StrCat("x", i)}, {V(i + 1)}).Sub(5, IntAttribute("axis", 0));
  });
}

std::string LongSizes() {
  std::vector<Message> inputs;
  for (int i = 0; i < 9000; ++i) {
    const std::string dim = absl::StrCat("(a + b*", i, " + c)**4 // (a + ", i, ") + Max(a*", i, ", c // ", i + 3, ")");
    inputs.push_back(Input(absl::StrCat("x", i), {dim}));
  }
  return Model(inputs, 1, Message(), [](int) { return Node("Relu", {"x0"}, {V(1)}); });
}

std::string ShapeMath() {
  const Message factors = Message().Sub(5, Int64s("k", {3, 5, 7, 11}));
  return Model({Input("x", {"a", "b", "c", "d"})}, 12000, factors, [](int i) {
    constexpr const char* kOps[] = {"Add", "Mul", "Sub", "Div"};
    if (i == 0) return Node("Shape", {"x"}, {V(1)});
    return Node(kOps[i % 4], {V(i), i % 3 == 0 ? "k" : V(1)}, {V(i + 1)});
  });
}

// Functions that call the next one ten times.
std::string Calls(int depth) {
  std::vector<Message> functions;
  for (int k = 0; k < depth; ++k) {
    std::vector<Message> nodes;
    for (int i = 0; i < 10; ++i) {
      nodes.push_back(Call(absl::StrCat("f", k + 1), {i == 0 ? "a" : V(i)}, {i == 9 ? "b" : V(i + 1)}));
    }
    functions.push_back(Function(absl::StrCat("f", k), {"a"}, {"b"}, nodes));
  }
  functions.push_back(Function(absl::StrCat("f", depth), {"a"}, {"b"}, {Node("Relu", {"a"}, {"b"})}));
  return ModelWith(Graph({Call("f0", {"x"}, {"y"})}, {Input("x", {"2"})}, {"y"}), functions);
}

std::string Lists() {
  const Message list = Message().Bytes(1, "axes").PackedVarints(8, std::vector<int64_t>(90'000, 1)).Varint(20, 7);
  std::vector<Message> calls;
  for (int i = 0; i < 1000; ++i) calls.push_back(Call("f", {"x"}, {V(i)}));
  return ModelWith(Graph(calls, {Input("x", {"2"})}, {"v0"}),
                   {Function("f", {"a"}, {"b"}, {Node("Foo", {"a"}, {"b"}).Sub(5, list)})});
}

// Loops in loops, each of whose bodies has to be looked at until its sizes settle.
std::string NestedLoops(int depth) {
  Message body;
  for (int d = 0; d <= depth; ++d) {
    const std::string count = absl::StrCat("i", d), go_on = absl::StrCat("c", d), carried = absl::StrCat("x", d);
    const Message inner =
        d == 0 ? Node("Concat", {carried, carried}, {"o0"}).Sub(5, IntAttribute("axis", 0))
               : Node("Loop", {"M", "C", carried}, {absl::StrCat("o", d)}).Sub(5, GraphAttribute("body", body));
    body = Graph({inner, Node("Identity", {go_on}, {absl::StrCat("g", d)})},
                 {Message().Bytes(1, count), Message().Bytes(1, go_on), Message().Bytes(1, carried)},
                 {absl::StrCat("g", d), absl::StrCat("o", d)});
  }
  const Message loop = Node("Loop", {"M", "C", "v0"}, {V(1)}).Sub(5, GraphAttribute("body", body));
  return Model({Input("v0", {"2", "3"}), TensorValue("M", 7, {}), TensorValue("C", 9, {})}, 1, Message(),
               [&](int) { return loop; });
}

// 2^count paths from the input to the output.
std::string Paths() {
  return Model({Input("v0", {"2"})}, 20000, Message(), [](int i) { return Node("Add", {V(i), V(i)}, {V(i + 1)}); });
}

std::string Einsum() {
  std::string equation = "ij";
  for (int i = 1; i < 20000; ++i) equation += ",ij";
  return Model({Input("x", {"2", "2"})}, 1, Message(), [&](int) {
    return Node("Einsum", std::vector<std::string>(20000, "x"), {V(1)})
        .Sub(5, Message().Bytes(1, "equation").Bytes(4, equation).Varint(20, 3));
  });
}

// Thousands of products, each of which has to stay somewhere until the last one is made.
std::string ProductsIntoOne() {
  constexpr int kCount = 20000;
  std::vector<std::string> products;
  for (int i = 1; i <= kCount; ++i) products.push_back(V(i));
  return Model({Input("x", {"8", "8"}), Input("w", {"8", "8"})}, kCount + 1, Message(), [&](int i) {
    if (i == kCount) return Node("Concat", products, {V(i + 1)}).Sub(5, IntAttribute("axis", 0));
    return Node("MatMul", {"x", "w"}, {V(i + 1)});
  });
}

struct Bounded {
  const char* name;
  std::string (*make)();
  int code;
  const char* says;  // the program, of what it refused or did not follow
  const char* target = "";
};

constexpr Bounded kCases[] = {
    {"contents that thousands of nodes read", FoldedContents, 0, "contents of 16777216 elements were followed"},
    {"contents that thousands of nodes make", FoldedChain, 0, ""},
    {"names of sixty thousand bytes", LongNames, 0, ""},
    {"a thousand axes in thousands of nodes", WideBroadcasts, 0, ""},
    {"a size of thousands of symbols", SumOfSymbols, 0, ""},
    {"thousands of long sizes", LongSizes, 0, ""},
    {"thousands of operations on sizes", ShapeMath, 0, ""},
    {"a hundred thousand nodes from six functions", [] { return Calls(5); }, 0, ""},
    {"ten million nodes from eight functions", [] { return Calls(7); }, 3, "more than 250000 nodes after inlining"},
    {"long lists in a function", Lists, 3, "more than 20000000 calls, values and attribute elements"},
    {"loops sixty deep", [] { return NestedLoops(58); }, 0, ""},
    {"2^20000 paths", Paths, 0, ""},
    {"an Einsum of twenty thousand operands", Einsum, 0, ""},
    {"twenty thousand products into one Concat, placed on the units of a target", ProductsIntoOne, 0, "", "tda4vm"},
};

TEST_CASE("no file below a megabyte takes more than five seconds or a gigabyte") {
  for (const Bounded& test : kCases) {
    const std::string bytes = test.make();
    INFO(test.name << ", " << bytes.size() << " bytes");
    REQUIRE(bytes.size() < 1'000'000);
    const TempFolder folder;
    const std::string file = folder.Write("m.onnx", bytes);
    const std::string target = test.target;
    const std::string out = (folder / "out").string();
    const End end = target.empty() ? RunProcess(folder, {.args = {"shapes", file}, .out = out})
                                   : RunProcess(folder, {.args = {file, "--target", target}, .out = out});
    INFO(end.err.substr(0, 1000));
    CHECK(end.code == test.code);
    std::stringstream report;
    report << std::ifstream(out).rdbuf();
    CHECK_THAT(absl::StrCat(end.err, report.str()), Catch::Contains(test.says));
    if (!kIsMeasured) {
      WARN("time and memory are not measured in this build");
      continue;
    }
    CHECK(end.cpu_s < kMostCpuS);
    CHECK(end.max_rss_bytes < kMostBytes);
  }
}

}  // namespace
}  // namespace hwest::test
