#include "fit/calibrate.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "fit/calibration_file.h"
#include "fit/fit_rows.h"
#include "fit/fit_study.h"
#include "fit/free_facts.h"
#include "fit/predict.h"
#include "fit/study_fixture.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

// Products and sums of several sizes, each a family of its own.
class Folder {
 public:
  explicit Folder(const std::vector<int64_t>& sizes = {256, 512, 768, 1024, 1536, 2048}) {
    REQUIRE(::mkdtemp(path_) != nullptr);
    for (const int64_t size : sizes) {
      Add(absl::StrCat("product", size),
          absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> m (float[", size, ", 1024] x, float[1024, ", size,
                       "] w) => (float[", size, ", ", size, "] y) { y = MatMul(x, w) }"));
      Add(absl::StrCat("sum", size),
          absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> m (float[", size, ", 4096] x, float[", size,
                       ", 4096] z) => (float[", size, ", 4096] y) { y = Add(x, z) }"));
    }
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_; }
  const std::vector<std::string>& models() const { return models_; }

 private:
  void Add(const std::string& name, const std::string& text) {
    std::ofstream(path() + "/" + name + ".onnx", std::ios::binary) << ModelFromText(text);
    models_.push_back(name);
  }
  char path_[32] = "hwest_fit_XXXXXX";
  std::vector<std::string> models_;
};

Target BuiltIn(const std::string& name) {
  auto target = LoadTarget(name);
  REQUIRE(target.ok());
  return *std::move(target);
}

TEST_CASE("a parameter of a device is bounded as its file says") {
  Target target = BuiltIn("a100");
  StripFits(target.family, {UnitKind::kSimtGpu}, &target);
  const auto facts = DeviceFacts(target, target.units[UnitIdOf(target, "gpu")], false, PriorFrom::kStated);
  const auto at = std::find_if(facts.begin(), facts.end(), [](const FreeFact& f) { return f.name == "clock_scale"; });
  REQUIRE(at != facts.end());
  CHECK(at->prior == 1);
  CHECK(at->max == Approx(1.1));  // no card runs much above its boost clock
}

// The built-in target as if its clock and its invocations were others than its file states, and nothing were fitted.
Target Altered(const std::string& name, double clock, double invoke) {
  Target target = BuiltIn(name);
  StripFits(target.family, {UnitKind::kSystolic, UnitKind::kSimdCpu}, &target);
  Unit& htp = target.units[UnitIdOf(target, "htp")];
  htp.clock_hz.stated = *htp.clock_hz.stated * clock;
  htp.invoke_s.stated = *htp.invoke_s.stated * invoke;
  return target;
}

// The same, from the values in force.
Target Slowed(const std::string& name, double clock, double invoke) {
  Target target = BuiltIn(name);
  Unit& htp = target.units[UnitIdOf(target, "htp")];
  htp.clock_hz.stated = *htp.clock_hz.stated * clock;
  htp.invoke_s.fit = Fit{.value = *htp.invoke_s.value() * invoke};
  return target;
}

// What `target` would be measured to take in a format, as rows of `device`.
std::vector<Measurement> MeasuredOn(const Folder& folder, const Target& target, const std::string& device,
                                    size_t first_row, const std::string& precision = "int8",
                                    const std::string& unit = "htp") {
  std::vector<Measurement> rows;
  for (const std::string& model : folder.models()) {
    Measurement row = ToyRow();
    row.row = first_row + rows.size();
    row.model = row.family = model;
    row.device = device;
    row.unit = unit == "htp" ? "NPU" : "CPU";
    row.runtime = unit == "htp" ? "qnn_dlc" : "onnx";
    row.precision = precision;
    row.batch.clear();
    row.images.reset();
    rows.push_back(row);
  }
  std::vector<Question> questions;
  const auto shared = Shared(target);
  for (const Measurement& row : rows) {
    questions.push_back({&row, {.target = shared, .mode = "", .precision = precision, .engines = {{unit}}}});
  }
  const auto predictions = Predict(questions, {.models = folder.path()});
  for (size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(predictions[i].ok());
    rows[i].value = predictions[i]->value;
  }
  return rows;
}

Calibration Calibrated(const Folder& folder, const std::vector<Measurement>& rows, const std::string& target) {
  auto calibration = Calibrate(rows, {.predict = {.models = folder.path()}, .target = target, .data = "rows.csv"});
  INFO((calibration.ok() ? std::string() : std::string(calibration.status().message())));
  REQUIRE(calibration.ok());
  return *std::move(calibration);
}

const CalibratedFact* FactAt(const Calibration& calibration, const std::string& target, const std::string& path) {
  for (const CalibratedFact& fact : calibration.facts) {
    if (fact.target == target && fact.path == path) return &fact;
  }
  return nullptr;
}

TEST_CASE("rows of one model share weight across devices, those of one device keep theirs") {
  const Folder folder;
  std::vector<Measurement> rows;
  const auto add = [&](const std::string& model, const std::string& device, double value) {
    Measurement row = ToyRow();
    row.row = rows.size() + 1;
    row.model = row.family = model;
    row.device = device;
    row.batch.clear();
    row.images.reset();
    row.value = value;
    rows.push_back(row);
  };
  for (const char* device : {"SA8295P ADP", "QCS8550 (Proxy)", "Samsung Galaxy S24"}) add("product256", device, 1);
  for (const double value : {1.0, 1.2}) add("sum256", "SA8295P ADP", value);  // measured twice
  add("sum512", "SA8295P ADP", 1);
  add("product256", "SA8295P ADP", 1);
  rows.back().unit = "CPU";
  rows.back().runtime = "onnx";
  Targets targets;
  for (const char* name : {"sa8295p", "qcs8550", "snapdragon-8-gen-3"}) targets.push_back(Shared(BuiltIn(name)));
  const FitRows fit = CollectFitRows(rows, targets, {.predict = {.models = folder.path()}, .target = nullptr});
  REQUIRE(fit.rows.size() == rows.size());
  for (const FitRow& row : fit.rows) {
    INFO(row.measured.model << " on " << row.measured.device);
    if (row.measured.unit == "CPU") {  // the accelerators' rows tell nothing of it
      CHECK(row.weight == Approx(1));
      continue;
    }
    if (row.measured.model == "product256") CHECK(row.weight == Approx(1 / 2.4));
    if (row.measured.model == "sum256") CHECK(row.weight == Approx(0.5));
    if (row.measured.model == "sum512") CHECK(row.weight == Approx(1));
  }
}

TEST_CASE("families of an accelerator's models are evened out beside the CPU's, not with them") {
  constexpr int kFamilies = 20;
  const Folder folder;
  std::vector<Measurement> rows;
  const auto add = [&](const std::string& unit, const std::string& family) {
    Measurement row = ToyRow();
    row.row = rows.size() + 1;
    row.model = "product256";
    row.family = family;
    row.device = "SA8295P ADP";
    row.unit = unit;
    row.batch.clear();
    row.images.reset();
    rows.push_back(row);
  };
  for (int i = 0; i < kFamilies; ++i) add("NPU", absl::StrCat("family ", i));
  add("CPU", "family 0");
  const FitRows fit =
      CollectFitRows(rows, {Shared(BuiltIn("sa8295p"))}, {.predict = {.models = folder.path()}, .target = nullptr});
  REQUIRE(fit.rows.size() == rows.size());
  for (const FitRow& row : fit.rows) CHECK(row.weight == Approx(row.measured.unit == "CPU" ? 1 : 1.0 / kFamilies));
}

TEST_CASE("a slower board is found out, and its file reads back") {
  const Folder folder;
  const auto rows = MeasuredOn(folder, Slowed("sa8295p", 0.8, 1.5), "my board", 1);
  const Calibration calibration = Calibrated(folder, rows, "sa8295p");
  const CalibratedFact* invoke = FactAt(calibration, "sa8295p", "unit/htp/invoke_s");
  REQUIRE(invoke != nullptr);
  CHECK(invoke->fit.value == Approx(invoke->prior * 1.5).epsilon(0.1));
  REQUIRE(calibration.after.size() == 1);
  CHECK(*calibration.after[0].summary.median < 0.05);
  CHECK(*calibration.after[0].summary.median < *calibration.before[0].summary.median);

  const auto target = ParseTarget(calibration.file, "calibrated.textproto");
  INFO((target.ok() ? std::string() : std::string(target.status().message())));
  REQUIRE(target.ok());
  CHECK(target->name == "sa8295p-calibrated");
  size_t found = 0;
  for (const TargetFact& fact : FactsOf(*target)) {
    const CalibratedFact* fitted = FactAt(calibration, "sa8295p", fact.path);
    if (fitted == nullptr) continue;
    ++found;
    REQUIRE(fact.fit.has_value());
    CHECK(fact.fit->value == fitted->fit.value);
    CHECK(fact.fit->spread == fitted->fit.spread);
    CHECK(fact.fit->count == fitted->fit.count);
    CHECK(fact.fit->data == "rows.csv");
    CHECK(fact.fit->shared_by.empty());
  }
  CHECK(found == calibration.facts.size());
  CHECK(LintTarget(calibration.file, "calibrated.textproto").problems.empty());
}

TEST_CASE("the file names its base from the folder it lies in") {
  const Folder folder;
  const std::filesystem::path top = folder.path();
  std::filesystem::create_directories(top / "mine" / "fitted");
  std::ofstream(top / "mine" / "board.textproto") << "name: \"board\" base: \"sa8295p\" summary: \"my board\"\n";
  const std::string target = (top / "mine" / "board.textproto").string();
  const auto rows = MeasuredOn(folder, Slowed("sa8295p", 0.8, 1.5), "my board", 1);
  const auto calibration = Calibrate(rows, {.predict = {.models = folder.path()},
                                            .target = target,
                                            .data = "rows.csv",
                                            .folder = (top / "mine" / "fitted").string()});
  INFO((calibration.ok() ? std::string() : std::string(calibration.status().message())));
  REQUIRE(calibration.ok());
  CHECK_THAT(calibration->file, Catch::Contains("base: \"../board.textproto\""));
  std::ofstream(top / "mine" / "fitted" / "board.textproto") << calibration->file;
  std::filesystem::rename(top / "mine", top / "moved");
  const auto moved = LoadTarget((top / "moved" / "fitted" / "board.textproto").string());
  INFO((moved.ok() ? std::string() : std::string(moved.status().message())));
  REQUIRE(moved.ok());
  CHECK(moved->name == "board-calibrated");
}

TEST_CASE("a family shares what it shares; each device has its own two numbers") {
  const Folder folder;
  std::vector<Measurement> rows = MeasuredOn(folder, Altered("sa8295p", 1, 1), "SA8295P ADP", 1);
  for (Measurement& row : MeasuredOn(folder, Altered("qcs8550", 1, 2), "QCS8550 (Proxy)", 100)) rows.push_back(row);
  const Calibration calibration = Calibrated(folder, rows, "hexagon-htp");
  CHECK(calibration.is_family);
  std::map<std::string, int> own, shared;
  for (const CalibratedFact& fact : calibration.facts) {
    if (fact.path.find("interval_ln") != std::string::npos) continue;
    ++(fact.target.empty() ? shared[fact.fit.shared_by] : own[fact.target]);
  }
  CHECK(own.size() == 2);
  for (const auto& [target, count] : own) CHECK(count <= 2);
  REQUIRE(shared.size() == 1);
  CHECK(shared.at("hexagon-htp") <= 8);
  CHECK(FactAt(calibration, "qcs8550", "unit/htp/invoke_s")->fit.value == Approx(4e-4).epsilon(0.1));
  CHECK(FactAt(calibration, "sa8295p", "unit/htp/invoke_s")->fit.value == Approx(4e-4).epsilon(0.1));
  const std::vector<std::string> blocks = absl::StrSplit(calibration.file, "# target ", absl::SkipEmpty());
  CHECK(blocks.size() > 10);
  for (const std::string& block : blocks) CHECK(ParseTarget("# " + block, "block").ok());
}

TEST_CASE("a device whose ratio of formats is not its family's has scales of its own") {
  const Folder folder({4096, 5120, 6144, 7168, 8192, 9216, 10240, 11264, 12288});  // products that take long
  std::vector<Measurement> rows;
  const auto measure = [&](const char* target, const char* device, double integers) {
    for (const auto& [precision, scale] : {std::pair("fp16", 1.0), std::pair("int8", integers)}) {
      const Target altered = Altered(target, scale, 1);
      for (Measurement& row : MeasuredOn(folder, altered, device, rows.size() + 1, precision)) rows.push_back(row);
    }
  };
  measure("sa8295p", "SA8295P ADP", 0.7);
  measure("qcs8550", "QCS8550 (Proxy)", 1);
  measure("snapdragon-8-gen-3", "Samsung Galaxy S24", 1);
  const Calibration calibration = Calibrated(folder, rows, "hexagon-htp");
  const auto scale = [&](const char* target, const char* precision) {
    const CalibratedFact* fact = FactAt(calibration, target, absl::StrCat("unit/htp/param/format_scale.", precision));
    return fact == nullptr ? 1 : fact->fit.value;
  };
  const double apart = scale("sa8295p", "int8") / scale("sa8295p", "fp16");
  CHECK(apart < 0.9);  // as far as the prior lets it
  CHECK(apart > 0.3);
  for (const char* target : {"qcs8550", "snapdragon-8-gen-3"}) {
    CHECK(scale(target, "int8") / scale(target, "fp16") > 1.1 * apart);
  }

  rows.resize(folder.models().size());  // one format: the clock alone says it
  for (const CalibratedFact& fact : Calibrated(folder, rows, "hexagon-htp").facts) {
    CHECK_THAT(fact.path, !Catch::Contains("format_scale"));
  }
}

TEST_CASE("a CPU on which ten families were measured has a cost of a launch of its own, one with nine has none") {
  Target target = ToyTarget("board");
  Unit& cpu = target.units[UnitIdOf(target, "cpu")];
  cpu.launch_s = Stated(4e-6);
  const auto launch = [&](bool with_launch) -> std::optional<FreeFact> {
    for (const FreeFact& fact : DeviceFacts(target, cpu, with_launch, PriorFrom::kStated)) {
      if (fact.name == "launch_s") return fact;
    }
    return std::nullopt;
  };
  CHECK_FALSE(launch(false).has_value());
  REQUIRE(launch(true).has_value());
  CHECK(launch(true)->prior == 4e-6);
  CHECK(launch(true)->target == "board");
  CHECK(launch(true)->unit == "cpu");
  CHECK(FactOf(*launch(true), target, &cpu) == &cpu.launch_s);
  CHECK_FALSE(IsParam(*launch(true)));
  target.modes[0].settings.push_back({.of = "cpu", .launch_s = Stated(8e-6)});
  CHECK_FALSE(launch(true).has_value());  // modes set it

  // Ten networks on the CPU of one board whose launches take thrice what its file states.
  const Folder folder({16, 32, 64, 128, 256});
  Target slow = Altered("sa8295p", 1, 1);
  Unit& slow_cpu = slow.units[UnitIdOf(slow, "cpu")];
  slow_cpu.launch_s.stated = 3 * *slow_cpu.launch_s.stated;
  std::vector<Measurement> rows = MeasuredOn(folder, slow, "SA8295P ADP", 1, "fp32", "cpu");
  REQUIRE(rows.size() == 10);
  const Calibration calibration = Calibrated(folder, rows, "hexagon-htp");
  const CalibratedFact* fact = FactAt(calibration, "sa8295p", "unit/cpu/launch_s");
  REQUIRE(fact != nullptr);
  CHECK(fact->fit.value > 1.3 * *slow_cpu.launch_s.stated / 3);  // beside a scale that all formats share
  rows[0].family = rows[1].family;                               // nine
  CHECK(FactAt(Calibrated(folder, rows, "hexagon-htp"), "sa8295p", "unit/cpu/launch_s") == nullptr);
}

TEST_CASE("a study leaves its folds out") {
  const Folder folder;
  std::vector<Measurement> rows = MeasuredOn(folder, Altered("sa8295p", 1, 2), "SA8295P ADP", 1);
  const auto start = Shared(Altered("sa8295p", 1, 1));
  const auto refit = [&](const std::vector<Measurement>& all, size_t without) {
    FitStudyOptions options{.rows = {.predict = {.models = folder.path()}, .target = nullptr}, .fit = {}, .data = "d"};
    const auto study = FitStudy::Make(all, {start}, options);
    REQUIRE(study.ok());
    std::vector<Measurement> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(without));
    const auto targets = (*study)->Refit({start}, others);
    REQUIRE(targets.ok());
    return *UnitOf(*targets->front(), "htp")->invoke_s.value();
  };
  const double honest = refit(rows, 0);
  CHECK(honest == Approx(8e-4).epsilon(0.1));
  rows[0].value *= 50;
  CHECK(refit(rows, 0) == Approx(honest).epsilon(0.02));
}

TEST_CASE("a device that no row is about keeps what its file states") {
  const Folder folder;
  const auto rows = MeasuredOn(folder, Altered("sa8295p", 1, 2), "SA8295P ADP", 1);
  const Targets targets = {Shared(Altered("sa8295p", 1, 1)), Shared(Altered("qcs8550", 1, 1))};
  FitStudyOptions options{.rows = {.predict = {.models = folder.path()}, .target = nullptr}, .fit = {}, .data = "d"};
  const auto study = FitStudy::Make(rows, targets, options);
  REQUIRE(study.ok());
  const auto none = (*study)->Refit(targets, {});
  REQUIRE(none.ok());
  for (const auto& target : *none) CHECK(SummaryOf(*target).fitted == 0);
  const auto all = (*study)->Refit(targets, rows);
  REQUIRE(all.ok());
  CHECK_FALSE(ParamOf(*UnitOf(*(*all)[1], "htp"), "clock_scale").has_value());
  CHECK_FALSE(UnitOf(*(*all)[1], "htp")->invoke_s.fit.has_value());
  CHECK(SummaryOf(*(*all)[1]).fitted > 0);
}

TEST_CASE("what cannot be calibrated is said") {
  const Folder folder;
  const auto code = [&](const std::string& models, const std::string& target) {
    return DiagnosticOf(Calibrate({}, {.predict = {.models = models}, .target = target, .data = "d"}).status()).code;
  };
  CHECK(code("no/such", "sa8295p") == Code::kModelMissing);
  CHECK(code(folder.path(), "sa8295") == Code::kTargetUnknown);
  CHECK(code(folder.path(), "sa8295p") == Code::kUsage);
}

}  // namespace
}  // namespace hwest::test
