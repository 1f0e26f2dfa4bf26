#include "cli/options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

std::vector<std::string> VerbNames() {
  std::vector<std::string> names;
  for (const VerbInfo& verb : AllVerbs()) names.emplace_back(verb.name);
  return names;
}

// --help wins over --help-all, and that over --version, in any order.
Action ActionOf(const Command& command) {
  if (FindGiven(command, "--help") != nullptr) return Action::kHelp;
  if (FindGiven(command, "--help-all") != nullptr) return Action::kHelpAll;
  return FindGiven(command, "--version") != nullptr ? Action::kVersion : Action::kRun;
}

// `help VERB` is `VERB --help`, and `help` alone is `--help`.
absl::Status AskForHelp(Options* options) {
  options->action = Action::kHelp;
  options->help_on.reset();
  if (options->words.empty()) return absl::OkStatus();
  const std::string& word = options->words[0];
  const std::vector<std::string> names = VerbNames();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) {
    options->help_on = AllVerbs()[static_cast<size_t>(found - names.begin())].verb;
    return absl::OkStatus();
  }
  const std::vector<std::string> nearest = NearestNames(word, names, 2);
  return MakeError(Code::kUsage, absl::StrCat("there is no verb '", EscapeControl(word), "'"),
                   nearest.empty()
                       ? absl::StrCat("write onnx-hwest help, or help with one of ", absl::StrJoin(names, ", "))
                       : absl::StrCat("did you mean onnx-hwest help ", absl::StrJoin(nearest, " or "), "?"));
}

// The first word of a command without a verb is a model. If it is no file, looks like no path but like a verb, the user
// meant the verb.
absl::Status CheckMisspeltVerb(const Command& command) {
  const auto first = std::find_if(command.parts.begin(), command.parts.end(),
                                  [](const CommandPart& part) { return part.kind != CommandPart::Kind::kFlag; });
  if (first == command.parts.end() || first->kind != CommandPart::Kind::kWord) return absl::OkStatus();
  const std::string& word = first->text;
  std::error_code error;
  const bool is_path = word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, error);
  const std::vector<std::string> nearest = is_path ? std::vector<std::string>() : NearestNames(word, VerbNames(), 2);
  if (nearest.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("there is no verb and no file '", EscapeControl(word), "'"),
                   absl::StrCat("did you mean onnx-hwest ", absl::StrJoin(nearest, " or "), "?"));
}

absl::Status CheckWords(const VerbInfo& info, const std::vector<std::string>& words) {
  const bool is_model = info.verb == Verb::kAnalyze && words.empty();
  if (words.size() < info.min_words) {
    return MakeError(
        Code::kUsage,
        is_model ? std::string("no model was named") : absl::StrCat("`", info.name, "` needs ", info.words),
        is_model ? std::string("write onnx-hwest MODEL --target NAME, or see onnx-hwest --help")
                 : absl::StrCat("write onnx-hwest ", info.name, " ", info.words));
  }
  if (words.size() > info.max_words) {
    return MakeError(Code::kUsage, absl::StrCat("one word too many: '", EscapeControl(words[info.max_words]), "'"),
                     absl::StrCat("write onnx-hwest ", info.name, " ", info.words));
  }
  return absl::OkStatus();
}

// `graph` needs no target, but its flags about placement and time do.
absl::Status CheckTimedFlag(const Command& command, const Flag& flag) {
  const bool is_timed =
      flag.option != nullptr && flag.group != "Model" && FindFlag(flag.name, Verb::kShapes) == nullptr;
  if (command.verb != Verb::kGraph || !is_timed || FindGiven(command, "--target") != nullptr) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(flag.name, " means nothing without a target"), "add --target NAME");
}

absl::Status CheckConflict(const Command& command, const Flag& flag) {
  const CommandPart* other = flag.conflicts.empty() ? nullptr : FindGiven(command, flag.conflicts);
  const bool says_the_same = other != nullptr && flag.name == "--json" && absl::EqualsIgnoreCase(*other->value, "json");
  if (other == nullptr || says_the_same) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(flag.name, " contradicts ", flag.conflicts), "give one of them");
}

absl::Status CheckCount(const Flag& flag, size_t count) {
  if (count <= 1 || flag.repeats || flag.value.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(flag.name, " was given twice"), "give it once");
}

std::vector<const CommandPart*> PartsOf(const Command& command, const Flag& flag) {
  std::vector<const CommandPart*> parts;
  for (const CommandPart& part : command.parts) {
    if (part.flag == &flag) parts.push_back(&part);
  }
  return parts;
}

// In declaration order, so that the output does not depend on the order of the flags.
absl::Status ApplyFlags(const Command& command, Options* options) {
  const std::vector<const Flag*> flags = FlagsOf(command.verb);
  for (const Flag* flag : flags) {
    if (!PartsOf(command, *flag).empty()) HWEST_RETURN_IF_ERROR(CheckTimedFlag(command, *flag));
  }
  for (const Flag* flag : flags) {
    const std::vector<const CommandPart*> parts = PartsOf(command, *flag);
    if (parts.empty()) continue;
    HWEST_RETURN_IF_ERROR(CheckCount(*flag, parts.size()));
    HWEST_RETURN_IF_ERROR(CheckConflict(command, *flag));
    for (const CommandPart* part : parts) {
      const std::string value = part->value.value_or("");
      HWEST_RETURN_IF_ERROR(flag->set(*flag, value, options));
      if (flag->option != nullptr) options->request_flags.push_back({flag, value});
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Options>> ParseOptions(const Command& command) {
  HWEST_RETURN_IF_ERROR(CheckFlags(command));
  std::unique_ptr<Options> options = InfoOf(command.verb).runs.options();
  options->verb = command.verb;
  options->action = ActionOf(command);
  if (command.has_verb) options->help_on = command.verb;
  if (options->action != Action::kRun) return options;
  options->words = WordsOf(command);
  HWEST_RETURN_IF_ERROR(CheckMisspeltVerb(command));
  HWEST_RETURN_IF_ERROR(CheckWords(InfoOf(command.verb), options->words));
  HWEST_RETURN_IF_ERROR(command.verb == Verb::kHelp ? AskForHelp(options.get()) : ApplyFlags(command, options.get()));
  return options;
}

}  // namespace hwest
