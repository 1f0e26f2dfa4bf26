#include "cli/manual.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace hwest {
namespace {

constexpr char kDescription[] =
    "onnx-hwest reads an ONNX model, without its weights, and says how long it will take on an accelerator, how much\n"
    "memory and energy it needs, what limits it, which operators fuse, which unit runs what, and why. The figures are\n"
    "estimates; every report prints the interval it believes in and what it assumed. What is not known is listed as\n"
    "unknown, never counted as zero.\n";

// Text that roff would take for its own: escapes, hyphens to be copied, a control character at the start of a line.
std::string Roff(absl::string_view text) {
  std::string line = absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}});
  if (absl::StartsWith(line, ".") || absl::StartsWith(line, "'")) line.insert(0, "\\&");
  return line;
}

std::string Bold(absl::string_view text) { return absl::StrCat("\\fB", Roff(text), "\\fR"); }
std::string Italic(absl::string_view text) { return absl::StrCat("\\fI", Roff(text), "\\fR"); }

std::string Verbs() {
  std::string text = ".SH VERBS\nA word is a verb only if it equals one; ./targets is a file.\n";
  for (const VerbInfo& verb : AllVerbs()) {
    absl::StrAppend(&text, ".TP\n", Bold(verb.name), " ", Italic(verb.words), "\n", Roff(verb.help), "\n");
  }
  return text;
}

// Who takes the flag; empty when every verb does.
std::string Takers(const FlagInfo& flag) {
  std::vector<std::string> names;
  for (const VerbInfo& verb : AllVerbs()) {
    if (Takes(verb.verb, flag)) names.push_back(Bold(verb.name));
  }
  const auto all = std::count_if(AllVerbs().begin(), AllVerbs().end(),
                                 [](const VerbInfo& verb) { return verb.verb != Verb::kHelp; });
  return static_cast<ptrdiff_t>(names.size()) == all ? "" : absl::StrCat("For ", absl::StrJoin(names, ", "), ".\n");
}

std::string Option(const FlagInfo& flag) {
  return absl::StrCat(".TP\n", Bold(flag.name), flag.value == nullptr ? "" : absl::StrCat(" ", Italic(flag.value)),
                      "\n", Roff(flag.help), flag.repeats ? "; may be given several times" : "", ".\n", Takers(flag));
}

// The flags under their groups, groups in the order of their first flag.
std::string Flags() {
  std::vector<absl::string_view> groups;
  for (const FlagInfo& flag : AllFlags()) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) groups.push_back(flag.group);
  }
  std::string text = ".SH OPTIONS\n";
  for (const absl::string_view group : groups) {
    absl::StrAppend(&text, ".SS ", group, "\n");
    for (const FlagInfo& flag : AllFlags()) {
      if (group == flag.group) absl::StrAppend(&text, Option(flag));
    }
  }
  return absl::StrCat(text, ".SS Other\n.TP\n", Bold("-h"), ", ", Bold("--help"), "\nprint the flags of a verb.\n.TP\n",
                      Bold("--version"), "\nprint the version.\n");
}

std::string Examples() {
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const absl::string_view line : absl::StrSplit(HelpExamples(), '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, Roff(absl::StripLeadingAsciiWhitespace(line)), "\n");
  }
  return absl::StrCat(text, ".EE\n");
}

}  // namespace

std::string ManualPage() {
  std::string text = absl::StrCat(".TH ONNX\\-HWEST 1 \"\" \"onnx\\-hwest " HWEST_VERSION "\" \"User Commands\"\n",
                                  ".SH NAME\nonnx\\-hwest \\- hardware estimates for ONNX models\n.SH SYNOPSIS\n");
  absl::StrAppend(&text, ".B onnx\\-hwest\n", Italic("MODEL"), " ", Bold("--target"), " ", Italic("NAME"),
                  " [options]\n.br\n.B onnx\\-hwest\n", Italic("VERB"), " [words] [options]\n");
  absl::StrAppend(&text, ".SH DESCRIPTION\n", Roff(kDescription), Verbs(), Flags());
  absl::StrAppend(&text, ".SH EXIT STATUS\n", Roff(HelpExitCodes()), Examples());
  absl::StrAppend(&text, ".SH ENVIRONMENT\n.TP\n.BR NO_COLOR \", \" TERM\nA NO_COLOR that is not empty, or the terminal ",
                  Bold("dumb"), ", turn colours off.\n.TP\n", Bold("COLUMNS"),
                  "\nThe width that text on a terminal is laid out for, in place of the terminal's own. In files and pipes no "
                  "name is cut.\n.TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\nThe first that is set names the locale; where "
                  "that is not UTF\\-8, bars on standard output are drawn in ASCII.\n");
  return absl::StrCat(text, ".SH SEE ALSO\n", Bold("onnx-hwest describe"), " ", Italic("codes"),
                      " lists every message by its stable name.\n");
}

}  // namespace hwest
