#include "op/op_rules.h"

#include <string>

#include "support/catch.h"

namespace hwest {
namespace {

struct BadCase {
  std::string text;
  std::string want;  // start of the message behind "f:"
};

TEST_CASE("errors in rules name line, column, what was found and what was expected") {
  const BadCase c = GENERATE(values<BadCase>({
      {"my::A(x) y", "1:10: found 'y', expected '->'"},
      {"my::A x -> y", "1:1: found 'my', expected DOMAIN::OP(INPUTS) -> OUTPUTS"},
      {"my::(x) -> y", "1:5: found '(', expected the name of an operator"},
      {"my::A(x, x) -> y", "1:10: 'x' is named twice"},
      {"my::A(x) -> x", "1:13: 'x' is named twice"},
      {"my::A(x,) -> y", "1:9: found ')', expected a name"},
      {"my::A(x) -> y z", "1:15: found 'z', expected the end of the line"},
      {"Conv(x) -> y", "1:1: found 'Conv', expected DOMAIN::OP"},
      {"::Conv(x) -> y", "1:1: ai.onnx::Conv has a rule of its own"},
      {"ai.onnx::Relu(x) -> y", "1:1: ai.onnx::Relu has a rule of its own"},
      {"my::A(x) -> y\nmy::A(x) -> y", "2:1: found a second rule for my::A"},
      {"  macs = 1", "1:3: found 'macs', expected DOMAIN::OP"},
      {"my::A(x) -> y\n  mcas = 1", "2:3: found 'mcas', expected shape, dtype, rank, macs"},
      {"my::A(x) -> y\n  macs 1", "2:8: found '1', expected '='"},
      {"my::A(x) -> y\n  macs =", "2:9: found the end of the line, expected a size"},
      {"my::A(x) -> y\n  macs = 1 +", "2:13: found the end of the line, expected a size"},
      {"my::A(x) -> y\n  macs = (1", "2:12: found the end of the line, expected ')'"},
      {"my::A(x) -> y\n  macs = z.0", "2:10: found 'z', expected the name of an input or output"},
      {"my::A(x) -> y\n  shape y = [y.0]", "2:14: found 'y', expected the name of an input"},
      {"my::A(x) -> y\n  shape z = x", "2:9: found 'z', expected the name of an output"},
      {"my::A(x) -> y\n  shape y = 3", "2:13: found '3', expected '[' or the name of an input"},
      {"my::A(x) -> y\n  shape y = [1", "2:15: found the end of the line, expected ',' or ']'"},
      {"my::A(x) -> y\n  macs = x", "2:11: found the end of the line, expected '.' and an axis"},
      {"my::A(x) -> y\n  macs = x.a", "2:12: found 'a', expected a whole number"},
      {"my::A(x) -> y\n  macs = x[-1]", "2:10: an index is 0 or more"},
      {"my::A(x) -> y\n  macs = size(x)", "2:10: found 'size(', expected numel, rank, attr"},
      {"my::A(x) -> y\n  macs = min(1)", "2:15: found ')', expected ','"},
      {"my::A(x) -> y\n  macs = 1 ! 2", "2:12: found '!', expected the end of the line"},
      {"my::A(x) -> y\n  dtype y = flaot", "2:13: found 'flaot', expected the name of an input or an element type"},
      {"my::A(x) -> y\n  ops adds = 1", "2:7: found 'adds', expected add, mul"},
      {"my::A(x) -> y\n  class = fast", "2:11: found 'fast', expected compute, layout or view"},
      {"my::A(x) -> y\n  rank y = 1", "2:8: found 'y', expected the name of an input"},
      {"my::A(x) -> y\n  matmul = [1, 2]", "2:17: found ']', expected ','"},
      {"my::A(x) -> y\n  macs = " + std::string(100, '(') + "1", "2:74: the expression is too long or too deep"},
  }));
  INFO(c.text);
  const auto rules = OpRules::Parse(c.text, "f");
  REQUIRE_FALSE(rules.ok());
  const Diagnostic error = DiagnosticOf(rules.status());
  CHECK(error.code == Code::kUsage);
  CHECK(error.message.substr(0, c.want.size() + 2) == "f:" + c.want);
}

TEST_CASE("rules that are read") {
  const auto rules = OpRules::Parse(
      "# two operators\n\n"
      "my.domain::A(x, w) -> y, z   # operands\n"
      "\tshape y = [x.0, w.-1 * 2]\r\n"
      "  class = layout\n"
      "B() -> y\n",
      "f");
  REQUIRE_FALSE(rules.ok());  // B has no domain
  const auto good =
      OpRules::Parse("my.domain::A(x, w) -> y, z\n\tshape y = [x.0, w.-1 * 2]\r\n  class = layout\n::B() -> y\n", "f");
  REQUIRE(good.ok());
  REQUIRE(good->Find("my.domain", "A") != nullptr);
  CHECK(good->Find("my.domain", "A")->results.size() == 2);
  CHECK(good->Find("my.domain", "A")->op_class == OpClass::kLayout);
  CHECK(good->Find("ai.onnx", "B") != nullptr);
  CHECK(good->Find("my.domain", "C") == nullptr);
  CHECK(OpRules::Parse("", "f")->empty());
}

}  // namespace
}  // namespace hwest
