// Help pages and the description of a flag, made from the declarations of verbs and flags.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "cli/flag.h"
#include "cli/verbs.h"

namespace hwest {

inline constexpr absl::string_view kTagline =
    "Latency, memory, energy, fusion and placement of ONNX models on accelerators";
inline constexpr absl::string_view kExitCodes =
    "0 ok, 1 internal, 2 usage, 3 model, 4 target, 5 free dims, 6 output, 7 incomplete under --strict, 8 a check "
    "failed, "
    "130 interrupted.";

// Lines are at most `width` columns, except where a single word is longer.
std::string HelpOnProgram(size_t width);  // on one screen
std::string HelpOnVerb(const VerbInfo& verb, size_t width);
std::string HelpOnAll(size_t width);

// What the flag does, its choices (of the verb, or of all), what applies without it, and an example.
std::string AboutFlag(const Flag& flag, std::optional<Verb> verb = std::nullopt);
// The verbs that take the flag; empty when every verb with a report does.
std::vector<absl::string_view> TakersOf(const Flag& flag);

struct FlagGroup {
  absl::string_view name;
  std::vector<const Flag*> flags;
};
// In the order of kFlagGroups; rarely needed flags form the last group.
std::vector<FlagGroup> GroupsOf(const std::vector<const Flag*>& flags);

}  // namespace hwest
