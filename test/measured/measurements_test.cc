#include "measured/measurements.h"

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "measured/import.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kHead[] = "model,device,unit,runtime,precision,metric,value,bind,batch,match\n";

TEST_CASE("columns in any order, unknown ones passed over") {
  const auto rows = ParseMeasurements(
      "value,note,power_w,metric,match,source_version,source,mode,precision,runtime,unit,device,batch,bind,family,"
      "model\n"
      "2.5,\"a, b\",7,latency_ms,near,v1,lab,30W,int8,RT 1,NPU,board,8,n=1;s.0=64,nets,net\n",
      "m.csv");
  REQUIRE(rows.ok());
  REQUIRE(rows->size() == 1);
  const Measurement& row = rows->front();
  CHECK(row.row == 1);
  CHECK(row.model == "net");
  CHECK(row.family == "nets");
  CHECK(row.device == "board");
  CHECK(row.unit == "NPU");
  CHECK(row.runtime == "RT 1");
  CHECK(row.precision == "int8");
  CHECK(row.mode == "30W");
  CHECK(row.metric == "latency_ms");
  CHECK(row.source == "lab");
  CHECK(row.source_version == "v1");
  CHECK(row.note == "a, b");
  CHECK(row.closeness == Closeness::kNear);
  CHECK(row.images == 8);
  CHECK(row.dims == std::vector<std::pair<std::string, int64_t>>{{"n", 1}, {"s.0", 64}});
  CHECK(row.value == 2.5);
}

TEST_CASE("what a row leaves out") {
  const auto rows = ParseMeasurements(
      "model,device,unit,runtime,precision,metric,value\na,d,NPU,r,int8,latency_ms,1\nb,d,NPU,r,int8,latency_ms,2\n",
      "m.csv");
  REQUIRE(rows.ok());
  CHECK(rows->at(0).family == "a");
  CHECK_FALSE(rows->at(0).images.has_value());
  CHECK(rows->at(0).closeness == Closeness::kExact);
  CHECK(rows->at(0).dims.empty());
  CHECK(rows->at(1).row == 2);
}

TEST_CASE("an offline batch has no size") {
  const auto rows = ParseMeasurements(absl::StrCat(kHead, "a,d,NPU,r,int8,throughput_fps,9,,offline,exact\n"), "m.csv");
  REQUIRE(rows.ok());
  CHECK(rows->at(0).batch == "offline");
  CHECK_FALSE(rows->at(0).images.has_value());
}

struct BadRow {
  const char* row;
  const char* what;
};

TEST_CASE("a row that cannot be understood is named with its line") {
  const auto c = GENERATE(values<BadRow>({
      {",d,NPU,r,int8,latency_ms,1,,1,", "no model"},
      {"a,d,NPU,r,int8,latency_ms,,,1,", "value cannot be ''"},
      {"a,d,NPU,r,int8,latency_ms,0,,1,", "value cannot be '0'"},
      {"a,d,NPU,r,int8,latency_ms,-3,,1,", "value cannot be '-3'"},
      {"a,d,NPU,r,int8,latency_ms,nan,,1,", "value cannot be 'nan'"},
      {"a,d,NPU,r,int8,latency_ms,1e999,,1,", "value cannot be '1e999'"},
      {"a,d,NPU,r,int8,latency_ms,1,seq,1,", "bind cannot be 'seq'"},
      {"a,d,NPU,r,int8,latency_ms,1,seq=x,1,", "bind cannot be 'seq=x'"},
      {"a,d,NPU,r,int8,latency_ms,1,,0,", "batch cannot be '0'"},
      {"a,d,NPU,r,int8,latency_ms,1,,many,", "batch cannot be 'many'"},
      {"a,d,NPU,r,int8,latency_ms,1,,1,almost", "match cannot be 'almost'"},
  }));
  const auto rows = ParseMeasurements(absl::StrCat(kHead, "a,d,NPU,r,int8,latency_ms,1,,1,\n", c.row, "\n"), "m.csv");
  REQUIRE_FALSE(rows.ok());
  const Diagnostic error = DiagnosticOf(rows.status());
  CHECK(error.code == Code::kUsage);
  CHECK_THAT(error.message, Catch::StartsWith("m.csv:3: ") && Catch::Contains(c.what));
}

TEST_CASE("every missing column is named in one error") {
  const auto rows = ParseMeasurements("model,unit,value,metric\n", "m.csv");
  REQUIRE_FALSE(rows.ok());
  CHECK_THAT(DiagnosticOf(rows.status()).message, Catch::Contains("no columns device, runtime, precision"));
}

TEST_CASE("the page of columns is what is read") {
  std::string head, row;
  for (const MeasurementColumn& column : AllMeasurementColumns()) {
    CHECK_FALSE(column.meaning.empty());
    absl::StrAppend(&head, head.empty() ? "" : ",", column.name);
    absl::StrAppend(&row, row.empty() ? "" : ",",
                    column.name == "value"   ? "1"
                    : column.name == "bind"  ? "seq=2"
                    : column.name == "batch" ? "4"
                    : column.name == "match" ? "near"
                                             : column.name);
  }
  const auto rows = ParseMeasurements(absl::StrCat(head, "\n", row, "\n"), "m.csv");
  REQUIRE(rows.ok());
  const Measurement& read = rows->at(0);
  CHECK(read.model == "model");
  CHECK(read.dims.at(0).second == 2);
  CHECK(read.images == 4);
  CHECK(read.closeness == Closeness::kNear);
  CHECK(read.source_version == "source_version");
  CHECK(read.trust == "trust");
}

TEST_CASE("rows for checking weigh less than rows to fit to") {
  Measurement row;
  const double unrated = TrustWeight(row);
  row.trust = "A";
  CHECK(TrustWeight(row) == unrated);
  row.trust = "B+";
  const double with_overhead = TrustWeight(row);
  CHECK(with_overhead < unrated);
  row.trust = "B";
  CHECK(TrustWeight(row) < with_overhead);
  const double for_checking = TrustWeight(row);
  row.trust = "a word that nobody knows";
  CHECK(TrustWeight(row) == for_checking);
}

TEST_CASE("a file that is not there") {
  const auto rows = ReadMeasurements("no/such/file.csv");
  REQUIRE_FALSE(rows.ok());
  CHECK(DiagnosticOf(rows.status()).code == Code::kUsage);
  CHECK_FALSE(ReadMeasurements(".").ok());
}

}  // namespace
}  // namespace hwest::test
