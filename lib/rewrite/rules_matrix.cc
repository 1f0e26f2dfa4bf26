// Ranks of matrix products.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "rewrite/figures.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

struct Operands {
  std::vector<int64_t> a, b, out;
};

std::optional<Operands> OperandsOf(const Site& site) {
  const auto a = site.SizesOf(site.ValueOf("a")), b = site.SizesOf(site.ValueOf("b")),
             out = site.SizesOf(site.ValueOf("root"));
  if (!a.has_value() || !b.has_value() || !out.has_value()) return std::nullopt;
  for (const auto* sizes : {&*a, &*b, &*out}) {
    for (const int64_t size : *sizes) {
      if (size < 1 || size > kMostElementsOfAxis) return std::nullopt;
    }
  }
  return Operands{*a, *b, *out};
}

bool IsOneMatrix(const std::vector<int64_t>& sizes) {
  return sizes.size() >= 2 && std::all_of(sizes.begin(), sizes.end() - 2, [](int64_t size) { return size == 1; });
}

// A product whose second operand is one matrix: the rows of all matrices of the first as those of one.
std::string ProductOfRows(const Site& site) {
  const auto operands = OperandsOf(site);
  if (!operands.has_value() || operands->a.size() < 2 || !IsOneMatrix(operands->b)) return "";
  const auto& [a, b, out] = *operands;
  if (a.size() == 2 && b.size() == 2) return "";
  const auto rows = Product(absl::MakeConstSpan(a).first(a.size() - 1));
  if (!rows.has_value()) return "";
  const std::string left = a.size() == 2 ? "a" : ReshapeText("a", {*rows, a.back()});
  const std::string right = b.size() == 2 ? "b" : ReshapeText("b", {b[b.size() - 2], b.back()});
  return absl::StrCat("Reshape(MatMul(", left, ", ", right, "), $sizes(root))");
}

// A vector as a matrix of one row, or of one column.
std::string ProductOfVectors(const Site& site) {
  const auto operands = OperandsOf(site);
  if (!operands.has_value() || (operands->a.size() != 1 && operands->b.size() != 1)) return "";
  const auto& [a, b, out] = *operands;
  if (a.empty() || b.empty()) return "";
  return absl::StrCat("Reshape(MatMul(", a.size() == 1 ? ReshapeText("a", {1, a[0]}) : "a", ", ",
                      b.size() == 1 ? ReshapeText("b", {b[0], 1}) : "b", "), ", IntsText(out), ")");
}

// The sum over the last axis of one and the last but one of the other as an equation.
std::string EinsumOfMatMul(const Site& site) {
  const auto operands = OperandsOf(site);
  if (!operands.has_value()) return "";
  const auto& [a, b, out] = *operands;
  const bool has_same_batch =
      a.size() == b.size() && a.size() >= 2 && a.size() <= 8 && std::equal(a.begin(), a.end() - 2, b.begin());
  if (!has_same_batch) return "";
  const std::string batch = std::string("abcdefgh").substr(0, a.size() - 2);
  return absl::StrCat("Einsum(a, b; equation=\"", batch, "ij,", batch, "jk->", batch, "ik\")");
}

// clang-format off
constexpr RewriteRule kMatrixRules[] = {
    {.name = "shared_matmul_to_matrix", .key = "MatMul", .match = "MatMul(a, b)", .holds = "floats composes",
     .make = "", .compose = ProductOfRows, .figures = "ints sizes", .exactness = Exactness::kRounding,
     .words = "MatMul of many matrices with one becomes one of matrices", .reason = kOnnxSpecification},
    {.name = "vector_matmul_to_matrix", .key = "MatMul", .match = "MatMul(a, b)", .holds = "floats composes",
     .make = "", .compose = ProductOfVectors, .figures = "ints", .exactness = Exactness::kRounding,
     .words = "MatMul of a vector becomes one of a matrix of one row or column", .reason = kOnnxSpecification},
    {.name = "matmul_to_four_axes", .key = "MatMul", .match = "MatMul(a, b)", .holds = "floats rank(a, 3) rank(b, 3)",
     .make = "Squeeze(MatMul(Unsqueeze(a; axes=[0]), Unsqueeze(b; axes=[0])); axes=[0])",
     .undoes = "matmul_to_three_axes", .words = "MatMul with one leading axis becomes one with two",
     .reason = kOnnxSpecification},
    {.name = "matmul_to_einsum", .key = "MatMul", .match = "MatMul(a, b)", .holds = "floats opset(12) composes",
     .make = "", .compose = EinsumOfMatMul, .exactness = Exactness::kRounding, .use = RuleUse::kByName,
     .undoes = "einsum_to_matmul",
     .words = "MatMul becomes Einsum", .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> MatrixRewrites() { return kMatrixRules; }

}  // namespace hwest
