// The table of fusion patterns, in the language of fuse/pattern.h. It is in this folder because toolchain files pick
// from it.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

enum class RowKind : uint8_t {
  kExpression,  // matched by the expression
  kChain,       // element-wise nodes of one shape, see fuse/chain.h
  kQdq,         // QuantizeLinear and DequantizeLinear join their neighbours, see fuse/qdq.h
  kInPlace,     // a concatenation whose parts are written in place, see fuse/in_place.h
  kNested,      // the same with values that begin several such concatenations
  kHorizontal,  // parallel groups that begin with one of `key`, see fuse/horizontal.h
};

// PatternRow describes which nodes become one kernel, and which fusions a toolchain must pick for that. Rows of one
// family report the same Group::pattern; an empty family reports the operator that the expression names `core`.
// Among matches of equal size, earlier rows win.
struct PatternRow {
  absl::string_view name;
  absl::string_view family;
  absl::string_view picks;  // space separated; every one is needed
  // Operators of which every match has one, space separated; "" = any. Graphs without them skip the row.
  absl::string_view key;
  absl::string_view expression;  // of the other kinds: in words
  absl::string_view words;       // what becomes one kernel, for people
  absl::string_view source;
  RowKind kind = RowKind::kExpression;
  bool alone = false;        // a single node is a match, too; else it takes at least two
  bool later_first = false;  // of two operands that match alike, the one computed last becomes part of the kernel
};

absl::Span<const PatternRow> AllPatterns();
// The table by family, in its order.
absl::Span<const PatternRow> AttentionPatterns();
absl::Span<const PatternRow> ConvPatterns();
absl::Span<const PatternRow> GemmPatterns();
absl::Span<const PatternRow> NormPatterns();
absl::Span<const PatternRow> PointwisePatterns();
absl::Span<const PatternRow> LayoutPatterns();

}  // namespace hwest
