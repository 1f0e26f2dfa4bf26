// What the importers share: reading trees of JSON, and of YAML turned into such.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "measured/measurements.h"
#include "profile/json_tree.h"

namespace hwest {

// ParseYaml reads the subset that data files are written in: mappings and sequences by indentation, plain, quoted and
// block scalars, comments. Errors: kUsage with NAME:LINE for anything else (anchors, tags, flow collections that are
// not empty) and for nesting deeper than 64 levels.
absl::StatusOr<Tree> ParseYaml(absl::string_view text, absl::string_view name);

// What one importer reads.
struct Imported {
  const Tree& tree;
  absl::string_view name;  // of the file, for errors
  const MeasurementDefaults& defaults;
};

// Of a row that a file holds: what it says itself, empty = nothing.
struct Said {
  std::string component;  // the part of the file the row is from; "" = there is only one
  std::string device, unit, runtime, precision, mode;
};

// RowOf fills a row, without a value, from what the file says and, where it says nothing, from the caller. Errors:
// kUsage naming the flag for the model, device, unit or precision when neither does.
absl::StatusOr<Measurement> RowOf(const Imported& file, const Said& said);

}  // namespace hwest
