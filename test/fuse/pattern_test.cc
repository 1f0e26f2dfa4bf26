#include "fuse/pattern.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fuse/patterns.h"
#include "support/catch.h"

namespace hwest {
namespace {

constexpr Fragment kWords[] = {{"act", "(Relu|Clip)"}, {"twice", "Mul(%, %)"}, {"deep", "@twice(@act(x))"}};

TEST_CASE("good expressions") {
  struct Case {
    const char* text;
    size_t exprs;
    size_t slots;
  };
  const auto c = GENERATE(values<Case>({
      {"Relu(x)", 2, 1},
      {"(Relu|Clip)(BatchNormalization(Conv(x, w, b?)))", 6, 3},
      {"Mul(c:Conv(x, w, b?), Sigmoid(c))", 7, 4},
      {"Div(x, 1.4142135)", 3, 1},
      {"Add(_, _)", 3, 0},
      {"Mul(Add(x, -1.5e-3), .5)", 5, 1},
      {"MatMul(~(Reshape|Squeeze) ~Transpose k, v[const, scalar])", 3, 2},
      {"(Relu(x) | Mul(x, Sigmoid(x)))", 7, 1},
      {"Add?{conv_add}(Conv[ ](x, w), r)", 0, 0},
      {"com.microsoft::BiasGelu(x, b)", 3, 2},
      {"(Gelu|com.microsoft::Gelu)(x)", 2, 1},
      {"LayerNormalization(s*:Add(x, r), g)", 5, 4},
      {"x:Relu(x)", 2, 1},
      {"Mul(Relu(Split(x)), Split.1(x))", 6, 1},
      {"@act(x)", 2, 1},
      {"@deep", 5, 1},
  }));
  INFO(c.text);
  const auto pattern = ParsePattern(c.text, kWords);
  if (c.exprs == 0) {
    CHECK_FALSE(pattern.ok());
    return;
  }
  INFO(pattern.status().message());
  REQUIRE(pattern.ok());
  CHECK(pattern->exprs.size() == c.exprs);
  CHECK(pattern->slots.size() == c.slots);
}

TEST_CASE("bad expressions name the column") {
  struct Case {
    const char* text;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"", "column 1: expected an expression"},
      {"x", "column 1: the root must be an operator"},
      {"0.5", "column 1: the root must be an operator"},
      {"Relu", "column 5: expected '('"},
      {"Relu(", "column 6: expected an expression"},
      {"Relu(x", "column 7: expected ')'"},
      {"Relu(x))", "column 8: unexpected text after the expression"},
      {"Add(x, )", "column 8: expected an expression"},
      {"Add(a:b, c)", "column 7: a value has two names"},
      {"Add(x, 1.2.3)", "column 8: not a number"},
      {"Relu[const](x)", "column 6: no guard of nodes is called 'const'"},
      {"Relu(x[inference])", "column 8: no guard of values is called 'inference'"},
      {"Relu(x[odd])", "column 8: no guard of values is called 'odd'"},
      {"Add?{}(x, y)", "column 6: expected the name of a fusion"},
      {"Split.x(y)", "column 8: expected the number of an output"},
      {"Add(@twice(x[odd]), y)", "column 14: no guard of values is called 'odd'"},
      {"Add(@act(x) y)", "column 13: expected ')'"},
      {"Relu(~x)", "column 7: expected an operator"},
      {"(Relu(x) | )", "column 12: expected an expression"},
      {"@nothing(x)", "column 1: no fragment is called 'nothing'"},
      {"@twice", "column 7: fragment 'twice' needs an argument"},
      {"@twice(x", "column 7: fragment 'twice' needs an argument"},
  }));
  INFO(c.text);
  const auto pattern = ParsePattern(c.text, kWords);
  REQUIRE_FALSE(pattern.ok());
  CHECK(std::string(pattern.status().message()) == c.message);
}

TEST_CASE("nesting is bounded") {
  std::string text = "x";
  for (int i = 0; i < 200; ++i) text = "Relu(" + text + ")";
  CHECK_FALSE(ParsePattern(text, {}).ok());
  constexpr Fragment kLoop[] = {{"loop", "Relu(@loop)"}};
  CHECK_FALSE(ParsePattern("@loop", kLoop).ok());
}

TEST_CASE("root operators follow the picks") {
  const auto pattern = ParsePattern("BatchNormalization?{conv_bn}((Conv(x, w) | Gemm(x, w)))", {});
  REQUIRE(pattern.ok());
  const auto names = [&](const std::vector<std::string>& picks) {
    std::vector<std::string> ops;
    for (const OpName& name : RootOps(*pattern, picks)) ops.emplace_back(name.op);
    return ops;
  };
  CHECK(names({}) == std::vector<std::string>{"Conv", "Gemm"});
  CHECK(names({"conv_bn"}) == std::vector<std::string>{"BatchNormalization", "Conv", "Gemm"});
}

TEST_CASE("every row of the table parses, is named once and has a source") {
  std::vector<std::string> names;
  for (const PatternRow& row : AllPatterns()) {
    INFO(row.name);
    CHECK_FALSE(row.source.empty());
    CHECK_FALSE(row.words.empty());
    if (row.kind == RowKind::kExpression) {
      const auto pattern = ParsePattern(row.expression, PatternVocabulary());
      INFO(pattern.status().message());
      CHECK(pattern.ok());
    }
    names.emplace_back(row.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("guards of a row") {
  for (const PatternRow& row : AllPatterns()) {
    if (row.name != "conv_add") continue;
    CHECK(GuardsOf(row, PatternVocabulary()) ==
          std::vector<absl::string_view>{"zero_pad", "const", "per_channel", "inference", "same_shape"});
  }
}

}  // namespace
}  // namespace hwest
