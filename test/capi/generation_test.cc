// Language models by context length, through the C ABI.
#include <cmath>
#include <string>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

hwest_context RowOf(const GenerationHandle& generation, uint64_t index) {
  hwest_context row = {};
  row.struct_size = sizeof row;
  REQUIRE(hwest_generation_context_get(generation.get(), index, &row) == HWEST_OK);
  return row;
}

hwest_totals TotalsWith(const ModelHandle& model, std::vector<const char*> dims) {
  dims.push_back(nullptr);
  hwest_options options = TargetOptions("x86-avx2");
  options.dims = dims.data();
  const AnalysisHandle analysis = AnalyzeWith(model.get(), &options);
  hwest_totals totals = TotalsOf(analysis.get());
  totals.target = totals.mode = totals.precision = nullptr;  // gone with the analysis
  return totals;
}

TEST_CASE("rows by context are the analyses of a prompt and of a token") {
  const ModelHandle model = LoadFile(kDecoder);
  const GenerationHandle generation = GenerationOf(model.get(), TargetOptions("x86-avx2"), {64, 4096});
  REQUIRE(hwest_generation_context_count(generation.get()) == 2);
  const hwest_context row = RowOf(generation, 0), longer = RowOf(generation, 1);
  const hwest_totals prompt = TotalsWith(model, {"b=1", "past=0", "seq=64", "total=64"});
  const hwest_totals token = TotalsWith(model, {"b=1", "past=64", "seq=1", "total=65"});
  CHECK((row.context == 64 && longer.context == 4096));
  CHECK(row.first_token_s == prompt.latency_s);
  CHECK(row.first_token_low_s == prompt.latency_low_s);
  CHECK(row.first_token_high_s == prompt.latency_high_s);
  CHECK(row.first_token_j == prompt.energy_j);
  CHECK(row.token_s == token.latency_s);
  CHECK(row.token_low_s == token.latency_low_s);
  CHECK(row.token_high_s == token.latency_high_s);
  CHECK(row.token_j == token.energy_j);
  CHECK(row.peak_memory_bytes == token.peak_memory_bytes);
  CHECK(row.tokens_per_s == 1 / row.token_s);
  CHECK((row.tokens_low_per_s == 1 / row.token_high_s && row.tokens_high_per_s == 1 / row.token_low_s));
  CHECK(row.cache_bytes == 2 * 64 * 4 * 4);
  CHECK((longer.first_token_s > row.first_token_s && longer.token_s > row.token_s));
}

TEST_CASE("an analysis at one context is that of a token, and its explanation, too") {
  const ModelHandle model = LoadFile(kDecoder);
  hwest_options options = TargetOptions("x86-avx2");
  options.context = 64;
  const AnalysisHandle step = AnalyzeWith(model.get(), &options);
  const hwest_totals token = TotalsWith(model, {"b=1", "past=64", "seq=1", "total=65"});
  CHECK(TotalsOf(step.get()).latency_s == token.latency_s);
  hwest_move move = {};
  move.struct_size = sizeof move;
  const ExplanationHandle explanation = Explain(step.get(), "g0");
  REQUIRE(hwest_explanation_move_get(explanation.get(), 0, &move) == HWEST_OK);
  CHECK(move.latency_s == Approx(token.latency_s));
  hwest_generation* generation = nullptr;
  const int64_t contexts[] = {64};
  CHECK(hwest_generation_create(model.get(), &options, contexts, 1, &generation) == HWEST_INVALID_ARGUMENT);
  hwest_analysis* none = nullptr;
  CHECK(hwest_analyze(LoadFile(kResnet).get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  CHECK((generation == nullptr && none == nullptr));
}

TEST_CASE("when the tokens of a run are fixed there is no first token") {
  const char* const dims[] = {"seq=2", nullptr};
  hwest_options options = TargetOptions("x86-avx2");
  options.dims = dims;
  const hwest_context row = RowOf(GenerationOf(LoadFile(kDecoder).get(), options, {16}), 0);
  CHECK(std::isnan(row.first_token_s));
  CHECK((std::isnan(row.first_token_low_s) && std::isnan(row.first_token_high_s) && std::isnan(row.first_token_j)));
  CHECK(row.token_s > 0);
}

TEST_CASE("progress is called for each run, and ends the study; so does a token") {
  const ModelHandle model = LoadFile(kDecoder);
  const int64_t contexts[] = {64, 128};
  std::vector<std::string> runs;
  hwest_options options = TargetOptions("x86-avx2");
  hwest_generation* generation = nullptr;
  SECTION("by the callback") {
    options.progress_payload = &runs;
    options.progress = [](void* payload, const char* what, uint64_t done, uint64_t total) -> int32_t {
      auto* names = static_cast<std::vector<std::string>*>(payload);
      CHECK((done == names->size() && total == 4));
      names->emplace_back(what);
      return done == 1 ? 1 : 0;
    };
    CHECK(hwest_generation_create(model.get(), &options, contexts, 2, &generation) == HWEST_CANCELLED);
    CHECK(runs == std::vector<std::string>{"a token after 128", "a prompt of 64 tokens"});
  }
  SECTION("by the token") {
    const CancelHandle cancel(Made<hwest_cancel>([](auto** out) { return hwest_cancel_create(out); }),
                              hwest_cancel_free);
    hwest_cancel_request(cancel.get());
    options.cancel = cancel.get();
    CHECK(hwest_generation_create(model.get(), &options, contexts, 2, &generation) == HWEST_CANCELLED);
  }
  CHECK(std::string(hwest_last_error_code()) == "interrupted");
  CHECK(generation == nullptr);
}

TEST_CASE("graphs without a cache, and requests that make no sense, are refused") {
  const ModelHandle decoder = LoadFile(kDecoder), resnet = LoadFile(kResnet);
  const char* const bound[] = {"past=7", nullptr};
  hwest_options on_cpu = TargetOptions("x86-avx2"), fixed = on_cpu, nowhere = TargetOptions("nowhere");
  const hwest_options no_target = TargetOptions(nullptr);
  fixed.dims = bound;
  struct Row {
    const hwest_model* model;
    const hwest_options* options;
    int64_t context;
    uint64_t count;
    hwest_status status;
    const char* says;
  };
  const Row rows[] = {
      {resnet.get(), &on_cpu, 64, 1, HWEST_INVALID_ARGUMENT, "keeps no key/value cache"},
      {decoder.get(), &fixed, 64, 1, HWEST_INVALID_ARGUMENT, "keeps no key/value cache"},
      {decoder.get(), &no_target, 64, 1, HWEST_INVALID_ARGUMENT, "needs a target"},
      {decoder.get(), nullptr, 64, 1, HWEST_INVALID_ARGUMENT, "needs a target"},
      {decoder.get(), &nowhere, 64, 1, HWEST_NOT_FOUND, "nowhere"},
      {decoder.get(), &on_cpu, 0, 1, HWEST_INVALID_ARGUMENT, "contexts cannot be '0'"},
      {decoder.get(), &on_cpu, (1 << 24) + 1, 1, HWEST_INVALID_ARGUMENT, "contexts cannot be"},
      {decoder.get(), &on_cpu, 64, 0, HWEST_INVALID_ARGUMENT, "count cannot be '0'"},
      {nullptr, &on_cpu, 64, 1, HWEST_INVALID_ARGUMENT, "model is NULL"},
  };
  for (const Row& row : rows) {
    INFO(row.says);
    hwest_generation* generation = nullptr;
    CHECK(hwest_generation_create(row.model, row.options, &row.context, row.count, &generation) == row.status);
    CHECK_THAT(hwest_last_error_message(), Catch::Matchers::Contains(row.says));
    CHECK(generation == nullptr);
  }
  hwest_generation* generation = nullptr;
  CHECK(hwest_generation_create(decoder.get(), &on_cpu, nullptr, 1, &generation) == HWEST_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace hwest::test
