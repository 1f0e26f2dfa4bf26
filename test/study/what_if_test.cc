#include "study/what_if.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_split.h"
#include "analysis/request_options.h"
#include "base/text.h"
#include "hwest/rewrite.h"
#include "hwest/study.h"
#include "study/cures.h"
#include "study/edited_model.h"
#include "study/width.h"
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

constexpr char kSoftmaxOverRows[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64, 64, 64] x) => (y) "
    "{ y = Softmax<axis = 1>(x) }";

std::string TinyModel(const std::string& name) {
  if (name == "softmax_over_rows") return test::ModelFromText(kSoftmaxOverRows);
  std::ifstream file(std::string(HWEST_SOURCE_DIR) + "/test/models/tiny/" + name + ".onnxtxt");
  std::stringstream text;
  text << file.rdbuf();
  return test::ModelFromText(text.str());
}

RequestDraft WithFlags(const AnalysisRequest& base, const std::vector<std::string>& flags) {
  RequestDraft draft;
  static_cast<AnalysisRequest&>(draft) = base;
  for (size_t i = 0; i + 1 < flags.size(); i += 2) {
    for (const RequestOption& option : AllRequestOptions()) {
      const bool is_it = option.flag != nullptr && option.flag == flags[i];
      if (is_it) REQUIRE(Give(option, flags[i + 1], &draft).ok());
    }
  }
  return draft;
}

RewriteOptions RewriteOptionsOf(const std::vector<std::string>& flags) {
  RewriteOptions options;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "--allow-approximate") options.allow_approximate = true;
    if (flags[i] == "--fold") options.scope = RewriteScope::kFold;
    if (flags[i] == "--rule") options.rules = absl::StrSplit(flags[++i], ',');
    if (flags[i] == "--opset") options.opset = std::stoi(flags[++i]);
  }
  return options;
}

// The file that `rewrite` writes, read and analysed.
absl::StatusOr<Analysis> Written(const std::string& model, const AnalysisRequest& request, const WhatIfRow& row) {
  const auto made = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); };
  const absl::StatusOr<Rewritten> rewritten = RewriteModel(model, made, RewriteOptionsOf(row.rewrite), nullptr);
  REQUIRE(rewritten.ok());
  std::string bytes;
  const auto keep = [&](absl::string_view part) {
    bytes.append(part.data(), part.size());
    return absl::OkStatus();
  };
  REQUIRE(WriteRewritten(*rewritten, keep).ok());
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = LoadModelFromMemory(bytes, model);
  REQUIRE(graph.ok());
  return Analyze(*graph, request);
}

// The model with the weights of another width, as `width` lists them.
absl::StatusOr<Analysis> WithWidth(const std::string& model, const AnalysisRequest& request, const Analysis& base,
                                   const WhatIfRow& row) {
  const CureSource source = SourceOf({.path = model, .limits = {}});
  const WidthOptions options{.layers = {row.width[1]}, .width = std::stoll(row.width[3])};
  const absl::StatusOr<WidthReport> report = WidthsOf(base, source.read, source.limits, options, nullptr, nullptr);
  REQUIRE(report.ok());
  REQUIRE(report->rows[0].asked.has_value());
  absl::StatusOr<RawModel> raw = source.read();
  REQUIRE(raw.ok());
  raw = WidthModel(*std::move(raw), report->rows[0].asked->edits);
  REQUIRE(raw.ok());
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = BuildModel(*std::move(raw), source.limits);
  REQUIRE(graph.ok());
  return Analyze(*graph, request);
}

// The analysis with the change of a row made as its flags, edits, target file or `rewrite` say.
absl::StatusOr<Analysis> MadeAgain(const std::shared_ptr<const Graph>& graph, const std::string& model,
                                   const AnalysisRequest& base, const WhatIfRow& row) {
  RequestDraft draft = WithFlags(base, row.flags);
  if (!row.rules_text.empty()) draft.rewrite_rules = row.rules_text;
  if (row.writes) return Written(model, draft, row);
  if (!row.target_text.empty()) {
    const Scratch file("what_if.textproto", row.target_text);
    draft.target = file.path;
    return Analyze(graph, draft);
  }
  if (!row.precision_of.empty()) draft.precision_of = row.precision_of;
  if (!row.width.empty()) return WithWidth(model, draft, *Analyze(graph, draft), row);
  if (row.edits.empty()) return Analyze(graph, draft);
  const absl::StatusOr<std::shared_ptr<const Graph>> edited =
      LoadEdited(SourceOf({.path = model, .limits = {}}), row.edits);
  REQUIRE(edited.ok());
  return Analyze(*edited, draft);
}

bool ComesBefore(const WhatIfRow& a, const WhatIfRow& b) {
  return a.scope != b.scope ? a.scope < b.scope : a.saving_s > b.saving_s;
}

TEST_CASE("every change that is offered saves what it says when it is made") {
  const std::string model =
      GENERATE("mixed_support", "inverted_residual", "mlp_gelu", "attention", "detection_head", "softmax_over_rows");
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
  CHECK(std::is_sorted(rows->begin(), rows->end(), ComesBefore));
  double single_s = 0;
  for (const WhatIfRow& row : *rows) {
    if (row.kind != WhatIfKind::kRecipe && row.scope == ChangeScope::kSame) single_s = std::max(single_s, row.saving_s);
  }
  for (const WhatIfRow& row : *rows) {
    INFO(row.change);
    CHECK(row.saving_s >= 5e-3 * base->plan->latency_s);
    CHECK((row.saving_low_s <= row.saving_s && row.saving_s <= row.saving_high_s));
    CHECK(!row.work.empty());
    CHECK(row.as_promised.has_value() == row.writes);
    CHECK(row.as_promised.value_or(true));
    if (row.kind == WhatIfKind::kRecipe && row.risk == AccuracyRisk::kCalibration) CHECK(row.saving_s > single_s);
    if (!row.outputs.empty()) continue;  // see below
    const auto changed = MadeAgain(*graph, file.path, request, row);
    INFO(changed.status());
    REQUIRE(changed.ok());
    const double inputs = static_cast<double>(base->batch) / static_cast<double>(changed->batch);
    const double saved_s = base->plan->latency_s - changed->plan->latency_s * inputs;
    CHECK(std::abs(saved_s - row.saving_s) <= 1e-9 * base->plan->latency_s);
    CHECK(std::abs(changed->plan->latency_s - row.latency_s) <= 1e-9 * row.latency_s);
  }
}

const WhatIfRow* First(const std::vector<WhatIfRow>& rows, WhatIfKind kind) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const WhatIfRow& each) { return each.kind == kind; });
  return row == rows.end() ? nullptr : &*row;
}

TEST_CASE("a rewrite that ends a fallback stands before taking the operator for supported") {
  const Scratch file("what_if_rewrite.onnx", test::ModelFromText(kSoftmaxOverRows));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "tda4vm";
  const auto base = Analyze(*graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(*graph, *base, file.path, nullptr);
  REQUIRE(rows.ok());
  const WhatIfRow* rewrite = First(*rows, WhatIfKind::kRewrite);
  REQUIRE(rewrite != nullptr);
  CHECK(rewrite->rewrite == std::vector<std::string>{"--rule", "softmax_axis_moved"});
  CHECK(rewrite->risk == AccuracyRisk::kNone);
  CHECK(rewrite->as_promised == true);
  CHECK(rows->front().scope == ChangeScope::kSame);
  const auto made = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); };
  const auto rewritten = RewriteModel(file.path, made, {}, nullptr);
  REQUIRE(rewritten.ok());
  CHECK(rows->front().latency_s <= rewritten->after->plan->latency_s * (1 + 1e-9));
}

TEST_CASE("what a cut leaves to the host counts, at the time that it takes there") {
  const std::string head =
      "(float[1, 64, 32, 32] x, float[64, 64, 3, 3] w) => (y) "
      "{ c = Conv<pads = [1, 1, 1, 1]>(x, w)  k = Constant<value = int64[1] {64}>()  f = Flatten(c) "
      "v, i = TopK<axis = 1>(f, k)  y = Identity(v) }";
  const Scratch file("what_if_cut.onnx",
                     test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph " + head));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  for (const char* target : {"tda4vm", "hailo-8", "rk3588", "sa8295p"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const auto base = Analyze(*graph, request);
    REQUIRE(base.ok());
    const auto tried = TryChanges(*graph, *base, SourceOf({.path = file.path, .limits = {}}), nullptr, nullptr);
    REQUIRE(tried.ok());
    for (const WhatIfRow& row : tried->rows) {
      if (row.kind != WhatIfKind::kCut) continue;
      INFO(row.change);
      REQUIRE(row.beside_s.has_value());
      CHECK(*row.beside_s > 0);
      CHECK(std::abs(base->plan->latency_s - row.latency_s - *row.beside_s - row.saving_s) <= 1e-12);
      CHECK((!row.inputs.empty() && !row.outputs.empty()));
    }
  }
}

TEST_CASE("rules of the user's are tried beside the built-in ones") {
  const Scratch file(
      "what_if_rules.onnx",
      test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64, 56, 56] x) => "
                          "(y) { a = Abs(x)  y = Abs(a) }"));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "tda4vm";
  request.rewrite_rules =
      "abs_twice = Abs(Abs(x)) -> Abs(x)\n  exactness exact\n"
      "  words Abs of Abs becomes Abs\n  because a number without its sign has none\n";
  const auto base = Analyze(*graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(*graph, *base, file.path, nullptr);
  REQUIRE(rows.ok());
  const WhatIfRow* rewrite = First(*rows, WhatIfKind::kRewrite);
  REQUIRE(rewrite != nullptr);
  CHECK(rewrite->rewrite == std::vector<std::string>{"--rule", "abs_twice"});
  CHECK(rewrite->as_promised == true);
  const auto changed = MadeAgain(*graph, file.path, request, *rewrite);
  REQUIRE(changed.ok());
  CHECK(changed->plan->latency_s == Approx(rewrite->latency_s).epsilon(1e-9));
}

TEST_CASE("a file that sizes were written into is read again without them") {
  const Scratch file(
      "what_if_bound.onnx",
      test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[N, 64, 56, 56] x) => "
                          "(float[N, 64, 56, 56] y) { a = Abs(x)  b = Abs(a)  c = Neg(b)  y = Neg(c) }"));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "tda4vm";
  request.bind.dims = {{"N", 2}};
  request.rewrite_rules =
      "abs_twice = Abs(Abs(x)) -> Abs(x)\n  exactness exact\n"
      "  words Abs of Abs becomes Abs\n  because a number without its sign has none\n"
      "neg_twice = Neg(Neg(x)) -> Identity(x)\n  exactness exact\n"
      "  words Neg of Neg goes\n  because it gives the number back\n";
  const auto base = Analyze(*graph, request);
  REQUIRE(base.ok());
  const auto rows = WhatIf(*graph, *base, file.path, nullptr);
  REQUIRE(rows.ok());
  int rewrites = 0;
  for (const WhatIfRow& row : *rows) {
    if (row.kind != WhatIfKind::kRewrite) continue;
    INFO(row.change);
    CHECK(row.as_promised == true);
    ++rewrites;
  }
  CHECK(rewrites == 3);  // each rule, and both
}

// A layer that is alone in int8 between layers that are in int8 already costs no conversion, and the other way round.
TEST_CASE("single layers in another format and fewer channels are offered where they gain") {
  const std::string layers =
      "(float[1, 65, 56, 56] x) => (y) <float[65, 65, 3, 3] a, float[65, 65, 3, 3] b> "
      "{ s = Conv<pads = [1, 1, 1, 1]>(x, a)  r = Relu(s)  y = Conv<pads = [1, 1, 1, 1]>(r, b) }";
  const Scratch file("what_if_layers.onnx",
                     test::ModelFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph " + layers));
  const auto graph = LoadModel(file.path);
  REQUIRE(graph.ok());
  size_t widths = 0, in_format = 0;
  for (const char* target : {"tda4vm", "rk3588", "jetson-orin", "x86-avx2"}) {
    AnalysisRequest request;
    request.target = target;
    const auto base = Analyze(*graph, request);
    REQUIRE(base.ok());
    const auto rows = WhatIf(*graph, *base, file.path, nullptr);
    REQUIRE(rows.ok());
    for (const WhatIfRow& row : *rows) {
      INFO(target << ": " << row.change);
      widths += row.kind == WhatIfKind::kWidth;
      in_format += row.kind == WhatIfKind::kLayers;
      if (row.kind == WhatIfKind::kWidth) CHECK(row.risk == AccuracyRisk::kTraining);
      CHECK(row.kind != WhatIfKind::kBandwidth);
      if (row.kind != WhatIfKind::kWidth && row.kind != WhatIfKind::kLayers) continue;
      const auto changed = MadeAgain(*graph, file.path, request, row);
      REQUIRE(changed.ok());
      CHECK(changed->plan->latency_s == Approx(row.latency_s).epsilon(1e-9));
    }
  }
  CHECK(widths > 0);
  CHECK(in_format > 0);
}

TEST_CASE("a way to launch many kernels with one call is offered where launches take the time") {
  const auto graph = std::make_shared<const Graph>(
      test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 64, 8, 8] x) => (y) "
                          "{ a = Softmax(x)  b = MaxPool<kernel_shape = [3, 3]>(a)  y = Softmax<axis = 1>(b) }"));
  AnalysisRequest request;
  request.target = "jetson-orin";
  const auto rows_on = [&](const std::vector<std::pair<std::string, std::string>>& toolchains) {
    request.toolchains = toolchains;
    const auto base = Analyze(graph, request);
    INFO(base.status());
    REQUIRE(base.ok());
    const auto rows = WhatIf(graph, *base, "", nullptr);
    REQUIRE(rows.ok());
    std::vector<WhatIfRow> found;
    std::copy_if(rows->begin(), rows->end(), std::back_inserter(found),
                 [](const WhatIfRow& row) { return row.kind == WhatIfKind::kToolchain; });
    return found;
  };
  const std::vector<WhatIfRow> rows = rows_on({});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].flags == std::vector<std::string>{"--toolchain", "gpu=tensorrt-cuda-graph"});
  CHECK(rows[0].risk == AccuracyRisk::kNone);
  CHECK(rows_on({{"gpu", "tensorrt-cuda-graph"}}).empty());
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
  CHECK(offered->size() < tried->rows.size());
  const auto is_slower_mode = [](const WhatIfRow& row) { return row.kind == WhatIfKind::kMode && row.saving_s < 0; };
  CHECK(std::any_of(tried->rows.begin(), tried->rows.end(), is_slower_mode));
  CHECK(std::all_of(offered->begin(), offered->end(), [](const WhatIfRow& row) { return row.saving_s > 0; }));
}

TEST_CASE("integers that are slower are said to be, with both figures") {
  const auto graph = std::make_shared<const Graph>(
      test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 16, 8, 8] x) => (y) "
                          "{ a = Relu(x)  b = Sin(a)  y = Add(b, a) }"));
  size_t ran = 0;
  for (const char* target : {"jetson-orin", "x86-avx2", "sa8295p", "rk3588"}) {
    for (const char* precision : {"int8", "fp16", "fp32"}) {
      INFO(target << " " << precision);
      AnalysisRequest request;
      request.target = target;
      request.precision = precision;
      const auto base = Analyze(graph, request);
      const bool has_it = base.ok();  // not every unit has each of these
      if (!has_it) continue;
      ++ran;
      const auto tried = TryChanges(graph, *base, {}, nullptr, nullptr);
      REQUIRE(tried.ok());
      double floating_s = HUGE_VAL, integer_s = 0;
      for (const char* each : {"fp16", "bf16", "fp32", "int8"}) {
        AnalysisRequest other = request;
        other.precision = each;
        const auto at = Analyze(graph, other);
        const double at_s = at.ok() ? at->plan->latency_s : HUGE_VAL;
        const bool is_integer = std::string(each) == "int8";
        if (is_integer && at.ok()) integer_s = at_s;
        if (!is_integer) floating_s = std::min(floating_s, at_s);
      }
      const bool is_slower = integer_s - floating_s >= 5e-3 * base->plan->latency_s;
      CHECK(tried->notes.size() == (is_slower ? 1 : 0));
      if (is_slower) CHECK(tried->notes[0].message.find(FormatSeconds(integer_s)) != std::string::npos);
    }
  }
  CHECK(ran >= 8);
}

}  // namespace
}  // namespace hwest
