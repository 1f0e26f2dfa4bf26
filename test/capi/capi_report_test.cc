#include <algorithm>
#include <cstddef>
#include <string>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

hwest_report_options Options(int32_t kind, int32_t format) {
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.kind = kind;
  options.format = format;
  return options;
}

std::string Report(const hwest_analysis* analysis, const hwest_report_options* options) {
  hwest_buffer* buffer = nullptr;
  const hwest_status status = hwest_report_buffer(analysis, options, &buffer);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  const std::string report(hwest_buffer_data(buffer), hwest_buffer_size(buffer));
  hwest_buffer_free(buffer);
  return report;
}

int32_t Append(void* payload, const char* data, size_t size) {
  static_cast<std::string*>(payload)->append(data, size);
  return 0;
}

int32_t Stop(void* payload, const char*, size_t) {
  ++*static_cast<int*>(payload);
  return 1;
}

bool Contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("a sink and a buffer take the same bytes, every time") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const hwest_report_options options = Options(HWEST_REPORT_ANALYSIS, HWEST_FORMAT_JSON);
  std::string streamed;
  REQUIRE(hwest_report(analysis.get(), &options, Append, &streamed) == HWEST_OK);
  CHECK(streamed == Report(analysis.get(), &options));
  CHECK(Contains(streamed, "\"schema\": \"onnx-hwest/1\""));
  CHECK(Contains(streamed, "1814073344"));
  CHECK(Contains(streamed, kResnet));
}

TEST_CASE("pictures and exchange files take their options", "[graphviz]") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_report_options options = Options(HWEST_REPORT_GRAPH, HWEST_FORMAT_JSON);
  CHECK(Contains(Report(analysis.get(), &options), "\"kind\": \"graph\""));
  options = Options(HWEST_REPORT_ANALYSIS, HWEST_FORMAT_PERFETTO);
  CHECK(Contains(Report(analysis.get(), &options), "\"traceEvents\""));
  options.format = HWEST_FORMAT_MODEL_EXPLORER;
  options.color_by = HWEST_COLOR_BY_UNIT;
  CHECK(Contains(Report(analysis.get(), &options), "{\"value\":\"gpu\"}"));
  options.format = HWEST_FORMAT_DOT;
  options.color_by = HWEST_COLOR_BY_BOUND;
  options.collapse = HWEST_COLLAPSE_NONE;
  CHECK(Contains(Report(analysis.get(), &options), ">bound by<"));
  options.format = HWEST_FORMAT_SVG;
  options.chart = HWEST_CHART_MEMORY;
  CHECK(Contains(Report(analysis.get(), &options), "Memory over time of"));
  hwest_buffer* buffer = nullptr;
  options.chart = 99;
  CHECK(hwest_report_buffer(analysis.get(), &options, &buffer) == HWEST_INVALID_ARGUMENT);
  CHECK(Contains(hwest_last_error_message(), "chart"));
  // A caller that was built before these members have no say in them.
  options = Options(HWEST_REPORT_ANALYSIS, HWEST_FORMAT_SVG);
  options.struct_size = offsetof(hwest_report_options, color_by);
  options.chart = 99;
  CHECK(Contains(Report(analysis.get(), &options), "<svg"));
}

TEST_CASE("a report of the graph shows the nodes that fit every condition") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const char *const ops[] = {"Conv", "Add", nullptr}, *const gpu[] = {"gpu", nullptr},
                    *const idle[] = {"dla0", nullptr};
  const char *const columns[] = {"id", "op", nullptr}, *const compute[] = {"compute", nullptr};
  const auto lines = [&](auto choose) {
    hwest_report_options options = Options(HWEST_REPORT_GRAPH, HWEST_FORMAT_CSV);
    options.columns = columns;
    choose(options);
    return Report(analysis.get(), &options);
  };
  using O = hwest_report_options;
  CHECK(lines([](O& o) { o.start = 18, o.end = 20; }) == "id,op\n18,MaxPool\n19,Conv\n20,Relu\n");
  CHECK(lines([](O& o) { o.end = HWEST_ZERO; }) == "id,op\n0,Identity\n");
  CHECK(lines([](O& o) { o.around = "19", o.context = 1; }) == "id,op\n18,MaxPool\n19,Conv\n20,Relu\n");
  CHECK(lines([](O& o) { o.around = "19", o.context = HWEST_ZERO; }) == "id,op\n19,Conv\n");
  CHECK(lines([&](O& o) { o.ops = ops, o.max_nodes = 3; }) == "id,op\n16,Conv\n19,Conv\n21,Conv\n");
  CHECK(lines([](O& o) { o.module = "layer1/layer1.0", o.grep = "CONV2"; }) == "id,op\n21,Conv\n22,Add\n");
  CHECK(lines([&](O& o) { o.units = idle; }) == "id,op\n");
  const std::string bound = lines([&](O& o) { o.units = gpu, o.bounds = compute; });
  CHECK((Contains(bound, "Conv\n") && !Contains(bound, "Gemm")));
  const auto refused = [&](auto choose) {
    hwest_report_options options = Options(HWEST_REPORT_GRAPH, HWEST_FORMAT_CSV);
    choose(options);
    hwest_buffer* buffer = nullptr;
    CHECK(hwest_report_buffer(analysis.get(), &options, &buffer) == HWEST_INVALID_ARGUMENT);
    return std::string(hwest_last_error_message());
  };
  CHECK(Contains(refused([](O& o) { o.end = -2; }), "options.end cannot be '-2': use the id of a node"));
  CHECK(Contains(refused([](O& o) { o.start = 4, o.end = 2; }), "options.start = 4 is after options.end = 2"));
  CHECK(Contains(refused([](O& o) { o.context = 2; }), "options.context needs the node"));
  CHECK(Contains(refused([&](O& o) { o.bounds = gpu; }), "options.bounds: there is no bound 'gpu'"));
  CHECK(Contains(refused([&](O& o) { o.kind = HWEST_REPORT_ANALYSIS, o.ops = ops; }), "HWEST_REPORT_GRAPH"));
}

TEST_CASE("every format writes something of its own") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const auto [format, part] = GENERATE(table<int32_t, const char*>({
      {HWEST_FORMAT_TEXT, "jetson-agx-orin-64gb"},
      {HWEST_FORMAT_JSON, "\"groups\": ["},
      {HWEST_FORMAT_CSV, "id,pattern"},
      {HWEST_FORMAT_MARKDOWN, "| --"},
      {HWEST_FORMAT_DOT, "digraph"},
  }));
  INFO(format);
  const hwest_report_options options = Options(HWEST_REPORT_ANALYSIS, format);
  CHECK(Contains(Report(analysis.get(), &options), part));
}

TEST_CASE("every kind tells its own story") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const auto [kind, name] = GENERATE(table<int32_t, const char*>({
      {HWEST_REPORT_ANALYSIS, "\"kind\": \"analysis\""},
      {HWEST_REPORT_SHAPES, "\"kind\": \"shapes\""},
      {HWEST_REPORT_SUPPORT, "\"kind\": \"support\""},
      {HWEST_REPORT_EXPLAIN, "\"kind\": \"explain\""},
  }));
  hwest_report_options options = Options(kind, HWEST_FORMAT_JSON);
  options.node = "#20";
  CHECK(Contains(Report(analysis.get(), &options), name));
}

TEST_CASE("top and level shape the table") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_report_options options = Options(HWEST_REPORT_ANALYSIS, HWEST_FORMAT_CSV);
  const auto lines = [&] {
    const std::string text = Report(analysis.get(), &options);
    return std::count(text.begin(), text.end(), '\n');
  };
  options.top = 3;
  CHECK(lines() == 4);
  options.top = HWEST_TOP_ALL;
  CHECK(lines() == 1 + static_cast<int64_t>(hwest_analysis_group_count(analysis.get())));
  options.level = HWEST_LEVEL_NODE;
  CHECK(lines() == 1 + TotalsOf(analysis.get()).nodes);
}

TEST_CASE("a sink ends a report") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  int calls = 0;
  CHECK(hwest_report(analysis.get(), nullptr, Stop, &calls) == HWEST_CANCELLED);
  CHECK(calls == 1);
  CHECK(std::string(hwest_last_error_code()) == "interrupted");
}

TEST_CASE("reports that cannot be written") {
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), nullptr);
  hwest_buffer* buffer = nullptr;
  const auto status = [&](int32_t kind, int32_t format, int32_t level, int64_t top, const char* node) {
    hwest_report_options options = Options(kind, format);
    options.level = level;
    options.top = top;
    options.node = node;
    return hwest_report_buffer(analysis.get(), &options, &buffer);
  };
  CHECK(status(99, HWEST_FORMAT_TEXT, 0, 0, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(status(HWEST_REPORT_SHAPES, -1, 0, 0, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(status(HWEST_REPORT_SHAPES, HWEST_FORMAT_CSV, 5, 0, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(status(HWEST_REPORT_SHAPES, HWEST_FORMAT_CSV, 0, -2, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(status(HWEST_REPORT_EXPLAIN, HWEST_FORMAT_TEXT, 0, 0, "nobody") == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_code()) == "usage");
  CHECK(buffer == nullptr);
}

}  // namespace
}  // namespace hwest::test
