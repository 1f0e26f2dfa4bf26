// Errors of predictions, by the usual measures. The error of one is exp|ln(predicted / measured)| - 1: twice too slow
// and twice too fast are both 1.
#pragma once

#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace hwest {

struct Outcome {
  double predicted = 0;
  double measured = 0;
};

double ErrorOf(const Outcome& outcome);
std::vector<double> ErrorsOf(absl::Span<const Outcome> outcomes);

// The value below which the share `q` of the values lies, by linear interpolation between neighbours; none for none.
std::optional<double> Quantile(std::vector<double> values, double q);
std::optional<double> Median(std::vector<double> values);

// Geometric mean of predicted / measured, minus 1: positive = predicted too high.
std::optional<double> Bias(absl::Span<const Outcome> outcomes);

// Spearman's rank correlation of predicted and measured values, which are positive; values equal but for rounding share
// their mean rank. None below three outcomes or when all of one side are equal.
std::optional<double> RankCorrelation(absl::Span<const Outcome> outcomes);

double GeometricMean(absl::Span<const double> values);  // of at least one positive value

}  // namespace hwest
