// Text, CSV, Markdown and the table of formats.
#include <sstream>

#include "report/text_table.h"
#include "report/writers.h"
#include "report_fixture.h"
#include "support/golden.h"

namespace hwest::test {
namespace {

struct GoldenCase {
  const char* file;
  ReportKind kind;
  Format format;
};

TEST_CASE("golden reports") {
  const auto c = GENERATE(values<GoldenCase>({
      {"tiny_analysis.txt", ReportKind::kAnalysis, Format::kText},
      {"tiny_analysis.json", ReportKind::kAnalysis, Format::kJson},
      {"tiny_analysis.csv", ReportKind::kAnalysis, Format::kCsv},
      {"tiny_analysis.md", ReportKind::kAnalysis, Format::kMarkdown},
      {"tiny_analysis.dot", ReportKind::kAnalysis, Format::kDot},
      {"tiny_shapes.txt", ReportKind::kShapes, Format::kText},
      {"tiny_shapes.json", ReportKind::kShapes, Format::kJson},
      {"tiny_support.txt", ReportKind::kSupport, Format::kText},
      {"tiny_support.json", ReportKind::kSupport, Format::kJson},
      {"tiny_explain.txt", ReportKind::kExplain, Format::kText},
      {"tiny_explain.json", ReportKind::kExplain, Format::kJson},
  }));
  const ReportOptions options{.format = c.format, .model_path = "tiny.onnx"};
  CheckGolden(c.file, ReportText(TinyAnalysis(), c.kind, options, {.node = "p"}));
}

TEST_CASE("what a kind is declared to be shown in is written, and nothing else", "[graphviz]") {
  for (const ReportKind kind :
       {ReportKind::kAnalysis, ReportKind::kShapes, ReportKind::kSupport, ReportKind::kExplain, ReportKind::kGraph}) {
    for (const FormatInfo& format : AllFormats()) {
      INFO(ReportKindName(kind) << " as " << format.name);
      size_t bytes = 0;
      const Analysis analysis = TinyAnalysis();
      const absl::Status written =
          WriteReport(ResultOf(analysis, {.node = "p"}), kind, {.format = format.format}, [&](absl::string_view some) {
            bytes += some.size();
            return absl::OkStatus();
          });
      CHECK(written.ok() == CheckFormat(kind, format.format).ok());
      CHECK((bytes > 0) == written.ok());
    }
  }
}

TEST_CASE("another tool's convention follows the summary") {
  Analysis analysis = TinyAnalysis();
  analysis.flops_as = TinyConvention(*analysis.dims);
  const ReportOptions options{.format = Format::kText, .model_path = "tiny.onnx"};
  CheckGolden("tiny_flops_as.txt", ReportText(analysis, ReportKind::kAnalysis, options));
  const std::string shapes = ReportText(analysis, ReportKind::kShapes, options);
  CHECK(shapes.find("Counted as fvcore does") != std::string::npos);
}

TEST_CASE("text fits a line and has colour only when asked") {
  Analysis analysis = TinyAnalysis();
  analysis.plan->segments[1].reason = std::string(300, 'x');
  const auto level = GENERATE(values<Level>({Level::kNode, Level::kGroup, Level::kSegment, Level::kModule}));
  const std::string plain = ReportText(analysis, ReportKind::kAnalysis, {.level = level, .width = kLineWidth});
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(DisplayWidth(line) <= kLineWidth);
  }
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(ReportText(analysis, ReportKind::kAnalysis, {.level = level, .color = Color::kYes}).find('\x1b') !=
        std::string::npos);
}

TEST_CASE("control bytes of a model never reach the terminal", "[graphviz]") {
  Analysis analysis = TinyAnalysis();
  analysis.mode = "\x1b[31m";
  analysis.plan->segments[0].reason = "a\nb\x1b";
  analysis.diagnostics[0].message = "\x07 bell";
  for (const Format format : {Format::kText, Format::kMarkdown, Format::kSvg}) {
    const std::string text =
        ReportText(analysis, ReportKind::kAnalysis, {.format = format, .model_path = "m\x1b.onnx"});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
  }
}

TEST_CASE("what fails --strict is said before twenty notes") {
  Analysis analysis = TinyAnalysis();
  analysis.diagnostics.clear();
  for (int i = 0; i < 30; ++i) {
    analysis.diagnostics.push_back({.code = Code::kDimConstraint, .message = "note " + std::to_string(i)});
  }
  analysis.diagnostics.push_back({.code = Code::kInferFailed, .message = "types differ", .node = "p"});
  const std::string text = ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kText});
  CHECK(text.find("- types differ (p)") < text.find("- note 0"));
  CHECK(text.find("11 more notes") != std::string::npos);
}

TEST_CASE("CSV fields") {
  struct Case {
    const char* text;
    const char* want;
  };
  const auto c = GENERATE(values<Case>({{"plain", "plain"},
                                        {"a,b", "\"a,b\""},
                                        {"a\"b", "\"a\"\"b\""},
                                        {"a\nb", "a\\x0ab"},
                                        {"=1+1", "'=1+1"},
                                        {"+x", "'+x"},
                                        {"-x", "'-x"},
                                        {"@sum,a", "\"'@sum,a\""},
                                        {"", ""}}));
  CHECK(CsvField(c.text) == c.want);
}

TEST_CASE("CSV has one row per row of the level's table") {
  const auto count = [](ReportOptions options) {
    const std::string text = ReportText(TinyAnalysis(), ReportKind::kAnalysis, options);
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  CHECK(count({.format = Format::kCsv}) == 3);
  CHECK(count({.format = Format::kCsv, .level = Level::kNode}) == 5);
  CHECK(count({.format = Format::kCsv, .level = Level::kSegment}) == 2);
  CHECK(count({.format = Format::kCsv, .top = 1}) == 1);
  CHECK(count({.format = Format::kCsv, .top = 0}) == 3);
}

TEST_CASE("Markdown cells") {
  CHECK(MarkdownCell("a|b") == "a\\|b");
  CHECK(MarkdownCell("<b>") == "\\<b\\>");
  CHECK(MarkdownCell("x\ny") == "x\\\\x0ay");
}

TEST_CASE("formats by name and extension") {
  for (const FormatInfo& info : AllFormats()) {
    CHECK(FindFormat(info.name)->format == info.format);
    CHECK(&InfoOf(info.format) != nullptr);
  }
  CHECK(FormatOfPath("a/b.SVG")->format == Format::kSvg);
  CHECK(FormatOfPath("b.markdown")->format == Format::kMarkdown);
  CHECK(FormatOfPath("b.xyz") == nullptr);
  CHECK(FormatOfPath("svg") == nullptr);
}

TEST_CASE("pictures of what is no graph are refused") {
  const auto sink = [](absl::string_view) { return absl::OkStatus(); };
  const absl::Status status = WriteReport(TinyAnalysis(), ReportKind::kSupport, {.format = Format::kSvg}, sink);
  CHECK(DiagnosticOf(status).code == Code::kUsage);
}

TEST_CASE("shortened text keeps both ends and whole characters") {
  CHECK(Shorten("abcdefghij", 10) == "abcdefghij");
  CHECK(Shorten("abcdefghij", 5) == "ab…ij");
  CHECK(Shorten("äöüäöüäöü", 4) == "ä…öü");
  CHECK(DisplayWidth("ä…") == 2);
}

TEST_CASE("wrapped text breaks after separators, and inside a word only when it must") {
  using Lines = std::vector<std::string>;
  CHECK(WrapText("one two three", 7) == Lines{"one two", "three"});
  CHECK(WrapText("one two three", 8) == Lines{"one two", "three"});
  CHECK(WrapText("a/longer/path", 9) == Lines{"a/longer/", "path"});
  CHECK(WrapText("unbreakable", 4) == Lines{"unbr", "eaka", "ble"});
  CHECK(WrapText("", 4) == Lines{""});
}

TEST_CASE("shapes") {
  CHECK(ShapeToText(std::nullopt) == "?");
  CHECK(ShapeToText(std::vector<Count>{}) == "scalar");
  CHECK(ShapeToText(std::vector<Count>{int64_t{1}, int64_t{64}}) == "1x64");
  CHECK(ShapeToText(std::vector<Count>{std::string("batch"), int64_t{64}, std::monostate()}) == "[batch, 64, ?]");
}

TEST_CASE("percentages never round up to everything") {
  CHECK(Percent(1) == "100 %");
  CHECK(Percent(0.99999) == "99.9 %");
  CHECK(Percent(0) == "0.0 %");
  CHECK(Percent(1e-6) == "<0.1 %");
  CHECK(Percent(0.1234) == "12.3 %");
}

}  // namespace
}  // namespace hwest::test
