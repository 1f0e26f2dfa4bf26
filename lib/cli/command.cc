#include "cli/command.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

using Kind = CommandPart::Kind;

// "-" is standard input, "-3" a number.
bool IsFlag(absl::string_view word) { return word.size() > 1 && word[0] == '-' && !absl::ascii_isdigit(word[1]); }

bool IsWhole(absl::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

CommandPart FlagPart(const std::string& word) {
  const size_t equals = word.find('=');
  CommandPart part{.kind = Kind::kFlag, .text = word.substr(0, equals), .value = {}};
  part.is_joined = equals != std::string::npos;
  if (part.is_joined) part.value = word.substr(equals + 1);
  return part;
}

std::vector<CommandPart> ReadParts(const std::vector<std::string>& args) {
  std::vector<CommandPart> parts;
  bool words_alone = false;
  for (size_t i = 0; i < args.size(); ++i) {
    if (words_alone || !IsFlag(args[i])) {
      parts.push_back({.kind = Kind::kWord, .text = args[i], .value = {}});
      continue;
    }
    words_alone = args[i] == "--";
    CommandPart part = FlagPart(args[i]);
    if (words_alone) part.kind = Kind::kEndOfFlags;
    const Flag* flag = FindFlag(part.text);
    const bool has_next = i + 1 < args.size() && !absl::StartsWith(args[i + 1], "--");
    const bool may_stand_alone = flag != nullptr && !flag->alone.empty();
    if (may_stand_alone && !part.is_joined && !(has_next && IsWhole(args[i + 1]))) {
      part.value = std::string(flag->alone);
    } else if (flag != nullptr && !flag->value.empty() && !part.is_joined && has_next) {
      part.value = args[++i];
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// The first word is the verb if it equals one and no "--" precedes it.
void FindVerb(Command* command) {
  for (CommandPart& part : command->parts) {
    if (part.kind == Kind::kFlag) continue;
    const auto verb = std::find_if(AllVerbs().begin(), AllVerbs().end(),
                                   [&](const VerbInfo& info) { return part.text == info.name; });
    command->has_verb = part.kind == Kind::kWord && verb != AllVerbs().end();
    if (!command->has_verb) return;
    command->verb = verb->verb;
    part.kind = Kind::kVerb;
    return;
  }
}

// Whether an analysis has several points: several models with a target, or a flag that lists several values.
bool IsSweep(const Command& command) {
  if (command.verb != Verb::kAnalyze) return false;
  bool has_target = false;
  for (const CommandPart& part : command.parts) {
    if (!part.value.has_value()) continue;
    has_target |= part.text == "--target";
    const Flag* flag = FindFlag(part.text, Verb::kSweep);
    if (flag != nullptr && flag->lists != nullptr && flag->lists(*part.value)) return true;
  }
  return has_target && WordsOf(command).size() > 1;
}

absl::Status UnknownFlag(const std::string& name) {
  std::vector<std::string> names;
  for (const Flag* flag : AllFlags()) names.emplace_back(flag->name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string> nearest = NearestNames(name, names, 2);
  return MakeError(Code::kUsage, absl::StrCat("unknown flag ", EscapeControl(name)),
                   nearest.empty() ? std::string("see onnx-hwest --help")
                                   : absl::StrCat("did you mean ", absl::StrJoin(nearest, " or "), "?"));
}

absl::Status CheckFlag(const CommandPart& part, Verb verb) {
  if (part.flag == nullptr && FindFlag(part.text) == nullptr) return UnknownFlag(part.text);
  if (part.flag == nullptr) {
    const absl::string_view name = InfoOf(verb).name;
    return MakeError(Code::kUsage, absl::StrCat(part.text, " means nothing for `", name, "`"),
                     absl::StrCat("leave it out, or see onnx-hwest ", name, " --help"));
  }
  if (part.flag->value.empty() && part.value.has_value()) {
    return MakeError(Code::kUsage, absl::StrCat(part.text, " takes no value"),
                     absl::StrCat("write ", part.text, " alone"));
  }
  if (part.flag->value.empty() || part.value.has_value()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(part.text, " needs a value"),
                   absl::StrCat("write ", part.text, " ", part.flag->value));
}

}  // namespace

Command ReadCommand(const std::vector<std::string>& args) {
  Command command{.parts = ReadParts(args)};
  FindVerb(&command);
  if (IsSweep(command)) command.verb = Verb::kSweep;
  for (CommandPart& part : command.parts) {
    if (part.kind == Kind::kFlag) part.flag = FindFlag(part.text, command.verb);
  }
  return command;
}

std::vector<std::string> ArgsOf(const std::vector<CommandPart>& parts) {
  std::vector<std::string> args;
  for (const CommandPart& part : parts) {
    args.push_back(part.is_joined ? absl::StrCat(part.text, "=", *part.value) : part.text);
    if (part.value.has_value() && !part.is_joined) args.push_back(*part.value);
  }
  return args;
}

absl::Status CheckFlags(const Command& command) {
  for (const CommandPart& part : command.parts) {
    if (part.kind == Kind::kFlag) HWEST_RETURN_IF_ERROR(CheckFlag(part, command.verb));
  }
  return absl::OkStatus();
}

std::vector<std::string> WordsOf(const Command& command) {
  std::vector<std::string> words;
  for (const CommandPart& part : command.parts) {
    if (part.kind == Kind::kWord) words.push_back(part.text);
  }
  return words;
}

const CommandPart* FindGiven(const Command& command, absl::string_view name) {
  const auto found = std::find_if(command.parts.begin(), command.parts.end(), [&](const CommandPart& part) {
    return part.flag != nullptr && part.flag->name == name;
  });
  return found == command.parts.end() ? nullptr : &*found;
}

bool AsksForJson(const Command& command) {
  return std::any_of(command.parts.begin(), command.parts.end(), [](const CommandPart& part) {
    if (part.kind != Kind::kFlag) return false;
    return (part.text == "--json" && !part.value.has_value()) || (part.text == "--format" && part.value == "json");
  });
}

std::vector<CommandPart> WithFlags(const Command& command, const std::vector<std::string>& flags) {
  std::vector<CommandPart> parts = command.parts;
  const auto end =
      std::find_if(parts.begin(), parts.end(), [](const CommandPart& part) { return part.kind == Kind::kEndOfFlags; });
  const std::vector<CommandPart> added = ReadParts(flags);
  parts.insert(end, added.begin(), added.end());
  return parts;
}

std::vector<std::string> SplitNames(absl::string_view list) {
  std::vector<std::string> names(1);
  for (size_t i = 0; i < list.size(); ++i) {
    const bool separates = list[i] == ',' && (i + 1 == list.size() || list[i + 1] != ' ');
    if (separates) names.emplace_back();
    if (!separates) names.back() += list[i];
  }
  return names;
}

}  // namespace hwest
