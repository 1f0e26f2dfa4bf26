#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

TEST_CASE("totals of a file") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const hwest_totals totals = TotalsOf(analysis.get());
  CHECK(totals.struct_size == sizeof totals);
  CHECK(totals.macs.value == 1814073344);
  CHECK(std::string(totals.macs.text) == "1814073344");
  CHECK(totals.int_macs.value == 0);
  CHECK(totals.batch == 1);
  CHECK(totals.unknown_nodes == 0);
  CHECK(totals.typed_nodes == totals.nodes);
  CHECK(totals.costed_nodes == totals.nodes);
  CHECK(totals.grade != HWEST_GRADE_UNKNOWN);
  CHECK(std::string(totals.target) == "jetson-agx-orin-64gb");
  CHECK(totals.latency_low_s <= totals.latency_s);
  CHECK(totals.latency_s <= totals.latency_high_s);
  CHECK(totals.latency_s > 0);
  CHECK(std::string(hwest_last_error_message()).empty());
  CHECK(std::string(hwest_last_error_code()).empty());
}

TEST_CASE("without a target what needs one is unknown, not zero") {
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), nullptr);
  const hwest_totals totals = TotalsOf(analysis.get());
  CHECK(totals.macs.value == 1814073344);
  CHECK(totals.grade == HWEST_GRADE_UNKNOWN);
  CHECK(totals.peak_memory_bytes == -1);
  CHECK(totals.costed_nodes == -1);
  CHECK(std::isnan(totals.latency_s));
  CHECK(totals.target == nullptr);
  CHECK(hwest_analysis_group_count(analysis.get()) == 0);
}

TEST_CASE("a count over free dims is an expression") {
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kBert).get(), nullptr);
  const hwest_totals totals = TotalsOf(analysis.get());
  CHECK(totals.macs.value == -1);
  REQUIRE(totals.macs.text != nullptr);
  CHECK(std::string(totals.macs.text).find("batch") != std::string::npos);
}

TEST_CASE("options bind dims in text") {
  const char* const dims[] = {"batch=1", "seq=128", nullptr};
  const char* const shapes[] = {"1x128", nullptr};
  const ModelHandle model = LoadFile(kBert);
  for (const bool by_shape : {false, true}) {
    hwest_options options = TargetOptions("jetson-orin");
    (by_shape ? options.shapes : options.dims) = by_shape ? shapes : dims;
    const AnalysisHandle analysis = AnalyzeWith(model.get(), &options);
    CHECK(TotalsOf(analysis.get()).macs.value == 11174215680);
  }
}

TEST_CASE("batch doubles the work") {
  hwest_options options = TargetOptions("jetson-orin");
  options.batch = 2;
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), &options);
  CHECK(TotalsOf(analysis.get()).macs.value == 2 * 1814073344LL);
  CHECK(TotalsOf(analysis.get()).batch == 2);
}

TEST_CASE("only and fusions reach the plan") {
  const char* const only[] = {"gpu", nullptr};
  hwest_options options = TargetOptions("jetson-orin");
  options.only = only;
  const ModelHandle model = LoadFile(kResnet);
  const AnalysisHandle fused = AnalyzeWith(model.get(), &options);
  options.fusions = "none";
  const AnalysisHandle unfused = AnalyzeWith(model.get(), &options);
  CHECK(hwest_analysis_group_count(fused.get()) < hwest_analysis_group_count(unfused.get()));
}

TEST_CASE("rows one by one and at once are the same") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const uint64_t count = hwest_analysis_group_count(analysis.get());
  REQUIRE(count > 0);
  std::vector<hwest_group> rows(count);
  REQUIRE(hwest_analysis_group_read(analysis.get(), 0, count, rows.data(), sizeof rows[0]) == HWEST_OK);
  int64_t macs = 0;
  for (uint64_t i = 0; i < count; ++i) {
    hwest_group row = {};
    row.struct_size = sizeof row;
    REQUIRE(hwest_analysis_group_get(analysis.get(), i, &row) == HWEST_OK);
    CHECK(std::memcmp(&row, &rows[i], sizeof row) == 0);
    CHECK(row.id == static_cast<int64_t>(i));
    CHECK(row.unit != nullptr);
    CHECK(row.node_count > 0);
    CHECK(row.time_s >= std::max(row.compute_s, row.memory_s));
    CHECK(row.bound != HWEST_BOUND_UNKNOWN);
    macs += row.macs;
  }
  CHECK(macs == 1814073344);
  CHECK(hwest_analysis_group_read(analysis.get(), count, 0, nullptr, sizeof rows[0]) == HWEST_OK);
}

TEST_CASE("handles go in any order, and NULL is nothing to free") {
  hwest_model* model = nullptr;
  hwest_analysis* first = nullptr;
  hwest_analysis* second = nullptr;
  REQUIRE(hwest_model_load(kResnet, &model) == HWEST_OK);
  const hwest_options options = TargetOptions("jetson-orin");
  REQUIRE(hwest_analyze(model, &options, &first) == HWEST_OK);
  REQUIRE(hwest_analyze(model, &options, &second) == HWEST_OK);
  hwest_analysis_free(first);
  hwest_model_free(model);
  hwest_buffer* report = nullptr;
  REQUIRE(hwest_report_buffer(second, nullptr, &report) == HWEST_OK);
  hwest_analysis_free(second);
  CHECK(hwest_buffer_size(report) == std::strlen(hwest_buffer_data(report)));
  hwest_buffer_free(report);
  hwest_model_free(nullptr);
  hwest_analysis_free(nullptr);
  hwest_buffer_free(nullptr);
  CHECK(hwest_analysis_group_count(nullptr) == 0);
  CHECK(hwest_buffer_size(nullptr) == 0);
  CHECK(std::string(hwest_buffer_data(nullptr)).empty());
}

TEST_CASE("a model from memory may be overwritten afterwards") {
  std::string bytes = BytesOf(kResnet);
  hwest_model* model = nullptr;
  REQUIRE(hwest_model_load_memory(bytes.data(), bytes.size(), "mine", &model) == HWEST_OK);
  std::fill(bytes.begin(), bytes.end(), '\xff');
  const hwest_options options = TargetOptions("jetson-orin");
  const AnalysisHandle analysis = AnalyzeWith(model, &options);
  hwest_model_free(model);
  CHECK(TotalsOf(analysis.get()).macs.value == 1814073344);
}

TEST_CASE("NULL arguments are errors and leave outputs alone") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const ModelHandle model = LoadFile(kResnet);
  hwest_model* no_model = nullptr;
  hwest_analysis* no_analysis = nullptr;
  hwest_buffer* no_buffer = nullptr;
  hwest_totals totals = {};
  totals.struct_size = sizeof totals;
  hwest_group group = {};
  group.struct_size = sizeof group;
  const hwest_status statuses[] = {
      hwest_model_load(nullptr, &no_model),
      hwest_model_load(kResnet, nullptr),
      hwest_model_load_memory(nullptr, 8, nullptr, &no_model),
      hwest_model_load_memory("", 0, nullptr, nullptr),
      hwest_analyze(nullptr, nullptr, &no_analysis),
      hwest_analyze(model.get(), nullptr, nullptr),
      hwest_analysis_totals(nullptr, &totals),
      hwest_analysis_totals(analysis.get(), nullptr),
      hwest_analysis_group_get(nullptr, 0, &group),
      hwest_analysis_group_get(analysis.get(), 0, nullptr),
      hwest_analysis_group_read(nullptr, 0, 1, &group, sizeof group),
      hwest_analysis_group_read(analysis.get(), 0, 1, nullptr, sizeof group),
      hwest_report(nullptr, nullptr, nullptr, nullptr),
      hwest_report(analysis.get(), nullptr, nullptr, nullptr),
      hwest_report_buffer(nullptr, nullptr, &no_buffer),
      hwest_report_buffer(analysis.get(), nullptr, nullptr),
  };
  for (size_t i = 0; i < std::size(statuses); ++i) {
    INFO(i);
    CHECK(statuses[i] == HWEST_INVALID_ARGUMENT);
  }
  CHECK(std::string(hwest_last_error_code()) == "usage");
  CHECK((no_model == nullptr && no_analysis == nullptr && no_buffer == nullptr));
  CHECK((totals.nodes == 0 && group.node_count == 0));
}

TEST_CASE("a struct of an older client is filled as far as it goes") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_totals totals;
  std::memset(&totals, 0x5a, sizeof totals);
  totals.struct_size = offsetof(hwest_totals, params);
  REQUIRE(hwest_analysis_totals(analysis.get(), &totals) == HWEST_OK);
  CHECK(totals.struct_size == offsetof(hwest_totals, params));
  CHECK(totals.macs.value == 1814073344);
  CHECK(totals.params == 0x5a5a5a5a5a5a5a5a);
}

TEST_CASE("a struct of a newer client shows how far it was filled") {
  struct {
    hwest_totals known;
    int64_t newer;
  } totals = {};
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  totals.known.struct_size = sizeof totals;
  totals.newer = 7;
  REQUIRE(hwest_analysis_totals(analysis.get(), &totals.known) == HWEST_OK);
  CHECK(totals.known.struct_size == sizeof(hwest_totals));
  CHECK(totals.newer == 7);
}

TEST_CASE("rows of another size keep their distance") {
  struct Row {
    hwest_group known;
    int64_t newer;
  };
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  Row rows[2] = {};
  rows[0].newer = rows[1].newer = 7;
  REQUIRE(hwest_analysis_group_read(analysis.get(), 1, 2, &rows[0].known, sizeof rows[0]) == HWEST_OK);
  CHECK((rows[0].known.id == 1 && rows[1].known.id == 2));
  CHECK((rows[0].newer == 7 && rows[1].newer == 7));
}

TEST_CASE("struct_size must be set") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const ModelHandle model = LoadFile(kResnet);
  hwest_totals totals = {};
  hwest_group group = {};
  hwest_options options = {};
  hwest_report_options report = {};
  hwest_analysis* result = nullptr;
  hwest_buffer* buffer = nullptr;
  CHECK(hwest_analysis_totals(analysis.get(), &totals) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analysis_group_get(analysis.get(), 0, &group) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analysis_group_read(analysis.get(), 0, 1, &group, 0) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analyze(model.get(), &options, &result) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_report_buffer(analysis.get(), &report, &buffer) == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_message()).find("struct_size") != std::string::npos);
  CHECK((result == nullptr && buffer == nullptr && totals.nodes == 0 && group.node_count == 0));
}

TEST_CASE("reserved members must be zero") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const ModelHandle model = LoadFile(kResnet);
  const auto message_of = [](hwest_status status) {
    CHECK(status == HWEST_INVALID_ARGUMENT);
    return std::string(hwest_last_error_message());
  };
  hwest_analysis* result = nullptr;
  hwest_options options = TargetOptions("jetson-orin");
  options.reserved = 5;
  CHECK(message_of(hwest_analyze(model.get(), &options, &result)) ==
        "options.reserved is 5: set it to 0, or begin with {0}");
  options.reserved = 0;
  options.reserved2 = 1;
  CHECK(message_of(hwest_analyze(model.get(), &options, &result)).find("options.reserved2 is 1") == 0);
  options.reserved2 = 0;
  options.reserved1 = 1;
  CHECK(message_of(hwest_analyze(model.get(), &options, &result)).find("options.reserved1 is 1") == 0);
  hwest_report_options report = {};
  report.struct_size = sizeof report;
  report.reserved = 1;
  hwest_buffer* buffer = nullptr;
  CHECK(message_of(hwest_report_buffer(analysis.get(), &report, &buffer)).find("options.reserved is 1") == 0);
  hwest_validate_options validate = {};
  validate.struct_size = sizeof validate;
  validate.measurements = validate.models = "nowhere";
  validate.reserved = 1;
  hwest_validation* validation = nullptr;
  CHECK(message_of(hwest_validate(&validate, &validation)).find("options.reserved is 1") == 0);
}

TEST_CASE("an option this library does not know is refused only when it is set") {
  struct {
    hwest_options known;
    int64_t newer;
  } options = {};
  const ModelHandle model = LoadFile(kResnet);
  options.known.struct_size = sizeof options;
  hwest_analysis* analysis = nullptr;
  options.newer = 1;
  CHECK(hwest_analyze(model.get(), &options.known, &analysis) == HWEST_INVALID_ARGUMENT);
  CHECK(analysis == nullptr);
  options.newer = 0;
  REQUIRE(hwest_analyze(model.get(), &options.known, &analysis) == HWEST_OK);
  hwest_analysis_free(analysis);
}

TEST_CASE("rows that do not exist") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const uint64_t count = hwest_analysis_group_count(analysis.get());
  hwest_group rows[2] = {};
  rows[0].struct_size = sizeof rows[0];
  CHECK(hwest_analysis_group_get(analysis.get(), count, rows) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analysis_group_get(analysis.get(), UINT64_MAX, rows) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analysis_group_read(analysis.get(), count - 1, 2, rows, sizeof rows[0]) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_analysis_group_read(analysis.get(), 1, UINT64_MAX, rows, sizeof rows[0]) == HWEST_INVALID_ARGUMENT);
  CHECK(rows[0].pattern == nullptr);
}

struct BadOption {
  const char* name;
  void (*set)(hwest_options*);
  hwest_status status;
  const char* code;
};

const char* const kNoNumber[] = {"seq=x", nullptr};
const char* const kNoName[] = {"=4", nullptr};
const char* const kNoSize[] = {"1xAx3", nullptr};
const char* const kNoUnit[] = {"Conv@", nullptr};
const char* const kNobody[] = {"nobody", nullptr};
const char* const kNoInput[] = {"nobody=1", nullptr};
const char* const kNoFile[] = {"input=no/such.pb", nullptr};

TEST_CASE("options that make no sense") {
  const auto bad = GENERATE(values<BadOption>({
      {"target", [](hwest_options* o) { o->target = "jetson-orni"; }, HWEST_NOT_FOUND, "target_unknown"},
      {"mode", [](hwest_options* o) { o->mode = "turbo"; }, HWEST_NOT_FOUND, "target_unknown"},
      {"unit", [](hwest_options* o) { o->only = kNobody; }, HWEST_NOT_FOUND, "target_unknown"},
      {"fusions", [](hwest_options* o) { o->fusions = "all"; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"precision", [](hwest_options* o) { o->precision = "fp12"; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"objective", [](hwest_options* o) { o->objective = 9; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"batch", [](hwest_options* o) { o->batch = -1; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"max_segments", [](hwest_options* o) { o->max_segments = -1; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"dims number", [](hwest_options* o) { o->dims = kNoNumber; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"dims name", [](hwest_options* o) { o->dims = kNoName; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"shapes", [](hwest_options* o) { o->shapes = kNoSize; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"values name", [](hwest_options* o) { o->values = kNoInput; }, HWEST_INVALID_ARGUMENT, "bind_conflict"},
      {"values file", [](hwest_options* o) { o->values = kNoFile; }, HWEST_INVALID_ARGUMENT, "usage"},
      {"deny", [](hwest_options* o) { o->deny = kNoUnit; }, HWEST_INVALID_ARGUMENT, "usage"},
  }));
  INFO(bad.name);
  hwest_options options = TargetOptions("jetson-orin");
  bad.set(&options);
  hwest_analysis* analysis = nullptr;
  CHECK(hwest_analyze(LoadFile(kResnet).get(), &options, &analysis) == bad.status);
  CHECK(analysis == nullptr);
  INFO(hwest_last_error_message());
  CHECK(std::string(hwest_last_error_code()) == bad.code);
}

TEST_CASE("models that cannot be read") {
  hwest_model* model = nullptr;
  CHECK(hwest_model_load("no/such/model.onnx", &model) == HWEST_NOT_FOUND);
  CHECK(std::string(hwest_last_error_code()) == "model_missing");
  const std::string bytes = BytesOf(kResnet);
  CHECK(hwest_model_load_memory(bytes.data(), bytes.size() / 2, nullptr, &model) == HWEST_DATA_LOSS);
  CHECK(std::string(hwest_last_error_code()) == "model_corrupt");
  CHECK(hwest_model_load_memory(nullptr, 0, nullptr, &model) == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_code()) == "model_format");
  CHECK(model == nullptr);
}

TEST_CASE("free dims are named, and success clears the message") {
  const ModelHandle model = LoadFile(kBert);
  const hwest_options options = TargetOptions("jetson-orin");
  hwest_analysis* analysis = nullptr;
  CHECK(hwest_analyze(model.get(), &options, &analysis) == HWEST_FAILED_PRECONDITION);
  CHECK(std::string(hwest_last_error_code()) == "free_dims");
  const std::string message = hwest_last_error_message();
  CHECK(message.find("batch") != std::string::npos);
  CHECK(message.find("options.dims = {\"batch=1\", \"seq=128\"}") != std::string::npos);
  REQUIRE(hwest_analyze(model.get(), nullptr, &analysis) == HWEST_OK);
  CHECK(std::string(hwest_last_error_message()).empty());
  hwest_analysis_free(analysis);
}

TEST_CASE("two threads analyse one model, each with its own error") {
  const ModelHandle model = LoadFile(kResnet);
  hwest_totals totals[2] = {};
  std::string codes[2];
  hwest_analysis* analyses[2] = {};
  const auto work = [&](int i) {
    hwest_options options = TargetOptions(i == 0 ? "nowhere" : "jetson-orin");
    options.batch = i + 1;
    hwest_analysis* nothing = nullptr;
    hwest_analyze(model.get(), &options, &nothing);
    codes[i] = hwest_last_error_code();
    hwest_analysis_free(nothing);
    options.target = "jetson-orin";
    hwest_analyze(model.get(), &options, &analyses[i]);
    totals[i].struct_size = sizeof totals[i];
    hwest_analysis_totals(analyses[i], &totals[i]);
  };
  std::thread other(work, 0);
  work(1);
  other.join();
  CHECK(codes[0] == "target_unknown");
  CHECK(codes[1].empty());
  CHECK(totals[0].macs.value == 1814073344);
  CHECK(totals[1].macs.value == 2 * 1814073344LL);
  for (hwest_analysis* analysis : analyses) hwest_analysis_free(analysis);
}

TEST_CASE("the version has three parts") {
  CHECK(std::count(hwest_version(), hwest_version() + std::strlen(hwest_version()), '.') == 2);
}

}  // namespace
}  // namespace hwest::test
