// The laws of language models: a toy worked out by hand, and what has to hold for every model, runtime and target.
#include "llm/laws.h"

#include <cmath>
#include <string>
#include <vector>

#include "hwest/llm.h"
#include "llm/setup.h"
#include "support/catch.h"

namespace hwest {
namespace {

// One layer: hidden 64, 4 heads of 16 over 2 of keys and values, an inner size of 128; 256 tokens.
Decoder ToyDecoder() {
  DecoderLayers layer;
  layer.count = 1;
  layer.heads = 4;
  layer.kv_heads = 2;
  layer.key_dim = layer.value_dim = 16;
  layer.attention_weights = 64 * 64 + 2 * 64 * 32 + 64 * 64;
  layer.mlp_weights = layer.mlp_weights_stored = 3 * 64 * 128;
  layer.mlp_width = 128;
  layer.other_weights = 2 * 64;
  layer.products = 4;
  Decoder decoder;
  decoder.name = "toy";
  decoder.vocab = 256;
  decoder.hidden = 64;
  decoder.tied_embedding = true;
  decoder.embedding_weights = decoder.head_weights = 256 * 64;
  decoder.other_weights = 64;
  decoder.layers = {layer};
  return decoder;
}

LlmConstants PlainConstants() {
  LlmConstants c{};
  c.decode_efficiency = c.prompt_weight_efficiency = 0.5;
  c.cache_efficiency = c.prompt_overlap = c.weight_copies = c.batch_overlap = 1;
  c.batch_efficiency = c.prompt_efficiency = c.attention_efficiency = c.image_efficiency = 0.25;
  return c;
}

LlmSetup ToySetup() {
  LlmSetup setup;
  setup.decoder = ToyDecoder();
  setup.constants = PlainConstants();
  setup.bits = {.block = 4.5, .attention = 4.5, .head = 8, .embedding = 8, .vector = 16, .cache = 16};
  setup.bytes_per_s = 1e9;
  setup.peak_macs_per_s = setup.attention_macs_per_s = 1e12;
  return setup;
}

const LlmShare* ShareOf(const std::vector<LlmShare>& parts, LlmPart part) {
  for (const LlmShare& share : parts) {
    if (share.part == part) return &share;
  }
  return nullptr;
}

TEST_CASE("a token of a one-layer toy, to the byte") {
  LlmSetup setup = ToySetup();
  setup.constants.decode_layer_s = 1e-6;
  setup.constants.decode_fixed_s = 2e-6;
  setup.constants.decode_head_s_per_logit = 1e-9;
  const std::vector<LlmShare> parts = TokenParts(setup, {.batch = 1, .depth = 10, .reserved = 32});
  CHECK(ShareOf(parts, LlmPart::kWeights)->bytes == (12288 + 24576) * 4.5 / 8 + (128 + 64) * 2);
  CHECK(ShareOf(parts, LlmPart::kHead)->bytes == 16384);
  CHECK(ShareOf(parts, LlmPart::kCache)->bytes == 2 * (16 + 16) * 10 * 2);
  CHECK(ShareOf(parts, LlmPart::kWeights)->macs == 36864);
  CHECK(ShareOf(parts, LlmPart::kHead)->macs == 16384);
  CHECK(SecondsOf(parts) == Approx((21120 + 16384 + 1280) / 0.5e9 + 3e-6 + 256e-9));
  CHECK(ShareOf(parts, LlmPart::kAttention) == nullptr);
}

TEST_CASE("what limits a step beside memory, by hand") {
  LlmSetup setup = ToySetup();
  const double reading = (21120 + 16384 + 1280) / 0.5e9;
  const auto step = [&setup](int64_t batch) {
    return SecondsOf(TokenParts(setup, {.batch = batch, .depth = 10, .reserved = 32}));
  };
  SECTION("unpacking: weights a cycle, of layers and of the head each") {
    setup.cycles_per_s = 1e9;
    setup.constants.decode_weights_per_cycle = 0.5;
    CHECK(step(1) == Approx((36864 + 16384) / 0.5e9 + 1280 / 0.5e9));
    setup.constants.decode_narrow_columns = 65;  // the model is 64 wide
    setup.constants.decode_narrow_share = 0.25;
    CHECK(step(1) == Approx((36864 + 16384) / 0.125e9 + 1280 / 0.5e9));
    setup.constants.decode_narrow_columns = 64;
    CHECK(step(1) == Approx((36864 + 16384) / 0.5e9 + 1280 / 0.5e9));
    setup.constants.decode_weights_per_cycle = 1000;
    CHECK(step(1) == Approx(reading));
  }
  SECTION("further requests, hidden or not") {
    CHECK(step(3) == Approx(reading + 2 * 1280 / 0.5e9));
    setup.constants.batch_overlap = 0;
    CHECK(step(1) == Approx(reading));
    CHECK(step(3) == Approx(reading + 2 * 1280 / 0.5e9 + 2 * (36864 + 16384) / 0.25e12));
  }
  SECTION("layers that keep a state") {
    DecoderLayers state = setup.decoder.layers.front();
    state.heads = state.kv_heads = 0;
    state.state_elements = 1;
    setup.decoder.layers.push_back(state);
    const double plain = step(1);
    setup.constants.decode_state_layer_s = 3e-6;
    CHECK(step(1) == Approx(plain + 3e-6));
    const auto prompt = [&setup](int64_t batch) {
      return SecondsOf(PromptParts(setup, {.tokens = 8, .batch = batch, .reserved = 32}));
    };
    const double one = prompt(1), two = prompt(2);
    setup.constants.prompt_state_bytes = 8;  // of one element, at 1 GB/s
    CHECK(prompt(1) == Approx(one + 8 * 8e-9));
    CHECK(prompt(2) == Approx(two + 2 * 8 * 8e-9));
    setup.constants.prompt_state_layer_bytes = 12;  // the least, of both requests together
    CHECK(prompt(1) == Approx(one + 8 * 12e-9));
    CHECK(prompt(2) == Approx(two + 2 * 8 * 8e-9));
  }
  SECTION("what lies between the products moves each row of each layer") {
    const auto prompt = [&setup](int64_t tokens, int64_t batch) {
      return SecondsOf(PromptParts(setup, {.tokens = tokens, .batch = batch, .reserved = 32}));
    };
    const double one = prompt(8, 1), two = prompt(8, 2);
    setup.constants.prompt_row_bytes = 50;
    const double elements = static_cast<double>(setup.decoder.hidden * LayerCount(setup.decoder));
    CHECK(prompt(8, 1) == Approx(one + 8 * elements * 50e-9));
    CHECK(prompt(8, 2) == Approx(two + 16 * elements * 50e-9));
    const std::vector<LlmShare> parts = PromptParts(setup, {.tokens = 8, .batch = 1, .reserved = 32});
    REQUIRE(ShareOf(parts, LlmPart::kActivations) != nullptr);
    CHECK(ShareOf(parts, LlmPart::kActivations)->bytes == Approx(8 * elements * 50));
  }
  SECTION("attention takes the longer of its products and its softmax, whose scores know no size of heads") {
    const auto attention = [&setup] {
      const std::vector<LlmShare> parts = PromptParts(setup, {.tokens = 8, .batch = 2, .reserved = 32});
      const LlmShare* const share = ShareOf(parts, LlmPart::kAttention);
      return share == nullptr ? 0 : share->seconds;
    };
    setup.cycles_per_s = 1e9;
    setup.constants.cache_efficiency = 1e9;
    const auto heads = static_cast<double>(setup.decoder.layers.front().heads);
    const double products = attention();
    setup.constants.attention_scores_per_cycle = 1e3;
    CHECK(attention() == products);
    setup.constants.attention_scores_per_cycle = 0.5;  // 16 rows, each of which sees 4 tokens in the mean
    CHECK(attention() == Approx(16 * 4 * heads / 0.5e9).epsilon(1e-6));
    setup.decoder.layers.front().key_dim *= 2;
    CHECK(attention() == Approx(16 * 4 * heads / 0.5e9).epsilon(1e-6));
  }
  SECTION("a prompt whose kernels read the weights again is as fast as the memory lets it") {
    const auto prompt = [&setup](int64_t tokens) {
      return SecondsOf(PromptParts(setup, {.tokens = tokens, .batch = 1, .reserved = 1024}));
    };
    setup.constants.attention_efficiency = 1e9;
    setup.constants.cache_efficiency = 1e9;
    const double fast = prompt(1024);
    setup.constants.prompt_macs_per_byte = 16;
    const double slow = prompt(1024);
    CHECK(slow > fast);
    const std::vector<LlmShare> parts = PromptParts(setup, {.tokens = 1024, .batch = 1, .reserved = 1024});
    CHECK(BoundOf(*ShareOf(parts, LlmPart::kWeights)) == "memory");
    CHECK(prompt(1024) - prompt(512) == Approx(512 * 36864 / 16e9));
    setup.bytes_per_s *= 2;
    CHECK(prompt(1024) < slow);
    setup.bytes_per_s /= 2;
    setup.constants.prompt_product_bytes = 2.5e5;  // of four
    CHECK(prompt(1024) == Approx(slow + 1e-3));
  }
  SECTION("a mixture of experts: each sees its share of the rows") {
    DecoderLayers& layer = setup.decoder.layers.front();
    layer.experts = 8;
    layer.active_experts = 2;
    layer.mlp_weights_stored = 4 * layer.mlp_weights;
    setup.bytes_per_s = 1e15;
    const auto prompt = [&setup] {
      return SecondsOf(PromptParts(setup, {.tokens = 100, .batch = 1, .reserved = 128}));
    };
    const double full = prompt();
    setup.constants.prompt_half_rows = 10;
    CHECK(prompt() == Approx(full + 10 * (12288 + 4 * 24576) / 0.25e12));
  }
  SECTION("a launch of each product, of experts together or apart") {
    DecoderLayers& layer = setup.decoder.layers.front();
    layer.experts = 8;
    layer.active_experts = 2;
    layer.mlp_weights_stored = 4 * layer.mlp_weights;
    layer.products = 5;  // two of attention, a router, two of experts
    const auto token = [&setup] { return SecondsOf(TokenParts(setup, {.batch = 1, .depth = 8, .reserved = 32})); };
    const auto prompt = [&setup] {
      return SecondsOf(PromptParts(setup, {.tokens = 100, .batch = 1, .reserved = 128}));
    };
    const double of_token = token(), of_prompt = prompt();
    setup.constants.decode_product_s = 7e-6;
    setup.constants.prompt_product_bytes = 1e5;
    CHECK(token() == Approx(of_token + 5 * 7e-6));
    CHECK(prompt() == Approx(of_prompt + 5 * 1e5 / setup.bytes_per_s));
    setup.language.experts_apart = true;  // two of eight for a token, all of them for 100
    CHECK(token() == Approx(of_token + 7 * 7e-6));
    CHECK(prompt() == Approx(of_prompt + 19 * 1e5 / setup.bytes_per_s));
  }
  SECTION("kernels that take one request at a time") {
    const double alone = step(1), three = step(3);
    setup.constants.batch_layer_s = 3e-6;
    CHECK(step(1) == Approx(alone));
    CHECK(step(3) == Approx(three + 2 * 3e-6));
  }
}

TEST_CASE("a prompt of a one-layer toy") {
  LlmSetup setup = ToySetup();
  setup.constants.prompt_half_rows = 50;
  setup.constants.prompt_layer_s = 1e-5;
  setup.constants.prompt_chunk_s = 1e-4;
  setup.constants.prompt_fixed_s = 1e-3;
  setup.language.prompt_rows.stated = 128;
  setup.peak_macs_per_s = 1e10;
  // Chunks of 128 and 72 rows, both of more arithmetic than reading.
  const double rate = 1e10 * 0.25;
  const double first = 128 * 36864 / (rate * 128 / 178), second = 72 * 36864 / (rate * 72 / 122);
  const double cache = (2 * 32 * 128 * 2 + 2 * 32 * 200 * 2) / 0.5e9;
  const std::vector<LlmShare> parts = PromptParts(setup, {.tokens = 200, .reserved = 400});
  CHECK(ShareOf(parts, LlmPart::kWeights)->seconds == Approx(first + second));
  CHECK(ShareOf(parts, LlmPart::kWeights)->by_compute);
  CHECK(ShareOf(parts, LlmPart::kCache)->seconds == Approx(cache));
  CHECK(ShareOf(parts, LlmPart::kHead)->seconds == Approx(16384 / 0.5e9));
  CHECK(ShareOf(parts, LlmPart::kLayers)->seconds == Approx(2e-5));
  CHECK(ShareOf(parts, LlmPart::kFixed)->seconds == Approx(2e-4 + 1e-3));
}

TEST_CASE("a static graph computes whole chunks and reads the whole cache") {
  LlmSetup setup = ToySetup();
  setup.language.prompt_rows.stated = 128;
  setup.language.pads_prompt = true;
  setup.language.reads_whole_cache = true;
  const LlmPrompt one{.tokens = 1, .reserved = 4096}, full{.tokens = 128, .reserved = 4096};
  CHECK(SecondsOf(PromptParts(setup, one)) == SecondsOf(PromptParts(setup, full)));
  const std::vector<LlmShare> parts = TokenParts(setup, {.batch = 1, .depth = 10, .reserved = 4096});
  CHECK(ShareOf(parts, LlmPart::kCache)->bytes == 2 * 32 * 4096 * 2);
}

TEST_CASE("memory of a one-layer toy, to the byte") {
  LlmSetup setup = ToySetup();
  setup.constants.work_bytes = 1000;
  const LlmPrompt prompt{.tokens = 8, .reserved = 100};
  const double blocks = 21120, table = 16384, head = 16384;
  CHECK(MemoryFor(setup, prompt).weights_bytes == blocks + head + table);
  CHECK(MemoryFor(setup, prompt).cache_bytes == 2 * 32 * 100 * 2);
  // Eight rows of the stream twice and of gate and up, and the logits of the last.
  CHECK(MemoryFor(setup, prompt).work_bytes == 1000 + 8 * (2 * 64 + 2 * 128) * 2 + 256 * 4);
  setup.language.embedding_in_flash = true;
  CHECK(MemoryFor(setup, prompt).weights_bytes == blocks + head);
  setup.language.embedding_in_flash = false;
  setup.language.shares_tied = true;
  CHECK(MemoryFor(setup, prompt).weights_bytes == blocks + head);
}

TEST_CASE("a token reads its experts, a prompt all that its tokens choose") {
  LlmSetup setup = ToySetup();
  DecoderLayers& layer = setup.decoder.layers[0];
  layer.experts = 8;
  layer.active_experts = 2;
  layer.mlp_weights_stored = 8 * 1000 + 24;
  layer.mlp_weights = 2 * 1000 + 24;
  const double others = 12288 * 4.5 / 8 + (128 + 64) * 2 + 24 * 4.5 / 8;
  const double of_expert = 1000 * 4.5 / 8;
  CHECK(LayerBytesRead(setup, 1) == Approx(others + 2 * of_expert));
  CHECK(LayerBytesRead(setup, 2) == Approx(others + (8 - 8 * 0.75 * 0.75) * of_expert));
  CHECK(LayerBytesRead(setup, 1e6) == Approx(others + 8 * of_expert));
  CHECK(LayerBytesStored(setup) == Approx(others + 8 * of_expert));
}

TEST_CASE("windows, states and encoders") {
  LlmSetup setup = ToySetup();
  setup.decoder.layers[0].window = 16;
  const auto cache_bytes = [&](int64_t depth) {
    return ShareOf(TokenParts(setup, {.batch = 1, .depth = depth, .reserved = depth}), LlmPart::kCache)->bytes;
  };
  CHECK(cache_bytes(1000) == cache_bytes(16));
  DecoderLayers& layer = setup.decoder.layers[0];
  layer.heads = layer.kv_heads = 0;
  layer.state_elements = 500;
  CHECK(cache_bytes(1000) == 2 * 500 * 2);
  CHECK(cache_bytes(1000) == cache_bytes(1));
  setup.decoder.encoder = EncoderPart{.weights = 1000, .macs = 500000000};
  const std::vector<LlmShare> parts = PromptParts(setup, {.tokens = 4, .reserved = 10});
  CHECK(ShareOf(parts, LlmPart::kEncoder)->seconds == Approx(5e8 / 0.25e12));
}

// Setups that differ in what a law could overlook.
std::vector<LlmSetup> ManySetups() {
  std::vector<LlmSetup> setups;
  for (const bool is_static : {false, true}) {
    for (const double peak : {1e9, 1e12}) {
      for (const int64_t experts : {0, 8}) {
        LlmSetup setup = ToySetup();
        setup.language.reads_whole_cache = setup.language.pads_prompt = is_static;
        setup.language.prompt_rows.stated = 64;
        setup.peak_macs_per_s = setup.attention_macs_per_s = peak;
        setup.constants.prompt_half_rows = 50;
        setup.constants.decode_layer_s = setup.constants.prompt_layer_s = 1e-5;
        setup.constants.decode_fixed_s = 1e-5;
        if (!is_static) setup.constants.attention_scores_per_cycle = 0.1;
        setup.cycles_per_s = 1e9;
        setup.j_per_byte = 1e-10;
        setup.mac_j = 1e-12;
        setup.static_w = 1;
        if (experts > 0) {
          DecoderLayers& layer = setup.decoder.layers[0];
          layer.experts = experts;
          layer.active_experts = 2;
          layer.mlp_weights_stored = 4 * layer.mlp_weights;
        }
        setups.push_back(setup);
      }
    }
  }
  return setups;
}

double TokenSeconds(const LlmSetup& setup, const LlmStep& step) { return SecondsOf(TokenParts(setup, step)); }
double PromptSeconds(const LlmSetup& setup, const LlmPrompt& prompt) { return SecondsOf(PromptParts(setup, prompt)); }

TEST_CASE("what bounds a token is named") {
  LlmSetup setup = ToySetup();
  const LlmStep step{.batch = 1, .depth = 10, .reserved = 10};
  const auto bound = [&] { return BoundOf(*ShareOf(TokenParts(setup, step), LlmPart::kWeights)); };
  CHECK(bound() == "memory");
  setup.constants.decode_weights_per_cycle = 1;
  setup.cycles_per_s = 1e6;
  CHECK(bound() == "unpacking");
  setup.peak_macs_per_s = 1e3;
  CHECK(bound() == "compute");
  LlmRow row;
  CHECK(BoundOf(row) == "overhead");
  row.token_parts = {{.part = LlmPart::kWeights, .seconds = 1, .bytes = 1}, {.part = LlmPart::kFixed, .seconds = 2}};
  CHECK(BoundOf(row) == "overhead");
  row.token_parts[1].seconds = 0.5;
  CHECK(BoundOf(row) == "memory");
}

TEST_CASE("more bandwidth and fewer bits never make decoding slower") {
  for (LlmSetup setup : ManySetups()) {
    const LlmStep step{.batch = 2, .depth = 100, .reserved = 200};
    const double before = TokenSeconds(setup, step);
    for (double* bits : {&setup.bits.block, &setup.bits.attention, &setup.bits.head, &setup.bits.cache}) {
      *bits /= 2;
      CHECK(TokenSeconds(setup, step) <= before);
      *bits *= 2;
    }
    setup.bytes_per_s *= 2;
    CHECK(TokenSeconds(setup, step) <= before);
  }
}

TEST_CASE("a longer context is never faster, a longer prompt never sooner") {
  for (const LlmSetup& setup : ManySetups()) {
    double last = 0;
    for (const int64_t depth : {1, 2, 63, 64, 65, 500, 5000}) {
      const double now = TokenSeconds(setup, {.batch = 1, .depth = depth, .reserved = depth});
      CHECK(now >= last);
      last = now;
    }
    last = 0;
    for (const int64_t tokens : {1, 2, 63, 64, 65, 127, 128, 129, 500, 5000}) {
      const double now = PromptSeconds(setup, {.tokens = tokens, .reserved = tokens + 100});
      CHECK(now >= last);
      last = now;
    }
    CHECK(last > PromptSeconds(setup, {.tokens = 1, .reserved = 101}));
  }
}

TEST_CASE("a batch takes no longer than its requests one by one, and no less than one") {
  for (const LlmSetup& setup : ManySetups()) {
    const double one = TokenSeconds(setup, {.batch = 1, .depth = 100, .reserved = 200});
    const double prompt = PromptSeconds(setup, {.tokens = 100, .reserved = 200});
    double last = 0;
    for (const int64_t batch : {1, 2, 3, 8, 64}) {
      const double step = TokenSeconds(setup, {.batch = batch, .depth = 100, .reserved = 200});
      CHECK(step <= static_cast<double>(batch) * one * (1 + 1e-9));
      CHECK(step >= one);
      CHECK(step / static_cast<double>(batch) <= (last == 0 ? step : last) * (1 + 1e-9));
      last = step / static_cast<double>(batch);
      CHECK(PromptSeconds(setup, {.tokens = 100, .batch = batch, .reserved = 200}) <=
            static_cast<double>(batch) * prompt * (1 + 1e-9));
    }
  }
}

TEST_CASE("energy over time is power, and keeps the cap") {
  for (LlmSetup setup : ManySetups()) {
    const std::vector<LlmShare> parts = TokenParts(setup, {.batch = 1, .depth = 100, .reserved = 200});
    const LlmJoules free = *EnergyOf(setup, parts, std::nullopt);
    CHECK(free.watts == Approx(free.joules / SecondsOf(parts)));
    CHECK(free.watts > setup.static_w);
    setup.cap_w = free.watts / 2;
    CHECK(EnergyOf(setup, parts, std::nullopt)->watts == Approx(*setup.cap_w));
    CHECK(EnergyOf(setup, parts, free.watts * 3)->watts == Approx(*setup.cap_w));
    setup.j_per_byte.reset();
    CHECK_FALSE(EnergyOf(setup, parts, std::nullopt).has_value());
  }
}

TEST_CASE("memory grows with context and batch") {
  for (const LlmSetup& setup : ManySetups()) {
    const double before = MemoryFor(setup, {.tokens = 100, .reserved = 200}).total_bytes();
    CHECK(MemoryFor(setup, {.tokens = 100, .reserved = 201}).total_bytes() > before);
    CHECK(MemoryFor(setup, {.tokens = 100, .batch = 2, .reserved = 200}).total_bytes() > before);
    CHECK(MemoryFor(setup, {.tokens = 200, .reserved = 200}).total_bytes() >= before);
  }
}

// With files of targets and runtimes

Decoder SmallLlama() {
  DecoderLayers layer;
  layer.count = 22;
  layer.heads = 32;
  layer.kv_heads = 4;
  layer.key_dim = layer.value_dim = 64;
  layer.attention_weights = 2 * 2048 * 2048 + 2 * 2048 * 256;
  layer.mlp_weights = layer.mlp_weights_stored = 3 * 2048 * 5632;
  layer.mlp_width = 5632;
  layer.other_weights = 2 * 2048;
  layer.products = 4;
  Decoder decoder;
  decoder.name = "tinyllama";
  decoder.vocab = 32000;
  decoder.hidden = 2048;
  decoder.embedding_weights = decoder.head_weights = int64_t{32000} * 2048;
  decoder.other_weights = 2048;
  decoder.max_context = 2048;
  decoder.layers = {layer};
  return decoder;
}

TEST_CASE("parts add up, totals follow from them") {
  const Target target = *ApplyMode(*LoadTarget("rk3588"), "");
  const LlmResult result = *EstimateLlm(SmallLlama(), target, {.prompts = {128, 512}, .new_tokens = 64});
  REQUIRE(result.refusal.empty());
  CHECK(result.runtime == "rkllm");
  CHECK(result.unit == "npu");
  REQUIRE(result.rows.size() == 2);
  for (const LlmRow& row : result.rows) {
    CHECK(row.token_s.value == Approx(SecondsOf(row.token_parts)));
    CHECK(row.ttft_s.value == Approx(SecondsOf(row.prompt_parts)));
    CHECK(row.token_s.low < row.token_s.value);
    CHECK(row.ttft_s.high > row.ttft_s.value);
    CHECK(row.energy->j_per_token * row.total_tokens_per_s == Approx(row.energy->power_w));
    CHECK(row.context == row.prompt + 32);
    CHECK(row.reserved == row.prompt + 64);
    CHECK(row.fits == true);
  }
  CHECK(result.largest_context == 2048);
  CHECK(result.at_largest->cache_bytes == 22.0 * 4 * 128 * 2048 * 2);
}

TEST_CASE("what a runtime does not take is refused with its reason, and what can run it is named") {
  const Target target = *ApplyMode(*LoadTarget("rk3588"), "");
  Decoder mixture = SmallLlama();
  mixture.layers[0].experts = 8;
  mixture.layers[0].active_experts = 2;
  const LlmResult refused =
      *EstimateLlm(mixture, *ApplyMode(*LoadTarget("snapdragon-8-elite"), ""), {.runtime = "genie"});
  CHECK(refused.rows.empty());
  CHECK(refused.refusal.find("does not take a mixture of experts") != std::string::npos);
  const LlmResult unknown = *EstimateLlm(SmallLlama(), target, {.runtime = "genie"});
  CHECK(unknown.refusal.find("no runtime 'genie' is stated for rk3588") == 0);
  const LlmResult format = *EstimateLlm(SmallLlama(), target, {.runtime = "rkllm", .weights = "nvfp4"});
  CHECK(format.refusal.find("has no weights 'nvfp4'") != std::string::npos);
  const LlmResult none = *EstimateLlm(SmallLlama(), *ApplyMode(*LoadTarget("ethos-u55-256"), ""), {});
  CHECK(none.refusal.find("no runtime of language models is stated") == 0);
  const LlmResult batch = *EstimateLlm(SmallLlama(), target, {.runtime = "rkllm", .batches = {4}});
  CHECK(batch.refusal.find("decodes up to 1 requests together") != std::string::npos);
}

TEST_CASE("rows of a prompt that are computed together are as asked, else as the runtime does") {
  const Target target = *ApplyMode(*LoadTarget("dgx-spark"), "");
  Decoder mixture = SmallLlama();  // its experts are read anew for every chunk
  mixture.layers[0].experts = 64;
  mixture.layers[0].active_experts = 2;
  mixture.layers[0].mlp_weights_stored = 32 * mixture.layers[0].mlp_weights;
  const auto seconds = [&](int64_t rows) {
    const LlmRequest request{.runtime = "llama.cpp-cuda", .prompts = {2048}, .prompt_rows = rows};
    return EstimateLlm(mixture, target, request)->rows[0].ttft_s.value;
  };
  CHECK(seconds(512) == seconds(0));
  CHECK(seconds(64) > seconds(512));
  CHECK(seconds(2048) < seconds(512));
}

TEST_CASE("counts that make no sense are errors") {
  const Target target = *ApplyMode(*LoadTarget("rk3588"), "");
  for (const LlmRequest& request : std::vector<LlmRequest>{{.prompts = {0}},
                                                           {.prompts = {-1}},
                                                           {.prompts = {int64_t{1} << 60}},
                                                           {.contexts = {0}},
                                                           {.batches = {0}},
                                                           {.new_tokens = 0},
                                                           {.image_tokens = -1},
                                                           {.prompt_rows = -1},
                                                           {.draft = LlmDraft{SmallLlama(), 1.5, 4}},
                                                           {.draft = LlmDraft{SmallLlama(), 0.5, 0}}}) {
    CHECK_FALSE(EstimateLlm(SmallLlama(), target, request).ok());
  }
}

TEST_CASE("formats are compared on the first row, and the chosen one is its figures") {
  const Target target = *ApplyMode(*LoadTarget("rk3576"), "");
  const LlmResult result = *EstimateLlm(SmallLlama(), target, {.runtime = "rkllm", .weights = "W8A8"});
  CHECK(result.weights == "w8a8");
  REQUIRE(result.choices.size() == 3);
  for (const LlmChoice& choice : result.choices) {
    if (choice.is_chosen) CHECK(choice.token_s == result.rows[0].token_s.value);
    CHECK(choice.is_chosen == (choice.weights == "w8a8"));
  }
}

}  // namespace
}  // namespace hwest
