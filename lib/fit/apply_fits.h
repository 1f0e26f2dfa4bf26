// Fitted values, and targets that hold them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fit/free_facts.h"
#include "fit/match.h"
#include "hwest/target.h"

namespace hwest {

struct FittedFact {
  FreeFact free;
  double value = 0;
  double spread = 0;  // standard deviation of ln(value)
  int count = 0;      // rows it was found from
};

// Half widths of the 80 % interval in ln, of one kind of unit at one precision: on devices that were measured, and on
// others of the family; and what work widens them by that the measurements have not seen (see IntervalLaw).
struct FittedInterval {
  std::string family;
  UnitKind kind = UnitKind::kUnset;
  std::string precision;
  double measured = 0;
  double others = 0;
  double unseen = 0;
  int count = 0;
};

// What the measurements of one kind of unit at one precision have seen.
struct FittedEvidence {
  UnitKind kind = UnitKind::kUnset;
  Evidence evidence;
};

struct FamilyFit {
  std::string family;
  std::string data;       // what it was found from
  std::string shared_by;  // of the shared facts: the family, or empty when one target alone was fitted
  std::vector<FittedFact> facts;
  std::vector<FittedInterval> intervals;
  std::vector<FittedEvidence> evidence;
};

// The parameters that hold intervals, see IntervalFactor in cost/cost.h.
inline constexpr absl::string_view kIntervalParam = "interval_ln";
inline constexpr absl::string_view kOthersIntervalParam = "interval_ln_unmeasured";
inline constexpr absl::string_view kUnseenIntervalParam = "interval_ln_unseen";
inline constexpr double kWidestInterval = 4;  // ln

// Takes away what earlier fits left on units of the kinds that are fitted anew.
void StripFits(const std::string& family, const std::vector<UnitKind>& kinds, Target* target);
// Puts the fits into a target of the family; others stay as they are.
void ApplyFits(const FamilyFit& fit, Target* target);

// Every fact of the fit with what a target holds of it, intervals last.
std::vector<std::pair<FreeFact, Fit>> FitsOf(const FamilyFit& fit);

// The unit of the kind that work is placed on; empty = none.
std::string UnitNameOf(UnitKind kind, const Target& target);
// "unit/htp/param/compute_efficiency.int8"; the unit is that of the kind for shared ones.
std::string PathOf(const FreeFact& free, const Target& target);

}  // namespace hwest
