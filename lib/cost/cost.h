// The cost model: seconds and joules of one group on one unit. One file per kind of machine.
#pragma once

#include "absl/status/statusor.h"
#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

// EstimateGroup returns the warm time and energy of one execution of the group.
//
//   compute_s   contractions at the rate this shape reaches + element operations at the vector rate
//   memory_s    the slowest memory: bytes that nearer ones and the unit ask of it (see cost/traffic.h) at its bandwidth
//               0 for units of kind DATAFLOW: groups stream into each other (see cost/dataflow.h)
//   overhead_s  launch_s per kernel, less what launch_overlap hides behind the kernels beside it
//   time_s      max(compute_s, memory_s) + (1 - overlap) * min(compute_s, memory_s) + overhead_s
//
// It is monotone: a faster clock, more bandwidth or more cores never makes it longer.
// Errors: Unimplemented for kinds without a model; FailedPrecondition when the target or the work lacks a figure (the
// time is unknown then, not zero).
absl::StatusOr<Estimate> EstimateGroup(const Target& target, const Unit& unit, const GroupWork& work,
                                       const Residency& residency);

// The same for a machine made by MakeMachine, whose precision is that of the work.
struct Machine;
// `beside` kernels, this one counted, wait for none of each other.
absl::StatusOr<Estimate> EstimateOn(const Machine& machine, const GroupWork& work, const Residency& residency,
                                    int beside = 1);

// The part of it that residency does not change, and the rest.
struct ComputeUse {
  double seconds = 0;
  double slow_seconds = 0;  // of `seconds`: GroupWork::slow_cycles
  double peak_seconds = 0;  // of the macs at the peak
  double energy_j = 0;
};
absl::StatusOr<ComputeUse> ComputeOn(const Machine& machine, const GroupWork& work);
absl::StatusOr<Estimate> EstimateWith(const Machine& machine, const GroupWork& work, const ComputeUse& compute,
                                      const Residency& residency, int beside = 1);

// The memory that values may stay in between groups: the largest one of the unit before the shared one. Null = none.
const Memory* OnChipMemoryOf(const Target& target, const Unit& unit);
// Bytes of it that activations may take, and tiles while none of their operands stays; 0 without such a memory. Of a
// cache only half is counted on: weights stream through it and evict.
int64_t OnChipBytes(const Target& target, const Unit& unit);
// The same of one of its memories; 0 = its size is not known.
int64_t RoomIn(const Unit& unit, const Memory& memory);

// Power drawn while `unit` works whatever it does: the idle board plus the unit's own static power.
double StaticWatts(const Target& target, const Unit& unit);

// How far the unit's figures can be trusted.
Grade GradeOf(const Unit& unit);
// The factor f of the 80 % interval [time/f, time*f]: what predictions of left-out measurements at this precision
// missed, where the target holds it (parameter interval_ln, and interval_ln_unmeasured for a unit that was not measured
// itself; half widths in ln), else that of data sheets. `unseen` is the share of the unit's time in work that these
// measurements have not seen (see Evidence); it widens the interval by what the parameter interval_ln_unseen says.
double IntervalFactor(const Unit& unit, Precision precision, double unseen = 0);
// The factor of the interval of energy where that of time is `time_factor`: measurements fit times alone, so it is
// never below that of data sheets.
double EnergyIntervalFactor(double time_factor);

}  // namespace hwest
