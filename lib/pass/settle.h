// Chooses the numbers that figures use for data-dependent sizes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "hwest/dim.h"

namespace hwest {

// SettleSymbols gives every data-dependent symbol its assumed value: what `expect` states for it (see
// BindRequest::expect), else its typical value, else its upper bound, each evaluated. Values of symbols that stand for
// an expression follow from those of its parts. Patterns leave out such symbols, and those that count runs.
// Error kBindConflict when a name or pattern fits no data-dependent symbol, names one that stands for an expression, or
// when a value stated by name is outside the bounds of its symbol.
absl::Status SettleSymbols(const std::vector<std::pair<std::string, int64_t>>& expect, DimPool& dims);

// SettleLargest gives every data-dependent symbol of a settled pool, or of a child of one, its largest value instead.
// Symbols that count runs stay at the mean run. False when a symbol that had a value has no upper bound: it keeps that.
bool SettleLargest(DimPool& dims);

// Whether the pool has a size that depends on contents; symbols that count runs depend on the trips alone.
bool HasDataDependent(const DimPool& dims);

// Whether `text` fits `pattern`, in which * stands for any text and ? for any one character.
bool FitsPattern(absl::string_view text, absl::string_view pattern);

}  // namespace hwest
