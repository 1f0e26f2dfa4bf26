// Options: one command as the user meant it, and the table of flags that it is read from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/request_options.h"
#include "budget/budget.h"
#include "diff/diff.h"
#include "fit/folds.h"
#include "hwest/analysis.h"
#include "hwest/rewrite.h"
#include "measured/measurements.h"
#include "report/report.h"
#include "sweep/file.h"
#include "sweep/points.h"

namespace hwest {

enum class Verb : uint8_t {
  kAnalyze, kShapes, kSupport, kExplain, kGraph, kTargets, kFusions, kDescribe, kValidate, kCalibrate, kRewrite, kSweep,
  kCheck, kDiff, kVerify, kWorkload, kHelp
};
enum class ColorMode : uint8_t { kAuto, kAlways, kNever };
enum class Action : uint8_t { kRun, kHelp, kVersion };
enum class Quiet : bool { kNo, kYes };
enum class Strict : bool { kNo, kYes };
enum class Progress : bool { kNever, kAuto };
enum class Check : bool { kNo, kYes };
enum class Study : bool { kNo, kWhatIf };
enum class CopyData : bool { kNo, kYes };
enum class Shell : uint8_t { kBash, kZsh, kFish };

// What a sweep runs over and how; its models are the words.
struct SweepOptions {
  SweepAxes axes;
  std::optional<Shard> shard;
  Resume resume = Resume::kNo;
  size_t threads = 0;  // 0 = as many as the machine has cores
};


inline constexpr char kDefaultBudget[] = "hwest.budget";

// What `check` holds against what.
struct BudgetOptions {
  std::string path;           // of --budget; "" = the limits below, else hwest.budget
  std::vector<BudgetLimit> limits;  // given as flags
  Judge judge = Judge::kPoint;  // of these
  std::optional<Undecided> undecided;  // none = as the budget says
  bool update = false;
};

// What `diff` compares with, and what it may differ by.
struct DiffOptions {
  std::string target, mode, precision;  // of the other side, when it is the same model
  std::vector<FailOn> fail_on;
  bool exit_code = false;
};

// What `workload` runs of models that are its words, in place of a file.
struct StreamsOptions {
  int64_t count = 0;  // of each; 0 = the word is a file
  std::string rate;   // of each; empty = back to back
};

// The record that goes with a report.
struct EvidenceOptions {
  std::string path;           // "" = none
  bool with_weights = false;  // hashes of whole models, too
};

struct FlagInfo;

struct GivenFlag {
  const FlagInfo* flag = nullptr;
  std::string value;  // "" when it takes none
};

struct Options {
  Verb verb = Verb::kAnalyze;
  Action action = Action::kRun;
  std::string help;                // when ask is kHelp
  std::vector<std::string> words;  // after the verb, flags left out: MODEL, NODE, ...
  RequestDraft request;
  std::vector<GivenFlag> request_flags;  // that `request` was set by, in the order of the table
  ReportOptions report;
  std::optional<Format> format;  // as asked; none = by the extension of `output`, else text
  std::string output;            // empty = stdout
  std::string toolchain;         // of `fusions`
  std::string measurements;      // of `validate` and `calibrate`: the paths as written, joined by ", "
  std::vector<std::pair<std::string, std::string>> measured;  // by file: its model when given with it, and the path
  MeasurementDefaults defaults;                 // what flags of these two say about the files; the rest is in `request`
  std::string models;            // folder
  LeaveOut leave_out = LeaveOut::kNone;
  std::string fusions_file;      // where request.fusion_rules was read; empty = there are none
  ColorMode color = ColorMode::kAuto;
  Quiet quiet = Quiet::kNo;
  Strict strict = Strict::kNo;
  Check check = Check::kNo;
  Study study = Study::kNo;
  RewriteOptions rewrite;        // of `rewrite`
  CopyData copy_data = CopyData::kNo;
  bool with_rewrites = false;    // of `analyze`: also what rewriting would bring; of `sweep`: what it brought
  std::vector<int64_t> contexts;  // lengths that a language model is timed at; empty = not asked
  Progress progress = Progress::kAuto;
  SweepOptions sweep;
  BudgetOptions budget;
  DiffOptions diff;
  StreamsOptions streams;
  EvidenceOptions evidence;
  std::optional<Shell> shell;    // of `describe completions`
  std::optional<size_t> width;   // columns of text, 0 = as many as it takes; none = those of the terminal
};

// Names that commas separate. A comma before a blank is part of a name: "15W,30W, 4 cores" holds "15W" and
// "30W, 4 cores".
std::vector<std::string> SplitNames(absl::string_view list);

// ParseOptions reads a command. Errors: kUsage, naming the flag and what to write instead.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& args);

// The place of the "--" behind which every word names a file or a node, whatever it begins with; the number of words when
// there is none.
size_t EndOfFlags(const std::vector<std::string>& args);
// The command with flags added, before that place.
std::vector<std::string> WithFlags(std::vector<std::string> args, const std::vector<std::string>& flags);

// Whether a command that cannot be parsed wanted its errors as JSON.
bool AsksForJson(const std::vector<std::string>& args);

// One flag. `verbs` has bit 1 << Verb set for each verb that takes it.
struct FlagInfo {
  const char* name;
  const char* value;  // what help calls its value; null = it takes none
  const char* help;
  const char* group;
  uint32_t verbs;
  bool repeats;  // may be given several times
  absl::Status (*apply)(const std::string& value, Options* options);  // null = as `option` says
  const char* choices = nullptr;  // all values there are, space separated; null = too many to list
  PathIn path = PathIn::kNone;  // how its value names files
  const RequestOption* option = nullptr;  // that the flag sets

  absl::Status Apply(const std::string& text, Options* options) const;
};
// The word that stands in place of a path, as "none" in FILE|none; "" = there is none.
std::string WordInPlaceOfFile(const FlagInfo& flag);
absl::Span<const FlagInfo> AllFlags();
const FlagInfo* FindFlag(absl::string_view name);  // null when there is none

struct VerbInfo {
  Verb verb;
  const char* name;
  const char* words;  // placeholders of its words
  const char* help;
  size_t min_words;
  size_t max_words;
  size_t files = 0;  // how many of the first words are paths
  const char* more = nullptr;  // further lines of its own help page
};
absl::Span<const VerbInfo> AllVerbs();
inline bool Takes(Verb verb, const FlagInfo& flag) { return (flag.verbs >> static_cast<uint32_t>(verb) & 1u) != 0; }

// Lines of the help page: commands to try, indented by two, and what exit codes mean.
absl::string_view HelpExamples();
absl::string_view HelpExitCodes();

}  // namespace hwest
