#include "fit/validate.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "fit/study_fixture.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

constexpr char kStatic[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> m (float[1, 64] x) => (float[1, 32] y)"
    " { w = RandomNormal<shape = [64, 32]>() y = MatMul(x, w) }";
constexpr char kFree[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> m (float[n, s, 64] x) => (float[a, b, 32] y)"
    " { w = RandomNormal<shape = [64, 32]>() y = MatMul(x, w) }";
// Three channels are no batch.
constexpr char kChannels[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> m (float[3, 8] x) => (float[3, 8] y)"
    " { c = Constant <value = float[3, 1] {1.0, 2.0, 3.0}> () y = Sub(x, c) }";
constexpr char kOpaque[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> m (float[1, 64] x) => (float[1, 64] y) { y = my.Foo(x) }";

// A folder of models that is gone at the end of the test.
class Folder {
 public:
  Folder() {
    REQUIRE(::mkdtemp(path_) != nullptr);
    Write("static", ModelFromText(kStatic));
    Write("free", ModelFromText(kFree));
    Write("opaque", ModelFromText(kOpaque));
    Write("channels", ModelFromText(kChannels));
    Write("broken", "no model");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_; }

 private:
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path() + "/" + name + ".onnx", std::ios::binary) << bytes;
  }
  char path_[32] = "hwest_study_XXXXXX";
};

Measurement Row(const std::string& model, size_t row) {
  Measurement m = ToyRow();
  m.row = row;
  m.model = m.family = model;
  m.device = "SA8295P ADP";
  m.runtime = "qnn_dlc";
  return m;
}

ValidateOptions OptionsFor(const Folder& folder) {
  ValidateOptions options;
  options.predict.models = folder.path();
  return options;
}

Validation Validated(const std::vector<Measurement>& rows, const ValidateOptions& options) {
  auto validation = Validate(rows, options);
  INFO((validation.ok() ? std::string() : std::string(validation.status().message())));
  REQUIRE(validation.ok());
  return *std::move(validation);
}

size_t CountOf(const Validation& validation, const std::string& reason) {
  size_t count = 0;
  for (const SkippedRows& row : validation.skipped) count += row.reason.find(reason) == 0 ? row.count : 0;
  return count;
}

double LatencyOf(const Folder& folder, const AnalysisRequest& request, const std::string& model) {
  auto graph = LoadModel(folder.path() + "/" + model + ".onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  return analysis->plan->latency_s * 1e3;
}

// Without a unit: the toolchain of the target puts the model where the row ran, though a CPU would be done with it
// sooner.
AnalysisRequest AtInt8() {
  AnalysisRequest request;
  request.target = "sa8295p";
  request.precision = "int8";
  return request;
}

TEST_CASE("a row is predicted as a default analysis would") {
  const Folder folder;
  std::vector<Measurement> rows = {Row("static", 1), Row("free", 2), Row("static", 3)};
  rows[1].dims = {{"n", 2}, {"s", 8}};  // sets the batch
  rows[1].bind = "n=2;s=8";
  rows[2].images = 4;
  rows[2].batch = "4";
  const Validation validation = Validated(rows, OptionsFor(folder));
  REQUIRE(validation.points.size() == 3);
  AnalysisRequest request = AtInt8();
  request.bind.batch = 1;
  CHECK(validation.points[0].prediction.value == LatencyOf(folder, request, "static"));
  request.bind.batch = 4;
  CHECK(validation.points[2].prediction.value == LatencyOf(folder, request, "static"));
  request.bind = {};
  request.bind.dims = rows[1].dims;
  CHECK(validation.points[1].prediction.value == LatencyOf(folder, request, "free"));
  CHECK(validation.rows.size() == 1);
  CHECK(validation.skipped.empty());
}

TEST_CASE("an unbounded batch is a large one where the model has a batch") {
  const Folder folder;
  std::vector<Measurement> rows = {Row("static", 1), Row("static", 2), Row("channels", 3), Row("channels", 4)};
  for (Measurement& row : rows) row.metric = "throughput_fps";
  rows[0].batch = rows[2].batch = "offline";
  rows[1].batch = "64";
  rows[1].images = 64;
  rows[2].images = rows[3].images = std::nullopt;
  const Validation validation = Validated(rows, OptionsFor(folder));
  REQUIRE(validation.points.size() == 4);
  CHECK(validation.points[0].prediction.value == validation.points[1].prediction.value);
  CHECK(validation.points[2].prediction.value == validation.points[3].prediction.value);
}

TEST_CASE("every row is a point or counted as skipped") {
  const Folder folder;
  std::vector<Measurement> rows = {Row("static", 1), Row("free", 2),  Row("opaque", 3), Row("broken", 4),
                                   Row("absent", 5), Row("../up", 6), Row("static", 7), Row("static", 8)};
  rows[6].device = "abacus";
  rows[7].closeness = Closeness::kNear;
  const Validation validation = Validated(rows, OptionsFor(folder));
  REQUIRE(validation.points.size() == 2);
  CHECK(validation.points[1].measured.row == 8);
  REQUIRE(validation.rows.size() == 1);
  CHECK(validation.rows[0].summary.n == 1);
  CHECK(CountOf(validation, "graph needs dims") == 1);
  CHECK(CountOf(validation, "analysis incomplete") == 1);
  CHECK(CountOf(validation, "model not readable") == 1);
  CHECK(CountOf(validation, "model file not there") == 2);
  CHECK(CountOf(validation, "no target for the device") == 1);
  CHECK(validation.skipped.front().reason == "model file not there");
  REQUIRE(validation.unknown_devices.size() == 1);
  CHECK(validation.unknown_devices[0].device == "abacus");
  CHECK(validation.unknown_devices[0].count == 1);
}

TEST_CASE("all rows on one target, one thread or many") {
  const Folder folder;
  std::vector<Measurement> rows = {Row("static", 1), Row("static", 2)};
  rows[0].device = rows[1].device = "nobody's";
  rows[1].unit = "CPU";
  rows[1].precision = "fp32";
  rows[1].runtime = "onnxruntime";
  ValidateOptions options = OptionsFor(folder);
  auto target = LoadTarget("sa8295p");
  REQUIRE(target.ok());
  options.target = Shared(*std::move(target));
  options.predict.threads = 1;
  const Validation one = Validated(rows, options);
  options.predict.threads = 7;
  const Validation many = Validated(rows, options);
  REQUIRE(one.points.size() == 2);
  REQUIRE(many.points.size() == 2);
  for (size_t i = 0; i < 2; ++i) CHECK(one.points[i].prediction.value == many.points[i].prediction.value);
  CHECK(one.unknown_devices.empty());
  CHECK(one.points[1].query.engines == std::vector<std::vector<std::string>>{{"cpu"}});
}

TEST_CASE("equal analyses run once, and progress counts them") {
  const Folder folder;
  const std::vector<Measurement> rows = {Row("static", 1), Row("static", 2), Row("free", 3)};
  ValidateOptions options = OptionsFor(folder);
  std::vector<std::pair<size_t, size_t>> steps;
  options.predict.progress = [&](size_t done, size_t total) { steps.emplace_back(done, total); };
  Validated(rows, options);
  CHECK(steps == std::vector<std::pair<size_t, size_t>>{{1, 2}, {2, 2}});
}

// A fitter that makes every launch on an HTP take ten seconds before its scale, and notes what it was given.
struct SlowFitter {
  std::vector<std::vector<size_t>>* seen;

  absl::StatusOr<Targets> operator()(const Targets& targets, absl::Span<const Measurement> rows) const {
    seen->emplace_back();
    for (const Measurement& row : rows) seen->back().push_back(row.row);
    Targets fitted;
    for (const auto& target : targets) {
      Target copy = *target;
      for (Unit& unit : copy.units) {
        if (unit.name == "htp") unit.launch_s.fit = Fit{.value = 10};
      }
      fitted.push_back(Shared(std::move(copy)));
    }
    return fitted;
  }
};

TEST_CASE("a fold is predicted by targets fitted without it") {
  const Folder folder;
  std::vector<Measurement> rows = {Row("static", 1), Row("static", 2), Row("static", 3)};
  rows[1].family = "others";
  std::vector<std::vector<size_t>> seen;
  ValidateOptions options = OptionsFor(folder);
  options.leave_out = LeaveOut::kFamily;
  options.fitter = SlowFitter{&seen};
  const Validation validation = Validated(rows, options);
  CHECK(seen == std::vector<std::vector<size_t>>{{1, 3}, {2}});
  REQUIRE(validation.points.size() == 3);
  CHECK(validation.points[0].fold == "static");
  CHECK(validation.points[1].fold == "others");
  CHECK(validation.points[2].measured.row == 3);
  CHECK(validation.points[0].prediction.value > 1000);
  CHECK(validation.rows[0].fitted == Validated(rows, OptionsFor(folder)).rows[0].fitted + 1);
}

TEST_CASE("what cannot be done is said before the work") {
  const Folder folder;
  ValidateOptions options = OptionsFor(folder);
  options.leave_out = LeaveOut::kDevice;
  CHECK(DiagnosticOf(Validate({}, options).status()).code == Code::kUsage);
  options = OptionsFor(folder);
  for (const std::string& models : {std::string("no/such/folder"), folder.path() + ", no/such/folder"}) {
    options.predict.models = models;
    const Diagnostic said = DiagnosticOf(Validate({}, options).status());
    CHECK(said.code == Code::kModelMissing);
    CHECK(said.message == "no folder of models 'no/such/folder'");
  }
}

TEST_CASE("of several folders the first that has a model counts, and a comma in a name is no end of it") {
  const Folder folder, other;
  const std::string odd = folder.path() + "/a, b";
  REQUIRE(std::filesystem::create_directory(odd));
  std::filesystem::rename(folder.path() + "/static.onnx", odd + "/static.onnx");
  std::filesystem::copy_file(other.path() + "/channels.onnx", odd + "/own.onnx");
  std::filesystem::copy_file(other.path() + "/broken.onnx", folder.path() + "/own.onnx");
  ValidateOptions options = OptionsFor(folder);
  const auto points = [&](const std::string& models) {
    options.predict.models = models;
    return Validated({Row("static", 1), Row("own", 2)}, options).points.size();
  };
  CHECK(points(folder.path()) == 0);
  CHECK(points(odd) == 2);
  CHECK(points(folder.path() + ", " + other.path()) == 1);
  CHECK(points(other.path() + "," + folder.path()) == 1);
}

}  // namespace
}  // namespace hwest::test
