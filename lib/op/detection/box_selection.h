// Greedy suppression of overlapping boxes whose coordinates and scores are known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "op/rule.h"

namespace hwest {

// [batch, class, box] of one kept box.
using SelectedBox = std::array<int64_t, 3>;

// SelectBoxes runs a NonMaxSuppression with constant contents: batch by batch, class by class, highest score first.
// None when a content is not known, a shape is not what the operator expects, an overlap is too close to its threshold
// to tell, or there are too many pairs to compare.
std::optional<std::vector<SelectedBox>> SelectBoxes(const OpView& op);

}  // namespace hwest
