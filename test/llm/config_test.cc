#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

Decoder ReadConfig(const std::string& json) {
  const absl::StatusOr<Decoder> decoder = DecoderOfConfig(json, "toy");
  INFO(decoder.status());
  REQUIRE(decoder.ok());
  return *decoder;
}

// Layers, tables and vectors: what a framework counts as parameters.
int64_t AllParams(const Decoder& decoder) {
  int64_t vectors = decoder.other_weights;
  for (const DecoderLayers& layer : decoder.layers) vectors += layer.count * layer.other_weights;
  return StoredParams(decoder) + vectors;
}

const char* const kLlama =
    R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256,
  "tie_word_embeddings": true,  "max_position_embeddings": 131072, "torch_dtype": "bfloat16"})";

TEST_CASE("parameters of published models, as their frameworks count them") {
  struct Case {
    std::string what, json;
    int64_t all, active, cache_of_token;  // `active` without vectors
  };
  const std::vector<Case> cases = {
      {"Llama 3.2 1B", kLlama, 1'235'814'400, 1'235'746'816, 16 * 2 * 8 * 64},
      {"Qwen2.5 0.5B: biases of q, k and v",
       R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24,
           "num_attention_heads": 14, "num_key_value_heads": 2, "vocab_size": 151936, "tie_word_embeddings": true,
           "sliding_window": 32768, "use_sliding_window": false})",
       494'032'768, 493'961'216, 24 * 2 * 2 * 64},
      {"Qwen3 8B: heads of their own size",
       R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36,
           "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
           "tie_word_embeddings": false})",
       8'190'735'360, 7'568'097'280, 36 * 2 * 8 * 128},
      {"Gemma 2 2B",
       R"({"model_type": "gemma2", "hidden_size": 2304, "intermediate_size": 9216, "num_hidden_layers": 26,
           "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 256000,
           "sliding_window": 4096, "max_position_embeddings": 8192})",
       2'614'341'888, 2'614'099'968, 26 * 2 * 4 * 256},
      {"Mixtral 8x7B",
       R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
           "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
           "num_experts_per_tok": 2, "sliding_window": null, "tie_word_embeddings": false})",
       46'702'792'704, 12'748'587'008, 32 * 2 * 8 * 128},
      {"Qwen3 30B A3B",
       R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768,
           "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
           "vocab_size": 151936, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1,
           "mlp_only_layers": [], "tie_word_embeddings": false})",
       30'532'122'624, 3'041'656'832, 48 * 2 * 4 * 128},
      {"LFM2 1.2B: convolutions between attention",
       R"({"model_type": "lfm2", "hidden_size": 2048, "block_ff_dim": 12288, "block_auto_adjust_ff_dim": true,
           "block_ffn_dim_multiplier": 1.0, "block_multiple_of": 256, "num_hidden_layers": 16,
           "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 65536, "conv_L_cache": 3,
           "full_attn_idxs": [2, 5, 8, 10, 12, 14]})",
       1'170'340'608, 1'170'210'816, 6 * 2 * 8 * 64},
      {"DeepSeek V2 Lite: keys and values through one small vector",
       R"({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
           "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 102400,
           "n_routed_experts": 64, "num_experts_per_tok": 6, "n_shared_experts": 2, "first_k_dense_replace": 1,
           "moe_layer_freq": 1, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
           "qk_rope_head_dim": 64,           "v_head_dim": 128, "tie_word_embeddings": false})",
       15'706'484'224, 0, 27 * (512 + 64)},
      {"Whisper tiny",
       R"({"model_type": "whisper", "is_encoder_decoder": true, "d_model": 384, "decoder_layers": 4,
           "encoder_layers": 4, "decoder_attention_heads": 6, "encoder_attention_heads": 6,
           "decoder_ffn_dim": 1536, "encoder_ffn_dim": 1536,
           "max_source_positions": 1500, "max_target_positions": 448, "num_mel_bins": 80, "num_hidden_layers": 4,
           "vocab_size": 51865})",
       0, 19'916'160 + 4 * (6 * 384 * 384 + 2 * 384 * 1536), 4 * 2 * 384},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    const Decoder decoder = ReadConfig(c.json);
    if (c.all > 0) CHECK(AllParams(decoder) == c.all);
    if (c.active > 0) CHECK(ActiveParams(decoder) == c.active);
    CHECK(CacheElements(decoder, 1) - CacheElements(decoder, 0) == c.cache_of_token);
    CHECK(decoder.notes.empty());
  }
}

TEST_CASE("windows by the family's order or by the file's list") {
  const std::string sizes =
      R"("hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 12, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 4, "vocab_size": 50, "max_position_embeddings": 1000)";
  struct Case {
    std::string more;
    int64_t in_window, window;
  };
  for (const Case& c :
       {Case{R"("model_type": "gemma2")", 0, 0},  // 4096 are more than the model takes
        Case{R"("model_type": "gemma2", "sliding_window": 64)", 6, 64},
        Case{R"("model_type": "gemma3_text", "sliding_window": 64)", 10, 64},
        Case{R"("model_type": "gpt_oss")", 6, 128}, Case{R"("model_type": "phi3", "sliding_window": 200)", 12, 200},
        Case{R"("model_type": "qwen2", "sliding_window": 200, "use_sliding_window": false)", 0, 0},
        Case{R"("model_type": "x", "sliding_window": 8,
                                "layer_types": ["sliding_attention", "full_attention", "full_attention"])",
             4, 8}}) {
    INFO(c.more);
    const Decoder decoder = ReadConfig(absl::StrCat("{", c.more, ", ", sizes, "}"));
    int64_t in_window = 0;
    for (const DecoderLayers& layer : decoder.layers) {
      if (!layer.window) continue;
      in_window += layer.count;
      CHECK(*layer.window == c.window);
    }
    CHECK(in_window == c.in_window);
    CHECK(LayerCount(decoder) == 12);
  }
}

TEST_CASE("layers of other kinds, by hand") {
  const std::string sizes =
      R"("hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 4, "vocab_size": 50)";
  SECTION("gated delta rule in three of four layers") {
    const Decoder decoder = ReadConfig(absl::StrCat(R"({"model_type": "qwen3_5_text", "num_hidden_layers": 4,
      "full_attention_interval": 4, "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8,
      "linear_value_head_dim": 8, "linear_conv_kernel_dim": 4, )",
                                                    sizes, "}"));
    REQUIRE(decoder.layers.size() == 2);
    const DecoderLayers& delta = decoder.layers[0];
    CHECK(delta.count == 3);
    CHECK(delta.heads == 0);
    CHECK(delta.attention_weights == 16 * (16 + 16 + 32 + 32) + 16 * 2 * 4 + 32 * 16);
    CHECK(delta.state_elements == 4 * 8 * 8 + 3 * (16 + 16 + 32));
    CHECK(decoder.layers[1].attention_weights == 16 * (3 * 16 + 2 * 8));  // a gate beside the queries
    CHECK(CacheElements(decoder, 10) == 10 * 2 * 8);
  }
  SECTION("launches: products that share their input are one, mixtures of tokens keep them apart") {
    const auto launches = [&sizes](const std::string& fields) {
      const Decoder decoder = ReadConfig(absl::StrCat("{", fields, R"(, "num_hidden_layers": 2, )", sizes, "}"));
      REQUIRE(decoder.layers.size() == 1);
      return decoder.layers[0].products;
    };
    CHECK(launches(R"("model_type": "llama")") == 4);  // qkv, o, gate_up, down
    const std::string mixture = R"("num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 8)";
    CHECK(launches(absl::StrCat(R"("model_type": "qwen3_moe", )", mixture)) == 5);  // with a router
    CHECK(launches(R"("model_type": "rwkv7")") == 4 + 4 * 2 + 2);                   // r, k, v, o; four of low rank
    CHECK(launches(R"("model_type": "rwkv6")") == 5 + 3);
  }
  SECTION("layers that are a mixer or an MLP alone") {
    const Decoder decoder = ReadConfig(absl::StrCat(R"({"model_type": "nemotron_h", "num_hidden_layers": 4,
      "hybrid_override_pattern": "M-*-", "mamba_num_heads": 4, "mamba_head_dim": 8, "n_groups": 2, "ssm_state_size": 16,
      "conv_kernel": 4, )",
                                                    sizes, "}"));
    REQUIRE(decoder.layers.size() == 3);
    CHECK(decoder.layers[0].attention_weights == 16 * (32 + 32 + 2 * 2 * 16 + 4) + 32 * 16);
    CHECK(decoder.layers[0].state_elements == 32 * 16 + 3 * (32 + 2 * 2 * 16));
    CHECK(decoder.layers[0].mlp_weights == 0);
    CHECK(decoder.layers[1].count == 2);
    CHECK(decoder.layers[1].mlp_weights == 2 * 16 * 32);  // no gate
    CHECK(decoder.layers[2].mlp_weights == 0);
    CHECK(AttentionLayers(decoder) == 1);
  }
  SECTION("text_config and vision_config") {
    const Decoder decoder =
        ReadConfig(absl::StrCat(R"({"model_type": "qwen3_vl", "tie_word_embeddings": true, "text_config":
      {"model_type": "qwen3_vl_text", "num_hidden_layers": 2, )",
                                sizes, R"(}, "vision_config": {"hidden_size": 8,
      "depth": 3, "intermediate_size": 16, "patch_size": 14, "image_size": 56}})"));
    CHECK(decoder.architecture == "qwen3_vl_text");
    CHECK(decoder.tied_embedding);
    REQUIRE(decoder.vision.has_value());
    CHECK(decoder.vision->weights == 3 * (4 * 64 + 2 * 8 * 16) + 3 * 14 * 14 * 8 + 8 * 16);
    CHECK(decoder.vision->tokens == 16);
  }
  SECTION("a family that is not known is read by the usual fields and says so") {
    const Decoder decoder = ReadConfig(absl::StrCat(R"({"model_type": "new", "num_hidden_layers": 2, )", sizes, "}"));
    CHECK(StoredParams(decoder) == 2 * 800 + 2 * (768 + 1536));
    REQUIRE(decoder.notes.size() == 2);
    CHECK_THAT(decoder.notes[0], Contains("model_type new is not known"));
  }
}

TEST_CASE("a configuration that does not state a size says which") {
  struct Case {
    std::string json, message;
  };
  for (const Case& c :
       {Case{"{}", "no size `hidden_size`"},
        Case{R"({"model_type": "llama", "hidden_size": 16})", "of llama has no size `num_hidden_layers`"},
        Case{R"({"hidden_size": 16, "num_hidden_layers": 1e9, "vocab_size": 5})", "layers are more than"},
        Case{R"({"hidden_size": -4})", "`hidden_size`"}, Case{R"({"hidden_size": 1.5})", "`hidden_size`"},
        Case{R"({"hidden_size": 16, "num_hidden_layers": 1, "vocab_size": 5, "num_attention_heads": 0})",
             "`num_attention_heads`"},
        Case{R"({"hidden_size": 16, "num_hidden_layers": 1, "vocab_size": 5, "num_attention_heads": 3,
                                 "num_key_value_heads": 2})",
             "do not go together"},
        Case{R"({"hidden_size": 16, "num_hidden_layers": 1, "vocab_size": 5, "num_attention_heads": 2})",
             "`intermediate_size`"},
        Case{R"({"model_type": "nemotron_h", "hidden_size": 16, "num_hidden_layers": 3, "vocab_size": 5,
                                 "hybrid_override_pattern": "M"})",
             "`hybrid_override_pattern` has 1 layers"},
        Case{"[1, 2]", "no JSON object"}, Case{"{\"hidden_size\": ", "not complete"}, Case{"", "JSON"}}) {
    INFO(c.json);
    const absl::StatusOr<Decoder> decoder = DecoderOfConfig(c.json, "toy");
    REQUIRE_FALSE(decoder.ok());
    CHECK(DiagnosticOf(decoder.status()).code == Code::kUsage);
    CHECK_THAT(DiagnosticOf(decoder.status()).message, Contains(c.message));
    CHECK_FALSE(DiagnosticOf(decoder.status()).remedy.empty());
  }
}

TEST_CASE("sizes as large as a file may claim saturate") {
  const Decoder decoder =
      ReadConfig(R"({"model_type": "llama", "hidden_size": 2147483648, "intermediate_size": 2147483648,
    "num_hidden_layers": 4096, "num_attention_heads": 2147483648, "vocab_size": 2147483648})");
  CHECK(StoredParams(decoder) == INT64_MAX);
  CHECK(CacheElements(decoder, INT64_MAX) == INT64_MAX);
}

}  // namespace
}  // namespace hwest
