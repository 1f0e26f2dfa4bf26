// Reports of a model with a node without a time: bounds say so, and unknown figures show no number.
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/writers.h"
#include "report_fixture.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

// The tiny analysis with every node known.
Analysis WholeAnalysis() {
  Analysis a = TinyAnalysis();
  PlannedGroup& foo = a.plan->groups[2];
  foo.work.has_opaque = false;
  foo.unit = UnitId(1u);
  foo.segment = SegmentId(1u);
  foo.estimate = TinyEstimate(0, 0, 0, Bound::kOverhead);
  a.counts.Set(NodeId(4u), TinyCounts(0, 0, 0));
  a.plan->segments[1].groups.push_back(GroupId(2u));
  a.coverage.typed = a.coverage.counted = a.coverage.costed = a.coverage.placed = 5;
  a.coverage.unknown_nodes.clear();
  return a;
}

// The unknown group runs on the CPU, alone in a segment of its own.
Analysis UnknownOnCpu() {
  Analysis a = TinyAnalysis();
  a.plan->groups[2].unit = UnitId(1u);
  a.plan->groups[2].segment = SegmentId(2u);
  a.plan->segments.push_back({.unit = UnitId(1u), .groups = {GroupId(2u)}, .reason = "unknown"});
  return a;
}

Json Parsed(const Analysis& analysis) {
  return Json::parse(ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kJson}));
}

std::string Text(const Analysis& analysis) { return ReportText(analysis, ReportKind::kAnalysis, {}); }

TEST_CASE("a plan of a toolchain says whose it is, and what the best one would take") {
  Analysis a = WholeAnalysis();
  Target target = *a.target;
  target.toolchains = {
      {.name = "toy", .own_name = "toy", .version = "2", .partition = Partition{.means = "a deny list"}}};
  a.target = std::make_shared<const Target>(std::move(target));
  a.plan->compiled_for = UnitId(0u);
  CHECK(absl::StrContains(Text(a), "by toy (2), which takes all that it supports"));
  CHECK(Parsed(a)["summary"]["placed_as"] == "toy (2)");
  CHECK(Parsed(a)["summary"]["best"].is_null());
  a.plan->best_latency_s = 8.5e-6;
  CHECK(absl::StrContains(Text(a), "−50.0 % with --placement best, by a deny list"));
  const Json best = Parsed(a)["summary"]["best"];
  CHECK(best["latency_s"] == 8.5e-6);
  CHECK(best["gain"] == 0.5);
  CHECK(best["how"] == "a deny list");
  a.request.placement = PlacementBy::kBest;
  CHECK(Parsed(a)["summary"]["placement"] == "best");
}

TEST_CASE("with an unknown node the first line says at least, and how many nodes") {
  const std::string text = Text(TinyAnalysis());
  CHECK(absl::StrContains(text, "Latency      at least 17.00 us     1 of 5 nodes unknown"));
  CHECK(absl::StrContains(text, "Throughput   at most 58824 FPS"));
  CHECK(absl::StrContains(text, "Energy       at least 20.00 uJ"));
  CHECK(absl::StrContains(text, "Peak memory  at least 162 B"));
  CHECK(absl::StrContains(text, "Work         at least 32 MACs"));
  CHECK(absl::StrContains(text, "of the known time"));
  CHECK(absl::StrContains(text, "Time by bound, shares of what is known"));
  CHECK(absl::StrContains(text, "costed an unknown share of MACs"));
  CHECK_FALSE(absl::StrContains(text, "34.00 us"));  // the upper end is not known
  CHECK_FALSE(absl::StrContains(text, "on average"));
}

TEST_CASE("without one nothing is hedged") {
  const std::string text = Text(WholeAnalysis());
  CHECK_FALSE(absl::StrContains(text, "at least"));
  CHECK(absl::StrContains(text, "Throughput   58824 FPS"));
  CHECK_FALSE(absl::StrContains(text, "unknown, "));
  CHECK(absl::StrContains(text, "9.000 us to 34.00 us"));
  CHECK(absl::StrContains(text, "costed 100 % of MACs"));
}

TEST_CASE("JSON of an incomplete analysis keeps bounds and leaves out what is none") {
  const Json whole = Parsed(WholeAnalysis())["summary"];
  CHECK(whole["incomplete"] == false);
  CHECK(whole["latency_high_s"].is_number());
  const Json doc = Parsed(TinyAnalysis());
  CHECK(doc["summary"]["incomplete"] == true);
  CHECK(doc["summary"]["latency_s"] == 17e-6);
  CHECK(doc["summary"]["latency_low_s"] == 9e-6);
  for (const char* key : {"latency_high_s", "energy_high_j", "power_w", "intensity"}) {
    INFO(key);
    CHECK(doc["summary"][key].is_null());
  }
  CHECK(doc["coverage"]["macs_share"].is_null());
}

TEST_CASE("a latency of which nothing is known is unknown, not zero") {
  Analysis analysis = TinyAnalysis();
  for (PlannedGroup& group : analysis.plan->groups) group.estimate.reset();
  analysis.plan->latency_s = analysis.plan->interval_s = 0;
  analysis.coverage.costed = 0;
  const Json summary = Parsed(analysis)["summary"];
  for (const char* key : {"latency_s", "latency_low_s", "interval_s", "throughput_per_s"}) {
    INFO(key);
    CHECK(summary[key].is_null());
  }
  CHECK(absl::StrContains(Text(analysis), "Latency      unknown               5 of 5 nodes unknown"));
}

TEST_CASE("segments and units that leave a group out say so") {
  const Analysis analysis = UnknownOnCpu();
  const Json doc = Parsed(analysis);
  CHECK(doc["segments"][1]["time_s"].is_number());
  for (const char* key : {"time_s", "low_s", "high_s", "energy_j"}) CHECK(doc["segments"][2][key].is_null());
  CHECK(doc["units"][0]["busy_s"].is_number());
  CHECK(doc["units"][1]["busy_s"].is_null());
  CHECK(doc["units"][1]["energy_j"].is_null());
  const std::string text = Text(analysis);
  CHECK(absl::StrContains(text, "at least 3.000 us"));             // the CPU's row
  CHECK(absl::StrContains(text, "   2  cpu        1   unknown"));  // the segment's
  const std::string timeline =
      ReportText(analysis, ReportKind::kAnalysis,
                 {.format = Format::kSvg, .model_path = "m.onnx", .picture = {.chart = Chart::kTimeline}});
  CHECK(absl::StrContains(timeline, ">busy at least 17.6 %<"));
}

TEST_CASE("Markdown and pictures carry the same caption") {
  const std::string markdown = ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kMarkdown});
  CHECK(absl::StrContains(markdown, "**1 of 5 nodes unknown:**"));
  const std::string whole = ReportText(WholeAnalysis(), ReportKind::kAnalysis, {.format = Format::kMarkdown});
  CHECK_FALSE(absl::StrContains(whole, "nodes unknown"));
  const std::string dot = ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kDot});
  CHECK(absl::StrContains(dot, "at least 17.00 us, 1 of 5 nodes unknown"));
}

TEST_CASE("grades are shares of the latency in text and Markdown") {
  Analysis analysis = WholeAnalysis();
  analysis.plan->grades = GradeShares{.measured = 0.75, .family = 0, .datasheet = 0.25};
  CHECK(absl::StrContains(Text(analysis), "75.0 % fitted to this device, 25.0 %"));
  analysis.plan->grades = GradeShares{.measured = 1};
  CHECK(absl::StrContains(Text(analysis), "fitted to this device\n"));
  const std::string markdown = ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kMarkdown});
  CHECK(absl::StrContains(markdown, "- grades: measured=1"));
}

std::string Explained(const std::string& node, const Analysis& analysis) {
  const absl::StatusOr<std::vector<NodeId>> found = NodesNamed(analysis, node);
  if (!found.ok()) return DiagnosticOf(found.status()).message;
  return absl::StrJoin(*found, ",", [&](std::string* out, NodeId id) { *out += analysis.graph->Label(id); });
}

TEST_CASE("explain takes nodes as #N and groups as gN") {
  const Analysis analysis = TinyAnalysis();
  CHECK(Explained("#0", analysis) == "c");
  CHECK(Explained("g0", analysis) == "r,c");  // conv_act, its root first
  CHECK(Explained("g1", analysis) == "p");
  CHECK(Explained("p", analysis) == "p");
  CHECK(Explained("g7", analysis) == "no group g7 in a plan of 3 groups");
  CHECK(Explained("g", analysis) == "no node or output is called 'g'");
  const std::string text = Text(analysis);
  CHECK(absl::StrContains(text, "  g0  9.000 us"));
  const std::string markdown = ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kMarkdown});
  CHECK(absl::StrContains(markdown, "| g0 | conv\\_act | \\#0;\\#1 |"));
  CHECK(Parsed(analysis)["groups"][0]["id"] == 0);
}

TEST_CASE("a node or output called like a group is itself") {
  Analysis analysis = TinyAnalysis();
  analysis.graph = std::make_shared<const Graph>(
      GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> m (float[1] x) => (float[1] y)"
                    " { a = Relu(x) b = Relu(a) g0 = Relu(b) c = Relu(g0) y = Relu(c) }"));
  analysis.facts.values = IdMap<ValueId, ValueFact>(analysis.graph->values().size());
  CHECK(Explained("g0", analysis) == analysis.graph->Label(NodeId(2u)));
}

}  // namespace
}  // namespace hwest::test
