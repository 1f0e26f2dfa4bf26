// Flags of the command line. One row declares each for parsing, help, the manual page, completion and evidence: in
// flags.cc if several verbs take it, else beside the function that runs its verb.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/request_options.h"

namespace hwest {

enum class Verb : uint8_t {
  kAnalyze,
  kShapes,
  kSupport,
  kExplain,
  kGraph,
  kTargets,
  kFusions,
  kDescribe,
  kValidate,
  kCalibrate,
  kRewrite,
  kSweep,
  kCheck,
  kDiff,
  kVerify,
  kWorkload,
  kExplore,
  kMemory,
  kImportLog,
  kLlm,
  kQuantizePlan,
  kRules,
  kCures,
  kWidth,
  kFit,
  kHelp
};

// What flags are about, in the order of the help page.
inline constexpr absl::string_view kFlagGroups[] = {"Target",  "Model", "Nodes",  "Sweep",   "Budget",    "Compare",
                                                    "Rewrite", "Study", "Report", "Picture", "Placement", "Program"};

struct Flag;
struct Options;
using SetFlag = absl::Status (*)(const Flag& flag, const std::string& value, Options* options);

struct Flag {
  absl::string_view name;
  absl::string_view letter;  // the short form, as -h
  absl::string_view value;   // its name in help, with the unit (W, ...); empty = takes no value
  absl::string_view help;
  absl::string_view group;  // of kFlagGroups
  uint32_t verbs = 0;       // bit 1 << Verb for each verb that takes it; 0 in the rows of one verb
  SetFlag set = nullptr;
  absl::string_view choices;                         // all values there are, space separated; empty = too many to list
  std::string (*named_choices)() = nullptr;          // likewise, of enums that are named elsewhere
  std::string (*choices_of)(Verb verb) = nullptr;    // those that a verb takes; null = all
  absl::string_view default_text;                    // what applies without it; empty = nothing to mention
  absl::string_view example;                         // a value
  absl::string_view alone;                           // the number that it has without a value; empty = needs one
  absl::string_view conflicts;                       // a flag that contradicts it
  PathIn path = PathIn::kNone;                       // how its value names files
  bool repeats = false;                              // may be given several times
  bool is_rare = false;                              // help lists it last
  bool is_form = false;                              // only changes the form of the output: not in a record of evidence
  bool (*lists)(absl::string_view value) = nullptr;  // of `sweep`: whether `analyze` with this value is a sweep
  const RequestOption* option = nullptr;             // that it sets
};

// A named text as a view: under -fsanitize GCC refuses absl's constructor from a pointer in a constant.
template <size_t size>
constexpr absl::string_view TextIn(const char (&text)[size]) {
  return {text, size - 1};
}

// The words that a flag may be set to; empty = too many to list.
std::string ChoicesOf(const Flag& flag);
std::string ChoicesOf(const Flag& flag, Verb verb);  // those that the verb takes
// The word that may replace a path, such as "none" in FILE|none; "" = there is none.
absl::string_view WordInPlaceOfFile(const Flag& flag);

// The flags of a verb in declaration order: those that it shares with others, then its own. Its own flag replaces a
// shared one of the same name.
std::vector<const Flag*> FlagsOf(Verb verb);
// All declarations, shared ones first.
std::vector<const Flag*> AllFlags();

// Finds a flag by name or letter; null when there is none.
const Flag* FindFlag(absl::string_view name, Verb verb);
const Flag* FindFlag(absl::string_view name);  // of any verb: either all flags of a name take a value or none does

}  // namespace hwest
