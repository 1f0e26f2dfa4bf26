// Plans written into files: Q/DQ where the plan has int8, scales by the ranges and weights, and errors in words.
#include "study/quantize_apply.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "analysis/load.h"
#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "rewrite/payload.h"
#include "study/quantize_plan.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

std::string Numbers(size_t count, double step) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i > 0 ? ", " : "", absl::StrFormat("%.6f", std::sin(static_cast<double>(i) * step)));
  }
  return text;
}

// Two convolutions, a sum, and a product whose weights are transposed.
std::string ModelBytes(int opset = 17) {
  return test::ModelFromText(
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", opset,
                   "]> agraph (float[1, 8, 28, 28] x) => (float[1, 10] y) <float[16, 8, 3, 3] w = {",
                   Numbers(16 * 8 * 9, 0.7), "}, float[16] b = {", Numbers(16, 0.3), "}, float[16, 16, 1, 1] v = {",
                   Numbers(256, 1.1), "}, float[10, 16] u = {", Numbers(160, 0.9),
                   "}> { c = Conv<pads = [1, 1, 1, 1]>(x, w, b)  r = Relu(c)  d = Conv(r, v)  s = Add(d, r)  "
                   "p = GlobalAveragePool(s)  f = Flatten(p)  t = Transpose<perm = [1, 0]>(u)  y = MatMul(f, t) }"));
}

TensorRanges AllRanges() {
  TensorRanges ranges;
  for (const char* name : {"x", "c", "r", "d", "s", "p", "f"}) ranges[name] = {-2, 4};
  return ranges;
}

struct Applied {
  QuantizePlan plan;
  absl::StatusOr<Rewritten> result;
};

Applied Apply(const std::string& bytes, const std::string& target, const TensorRanges& ranges,
              const std::vector<std::string>& formats = {"int8"}) {
  const auto graph = LoadModelFromMemory(bytes, "model.onnx");
  REQUIRE(graph.ok());
  QuantizePlanRequest request{.formats = formats};
  request.analysis.target = target;
  auto plan = PlanQuantization(*graph, {}, request);
  INFO(plan.status());
  REQUIRE(plan.ok());
  const auto file = EditedModel::FromMemory(bytes, "model.onnx");
  REQUIRE(file.ok());
  absl::StatusOr<Rewritten> result = ApplyPlan(*plan, *file, ranges);
  return {*std::move(plan), std::move(result)};
}

std::string BytesOf(const Rewritten& rewritten) {
  std::string bytes;
  REQUIRE(WriteRewritten(rewritten, [&](absl::string_view part) {
            bytes.append(part.data(), part.size());
            return absl::OkStatus();
          }).ok());
  return bytes;
}

size_t Count(const Graph& graph, absl::string_view op) {
  size_t count = 0;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) count += graph.op(NodeId(n)) == op;
  return count;
}

TEST_CASE("the file that is written takes what its report says, with integers in every layer") {
  const std::string target =
      GENERATE("jetson-orin", "tda4vm", "rk3588", "sa8295p", "x86-avx512", "imx8m-plus", "ethos-u85-1024");
  INFO(target);
  const std::string bytes = ModelBytes();
  const Applied applied = Apply(bytes, target, AllRanges());
  INFO(applied.result.status());
  REQUIRE(applied.result.ok());
  const std::string written = BytesOf(*applied.result);
  const auto graph = LoadModelFromMemory(written, "model.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = target;
  const auto again = Analyze(*graph, request);
  REQUIRE(again.ok());
  CHECK(again->plan->latency_s == Approx(applied.result->after->plan->latency_s).epsilon(1e-9));
  CHECK(again->facts.refused.empty());
  CHECK(again->coverage.typed == again->coverage.nodes);
  CHECK(Count(**graph, "QuantizeLinear") >= 3);
  CHECK(Count(**graph, "Transpose") == 0);
  int64_t integer = 0;
  for (uint32_t n = 0; n < (*graph)->nodes().size(); ++n) {
    const auto& work = again->work[NodeId(n)];
    integer += work.has_value() && !work->contractions.empty() && !work->int_macs.IsConstant(0);
  }
  CHECK(integer == 3);
  REQUIRE(applied.result->rules.size() == 1);
  CHECK(applied.result->rules[0].places == 3);
  // The figure of the formats alone stands beside it; but for Q/DQ that are kernels of their own it is nearly the same
  // where one unit runs all.
  const std::string& promise = applied.result->notes.back().message;
  INFO(promise);
  CHECK(absl::StrContains(promise, "; the same formats without Q/DQ take "));
  const double promised_s = applied.plan.frontier[*applied.plan.chosen].latency_s;
  double own_s = 0;
  for (const PlannedGroup& group : again->plan->groups) {
    bool is_qdq = true;
    for (const NodeId node : group.group.nodes) {
      is_qdq = is_qdq && absl::EndsWith((*graph)->op(node), "antizeLinear");
    }
    if (is_qdq) own_s += group.estimate->time_s;
  }
  const bool is_of_one = again->plan->segments.size() == 1 && applied.plan.base->plan->segments.size() == 1;
  if (is_of_one) CHECK(again->plan->latency_s - own_s == Approx(promised_s).epsilon(0.05));
}

// Branches that a Concat joins, and a view between two layers; `weights` may lack their numbers.
std::string JoinedBytes(bool has_weights) {
  const auto weights = [&](absl::string_view name, absl::string_view dims, size_t count) {
    return absl::StrCat("float[", dims, "] ", name, has_weights ? absl::StrCat(" = {", Numbers(count, 0.7), "}") : "");
  };
  return test::ModelFromText(absl::StrCat(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 8, 32, 32] x) => (float[1, 10] y) <",
      weights("w", "16, 8, 3, 3", size_t{16} * 8 * 9), ", ", weights("v", "16, 16, 3, 3", size_t{16} * 16 * 9), ", ",
      weights("m", "32, 32, 1, 1", 1024), ", ", weights("z", "32", 32), ", ", weights("u", "32, 10", 320),
      "> { c = Conv<pads = [1, 1, 1, 1]>(x, w)  r = Relu(c)  d = Conv<pads = [1, 1, 1, 1]>(r, v)  e = Relu(d)  "
      "k = Concat<axis = 1>(r, e)  f = Conv(k, m, z)  g = Relu(f)  p = GlobalAveragePool(g)  q = Flatten(p)  "
      "y = MatMul(q, u) }"));
}

std::optional<double> SaidOf(const QuantizePlan& plan, const std::string& bytes) {
  const auto file = EditedModel::FromMemory(bytes, "model.onnx");
  REQUIRE(file.ok());
  return LatencyApplied(plan, *file);
}

TEST_CASE("a plan says what the file with Q/DQ takes before there are ranges and weights") {
  const std::string target =
      GENERATE("jetson-orin", "tda4vm", "rk3588", "sa8295p", "x86-avx512", "imx8m-plus", "ethos-u85-1024");
  const bool has_joined = GENERATE(false, true);
  INFO(target << " " << has_joined);
  TensorRanges ranges = AllRanges();
  for (const char* name : {"e", "k", "g", "q"}) ranges[name] = {0, 3};
  ranges["f"] = {-1, 5};
  const std::string bytes = has_joined ? JoinedBytes(true) : ModelBytes();
  const Applied applied = Apply(bytes, target, ranges);
  INFO(applied.result.status());
  REQUIRE(applied.result.ok());
  QuantizePlan plan = applied.plan;
  plan.applied_s = SaidOf(plan, has_joined ? JoinedBytes(false) : bytes);
  REQUIRE(plan.applied_s.has_value());
  CHECK(applied.result->after->plan->latency_s == Approx(*plan.applied_s).epsilon(1e-9));
  const auto again = ApplyPlan(plan, *EditedModel::FromMemory(bytes, "model.onnx"), ranges);
  REQUIRE(again.ok());
  CHECK(absl::StrContains(again->notes.back().message, ", as the plan said; "));
}

TEST_CASE("a plan says nothing of a file with Q/DQ where none is written") {
  const std::string bytes = ModelBytes(), old = ModelBytes(11);
  CHECK_FALSE(SaidOf(Apply(bytes, "hailo-8", AllRanges()).plan, bytes).has_value());
  CHECK_FALSE(SaidOf(Apply(old, "jetson-orin", AllRanges()).plan, old).has_value());
  CHECK_FALSE(SaidOf(Apply(bytes, "jetson-orin", AllRanges(), {"int8", "fp16"}).plan, bytes).has_value());
}

TEST_CASE("what is joined gets one range where its device then moves nothing") {
  const auto [target, is_in_place] = GENERATE(table<const char*, bool>({{"sa8295p", true}, {"jetson-orin", false}}));
  INFO(target);
  TensorRanges ranges;
  for (const char* name : {"x", "c", "d", "f", "g", "p"}) ranges[name] = {-2, 4};
  ranges["r"] = {0, 3};
  ranges["e"] = {0, 5};
  ranges["k"] = {0, 5};
  const Applied applied = Apply(JoinedBytes(true), target, ranges);
  REQUIRE(applied.result.ok());
  CHECK(absl::StrContains(applied.result->rules[0].words, "one range for what is joined") == is_in_place);
  const Analysis& after = *applied.result->after;
  double joined_s = 0;
  int alone = 0;
  for (const PlannedGroup& group : after.plan->groups) {
    bool is_qdq = true;
    for (const NodeId node : group.group.nodes) {
      is_qdq = is_qdq && absl::EndsWith(after.graph->op(node), "antizeLinear");
      if (after.graph->op(node) == "Concat") joined_s = group.estimate->time_s;
    }
    alone += is_qdq;
  }
  CHECK((joined_s == 0) == is_in_place);
  CHECK(alone == 1);  // of x: the pair around the view is none
  // Every scale of a part holds what the widest does.
  std::vector<double> scales;
  for (const Constant& constant : applied.result->model->raw().graph.initializers) {
    const absl::string_view name = applied.result->model->text(constant.name);
    if (!absl::StartsWith(name, "r_scale") && !absl::StartsWith(name, "e_scale")) continue;
    scales.push_back(NumberAt(constant.data.data(), constant.elem));
  }
  if (is_in_place) {
    CHECK(scales == std::vector<double>{static_cast<double>(static_cast<float>(5.0 / 127))});
  } else {
    CHECK(scales.size() == 2);
  }
}

TEST_CASE("operands that are not there need no integers") {
  const std::string target = GENERATE("sa8295p", "rk3588", "x86-avx512");
  INFO(target);
  const std::string bytes = test::ModelFromText(absl::StrCat(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 8, 28, 28] x) => (float[1, 8, 56, 56] y) "
      "<float[8, 8, 1, 1] v = {",
      Numbers(64, 1.1), "}, float[4] up = {1, 1, 2, 2}> { c = Conv(x, v)  y = Resize(c, , up) }"));
  const Applied applied = Apply(bytes, target, {{"x", {-2, 4}}, {"c", {-2, 4}}, {"y", {-2, 4}}});
  INFO(applied.result.status());
  REQUIRE(applied.result.ok());
  CHECK(applied.result->rules[0].places == 1);
}

TEST_CASE("weights are within half a step of what they were") {
  const Applied applied = Apply(ModelBytes(), "jetson-orin", AllRanges());
  REQUIRE(applied.result.ok());
  const EditedModel& model = *applied.result->model;
  const auto named = [&](absl::string_view stem) -> const Constant* {
    for (const Constant& constant : model.raw().graph.initializers) {
      if (absl::StartsWith(model.text(constant.name), stem)) return &constant;
    }
    return nullptr;
  };
  const auto number = [](const Constant& constant, size_t i) {
    float value;
    std::memcpy(&value, constant.data.data() + 4 * i, sizeof(value));
    return static_cast<double>(value);
  };
  const Constant* integers = named("w_int8");
  const Constant* scales = named("w_scale");
  REQUIRE(integers != nullptr);
  REQUIRE(scales != nullptr);
  CHECK(scales->dims == std::vector<int64_t>{16});
  for (size_t i = 0; i < integers->data.size(); ++i) {
    const double step = number(*scales, i / 72);
    const double value = std::sin(static_cast<double>(i) * 0.7);
    CHECK(std::abs(static_cast<int8_t>(integers->data[i]) * step - value) <= step * 0.5 + 1e-6);
  }
  const Constant* turned = named("t_int8");  // the product reads 16 x 10
  REQUIRE(turned != nullptr);
  CHECK(turned->dims == std::vector<int64_t>{16, 10});
  const Constant* turned_scales = named("t_scale");
  for (size_t i = 0; i < 16; ++i) {
    for (size_t j = 0; j < 10; ++j) {
      const double step = number(*turned_scales, j);
      const double value = std::sin(static_cast<double>(j * 16 + i) * 0.9);
      CHECK(std::abs(static_cast<int8_t>(turned->data[i * 10 + j]) * step - value) <= step * 0.5 + 1e-6);
    }
  }
  CHECK(number(*named("x_scale"), 0) == Approx(4.0 / 127));
  for (const Constant& constant : model.raw().graph.initializers) {
    const absl::string_view name = model.text(constant.name);
    CHECK((name != "w" && name != "v" && name != "u"));  // nobody reads them any more
  }
}

TEST_CASE("what cannot be written is refused in words") {
  const auto refused = [](const Applied& applied, absl::string_view says) {
    REQUIRE_FALSE(applied.result.ok());
    const Diagnostic error = DiagnosticOf(applied.result.status());
    INFO(error.message << " " << error.remedy);
    CHECK(error.code == Code::kUsage);
    CHECK(absl::StrContains(error.message, says));
    CHECK(!error.remedy.empty());
  };
  TensorRanges some = AllRanges();
  some.erase("r");
  refused(Apply(ModelBytes(), "jetson-orin", some), "the ranges lack r");
  refused(Apply(ModelBytes(), "jetson-orin", AllRanges(), {"int8", "fp16"}), "nothing says which layers may be int8");
  refused(Apply(ModelBytes(), "jetson-orin", AllRanges(), {"fp16"}), "no layer of the plan is int8");
  refused(Apply(ModelBytes(), "tda4vm", AllRanges(), {"w8a16"}), "Q/DQ are not written for a layer at w8a16");
  refused(Apply(ModelBytes(11), "jetson-orin", AllRanges()), "operator set 11");
  const std::string drawn = test::ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[4, 64] x) => (y) "
      "{ w = RandomNormal<shape = [64, 64]>() a = Abs(w) y = MatMul(x, a) }");
  const Applied applied = Apply(drawn, "jetson-orin", AllRanges());
  CHECK((!applied.result.ok() || applied.result->rules[0].places == 1));
  const std::string bytes = ModelBytes();
  refused(Apply(bytes, "hailo-8", AllRanges()), "takes no Q/DQ");
  const Applied once = Apply(bytes, "jetson-orin", AllRanges());
  REQUIRE(once.result.ok());
  refused(Apply(BytesOf(*once.result), "jetson-orin", AllRanges()), "has Q/DQ already");
}

TEST_CASE("ranges are read as ONNX Runtime and TensorRT write them") {
  struct Case {
    const char* text;
    double low, high;
  };
  const auto c = GENERATE(values<Case>({
      {R"({"x": {"lowest": {"data": -1.5, "dtype": "float32", "CLS": "numpy.array"},
                 "highest": {"data": 2.5, "dtype": "float32", "CLS": "numpy.array"}, "CLS": "TensorData"}})",
       -1.5, 2.5},
      {R"({"x": {"lowest": {"data": [-1.5, 0]}, "highest": {"data": [2.0, 2.5]}, "CLS": "TensorData"}})", -1.5, 2.5},
      {R"({"CLS": "TensorsData", "data": {"x": {"lowest": -1.5, "highest": 2.5}}})", -1.5, 2.5},
      {R"({"x": [-1.5, 2.5]})", -1.5, 2.5},
      {"TRT-8501-EntropyCalibration2\nx: 3c010a14\na:b: 3f800000\n", -127 * 0.00787593, 127 * 0.00787593},
  }));
  INFO(c.text);
  const auto ranges = ParseRanges(c.text, "file");
  INFO(ranges.status());
  REQUIRE(ranges.ok());
  REQUIRE(ranges->contains("x"));
  CHECK(ranges->at("x").low == Approx(c.low).epsilon(1e-5));
  CHECK(ranges->at("x").high == Approx(c.high).epsilon(1e-5));
}

TEST_CASE("ranges that cannot be read name the file") {
  for (const char* text : {"", "x 3.5\n", "{", "[]", R"({"x": 1})", R"({"x": {"lowest": 1}})", R"({"x": [2, 1]})",
                           "TRT-8501\nx: y\n", "TRT-8501\nx\n", R"({"x": {"lowest": "a", "highest": 1}})"}) {
    INFO(text);
    const auto ranges = ParseRanges(text, "file");
    REQUIRE_FALSE(ranges.ok());
    const Diagnostic error = DiagnosticOf(ranges.status());
    CHECK(error.code == Code::kUsage);
    CHECK(absl::StrContains(error.message, "file"));
  }
}

}  // namespace
}  // namespace hwest
