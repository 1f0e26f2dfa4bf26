// Text by page: the width of a terminal cuts and folds it, a file never does, and ASCII stays ASCII.
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/quantize.h"
#include "report/text_table.h"
#include "report/writers.h"
#include "report_fixture.h"

namespace hwest::test {
namespace {

const std::string kLongName =
    "/model.22/dfl/a_module_with_a_very_long_name/another_one_in_it/and_a_third/Conv_output_0_quantized";

TextTable LongTable() {
  TextTable table({{.title = "id", .align = Align::kRight},
                   {.title = "time", .align = Align::kRight},
                   {.title = "node", .squeeze = Squeeze::kShorten},
                   {.title = "why", .squeeze = Squeeze::kWrap}});
  table.Add({"g0", "1.000 ms", kLongName, "the reason goes on for many words, and " + kLongName + " is one of them"});
  table.Add({"g1", "1.000 ms", "short", ""});
  return table;
}

size_t WidestLine(const std::string& text) {
  size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, DisplayWidth(line));
  return widest;
}

bool IsAscii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

TEST_CASE("a file has every name whole, also inside of reasons") {
  const std::string text = LongTable().Print({});
  size_t count = 0;
  for (size_t at = text.find(kLongName); at != std::string::npos; at = text.find(kLongName, at + 1)) ++count;
  CHECK(count == 2);
  CHECK_FALSE(absl::StrContains(text, "…"));
}

TEST_CASE("a table fits a terminal of any width") {
  const auto width = GENERATE(values<size_t>({40, 60, 80, 100, 200, 400}));
  const std::string text = LongTable().Print({.width = width});
  INFO(text);
  CHECK(WidestLine(text) <= width);
  if (width == 400) CHECK(absl::StrContains(text, kLongName));
}

TEST_CASE("a report fits a terminal of any width") {
  const auto width = GENERATE(values<size_t>({60, 80, 100, 200}));
  const auto kind = GENERATE(values<ReportKind>({ReportKind::kAnalysis, ReportKind::kShapes, ReportKind::kSupport}));
  const auto level = GENERATE(values<Level>({Level::kNode, Level::kGroup, Level::kSegment, Level::kModule}));
  const std::string text = ReportText(TinyAnalysis(), kind, {.level = level, .width = width});
  INFO(text);
  CHECK(WidestLine(text) <= width);
}

TEST_CASE("a folded row keeps its columns in order, below their titles") {
  TextTable table({{.title = "first"}, {.title = "second"}, {.title = "third"}});
  table.Add({"aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb", "cc"});
  table.Add({"a", "", ""});
  CHECK(table.Print({.width = 40}) ==
        "  first\n"
        "      second                third\n"
        "  aaaaaaaaaaaaaaaaaaaa\n"
        "      bbbbbbbbbbbbbbbbbbbb  cc\n"
        "  a\n");
}

TEST_CASE("a narrow terminal leaves spare columns out before it folds") {
  TextTable table(
      {{.title = "first"}, {.title = "second", .spare = 1}, {.title = "third", .spare = 2}, {.title = "fourth"}});
  table.Add({"aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"});
  struct Page {
    size_t width;
    std::vector<std::string> left_out;
    const char* text;
  };
  const auto page = GENERATE(values<Page>({
      {0, {}, "  first     second    third     fourth\n  aaaaaaaa  bbbbbbbb  cccccccc  dddddddd\n"},
      {40, {}, "  first     second    third     fourth\n  aaaaaaaa  bbbbbbbb  cccccccc  dddddddd\n"},
      {39, {"third"}, "  first     second    fourth\n  aaaaaaaa  bbbbbbbb  dddddddd\n"},
      {20, {"second", "third"}, "  first     fourth\n  aaaaaaaa  dddddddd\n"},
      {19, {"second", "third"}, "  first\n      fourth\n  aaaaaaaa\n      dddddddd\n"},
  }));
  CHECK(table.Print({.width = page.width}) == page.text);
  CHECK(table.LeftOut({.width = page.width}) == page.left_out);
}

TEST_CASE("in ASCII nothing of ours is beyond it") {
  const std::string text = ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.width = 60, .glyphs = Glyphs::kAscii});
  CHECK(IsAscii(text));
  CHECK(Bar(0.5, 4, Glyphs::kAscii) == "##--");
  CHECK(Bar(0.5, 4, Glyphs::kUnicode) == "██░░");
  CHECK(Shorten("abcdefghij", 7, Glyphs::kAscii) == "ab...ij");
  CHECK(Cut("one two three", 8, Glyphs::kAscii) == "one t...");
  CHECK(Cut("one two three", 5) == "one…");
}

TEST_CASE("targets are one line each") {
  TargetSummary target;
  target.name = "a-board";
  target.aliases = {"alias-one", "alias-two"};
  target.summary = "A board with a summary of so many words that a column of eighteen characters would not hold it";
  const auto listed = [&](size_t width) {
    std::string text;
    const std::vector<TargetSummary> targets(3, target);
    REQUIRE(WriteTargets(targets, {.width = width}, [&](absl::string_view bytes) {
              text.append(bytes.data(), bytes.size());
              return absl::OkStatus();
            }).ok());
    return text;
  };
  CHECK(absl::StrContains(listed(0), target.summary + "; also alias-one, alias-two\n"));
  const auto width = GENERATE(values<size_t>({0, 60, 80, 100}));
  const std::string text = listed(width);
  INFO(text);
  size_t rows = 0;
  for (size_t at = text.find("  a-board"); at != std::string::npos; at = text.find("  a-board", at + 1)) ++rows;
  CHECK(rows == 3);
  const std::string table = text.substr(0, text.rfind("\n  3 targets"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 3);
  if (width > 0) CHECK(WidestLine(text) <= width);
}

TEST_CASE("a page of formats by layer has the first thousand rows, and says how many it leaves out") {
  QuantizePlan plan;
  plan.file = std::make_shared<const Analysis>(TinyAnalysis());
  plan.formats = {"fp16", "int8", "w8a16"};
  for (int i = 0; i < 600; ++i) {
    PlanLayer layer;
    layer.names = {absl::StrCat("conv", i)};
    for (const std::string& format : plan.formats) layer.choices.push_back({.format = format, .runs = format});
    plan.layers.push_back(std::move(layer));
  }
  std::string page;
  const auto into_page = [&](absl::string_view text) {
    absl::StrAppend(&page, text);
    return absl::OkStatus();
  };
  REQUIRE(WriteQuantizePlan(plan, {.format = Format::kHtml}, into_page).ok());
  CHECK(absl::StrContains(page, "conv499"));
  CHECK_FALSE(absl::StrContains(page, "conv500"));
  CHECK(absl::StrContains(page, "200 more rows are left out"));
}

}  // namespace
}  // namespace hwest::test
