#include "hwest/generation.h"

#include <memory>
#include <string>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

std::shared_ptr<const Graph> GraphOf(const std::string& inputs, const std::string& outputs, const std::string& body) {
  return std::make_shared<const Graph>(test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (" + inputs + ") => (" + outputs + ") { " + body + " }"));
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

TEST_CASE("a graph without a cache of one length is refused") {
  struct Row {
    std::string inputs, outputs, body, message;
  };
  const Row rows[] = {
      {"float[b, seq, 4] x", "y", "y = Relu(x)", "keeps no key/value cache"},
      {"float[b, 2, 1, 4] q, float[b, 2, 8, 4] old", "k", "k = Concat<axis = 2>(old, q)", "keeps no key/value cache"},
      {"float[2, s, 4] q, float[2, p, 4] old, float[2, r, 4] other", "k, l",
       "k = Concat<axis = 1>(old, q)  l = Concat<axis = 1>(other, q)", "lengths of their own"},
  };
  for (const Row& row : rows) {
    const auto cache = FindCache(GraphOf(row.inputs, row.outputs, row.body), OnCpu());
    REQUIRE_FALSE(cache.ok());
    CHECK(DiagnosticOf(cache.status()).code == Code::kUsage);
    CHECK_THAT(DiagnosticOf(cache.status()).message, Contains(row.message));
  }
}

}  // namespace
}  // namespace hwest
