// Files for other tools follow the rules that those tools document.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "report_fixture.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

constexpr Format kExchange[] = {Format::kPerfetto, Format::kNetron, Format::kModelExplorer};

Analysis On(const char* target, const char* pinned) {
  AnalysisRequest request;
  request.target = target;
  request.pin = {{pinned, "cpu"}};
  return *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
}

// A digital signal processor that a node interrupts, and a pipeline.
const std::vector<Analysis>& PlacedModels() {
  static const auto* const placed = new std::vector<Analysis>([] {
    std::vector<Analysis> all;
    all.push_back(On("tda4vm", "/layer3/layer3.0/conv1/Conv"));
    all.push_back(On("hailo-8", "/layer3/layer3.0/conv1/Conv"));
    return all;
  }());
  return *placed;
}

Json ExchangeJson(const Analysis& analysis, Format format, PictureOptions picture = {}) {
  return Json::parse(
      ReportText(analysis, ReportKind::kAnalysis, {.format = format, .model_path = "m.onnx", .picture = picture}));
}

struct Slice {
  int64_t begin_ns, end_ns;
  std::string name;
};

int64_t Nanoseconds(const Json& micros) { return std::llround(micros.get<double>() * 1000); }

std::map<int, std::vector<Slice>> SlicesOf(const Json& trace) {
  std::map<int, std::vector<Slice>> threads;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const int64_t begin_ns = Nanoseconds(event["ts"]);
    threads[event["tid"]].push_back({begin_ns, begin_ns + Nanoseconds(event["dur"]), event["name"]});
  }
  for (auto& [thread, slices] : threads) {
    std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.begin_ns < b.begin_ns; });
  }
  return threads;
}

TEST_CASE("slices of a thread do not overlap, and all of them take the latency") {
  for (const Analysis& analysis : PlacedModels()) {
    const Json trace = ExchangeJson(analysis, Format::kPerfetto);
    int64_t sum_ns = 0;
    for (const auto& [thread, slices] : SlicesOf(trace)) {
      for (size_t i = 0; i < slices.size(); ++i) {
        sum_ns += slices[i].end_ns - slices[i].begin_ns;
        if (i > 0) CHECK(slices[i - 1].end_ns <= slices[i].begin_ns);
      }
    }
    CHECK(static_cast<double>(sum_ns) == Approx(analysis.plan->latency_s * 1e9).margin(2));
  }
}

// As readers do that keep microseconds as floating-point numbers.
TEST_CASE("slices of a thread do not overlap when their ends are sums of floating-point numbers") {
  const Json trace = ExchangeJson(PlacedModels().front(), Format::kPerfetto);
  std::map<int, std::vector<std::pair<double, double>>> threads;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const double begin_us = event["ts"], duration_us = event["dur"];
    threads[event["tid"]].emplace_back(begin_us, begin_us + duration_us);
  }
  size_t touching = 0;
  for (auto& [thread, slices] : threads) {
    std::sort(slices.begin(), slices.end());
    for (size_t i = 1; i < slices.size(); ++i) {
      CHECK(slices[i - 1].second <= slices[i].first);
      touching += slices[i].first - slices[i - 1].second < 1e-6 ? 1 : 0;
    }
  }
  CHECK(touching > 10);
}

TEST_CASE("threads are named after the units that run something") {
  const Json trace = ExchangeJson(PlacedModels()[0], Format::kPerfetto);
  std::set<std::string> named;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "M" && event["name"] == "thread_name") named.insert(event["args"]["name"]);
  }
  CHECK(named == std::set<std::string>{"c7x-mma", "cpu"});
}

TEST_CASE("every arrow leaves a slice of one unit and ends where one of another begins") {
  for (const Analysis& analysis : PlacedModels()) {
    const Json trace = ExchangeJson(analysis, Format::kPerfetto);
    auto threads = SlicesOf(trace);
    std::map<int64_t, const Json*> begun;
    size_t arrows = 0;
    for (const Json& event : trace["traceEvents"]) {
      if (event["ph"] == "s") begun[event["id"]] = &event;
      if (event["ph"] != "f") continue;
      ++arrows;
      REQUIRE(begun.count(event["id"]) == 1);
      const Json& start = *begun[event["id"]];
      CHECK(start["tid"] != event["tid"]);
      CHECK(event["bp"] == "e");
      const auto inside = [&](const Json& end) {
        const int64_t at = Nanoseconds(end["ts"]);
        for (const Slice& slice : threads[end["tid"]]) {
          if (slice.begin_ns <= at && at < slice.end_ns) return true;
        }
        return false;
      };
      CHECK(inside(start));
      CHECK(inside(event));
      CHECK(Nanoseconds(start["ts"]) <= Nanoseconds(event["ts"]));
    }
    CHECK(arrows >= 2);
    CHECK(arrows == begun.size());
  }
}

TEST_CASE("the counter follows the time and peaks at the activations of the summary") {
  for (const Analysis& analysis : PlacedModels()) {
    int64_t most = 0, last_ns = 0, last = -1;
    std::set<int64_t> moments;
    const Json trace = ExchangeJson(analysis, Format::kPerfetto);
    for (const Json& event : trace["traceEvents"]) {
      if (event["ph"] != "C") continue;
      CHECK(Nanoseconds(event["ts"]) >= last_ns);
      moments.insert(Nanoseconds(event["ts"]));
      last_ns = Nanoseconds(event["ts"]);
      last = event["args"]["bytes"];
      most = std::max(most, last);
    }
    CHECK(most == analysis.plan->peak_memory_bytes - analysis.plan->deployed_bytes);
    CHECK(last == 0);
    CHECK(moments.size() > analysis.plan->groups.size() / 2);  // those of a pipeline, too
  }
}

TEST_CASE("an attachment addresses nodes by names that are theirs alone") {
  const Json file = ExchangeJson(PlacedModels()[0], Format::kNetron);
  CHECK(file["signature"] == "netron:attachment");
  std::map<std::string, int> names;
  for (uint32_t n = 0; n < PlacedModels()[0].graph->nodes().size(); ++n)
    ++names[std::string(PlacedModels()[0].graph->name(NodeId(n)))];
  double sum_us = 0;
  for (const char* list : {"metadata", "metrics"}) {
    for (const Json& row : file[list]) {
      for (const char* key : {"kind", "target", "name", "value", "type"}) REQUIRE(row.contains(key));
      CHECK(row["value"].is_string() == (row["type"] == "string"));
      if (row["kind"] != "node") continue;
      CHECK(names[row["target"]] == 1);
      if (row["name"] == "hwest.time_us") sum_us += row["value"].get<double>();
    }
  }
  double groups_s = 0;
  for (const PlannedGroup& group : PlacedModels()[0].plan->groups) groups_s += group.estimate->time_s;
  CHECK(sum_us == Approx(groups_s * 1e6));
  CHECK(file["metrics"][0]["kind"] == "model");
}

TEST_CASE("node data has the figure that is asked for, a gradient only for numbers") {
  const Json time = ExchangeJson(PlacedModels()[0], Format::kModelExplorer);
  CHECK(time["results"]["/layer1/layer1.0/conv1/Conv"]["value"].is_number());
  CHECK(time.contains("gradient"));
  const Json unit = ExchangeJson(PlacedModels()[0], Format::kModelExplorer, {.color_by = ColorBy::kUnit});
  CHECK(unit["results"]["/layer3/layer3.0/conv1/Conv"]["value"] == "cpu");
  CHECK_FALSE(unit.contains("gradient"));
}

TEST_CASE("where names tell nothing the graph for Model Explorer is its own") {
  const Json file = ExchangeJson(TinyAnalysis(), Format::kModelExplorer);  // whose nodes have no names
  CHECK(file["label"].is_string());  // without it the viewer takes the file for none of its own
  const Json& nodes = file["graphs"][0]["nodes"];
  REQUIRE(nodes.size() == 5);
  std::set<std::string> ids;
  for (const Json& node : nodes) ids.insert(node["id"]);
  size_t edges = 0;
  for (const Json& node : nodes) {
    for (const Json& edge : node["incomingEdges"]) {
      CHECK(ids.count(edge["sourceNodeId"]) == 1);
      ++edges;
    }
    for (const Json& attribute : node["attrs"]) CHECK(attribute["value"].is_string());
  }
  CHECK(edges == 4);
}

TEST_CASE("formats of a plan show nothing else") {
  Analysis bare = TinyAnalysis();
  bare.plan.reset();
  for (const Format format : kExchange) {
    const auto code = [&](const Analysis& analysis, ReportKind kind) {
      return DiagnosticOf(WriteReport(ResultOf(analysis, {.node = "p"}), kind, {.format = format},
                                      [](absl::string_view) { return absl::OkStatus(); }))
          .code;
    };
    CHECK(code(bare, ReportKind::kAnalysis) == Code::kUsage);
    for (const ReportKind kind :
         {ReportKind::kShapes, ReportKind::kSupport, ReportKind::kExplain, ReportKind::kGraph}) {
      CHECK(code(TinyAnalysis(), kind) == Code::kUsage);
    }
  }
}

TEST_CASE("extensions of two parts win over that of JSON") {
  const std::pair<const char*, Format> cases[] = {{"a.json", Format::kJson},
                                                  {"a.netron.json", Format::kNetron},
                                                  {"a.model-explorer.json", Format::kModelExplorer},
                                                  {"a.PERFETTO.json", Format::kPerfetto},
                                                  {"a.perfetto-trace.json", Format::kPerfetto}};
  for (const auto& [path, format] : cases) {
    INFO(path);
    REQUIRE(FormatOfPath(path) != nullptr);
    CHECK(FormatOfPath(path)->format == format);
  }
}

}  // namespace
}  // namespace hwest::test
