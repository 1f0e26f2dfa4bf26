#include "study/what_if.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_replace.h"
#include "analysis/request_options.h"
#include "base/text.h"
#include "hwest/study.h"
#include "study/edited_model.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

int64_t NumBatchRows(const std::string& body) {
  const auto graph = std::make_shared<const Graph>(
      test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64] x) => (y) "
                          "<int64[1] first = {0}> { w = RandomNormal<shape = [64, 64]>() " +
                          body + " }"));
  AnalysisRequest request;
  request.target = "x86-avx2";
  const auto base = Analyze(graph, request);
  INFO(base.status());
  REQUIRE(base.ok());
  const auto rows = WhatIf(graph, *base, "", nullptr);
  REQUIRE(rows.ok());
  return std::count_if(rows->begin(), rows->end(), [](const WhatIfRow& row) { return row.kind == WhatIfKind::kBatch; });
}

TEST_CASE("a larger batch is proposed only where the work follows it") {
  CHECK(NumBatchRows("y = MatMul(x, w)") == 3);
  CHECK(NumBatchRows("g = Gather(x, first)  y = MatMul(g, w)") == 0);
}

TEST_CASE("a larger batch says its time per input and per batch") {
  const auto graph =
      std::make_shared<const Graph>(test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, "
                                                        "64] x, float[64, 64] w) => (y) { y = MatMul(x, w) }"));
  AnalysisRequest request;
  request.target = "x86-avx2";
  const auto base = Analyze(graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(graph, *base, "", nullptr);
  REQUIRE(rows.ok());
  for (const WhatIfRow& row : *rows) {
    if (row.kind != WhatIfKind::kBatch) continue;
    const std::string per_input = FormatSeconds(row.latency_s / static_cast<double>(row.batch)) + " per input, ";
    CHECK(row.change == "batch " + std::to_string(row.batch) + " instead of 1: " + per_input +
                            FormatSeconds(row.latency_s) + " per batch");
  }
}

// A file that lasts as long as the test.
class Scratch {
 public:
  Scratch(const std::string& name, const std::string& text)
      : path((std::filesystem::temp_directory_path() / ("hwest_" + std::to_string(getpid()) + "_" + name)).string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~Scratch() { std::filesystem::remove(path); }
  const std::string path;
};

std::string TinyModel(const std::string& name) {
  std::ifstream file(std::string(HWEST_SOURCE_DIR) + "/test/models/tiny/" + name + ".onnxtxt");
  std::stringstream text;
  text << file.rdbuf();
  return test::ModelFromText(text.str());
}

// The analysis with the change of a row made as its flags, edits or target file say.
absl::StatusOr<Analysis> MadeAgain(const std::shared_ptr<const Graph>& graph, const std::string& model,
                                   const AnalysisRequest& base, const WhatIfRow& row) {
  RequestDraft draft;
  static_cast<AnalysisRequest&>(draft) = base;
  for (size_t i = 0; i + 1 < row.flags.size(); i += 2) {
    for (const RequestOption& option : AllRequestOptions()) {
      const bool is_it = option.flag != nullptr && option.flag == row.flags[i];
      if (is_it) REQUIRE(Give(option, row.flags[i + 1], &draft).ok());
    }
  }
  if (!row.target_text.empty()) {
    const Scratch file("what_if.textproto", row.target_text);
    draft.target = file.path;
    return Analyze(graph, draft);
  }
  if (row.edits.empty()) return Analyze(graph, draft);
  const absl::StatusOr<std::shared_ptr<const Graph>> edited = LoadEdited({.path = model, .limits = {}}, row.edits);
  REQUIRE(edited.ok());
  return Analyze(*edited, draft);
}

TEST_CASE("every change that is offered saves what it says when it is made") {
  const std::string model = GENERATE("mixed_support", "inverted_residual", "mlp_gelu", "attention", "detection_head");
  const std::string target = GENERATE("jetson-orin", "tda4vm", "hailo-8", "rk3588", "sa8295p", "x86-avx2");
  INFO(model << " on " << target);
  const Scratch file("what_if.onnx", TinyModel(model));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = target;
  const auto base = Analyze(*graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(*graph, *base, file.path, nullptr);
  REQUIRE(rows.ok());
  for (const WhatIfRow& row : *rows) {
    INFO(row.change);
    CHECK(row.saving_s > 0);
    const auto changed = MadeAgain(*graph, file.path, request, row);
    INFO(changed.status());
    REQUIRE(changed.ok());
    const double inputs = static_cast<double>(base->batch) / static_cast<double>(changed->batch);
    const double saved_s = base->plan->latency_s - changed->plan->latency_s * inputs;
    CHECK(std::abs(saved_s - row.saving_s) <= 1e-9 * base->plan->latency_s);
  }
}

TEST_CASE("names of memories and modes may hold anything") {
  const std::string name = GENERATE("a \"b\"", "a\\b", "a'b", "a: 1 }", "\u00e9 #,@=");
  INFO(name);
  std::ifstream file(std::string(HWEST_SOURCE_DIR) + "/lib/target/data/x86-avx2.textproto");
  std::stringstream text;
  text << file.rdbuf();
  const std::string quoted = "\"" + absl::Utf8SafeCEscape(name) + "\"";
  const std::string mode = "mode { name: " + quoted + " source: \"odd\" set { of: " + quoted +
                           " bytes_per_s { value: 1e9 source: \"odd\" trust: ESTIMATED min: 1e9 max: 2e9 } } }\n"
                           "sources { key: \"odd\" title: \"a test\" date: \"2026-01-01\" }\n";
  const Scratch target("odd_" + absl::BytesToHexString(name) + ".textproto",
                       absl::StrReplaceAll(text.str(), {{"\"dram\"", quoted}}) + mode);
  const auto graph =
      std::make_shared<const Graph>(test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, "
                                                        "4096] x, float[4096, 4096] w) => (y) { y = MatMul(x, w) }"));
  AnalysisRequest request;
  request.target = target.path;
  const auto changes_in = [&](const std::string& in_mode) {
    request.mode = in_mode;
    const auto base = Analyze(graph, request);
    INFO(base.status());
    REQUIRE(base.ok());
    const auto rows = WhatIf(graph, *base, "", nullptr);
    REQUIRE(rows.ok());
    return *rows;
  };
  const auto is_bandwidth = [](const WhatIfRow& row) {
    return row.kind == WhatIfKind::kBandwidth && !row.target_text.empty();
  };
  for (const std::string& in_mode : {std::string(), name}) {
    const std::vector<WhatIfRow> rows = changes_in(in_mode);
    const auto row = std::find_if(rows.begin(), rows.end(), is_bandwidth);
    REQUIRE(row != rows.end());
    const auto again = MadeAgain(graph, "", request, *row);
    INFO(again.status() << row->target_text);
    REQUIRE(again.ok());
    CHECK(again->plan->latency_s == row->latency_s);
  }
}

TEST_CASE("what saves nothing is not offered") {
  const auto graph =
      std::make_shared<const Graph>(test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, "
                                                        "64] x, float[64, 64] w) => (y) { y = MatMul(x, w) }"));
  AnalysisRequest request;
  request.target = "jetson-orin";
  const auto base = Analyze(graph, request);
  REQUIRE(base.ok());
  const auto offered = WhatIf(graph, *base, "", nullptr);
  const auto tried = TryChanges(graph, *base, {}, nullptr, nullptr);
  REQUIRE(offered.ok());
  REQUIRE(tried.ok());
  CHECK(offered->size() < tried->size());
  const auto is_slower_mode = [](const WhatIfRow& row) { return row.kind == WhatIfKind::kMode && row.saving_s < 0; };
  CHECK(std::any_of(tried->begin(), tried->end(), is_slower_mode));
  CHECK(std::all_of(offered->begin(), offered->end(), [](const WhatIfRow& row) { return row.saving_s > 0; }));
}

}  // namespace
}  // namespace hwest
