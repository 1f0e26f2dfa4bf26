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
#include "fit/folds.h"
#include "hwest/analysis.h"
#include "measured/measurements.h"
#include "report/report.h"

namespace hwest {

enum class Verb : uint8_t { kAnalyze, kShapes, kSupport, kExplain, kTargets, kFusions, kDescribe, kValidate, kCalibrate, kHelp };
enum class ColorMode : uint8_t { kAuto, kAlways, kNever };
enum class Action : uint8_t { kRun, kHelp, kVersion };
enum class Quiet : bool { kNo, kYes };
enum class Strict : bool { kNo, kYes };
enum class Progress : bool { kNever, kAuto };
enum class Check : bool { kNo, kYes };
enum class Study : bool { kNo, kWhatIf };
enum class Shell : uint8_t { kBash, kZsh, kFish };

struct Options {
  Verb verb = Verb::kAnalyze;
  Action action = Action::kRun;
  std::string help;                // when ask is kHelp
  std::vector<std::string> words;  // after the verb, flags left out: MODEL, NODE, ...
  RequestDraft request;
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
  std::vector<int64_t> contexts;  // lengths that a language model is timed at; empty = not asked
  Progress progress = Progress::kAuto;
  std::optional<Shell> shell;    // of `describe completions`
};

// ParseOptions reads a command. Errors: kUsage, naming the flag and what to write instead.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& args);

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
  const RequestOption* option = nullptr;  // that the flag sets

  absl::Status Apply(const std::string& text, Options* options) const;
};
absl::Span<const FlagInfo> AllFlags();
const FlagInfo* FindFlag(absl::string_view name);  // null when there is none

struct VerbInfo {
  Verb verb;
  const char* name;
  const char* words;  // placeholders of its words
  const char* help;
  size_t min_words;
  size_t max_words;
};
absl::Span<const VerbInfo> AllVerbs();
inline bool Takes(Verb verb, const FlagInfo& flag) { return (flag.verbs >> static_cast<uint32_t>(verb) & 1u) != 0; }

// Lines of the help page: commands to try, indented by two, and what exit codes mean.
absl::string_view HelpExamples();
absl::string_view HelpExitCodes();

}  // namespace hwest
