#include "llm/families.h"

#include "absl/strings/str_split.h"

namespace hwest {
namespace {

// clang-format off
constexpr Family kFamilies[] = {
    {.names = "llama granite granitemoe granitemoehybrid granitehybrid baichuan minicpm minicpm4 "
              "stablelm plamo exaone olmo olmo2 olmoe internlm2 yi aquila smollm3 arcee helium cohere command-r "
              "deepseek deepseek2 deepseek_v2 deepseek_v3 minicpm3 mamba mamba2 rwkv rwkv5 rwkv6 rwkv7 ernie4_5 "
              "hunyuan hunyuan_v1_dense hunyuan-dense bailing seed_oss"},
    {.names = "mistral ministral ministral3 mixtral phi3 phi-3 phimoe", .full_every = 0},
    {.names = "qwen2 qwen2moe qwen2_moe qwen2_vl qwen2vl qwen2_5_vl qwen2_5_vl_text qwen2_vl_text", .qkv_bias = true},
    {.names = "qwen3 qwen3moe qwen3_moe qwen3_vl_text qwen3vl qwen3vlmoe qwen3_vl_moe_text", .key_norms = true},
    {.names = "qwen3_next qwen3next qwen3_5 qwen3_5_text qwen35 qwen3_5_moe qwen3_5_moe_text qwen35moe",
     .key_norms = true, .gates_attention = true},
    {.names = "gemma", .ties = true},
    {.names = "gemma2", .ties = true, .full_every = 2, .window = 4096, .norms = 4},
    {.names = "gemma3 gemma3_text", .ties = true, .full_every = 6, .window = 1024, .norms = 4, .key_norms = true,
     .heads = 8, .kv_heads = 4, .head_dim = 256, .vocab = 262208},
    {.names = "gpt_oss gpt-oss", .full_every = 2, .window = 128},
    {.names = "lfm2 lfm2moe lfm2_moe", .ties = true, .key_norms = true},
    {.names = "gpt2", .gated = false, .ties = true, .qkv_bias = true, .learns_positions = true},
    {.names = "jais", .ties = true, .qkv_bias = true},
    {.names = "gptj gpt_neox gptneox phi phi2 starcoder2 bloom", .gated = false, .qkv_bias = true},
    {.names = "nemotron nemotron_h nemotron_h_moe falcon", .gated = false},
    {.names = "opt", .gated = false, .ties = true, .qkv_bias = true, .learns_positions = true},
    {.names = "whisper marian bart mbart m2m_100", .gated = false, .ties = true, .qkv_bias = true,
     .learns_positions = true},
    {.names = "t5 mt5", .gated = false, .ties = true},
};
// clang-format on
constexpr Family kUnknown{};

}  // namespace

const Family& FamilyOf(absl::string_view name) {
  for (const Family& family : kFamilies) {
    for (const absl::string_view known : absl::StrSplit(family.names, ' ')) {
      if (known == name) return family;
    }
  }
  return kUnknown;
}

bool LooksAtAll(const Family& family, int64_t index) {
  return family.full_every > 0 && (index + 1) % family.full_every == 0;
}

}  // namespace hwest
