// Operands that moved from attributes to inputs over the years: starts, axes, pads, shape, repeats ...
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "op/known.h"
#include "op/rule.h"

namespace hwest {

// Operand is a list of integers, as far as it is known.
struct Operand {
  bool present = false;
  std::optional<int64_t> length;              // none when unknown
  std::optional<std::vector<Scalar>> values;  // none when nothing is known; single elements may be unknown

  // `length` elements, unknown where nothing is known. Requires a length.
  std::vector<Scalar> Padded() const;
  // All values, when present and constant integers.
  std::optional<std::vector<int64_t>> Constants() const;
};

// ReadOperand reads input `i` when present, else the attribute `name` (a list of integers). Lists longer than any
// rank are as good as unknown.
Operand ReadOperand(const OpView& op, int i, absl::string_view name);

}  // namespace hwest
