// Which precision each unit runs a model at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cost/model_view.h"
#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

// What the file itself says. `floating` is the type of its floating point activations; `quantised` is set when some
// contraction has two integer operands (QuantizeLinear and DequantizeLinear around it, QLinear* and *Integer ops).
struct FilePrecision {
  Num floating = Num::kFp32;
  std::optional<Precision> quantised;
};
FilePrecision FilePrecisionOf(const ModelView& model);

// Precision of one unit. `main` is for groups with integer operands and for graphs that are not quantised; `floating`
// is for the other groups of a quantised graph; equal otherwise.
struct UnitPrecision {
  Precision main;
  Precision floating;
  std::string note;  // e.g. "assumed int8, file is fp32"; empty when the file's own precision runs
};

// RateFor returns the row that work of `precision` runs at: the exact pair, else the row of the activation type when
// the weights are no wider (weight-only quantisation unpacks into it). Null when there is none.
const Rate* RateFor(const Unit& unit, WorkKind work, Precision precision);
// Names of the precisions that have a contraction rate, e.g. {"fp16", "int8"}.
std::vector<std::string> PrecisionsOf(const Unit& unit);

// ChoosePrecisions decides for every unit. `request` is auto or a name of the contract. A unit that cannot run the
// request has no row set, except a CPU beside other placeable units, which keeps its usual precision. `only` limits
// the units whose rates are asked (empty = all). Errors: kUsage with the possible names.
absl::StatusOr<IdMap<UnitId, std::optional<UnitPrecision>>> ChoosePrecisions(const Target& target,
                                                                             absl::string_view request,
                                                                             FilePrecision file,
                                                                             const std::vector<std::string>& only);

}  // namespace hwest
