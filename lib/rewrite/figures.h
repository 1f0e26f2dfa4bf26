// Figures are values that a replacement computes from its match; checks are conditions beyond the pattern. One row
// each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "rewrite/payload.h"
#include "rewrite/site.h"

namespace hwest {

struct Figure {
  enum class Kind : uint8_t { kInt, kInts, kFloat, kTensor, kText };
  Kind kind = Kind::kInts;
  std::vector<int64_t> ints;             // kInt: one
  std::vector<double> numbers;           // kFloat: one; kTensor: elements in the element type `elem`, or the match's
  std::vector<int64_t> dims;             // kTensor
  ElemType elem = ElemType::kUndefined;  // kTensor; undefined = the match's
  std::string text;
  std::shared_ptr<const Derived> derived;  // kTensor: computed from an initialiser of the file

  static Figure Int(int64_t value) { return {.kind = Kind::kInt, .ints = {value}}; }
  static Figure Ints(std::vector<int64_t> values) { return {.kind = Kind::kInts, .ints = std::move(values)}; }
  static Figure Float(double value) { return {.kind = Kind::kFloat, .numbers = {value}}; }
  static Figure Text(std::string text) { return {.kind = Kind::kText, .text = std::move(text)}; }
  static Figure Tensor(std::vector<double> numbers, std::vector<int64_t> dims) {
    return {.kind = Kind::kTensor, .numbers = std::move(numbers), .dims = std::move(dims)};
  }
};

// Arguments as written: names of values, or numbers.
using Args = absl::Span<const std::string>;
using Computed = std::optional<Figure>;  // none = the rule does not apply here

// A constant under its own sizes, element i times factors[i / inner % factors.size()].
Computed TimesFactors(const Site& site, ValueId weights, const std::vector<double>& factors, int64_t inner);

// A constant under other dims; element i of each run of as many as `order` has is the run's element order[i].
Computed InOrder(const Site& site, ValueId constant, std::vector<int32_t> order, std::vector<int64_t> dims);

// None when it leaves 64 bits.
std::optional<int64_t> Product(absl::Span<const int64_t> sizes);
// A Resize that takes the nearest element by whole factors: each becomes a block of itself.
bool ResizesInBlocks(const Site& site);

// Without antialiasing, and stretched to the size that is asked.
bool ResizesAsAWhole(const Site& site);
// A check: the constant of integers fits in 32 bits.
bool IsNarrow(const Site& site, Args args);

// The number that args[index] is; `fallback` when it is none.
int64_t IntArg(Args args, size_t index, int64_t fallback);

// What the rules of a user may hand to a figure or a check, a letter an argument: v a value, n a value that a node of
// the match makes, o a value that may be absent, a the name of an attribute, t a text, # a number; behind ? all may be
// left out. kOwnRulesOnly = the rules of the table alone may ask, as they do it right.
inline constexpr absl::string_view kOwnRulesOnly = "-";

struct FigureRow {
  absl::string_view name;
  absl::string_view words;
  Computed (*compute)(const Site&, Args);
  absl::string_view takes = kOwnRulesOnly;
};

struct CheckRow {
  absl::string_view name;
  absl::string_view words;
  bool (*holds)(const Site&, Args);
  absl::string_view takes = kOwnRulesOnly;
};

struct Call;  // rewrite/replacement.h
// What a rule asks at a place. For users' rules, a value that the match left out gives none, and no check holds for it.
Computed ComputeFigure(const Site& site, const Call& call);
bool CheckHolds(const Site& site, const Call& call);

const FigureRow* FindFigure(absl::string_view name);
const CheckRow* FindCheck(absl::string_view name);
absl::Span<const FigureRow> PlainFigures();
absl::Span<const FigureRow> LayoutFigures();    // axes, permutations and sizes
absl::Span<const FigureRow> ConstantFigures();  // new constants made of others
absl::Span<const FigureRow> ImageFigures();     // what normalises an image
absl::Span<const FigureRow> BlockFigures();     // weights in blocks of channels
absl::Span<const FigureRow> IntegerFigures();   // integers of fewer bits
absl::Span<const CheckRow> AllChecks();
std::vector<const FigureRow*> RewriteFigures();

}  // namespace hwest
