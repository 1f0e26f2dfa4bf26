#include "pass/check_types.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "op/schemas.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::Message;

std::vector<std::string> Names(absl::string_view prefix, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(absl::StrCat(prefix, i));
  return names;
}

// Operands of one side; an operand that repeats stands there twice.
size_t CountOf(const TypeRow& row, Direction direction) {
  const absl::string_view text = row.operands;
  const size_t split = text.find('>');
  const absl::string_view side = direction == Direction::kInput ? text.substr(0, split) : text.substr(split + 1);
  return side.size();  // its sign counts for the second
}

// A node of the row's operator and version. Its types are facts of their own: nothing is inferred.
class OneNode {
 public:
  explicit OneNode(const TypeRow& row) : row_(row) {
    const size_t inputs = CountOf(row, Direction::kInput);
    Message node = test::Node(row.op, Names("x", inputs), Names("y", CountOf(row, Direction::kOutput)));
    node.Bytes(7, DomainOf(row));
    Message graph = Message().Sub(1, node);
    for (const std::string& name : Names("x", inputs)) graph.Sub(11, test::TensorValue(name, 0, {}));
    Message model = test::Model(graph, DomainOf(row).empty() ? row.version : 17);
    if (!DomainOf(row).empty()) model.Sub(8, test::OpsetImport(DomainOf(row), row.version));
    auto built = test::BuildBytes(model.bytes());
    REQUIRE(built.ok());
    graph_ = *std::move(built);
    is_built_ = graph_.nodes().size() == 1;
    facts_.values.resize(graph_.values().size());
    for (size_t i = 0; i < inputs; ++i) types_.push_back(FirstOf(OperandAt(row, Direction::kInput, i)));
  }

  bool is_built() const { return is_built_; }  // a Constant is no node any more
  size_t inputs() const { return types_.size(); }
  ElemType type(size_t i) const { return types_[i]; }

  static ElemType FirstOf(const OperandTypes& operand) {
    for (int elem = 1; elem < 32; ++elem) {
      if ((operand.types >> elem & 1) != 0) return static_cast<ElemType>(elem);
    }
    return ElemType::kUndefined;  // takes no tensor
  }

  // What is said with input `i` of type `elem` and the others as the row takes them.
  std::string FaultWith(size_t i, ElemType elem) {
    for (size_t k = 0; k < types_.size(); ++k) {
      const ValueId value = graph_.inputs(NodeId(0u))[k];
      facts_.values[value].type = Type::Tensor(k == i ? elem : types_[k], Shape());
    }
    std::vector<Diagnostic> diagnostics;
    DimPool dims(&graph_.dims());
    CheckTypes(graph_, facts_, dims, diagnostics);
    return diagnostics.empty() ? "" : diagnostics[0].message;
  }

 private:
  const TypeRow& row_;
  Graph graph_;
  Facts facts_;
  std::vector<ElemType> types_;
  bool is_built_ = false;
};

// A tensor type that the operand does not take; undefined when it takes all.
ElemType OutsideOf(const OperandTypes& operand) {
  for (int elem = 1; elem <= static_cast<int>(ElemType::kInt2); ++elem) {
    if ((operand.types >> elem & 1) == 0) return static_cast<ElemType>(elem);
  }
  return ElemType::kUndefined;
}

// Another type that the operand takes than `elem`; undefined when there is none.
ElemType OtherThan(ElemType elem, OperandTypes operand) {
  operand.types &= ~(1u << static_cast<int>(elem));
  return OneNode::FirstOf(operand);
}

bool IsShared(const TypeRow& row, size_t i, size_t inputs) {
  const OperandTypes operand = OperandAt(row, Direction::kInput, i);
  for (size_t k = 0; k < inputs && operand.shares; ++k) {
    if (k != i && OperandAt(row, Direction::kInput, k).letter == operand.letter) return true;
  }
  return false;
}

TEST_CASE("every version of every operator takes the types it states, shared ones together, and nothing else") {
  int rows = 0, outside = 0, shared = 0;
  for (const TypeRow& row : AllTypeRows()) {
    if (row.is_gone() || row.operands[0] == '>') continue;
    CAPTURE(row.op, row.version, row.operands);
    OneNode node(row);
    if (!node.is_built()) continue;
    ++rows;
    CHECK(node.FaultWith(node.inputs(), ElemType::kUndefined).empty());
    for (size_t i = 0; i < node.inputs(); ++i) {
      CAPTURE(i);
      const OperandTypes operand = OperandAt(row, Direction::kInput, i);
      const ElemType bad = OutsideOf(operand), other = OtherThan(node.type(i), operand);
      const std::string place = absl::StrCat("input ", i, " (x", i, ") is ");
      outside += bad != ElemType::kUndefined ? 1 : 0;
      if (bad != ElemType::kUndefined) {
        CHECK(absl::StrContains(node.FaultWith(i, bad), place + ElemTypeName(bad) + ", it has to be "));
      }
      if (other == ElemType::kUndefined) continue;
      const std::string fault = node.FaultWith(i, other);
      shared += IsShared(row, i, node.inputs()) ? 1 : 0;
      CHECK(absl::StrContains(fault, "both have to be of one type") == IsShared(row, i, node.inputs()));
      CHECK(fault.empty() == !IsShared(row, i, node.inputs()));
    }
  }
  CHECK(rows > 700);
  CHECK(outside > 1000);
  CHECK(shared > 400);
}

// What is said of the types of a model whose graph is `body`.
std::string Said(absl::string_view body, int opset = 17) {
  const auto run = test::RunPasses(absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", opset, "]> agraph ", body));
  std::string said;
  for (const Diagnostic& diagnostic : run.diagnostics) {
    if (diagnostic.code == Code::kInferFailed) absl::StrAppend(&said, diagnostic.node, ": ", diagnostic.message, "\n");
  }
  return said;
}

TEST_CASE("types of a file that runtimes refuse") {
  struct Case {
    const char* body;
    const char* said;
  };
  const Case c = GENERATE(values<Case>({
      {"(float[2, 3] a, float16[3, 4] b) => (float[2, 4] y) { y = MatMul(a, b) }",
       "y: MatMul: input 1 (b) is float16, input 0 (a) is float: both have to be of one type\n"},
      {"(float[2, 3] a, float[3, 4] b) => (float[2, 4] y) { y = MatMul(a, b) }", ""},
      {"(float[2, 3] a, float[1] i) => (float[1, 3] y) { y = Gather(a, i) }",
       "y: Gather: input 1 (i) is float, it has to be int32 or int64\n"},
      {"(float[2] a, float16[2] b, float[2] c) => (float[6] y) { y = Concat<axis = 0>(a, b, c) }",
       "y: Concat: input 1 (b) is float16, input 0 (a) is float: both have to be of one type\n"},
      {"(float[2] a, int64[2] b) => (y) { y = LessOrEqual(a, b) }",
       "y: LessOrEqual: input 1 (b) is int64, input 0 (a) is float: both have to be of one type\n"},
      {"(float[4] a, int64[4] b) => (y) { y = Einsum<equation = \"i,i->i\">(a, b) }",
       "y: Einsum: input 1 (b) is int64, input 0 (a) is float: both have to be of one type\n"},
      {"(int64[2, 3] a) => (int64[2, 3] y) { y = Softmax(a) }",
       "y: Softmax: input 0 (a) is int64, it has to be float, float16, double or bfloat16\n"},
      {"(float[2] a, float[2] b) => (float[2] y) { y = Where(a, a, b) }",
       "y: Where: input 0 (a) is float, it has to be bool\n"},
      {"(float[2] a) => (y) { y = Cast<to = 99>(a) }",
       "y: Cast: output 0 (y) is unknown(99), it has to be a type that version 13 of Cast has\n"},
      {"(float[2] a) => (float16[2] y) { y = Relu(a) }", "y: the file declares 'y' as float16, it is float\n"},
      {"(float[2] a, float[2] b) => (float[2] y) { y = Relu(a, b) }",
       "y: Relu: input 1 (b) is one more than version 14 of Relu has\n"},
      {"(float[1, 1, 4, 4] x, float[4] s, int64[4] t) => (y) { y = Resize(x, , s, t) }",
       "y: Resize: Resize expects either scales or sizes, found both\n"},
      {"(float[1, 1, 4, 4] x, float[0] s, int64[4] t) => (y) { y = Resize(x, , s, t) }", ""},
      {"(float[1, 1, 4, 4] x) => (y) { y = Resize(x) }", "y: Resize: Resize expects scales or sizes, found neither\n"},
      {"(float[1, 1, 4, 4] x, float16[4] s) => (y) { y = Resize(x, , s) }",
       "y: Resize: input 2 (s) is float16, it has to be float\n"},
      {"(float[2] a, x) => (y) { y = Add(a, x) }", ""},
  }));
  CAPTURE(c.body);
  CHECK(Said(c.body) == c.said);
}

TEST_CASE("the version of the operator decides") {
  CHECK(Said("(int64[2] a) => (int64[2] y) { y = Relu(a) }", 13) ==
        "y: Relu: input 0 (a) is int64, it has to be float, float16, double or bfloat16\n");
  CHECK(Said("(int64[2] a) => (int64[2] y) { y = Relu(a) }", 14).empty());
}

}  // namespace
}  // namespace hwest
