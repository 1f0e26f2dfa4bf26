// Names with a special meaning to a reader of reports: a terminal, a spreadsheet, a browser, Graphviz, a JSON parser.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "hostile/hostile.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

struct Name {
  const char* what;
  std::string text;
};

// clang-format off
const Name kNames[] = {
    {"control bytes", "a\x1b]0;owned\x07\x1b[31m\x08\r\n\x7f"},
    {"control characters of UTF-8", "a\xc2\x9b" "31m"},
    {"invalid UTF-8", "a\xff\xfe\xc0\xaf\xed\xa0\x80z"},
    {"a direction that is turned", "a\xe2\x80\xae" "evil"},
    {"HTML", "<script>alert(1)</script><img src=x onerror=alert(1)>&amp;"},
    {"a formula", "=cmd|'/c calc'!A1"},
    {"formulas of other signs", "+1+1"},
    {"at", "@SUM(1)"},
    {"minus", "-2+3"},
    {"a tab before a formula", "\t=1"},
    {"separators", "a,b;c\"d\"|e`f"},
    {"Graphviz", "\"]; evil [label=\"x\" URL=\"javascript:alert(1)\"; {}<b>\\N"},
    {"Markdown", "[x](javascript:alert(1)) | `a` | **b** \\| # h"},
    {"a NUL byte", std::string("a\0b", 3)},
    {"10 kB", std::string(10000, 'n')},
};
// clang-format on

// Everything in the model has this name, or one that begins with it.
std::string ModelNamed(const std::string& name) {
  const Message conv = Node("Conv", {name, name + "w"}, {name + "t"}).Bytes(3, name);
  const Message custom = Node(name, {name + "t"}, {name + "y"})
                             .Bytes(3, name + "/" + name)
                             .Bytes(7, name)
                             .Sub(9, StringEntry("namespace", absl::StrCat(name, ": ", name, "/fx: z")))
                             .Sub(5, Message().Bytes(1, name).Bytes(4, name).Varint(20, 3));
  const Message graph = Graph({conv, custom}, {Value(name, FloatType({"1", "3", "8", "8"}))}, {name + "y"})
                            .Bytes(2, name)
                            .Sub(5, ExternalTensor(name + "w", 1, {4, 3, 3, 3}, name, "0", "432"));
  return Model(graph).Bytes(2, name).Bytes(3, name).Sub(8, OpsetImport(name, 1)).bytes();
}

bool IsPrintable(absl::string_view text, absl::string_view also = "\n") {
  const bool bytes = std::all_of(text.begin(), text.end(), [also](char c) {
    return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || absl::StrContains(also, c);
  });
  return bytes && !absl::StrContains(text, "\xc2\x9b") && !absl::StrContains(text, "\xe2\x80\xae");
}

// A JSON string of the text is only accepted when it is valid UTF-8.
bool IsUtf8(const std::string& text) {
  return nlohmann::json::accept(
      absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "."}, {"\"", "."}, {"\n", "."}, {"\t", "."}}), "\""));
}

// No cell of a CSV file starts like a formula.
bool HasFormula(const std::string& csv) {
  for (const absl::string_view line : absl::StrSplit(csv, '\n')) {
    for (absl::string_view cell : absl::StrSplit(line, ',')) {
      absl::ConsumePrefix(&cell, "\"");
      if (!cell.empty() && absl::StrContains("=+@\t", cell[0])) return true;
      double number;
      if (absl::StartsWith(cell, "-") && !absl::SimpleAtod(cell, &number)) return true;
    }
  }
  return false;
}

TEST_CASE("names in every format", "[graphviz]") {
  for (const Name& name : kNames) {
    const std::string bytes = ModelNamed(name.text);
    for (const std::string format :
         {"text", "json", "csv", "markdown", "dot", "svg", "perfetto", "netron", "model-explorer"}) {
      for (const std::string verb : {"shapes", "analyze", "support", "graph"}) {
        std::vector<std::string> args = {verb, "MODEL", "--format", format};
        if (verb != "shapes") args.insert(args.end(), {"--target", "jetson-orin"});
        const Outcome outcome = RunOn(bytes, args);
        INFO(name.what << " " << verb << " " << format << ": exit " << outcome.code << "\n" << outcome.err);
        if (outcome.code == 2) continue;  // no such picture of this report
        CHECK(outcome.code == 0);
        CHECK(IsPrintable(outcome.err));
        const bool is_json =
            format != "text" && format != "csv" && format != "markdown" && format != "dot" && format != "svg";
        if (is_json) {  // names are the file's own there, in JSON's spelling
          CHECK(nlohmann::json::accept(outcome.out));
          continue;
        }
        CHECK(IsPrintable(outcome.out, format == "dot" ? "\n\t" : "\n"));
        CHECK(IsUtf8(outcome.out));
        if (format == "csv") CHECK_FALSE(HasFormula(outcome.out));
        if (format == "svg") CHECK_FALSE(absl::StrContains(outcome.out, "<script"));
        if (format == "markdown") CHECK_FALSE(absl::StrContains(absl::StrReplaceAll(outcome.out, {{"\\<", ""}}), "<"));
      }
    }
  }
}

TEST_CASE("names in errors") {
  for (const Name& name : kNames) {
    const std::string bytes =
        ModelWith(Graph({Node("Relu", {name.text + "x"}, {name.text}).Bytes(3, name.text)}, {}, {"y"}));
    const Outcome outcome = RunOn(bytes, {"shapes", "MODEL", "--json"});
    INFO(name.what << "\n" << outcome.err);
    CHECK(outcome.code == 3);
    CHECK(IsPrintable(outcome.err));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(nlohmann::json::accept(outcome.out));
  }
}

}  // namespace
}  // namespace hwest::test
