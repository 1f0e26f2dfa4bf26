// Reports of an analysis with a measured profile: the same figures in every format, and none for unmeasured groups.
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/profile.h"
#include "report_fixture.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

// A kernel alone, two groups in one kernel, a copy.
const Analysis& Measured() {
  static const auto& analysis = *new Analysis([] {
    AnalysisRequest request;
    request.target = "jetson-orin";
    request.measured_profile = std::make_shared<const Profile>(
        Profile{.program = "trtexec",
                .runs = 7,
                .entries = {{.name = "/conv1/Conv + /relu/Relu", .time_s = 82e-6},
                            {.name = "/layer1/layer1.0/conv1/Conv + /layer1/layer1.0/conv2/Conv", .time_s = 30e-6},
                            {.name = "Reformatting CopyNode for Input Tensor 0 to /fc/Gemm", .time_s = 5e-6}}});
    return *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
  }());
  return analysis;
}

std::string MeasuredText(Format format, ReportKind kind = ReportKind::kAnalysis, ReportOptions options = {},
                         AnalyzeResult beside = {}) {
  options.format = format;
  return ReportText(Measured(), kind, options, std::move(beside));
}

TEST_CASE("measured: JSON has the totals, the kernels, and a time for each group measured alone") {
  const Json document = Json::parse(MeasuredText(Format::kJson));
  const Json& measured = document["measured"];
  CHECK(measured["program"] == "trtexec");
  CHECK(measured["runs"] == 7);
  CHECK(measured["groups"] == 3);
  CHECK(measured["time_s"].get<double>() == Approx(117e-6));
  CHECK(measured["matched_s"].get<double>() == Approx(112e-6));
  CHECK(measured["unmatched_s"].get<double>() == Approx(5e-6));
  REQUIRE(measured["entries"].size() == 3);
  CHECK(measured["entries"][2]["match"] == "none");
  CHECK(measured["entries"][2]["set_time_s"].is_null());
  double predicted_s = 0;
  std::map<size_t, double> ratios;
  for (const Json& group : document["groups"]) {
    if (group["measured_ratio"].is_null()) {
      CHECK(group["measured_s"].is_null());
      continue;
    }
    predicted_s += group["time_s"].get<double>();
    ratios[group["id"]] = group["measured_ratio"];
    if (!group["measured_s"].is_null()) {
      CHECK(group["measured_s"].get<double>() == Approx(82e-6));
      CHECK(group["measured_ratio"].get<double>() == Approx(82e-6 / group["time_s"].get<double>()));
    }
  }
  REQUIRE(ratios.size() == 3);
  CHECK(measured["predicted_s"].get<double>() == Approx(predicted_s));
  const std::vector<size_t> together = measured["entries"][1]["groups"];
  REQUIRE(together.size() == 2);
  CHECK(ratios.at(together[0]) == ratios.at(together[1]));
}

TEST_CASE("measured: nodes add up to the groups that are measured alone") {
  double sum_s = 0;
  size_t unmeasured = 0;
  const Json nodes = Json::parse(MeasuredText(Format::kJson, ReportKind::kGraph))["nodes"];
  for (const Json& node : nodes) {
    sum_s += node["measured_s"].is_null() ? 0 : node["measured_s"].get<double>();
    unmeasured += node["measured_s"].is_null() ? 1 : 0;
  }
  CHECK(sum_s == Approx(82e-6));
  CHECK(unmeasured > 50);
}

TEST_CASE("measured: every report for people says it") {
  struct Case {
    Format format;
    ReportKind kind;
    std::vector<const char*> said;
  };
  const auto c = GENERATE(values<Case>({
      {Format::kText,
       ReportKind::kAnalysis,
       {"Measured by trtexec", "117.0 us", "3 kernels, runs 7", "3 of 23 groups", ", ratio ", "unmatched", "82.00 us",
        "Reformatting"}},
      {Format::kText, ReportKind::kGraph, {"measured", "82.00 us"}},
      {Format::kCsv, ReportKind::kAnalysis, {"measured_s,measured_ratio", "8.2e-05"}},
      {Format::kMarkdown, ReportKind::kAnalysis, {"measured\\_s", "measured\\_ratio"}},
      {Format::kPerfetto, ReportKind::kAnalysis, {"\"measured_us\":82"}},
      {Format::kNetron, ReportKind::kAnalysis, {"hwest.measured_us", "hwest.measured_ratio"}},
  }));
  const std::string text = MeasuredText(c.format, c.kind);
  for (const char* said : c.said) {
    INFO(said);
    CHECK(absl::StrContains(text, said));
  }
  const std::string explained = MeasuredText(Format::kText, ReportKind::kExplain, {}, {.node = "/conv1/Conv"});
  CHECK(absl::StrContains(explained, "measured 82.00 us"));
}

TEST_CASE("measured: without a profile no report has a word of it") {
  const Analysis plain = TinyAnalysis();
  const Json document = Json::parse(ReportText(plain, ReportKind::kAnalysis, {.format = Format::kJson}));
  CHECK(document["measured"].is_null());
  for (const Json& group : document["groups"]) CHECK(group["measured_s"].is_null());
  for (const ReportKind kind : {ReportKind::kAnalysis, ReportKind::kGraph}) {
    const std::string text = ReportText(plain, kind, {.format = Format::kText});
    CHECK_FALSE(absl::StrContains(text, "easured "));
    CHECK_FALSE(absl::StrContains(text, "ratio"));
  }
}

TEST_CASE("measured: colours ask for a profile, and tell below from above") {
  const std::string dot =
      MeasuredText(Format::kDot, ReportKind::kAnalysis, {.picture = {.color_by = ColorBy::kMeasured}});
  CHECK(absl::StrContains(dot, "measured over predicted time"));
  CHECK(absl::StrContains(dot, "2 and more"));
  CHECK(absl::StrContains(dot, "not measured"));
  const absl::Status status = WriteReport(TinyAnalysis(), ReportKind::kAnalysis,
                                          {.format = Format::kDot, .picture = {.color_by = ColorBy::kMeasured}},
                                          [](absl::string_view) { return absl::OkStatus(); });
  REQUIRE_FALSE(status.ok());
  CHECK(DiagnosticOf(status).remedy == "add --measured-profile FILE");
  const Json colours = Json::parse(
      MeasuredText(Format::kModelExplorer, ReportKind::kAnalysis, {.picture = {.color_by = ColorBy::kMeasured}}));
  CHECK(colours["name"] == "hwest measured over predicted");
  CHECK(colours["results"].size() >= 3);
}

}  // namespace
}  // namespace hwest::test
