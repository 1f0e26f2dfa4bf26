// Validations in every format that can show them.
#include <nlohmann/json.hpp>

#include "report/report.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

Point PointAt(size_t row, double measured, double predicted) {
  Target target;
  target.name = "toy<npu>";
  target.family = "toys";
  Point point;
  point.measured.row = row;
  point.measured.model = "net|1";
  point.measured.family = "nets";
  point.measured.device = "board";
  point.measured.unit = "NPU";
  point.measured.runtime = "RT";
  point.measured.precision = "int8";
  point.measured.metric = "latency_ms";
  point.measured.batch = "1";
  point.measured.images = 1;
  point.measured.value = measured;
  point.query = {
      .target = std::make_shared<const Target>(target), .mode = "", .precision = "int8", .engines = {{"npu"}}};
  point.prediction = {.value = predicted,
                      .low = predicted / 2,
                      .high = predicted * 2,
                      .roofline = predicted / 10,
                      .flops = std::nullopt,
                      .evidence_share = 0.75,
                      .time_in = {{"conv_1x1.l", 0.7}, {"Transpose:5.m", 0.3}}};
  return point;
}

Validation TwoPoints() {
  Validation validation;
  validation.points = {PointAt(1, 2, 3), PointAt(4, 5, 50)};
  validation.points[1].measured.closeness = Closeness::kNear;
  validation.points[1].measured.batch = "offline";
  validation.points[1].measured.images.reset();
  validation.points[1].fold = "nets";
  validation.rows = RowsOf(validation.points);
  validation.pools = PoolsOf(validation.points);
  validation.points[0].measured.trust = "B";
  validation.evidence = EvidenceBinsOf(validation.points);
  validation.trust = TrustRowsOf(validation.points);
  validation.skipped = {{"no target for the device", 7}};
  validation.unknown_devices = {{"abacus", 6}, {"slide rule", 1}};
  return validation;
}

const ValidationRequest kRequest = {.measurements = "rows.csv", .models = "models", .leave_out = "none", .target = ""};

std::string ValidationText(const Validation& validation, const ReportOptions& options) {
  std::string text;
  const absl::Status status = WriteValidation(validation, kRequest, options, [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  });
  REQUIRE(status.ok());
  return text;
}

TEST_CASE("JSON has the tables of the contract") {
  const auto doc = nlohmann::json::parse(ValidationText(TwoPoints(), {.format = Format::kJson, .top = 1}));
  CHECK(doc["kind"] == "validation");
  CHECK(doc["request"]["measurements"] == "rows.csv");
  REQUIRE(doc["rows"].size() == 1);
  const auto& row = doc["rows"][0];
  CHECK(row["target"] == "toy<npu>");
  CHECK(row["mode"].is_null());
  CHECK(row["n"] == 1);
  CHECK(row["families"] == 1);
  CHECK(row["fitted"] == 0);
  CHECK(row["median"].get<double>() == Approx(0.5));
  CHECK(row["p90"].get<double>() == Approx(0.5));
  CHECK(row["bias"].get<double>() == Approx(0.5));
  CHECK(row["coverage80"] == 1.0);
  CHECK(row["spearman"].is_null());
  CHECK(row["noise"].is_null());
  CHECK(row["flops_median"].is_null());
  REQUIRE(doc["points"].size() == 2);
  CHECK(doc["points"][0]["row"] == 1);
  CHECK(doc["points"][0]["batch"] == 1);
  CHECK(doc["points"][0]["match"] == "exact");
  CHECK(doc["points"][0]["fold"].is_null());
  CHECK(doc["points"][0]["predicted"] == 3.0);
  CHECK(doc["points"][1]["batch"] == "offline");
  CHECK(doc["points"][1]["match"] == "near");
  CHECK(doc["points"][1]["fold"] == "nets");
  CHECK(doc["points"][1]["low"] == 25.0);
  CHECK(doc["points"][1]["evidence_share"] == 0.75);
  CHECK(doc["points"][1]["time_in"] == "conv_1x1.l=0.7,Transpose:5.m=0.3");
  REQUIRE(doc["evidence"].size() == 1);
  CHECK(doc["evidence"][0]["low"] == 0.7);
  CHECK(doc["evidence"][0]["high"] == 0.9);
  CHECK(doc["evidence"][0]["n"] == 1);
  CHECK(doc["evidence"][0]["coverage80"] == 1.0);
  REQUIRE(doc["trust"].size() == 1);
  CHECK(doc["trust"][0]["trust"] == "B");
  CHECK(doc["trust"][0]["median"].get<double>() == Approx(0.5));
  CHECK(doc["skipped"][0]["count"] == 7);
  CHECK(doc["pools"][0]["family"] == "toys");
  CHECK(doc["unknown_devices"][0]["device"] == "abacus");
}

TEST_CASE("text tells the table, the points furthest off and what was skipped") {
  const std::string text = ValidationText(TwoPoints(), {.format = Format::kText});
  CHECK_THAT(text, Catch::StartsWith("9 rows: 2 predicted (1 exact matches"));
  CHECK_THAT(text, Catch::Contains("toy<npu>  board"));
  CHECK_THAT(text, Catch::Contains("NPU RT int8"));
  CHECK_THAT(text, Catch::Contains("70 to 90 %"));
  CHECK_THAT(text, Catch::Contains("trust of the rows"));
  CHECK_THAT(text, Catch::Contains("1 x 1 convolution 70.0 %, Transpose 5-D 30.0 %"));
  CHECK_THAT(text, Catch::Contains("50.0 %"));
  CHECK_THAT(text, Catch::Contains("900 %"));
  CHECK_THAT(text, Catch::Contains("7  no target for the device"));
  CHECK_THAT(text, Catch::Contains("abacus (6), slide rule (1)"));
  CHECK(text.find("900 %") < ValidationText(TwoPoints(), {.format = Format::kText}).rfind("50.0 %"));
  CHECK_THAT(ValidationText(TwoPoints(), {.format = Format::kText, .top = 1}), Catch::Contains("900 %"));
  CHECK_THAT(ValidationText(Validation(), {.format = Format::kText}), Catch::StartsWith("0 rows"));
}

TEST_CASE("Markdown has a table of pools, of rows and of what was skipped") {
  const std::string text = ValidationText(TwoPoints(), {.format = Format::kMarkdown});
  CHECK_THAT(text, Catch::Contains("| toys | NPU | RT | int8 | latency\\_ms | 1 | 0 | 1 | 50.0 % |"));
  CHECK_THAT(text,
             Catch::Contains("| toy\\<npu\\> | board | NPU | RT | int8 |  | latency\\_ms | 1 | 0 | 1 | 50.0 % |"));
  CHECK_THAT(text, Catch::Contains("| no target for the device | 7 |"));
  CHECK_THAT(text, !Catch::Contains("net\\|1"));
  CHECK_THAT(ValidationText(TwoPoints(), {.format = Format::kMarkdown, .top = 1}), Catch::Contains("net\\|1"));
}

TEST_CASE("CSV holds the points, the furthest off when asked") {
  const std::string text = ValidationText(TwoPoints(), {.format = Format::kCsv});
  CHECK_THAT(text, Catch::StartsWith("row,target,model,family,bind,batch,match,device,unit,runtime,mode,precision,"
                                     "metric,source,source_version,measured,predicted,low,high,fold,"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  const std::string top = ValidationText(TwoPoints(), {.format = Format::kCsv, .top = 1});
  CHECK(std::count(top.begin(), top.end(), '\n') == 2);
  CHECK_THAT(top, Catch::Contains("\n4,"));
}

TEST_CASE("the plot has one dot per point and one square per target") {
  const std::string text = ValidationText(TwoPoints(), {.format = Format::kSvg});
  size_t dots = 0;
  for (size_t at = text.find("<circle"); at != std::string::npos; at = text.find("<circle", at + 1)) ++dots;
  CHECK(dots == 2);
  CHECK_THAT(text, Catch::Contains("width=\"11.00\" height=\"11.00\" fill=\"#1f77b4\""));
  CHECK_THAT(text, Catch::Contains("toy&lt;npu&gt;"));
  CHECK_THAT(text, !Catch::Contains("toy<npu>") && !Catch::Contains("nan") && !Catch::Contains("inf"));
  CHECK_THAT(text, Catch::EndsWith("</svg>\n"));
  CHECK_THAT(ValidationText(Validation(), {.format = Format::kSvg}), Catch::EndsWith("</svg>\n"));
}

TEST_CASE("rates are drawn as the time of one result") {
  Validation validation = TwoPoints();
  validation.points.resize(1);
  const std::string latency = ValidationText(validation, {.format = Format::kSvg});
  Point& point = validation.points[0];
  point.measured.metric = "throughput_fps";
  point.measured.value = 1e3 / point.measured.value;
  point.prediction.value = 1e3 / point.prediction.value;
  const std::string rate = ValidationText(validation, {.format = Format::kSvg});
  const auto dot = [](const std::string& text) { return text.substr(text.find("<circle"), 40); };
  CHECK(dot(latency) == dot(rate));
}

TEST_CASE("pixels cannot show a validation") {
  const auto format = GENERATE(values<Format>({Format::kDot, Format::kPng, Format::kPdf}));
  const absl::Status status =
      WriteValidation({}, {}, {.format = format}, [](absl::string_view) { return absl::OkStatus(); });
  CHECK(DiagnosticOf(status).code == Code::kUsage);
}

}  // namespace
}  // namespace hwest::test
