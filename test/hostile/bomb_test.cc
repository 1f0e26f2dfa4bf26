// Few bytes that demand much: endless contents, endless ranks, nested types, expressions.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hostile/hostile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr int64_t kHuge = int64_t{1} << 40;

// y = Reshape(x, [6, 1, 1, ...]): a rank of a million.
std::string RankBomb(size_t rank) {
  std::vector<int64_t> shape(rank, 1);
  shape[0] = 6;
  return OneNode("Reshape", {shape});
}

std::string WithInput(const Message& type, const std::vector<Message>& nodes = {Node("Identity", {"x"}, {"y"})}) {
  return ModelWith(Graph(nodes, {Value("x", type)}, {"y"}));
}

std::string DimText(const std::string& dim) { return WithInput(FloatType({dim})); }

Message NestedType(int depth) {
  Message type = FloatType({"1"});
  for (int i = 0; i < depth; ++i) type = Message().Sub(4, Message().Sub(1, type));
  return type;
}

// Each node doubles its input along its only axis and adds it to itself: sizes of 2^n.
std::string Doublings(int count) {
  std::vector<Message> nodes;
  std::string value = "x";
  for (int i = 0; i < count; ++i) {
    const std::string next = i + 1 == count ? "y" : absl::StrCat("t", i);
    nodes.push_back(Node("Concat", {value, value}, {next}).Sub(5, IntAttribute("axis", 0)));
    value = next;
  }
  return WithInput(FloatType({"3"}), nodes);
}

// Sizes whose expressions grow with every node: pools of a symbolic size, each window and stride another.
std::string GrowingExpressions(int count) {
  std::vector<Message> nodes;
  std::string value = "x";
  for (int i = 0; i < count; ++i) {
    const std::string next = i + 1 == count ? "y" : absl::StrCat("t", i);
    nodes.push_back(Node("Concat", {value, i % 2 == 0 ? "x" : value}, {next}).Sub(5, IntAttribute("axis", 2)));
    nodes.push_back(Node("MaxPool", {next}, {absl::StrCat("p", i)})
                        .Sub(5, IntsAttribute("kernel_shape", {2 + i % 5}))
                        .Sub(5, IntsAttribute("strides", {1 + i % 3})));
    value = absl::StrCat("p", i);
  }
  return WithInput(FloatType({"1", "1", "N"}), nodes);
}

std::string Repeated(absl::string_view text, int count) {
  return absl::StrJoin(std::vector<absl::string_view>(static_cast<size_t>(count), text), "");
}

TEST_CASE("contents without end") {
  const Message big = Int64s("c1", {kHuge});
  const Case cases[] = {
      {36, "ConstantOfShape", ModelWith(Graph({Node("ConstantOfShape", {"c1"}, {"y"})}, {}, {"y"}).Sub(5, big)), 0, "",
       "y,tensor,float,1099511627776,"},
      {36, "ConstantOfShape beyond 64 bits",
       ModelWith(
           Graph({Node("ConstantOfShape", {"c1"}, {"y"})}, {}, {"y"}).Sub(5, Int64s("c1", {kHuge, kHuge, kHuge}))),
       0, "", "y,tensor,float,1099511627776;1099511627776;1099511627776,"},
      {36, "Expand", OneNode("Expand", {{kHuge, 2, 3}}), 0, "", "y,tensor,float,1099511627776;2;3,"},
      {36, "Tile", OneNode("Tile", {{kHuge, kHuge}}), 0, "do not fit 64 bits and are unknown",
       "y,tensor,float,2199023255552;3298534883328,"},
      {34, "Tile beyond 64 bits", OneNode("Tile", {{INT64_MAX, 1}}), 0, "", "y,tensor,float,"},
      {34, "Tile a negative number of times", OneNode("Tile", {{-2, 1}}), 0, "Tile expects repeats of 0 or more",
       "y,tensor,"},
      {36, "Pad", OneNode("Pad", {{0, 0, kHuge, kHuge}}), 0, "do not fit 64 bits and are unknown",
       "y,tensor,float,1099511627778;1099511627779,"},
      {34, "Pad beyond 64 bits", OneNode("Pad", {{INT64_MAX, 0, INT64_MAX, 0}}), 0, "", "y,tensor,float,"},
      {34, "Pad more than there is away", OneNode("Pad", {{-5, 0, 0, 0}}), 0, "Pad crops axis 0 of [2, 3] to -3",
       "y,tensor,"},
      {36, "Range",
       ModelWith(Graph({Node("Range", {"a", "b", "c"}, {"y"})}, {}, {"y"})
                     .Sub(5, RawTensor("a", 7, {}, LittleEndian({0}, 8)))
                     .Sub(5, RawTensor("b", 7, {}, LittleEndian({kHuge}, 8)))
                     .Sub(5, RawTensor("c", 7, {}, LittleEndian({1}, 8)))),
       0, "", "y,tensor,int64,1099511627776,"},
      {36, "Range by nothing",
       ModelWith(Graph({Node("Range", {"a", "a", "a"}, {"y"})}, {}, {"y"})
                     .Sub(5, RawTensor("a", 7, {}, LittleEndian({0}, 8)))),
       0, "Range expects a delta other than 0", "y,tensor,"},
      {36, "OneHot",
       ModelWith(Graph({Node("OneHot", {"x", "d", "v"}, {"y"})}, {Value("x", FloatType({"2"}))}, {"y"})
                     .Sub(5, RawTensor("d", 7, {}, LittleEndian({kHuge}, 8)))
                     .Sub(5, Int64s("v", {0, 1}))),
       0, "", "y,tensor,int64,2;1099511627776,"},
      {33, "no elements in as many rows as 62 bits count",
       WithInput(FloatType({"4611686018427387904", "0"}),
                 {Node("Concat", {"x", "x"}, {"y"}).Sub(5, IntAttribute("axis", 1))}),
       0, "holds nothing", "y,tensor,float,4611686018427387904;0,"},
      {34, "sizes that double sixty-two times", Doublings(61), 0, "do not fit 64 bits and are unknown",
       "y,tensor,float,6917529027641081856,"},
      {34, "sizes that leave 64 bits", Doublings(64), 0, "do not fit 64 bits and are unknown", "y,tensor,float,"},
  };
  for (const Case& test : cases) Check(test);
}

TEST_CASE("ranks and types without end") {
  const Case cases[] = {
      {35, "a rank of a thousand", RankBomb(1000), 0, "", "y,tensor,float,"},
      {35, "a rank of a million", RankBomb(1'000'000), 0, "", "y,tensor,float,"},
      {35, "an Expand to a rank of eight thousand", OneNode("Expand", {std::vector<int64_t>(8000, 1)}), 0, "",
       "y,tensor,"},
      {35, "a ConstantOfShape of rank eight thousand",
       ModelWith(Graph({Node("ConstantOfShape", {"c"}, {"y"})}, {}, {"y"})
                     .Sub(5, Int64s("c", std::vector<int64_t>(8000, 1)))),
       0, "", "y,tensor,float,"},
      {35, "an Unsqueeze of eight thousand axes", OneNode("Unsqueeze", {[] {
                                                            std::vector<int64_t> axes(8000);
                                                            for (size_t i = 0; i < axes.size(); ++i)
                                                              axes[i] = static_cast<int64_t>(i);
                                                            return axes;
                                                          }()}),
       0, "", "y,tensor,float,"},
      {35, "an input of sixty-five axes", WithInput(FloatType(std::vector<std::string>(65, "1"))), 0,
       "'x' declares 65 axes; more than 64 are not followed", "y,tensor,float,"},
      {35, "an input of 1025 axes", WithInput(FloatType(std::vector<std::string>(1025, "1"))), 3, "more than 1024 axes",
       ""},
      {60, "sequences in sequences", WithInput(NestedType(30)), 0, "", "x,sequence,"},
      {60, "sequences in sequences without end", WithInput(NestedType(5000)), 3, "nested more than 64 deep", ""},
  };
  for (const Case& test : cases) Check(test);
}

TEST_CASE("dim texts") {
  const std::string sum = absl::StrJoin(std::vector<std::string>(500, "s0*s1 + 1"), " + ");
  const Case cases[] = {
      {61, "an expression", DimText("2*s0 + 1"), 0, "", "y,tensor,float,2*s0 + 1,"},
      {61, "a power of a million", DimText("s0**1000000"), 0, "", "y,tensor,float,"},
      {61, "powers of powers", DimText("((s0**8)**8)**8"), 0, "", "y,tensor,float,"},
      {61, "a negative power", DimText("2**(-8)*s0"), 0, "", "y,tensor,float,"},
      {61, "division by nothing", DimText("s0//0"), 0, "", "y,tensor,float,"},
      {61, "the rest of nothing", DimText("Mod(s0, 0)"), 0, "", "y,tensor,float,"},
      {61, "brackets without end", DimText(Repeated("(", 2000) + "s0" + Repeated(")", 2000)), 0, "", "y,tensor,float,"},
      {61, "signs without end", DimText(Repeated("-", 3000) + "s0"), 0, "", "y,tensor,float,"},
      {61, "calls without end", DimText(Repeated("Max(1,", 600) + "s0" + Repeated(")", 600)), 0, "", "y,tensor,float,"},
      {61, "a long sum", DimText(sum), 0, "", "y,tensor,float,"},
      {61, "sixty thousand bytes", DimText("s0 + " + std::string(60'000, '1')), 0, "", "y,tensor,float,"},
      {61, "a number beyond 64 bits", DimText("s0*99999999999999999999"), 0, "", "y,tensor,float,"},
      {61, "a product beyond 64 bits", DimText("s0*9223372036854775807*9223372036854775807"), 0, "", "y,tensor,float,"},
      {61, "no expression at all", DimText("__import__('os').system('true')"), 0, "", "y,tensor,float,"},
      {61, "an empty name", DimText(" "), 0, "", "y,tensor,float,"},
      {61, "sizes that grow with every node", GrowingExpressions(300), 0, "no output of the model needs this node",
       "y,tensor,float,"},
  };
  for (const Case& test : cases) Check(test);
}

}  // namespace
}  // namespace hwest::test
