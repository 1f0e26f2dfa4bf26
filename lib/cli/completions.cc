// Shell completions, the same for each shell: after a verb its flags, after a flag its values, else the words.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/manual.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// What may stand behind a flag or as a word.
struct WordList {
  std::string names;  // space separated
  bool files = false;
  bool folders = false;
};

std::string TargetNames() {
  std::vector<std::string> names;
  for (const TargetSummary& target : ListTargets()) {
    names.push_back(target.name);
    names.insert(names.end(), target.aliases.begin(), target.aliases.end());
  }
  return absl::StrJoin(names, " ");
}

WordList ValuesOf(const FlagInfo& flag) {
  if (flag.choices != nullptr) return {flag.choices};
  if (flag.path == PathIn::kTarget) return {TargetNames(), true};
  if (flag.path == PathIn::kToolchain) return {absl::StrJoin(ListToolchains(), " ")};
  if (flag.path == PathIn::kFolder) return {"", false, true};
  return {WordInPlaceOfFile(flag), flag.path == PathIn::kFile || flag.path == PathIn::kNamedFile};
}

std::string VerbNames(absl::string_view separator) {
  return absl::StrJoin(AllVerbs(), separator,
                       [](std::string* out, const VerbInfo& verb) { absl::StrAppend(out, verb.name); });
}

// Words behind a verb: those that it knows, or files.
WordList WordsOf(const VerbInfo& verb) {
  if (verb.verb == Verb::kTargets) return {absl::StrCat("list show lint ", TargetNames()), true};
  if (verb.verb == Verb::kDescribe) return {PageNames(" ")};
  if (verb.verb == Verb::kHelp) return {VerbNames(" ")};
  return {"", verb.files > 0};
}

std::string FlagNames(Verb verb) {
  std::string names;
  for (const FlagInfo& flag : AllFlags()) {
    if (Takes(verb, flag)) absl::StrAppend(&names, flag.name, " ");
  }
  return absl::StrCat(names, "--help --version");
}

// Text inside single quotes.
std::string Quoted(absl::string_view text) { return absl::StrReplaceAll(text, {{"'", "'\\''"}}); }

std::string Header(absl::string_view shell) {
  return absl::StrCat("# Completion of onnx-hwest, written by `onnx-hwest describe completions --shell ", shell, "`.\n");
}

// Where nothing is offered, bash would complete file names.
std::string BashOffer(const WordList& values) {
  if (values.folders) return "compopt -o dirnames";
  if (values.names.empty()) return values.files ? "" : "compopt +o default";
  return absl::StrCat("COMPREPLY=($(compgen -W '", values.names, "' -- \"$cur\"))");
}

std::string BashCompletions() {
  std::string text = absl::StrCat(
      Header("bash"),
      "_onnx_hwest() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb= word\n"
      "  COMPREPLY=()\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD - 1}\"; do\n"
      "    case $word in ", VerbNames("|"), ") verb=$word; break ;; esac\n"
      "  done\n"
      "  case $prev in\n");
  for (const FlagInfo& flag : AllFlags()) {
    if (flag.value != nullptr) absl::StrAppend(&text, "    ", flag.name, ") ", BashOffer(ValuesOf(flag)), "; return ;;\n");
  }
  text = absl::StrReplaceAll(text, {{") ; return", ") return"}});
  absl::StrAppend(&text, "  esac\n  case $verb,$cur in\n");
  for (const VerbInfo& verb : AllVerbs()) {
    const WordList words = WordsOf(verb);
    absl::StrAppend(&text, "    ", verb.verb == Verb::kAnalyze ? ",-*|" : "", verb.name, ",-*) ",
                    BashOffer({FlagNames(verb.verb)}), " ;;\n");
    if (!words.names.empty()) absl::StrAppend(&text, "    ", verb.name, ",*) ", BashOffer(words), " ;;\n");
  }
  return absl::StrCat(text, "    ,*) ", BashOffer({VerbNames(" ")}), " ;;\n  esac\n}\n",
                      "complete -o bashdefault -o default -F _onnx_hwest onnx-hwest\n");
}

// Brackets and colons end a part of zsh's specs.
std::string ZshPart(absl::string_view text) {
  return Quoted(absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}}));
}

std::string ZshAction(const WordList& values) {
  if (values.folders) return "_files -/";
  if (!values.names.empty() && values.files) return absl::StrCat("{compadd -- ", values.names, "; _files}");
  if (!values.names.empty()) return absl::StrCat("(", values.names, ")");
  return values.files ? "_files" : " ";
}

std::string ZshFlag(const FlagInfo& flag) {
  const std::string spec = absl::StrCat(flag.repeats ? "*" : "", flag.name, "[", ZshPart(flag.help), "]");
  if (flag.value == nullptr) return absl::StrCat("'", spec, "'");
  return absl::StrCat("'", spec, ":", ZshPart(flag.value), ":", ZshAction(ValuesOf(flag)), "'");
}

std::string ZshVerb(const VerbInfo& verb) {
  std::string text = absl::StrCat("    ", verb.name, verb.verb == Verb::kAnalyze ? "|''" : "", ")\n      specs=(");
  for (const FlagInfo& flag : AllFlags()) {
    if (Takes(verb.verb, flag)) absl::StrAppend(&text, ZshFlag(flag), "\n             ");
  }
  const WordList words = WordsOf(verb);
  absl::StrAppend(&text, "'--help[print the flags of a verb]' '--version[print the version]')\n      [[ -n $verb ]] && specs+=('*:",
                  ZshPart(verb.words), ":", ZshAction(words), "') ;;\n");
  return text;
}

std::string ZshCompletions() {
  std::string text = absl::StrCat("#compdef onnx-hwest\n", Header("zsh"),
                                  "_onnx_hwest() {\n"
                                  "  local verb= word\n"
                                  "  local -a specs\n"
                                  "  for word in ${words[2,CURRENT-1]}; do\n"
                                  "    case $word in (", VerbNames("|"), ") verb=$word; break ;; esac\n"
                                  "  done\n"
                                  "  case $verb in\n");
  for (const VerbInfo& verb : AllVerbs()) absl::StrAppend(&text, ZshVerb(verb));
  return absl::StrCat(text, "  esac\n  if [[ -n $verb ]]; then\n    words=(onnx-hwest ${(@)words[2,-1]:#$verb})\n    (( CURRENT -= 1 ))\n"
                      "  else\n    specs+=('1:verb or model:{compadd -- ", VerbNames(" "),
                      "; _files}' '*:word:_files')\n  fi\n  _arguments -S $specs\n}\n_onnx_hwest \"$@\"\n");
}

std::string FishOffer(const WordList& values) {
  if (values.folders) return " -x -a '(__fish_complete_directories)'";
  const std::string names = values.names.empty() ? "" : absl::StrCat(" -a '", values.names, "'");
  return absl::StrCat(values.files ? " -r" : " -x", names);
}

std::string FishHelp(absl::string_view help) {
  return absl::StrCat(" -d '", absl::StrReplaceAll(help, {{"\\", "\\\\"}, {"'", "\\'"}}), "'\n");
}

std::string FishFlag(const FlagInfo& flag) {
  std::vector<absl::string_view> takers;
  for (const VerbInfo& verb : AllVerbs()) {
    if (Takes(verb.verb, flag)) takers.push_back(verb.name);
  }
  return absl::StrCat("complete -c onnx-hwest -n '__onnx_hwest_is ", absl::StrJoin(takers, " "), "' -l ",
                      absl::string_view(flag.name).substr(2), flag.value == nullptr ? "" : FishOffer(ValuesOf(flag)),
                      FishHelp(flag.help));
}

std::string FishCompletions() {
  std::string text = absl::StrCat(
      Header("fish"),
      "function __onnx_hwest_is -d 'Whether the verb is one of those; without one it is analyze'\n"
      "  set -l verb analyze\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    if contains -- $word ", VerbNames(" "), "\n      set verb $word\n      break\n    end\n  end\n"
      "  contains -- $verb $argv\nend\n");
  for (const VerbInfo& verb : AllVerbs()) {
    absl::StrAppend(&text, "complete -c onnx-hwest -n '__fish_use_subcommand' -a ", verb.name, FishHelp(verb.help));
    const WordList words = WordsOf(verb);
    if (!words.names.empty()) {
      absl::StrAppend(&text, "complete -c onnx-hwest -n '__onnx_hwest_is ", verb.name, "' -a '", words.names, "'\n");
    }
  }
  for (const FlagInfo& flag : AllFlags()) absl::StrAppend(&text, FishFlag(flag));
  return absl::StrCat(text, "complete -c onnx-hwest -s h -l help -d 'print the flags of a verb'\n",
                      "complete -c onnx-hwest -l version -d 'print the version'\n");
}

}  // namespace

std::string Completions(Shell shell) {
  if (shell == Shell::kBash) return BashCompletions();
  return shell == Shell::kZsh ? ZshCompletions() : FishCompletions();
}

}  // namespace hwest
