// From a row of measurements to the analysis that predicts it: which target, which of its units, at what precision.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"
#include "measured/measurements.h"

namespace hwest {

using Targets = std::vector<std::shared_ptr<const Target>>;

// Every built-in target, by name.
absl::StatusOr<Targets> LoadBuiltInTargets();

// Query is what to analyse for a row. `engines` are lists of units to allow, beside the CPU. More than one: engines
// that work on inferences of their own at the same time, whose rates add up.
struct Query {
  std::shared_ptr<const Target> target;
  std::string mode;  // empty = the target's default
  std::string precision;
  std::vector<std::vector<std::string>> engines;
  std::string toolchain;    // of the engines; empty = their own
  bool shares_fits = true;  // with the engines' own toolchain; other rows are neither fitted nor pooled
};

// MatchRow finds the target whose measured_as names the row's device, unit, runtime and mode; among several the one
// with the longest runtime, then the first. Errors: NotFound, whose message says why the row is skipped.
absl::StatusOr<Query> MatchRow(const Measurement& row, const Targets& targets);

// MatchRowOn runs the row on `target` whatever its device: as measured_as says when it names the row, else on the units
// of the kind that the row's unit means (CPU, GPU, NPU; "GPU+2xDLA" is GPU and NPU), in the row's mode when the target
// has one of that name, or was itself measured in one called so. Errors: as MatchRow.
absl::StatusOr<Query> MatchRowOn(const Measurement& row, const std::shared_ptr<const Target>& target);

// A runtime without the version that ends its name: "TensorRT 8.4.0" and "TensorRT 10" are one. Empty stays empty.
absl::string_view RuntimeWithoutVersion(absl::string_view runtime);

// How precisions of measurements are run. `tries` by kind of unit, space separated; the unit runs the first it has a
// rate for. A precision without a row is taken as one of the contract's names.
struct PrecisionRow {
  absl::string_view published;
  absl::string_view cpu;
  absl::string_view gpu;
  absl::string_view npu;
};
absl::Span<const PrecisionRow> AllPublishedPrecisions();

// The precision the unit runs a row of `published` precision at. Errors: NotFound.
absl::StatusOr<std::string> PrecisionFor(absl::string_view published, const Target& target, const Unit& unit);

}  // namespace hwest
