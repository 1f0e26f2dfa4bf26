#include "cli/manual.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/help.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

constexpr char kDescription[] =
    "onnx-hwest reads an ONNX model, without its weights, and says how long it will take on an accelerator, how much\n"
    "memory and energy it needs, what limits it, which operators fuse, which unit runs what, and why. The figures are\n"
    "estimates; every report prints the interval it believes in and what it assumed. What is not known is listed as\n"
    "unknown, never counted as zero.\n";

// Escapes what roff would interpret: backslashes, hyphens to be copied, a control character at the start of a line.
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
    if (!verb.more.empty()) absl::StrAppend(&text, ".br\n", Roff(verb.more), "\n");
  }
  return text;
}

std::string Option(const Flag& flag) {
  const std::string takers = absl::StrJoin(
      TakersOf(flag), ", ", [](std::string* out, absl::string_view verb) { absl::StrAppend(out, Bold(verb)); });
  return absl::StrCat(".TP\n", flag.letter.empty() ? "" : absl::StrCat(Bold(flag.letter), ", "), Bold(flag.name),
                      flag.value.empty() ? "" : absl::StrCat(" ", Italic(flag.value)), "\n", Roff(AboutFlag(flag)),
                      ".\n", takers.empty() ? "" : absl::StrCat("For ", takers, ".\n"));
}

std::string Flags() {
  std::string text = ".SH OPTIONS\n";
  for (const FlagGroup& group : GroupsOf(AllFlags())) {
    absl::StrAppend(&text, ".SS ", group.name, "\n");
    for (const Flag* flag : group.flags) absl::StrAppend(&text, Option(*flag));
  }
  return text;
}

std::string Examples() {
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const VerbInfo& verb : AllVerbs()) {
    for (const absl::string_view line : absl::StrSplit(verb.examples, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text, Roff(line), "\n");
    }
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
  absl::StrAppend(&text, ".SH EXIT STATUS\n", Roff(kExitCodes), "\n", Examples());
  absl::StrAppend(
      &text, ".SH ENVIRONMENT\n.TP\n.BR NO_COLOR \", \" TERM\nA NO_COLOR that is not empty, or the terminal ",
      Bold("dumb"), ", turn colours off.\n.TP\n", Bold("COLUMNS"),
      "\nThe width that text on a terminal is laid out for, in place of the terminal's own. In files and pipes no "
      "name is cut.\n.TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\nThe first that is set names the locale; where "
      "that is not UTF\\-8, bars on standard output are drawn in ASCII.\n");
  return absl::StrCat(text, ".SH SEE ALSO\n", Bold("onnx-hwest describe"), " ", Italic("codes"),
                      " lists every message by its stable name.\n");
}

}  // namespace hwest
