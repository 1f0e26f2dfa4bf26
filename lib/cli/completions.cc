#include "cli/completions.h"

#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/verbs.h"
#include "hwest/target.h"

namespace hwest {
namespace {

// Which paths the shell should offer.
constexpr absl::string_view kNothing = ":nothing", kFiles = ":files", kFolders = ":folders";

struct Offers {
  std::vector<std::pair<std::string, absl::string_view>> words;  // with their descriptions
  absl::string_view paths = kNothing;

  void Add(absl::string_view names) {
    for (const absl::string_view name : absl::StrSplit(names, ' ', absl::SkipEmpty())) words.emplace_back(name, "");
  }
};

void AddTargets(Offers* offers) {
  for (const TargetSummary& target : ListTargets()) {
    offers->words.emplace_back(target.name, "");
    for (const std::string& alias : target.aliases) offers->words.emplace_back(alias, "");
  }
}

void AddVerbs(Offers* offers) {
  for (const VerbInfo& verb : AllVerbs()) offers->words.emplace_back(verb.name, verb.help);
}

Offers ValuesOf(const Flag& flag, Verb verb) {
  Offers offers;
  offers.Add(ChoicesOf(flag, verb));
  offers.Add(WordInPlaceOfFile(flag));
  if (flag.path == PathIn::kTarget) AddTargets(&offers);
  if (flag.path == PathIn::kToolchain) offers.Add(absl::StrJoin(ListToolchains(), " "));
  const bool is_file = flag.path == PathIn::kFile || flag.path == PathIn::kNamedFile || flag.path == PathIn::kTarget;
  if (is_file) offers.paths = kFiles;
  if (flag.path == PathIn::kFolder) offers.paths = kFolders;
  return offers;
}

Offers NextWordOf(const Command& command) {
  Offers offers;
  const std::vector<std::string> words = WordsOf(command);
  if (!command.has_verb && words.empty()) AddVerbs(&offers);
  if (command.verb == Verb::kHelp) AddVerbs(&offers);
  if (command.verb == Verb::kDescribe) offers.Add(PageNames(" "));
  if (command.verb == Verb::kTargets && words.empty()) offers.Add("list show diff lint");
  if (command.verb == Verb::kRules && words.empty()) offers.Add("lint test");
  const bool takes_target =
      (command.verb == Verb::kTargets && !words.empty()) || (command.verb == Verb::kExplore && words.empty());
  if (takes_target) AddTargets(&offers);
  const bool takes_file = words.size() < InfoOf(command.verb).files || command.verb == Verb::kTargets ||
                          (command.verb == Verb::kRules && !words.empty());
  offers.paths = takes_file ? kFiles : kNothing;
  return offers;
}

// Bash splits words at "=".
std::vector<std::string> WithoutEquals(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool parts = words[i] == "=" && i > 0 && absl::StartsWith(words[i - 1], "--");
    if (!parts) kept.push_back(words[i]);
    if (parts && i + 1 == words.size()) kept.emplace_back();
  }
  return kept;
}

// What can follow the words, and the part of the last word that stays as it is: "--format=".
std::pair<Offers, std::string> OffersBehind(const std::vector<std::string>& words, absl::string_view last) {
  const Command command = ReadCommand(words);
  const CommandPart* open = command.parts.empty() ? nullptr : &command.parts.back();
  const bool words_alone = open != nullptr && open->kind == CommandPart::Kind::kEndOfFlags;
  const bool is_value =
      open != nullptr && open->flag != nullptr && !open->flag->value.empty() && !open->value.has_value();
  if (is_value && !absl::StartsWith(last, "--")) return {ValuesOf(*open->flag, command.verb), ""};
  const size_t equals = last.find('=');
  if (absl::StartsWith(last, "--") && equals != last.npos) {
    const Flag* flag = FindFlag(last.substr(0, equals), command.verb);
    return {flag == nullptr ? Offers() : ValuesOf(*flag, command.verb), std::string(last.substr(0, equals + 1))};
  }
  if (words_alone || !absl::StartsWith(last, "-")) return {NextWordOf(command), ""};
  Offers offers;
  for (const Flag* flag : FlagsOf(command.verb)) offers.words.emplace_back(flag->name, flag->help);
  return {std::move(offers), ""};
}

constexpr char kBash[] = R"(_onnx_hwest() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) ;;
      :folders) compopt -o dirnames ;;
      :nothing) compopt +o default ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _onnx_hwest onnx-hwest
)";

constexpr char kZsh[] = R"(_onnx_hwest() {
  local line paths tab=$'\t'
  local -a offers
  for line in "${(@f)$("${(Q)words[1]}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :*) paths=$line ;;
      *) offers+=("${${line//:/\\:}/$tab/:}") ;;
    esac
  done
  (( $#offers )) && _describe 'onnx-hwest' offers
  case $paths in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
_onnx_hwest "$@"
)";

constexpr char kFish[] = R"(function __onnx_hwest
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  for line in ($words[1] --complete $words[2..-1] "$last" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :folders
        __fish_complete_directories (commandline -ct)
      case :nothing
      case '*'
        echo $line
    end
  end
end
complete -c onnx-hwest -f -a '(__onnx_hwest)'
)";

struct ShellInfo {
  absl::string_view name, head, script;
};
constexpr ShellInfo kShells[] = {{"bash", "", kBash}, {"zsh", "#compdef onnx-hwest\n", kZsh}, {"fish", "", kFish}};
static_assert(std::size(kShells) == kNumEnumerators<Shell>);

}  // namespace

std::string OffersText(const std::vector<std::string>& words) {
  std::vector<std::string> before = WithoutEquals(words);
  const std::string last = before.empty() ? "" : before.back();
  if (!before.empty()) before.pop_back();
  const auto [offers, kept] = OffersBehind(before, last);
  std::string text;
  for (const auto& [word, help] : offers.words) {
    if (!absl::StartsWith(absl::StrCat(kept, word), last)) continue;
    absl::StrAppend(&text, kept, word, help.empty() ? "" : "\t", help, "\n");
  }
  return absl::StrCat(text, offers.paths, "\n");
}

std::string Completions(Shell shell) {
  const ShellInfo& info = kShells[static_cast<size_t>(shell)];
  return absl::StrCat(info.head, "# Completion of onnx-hwest, written by `onnx-hwest describe completions --shell ",
                      info.name, "`.\n", info.script);
}

}  // namespace hwest
