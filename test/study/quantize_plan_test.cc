#include "study/quantize_plan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "analysis/rerun.h"
#include "hwest/diagnostic.h"
#include "study/format_search.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

std::shared_ptr<const Graph> GraphOf(const std::string& body, const std::string& inputs = "float[1, 64, 28, 28] x") {
  return std::make_shared<const Graph>(
      test::GraphFromText(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (", inputs,
                                       ") => (y) <int64[4] s = {64, 64, 3, 3}, "
                                       "int64[4] t = {64, 64, 1, 1}> { w = ConstantOfShape(s) v = ConstantOfShape(t) ",
                                       body, " }")));
}

constexpr char kChain[] =
    "a = Conv<pads = [1, 1, 1, 1]>(x, w) b = Relu(a) c = Conv<pads = [1, 1, 1, 1]>(b, w) d = MaxPool<kernel_shape = "
    "[2, 2], strides = [2, 2]>(c) e = Conv<pads = [1, 1, 1, 1]>(d, w) y = Relu(e)";

AnalysisRequest RequestOn(const std::string& target, const std::string& precision = "fp16") {
  AnalysisRequest request;
  request.target = target;
  request.precision = precision;
  request.finds_best = false;
  return request;
}

double LatencyWith(const std::shared_ptr<const Graph>& graph, const std::string& layers, AnalysisRequest request) {
  request.precision_of = layers;
  const auto analysis = Analyze(graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return analysis->plan->latency_s;
}

// Choices

FormatProblem RandomProblem(std::mt19937& random) {
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  FormatProblem problem;
  problem.num_formats = static_cast<uint8_t>(2 + below(2));
  const int steps = 3 + below(8);
  for (int s = 0; s < steps; ++s) {
    FormatProblem::Step step;
    const bool is_layer = (below(3) > 0 || s == 0) && problem.num_layers < 7;
    if (is_layer) step.layer = static_cast<uint32_t>(problem.num_layers++);
    const auto written = static_cast<int>(problem.values.size());
    for (int r = 0; r < 2 && written > 0; ++r) {
      const auto value = static_cast<uint32_t>(std::max(0, written - 1 - below(3)));
      if (std::find(step.reads.begin(), step.reads.end(), value) == step.reads.end()) step.reads.push_back(value);
    }
    for (uint8_t f = 0; f < problem.num_formats; ++f) {
      step.cost.push_back(f == 0 ? 0 : below(100) - 60);
      if (is_layer && f == 0) step.loss.emplace_back(0.0);
      if (is_layer && f > 0) step.loss.push_back(below(8) == 0 ? std::nullopt : std::optional<double>(below(20)));
    }
    step.writes = {static_cast<uint32_t>(written)};
    FormatProblem::FlowValue value;
    for (int c = 0; c < problem.num_formats * problem.num_formats; ++c) value.convert.push_back(below(40));
    problem.values.push_back(std::move(value));
    problem.steps.push_back(std::move(step));
  }
  return problem;
}

// The least cost of every assignment with at most that loss; none where there is none.
std::optional<double> LeastCost(const FormatProblem& problem, double budget) {
  std::vector<uint8_t> formats(problem.num_layers, 0);
  std::optional<double> least;
  while (true) {
    double loss = 0;
    bool is_allowed = true;
    for (const FormatProblem::Step& step : problem.steps) {
      if (!step.layer.has_value()) continue;
      const std::optional<double>& own = step.loss[formats[*step.layer]];
      is_allowed = is_allowed && own.has_value();
      loss += own.value_or(0);
    }
    if (is_allowed && loss <= budget) least = std::min(least.value_or(1e30), CostOf(problem, formats));
    size_t at = 0;
    while (at < formats.size() && ++formats[at] == problem.num_formats) formats[at++] = 0;
    if (at == formats.size()) return least;
  }
}

TEST_CASE("the search finds the least cost within every loss") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const FormatProblem problem = RandomProblem(random);
    const FormatFrontier frontier = FindFrontier(problem, std::nullopt, 100000);
    REQUIRE(frontier.is_exact);
    for (const double budget : {0.0, 5.0, 17.0, 40.0, 1000.0}) {
      std::optional<double> found;
      for (const FormatChoice& choice : frontier.choices) {
        CHECK(std::abs(CostOf(problem, choice.formats) - choice.cost) < 1e-9);
        if (choice.loss <= budget) found = choice.cost;
      }
      const std::optional<double> least = LeastCost(problem, budget);
      REQUIRE(found.has_value() == least.has_value());
      if (found.has_value()) CHECK(std::abs(*found - *least) < 1e-9);
    }
  }
}

TEST_CASE("a search that drops partial choices says so") {
  std::mt19937 random(3);
  FormatProblem problem = RandomProblem(random);
  while (problem.num_layers < 6 || FindFrontier(problem, std::nullopt, 100000).choices.size() < 6) {
    problem = RandomProblem(random);
  }
  CHECK_FALSE(FindFrontier(problem, std::nullopt, 2).is_exact);
}

// Analyses

TEST_CASE("layers with a precision of their own run at it, and others convert") {
  const auto graph = GraphOf(kChain);
  const AnalysisRequest request = RequestOn("jetson-orin");
  AnalysisRequest mixed = request;
  mixed.precision_of = "# the middle one\nc,int8\n";
  const auto analysis = Analyze(graph, mixed);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  double conversions = 0;
  int kernels = 0;
  for (const PlannedGroup& group : analysis->plan->groups) {
    kernels += static_cast<int>(group.work.conversions.size());
    if (group.estimate.has_value()) conversions += group.estimate->conversion_s;
  }
  CHECK(kernels == 2);  // before it, and behind the pooling that follows its format
  CHECK(conversions > 0);
  const double uniform = LatencyWith(graph, "a,int8\nc,int8\ne,int8\n", request);
  CHECK(uniform < LatencyWith(graph, "", request));
  for (const char* text : {"nothing,int8\n", "c,int7\n", "c\n"}) {
    mixed.precision_of = text;
    CHECK_FALSE(Analyze(graph, mixed).ok());
  }
}

TEST_CASE("formats that are named for no layer change nothing") {
  const auto graph = GraphOf(kChain);
  for (const char* target : {"jetson-orin", "rk3588", "sa8295p"}) {
    const AnalysisRequest request = RequestOn(target);
    CHECK(LatencyWith(graph, "", request) == LatencyWith(graph, "a,fp16\nc,fp16\ne,fp16\n", request));
  }
}

QuantizePlan PlanOf(const std::shared_ptr<const Graph>& graph, const QuantizePlanRequest& request) {
  auto plan = PlanQuantization(graph, {}, request);
  INFO(plan.status());
  REQUIRE(plan.ok());
  return *std::move(plan);
}

std::vector<SensitivityRow> Losses(const std::vector<std::string>& layers, double each) {
  std::vector<SensitivityRow> rows;
  for (const std::string& layer : layers) rows.push_back({layer, "int8", each});
  return rows;
}

TEST_CASE("the plan is what an analysis with its formats takes") {
  const auto graph = GraphOf(kChain);
  QuantizePlanRequest request{.analysis = RequestOn("jetson-orin"), .formats = {"int8", "fp16"}};
  request.sensitivity = Losses({"a", "c", "e"}, 1);
  request.budget = 2;
  const QuantizePlan plan = PlanOf(graph, request);
  REQUIRE(plan.chosen.has_value());
  const FrontierPoint& point = plan.frontier[*plan.chosen];
  CHECK(point.loss <= 2);
  CHECK(LatencyWith(graph, PrecisionOfText(plan, point.formats), request.analysis) == point.latency_s);
  CHECK(plan.layers.size() == 3);
  for (const PlanLayer& layer : plan.layers) {
    CHECK(layer.choices[0].gain_s == 0);
    const double alone = LatencyWith(graph, absl::StrCat(layer.name(), ",int8\n"), request.analysis);
    CHECK(layer.choices[1].gain_s == plan.base->plan->latency_s - alone);
    CHECK(layer.choices[1].gain_s != 0);
  }
}

TEST_CASE("a layer without a loss stays at the widest format") {
  const auto graph = GraphOf(kChain);
  QuantizePlanRequest request{.analysis = RequestOn("jetson-orin"), .formats = {"int8", "fp16"}};
  request.sensitivity = Losses({"c", "e"}, 0);
  request.budget = 100;
  const QuantizePlan plan = PlanOf(graph, request);
  CHECK(plan.missing == 1);
  REQUIRE(plan.chosen.has_value());
  CHECK(plan.frontier[*plan.chosen].formats[0] == "fp16");
}

TEST_CASE("without losses nothing is chosen, and a budget is refused") {
  const auto graph = GraphOf(kChain);
  QuantizePlanRequest request{.analysis = RequestOn("jetson-orin"), .formats = {"int8", "fp16"}};
  const QuantizePlan plan = PlanOf(graph, request);
  CHECK_FALSE(plan.chosen.has_value());
  CHECK_FALSE(ExportQuantizePlan(plan, QuantizeExport::kOrt).ok());
  request.budget = 1;
  CHECK_FALSE(PlanQuantization(graph, {}, request).ok());
}

TEST_CASE("names of the sensitivity that the model lacks are an error with near ones") {
  QuantizePlanRequest request{.analysis = RequestOn("jetson-orin"), .formats = {"int8", "fp16"}};
  const auto graph = GraphOf("conv_first = Conv(x, v) y = Relu(conv_first)");
  request.sensitivity = Losses({"conv_frist"}, 1);
  const auto plan = PlanQuantization(graph, {}, request);
  REQUIRE_FALSE(plan.ok());
  CHECK(absl::StrContains(DiagnosticOf(plan.status()).remedy, "conv_first"));
}

// Random graphs, against every assignment.

struct RandomGraph {
  std::shared_ptr<const Graph> graph;
  std::vector<std::string> layers;
};

RandomGraph MakeRandomGraph(std::mt19937& random, int layers) {
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  std::vector<std::string> values = {"x"};
  RandomGraph made;
  std::string body;
  const auto pick = [&] {
    return values[values.size() - 1 - static_cast<size_t>(below(std::min<int>(3, static_cast<int>(values.size()))))];
  };
  for (int i = 0; i < layers; ++i) {
    const std::string conv = absl::StrCat("c", i), reads = pick();
    const bool is_wide = below(2) == 0;
    absl::StrAppend(&body, conv, is_wide ? " = Conv<pads = [1, 1, 1, 1]>(" : " = Conv(", reads,
                    is_wide ? ", w) " : ", v) ");
    made.layers.push_back(conv);
    values.push_back(conv);
    if (below(2) == 0) {
      absl::StrAppend(&body, "r", i, " = Relu(", conv, ") ");
      values.back() = absl::StrCat("r", i);
    }
    if (below(3) == 0 && values.size() > 2) {
      absl::StrAppend(&body, "p", i, " = Add(", values.back(), ", ", pick(), ") ");
      values.push_back(absl::StrCat("p", i));
    }
    if (below(4) == 0) {
      absl::StrAppend(&body, "m", i, " = MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(", values.back(), ") ");
      values.push_back(absl::StrCat("m", i));
    }
  }
  const std::string input = absl::StrCat("float[1, 64, ", 14 << below(3), ", 28] x");
  made.graph = GraphOf(absl::StrCat(body, "y = Sigmoid(", values.back(), ")"), input);
  return made;
}

TEST_CASE("the plan is the best of all assignments of random graphs") {
  constexpr const char* kTargets[] = {"jetson-orin", "rk3588", "sa8295p", "tda4vm", "x86-avx512"};
  constexpr const char* kFormats[][2] = {
      {"fp16", "int8"}, {"fp16", "int8"}, {"fp16", "int8"}, {"w8a16", "int8"}, {"fp32", "int8"}};
  std::mt19937 random(20);
  for (int round = 0; round < 50; ++round) {
    const size_t t = static_cast<size_t>(round) % std::size(kTargets);
    const int count = round == 49 ? 9 : 3 + round % 4;
    const RandomGraph made = MakeRandomGraph(random, count);
    QuantizePlanRequest request{.analysis = RequestOn(kTargets[t], kFormats[t][0]),
                                .formats = {kFormats[t][0], kFormats[t][1]}};
    std::vector<double> losses;
    request.sensitivity.emplace();
    double total = 0;
    for (const std::string& layer : made.layers) {
      losses.push_back(static_cast<double>(random() % 100));
      total += losses.back();
      request.sensitivity->push_back({layer, "int8", losses.back()});
    }
    request.budget = total * 0.5;
    const QuantizePlan plan = PlanOf(made.graph, request);
    REQUIRE(plan.chosen.has_value());
    auto rerun = Rerun::Start(made.graph, request.analysis);
    REQUIRE(rerun.ok());
    double least = 1e30;
    for (unsigned bits = 0; bits < 1u << count; ++bits) {
      double loss = 0;
      AnalysisRequest one = request.analysis;
      for (int i = 0; i < count; ++i) {
        if ((bits >> i & 1) == 0) continue;
        loss += losses[static_cast<size_t>(i)];
        absl::StrAppend(&one.precision_of, made.layers[static_cast<size_t>(i)], ",int8\n");
      }
      if (loss > *request.budget) continue;
      const auto analysis = rerun->Plan(one);
      REQUIRE(analysis.ok());
      least = std::min(least, (*analysis)->plan->latency_s);
    }
    INFO("round " << round << " on " << kTargets[t] << ", " << count << " layers");
    CHECK(plan.frontier[*plan.chosen].latency_s <= least * (1 + 1e-9));
  }
}

// Files of losses

TEST_CASE("losses are read from CSV, AIMET and qdq_loss_debug") {
  const auto csv = ParseSensitivity("node,format,loss\n\"a,b\",INT8,0.5\n# more\nc,w8a16,1e-3\n", "loss.csv", "int8");
  REQUIRE(csv.ok());
  REQUIRE(csv->size() == 2);
  CHECK((*csv)[0].node == "a,b");
  CHECK((*csv)[0].format == "int8");
  CHECK((*csv)[1].loss == 1e-3);
  const auto aimet = ParseSensitivity("{\"conv1\": 0.25}", "per_layer_mse_loss.json", "int8");
  REQUIRE(aimet.ok());
  CHECK((*aimet)[0].loss == 0.25);
  const auto ranked = ParseSensitivity(
      "{\"ranking\": [{\"rank\": 1, \"name\": \"/head/Conv\", \"score\": 0.5, \"detail\": \"w, y\"}, {\"rank\": 2, "
      "\"name\": \"/stem/Conv\", \"score\": 0.125}]}",
      "sensitivity_results.json", "w8a16");
  REQUIRE(ranked.ok());
  REQUIRE(ranked->size() == 2);
  CHECK((*ranked)[1].node == "/stem/Conv");
  CHECK((*ranked)[1].format == "w8a16");
  CHECK((*ranked)[1].loss == 0.125);
  const auto ort = ParseSensitivity("{\"t\": {\"qdq_err\": 20.0, \"xmodel_err\": 12.0}}", "errors.json", "int8");
  REQUIRE(ort.ok());
  CHECK(std::abs((*ort)[0].loss - 0.01) < 1e-12);
}

TEST_CASE("losses that cannot be read name the file and the line") {
  const struct {
    const char* text;
    const char* says;
  } kCases[] = {
      {"", "empty"},
      {"node,format\na,int8\n", "loss.csv:1: no column 'loss'"},
      {"node,format,loss\na,int8\n", "loss.csv:2: 2 fields"},
      {"node,format,loss\na,int7,1\n", "loss.csv:2: 'int7' is no format"},
      {"node,format,loss\na,int8,-1\n", "loss.csv:2: '-1' is no loss"},
      {"node,format,loss\na,int8,nan\n", "loss.csv:2: 'nan' is no loss"},
      {"node,format,loss\na,int8,1\na,int8,2\n", "loss.csv:3: 'a' has two losses"},
      {"{\"a\": \"high\"}", "'a' has neither a number nor a qdq_err"},
      {"{\"a\": ", "loss.csv"},
      {"{\"ranking\": [{\"name\": \"a\"}]}", "entry 1 of the ranking lacks name or score"},
      {"{\"ranking\": [{\"name\": \"a\", \"score\": -1}]}", "the loss of 'a' is no number from 0 on"},
      {"{\"ranking\": [{\"name\": \"a\", \"score\": 31.5}, {\"name\": \"b\", \"score\": 42}]}",
       "the score grows at 'b'"},
      {"{\"ranking\": [{\"name\": \"a\", \"score\": 2}, {\"name\": \"a\", \"score\": 1}]}", "'a' is ranked twice"},
  };
  for (const auto& row : kCases) {
    const auto rows = ParseSensitivity(row.text, "loss.csv", "int8");
    REQUIRE_FALSE(rows.ok());
    INFO(rows.status());
    CHECK(absl::StrContains(DiagnosticOf(rows.status()).message, row.says));
  }
}

// Forms of tools

TEST_CASE("plans are written as tools read them") {
  const auto graph = GraphOf(kChain);
  QuantizePlanRequest request{.analysis = RequestOn("sa8295p"), .formats = {"int8", "w8a16", "fp16"}};
  QuantizePlan plan = PlanOf(graph, request);
  REQUIRE(plan.layers.size() == 3);
  plan.frontier = {FrontierPoint{.formats = {"fp16", "int8", "w8a16"}}};
  plan.chosen = 0;
  const auto text = [&](QuantizeExport form) {
    const auto made = ExportQuantizePlan(plan, form);
    return made.ok() ? *made : absl::StrCat("refused: ", DiagnosticOf(made.status()).message);
  };
  const std::string first = plan.layers[0].output, last = plan.layers[2].output;
  CHECK(text(QuantizeExport::kHwest) == "node,format\nc,int8\ne,w8a16\n");
  CHECK(absl::StrContains(text(QuantizeExport::kOrt), "\"nodes_to_exclude\": [\"a\"]"));
  CHECK(absl::StrContains(text(QuantizeExport::kOrt), absl::StrCat("\"", last, "\": [{\"quant_type\": \"QUInt16\"}]")));
  CHECK(absl::StrContains(text(QuantizeExport::kTensorRt), "refused: TensorRT has no word for a layer at w8a16"));
  CHECK(absl::StrContains(text(QuantizeExport::kQnn),
                          absl::StrCat("\"", first, "\": [{\"bitwidth\": 16, \"dtype\": \"float\"}]")));
  CHECK(absl::StrContains(text(QuantizeExport::kQnn),
                          absl::StrCat("\"", last, "\": [{\"bitwidth\": 16, \"dtype\": \"int\"}]")));
  plan.frontier[0].formats = {"fp16", "int8", "int8"};
  CHECK(text(QuantizeExport::kTensorRt) ==
        "--fp16 --int8 --precisionConstraints=obey --layerPrecisions='a:fp16,c:int8,e:int8'\n");
  CHECK(text(QuantizeExport::kRknn) == absl::StrCat("custom_quantize_layers:\n    '", first, "': float16\n"));
  plan.frontier[0].formats = {"w8a16", "int8", "int8"};
  CHECK(absl::StrContains(text(QuantizeExport::kTidl),
                          absl::StrCat("\"advanced_options:output_feature_16bit_names_list\": \"", first, "\"")));
  CHECK(absl::StrContains(text(QuantizeExport::kHailo), "quantization_param([a], precision_mode=a16_w16)\n"));
}

}  // namespace
}  // namespace hwest
