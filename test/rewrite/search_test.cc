// The search: never worse than the original model or any single rule, and done at once on its own result.
#include <algorithm>

#include "rewrite/rewrite_support.h"

namespace hwest {
namespace {

using test::BytesOf;
using test::ModelFromText;
using test::RewrittenBytes;

// A block with what some accelerators refuse.
const char kBlock[] =
    "<ir_version: 9, opset_import: [\"\" : 20]> agraph (float[1, 16, 32] x) => (float[1, 16, 32] y) "
    "<float[32, 64] w, float[64, 32] v, float zero = {0}> { a = MatMul(x, w)  g = Gelu(a)  b = MatMul(g, v) "
    "s = Softmax<axis=-1>(b)  n = IsNaN(s)  y = Where(n, zero, s) }";

// Wide enough that an accelerator is the place for it.
constexpr char kWideBlock[] =
    "<ir_version: 9, opset_import: [\"\" : 20]> agraph (float[1, 128, 768] x) => (float[1, 128, 768] y) "
    "<float[768, 3072] w, float[3072, 768] v> { a = MatMul(x, w)  g = Gelu(a)  y = MatMul(g, v) }";

AnalysisRequest On(const char* target) {
  AnalysisRequest request;
  request.target = target;
  return request;
}

TEST_CASE("rewriting is never slower, and the rows add up to what it saves") {
  const std::string bytes = ModelFromText(kBlock);
  for (const char* target : {"tda4vm", "sa8295p", "rk3588", "jetson-orin", "x86-avx512", "hailo-8"}) {
    CAPTURE(target);
    const Rewritten rewritten = RewrittenBytes(bytes, On(target));
    const double before = rewritten.before->plan->latency_s, after = rewritten.after->plan->latency_s;
    CHECK(after <= before);
    double saved = 0;
    for (const AppliedRule& rule : rewritten.rules) saved += *rule.saved_s;
    CHECK(saved == Approx(before - after).margin(1e-12));
    for (const RewriteRuleInfo& rule : RewriteRuleInfos()) {
      if (rule.exactness == Exactness::kApproximate) continue;
      const Rewritten alone = RewrittenBytes(bytes, On(target), {.rules = {std::string(rule.name)}});
      CAPTURE(rule.name);
      CHECK(after <= alone.after->plan->latency_s * 1.006);  // a saving below half a percent is none
    }
  }
}

TEST_CASE("on a device that refuses Gelu the block gets faster, and the file says the same") {
  const std::string bytes = ModelFromText(kWideBlock);
  const Rewritten rewritten = RewrittenBytes(bytes, On("tda4vm"));
  REQUIRE_FALSE(rewritten.rules.empty());
  const std::string after = BytesOf(*rewritten.model);
  const auto graph = LoadModelFromMemory(after, "after.onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, On("tda4vm"));
  REQUIRE(analysis.ok());
  CHECK(analysis->plan->latency_s == rewritten.after->plan->latency_s);
  CHECK(analysis->plan->latency_s < rewritten.before->plan->latency_s);
}

TEST_CASE(
    "a file of ONNX Runtime's optimiser is estimated as what it was made of, and rewritten where compilers refuse it") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> agraph (float[1, 64, 56, 56] x) => "
      "(float[1, 64, 56, 56] y) <float[64, 64, 3, 3] w, float[64] b> { "
      "y = com.microsoft.FusedConv<activation = \"Relu\", kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(x, w, b) }");
  const auto notes = [](const Analysis& analysis) {
    return std::count_if(analysis.diagnostics.begin(), analysis.diagnostics.end(), [](const Diagnostic& diagnostic) {
      return diagnostic.message.find("FusedConv") != std::string::npos;
    });
  };
  for (const char* target : {"jetson-orin", "rk3588"}) {
    CAPTURE(target);
    const Rewritten rewritten = RewrittenBytes(bytes, On(target));
    CHECK(notes(*rewritten.before) == 1);
    CHECK(test::OperatorsOf(*rewritten.model) == "Conv Relu");
    CHECK(notes(*rewritten.after) == 0);
    CHECK(rewritten.after->plan->latency_s == Approx(rewritten.before->plan->latency_s).epsilon(0.1));
  }
  const Rewritten kept = RewrittenBytes(bytes, On("x86-avx512"));  // that runtime's own operator
  CHECK(notes(*kept.before) == 0);
  CHECK(test::OperatorsOf(*kept.model) == "FusedConv");
}

TEST_CASE("a file takes the time that was said when its constants are too large to be read") {
  // 300 numbers that are known while they are computed, as zeros and as a scale of one.
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 16, 28, 28] x) => (float[1, 300, 28, 28] y) "
      "<float[300, 16, 1, 1] w, float zero = {0}, float one = {1}, int64[1] many = {300}, int64[4] all = {1, 300, 1, "
      "1}> "
      "{ b = Expand(zero, many)  c = Conv(x, w, b)  f = Expand(one, all)  s = Mul(c, f)  y = Relu(s) }");
  const char* rule = GENERATE("pointwise_conv_to_matmul", "constants_folded");
  const char* target = GENERATE("hailo-8", "tda4vm", "jetson-orin", "sa8295p");
  INFO(rule << " " << target);
  const Rewritten rewritten = RewrittenBytes(bytes, On(target), {.rules = {rule}});
  REQUIRE(rewritten.rules.size() == 1);
  const auto graph = LoadModelFromMemory(BytesOf(*rewritten.model), "model.onnx");
  REQUIRE(graph.ok());
  const auto again = Analyze(*graph, On(target));
  REQUIRE(again.ok());
  CHECK(again->plan->latency_s == rewritten.after->plan->latency_s);
}

TEST_CASE("rewriting what was rewritten changes nothing") {
  const std::string bytes = ModelFromText(kBlock);
  for (const char* target : {"", "tda4vm", "rk3588"}) {
    CAPTURE(target);
    const std::string once = BytesOf(*RewrittenBytes(bytes, On(target)).model);
    const Rewritten again = RewrittenBytes(once, On(target));
    CHECK(again.rules.empty());
    CHECK(BytesOf(*again.model) == once);
  }
}

TEST_CASE("rules are named, refused, and approximations asked for") {
  const std::string bytes = ModelFromText(kBlock);
  const auto fails = [&](const RewriteOptions& options) {
    const auto rewritten = RewriteModelMemory(
        bytes, "m", [](const Graph&) { return absl::StatusOr<AnalysisRequest>(AnalysisRequest()); }, options, nullptr);
    return !rewritten.ok() && DiagnosticOf(rewritten.status()).code == Code::kUsage;
  };
  CHECK(fails({.rules = {"gelu_to_erff"}}));
  CHECK(fails({.no_rules = {"nothing"}}));
  CHECK(fails({.rules = {"gelu_approximated"}}));
  CHECK(RewrittenBytes(bytes, {}, {.rules = {"gelu_approximated"}, .allow_approximate = true}).rules.size() == 1);
  for (const AppliedRule& rule : RewrittenBytes(bytes, On("tda4vm"), {.no_rules = {"gelu_to_erf"}}).rules) {
    CHECK(rule.name != "gelu_to_erf");
    CHECK(rule.exactness != Exactness::kApproximate);
  }
}

TEST_CASE("rules for nodes that fall back are named without trying them") {
  const auto graph = LoadModelFromMemory(ModelFromText(kBlock), "block.onnx");
  REQUIRE(graph.ok());
  const auto refused = Analyze(*graph, On("tda4vm"));
  REQUIRE(refused.ok());
  const std::vector<std::string> rules = ApplicableRules(*refused);
  CHECK(std::find(rules.begin(), rules.end(), "gelu_to_erf") != rules.end());
  const auto taken = Analyze(*graph, On("x86-avx512"));
  REQUIRE(taken.ok());
  CHECK(ApplicableRules(*taken).empty());
}

TEST_CASE("blocks of channels whose width the file does not tell stay, and a note says so") {
  const auto notes_of = [](int channels, int padded) {
    const std::string bytes = test::ModelFromText(
        absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft.nchwc\" : 1]> agraph (float[1, ",
                     channels, ", 4, 4] x) => (float[1, ", channels, ", 4, 4] y) <float[1, ", padded,
                     ", 4, 4] a> "
                     "{ a = com.microsoft.nchwc.ReorderInput(x)  y = com.microsoft.nchwc.ReorderOutput<channels = ",
                     channels, ">(a) }"));
    const Rewritten rewritten = test::RewrittenBytes(bytes, {}, {.rules = {"blocks_to_plain"}});
    CHECK(rewritten.rules.empty() != rewritten.notes.empty());
    return rewritten.notes.size();
  };
  CHECK(notes_of(32, 32) == 1);
  CHECK(notes_of(20, 24) == 0);
  CHECK(notes_of(20, 32) == 0);
}

}  // namespace
}  // namespace hwest
