// Charts draw the figures of the analysis.
#include "report/chart.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report_fixture.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

constexpr Chart kCharts[] = {Chart::kTimeline, Chart::kMemory, Chart::kRoofline, Chart::kModules};

std::string Drawn(const Analysis& analysis, Chart chart, Format format = Format::kSvg) {
  return ReportText(analysis, ReportKind::kAnalysis,
                    {.format = format, .model_path = "m.onnx", .picture = {.chart = chart}});
}

const Analysis& Placed() {
  static const auto* const analysis = new Analysis([] {
    AnalysisRequest request;
    request.target = "tda4vm";
    request.pin = {{"/layer3/layer3.0/conv1/Conv", "cpu"}};
    return *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
  }());
  return *analysis;
}

// Rectangles with a tooltip: (x, width, tooltip).
struct DrawnBar {
  double x, width;
  std::string tip;
};
std::vector<DrawnBar> BarsOf(const std::string& svg) {
  static const std::regex rect(
      "<rect x=\"([-0-9.]+)\" y=\"[-0-9.]+\" width=\"([-0-9.]+)\"[^>]*><title>([^<]*)</title>");
  std::vector<DrawnBar> bars;
  for (std::sregex_iterator at(svg.begin(), svg.end(), rect), end; at != end; ++at) {
    bars.push_back({std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3]});
  }
  return bars;
}

double SumWhere(const std::vector<DrawnBar>& bars, const char* part) {
  double sum = 0;
  for (const DrawnBar& bar : bars) sum += absl::StrContains(bar.tip, part) ? bar.width : 0;
  return sum;
}

TEST_CASE("every chart is drawn as svg, png and pdf", "[librsvg]") {
  const Chart chart = GENERATE(from_range(std::begin(kCharts), std::end(kCharts)));
  INFO(ChartName(chart));
  CHECK(absl::StartsWith(Drawn(TinyAnalysis(), chart), "<?xml"));
  CHECK(absl::StartsWith(Drawn(TinyAnalysis(), chart, Format::kPng), "\x89PNG"));
  CHECK(absl::StartsWith(Drawn(TinyAnalysis(), chart, Format::kPdf), "%PDF-"));
  CHECK(Drawn(Placed(), chart) == Drawn(Placed(), chart));
}

TEST_CASE("totals of charts that leave nodes out say at least") {
  CHECK(absl::StrContains(Drawn(TinyAnalysis(), Chart::kMemory), ">peak at least 18 B<"));
  CHECK_FALSE(absl::StrContains(Drawn(Placed(), Chart::kMemory), "at least"));
}

TEST_CASE("charts need a plan, that of modules needs some") {
  Analysis bare = TinyAnalysis();
  bare.modules.clear();
  const auto code = [](const Analysis& analysis, Chart chart) {
    return DiagnosticOf(WriteReport(analysis, ReportKind::kAnalysis,
                                    {.format = Format::kSvg, .picture = {.chart = chart}},
                                    [](absl::string_view) { return absl::OkStatus(); }))
        .code;
  };
  CHECK(code(bare, Chart::kModules) == Code::kUsage);
  bare.plan.reset();
  for (const Chart chart : kCharts) CHECK(code(bare, chart) == Code::kUsage);
}

TEST_CASE("the timeline is as long as the latency, without overlaps") {
  const std::vector<DrawnBar> bars = BarsOf(Drawn(Placed(), Chart::kTimeline));
  double sum = 0, last = 0;
  for (const DrawnBar& bar : bars) {
    sum += bar.width;
    last = std::max(last, bar.x + bar.width);
  }
  const double first =
      std::min_element(bars.begin(), bars.end(), [](const DrawnBar& a, const DrawnBar& b) { return a.x < b.x; })->x;
  // Widths have two digits after the point.
  CHECK(sum == Approx(last - first).margin(0.01 * static_cast<double>(bars.size())));
  const double latency_s = Placed().plan->latency_s;
  CHECK(SumWhere(bars, "transfer into") / sum == Approx(Placed().plan->transfer_s / latency_s).margin(0.002));
}

TEST_CASE("the memory chart peaks where the summary does, and names what is alive there") {
  const std::string svg = Drawn(Placed(), Chart::kMemory);
  const auto report = nlohmann::json::parse(ReportText(Placed(), ReportKind::kAnalysis, {.format = Format::kJson}));
  const int64_t peak = report["summary"]["peak_memory_bytes"], weights = report["model"]["deployed_bytes"];
  CHECK(absl::StrContains(svg, absl::StrCat("peak ", FormatBytes(static_cast<double>(peak)))));
  CHECK(absl::StrContains(svg, absl::StrCat("weights ", FormatBytes(static_cast<double>(weights)))));
  const View view = MakeView(Placed(), {});
  for (const GroupRow& group : view.groups) {
    int64_t alive = 0;
    for (const Lifetime& row : LargestLifetimes(view, group.id)) alive += *row.bytes;
    CHECK(alive == view.live_bytes(group.id));
    if (alive + weights != peak) continue;
    CHECK(absl::StrContains(svg, absl::StrCat("in g", group.id.index(), " ")));
    break;
  }
}

TEST_CASE("the roof of lighter weights is the rate that they run at") {
  Target target = TinyTarget();
  Unit& npu = target.units[UnitId(0u)];
  npu.clock_hz = {.stated = 1e9, .source = "s"};
  npu.rates.push_back({.work = WorkKind::kContraction,
                       .act = Num::kInt8,
                       .weight = Num::kInt8,
                       .per_cycle = {.stated = 8, .source = "s"}});
  Analysis analysis = TinyAnalysis();
  analysis.target = std::make_shared<const Target>(target);
  analysis.plan->groups[0].work.precision.weight = Num::kInt4;
  const View view = MakeView(analysis, {});
  REQUIRE(view.roofs.size() == 2);
  CHECK(view.roofs[0].flops_per_s == 16e9);
}

TEST_CASE("no group of the roofline lies above the roof of its unit") {
  const View view = MakeView(Placed(), {});
  CHECK(view.roofs.size() == 2);
  size_t checked = 0;
  for (const GroupRow& group : view.groups) {
    if (!group.unit.valid() || group.macs.value_or(0) == 0) continue;
    for (const RoofRow& roof : view.roofs) {
      if (roof.unit != group.unit || roof.precision != group.precision) continue;
      CHECK(2.0 * static_cast<double>(*group.macs) / group.estimate->time_s <= *roof.flops_per_s * 1.0001);
      ++checked;
    }
  }
  CHECK(checked > 10);
  const std::string svg = Drawn(Placed(), Chart::kRoofline);
  CHECK(absl::StrContains(svg, "c7x-mma int8"));
}

TEST_CASE("modules are as wide as their share of the latency, children inside of their parents") {
  const std::vector<DrawnBar> bars = BarsOf(Drawn(Placed(), Chart::kModules));
  const View view = MakeView(Placed(), {});
  size_t checked = 0;
  double whole = 0;
  for (const DrawnBar& bar : bars) whole = std::max(whole, bar.width);
  for (const ModuleView& module : view.modules) {
    for (const DrawnBar& bar : bars) {
      if (module.path.empty() || !absl::StartsWith(bar.tip, module.path + ":")) continue;
      CHECK(bar.width == Approx(*module.time_s / Placed().plan->latency_s * whole).margin(0.02));
      ++checked;
    }
  }
  CHECK(checked > 10);
}

TEST_CASE("names of models are text in charts") {
  for (const Chart chart : kCharts) {
    const std::string svg =
        ReportText(TinyAnalysis(), ReportKind::kAnalysis,
                   {.format = Format::kSvg, .model_path = "</text><script>x&\x1b", .picture = {.chart = chart}});
    CHECK_FALSE(absl::StrContains(svg, "<script"));
    CHECK_FALSE(absl::StrContains(svg, "\x1b"));
    CHECK(absl::StrContains(svg, "&lt;/text&gt;&lt;script&gt;x&amp;\\x1b"));
  }
}

// Where each text of a picture begins and ends, by the metrics of the font.
struct DrawnText {
  double from, to;
  std::string text;
};
std::vector<DrawnText> TextsOf(const std::string& svg) {
  static const std::regex element(
      "<text x=\"([-0-9.]+)\" y=\"[-0-9.]+\" font-size=\"([0-9.]+)\"([^>]*)>([^<]*)</text>");
  std::vector<DrawnText> texts;
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
    const std::string style = (*at)[3], text = (*at)[4];
    const double x = std::stod((*at)[1]),
                 width = TextWidth(text, {.size = std::stod((*at)[2]), .is_bold = absl::StrContains(style, "bold")});
    const double from = absl::StrContains(style, "end")      ? x - width
                        : absl::StrContains(style, "middle") ? x - width / 2
                                                             : x;
    texts.push_back({from, from + width, text});
  }
  return texts;
}

TEST_CASE("texts stay on the page, however long names are") {
  const Chart chart = GENERATE(from_range(std::begin(kCharts), std::end(kCharts)));
  Analysis analysis = TinyAnalysis();
  Target target = *analysis.target;
  target.name = target.units[UnitId(0u)].name = std::string(300, 'W');
  analysis.target = std::make_shared<const Target>(target);
  const std::string svg = Drawn(analysis, chart);
  const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
  const std::vector<DrawnText> texts = TextsOf(svg);
  CHECK(texts.size() > 5);
  for (const DrawnText& text : texts) {
    INFO(text.text);
    CHECK(text.from >= 0);
    CHECK(text.to <= width);
  }
}

TEST_CASE("charts have no form in the language of graphs") {
  CHECK(DiagnosticOf(PictureBytes("<svg/>", Format::kDot).status()).code == Code::kUsage);
}

}  // namespace
}  // namespace hwest::test
