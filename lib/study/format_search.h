// FormatSearch: the formats of layers that take least time within a loss, where a change of format between layers costs
// a conversion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hwest {

// Formats are numbered from the widest on. The time of an assignment is the sum of `cost` over the steps, and of one
// conversion for each value and each format other than its own in which some step reads it.
struct FormatProblem {
  struct Step {
    std::optional<uint32_t> layer;            // none = the step takes the widest format of what it reads
    bool counts = true;                       // false = 32 bits throughout: it neither follows nor converts
    std::vector<uint32_t> reads, writes;      // values; a value is written by one step, before those that read it
    std::vector<double> cost;                 // by format
    std::vector<std::optional<double>> loss;  // of a layer, by format; none = it must not have the format
  };
  struct FlowValue {
    std::vector<double> convert;  // from * num_formats + to
  };

  uint8_t num_formats = 1;
  size_t num_layers = 0;
  std::vector<Step> steps;
  std::vector<FlowValue> values;
};

struct FormatChoice {
  double loss = 0;
  double cost = 0;
  std::vector<uint8_t> formats;  // by layer
};

struct FormatFrontier {
  std::vector<FormatChoice> choices;  // no other has less loss and less cost; by loss, ascending
  bool is_exact = true;               // false = partial choices were dropped that might have been among the best
};

// FindFrontier walks the steps and keeps, for each combination of formats of the values that later steps read, the
// partial choices that no other one betters in loss and cost. It is exact while those are at most `most_states`.
FormatFrontier FindFrontier(const FormatProblem& problem, std::optional<double> budget, size_t most_states);

// The time of one assignment.
double CostOf(const FormatProblem& problem, const std::vector<uint8_t>& formats);

}  // namespace hwest
