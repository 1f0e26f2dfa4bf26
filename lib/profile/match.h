// Matches a profile to a plan.
#pragma once

#include <cstdint>
#include <optional>

#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "hwest/profile.h"

namespace hwest {

// MatchProfile finds the groups that entries of a profile are about, by the names of nodes. An entry that names nodes
// of several groups ties these together. A group counts as measured when an entry names its main node, or another one
// of it while it ran the main node's operator, or the QuantizeLinear of its result; the main node is the one of most
// MACs, without any the root.
MeasuredTimes MatchProfile(const Profile& profile, const Graph& graph, const Plan& plan, const CountsMap& counts);

// What becomes of the time of a profile.
struct MeasuredTotals {
  double time_s = 0;                  // of all entries
  double matched_s = 0;               // of groups that are measured
  double no_kernel_s = 0;             // of nodes that cost nothing in the plan
  double unmatched_s = 0;             // the rest
  int64_t unmatched = 0;              // entries
  int64_t groups = 0;                 // that are measured
  std::optional<double> predicted_s;  // of these; none = a time is unknown, or there are none
};
MeasuredTotals TotalsOf(const MeasuredTimes& times);

// Names the entries of no measured group and says how many groups are not measured; none when all fits.
std::optional<Diagnostic> UnmatchedNote(const MeasuredTimes& times);

}  // namespace hwest
