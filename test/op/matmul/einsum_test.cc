#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Equation(const char* equation, std::vector<std::string> inputs) {
  return {.op = "Einsum", .inputs = std::move(inputs), .attrs = {Str("equation", equation)}};
}

TEST_CASE("Einsum: products") {
  // clang-format off
  CheckRows({
      {"matrix product", Equation("ij,jk->ik", {"float[2, 4]", "const float[4, 3]"}), {"float[2, 3]"}, "24", "",
       "matmul 1x2x3x4"},
      {"attention scores", Equation("bhid,bhjd->bhij", {"float[B, 12, S, 64]", "float[B, 12, S, 64]"}),
       {"float[B, 12, S, S]"}, "768*B*S**2", "", "activation 12*BxSxSx64"},
      {"implicit result, spaces", Equation(" b...ij, bjk ", {"float[2, N, 3]", "float[2, 3, M]"}), {"float[N, M]"},
       "6*N*M", "", "activation 1xNxMx6"},
      {"implicit result is in alphabetical order", Equation("ba", {"float[2, 3]"}), {"float[3, 2]"}},
      {"ellipses of different rank", Equation("...ij,...jk->...ik", {"float[5, 1, 2, 4]", "float[7, 4, 3]"}),
       {"float[5, 7, 2, 3]"}, "840", "", "activation 35x2x3x4"},
      {"ellipsis in the middle", Equation("a...b->b...a", {"float[2, 3, 4, 5]"}), {"float[5, 3, 4, 2]"}},
      {"a size of 1 broadcasts", Equation("bij,bjk->bik", {"float[2, 5, 3]", "float[2, 1, 4]"}), {"float[2, 5, 4]"},
       "120", "", "activation 2x5x4x3"},
      {"outer product", Equation("i,j->ij", {"float[2]", "float[3]"}), {"float[2, 3]"}, "6", "",
       "activation 1x2x3x1"},
      {"three operands", Equation("ij,jk,kl->il", {"float[2, 3]", "float[3, 4]", "float[4, 5]"}), {"float[2, 5]"},
       "120", "mul=120", "activation 10x1x1x12"},
      {"integers", Equation("i,i->", {"int32[4]", "int32[4]"}), {"int32[]"}, "4", "", "activation 1x1x1x4", "4"},
  });
  // clang-format on
}

TEST_CASE("Einsum: one operand") {
  CheckRows({
      {"transpose", Equation("ij->ji", {"float[2, N]"}), {"float[N, 2]"}},
      {"sum of rows", Equation("ij->i", {"float[2, N]"}), {"float[2]"}, "0", "add=2*N"},
      {"diagonal", Equation("ii->i", {"float[4, 4]"}), {"float[4]"}},
      {"trace", Equation("ii", {"float[4, 4]"}), {"float[]"}, "0", "add=4"},
      {"a diagonal tells an unknown size", Equation("bii->bi", {"float[N, ?, 4]"}), {"float[N, 4]"}},
  });
}

TEST_CASE("Einsum: what is open") {
  // clang-format off
  CheckRows({
      {"rank of an operand", Equation("ij,jk->ik", {"float?", "float[4, 3]"}), {"float[?, 3]"}, "?", "",
       "activation 1x?x3x4"},
      {"rank under an ellipsis", Equation("...ij,jk->...ik", {"float?", "float[4, 3]"}), {"float?"}, "?", "",
       "activation ?x?x3x4"},
      {"two symbols", Equation("ij,jk->ik", {"float[2, N]", "float[M, 3]"}), {"float[2, 3]"}, "6*broadcast(N, M)", "",
       "activation 1x2x3xbroadcast(N, M)"},
  });
  // clang-format on
}

TEST_CASE("Einsum: malformed equations") {
  struct Row {
    const char* equation;
    const char* message;
  };
  // clang-format off
  const Row rows[] = {
      {"ij,jk->ik", "3 inputs"},        {"ij,jk,k->ix", "label x of the result"}, {"ij,jk,k->ii", "or twice"},
      {"ij,jk,k->i->j", "more than one"}, {"i1,jk,k->i", "an equation holds"},      {"i.,jk,k->i", "an equation holds"},
      {"......ij,jk,k", "two ellipses"}, {"ijl,jk,k->i", "rank 3"},                {"i,jk,k->i", "rank 1"},
      {"ijl...,jk,k->i", "rank 3 or more"}, {"", "1 operands"},                     {"ij,jk,j->i", "do not broadcast"},
  };
  // clang-format on
  for (const Row& row : rows) {
    INFO(row.equation);
    CheckRefused(Equation(row.equation, {"float[2, 4]", "float[4, 3]", "float[3]"}), row.message);
  }
  CheckRefused(Equation("ii->i", {"float[4, 3]"}), "do not broadcast");
  CheckRefused({.op = "Einsum", .inputs = {"float[4]"}}, "rank 0");
}

}  // namespace
}  // namespace hwest
