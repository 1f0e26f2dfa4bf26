#include "cli/help.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr absl::string_view kMostUsed[] = {"--target", "--shape", "--precision", "--output", "--json"};
constexpr Verb kShown[] = {Verb::kAnalyze, Verb::kExplain};  // by an example on the first screen
constexpr absl::string_view kUsage =
    "\nUsage: onnx-hwest MODEL --target NAME [options]\n"
    "       onnx-hwest VERB [words] [options]\n\n";

// Columns of names.
constexpr size_t kPurposeWidth = 14;
constexpr size_t kNarrow = 23;  // of flags on the first screen
constexpr size_t kWide = 28;    // on the pages of verbs

// Lines of at most `width` columns: the first follows `head`, the others are indented to match.
std::string Wrapped(absl::string_view head, absl::string_view text, size_t width) {
  const size_t indent = head.size() - (head.rfind('\n') + 1);  // npos + 1 = 0
  const std::string separator = absl::StrCat("\n", std::string(indent, ' '));
  return absl::StrCat(head, absl::StrJoin(WrapText(text, width - std::min(indent, width - 1)), separator), "\n");
}

// A name with its description beside it.
std::string Entry(absl::string_view name, absl::string_view about, size_t indent, size_t width) {
  const size_t used = name.size() + 2;
  const bool fits = used + 2 <= indent;
  return Wrapped(absl::StrCat("  ", name, fits ? "" : "\n", std::string(fits ? indent - used : indent, ' ')), about,
                 width);
}

std::string Paragraph(absl::string_view text, size_t width) { return Wrapped("", text, width); }

std::string NameOf(const Flag& flag) {
  return absl::StrCat(flag.letter, flag.letter.empty() ? "" : ", ", flag.name, flag.value.empty() ? "" : " ",
                      flag.value);
}

absl::string_view FirstClause(absl::string_view text) { return text.substr(0, text.find(';')); }

std::string ExamplesText(absl::string_view examples) {
  std::string text;
  for (const absl::string_view line : absl::StrSplit(examples, '\n', absl::SkipEmpty()))
    absl::StrAppend(&text, "  ", line, "\n");
  return text;
}

std::vector<const VerbInfo*> VerbsFor(absl::string_view purpose) {
  std::vector<const VerbInfo*> verbs;
  for (const VerbInfo& verb : AllVerbs()) {
    if (verb.purpose == purpose) verbs.push_back(&verb);
  }
  return verbs;
}

std::string NamesOfVerbs(size_t width) {
  std::string text;
  for (const absl::string_view purpose : kPurposes) {
    const auto name = [](std::string* out, const VerbInfo* verb) {
      absl::StrAppend(out, verb->name, verb->verb == Verb::kAnalyze ? " (the default)" : "");
    };
    absl::StrAppend(&text, Entry(purpose, absl::StrJoin(VerbsFor(purpose), ", ", name), kPurposeWidth, width));
  }
  return text;
}

std::string VerbsText(size_t width) {
  std::string text;
  for (const absl::string_view purpose : kPurposes) {
    absl::StrAppend(&text, "\n", purpose, ":\n");
    for (const VerbInfo* verb : VerbsFor(purpose)) {
      const std::string usage = absl::StrCat(verb->name, verb->words.empty() ? "" : " ", verb->words);
      absl::StrAppend(&text, Entry(usage, verb->help, kWide, width));
    }
  }
  return text;
}

// Of one verb, or of all with those that take each.
std::string FlagsText(const std::vector<const Flag*>& flags, std::optional<Verb> verb, size_t width) {
  std::string text;
  for (const FlagGroup& group : GroupsOf(flags)) {
    absl::StrAppend(&text, "\n", group.name, ":\n");
    for (const Flag* flag : group.flags) {
      const std::vector<absl::string_view> takers =
          verb.has_value() ? std::vector<absl::string_view>() : TakersOf(*flag);
      const std::string of = takers.empty() ? "" : absl::StrCat(" [", absl::StrJoin(takers, ", "), "]");
      absl::StrAppend(&text, Entry(NameOf(*flag), absl::StrCat(AboutFlag(*flag, verb), of), kWide, width));
    }
  }
  return text;
}

bool NamesEvery(absl::string_view text, absl::string_view words) {
  for (const absl::string_view word : absl::StrSplit(words, ' ')) {
    if (!absl::StrContains(text, word)) return false;
  }
  return true;
}

}  // namespace

std::string AboutFlag(const Flag& flag, std::optional<Verb> verb) {
  std::vector<std::string> parts;
  const std::string choices = verb.has_value() ? ChoicesOf(flag, *verb) : ChoicesOf(flag);
  const bool lists_choices = !choices.empty() && !NamesEvery(flag.help, choices);
  if (lists_choices) parts.push_back(absl::StrJoin(absl::StrSplit(choices, ' '), ", "));
  const bool speaks_for_itself = flag.path != PathIn::kNone || flag.value == "N" || flag.example.empty();
  if (!speaks_for_itself) parts.push_back(absl::StrCat("e.g. ", flag.example));
  if (!flag.default_text.empty()) parts.push_back(absl::StrCat("default ", flag.default_text));
  if (!flag.conflicts.empty()) parts.push_back(absl::StrCat("not with ", flag.conflicts));
  if (flag.repeats) parts.push_back("repeatable");
  return absl::StrCat(flag.help, parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, "; "), ")"));
}

std::vector<absl::string_view> TakersOf(const Flag& flag) {
  std::vector<absl::string_view> takers;
  size_t others = 0;
  for (const VerbInfo& verb : AllVerbs()) {
    const bool takes = FindFlag(flag.name, verb.verb) == &flag;
    if (takes) takers.push_back(verb.name);
    if (!takes && verb.runs.run != nullptr) ++others;
  }
  if (others == 0) takers.clear();
  return takers;
}

std::vector<FlagGroup> GroupsOf(const std::vector<const Flag*>& flags) {
  std::vector<FlagGroup> groups;
  for (const absl::string_view name : kFlagGroups) groups.push_back({name, {}});
  FlagGroup rare{"Rarely needed", {}};
  for (const Flag* flag : flags) {
    const auto at = std::find(std::begin(kFlagGroups), std::end(kFlagGroups), flag->group) - std::begin(kFlagGroups);
    (flag->is_rare ? rare : groups[static_cast<size_t>(at)]).flags.push_back(flag);
  }
  groups.insert(groups.end() - 1, std::move(rare));  // before what is about the program itself
  groups.erase(std::remove_if(groups.begin(), groups.end(), [](const FlagGroup& group) { return group.flags.empty(); }),
               groups.end());
  return groups;
}

std::string HelpOnProgram(size_t width) {
  std::string text = absl::StrCat(Paragraph(kTagline, width), kUsage);
  for (const absl::string_view name : kMostUsed) {
    const Flag* flag = FindFlag(name, Verb::kAnalyze);
    absl::StrAppend(&text, Entry(NameOf(*flag), FirstClause(flag->help), kNarrow, width));
  }
  absl::StrAppend(&text, "\n", NamesOfVerbs(width), "\n");
  for (const Verb verb : kShown) {
    const absl::string_view examples = InfoOf(verb).examples;
    absl::StrAppend(&text, ExamplesText(examples.substr(0, examples.find('\n'))));
  }
  return absl::StrCat(text, "\n",
                      Paragraph("`onnx-hwest help VERB` has the options of a verb, --help-all those of all.", width));
}

std::string HelpOnVerb(const VerbInfo& verb, size_t width) {
  const std::string usage =
      absl::StrCat("onnx-hwest ", verb.name, verb.words.empty() ? "" : " ", verb.words, " [options]");
  return absl::StrCat(Paragraph(verb.help, width), verb.more.empty() ? "" : Paragraph(verb.more, width), "\n",
                      Wrapped("Usage: ", usage, width), FlagsText(FlagsOf(verb.verb), verb.verb, width),
                      "\nExamples:\n", ExamplesText(verb.examples));
}

std::string HelpOnAll(size_t width) {
  std::string text = absl::StrCat(Paragraph(kTagline, width), kUsage,
                                  Paragraph("A word is a verb only if it equals one; ./targets is a file.", width),
                                  VerbsText(width), FlagsText(AllFlags(), std::nullopt, width), "\nExamples:\n");
  for (const VerbInfo& verb : AllVerbs()) absl::StrAppend(&text, ExamplesText(verb.examples));
  return absl::StrCat(text, "\n", Wrapped("Exit codes: ", kExitCodes, width));
}

}  // namespace hwest
