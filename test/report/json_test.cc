// Values in JSON documents; golden files hold the keys. Unknown is null.
#include <nlohmann/json.hpp>

#include "cost/cost.h"
#include "report/document.h"
#include "report_fixture.h"
#include "support/graphs.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

Json Parsed(ReportKind kind, const Analysis& analysis, std::string node = "") {
  return Json::parse(ReportText(analysis, kind, {.format = Format::kJson, .model_path = "tiny.onnx"}, {.node = node}));
}

TEST_CASE("what a unit draws while it waits is static energy, and the parts add up") {
  constexpr char kChain[] = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 8, 64, 64] x) => (float[1, 8, 64, 64] y) {
      r = Relu (x)
      y = Sigmoid (r)
    })";
  const auto [target, unit] = GENERATE(table<const char*, const char*>({{"hailo-8", "npu"}, {"jetson-orin", "gpu"}}));
  CAPTURE(target);
  AnalysisRequest request;
  request.target = target;
  request.only = {unit};
  const auto analysis = Analyze(std::make_shared<const Graph>(GraphFromText(kChain)), request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  REQUIRE(analysis->plan->segments.size() == 1);
  const Segment& segment = analysis->plan->segments[0];
  const double seconds =
      segment.contexts > 0 ? segment.interval_s : segment.time_s + segment.transfer_s + segment.invoke_s;
  const Json summary = Parsed(ReportKind::kAnalysis, *analysis)["summary"];
  const Json& parts = summary["energy_parts_j"];
  CHECK(parts["static"].get<double>() ==
        Approx(seconds * StaticWatts(*analysis->target, analysis->target->units[segment.unit])));
  double sum = 0;
  for (const auto& [name, joules] : parts.items()) sum += joules.get<double>();
  CHECK(sum == Approx(summary["energy_j"].get<double>()));
}

TEST_CASE("what a context costs is a table of its own") {
  const std::vector<GenerationRow> rows = {
      {.context = 128,
       .first_token_s = 0.5,
       .first_token_low_s = 0.4,
       .first_token_high_s = 0.6,
       .first_token_j = 2,
       .token_s = 0.04,
       .token_low_s = 0.02,
       .token_high_s = 0.08,
       .token_j = 0.1,
       .cache_bytes = 4096,
       .peak_memory_bytes = 8192},
      {.context = 256, .token_s = 0.05, .token_low_s = 0.05, .token_high_s = 0.05}};
  const Json doc =
      Json::parse(ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kJson}, {.generation = rows}));
  REQUIRE(doc["generation"].size() == 2);
  const Json& first = doc["generation"][0];
  CHECK(first["tokens_per_s"] == Approx(25));
  CHECK(first["ttft_high_s"] == 0.6);
  const Json& second = doc["generation"][1];
  for (const char* key : {"ttft_s", "ttft_low_s", "ttft_high_s", "ttft_energy_j", "token_energy_j"}) {
    CHECK(second[key].is_null());
  }
}

TEST_CASE("what was not asked for is null, or not there") {
  const Json doc = Parsed(ReportKind::kAnalysis, TinyAnalysis());
  for (const char* key : {"what_if", "generation", "rewritten", "measured"}) CHECK(doc[key].is_null());
  CHECK(doc["summary"]["flops_as"].is_null());
  CHECK(!doc["summary"].contains("sparse_macs"));
  Analysis sparse = TinyAnalysis();
  sparse.plan->sparse_macs = 16;
  CHECK(Parsed(ReportKind::kAnalysis, sparse)["summary"]["sparse_macs"] == 16);
}

TEST_CASE("another tool's convention is part of the summary") {
  Analysis counted = TinyAnalysis();
  counted.flops_as = TinyConvention(*counted.dims);
  const Json flops_as = Parsed(ReportKind::kAnalysis, counted)["summary"]["flops_as"];
  CHECK(flops_as["convention"] == "fvcore");
  CHECK(flops_as["total"].is_null());
  CHECK(flops_as["rows"].size() == 4);
  CHECK(flops_as["rows"][2]["theirs"] == "N");
}

TEST_CASE("unknown is null, never zero") {
  const Json doc = Parsed(ReportKind::kAnalysis, TinyAnalysis());
  const Json& foo = doc["groups"][2];
  for (const char* key : {"unit", "segment", "precision", "macs", "flops", "start_s", "compute_s", "memory_s", "time_s",
                          "low_s", "high_s", "energy_j", "bound", "utilisation"}) {
    INFO(key);
    CHECK(foo[key].is_null());
  }
  CHECK(foo["energy_parts_j"]["dram"].is_null());
  CHECK(doc["nodes"][4]["macs"].is_null());
  CHECK(doc["nodes"][3]["macs"] == 0);
  CHECK(doc["nodes"][3]["group"].is_null());
  CHECK(doc["model"]["outputs"][1]["shape"].is_null());
  CHECK(doc["model"]["outputs"][1]["dtype"].is_null());
  CHECK(doc["modules"][0]["energy_j"].is_null());
  CHECK(doc["coverage"]["unknown_nodes"] == Json::array({"odd"}));
}

TEST_CASE("energy of a target without energy figures is unknown") {
  Analysis analysis = TinyAnalysis();
  analysis.plan->energy_j = 0;
  for (PlannedGroup& group : analysis.plan->groups) {
    if (group.estimate) group.estimate->energy = {};
  }
  const Json doc = Parsed(ReportKind::kAnalysis, analysis);
  CHECK(doc["summary"]["energy_j"].is_null());
  CHECK(doc["summary"]["power_w"].is_null());
  CHECK(doc["groups"][0]["energy_j"].is_null());
}

TEST_CASE("sums of the analysis JSON") {
  Analysis analysis = TinyAnalysis();
  Coverage& coverage = analysis.coverage;  // of an incomplete one power and intensity are unknown
  coverage.typed = coverage.counted = coverage.costed = coverage.nodes;
  const Json doc = Parsed(ReportKind::kAnalysis, analysis);
  double bounds = 0, parts = 0;
  for (const Json& row : doc["bounds"]) bounds += row["time_s"].get<double>();
  for (const Json& row : doc["groups"]) parts += row["time_s"].is_null() ? 0 : row["time_s"].get<double>();
  for (const Json& row : doc["segments"]) parts += row["transfer_s"].get<double>() + row["invoke_s"].get<double>();
  CHECK(doc["bounds"].size() == 5);
  CHECK(bounds == Approx(17e-6).epsilon(1e-12));
  CHECK(parts == Approx(17e-6).epsilon(1e-12));
  CHECK(doc["summary"]["moved_bytes"] == 16 + 2 + 32 + 128 + 8);
  CHECK(doc["summary"]["intensity"] == Approx(128.0 / 186));
  CHECK(doc["summary"]["throughput_per_s"] == Approx(1 / 17e-6));
  CHECK(doc["summary"]["power_w"] == Approx(2e-5 / 17e-6));
}

TEST_CASE("shapes JSON prints formulas over its symbols") {
  Analysis analysis = TinyAnalysis();
  analysis.target.reset();
  analysis.plan.reset();
  const Dim n = analysis.dims->Symbol("N");
  analysis.facts.values[ValueOf(*analysis.graph, "image")].type.shape.set_dim(0, n);
  analysis.facts.values[ValueOf(*analysis.graph, "w")].known = std::make_shared<const std::vector<Scalar>>(
      std::vector<Scalar>{Scalar::Int(2), Scalar::Int(n), Scalar::Float(0.5), Scalar()});
  Work work;
  work.macs = analysis.dims->Mul(n, 32);
  work.op(OpKind::kAdd) = n;
  work.op(OpKind::kInteger) = 1000;
  analysis.work.Set(NodeId(0u), work);
  analysis.counts.Set(NodeId(0u), {});
  const Json doc = Parsed(ReportKind::kShapes, analysis);
  CHECK(doc["symbols"][0]["name"] == "N");
  CHECK(doc["symbols"][0]["max"].is_null());
  CHECK(doc["nodes"][0]["macs"] == "32*N");
  CHECK(doc["nodes"][0]["flops"] == "65*N");
  CHECK(doc["nodes"][0]["params"].is_null());
  CHECK(!doc.contains("coverage"));
  for (const Json& value : doc["values"]) {
    if (value["name"] == "image") CHECK(value["shape"] == Json::array({"N", 1, 4, 4}));
    if (value["name"] == "image") CHECK(value["value"].is_null());
    if (value["name"] == "w") CHECK(value["value"] == Json::array({2, "N", 0.5, nullptr}));
    if (value["name"] == "w") CHECK(value["constant"] == true);
    if (value["name"] == "c") CHECK(value["dtype"] == "float");
    if (value["name"] == "odd") CHECK(value["blocked_by"] == Json::array({"odd"}));
    if (value["name"] == "odd") CHECK(value["shape"].is_null());
  }
}

TEST_CASE("support and explain JSON") {
  const Analysis analysis = TinyAnalysis();
  const Json support = Parsed(ReportKind::kSupport, analysis);
  CHECK(support["rows"].size() == 8);  // four kernels on two units
  CHECK(support["stats"]["toy"] == Json({{"typed", 5}, {"noted", 2}, {"not_stated", 7}}));
  const Json explain = Parsed(ReportKind::kExplain, analysis, "p");
  CHECK(explain["units"][0]["reason"] == "not stated (inferred)");
  CHECK(explain["units"][1]["chosen"] == true);
}

TEST_CASE("explain finds a node by name, output or id") {
  const Analysis analysis = TinyAnalysis();
  CHECK(Parsed(ReportKind::kExplain, analysis, "#1")["node"]["id"] == 1);
  CHECK(Parsed(ReportKind::kExplain, analysis, "flat")["node"]["op"] == "Flatten");
  const auto bad = GENERATE(values<std::string>({"#5", "#x", "nothing", ""}));
  const auto sink = [](absl::string_view) { return absl::OkStatus(); };
  const absl::Status status = WriteReport(ResultOf(analysis, {.node = bad}), ReportKind::kExplain, {}, sink);
  CHECK(DiagnosticOf(status).code == Code::kUsage);
}

TEST_CASE("names that are no UTF-8 give valid JSON") {
  Analysis analysis = TinyAnalysis();
  analysis.mode = "a\xff\n\"b";
  CHECK(Parsed(ReportKind::kAnalysis, analysis)["request"]["mode"] == "a\uFFFD\n\"b");
}

TEST_CASE("names keep their controls, which no byte of the JSON is") {
  const std::string name = "a\x7f\xc2\x9b[31m\xe2\x80\xae\xc3\xa9\x1b";
  Analysis analysis = TinyAnalysis();
  analysis.mode = name;
  CHECK(Parsed(ReportKind::kAnalysis, analysis)["request"]["mode"] == name);
  CHECK(DumpJson(name) == "\"a\\u007f\\u009b[31m\\u202e\xc3\xa9\\u001b\"");
}

TEST_CASE("same analysis, same bytes", "[graphviz]") {
  const auto format = GENERATE(values<Format>({Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown,
                                               Format::kDot, Format::kSvg, Format::kPng, Format::kPdf}));
  const std::string first = ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = format});
  CHECK(!first.empty());
  CHECK(first == ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = format}));
}

TEST_CASE("documents about targets and errors") {
  std::string text;
  const auto sink = [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  };
  const ReportOptions json{.format = Format::kJson};
  SECTION("targets") {
    REQUIRE(WriteTargets({TargetSummary{.name = "toy", .units = {"npu"}}}, json, sink).ok());
    const Json row = Json::parse(text)["targets"][0];
    CHECK(row["name"] == "toy");
    CHECK(row["units"] == Json::array({"npu"}));
  }
  SECTION("target") {
    Target target = TinyTarget();
    target.sources = {{.key = "s", .title = "toy manual"}};
    target.units[UnitId(0u)].clock_hz = {.stated = 1e9, .source = "s", .trust = Trust::kPublished};
    REQUIRE(WriteTarget(target, json, sink).ok());
    const Json doc = Json::parse(text);
    REQUIRE(doc["facts"].size() == 1);
    CHECK(doc["facts"][0]["value"] == 1e9);
    CHECK(doc["facts"][0]["fit"].is_null());
  }
  SECTION("error") {
    REQUIRE(WriteError({.code = Code::kFreeDims, .message = "m", .remedy = "r"}, json, sink).ok());
    const Json doc = Json::parse(text);
    CHECK(doc["kind"] == "error");
    CHECK(doc["diagnostics"][0] == Json({{"severity", "error"},
                                         {"code", "free_dims"},
                                         {"message", "m"},
                                         {"remedy", "r"},
                                         {"node", nullptr},
                                         {"value", nullptr}}));
  }
}

}  // namespace
}  // namespace hwest::test
