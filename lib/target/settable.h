// Figures of a target that a study may set, by a path: UNIT.FIELD, MEMORY.FIELD or FROM:TO.FIELD of a link.
//
//   npu.clock  npu.rows  npu.compute_efficiency  sram.size  dram.bandwidth  npu:cpu.latency
//
// FIELD is a word of the table in settable.cc, the field's name in target.proto (`clock_hz`) or a parameter.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

struct Settable {
  std::string path;       // with the word: "npu.clock"
  std::string fact;       // where FactsOf has it: "unit/npu/clock_hz"; empty = it is no fact
  std::string measure;    // "Hz", "B", "B/s", "s", "W", "J/B" or empty
  bool is_whole = false;  // a count
  double min = 0;         // values that make sense
  double max = std::numeric_limits<double>::infinity();
  std::optional<double> value;  // in effect; none = the file states none
};

// In the order of the file: memories, units with their parameters, links.
std::vector<Settable> SettablesOf(const Target& target);

// Errors: kUsage with the nearest paths.
absl::StatusOr<Settable> FindSettable(const Target& target, absl::string_view path);

// The values of "4,8", "0.5MB:8MB:x2" or "1GHz:2GHz:+250MHz", ends included: numbers with the unit of the figure, any
// SI prefix, or without one. `flag` is for messages. Errors: kUsage for a text of another form and for values that make
// no sense or stand there twice.
absl::StatusOr<std::vector<double>> ParseValues(absl::string_view flag, absl::string_view text, const Settable& figure);
// "4 mm2" of the measure "mm2", "2W" or "800 mW" of "W": a number with any SI prefix and the unit, or without both.
// None for a text of another form.
std::optional<double> ReadQuantity(absl::string_view text, absl::string_view measure);
// "2 MB", "1.5 GHz", "64": reads back as the same number.
std::string ValueText(const Settable& figure, double value);

// SetFigure states the figure anew, in every mode, and takes with it what is bound to it:
//
//   rows, columns  of an array: its tiles, and the CONTRACTION rates in proportion
//   macs           the CONTRACTION rates of all precisions in proportion; the value is that of the usual one
//   size           of a memory on the chip: usable_bytes and static_w in proportion, energy_j_per_byte with the root,
//                  as word and bit lines of a square array grow (8 kB to 1 MB in Horowitz, ISSCC 2014: 10 times)
//
// Requires a figure of FindSettable for a target with the same units and memories.
void SetFigure(const Settable& figure, double value, Target* target);

}  // namespace hwest
