// Calibrations in every format that can show them.
#include <nlohmann/json.hpp>

#include "hwest/diagnostic.h"
#include "report/report.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

Calibration Small() {
  Calibration calibration{.name = "toys", .is_family = true};
  calibration.facts = {{.target = "",
                        .path = "unit/npu/param/compute_efficiency.int8",
                        .prior = 0.5,
                        .min = 0.03,
                        .max = 1,
                        .fit = {.value = 0.7, .spread = 0.1, .count = 12, .data = "rows.csv", .shared_by = "toys"}},
                       {.target = "one",
                        .path = "unit/npu/invoke_s",
                        .prior = 2e-4,
                        .fit = {.value = 3e-4, .spread = 0.05, .count = 7, .data = "rows.csv"}}};
  Pool pool{.family = "toys", .unit = "NPU", .runtime = "RT", .precision = "int8", .metric = "latency_ms"};
  pool.summary.n = 7;
  pool.summary.median = 0.8;
  calibration.before = {pool};
  pool.summary.median = 0.125;
  calibration.after = {pool};
  calibration.skipped = {{"no target for the device", 3}};
  return calibration;
}

const CalibrationRequest kRequest = {
    .target = "toys", .measurements = "rows.csv", .models = "models", .output = "fits.textproto"};

std::string Written(Format format, const Calibration& calibration = Small()) {
  std::string text;
  const absl::Status status = WriteCalibration(calibration, kRequest, {.format = format}, [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  });
  REQUIRE(status.ok());
  return text;
}

TEST_CASE("a calibration as JSON has the fits and both tables") {
  const auto doc = nlohmann::json::parse(Written(Format::kJson));
  CHECK(doc["kind"] == "calibration");
  CHECK(doc["request"]["output"] == "fits.textproto");
  REQUIRE(doc["fits"].size() == 2);
  CHECK(doc["fits"][0] == nlohmann::json::parse(R"({"target":null,"path":"unit/npu/param/compute_efficiency.int8",
      "prior":0.5,"min":0.03,"max":1.0,"value":0.7,"spread":0.1,"count":12,"data":"rows.csv","shared_by":"toys"})"));
  CHECK(doc["fits"][1]["target"] == "one");
  CHECK(doc["fits"][1]["shared_by"].is_null());
  CHECK(doc["before"][0]["median"] == 0.8);
  CHECK(doc["after"][0]["median"] == 0.125);
  CHECK(doc["after"][0]["p90"].is_null());
  CHECK(doc["skipped"][0]["count"] == 3);
}

TEST_CASE("a calibration for reading shows errors before and after") {
  const std::string text = Written(Format::kText);
  CHECK_THAT(text, Catch::Contains("all of toys"));
  CHECK_THAT(text, Catch::Contains("80.0 %"));
  CHECK_THAT(text, Catch::Contains("12.5 %"));
  CHECK_THAT(text, Catch::Contains("3 rows left out: no target for the device"));
  Calibration none = Small();
  none.facts.clear();
  CHECK_THAT(Written(Format::kText, none), Catch::StartsWith("toys not changed by rows.csv"));
  CHECK_THAT(Written(Format::kText, none), Catch::Contains("Nothing was fitted: that takes rows of at least 4 models"));
  CHECK_THAT(Written(Format::kMarkdown), Catch::Contains("invoke"));
  CHECK_THAT(Written(Format::kCsv), Catch::StartsWith("target,path,prior,min,max,value,spread,count,data,shared_by\n"));
}

TEST_CASE("a calibration is no picture") {
  const absl::Status status =
      WriteCalibration(Small(), kRequest, {.format = Format::kSvg}, [](absl::string_view) { return absl::OkStatus(); });
  CHECK(DiagnosticOf(status).code == Code::kUsage);
}

}  // namespace
}  // namespace hwest::test
