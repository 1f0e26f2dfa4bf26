#!/usr/bin/env python3
"""Writes configurations of the models that rows of language models name and that have no public graph.

usage: llm_configs.py LLM.csv FOLDER

One NAME.json a model, in Hugging Face's fields, for `validate --configs FOLDER`. Sizes as in llm_sizes.py.
"""

import csv
import json
import pathlib
import sys

from llm_sizes import NAMES, sizes_of


def dense(kind, hidden, layers, heads, kv_heads, dim, inner, vocab, tied, **more):
    return {"model_type": kind, "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
            "num_key_value_heads": kv_heads, "head_dim": dim, "intermediate_size": inner, "vocab_size": vocab,
            "tie_word_embeddings": tied, "max_position_embeddings": 131072, **more}


def delta(hidden, layers, heads, kv_heads, inner, tied, values=16, **more):
    kind = "qwen3_5_moe_text" if "num_experts" in more else "qwen3_5_text"
    return dense(kind, hidden, layers, heads, kv_heads, 256, inner, 248320, tied, full_attention_interval=4,
                 attn_output_gate=True, linear_num_key_heads=16, linear_num_value_heads=values, linear_key_head_dim=128,
                 linear_value_head_dim=128, linear_conv_kernel_dim=4, **more)


def mamba(kind, hidden, pattern, heads, kv_heads, inner, state_heads, state_dim, **more):
    return dense(kind, hidden, len(pattern), heads, kv_heads, 128, inner, 131072, False,
                 hybrid_override_pattern=pattern,
                 mamba_num_heads=state_heads, mamba_head_dim=state_dim, ssm_state_size=128, n_groups=8,
                 conv_kernel=4, **more)


CONFIGS = {
    "llama-3-8b": dense("llama", 4096, 32, 32, 8, 128, 14336, 128256, False),
    "llama-3.1-70b": dense("llama", 8192, 80, 64, 8, 128, 28672, 128256, False),
    "llama-2-7b": dense("llama", 4096, 32, 32, 32, 128, 11008, 32000, False),
    "llama-2-13b": dense("llama", 5120, 40, 40, 40, 128, 13824, 32000, False),
    "llama-2-70b": dense("llama", 8192, 80, 64, 8, 128, 28672, 32000, False),
    "qwen2-1.5b": dense("qwen2", 1536, 28, 12, 2, 128, 8960, 151936, True),
    "qwen2.5-3b": dense("qwen2", 2048, 36, 16, 2, 128, 11008, 151936, True),
    "qwen2.5-7b": dense("qwen2", 3584, 28, 28, 4, 128, 18944, 152064, False),
    "qwen1.5-4b": dense("qwen2", 2560, 40, 20, 20, 128, 6912, 151936, False),
    "qwen3-1.7b": dense("qwen3", 2048, 28, 16, 8, 128, 6144, 151936, True),
    "qwen3-4b": dense("qwen3", 2560, 36, 32, 8, 128, 9728, 151936, True),
    "qwen3-8b": dense("qwen3", 4096, 36, 32, 8, 128, 12288, 151936, False),
    "minicpm-1b": dense("minicpm", 1536, 52, 24, 8, 64, 3840, 73440, True),
    "minicpm4.1-8b": dense("minicpm", 4096, 32, 32, 2, 128, 16384, 73448, False),
    "minicpm3-4b": dense("minicpm3", 2560, 62, 40, 40, 96, 6400, 73448, True, q_lora_rank=768, kv_lora_rank=256,
                         qk_nope_head_dim=64, qk_rope_head_dim=32, v_head_dim=64),
    "gpt-j-6b": dense("gptj", 4096, 28, 16, 16, 256, 16384, 50400, False),
    "jais-6.7b": dense("jais", 4096, 32, 32, 32, 128, 10923, 84992, True),
    "stablelm-3b": dense("stablelm", 2560, 32, 32, 32, 80, 6912, 50304, False),
    "lfm2.5-350m": dense("lfm2", 1024, 16, 16, 8, 64, 4608, 65536, True, full_attn_idxs=[2, 5, 8, 10, 12, 14],
                         block_auto_adjust_ff_dim=False, conv_L_cache=3),
    "lfm2.5-1.2b": dense("lfm2", 2048, 16, 32, 8, 64, 8192, 65536, True, full_attn_idxs=[2, 5, 8, 10, 12, 14],
                         block_auto_adjust_ff_dim=False, conv_L_cache=3),
    "rwkv7-1.5b": dense("rwkv7", 2048, 24, 32, 32, 64, 8192, 65536, False),
    "qwen3.5-0.8b": delta(1024, 24, 8, 2, 3584, True),
    "qwen3.5-2b": delta(2048, 24, 8, 2, 6144, True),
    "qwen3.5-4b": delta(2560, 32, 16, 4, 9216, True, 32),
    "qwen3.5-9b": delta(4096, 32, 16, 4, 12288, False, 32),
    "qwen3.5-27b": delta(5120, 64, 24, 4, 17408, False, 48),
    "qwen3.5-35b-a3b": delta(2048, 40, 16, 2, 512, False, 32, num_experts=256, num_experts_per_tok=8,
                             moe_intermediate_size=512, shared_expert_intermediate_size=512),
    "qwen3-30b-a3b": dense("qwen3_moe", 2048, 48, 32, 4, 128, 6144, 151936, False, num_experts=128,
                           num_experts_per_tok=8, moe_intermediate_size=768, decoder_sparse_step=1),
    "gpt-oss-120b": dense("gpt_oss", 2880, 36, 64, 8, 64, 2880, 201088, False, num_local_experts=128,
                          num_experts_per_tok=4, sliding_window=128),
    "mixtral-8x7b": dense("mixtral", 4096, 32, 32, 8, 128, 14336, 32000, False, num_local_experts=8,
                          num_experts_per_tok=2),
    "deepseek-ocr": dense("deepseek", 1280, 12, 10, 10, 128, 6848, 129280, False, n_routed_experts=64,
                          num_experts_per_tok=6, moe_intermediate_size=896, n_shared_experts=2,
                          first_k_dense_replace=1),
    "nemotron-3-nano-30b": mamba("nemotron_h", 2688, "ME" * 20 + "M*E" * 3 + "***", 32, 2, 1856, 64, 64,
                                 n_routed_experts=128, num_experts_per_tok=6, moe_intermediate_size=1856,
                                 n_shared_experts=1, moe_shared_expert_intermediate_size=3712),
    "nemotron-3-nano-4b": mamba("nemotron_h", 3136, "M-" * 17 + "M*" * 4, 40, 8, 12544, 96, 80),
}


def main(measurements, folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with open(measurements, encoding="utf-8", newline="") as file:
        names = {row["model"] for row in csv.DictReader(file)}
    for name in sorted(names):
        config = CONFIGS.get(sizes_of(name))
        if config is not None:
            text = json.dumps({"_name_or_path": name, **config}, indent=1)
            pathlib.Path(folder, name.rsplit("/", 1)[-1] + ".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    assert set(CONFIGS) <= {key for _, key in NAMES}
    main(*sys.argv[1:3])
