// The table of fusion patterns, in the language of fuse/pattern.h. It stands in this folder because toolchain files
// pick from it.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

enum class RowKind : uint8_t {
  kExpression,  // matched by the expression
  kChain,       // element-wise nodes of one shape, see fuse/chain.h
  kQdq,         // QuantizeLinear and DequantizeLinear join their neighbours, see fuse/qdq.h
  kInPlace,     // a concatenation whose parts are written where they end up, see fuse/in_place.h
  kNested,      // the same with values that several such concatenations begin with
  kHorizontal,  // groups beside each other, which begin with one of `key`, see fuse/horizontal.h
};

// PatternRow says which nodes become one kernel, and which fusions a toolchain must have picked for that. Rows of one
// family report the same Group::pattern; an empty family reports the operator that the expression names `core`.
// Earlier rows win between matches of equal size.
struct PatternRow {
  absl::string_view name;
  absl::string_view family;
  absl::string_view picks;  // space separated; every one is needed
  // Operators, one of which every match has, space separated; "" = none is named. Graphs without them skip the row.
  absl::string_view key;
  absl::string_view expression;  // of the other kinds: in words
  absl::string_view words;       // what becomes one kernel, for people
  absl::string_view source;
  RowKind kind = RowKind::kExpression;
  bool alone = false;  // one node is a match, too; else it takes two that become one
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
