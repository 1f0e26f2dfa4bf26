// From words to Options. The only file that knows the command line library.
#include "cli/options.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"

namespace hwest {
namespace {

constexpr char kExamples[] =
    "  onnx-hwest resnet18.onnx --target jetson-orin\n"
    "  onnx-hwest bert.onnx --target tda4vm --shape 1x128 --precision int8\n"
    "  onnx-hwest yolov8n.onnx --target jetson-orin --mode 30W --output plan.svg\n"
    "  onnx-hwest shapes model.onnx --json\n"
    "  onnx-hwest explain model.onnx Conv_12 --target sa8295p\n"
    "  onnx-hwest graph model.onnx --target rk3588 --around Conv_12 --context 3\n"
    "  onnx-hwest graph model.onnx --start 50 --end 80 --output range.csv\n"
    "  onnx-hwest sweep resnet18.onnx vit.onnx --target jetson-orin,tda4vm --mode all --output sweep.csv\n"
    "  onnx-hwest sweep bert.onnx --target all --batch 1,4 --dim seq=128:512:x2 --output sweep.html\n"
    "  onnx-hwest diff resnet18.onnx vit.onnx --target jetson-orin\n"
    "  onnx-hwest check resnet18.onnx --target jetson-orin --max-latency 12ms\n"
    "  onnx-hwest verify evidence.json\n"
    "  onnx-hwest rewrite bert.onnx --target tda4vm --shape 1x128 --output better.onnx\n"
    "  onnx-hwest targets show jetson-orin\n"
    "  onnx-hwest validate --measurements measured.csv --models models --output accuracy.md\n"
    "  onnx-hwest workload stack.textproto --target jetson-orin --output stack.svg\n"
    "  onnx-hwest calibrate --target sa8295p --measurements mine.csv --models models --output mine.textproto\n";
constexpr char kExitCodes[] =
    "0 ok, 1 internal, 2 usage, 3 model, 4 target, 5 free dims, 6 output, 7 incomplete under --strict,\n"
    "8 a check failed, 130 interrupted.\n";

const VerbInfo& InfoOf(Verb verb) { return AllVerbs()[static_cast<size_t>(verb)]; }

bool IsFlag(const std::string& word) { return word.size() > 1 && word[0] == '-' && !absl::ascii_isdigit(word[1]); }

absl::Status UnknownFlag(const std::string& name) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const FlagInfo& flag : AllFlags()) names.emplace_back(flag.name);
  const std::vector<std::string> nearest = NearestNames(name, names, 2);
  return MakeError(Code::kUsage, absl::StrCat("unknown flag ", EscapeControl(name)),
                   nearest.empty() ? std::string("see onnx-hwest --help")
                                   : absl::StrCat("did you mean ", absl::StrJoin(nearest, " or "), "?"));
}

struct Split {
  Verb verb = Verb::kAnalyze;
  bool verb_given = false;
  std::vector<std::string> rest;   // without the verb, up to "--"
  std::vector<std::string> files;  // behind it
};

// Whether the next word is the value of this one.
bool TakesNext(const std::string& word) {
  const FlagInfo* flag = IsFlag(word) ? FindFlag(word) : nullptr;
  return flag != nullptr && flag->value != nullptr;
}

// The first word that is neither a flag nor a flag's value is the verb if it equals one.
absl::StatusOr<Split> SplitVerb(const std::vector<std::string>& args) {
  Split split;
  bool first = true;
  const size_t end = EndOfFlags(args);
  if (end < args.size()) split.files.assign(args.begin() + static_cast<ptrdiff_t>(end) + 1, args.end());
  for (size_t i = 0; i < end; ++i) {
    const std::string& word = args[i];
    if (IsFlag(word)) {
      split.rest.push_back(word);
      if (TakesNext(word) && i + 1 < end) split.rest.push_back(args[++i]);
      continue;
    }
    const bool is_first = std::exchange(first, false);
    const auto verb = std::find_if(AllVerbs().begin(), AllVerbs().end(),
                                   [&](const VerbInfo& info) { return is_first && word == info.name; });
    if (verb != AllVerbs().end()) {
      split.verb = verb->verb;
      split.verb_given = true;
    } else {
      split.rest.push_back(word);
    }
  }
  return split;
}

// Whether a command without a verb, or of `analyze`, is about several points: several models with a target, or a flag that
// lists several.
bool IsSweep(const Split& split) {
  if (split.verb != Verb::kAnalyze) return false;
  size_t words = split.files.size();
  bool has_target = false, is_list = false;
  for (size_t i = 0; i < split.rest.size(); ++i) {
    const std::string& word = split.rest[i];
    const FlagInfo* flag = IsFlag(word) ? FindFlag(word.substr(0, word.find('='))) : nullptr;
    if (flag == nullptr) words += !IsFlag(word);
    if (flag == nullptr || flag->value == nullptr) continue;
    const size_t equals = word.find('=');
    const bool is_next = equals == std::string::npos;
    if (is_next && i + 1 == split.rest.size()) break;
    const std::string value = is_next ? split.rest[++i] : word.substr(equals + 1);
    const absl::string_view name = flag->name;
    const bool has_comma = absl::StrContains(value, ',');
    has_target |= name == "--target";
    if (name == "--target" || name == "--mode") is_list |= SplitNames(value).size() > 1 || value == "all";
    if (name == "--batch") is_list |= has_comma;
    if (name == "--size") is_list |= has_comma || absl::StrContains(value, ':');
    if (name == "--precision") is_list |= has_comma && !absl::StrContains(value, '=');
    if (name == "--dim") {
      const std::string sizes = value.substr(std::min(value.rfind('='), value.size()));
      is_list |= absl::StrContains(sizes, ',') || absl::StrContains(sizes, ':');
    }
    is_list |= name == "--shard";
  }
  return is_list || (words > 1 && has_target);
}

// Refuses flags that do not exist or mean nothing here, before the library sees them.
absl::Status CheckFlags(const Split& split) {
  const std::vector<std::string>& words = split.rest;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!IsFlag(words[i])) continue;
    const std::string name = words[i].substr(0, words[i].find('='));
    if (name == "--help" || name == "-h" || name == "--version") continue;
    const FlagInfo* flag = FindFlag(name);
    if (flag == nullptr) return UnknownFlag(name);
    if (!Takes(split.verb, *flag)) {
      return MakeError(Code::kUsage, absl::StrCat(name, " means nothing for `", InfoOf(split.verb).name, "`"),
                       "leave it out, or see onnx-hwest --help");
    }
    const bool has_value = words[i].find('=') != std::string::npos;
    if (flag->value == nullptr && has_value) {
      return MakeError(Code::kUsage, absl::StrCat(name, " takes no value"), absl::StrCat("write ", name, " alone"));
    }
    if (flag->value == nullptr || has_value) continue;
    if (i + 1 == words.size() || (IsFlag(words[i + 1]) && words[i + 1][1] == '-')) {
      return MakeError(Code::kUsage, absl::StrCat(name, " needs a value"),
                       absl::StrCat("write ", name, " ", flag->value));
    }
    ++i;
  }
  return absl::OkStatus();
}

using FlagValues = std::map<std::string, std::vector<std::string>>;

bool HoldsFlag(const Split& split, absl::string_view name) {
  return std::any_of(split.rest.begin(), split.rest.end(),
                     [&](absl::string_view word) { return word.substr(0, word.find('=')) == name; });
}

// Which flags the library is to know: all for a page of help, those that the words hold to read the words. To declare the
// others takes it longer than all else it does.
enum class Declared { kAll, kHeld };
void Declare(const Split& split, Declared declared, CLI::App* app, Options* options, FlagValues* values) {
  for (const FlagInfo& flag : AllFlags()) {
    if (!Takes(split.verb, flag) || (declared == Declared::kHeld && !HoldsFlag(split, flag.name))) continue;
    std::vector<std::string>& value = (*values)[flag.name];
    if (flag.value == nullptr) {
      app->add_flag_callback(
             flag.name, [&value] { value.emplace_back(); }, flag.help)
          ->group(flag.group);
      continue;
    }
    app->add_option(flag.name, value, flag.help)
        ->type_name(flag.value)
        ->type_size(1)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(flag.group);
  }
  app->add_flag_callback(
      "--version", [options] { options->action = Action::kVersion; }, "print the version");
  app->add_option("words", options->words, InfoOf(split.verb).words)->type_name("")->allow_extra_args(true);
}

// `help VERB` is `VERB --help`, and `help` alone is `--help`.
absl::StatusOr<Options> HelpOn(const std::vector<std::string>& words) {
  if (words.empty()) return ParseOptions({"--help"});
  std::vector<std::string> names;
  for (const VerbInfo& verb : AllVerbs()) names.emplace_back(verb.name);
  if (std::find(names.begin(), names.end(), words[0]) != names.end()) return ParseOptions({words[0], "--help"});
  const std::vector<std::string> nearest = NearestNames(words[0], names, 2);
  return MakeError(Code::kUsage, absl::StrCat("there is no verb '", EscapeControl(words[0]), "'"),
                   nearest.empty() ? absl::StrCat("write onnx-hwest help, or help with one of ", absl::StrJoin(names, ", "))
                                   : absl::StrCat("did you mean onnx-hwest help ", absl::StrJoin(nearest, " or "), "?"));
}

// The lines of the examples that show this verb, empty when none does.
std::string ExamplesOf(absl::string_view verb) {
  std::string lines;
  for (const absl::string_view line : absl::StrSplit(kExamples, '\n')) {
    if (absl::StrContains(line, absl::StrCat("onnx-hwest ", verb, " "))) absl::StrAppend(&lines, line, "\n");
  }
  return lines.empty() ? lines : absl::StrCat("Examples:\n", lines);
}

std::string DescriptionOf(const Split& split) {
  if (!split.verb_given) return "Latency, memory, energy, fusion and placement of ONNX models on accelerators";
  const VerbInfo& info = InfoOf(split.verb);
  return info.more == nullptr ? info.help : absl::StrCat(info.help, "\n\n", info.more);
}

std::string ProgramOf(const Split& split) {
  return absl::StrCat("onnx-hwest", split.verb_given ? absl::StrCat(" ", InfoOf(split.verb).name) : "");
}

// The library's page, with our words in place of its list of positionals.
std::string HelpText(const Split& split) {
  const VerbInfo& info = InfoOf(split.verb);
  CLI::App app(DescriptionOf(split), ProgramOf(split));
  Options read;
  FlagValues values;
  Declare(split, Declared::kAll, &app, &read, &values);
  std::string verbs = "Verbs (a word is a verb only if it equals one; ./targets is a file):\n";
  for (const VerbInfo& row : AllVerbs()) {
    const std::string usage = absl::StrCat("  ", row.name, " ", row.words);
    absl::StrAppend(&verbs, usage, std::string(usage.size() < 46 ? 46 - usage.size() : 1, ' '), row.help, "\n");
  }
  app.footer(split.verb_given ? ExamplesOf(info.name) : absl::StrCat(verbs, "\nExamples:\n", kExamples, "\nExit codes: ", kExitCodes));
  std::string help =
      absl::StrReplaceAll(app.help(), {{"[OPTIONS] [words...]", absl::StrCat(info.words, " [OPTIONS]")}});
  const size_t words = help.find("Positionals:");
  const size_t options = help.find("Options:");
  if (words != std::string::npos && options != std::string::npos) help.erase(words, options - words);
  return absl::StrReplaceAll(help, {{"\n\n\n", "\n\n"}});
}

absl::Status CheckWords(const VerbInfo& info, const std::vector<std::string>& words) {
  const bool is_model = info.verb == Verb::kAnalyze && words.empty();
  if (words.size() < info.min_words) {
    return MakeError(Code::kUsage,
                     is_model ? "no model was named" : absl::StrCat("`", info.name, "` needs ", info.words),
                     is_model ? std::string("write onnx-hwest MODEL --target NAME, or see onnx-hwest --help")
                              : absl::StrCat("write onnx-hwest ", info.name, " ", info.words));
  }
  if (words.size() > info.max_words) {
    return MakeError(Code::kUsage, absl::StrCat("one word too many: '", EscapeControl(words[info.max_words]), "'"),
                     absl::StrCat("write onnx-hwest ", info.name, " ", info.words));
  }
  return absl::OkStatus();
}

// `graph` goes without a target, but what places and times goes with one.
absl::Status CheckTimedFlags(Verb verb, const FlagValues& values) {
  const auto target = values.find("--target");
  if (verb != Verb::kGraph || (target != values.end() && !target->second.empty())) return absl::OkStatus();
  for (const FlagInfo& flag : AllFlags()) {
    const auto given = values.find(flag.name);
    const bool is_of_model = flag.option != nullptr && absl::string_view(flag.option->group) == "Model";
    const bool is_timed = !Takes(Verb::kShapes, flag) && flag.option != nullptr && !is_of_model;
    if (!is_timed || given == values.end() || given->second.empty()) continue;
    return MakeError(Code::kUsage, absl::StrCat(flag.name, " means nothing without a target"), "add --target NAME");
  }
  return absl::OkStatus();
}

absl::Status Apply(const FlagValues& values, Options* options) {
  for (const FlagInfo& flag : AllFlags()) {
    const auto given = values.find(flag.name);
    if (given == values.end() || given->second.empty()) continue;
    const bool is_point = options->verb == Verb::kSweep && absl::string_view(flag.name) == "--precision";
    if (given->second.size() > 1 && !flag.repeats && !is_point && flag.value != nullptr) {
      return MakeError(Code::kUsage, absl::StrCat(flag.name, " was given twice"), "give it once");
    }
    for (const std::string& value : given->second) {
      HWEST_RETURN_IF_ERROR(flag.Apply(value, options));
      if (flag.option != nullptr) options->request_flags.push_back({&flag, value});
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view HelpExamples() { return kExamples; }
absl::string_view HelpExitCodes() { return kExitCodes; }

size_t EndOfFlags(const std::vector<std::string>& args) {
  size_t i = 0;
  while (i < args.size() && args[i] != "--") i += TakesNext(args[i]) ? 2 : 1;
  return std::min(i, args.size());
}

std::vector<std::string> WithFlags(std::vector<std::string> args, const std::vector<std::string>& flags) {
  args.insert(args.begin() + static_cast<ptrdiff_t>(EndOfFlags(args)), flags.begin(), flags.end());
  return args;
}

bool AsksForJson(const std::vector<std::string>& args) {
  const size_t end = EndOfFlags(args);
  for (size_t i = 0; i < end; ++i) {
    if (args[i] == "--json" || args[i] == "--format=json") return true;
    if (args[i] == "--format" && i + 1 < end && args[i + 1] == "json") return true;
  }
  return false;
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

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& args) {
  HWEST_ASSIGN_OR_RETURN(Split split, SplitVerb(args));
  if (IsSweep(split)) split.verb = Verb::kSweep;
  HWEST_RETURN_IF_ERROR(CheckFlags(split));
  const VerbInfo& info = InfoOf(split.verb);
  Options options;
  options.verb = split.verb;
  CLI::App app(DescriptionOf(split), ProgramOf(split));
  FlagValues values;
  Declare(split, Declared::kHeld, &app, &options, &values);
  try {
    std::vector<std::string> reversed(split.rest.rbegin(), split.rest.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    options.action = Action::kHelp;
    options.help = HelpText(split);
  } catch (const CLI::ParseError& error) {
    return MakeError(Code::kUsage, EscapeControl(error.what()), "see onnx-hwest --help");
  }
  if (options.action != Action::kRun) return options;
  options.words.insert(options.words.end(), split.files.begin(), split.files.end());
  HWEST_RETURN_IF_ERROR(CheckWords(info, options.words));
  if (split.verb == Verb::kHelp) return HelpOn(options.words);
  HWEST_RETURN_IF_ERROR(CheckTimedFlags(split.verb, values));
  HWEST_RETURN_IF_ERROR(Apply(values, &options));
  return options;
}

}  // namespace hwest
