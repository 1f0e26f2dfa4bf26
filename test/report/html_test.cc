// HTML: a page's data can be read back, and nothing in it ends its element.
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "report/answer.h"
#include "report/deflate.h"
#include "report/page_data.h"
#include "report/still_page.h"
#include "report/viewer_files.h"
#include "report/writers.h"
#include "report_fixture.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

std::string Inflated(const std::string& base64) {
  std::string packed, text(1 << 20, '\0');
  REQUIRE(absl::Base64Unescape(base64, &packed));
  z_stream z = {};
  REQUIRE(inflateInit2(&z, -MAX_WBITS) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(packed.data());
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(text.data());
  z.avail_out = static_cast<uInt>(text.size());
  REQUIRE(inflate(&z, Z_FINISH) == Z_STREAM_END);
  text.resize(z.total_out);
  inflateEnd(&z);
  return text;
}

Json PageOf(const Analysis& analysis) {
  const View view = MakeView(analysis, {.model_path = "tiny.onnx"});
  std::string text;
  const absl::Status status = WritePageData(AnalysisDocument(view), [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  });
  REQUIRE(status.ok());
  return Json::parse(text);
}

// A column of a table, unpacked as the page does.
std::vector<Json> Column(const Json& table, const std::string& key) {
  const auto& columns = table["columns"];
  const size_t place = std::find(columns.begin(), columns.end(), key) - columns.begin();
  REQUIRE(place < columns.size());
  std::vector<Json> cells;
  for (const Json& chunk : table["chunks"]) {
    const Json& own = chunk[place];
    if (own.is_array()) {
      cells.insert(cells.end(), own.begin(), own.end());
    } else if (own.contains("at")) {
      for (const size_t at : own["at"]) cells.push_back(own["of"][at]);
    } else {
      cells.resize(std::min(table["size"].get<size_t>(), cells.size() + table["chunk"].get<size_t>()), own["of"][0]);
    }
  }
  const auto& differences = table["differences"];
  if (std::find(differences.begin(), differences.end(), key) == differences.end()) return cells;
  int64_t last = 0;
  for (Json& cell : cells) {
    if (cell.is_number()) cell = last += cell.get<int64_t>();
    int64_t before = last;
    bool is_first = true;
    for (size_t i = 0; cell.is_array() && i < cell.size(); ++i) {
      if (cell[i].is_null()) continue;
      cell[i] = before += cell[i].get<int64_t>();
      if (std::exchange(is_first, false)) last = before;
    }
  }
  return cells;
}

std::string InOneLine(const std::string& text) {
  return absl::StrJoin(absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty()), " ");
}

TEST_CASE("a page carries the lines of the text report") {
  const Analysis analysis = TinyAnalysis();  // of its nodes one is unknown
  const std::string text = InOneLine(ReportText(analysis, ReportKind::kAnalysis, {}));
  const Json page = PageOf(analysis);
  const std::vector<Json> names = Column(page["answer"], "name"), figures = Column(page["answer"], "figure");
  const std::vector<Json> rest = Column(page["answer"], "rest");
  REQUIRE(names.size() > 6);
  CHECK(figures[0] == "at least 17.00 us");
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i];
    if (name == "Falls back" || name == "Would help") continue;  // text has tables of these
    std::string line = absl::StrCat(name, " ", figures[i].get<std::string>());
    for (const Json& words : rest[i]) absl::StrAppend(&line, " ", words.get<std::string>());
    INFO(line);
    CHECK(absl::StrContains(text, InOneLine(line)));
  }
  for (const Json& line : page["words"]["coverage"]) CHECK(absl::StrContains(text, InOneLine(line)));
}

TEST_CASE("pieces of any size are one text") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i % 977) + ",";
  for (const size_t piece : {1u, 7u, 4096u, 100000u}) {
    std::string base64;
    const auto sink = [&](absl::string_view letters) {
      base64.append(letters.data(), letters.size());
      return absl::OkStatus();
    };
    DeflatedWriter writer(sink);
    for (size_t at = 0; at < text.size(); at += piece)
      REQUIRE(writer.Write(absl::string_view(text).substr(at, piece)).ok());
    REQUIRE(writer.Finish().ok());
    CHECK(Inflated(base64) == text);
  }
}

TEST_CASE("a sink that fails ends the text") {
  const auto sink = [](absl::string_view) { return absl::DataLossError("full"); };
  DeflatedWriter writer(sink);
  REQUIRE(writer.Write("a").ok());
  CHECK(absl::IsDataLoss(writer.Finish()));
}

TEST_CASE("a page carries the document") {
  const Analysis analysis = TinyAnalysis();
  const Json page = PageOf(analysis);
  const Json document =
      Json::parse(ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kJson, .model_path = "tiny.onnx"}));
  for (const char* part : {"request", "summary", "model", "coverage"}) CHECK(page[part] == document[part]);
  for (const char* key : {"op", "class", "macs", "group", "input_ids", "output_ids"}) {
    const std::vector<Json> column = Column(page["nodes"], key);
    REQUIRE(column.size() == document["nodes"].size());
    for (size_t i = 0; i < column.size(); ++i) CHECK(column[i] == document["nodes"][i][key]);
  }
  for (const char* key : {"pattern", "unit", "segment", "macs", "bound"}) {
    const std::vector<Json> column = Column(page["groups"], key);
    REQUIRE(column.size() == document["groups"].size());
    for (size_t i = 0; i < column.size(); ++i) CHECK(column[i] == document["groups"][i][key]);
  }
  const std::vector<Json> roots = Column(page["groups"], "root");
  for (size_t i = 0; i < roots.size(); ++i) {
    CHECK(document["nodes"][roots[i].get<size_t>()]["label"] == document["groups"][i]["name"]);
  }
}

TEST_CASE("starts of groups follow from what lies between them") {
  const Analysis analysis = TinyAnalysis();
  const Json page = PageOf(analysis);
  const std::vector<Json> waits = Column(page["groups"], "wait_s"), times = Column(page["groups"], "time_s");
  double end_s = 0;
  size_t known = 0;
  for (size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].is_null()) continue;
    ++known;
    CHECK(end_s + waits[i].get<double>() == Approx(analysis.plan->groups[i].start_s).epsilon(1e-7).margin(1e-12));
    end_s += waits[i].get<double>() + times[i].get<double>();
  }
  CHECK(known > 0);
}

TEST_CASE("memory steps of a pipeline fill its time") {
  AnalysisRequest request;
  request.target = "hailo-8";
  const Analysis analysis = *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
  REQUIRE(analysis.plan->segments[0].contexts > 0);
  const Json page = PageOf(analysis);
  const std::vector<Json> ends = Column(page["groups"], "held_until_s");
  double last_s = 0;
  for (const Json& end : ends) {
    if (end.is_null()) continue;
    CHECK(end.get<double>() >= last_s);
    last_s = end;
  }
  CHECK(last_s == Approx(analysis.plan->latency_s).epsilon(1e-6));
}

TEST_CASE("html is one page, or says what the build lacks") {
  std::string text;
  const Analysis analysis = TinyAnalysis();
  const ReportOptions options{.format = Format::kHtml, .model_path = "</title><script>.onnx"};
  const absl::Status status = WriteReport(analysis, ReportKind::kAnalysis, options, [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  });
  if (Viewer().empty()) {
    CHECK(DiagnosticOf(status).code == Code::kOutputUnwritable);
    CHECK(absl::StrContains(DiagnosticOf(status).remedy, "cmake/setup.sh"));
    return;
  }
  REQUIRE(status.ok());
  CHECK(absl::StartsWith(text, "<!doctype html>"));
  CHECK(absl::StrContains(text, "<title>title&gt;&lt;script&gt;.onnx on "));
  CHECK(absl::StrContains(text, absl::StrCat("script-src '", Viewer().script_hash, "'")));
  const std::string before = "<script type=\"application/octet-stream\">";
  const size_t begin = text.find(before) + before.size();
  CHECK(Json::parse(Inflated(text.substr(begin, text.find('<', begin) - begin)))["kind"] == "analysis");
  CHECK(Viewer().script.size() + Viewer().style.size() < 300000);
}

TEST_CASE("the verdict is one sentence, the same on every face") {
  const Analysis analysis = TinyAnalysis();
  const View view = MakeView(analysis, {.model_path = "tiny.onnx"});
  const std::string verdict = VerdictText(view);
  CHECK(verdict == "At most 58824 FPS on toy-npu, 1 of 5 nodes unknown, two kinds of operators fall back");
  CHECK(PageOf(analysis)["verdict"] == verdict);
  CHECK(Json::parse(ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kJson}))["verdict"] == verdict);
  const std::string text = ReportText(analysis, ReportKind::kAnalysis, {});
  CHECK(
      absl::StrContains(absl::StrJoin(absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty()), " "), verdict));
}

TEST_CASE("what has no kernel takes no time, which is known") {
  const Analysis analysis = TinyAnalysis();
  View view = MakeView(analysis, {.model_path = "tiny.onnx"});
  view.summary.throughput_per_s.reset();
  CHECK(absl::StartsWith(VerdictText(view), "The time is unknown on toy-npu"));
  view.summary.latency_s = 0;
  view.summary.incomplete = false;
  CHECK(absl::StartsWith(VerdictText(view), "No node takes time on toy-npu"));
}

TEST_CASE("a note that makes figures doubtful says what to do, in text too") {
  Analysis analysis = TinyAnalysis();
  analysis.diagnostics.push_back(
      {.code = Code::kUnknownOp, .message = "no rule for Bar", .remedy = "state one", .node = "b"});
  analysis.diagnostics.push_back({.code = Code::kAssumed, .message = "assumed int8", .remedy = "choose another"});
  const std::string text = ReportText(analysis, ReportKind::kAnalysis, {});
  CHECK(absl::StrContains(text, "no rule for Bar (b): state one"));
  CHECK(absl::StrContains(text, "- assumed int8\n"));
}

TEST_CASE("a change that raises the rate ends the verdict, one that only saves time does not") {
  const Analysis analysis = TinyAnalysis();
  View view = MakeView(analysis, {.model_path = "tiny.onnx"});
  REQUIRE(view.summary.throughput_per_s.has_value());
  const double now_per_s = *view.summary.throughput_per_s;
  std::vector<WhatIfRow> rows(2);
  rows[0].change = "batch 8 instead of 1: 1 us per input, 8 us per batch";
  rows[0].kind = WhatIfKind::kBatch;
  rows[0].batch = 8;
  rows[0].latency_s = 68e-6;
  rows[0].interval_s = 8 / now_per_s;
  rows[1].change = "Relu instead of SiLU";
  rows[1].interval_s = 0.5 / now_per_s;
  view.what_if = &rows;
  const auto ends = [&](absl::string_view end) { return absl::EndsWith(VerdictText(view), end); };
  CHECK(ends("; Relu instead of SiLU would give 117647 FPS"));
  rows[0].interval_s = 4 / now_per_s;
  CHECK(ends("; batch 8 instead of 1 would give 117647 FPS, 68.00 us per batch"));
  // The share saved is of one input, the time after it of the whole run: both say so.
  rows[0].saving_s = *view.summary.latency_s / 2;
  const AnswerLine help = AdviceLines(view).back();
  CHECK(help.name == "Would help");
  CHECK(help.figure == "−50.0 %");
  CHECK(help.rest[0] == "per input");
  rows[0] = rows[1];
  rows[0].kind = WhatIfKind::kRewrite;
  rows[0].change = "gelu_to_erf: GELU becomes Erf";
  CHECK(ends("; rewriting by gelu_to_erf would give 117647 FPS"));
  rows.clear();
  CHECK(ends(" fall back"));
}

TEST_CASE("a still page has the look and script of the viewer, and is whole without") {
  StillPage page("</title><script>x");
  page.Heading("<b>points</b>");
  page.Table({"target", "latency"}, {{"a<i>", "1.0 ms"}});
  Drawing drawing(300, "chart", {});
  drawing.Box(1, 1, 2, 2, kPaper, kInk, "words");
  page.Picture(drawing);
  const std::string text = page.Finish();
  const std::string own = text.substr(0, text.find("</main>"));
  for (const char* never : {"<script", "<b>", "<i>", "prefers-color-scheme:dark){svg"})
    CHECK_FALSE(absl::StrContains(own.substr(own.find("<body>")), never));
  for (const char* part : {"<th>latency</th>", "<td>a&lt;i&gt;</td>", "<title>words</title>", "aria-label=\"chart\""}) {
    CHECK(absl::StrContains(own, part));
  }
  if (Viewer().empty()) return;
  CHECK(absl::StrContains(
      own, absl::StrCat("script-src '", Viewer().still_script_hash, "'; style-src '", Viewer().still_style_hash, "'")));
  CHECK(absl::StrContains(text, Viewer().still_script));
  CHECK(Viewer().still_script.size() + Viewer().still_style.size() < 20000);
}

TEST_CASE("html shows analyses and shapes alone") {
  const Analysis analysis = TinyAnalysis();
  const auto sink = [](absl::string_view) { return absl::OkStatus(); };
  const absl::Status status =
      WriteReport(ResultOf(analysis, {.node = "p"}), ReportKind::kExplain, {.format = Format::kHtml}, sink);
  CHECK(DiagnosticOf(status).code == Code::kUsage);
}

}  // namespace
}  // namespace hwest::test
