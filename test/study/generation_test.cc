#include "hwest/generation.h"

#include <memory>
#include <string>
#include <tuple>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

std::shared_ptr<const Graph> GraphOf(const std::string& inputs, const std::string& outputs, const std::string& body) {
  return std::make_shared<const Graph>(test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (" +
                                                           inputs + ") => (" + outputs + ") { " + body + " }"));
}

// Keys of two heads of four elements; scores of the new tokens against all of them.
std::shared_ptr<const Graph> Decoder(const std::string& step = "seq") {
  return GraphOf("float[b, " + step + ", 2, 4] x, float[b, 2, past, 4] old, float[b, total] mask", "k, y",
                 "q = Transpose<perm = [0, 2, 1, 3]>(x)  k = Concat<axis = 2>(old, q)"
                 "  t = Transpose<perm = [0, 1, 3, 2]>(k)  s = MatMul(q, t)  m = ReduceSum(mask)  y = Add(s, m)");
}

AnalysisRequest OnCpu() {
  AnalysisRequest request;
  request.target = "x86-avx2";
  return request;
}

TEST_CASE("the cache is what an output continues, and the other sizes follow") {
  const auto cache = FindCache(Decoder(), OnCpu());
  INFO(cache.status());
  REQUIRE(cache.ok());
  CHECK(cache->past == "past");
  CHECK(cache->step == "seq");
  CHECK(cache->totals == std::vector<std::string>{"total"});
  CHECK(cache->sizes == std::vector<std::pair<std::string, int64_t>>{{"b", 1}});
  CHECK(cache->inputs.size() == 1);
  const AnalysisRequest step = StepOf(*cache, OnCpu(), 3, 5);
  CHECK(step.bind.dims ==
        std::vector<std::pair<std::string, int64_t>>{{"past", 5}, {"seq", 3}, {"total", 8}, {"b", 1}});
}

TEST_CASE("rows by context are whole analyses of a prompt and of a token") {
  const auto graph = Decoder();
  const auto cache = FindCache(graph, OnCpu());
  REQUIRE(cache.ok());
  const auto rows = ByContext(graph, OnCpu(), *cache, {64, 4096}, nullptr);
  INFO(rows.status());
  REQUIRE(rows.ok());
  REQUIRE(rows->size() == 2);
  for (const GenerationRow& row : *rows) {
    INFO(row.context);
    const auto prompt = Analyze(graph, StepOf(*cache, OnCpu(), row.context, 0));
    const auto token = Analyze(graph, StepOf(*cache, OnCpu(), 1, row.context));
    CHECK(row.first_token_s == prompt->plan->latency_s);
    CHECK(row.token_s == token->plan->latency_s);
    CHECK(row.token_low_s == token->plan->latency_low_s);
    CHECK(row.first_token_high_s == prompt->plan->latency_high_s);
    CHECK(row.token_j == token->plan->energy_j);
    CHECK(row.cache_bytes == 2 * row.context * 4 * 4);
    CHECK(row.peak_memory_bytes == token->plan->peak_memory_bytes);
  }
  CHECK((*rows)[1].token_s > (*rows)[0].token_s);
  CHECK(*(*rows)[1].first_token_s > *(*rows)[0].first_token_s);
}

TEST_CASE("a file that fixes the tokens of a step has no first token") {
  const auto graph = Decoder("2");
  const auto cache = FindCache(graph, OnCpu());
  INFO(cache.status());
  REQUIRE(cache.ok());
  CHECK(cache->step.empty());
  CHECK(cache->fixed_step == 2);
  const auto rows = ByContext(graph, OnCpu(), *cache, {16}, nullptr);
  REQUIRE(rows.ok());
  CHECK_FALSE(rows->front().first_token_s.has_value());
  const auto step = Analyze(graph, StepOf(*cache, OnCpu(), 2, 16));
  CHECK(rows->front().token_s == step->plan->latency_s / 2);
}

TEST_CASE("caches of several lengths hold as many tokens, or their window") {
  const auto cache = [](const std::string& window) {
    return FindCache(
        std::make_shared<const Graph>(test::GraphFromText(
            "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> agraph (float[1, s, 16] q, "
            "float[1, 4, p, 4] a, float[1, 4, p, 4] b, float[1, 4, r, 4] c, float[1, 4, r, 4] d) => (y, z, "
            "k, l, m, n) { y, k, l = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 4" +
            window +
            ">(q, q, q, a, b) z, m, n = com.microsoft.GroupQueryAttention<num_heads = 4, "
            "kv_num_heads = 4>(q, q, q, c, d) }")),
        OnCpu());
  };
  for (const auto& [window, past, of_other] :
       {std::tuple{"", "p", 100}, std::tuple{", local_window_size = 8", "r", 8}}) {
    INFO(window);
    const auto found = cache(window);
    INFO(found.status());
    REQUIRE(found.ok());
    CHECK(found->past == past);
    REQUIRE(found->pasts.size() == 1);
    const AnalysisRequest step = StepOf(*found, OnCpu(), 1, 100);
    CHECK(step.bind.dims[0] == std::pair<std::string, int64_t>{past, 100});
    CHECK(step.bind.dims[1] == std::pair<std::string, int64_t>{found->pasts[0].first, of_other});
  }
}

TEST_CASE("a graph without a cache that grows is refused") {
  struct Row {
    std::string inputs, outputs, body, message;
  };
  const Row rows[] = {
      {"float[b, seq, 4] x", "y", "y = Relu(x)", "keeps no key/value cache"},
      {"float[b, 2, 1, 4] q, float[b, 2, 8, 4] old", "k", "k = Concat<axis = 2>(old, q)", "keeps no key/value cache"},
      {"float[2, p, 4] old, float[2, p, 4] other, float[2, s, 4] q, float[2, r, 4] z", "k, l",
       "k = Concat<axis = 1>(old, q)  l = Concat<axis = 1>(other, z)", "steps of their own"},
  };
  for (const Row& row : rows) {
    const auto cache = FindCache(GraphOf(row.inputs, row.outputs, row.body), OnCpu());
    REQUIRE_FALSE(cache.ok());
    CHECK(DiagnosticOf(cache.status()).code == Code::kUsage);
    CHECK_THAT(DiagnosticOf(cache.status()).message, Contains(row.message));
  }
}

TEST_CASE("the cache has the type that the file declares, whatever computes on it") {
  const auto graph = GraphOf("float16[b, seq, 2, 4] x, float16[b, 2, past, 4] old", "k, y",
                             "q = Transpose<perm = [0, 2, 1, 3]>(x)  k = Concat<axis = 2>(old, q)"
                             "  t = Transpose<perm = [0, 1, 3, 2]>(k)  y = MatMul(q, t)");
  for (const char* target : {"x86-avx2", "rk3588", "jetson-orin"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const auto cache = FindCache(graph, request);
    REQUIRE(cache.ok());
    const auto rows = ByContext(graph, request, *cache, {64, 1 << 20}, nullptr);
    INFO(rows.status());
    REQUIRE(rows.ok());
    for (const GenerationRow& row : *rows) CHECK(row.cache_bytes == 2 * row.context * 4 * 2);
    // On the CPU: the new keys, transposed in fp32, and the scores; with keys in fp32 it would be 4.5 times the cache.
    CHECK(rows->back().peak_memory_bytes >= 2 * rows->back().cache_bytes);
    CHECK(rows->back().peak_memory_bytes < 4 * rows->back().cache_bytes);
  }
}

// A layer over the whole cache: an accelerator takes it at long contexts only, with narrower weights.
std::shared_ptr<const Graph> OverTheCache() {
  return GraphOf("float[b, past, 1024] old, float[b, seq, 1024] x", "k, y",
                 "s = Constant<value = int64[2] {1024, 1024}>()  w = ConstantOfShape(s)"
                 "  k = Concat<axis = 1>(old, x)  h = MatMul(k, w)  y = ReduceMax<axes = [1]>(h)");
}

TEST_CASE("tokens of every length are made by one deployed model, so memory never falls") {
  const auto graph = OverTheCache();
  for (const char* target : {"rk3588", "jetson-orin", "sa8295p", "tda4vm", "x86-avx2"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const auto cache = FindCache(graph, request);
    REQUIRE(cache.ok());
    const std::vector<int64_t> contexts = {1, 16, 64, 256, 512};
    const auto rows = ByContext(graph, request, *cache, contexts, nullptr);
    INFO(rows.status());
    REQUIRE(rows.ok());
    for (size_t i = 1; i < rows->size(); ++i) {
      CHECK((*rows)[i].peak_memory_bytes >= (*rows)[i - 1].peak_memory_bytes);
      CHECK((*rows)[i].token_s >= (*rows)[i - 1].token_s);
    }
    const auto best = Analyze(graph, StepOf(*cache, request, 1, contexts.front()));
    CHECK(rows->front().token_s >= best->plan->latency_s);
    CHECK(rows->back().token_s == Analyze(graph, StepOf(*cache, request, 1, contexts.back()))->plan->latency_s);
  }
}

TEST_CASE("the sizes that the error proposes for a cache agree") {
  const auto refused = Analyze(Decoder(), OnCpu());
  REQUIRE_FALSE(refused.ok());
  const Diagnostic diagnostic = DiagnosticOf(refused.status());
  CHECK(diagnostic.code == Code::kFreeDims);
  CHECK_THAT(diagnostic.message, Contains("--context"));
  CHECK_THAT(diagnostic.remedy, Contains("--dim b=1") && Contains("--dim seq=1") && Contains("--dim past=512") &&
                                    Contains("--dim total=513"));
}

// A table of 1000 tokens, read by rows and, when `tied`, as the weights of the last product.
Analysis Tied(const std::string& target, const std::string& rest) {
  AnalysisRequest request;
  request.target = target;
  auto analysis = Analyze(GraphOf("int64[1, 4] ids", "y",
                                  "s = Constant<value = int64[2] {64, 1000}>()  w = ConstantOfShape(s)"
                                  "  t = Transpose(w)  e = Gather(t, ids)  " +
                                      rest),
                          request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

TEST_CASE("a tied table is deployed once") {
  CHECK(Tied("x86-avx2", "y = MatMul(e, w)").plan->deployed_bytes == 64 * 1000 * 4);
  CHECK(Tied("jetson-orin", "y = MatMul(e, w)").plan->deployed_bytes == 64 * 1000 * 2);
  CHECK(Tied("x86-avx2", "y = Relu(e)").plan->deployed_bytes == 64 * 1000 * 4);
}

TEST_CASE("tokens per second are those of models with logits or a cache") {
  const Analysis logits = Tied("x86-avx2", "y = MatMul(e, w)");
  CHECK(logits.plan->tokens_per_s == 4 / logits.plan->interval_s);
  CHECK_FALSE(Tied("x86-avx2", "y = Relu(e)").plan->tokens_per_s.has_value());
  const auto graph = GraphOf("int64[2, 1] ids, float[2, 5, 64] old", "k, y",
                             "s = Constant<value = int64[2] {1000, 64}>()  w = ConstantOfShape(s)"
                             "  e = Gather(w, ids)  k = Concat<axis = 1>(old, e)  y = ReduceMax<axes = [1]>(k)");
  const auto cached = Analyze(graph, OnCpu());
  REQUIRE(cached.ok());
  CHECK(cached->plan->tokens_per_s == 2 / cached->plan->interval_s);
}

}  // namespace
}  // namespace hwest
