// Recipes: which settings to change together.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hwest/study.h"

namespace hwest {

// The least share of the latency that a change has to save: an estimate tells no less apart.
inline constexpr double kLeastSaving = 5e-3;

// A setting that can be changed, and what the model takes with that alone.
struct RecipePart {
  std::string of;  // what it sets; one of each can be in force
  AccuracyRisk risk = AccuracyRisk::kNone;
  double latency_s = 0;
};

// The latency with some settings, by index, ascending; none where they are refused together.
using LatencyOfSet = std::function<std::optional<double>(const std::vector<size_t>& set)>;

// BestSet looks for the settings of at most `most` risk that together take least. It follows the best few sets, so that
// a setting may pay only beside another one. Each setting of the result saves at least kLeastSaving of `base_s` beside
// the others; the result is never worse than one setting alone, nor than none.
std::vector<size_t> BestSet(const std::vector<RecipePart>& settings, double base_s, AccuracyRisk most,
                            const LatencyOfSet& latency_of);

}  // namespace hwest
