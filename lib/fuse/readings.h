// The table of readings: what nodes compute, however the exporter wrote it.
#pragma once

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/guards.h"
#include "fuse/patterns.h"
#include "hwest/target.h"

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
  PatternRow match;          // its words say why, its source where compilers do that
  absl::string_view means;   // "Op(a, b)", or "a" where the result is that value
  // Attributes of the operator that `means` names, by the node; nullopt = it cannot be read so. Null = none, or its own
  // where the operator stays.
  std::optional<std::vector<Attribute>> (*attributes)(const GuardContext& context, NodeId node) = nullptr;
  absl::string_view attribute;  // that they add or change; "" = none
  absl::string_view fusion;  // that stands for these nodes where a toolchain states it; "" = none. Of kTaken: a toolchain
                             // that refuses the operator meant, too, takes the node where it states this
  ReadingKind kind = ReadingKind::kExpression;
  int opset = 0;  // the least version in which the operator means this
};

absl::Span<const ReadingRow> AllReadings();
absl::Span<const ReadingRow> TakenReadings();  // those of kind kTaken
// The parsed expression of a row of AllReadings(). Parsed once in a process.
const Pattern& PatternOf(const ReadingRow& row);
// The row of kind kTaken that holds for the node, null when there is none. Its expression is the node's operator with
// guards of nodes.
const ReadingRow* FindTaken(const GuardContext& context, NodeId node);
// The row of that name, null when there is none.
const ReadingRow* FindReading(absl::string_view name);

// Whether the toolchain makes the fusion: states it, or takes the operator that it is the spelling of.
bool Makes(const Toolchain& toolchain, absl::string_view fusion);

// Attributes of convolutions and pools that do what a Pad before them did.
std::optional<std::vector<Attribute>> PadsOfBoth(const GuardContext& context, NodeId node);
// The axis of a softmax over the last one between a transpose and its inverse, before the transposes.
std::optional<std::vector<Attribute>> AxisBeforeTurns(const GuardContext& context, NodeId node);
// The order of a transpose together with the one before it.
std::optional<std::vector<Attribute>> PermOfBoth(const GuardContext& context, NodeId node);

}  // namespace hwest
