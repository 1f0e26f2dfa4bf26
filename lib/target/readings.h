// The table of readings: what nodes compute, however the exporter wrote it, in the language of fuse/pattern.h. It
// stands in this folder because toolchain files name the readings that a compiler does not do.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/patterns.h"

namespace hwest {

// What a node that does nothing is read as.
inline constexpr absl::string_view kDoesNothing = "Identity";

enum class ReadingKind : uint8_t {
  kExpression,  // matched by the expression
  kSlices,      // slices of one value, side by side, that take all of it
  kCopy,        // what an earlier node computed of the same operands
  kSpelled,     // fusions, see below: a toolchain that takes the operator takes it written out, too
  kTaken,       // the node stays; a toolchain that refuses its operator takes it as the one that is meant
};

// ReadingRow says that the node an expression ends in computes an operator over values the expression names, or that it
// does nothing. It holds for every compiler whose file does not say otherwise (Toolchain::keeps). Readings change no
// MACs.
struct ReadingRow {
  PatternRow match;         // its words say why, its source where compilers do that
  absl::string_view means;  // "Op(a, b)", or "a" where the result is that value
  // Of the operator that `means` names, worked out of the nodes by fuse/guards_reading.cc; "" = the operator has no
  // attributes, or keeps its own.
  absl::string_view attribute;
  // That stands for these nodes where a toolchain states it; "" = none. Of kTaken: a toolchain that refuses the
  // operator meant, too, takes the node where it states this.
  absl::string_view fusion;
  ReadingKind kind = ReadingKind::kExpression;
  int opset = 0;  // the least version in which the operator means this
};

absl::Span<const ReadingRow> AllReadings();
absl::Span<const ReadingRow> TakenReadings();  // those of kind kTaken
// The row of that name, null when there is none.
const ReadingRow* FindReading(absl::string_view name);
// Whether nodes are read as an operator; else they do nothing, or repeat an earlier node.
bool MeansOperator(const ReadingRow& row);

// Whether the toolchain makes the fusion: states it, or takes the operator that it is the spelling of.
bool Makes(const Toolchain& toolchain, absl::string_view fusion);

}  // namespace hwest
