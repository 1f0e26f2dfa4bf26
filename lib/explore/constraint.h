// Limits on the points of an exploration: "area<4,power<2W".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// A figure of a point that can be limited, of the model where it is worst.
enum class Limited : uint8_t { kArea, kPower, kLatency, kEnergy };

struct ExploreLimit {
  Limited figure = Limited::kArea;
  double max = 0;
  std::string text;
};

// FIGURE<VALUE, apart by commas. Errors: kUsage with the nearest names.
absl::StatusOr<std::vector<ExploreLimit>> ParseExploreLimits(absl::string_view flag, absl::string_view text);

}  // namespace hwest
