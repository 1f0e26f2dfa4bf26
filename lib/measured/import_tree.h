// What the importers share: reading trees of JSON (and of YAML, turned into such) without trusting them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "measured/measurements.h"
#include "nlohmann/json.hpp"

namespace hwest {

// Members of a mapping are ordered by name.
using Tree = nlohmann::json;

// ParseJson reads a whole text. Errors: kUsage for a text that is no JSON, ends early or is nested deeper than 64 levels.
absl::StatusOr<Tree> ParseJson(absl::string_view text, absl::string_view name);
// ParseYaml reads the subset that data files are written in: mappings and sequences by indentation, plain, quoted and
// block scalars, comments. Errors: kUsage with NAME:LINE for anything else (anchors, tags, flow collections that are
// not empty) and for nesting deeper than 64 levels.
absl::StatusOr<Tree> ParseYaml(absl::string_view text, absl::string_view name);

// Members of a mapping; none (null, empty) when `tree` is no mapping, has no such member or one of another type.
const Tree* MemberOf(const Tree& tree, absl::string_view key);
std::optional<double> NumberOf(const Tree& tree, absl::string_view key);  // finite
std::string TextOf(const Tree& tree, absl::string_view key);

// The middle value, or the mean of the two; none when empty.
std::optional<double> MedianOf(std::vector<double> values);

// Errors of an imported file: kUsage, "NAME: WHAT".
absl::Status ImportError(absl::string_view name, absl::string_view what, absl::string_view remedy);

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

// RowOf fills a row, without a value, from what the file says and, where it says nothing, from the caller. Errors: kUsage
// naming the flag for the model, device, unit or precision when neither does.
absl::StatusOr<Measurement> RowOf(const Imported& file, const Said& said);

}  // namespace hwest
