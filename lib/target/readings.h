// The table of readings: what nodes compute however the exporter wrote it, in the language of fuse/pattern.h. It is in
// this folder because toolchain files name the readings that a compiler does not make.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/patterns.h"

namespace hwest {

// A node that does nothing is read as this.
inline constexpr absl::string_view kDoesNothing = "Identity";

enum class ReadingKind : uint8_t {
  kExpression,  // matched by the expression
  kSlices,      // adjacent slices that together cover one value
  kCopy,        // repeats an earlier node with the same operands
  kSpelled,     // fusions, see below: a toolchain that takes the operator also takes it written out
  kTaken,       // the node stays; a toolchain that refuses its operator takes it as the one meant
};

// ReadingRow states that the last node of an expression computes an operator over values that the expression names, or
// does nothing. It holds for every compiler unless its file says otherwise (Toolchain::keeps). Readings change no MACs.
struct ReadingRow {
  PatternRow match;         // its words say why, its source which compilers do it
  absl::string_view means;  // "Op(a, b)", or "a" where the result is that value
  // An attribute of the operator that `means` names, derived from the nodes by fuse/guards_reading.cc; "" = the
  // operator has none, or keeps its own.
  absl::string_view attribute;
  // The fusion for these nodes in toolchains that state it; "" = none. For kTaken: a toolchain that also refuses the
  // operator meant takes the node if it states this.
  absl::string_view fusion;
  ReadingKind kind = ReadingKind::kExpression;
  int opset = 0;  // the least version in which the operator means this
};

absl::Span<const ReadingRow> AllReadings();
absl::Span<const ReadingRow> TakenReadings();  // those of kind kTaken
// The row with that name, null when there is none.
const ReadingRow* FindReading(absl::string_view name);
// Whether the row reads nodes as an operator; other rows say that they do nothing or repeat an earlier node.
bool MeansOperator(const ReadingRow& row);

// Whether the toolchain makes the fusion: it states it, or takes the operator that the fusion spells out.
bool Makes(const Toolchain& toolchain, absl::string_view fusion);

}  // namespace hwest
