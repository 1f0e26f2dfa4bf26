// What guards ask of nodes and values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/guards.h"

namespace hwest {

const Shape& ShapeOf(const GuardContext& context, ValueId value);
// None when there is no such input.
ValueId InputAt(const GuardContext& context, NodeId node, size_t index);
int64_t IntAttribute(const GuardContext& context, NodeId node, absl::string_view name, int64_t fallback);
double FloatAttribute(const GuardContext& context, NodeId node, absl::string_view name, double fallback);
// Integers of attribute `name`, else of input `index`; nullopt when neither is there or something is not known.
std::optional<std::vector<int64_t>> Ints(const GuardContext& context, NodeId node, absl::string_view name,
                                         size_t index);
// Pads of a Pad in front of all axes, then behind them, also where it names some axes only; nullopt = not known.
std::optional<std::vector<int64_t>> PadsOfPad(const GuardContext& context, NodeId pad);
bool AllOnes(absl::Span<const Dim> dims);

// The rows of guards_reading.cc.
absl::Span<const Guard> ReadingGuards();

}  // namespace hwest
