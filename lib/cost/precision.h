// Which precision each unit runs a model at.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cost/model_view.h"
#include "hwest/estimate.h"
#include "hwest/group.h"
#include "hwest/target.h"

namespace hwest {

// What the file itself says. `floating` is the type of its floating point activations, the nearest to it that units
// have; `quantised` is set when some contraction has two integer operands (QuantizeLinear and DequantizeLinear around
// it, QLinear* and *Integer ops).
struct FilePrecision {
  Num floating = Num::kFp32;
  std::string name = "fp32";  // as the file has them, e.g. "fp64"; without floating point ones what else, e.g. "int64"
  bool is_float = true;
  std::optional<Precision> quantised;
  std::optional<int> weight_bits;  // of integer weights beside floating point activations, the fewest
};
FilePrecision FilePrecisionOf(const ModelView& model);

// Layers with a precision of their own, as one unit runs them.
struct LayerPrecisions {
  IdMap<NodeId, Precision> named;  // unset act = the request does not name the node
  // What limits of the toolchain see: of a layer its own, of nodes without contraction the widest that they read. Unset
  // = that of the model.
  IdMap<NodeId, Num> seen;

  bool operator==(const LayerPrecisions& other) const {
    return std::equal(named.begin(), named.end(), other.named.begin(), other.named.end()) &&
           std::equal(seen.begin(), seen.end(), other.seen.begin(), other.seen.end());
  }
};

// Precision of one unit. `main` is for groups with integer operands and for graphs that are not quantised; `floating`
// is for the other groups of a quantised graph; equal otherwise.
struct UnitPrecision {
  Precision main;
  Precision floating;
  std::string note;              // e.g. "runs int8, the nearest it has to fp16"; empty when there is nothing to say
  std::vector<Widening> widens;  // of its toolchain, to formats that the unit has
  const std::vector<SlowKernel>* slow = nullptr;  // of its toolchain, which outlives this; null = none
  double launch_share = 1;                        // of its toolchain
  std::shared_ptr<const LayerPrecisions> layers;  // null = the request names none; units that agree share one

  bool RunsAlike(const UnitPrecision& other) const {
    return main == other.main && floating == other.floating && widens == other.widens && slow == other.slow &&
           launch_share == other.launch_share && layers == other.layers;
  }
};

// The precision of `group` where that of its model is `precision`: a wider one where the toolchain computes it so.
Precision Widened(const ModelView& model, const Group& group, Precision precision, const std::vector<Widening>& widens);

// RateFor returns the row that work of `precision` runs at: the exact pair, else the row of the activation type when
// the weights are no wider (weight-only quantisation unpacks into it). Null when there is none.
const Rate* RateFor(const Unit& unit, WorkKind work, Precision precision);
// True when the unit states what contractions of `precision` reach with 2:4 sparse weights. Weights that are narrower
// than the row they run at are unpacked to dense ones first.
bool HasSparseRate(const Unit& unit, Precision precision);
// Names of the precisions that have a contraction rate, e.g. {"fp16", "int8"}.
std::vector<std::string> PrecisionsOf(const Unit& unit);

// The unit a reader thinks of first: the first placeable accelerator, else the first placeable unit; none = there is no
// such unit. Its usual precision is the target's default.
UnitId MainUnitOf(const Target& target);

// The names that a request may have, as they stand in the table of them.
std::vector<std::string> RequestPrecisions();

// CanonicalPrecision is a request with its precisions in lower case; names of units stay.
std::string CanonicalPrecision(absl::string_view request);

// PrecisionChoice is what every unit runs a model at. A unit without a row takes no part.
struct PrecisionChoice {
  IdMap<UnitId, std::optional<UnitPrecision>> units;
  std::string name;                // of the whole, e.g. "fp16"; of a mix the request's own text
  std::vector<std::string> notes;  // what was assumed, and what it takes
};

// ChoosePrecisions decides for every unit. `request` is
//   auto         the file's precision if it is quantised, else the target's default; units without it run the nearest.
//                A CPU is handed what the file holds, so it keeps its own usual precision.
//   a name       such as fp16: a unit that cannot run it has no row, except a CPU beside other placeable units
//   mixed        each unit at its own usual precision
//   UNIT=P,..    as auto, but for the units named
// Precisions may be in any case. `only` limits the units whose rates a name asks for (empty = all). Errors: kUsage with
// the units and precisions that exist.
absl::StatusOr<PrecisionChoice> ChoosePrecisions(const Target& target, absl::string_view request,
                                                 const FilePrecision& file, const std::vector<std::string>& only);

// What `unit` runs where the request is `name`, one of RequestPrecisions; none when it does not run that.
std::optional<Precision> PrecisionOn(const Unit& unit, absl::string_view name);

// The wider of two, of equal widths the floating one.
Precision WiderOf(Precision a, Precision b);

// ParseLayerFormats reads lines "node,format": a node as --pin names it, and one of RequestPrecisions. Lines that are
// empty or begin with '#' and no number, and a first line "node,format", say nothing. Errors: kUsage with `source` and
// the line.
struct LayerFormat {
  std::string node, format;
};
absl::StatusOr<std::vector<LayerFormat>> ParseLayerFormats(absl::string_view text, absl::string_view source);

// A layer of the request in the graph.
using NamedLayers = std::vector<std::pair<NodeId, std::string>>;  // with its format

// NameLayers gives each unit its `layers`. A unit that does not run a format keeps its own precision there; the result
// lists these, in words, e.g. "dla0 does not run w8a16: 3 layers stay int8". A layer that is named twice has the last
// format.
std::vector<std::string> NameLayers(const ModelView& model, const Target& target, const NamedLayers& layers,
                                    IdMap<UnitId, std::optional<UnitPrecision>>* units);

// AssumeSparse makes precisions sparse on units with a rate for that.
void AssumeSparse(const Target& target, IdMap<UnitId, std::optional<UnitPrecision>>* units);

}  // namespace hwest
