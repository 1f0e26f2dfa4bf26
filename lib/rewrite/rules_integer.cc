// 64-bit integers as 32-bit ones where every value fits: many devices have nothing wider.
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rewrite/figures.h"
#include "rewrite/rules.h"

namespace hwest {
namespace {

constexpr int64_t kLeastNarrow = std::numeric_limits<int32_t>::min(), kMostNarrow = std::numeric_limits<int32_t>::max();

// A constant of integers in 32 bits: (constant); none where one does not fit.
Computed AsNarrow(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  const auto sizes = site.SizesOf(value);
  if (!sizes.has_value() || !site.IsFixed(value)) return std::nullopt;
  const auto ints = site.KnownInts(value);
  if (!ints.has_value()) return std::nullopt;
  Figure made = Figure::Tensor({}, *sizes);
  made.elem = ElemType::kInt32;
  for (const int64_t number : *ints) {
    if (number < kLeastNarrow || number > kMostNarrow) return std::nullopt;
    made.numbers.push_back(static_cast<double>(number));
  }
  return made;
}

constexpr FigureRow kIntegerFigures[] = {
    {"narrow", "a constant of integers in 32 bits", AsNarrow},
};

constexpr absl::string_view kIndices =
    "ONNX operator specification: indices lie within the axis, whose size fits in 32 bits";

// clang-format off
constexpr RewriteRule kIntegerRules[] = {
    {.name = "constant_indices_to_int32", .key = "Gather GatherElements",
     .match = "(Gather|GatherElements)(x, i[const])", .holds = "elem(i, int64) narrow(i)",
     .make = "Root(x, $narrow(i); *root)", .words = "constant indices become int32", .reason = kOnnxSpecification},
    {.name = "indices_to_int32", .key = "Gather GatherElements", .match = "(Gather|GatherElements)(x, i)",
     .holds = "elem(i, int64) varies(i) indexes_narrowly", .make = "Root(x, Cast(i; to=6); *root)",
     .words = "indices that are computed or passed become int32", .reason = kIndices},
    {.name = "indices_of_int32_kept", .key = "Gather GatherElements", .match = "(Gather|GatherElements)(x, c:Cast(i))",
     .holds = "elem(i, int32) elem(c, int64)", .make = "Root(x, i; *root)", .use = RuleUse::kCanonical,
     .words = "indices of int32 are not made int64 first", .reason = kOnnxSpecification},
    {.name = "comparison_in_int32", .key = "Cast",
     .match = "(Equal|Greater|Less|GreaterOrEqual|LessOrEqual)(c:Cast(x), d[const])",
     .holds = "opset(9) elem(x, int32) elem(c, int64) narrow(d)", .make = "Root(x, $narrow(d); *root)",
     .words = "int32 is compared as such", .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

bool IsNarrow(const Site& site, Args args) { return AsNarrow(site, args).has_value(); }

absl::Span<const FigureRow> IntegerFigures() { return kIntegerFigures; }
absl::Span<const RewriteRule> IntegerRewrites() { return kIntegerRules; }

}  // namespace hwest
