// Widths of intervals: a law fitted to the errors of predictions for left-out families.
#pragma once

#include <string>
#include <vector>

namespace hwest {

// What one prediction missed that was made without its model's family.
struct LeftOutMiss {
  std::string family;   // of the model
  double ln_error = 0;  // |ln(predicted / measured)|
  double unseen = 0;    // share of its time in work that the other families do not show
};

// Half width in ln: sqrt(seen^2 + share * unseen^2).
struct IntervalLaw {
  double seen = 0;
  double unseen = 0;

  double HalfWidth(double share) const;
};

// FitIntervalLaw returns the law of the 80 % interval that fits a model of a family not among those of the misses.
IntervalLaw FitIntervalLaw(const std::vector<LeftOutMiss>& misses);
// As above with the growth of `like`: of errors that have other causes beside the family.
IntervalLaw ScaledTo(const std::vector<LeftOutMiss>& misses, const IntervalLaw& like);

}  // namespace hwest
