// A command line, parsed once: its verb, words and flags as written. Code that must tell a word from a flag's value
// reads this, never the arguments themselves.
//
//   --name VALUE, --name=VALUE, --switch, -h   flags; a separate VALUE does not begin with "--"
//   --                                         only words follow, whatever they begin with
//   all else                                   words; the first is the verb if it equals one
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cli/flag.h"

namespace hwest {

struct CommandPart {
  enum class Kind : uint8_t { kVerb, kWord, kFlag, kEndOfFlags };
  Kind kind = Kind::kWord;
  std::string text;                  // as written; of a flag its name
  std::optional<std::string> value;  // of a flag; none = it has none
  bool is_joined = false;            // --name=value
  const Flag* flag = nullptr;        // as the verb declares it; null = the verb has none of that name
};

struct Command {
  Verb verb = Verb::kAnalyze;  // kSweep also where `analyze` has several points
  bool has_verb = false;       // the verb was written
  std::vector<CommandPart> parts;
};

Command ReadCommand(const std::vector<std::string>& args);
// The reverse of parsing.
std::vector<std::string> ArgsOf(const std::vector<CommandPart>& parts);

// Refuses flags that do not exist, do not apply to the verb, lack a value or have one too many. Errors: kUsage.
absl::Status CheckFlags(const Command& command);

std::vector<std::string> WordsOf(const Command& command);
// The first flag that sets what `name` sets; null when none does.
const CommandPart* FindGiven(const Command& command, absl::string_view name);
// Whether to report errors as JSON; a command that cannot run may ask for it, too.
bool AsksForJson(const Command& command);
// The parts with `flags` added, before any "--".
std::vector<CommandPart> WithFlags(const Command& command, const std::vector<std::string>& flags);

// Splits names at commas. A comma before a blank is part of a name: "15W,30W, 4 cores" holds "15W" and "30W, 4 cores".
std::vector<std::string> SplitNames(absl::string_view list);

}  // namespace hwest
