// Which activations share their place, and that no two alive ones overlap.
#include "plan/memory_plan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "plan/liveness.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using Rows = std::map<std::string, Lifetime>;

Analysis Planned(const std::string& text, const char* target, const char* unit) {
  AnalysisRequest request;
  request.target = target;
  request.only = {unit};
  if (std::string(unit) == "cpu") request.precision = "fp32";
  auto analysis = Analyze(std::make_shared<const Graph>(test::GraphFromText(text)), request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

Rows RowsOf(const Analysis& analysis) {
  Rows rows;
  for (const Lifetime& row : analysis.plan->lifetimes) rows[std::string(analysis.graph->name(row.value))] = row;
  CHECK(ProblemsOf(analysis.plan->lifetimes).empty());
  return rows;
}

std::vector<int64_t> AliveIn(const Analysis& analysis) {
  return LiveBytesOf(analysis.plan->lifetimes, analysis.plan->groups.size());
}

std::string WithNodes(absl::string_view signature, absl::string_view nodes) {
  return absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph ", signature, " {", nodes, "}");
}

// Max pooling reads what it pools more than once, so nothing shares its place with it.
constexpr char kPool[] = " = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> ";
constexpr char kMean[] = " = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> ";

TEST_CASE("the parts of a concatenation in place are not counted beside the whole") {
  const Analysis analysis =
      Planned(WithNodes("(float[1, 8, 16, 16] x) => (float[1, 16, 16, 16] y)",
                        absl::StrCat(" a", kPool, "(x) b", kMean, "(x) c = Concat <axis = 1> (a, b) y", kPool, "(c)")),
              "tda4vm", "c7x-mma");
  const Rows rows = RowsOf(analysis);
  constexpr int64_t kPart = 8 * 16 * 16;  // int8
  REQUIRE(analysis.plan->groups.size() == 4);
  CHECK(AliveIn(analysis) == std::vector<int64_t>{2 * kPart, 3 * kPart, 2 * kPart, 4 * kPart});
  CHECK(rows.at("b").offset - rows.at("a").offset == kPart);
  CHECK(rows.at("c").offset == rows.at("a").offset);
  CHECK(analysis.plan->peak_memory_bytes == analysis.plan->deployed_bytes + 4 * kPart);
}

TEST_CASE("concatenations that begin alike lie in one place") {
  const Analysis analysis =
      Planned(WithNodes("(float[1, 8, 16, 16] x) => (float[1, 32, 16, 16] y)",
                        absl::StrCat(" a", kPool, "(x) b", kPool, "(a) c = Concat <axis = 1> (a, b) d", kPool,
                                     "(c) e = Concat <axis = 1> (a, b, d) y", kPool, "(e)")),
              "snapdragon-8-gen-3", "htp");
  const Rows rows = RowsOf(analysis);
  const int64_t part = *rows.at("a").bytes;
  CHECK(rows.at("e").bytes == 4 * part);
  for (const char* name : {"a", "c", "e"}) CHECK(rows.at(name).offset == rows.at("a").offset);
  CHECK(rows.at("d").offset == rows.at("a").offset + 2 * part);
  CHECK(rows.at("c").last < rows.at("e").first);
}

TEST_CASE("parts that alternate with others need the whole, or are copied where that takes less") {
  const Analysis analysis =
      Planned(WithNodes("(float[4, 8, 16, 16] x) => (float[4, 16, 16, 16] y)",
                        absl::StrCat(" a", kPool, "(x) b", kMean, "(x) c = Concat <axis = 1> (a, b) y", kPool, "(c)")),
              "tda4vm", "c7x-mma");
  constexpr int64_t kPart = 4 * 8 * 16 * 16;  // int8
  RowsOf(analysis);
  CHECK(AliveIn(analysis) == std::vector<int64_t>{3 * kPart, 3 * kPart, 2 * kPart, 4 * kPart});
}

TEST_CASE("element-wise work replaces an operand that nothing reads afterwards") {
  const Analysis analysis =
      Planned(WithNodes("(float[64] x) => (float[64] y)", " a = Relu(x) b = Softmax(a) c = Tanh(b) y = Add(a, c)"),
              "x86-avx512", "cpu");
  const Rows rows = RowsOf(analysis);
  CHECK(rows.at("c").offset == rows.at("b").offset);
  CHECK(rows.at("y").offset == rows.at("a").offset);
  CHECK(PeakLiveBytes(analysis.plan->lifetimes, analysis.plan->groups.size()) == 512);
}

TEST_CASE("an output of the model keeps its place") {
  const Analysis analysis =
      Planned(WithNodes("(float[64] x) => (float[64] s, float[64] y)", " s = Softmax(x) t = Relu(s) y = Softmax(t)"),
              "x86-avx512", "cpu");
  const Rows rows = RowsOf(analysis);
  CHECK(rows.at("s").last == GroupId(analysis.plan->groups.size() - 1));
  CHECK(rows.at("y").offset != rows.at("s").offset);
}

TEST_CASE("the parts of a split lie in what was split") {
  const Analysis analysis = Planned(WithNodes("(float[1, 8, 16, 16] x) => (float[1, 4, 16, 16] y)",
                                              absl::StrCat(" s", kPool, "(x) a, b = Split <axis = 1> (s) p", kPool,
                                                           "(a) q", kPool, "(b) y = Mul(p, q)")),
                                    "x86-avx512", "cpu");
  const Rows rows = RowsOf(analysis);
  CHECK(rows.at("a").offset == rows.at("s").offset);
  CHECK(rows.at("b").offset == rows.at("s").offset + 4 * 16 * 16 * 4);
  CHECK(rows.at("a").first > rows.at("s").last);
}

std::shared_ptr<const Graph> TinyModel(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return *LoadModelFromMemory(test::ModelFromText(text), path.stem().string());
}

// Caches, scratchpads, flash, memories of modules and of a spatial dataflow chip.
constexpr const char* kPlannedOn[] = {"jetson-orin", "tda4vm",    "ethos-u55-256",      "stm32n6",
                                      "hailo-8",     "coral-usb", "snapdragon-8-gen-3", "rtx-4090"};

void CheckAddresses(const Plan& plan) {
  CHECK(ProblemsOf(plan.lifetimes).empty());
  const int64_t alive = PeakLiveBytes(plan.lifetimes, plan.groups.size());
  CHECK(plan.peak_memory_bytes >= plan.deployed_bytes + alive);
  for (const ArenaUse& use : ArenasOf(plan.lifetimes, plan.groups.size())) {
    CHECK(use.bytes >= use.least_bytes);
    CHECK(static_cast<double>(use.bytes) <= 1.1 * static_cast<double>(use.least_bytes) + 256);
  }
}

TEST_CASE("no plan overlaps, and its peak is its highest address and no less than what is alive") {
  int planned = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HWEST_SOURCE_DIR) + "/test/models/tiny")) {
    const Analyzer analyzer(TinyModel(entry.path()));
    for (const char* target : kPlannedOn) {
      for (const int64_t batch : {1, 4}) {
        AnalysisRequest request;
        request.target = target;
        request.bind.batch = batch;
        const absl::StatusOr<Analysis> analysis = analyzer.Analyze(request);
        INFO(entry.path() << " on " << target << ", batch " << batch);
        if (analysis.ok()) CheckAddresses(*analysis->plan);
        planned += analysis.ok() ? 1 : 0;
      }
    }
  }
  CHECK(planned >= 100);  // some models do not take a batch
}

}  // namespace
}  // namespace hwest
