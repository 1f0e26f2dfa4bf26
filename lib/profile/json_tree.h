// Reading JSON that other programs wrote, without trusting it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace hwest {

// Members of a mapping are ordered by name.
using Tree = nlohmann::json;

inline constexpr size_t kMaxTreeBytes = size_t{64} << 20;

// ParseJson reads a whole text. Errors: kUsage for a text that is no JSON, ends early, is above 64 MiB or is nested
// deeper than 64 levels.
absl::StatusOr<Tree> ParseJson(absl::string_view text, absl::string_view name);

// Members of a mapping; none (null, empty) when `tree` is no mapping, has no such member or one of another type.
const Tree* MemberOf(const Tree& tree, absl::string_view key);
std::optional<double> NumberOf(const Tree& tree, absl::string_view key);  // finite
std::string TextOf(const Tree& tree, absl::string_view key);

// The middle value, or the mean of the two; none when empty.
std::optional<double> MedianOf(std::vector<double> values);

// Errors of an imported file: kUsage, "NAME: WHAT".
absl::Status ImportError(absl::string_view name, absl::string_view what, absl::string_view remedy);

}  // namespace hwest
