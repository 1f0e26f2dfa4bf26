"""Sizes of the language models that public measurements name: what one layer holds and does, in elements.

Those of models whose graphs are public follow from the graphs; the others are
recalled from their public configurations.
"""

KEYS = ("heads", "kv_heads", "key_dim", "value_dim", "attention", "mlp", "stored", "experts", "active", "state",
        "window", "products")


def layers(count, mixer_products=2, mlp_products=2, **sizes):
    """`products` are launches as usually fused, qkv, o, gate_up and down, those of chosen experts not among them."""
    row = dict.fromkeys(KEYS, 0)
    row.update(count=count, **sizes)
    if not row["stored"]:
        row["stored"] = row["mlp"]
    row["products"] = (mixer_products if row["attention"] else 0) + (mlp_products if row["mlp"] else 0)
    return row


def model(groups, vocab, hidden, tied):
    return {"groups": groups, "vocab": vocab, "hidden": hidden, "tied": tied}


def heads_of(count, hidden, heads, kv_heads, dim, **sizes):
    sizes.setdefault("attention", hidden * dim * (2 * heads + 2 * kv_heads))
    return layers(count, heads=heads, kv_heads=kv_heads, key_dim=dim, value_dim=dim, **sizes)


def dense(count, hidden, heads, kv_heads, dim, inner, vocab, tied, matrices=3):
    return model([heads_of(count, hidden, heads, kv_heads, dim, mlp=matrices * hidden * inner)], vocab, hidden, tied)


def of_experts(hidden, inner, experts, active, shared=0, matrices=3):
    always = matrices * hidden * shared + hidden * experts
    one = matrices * hidden * inner
    return {"mlp": one * active + always, "stored": one * experts + always, "experts": experts, "active": active,
            "mlp_products": 3 if shared else 1}


def experts(count, hidden, heads, kv_heads, dim, inner, number, active, vocab, shared=0, windows=0):
    sizes = of_experts(hidden, inner, number, active, shared)
    rows = [heads_of(count - windows, hidden, heads, kv_heads, dim, **sizes)]
    if windows:
        rows.append(heads_of(windows, hidden, heads, kv_heads, dim, window=128, **sizes))
    return model(rows, vocab, hidden, False)


def gated_delta(count, hidden, heads, kv_heads, inner, tied, value_heads=16, mixture=None):
    """Three of four layers keep a state in place of a cache."""
    mlp = of_experts(hidden, *mixture) if mixture else {"mlp": 3 * hidden * inner}
    gated = hidden * 256 * (3 * heads + 2 * kv_heads)
    full = heads_of(count // 4, hidden, heads, kv_heads, 256, attention=gated, **mlp)
    linear = hidden * (2 * 16 * 128 + 3 * value_heads * 128 + 2 * value_heads)
    rows = [full, layers(count - count // 4, attention=linear, state=value_heads * 128 * 128, **mlp)]
    return model(rows, 248320, hidden, tied)


def mamba(counts, hidden, heads, kv_heads, state_heads, state_dim, mlp, vocab=131072):
    of_state, of_cache, of_mlp = counts
    inner = state_heads * state_dim
    return model([
        layers(of_state, attention=hidden * (3 * inner + 2 * 8 * 128 + state_heads), state=inner * 128),
        heads_of(of_cache, hidden, heads, kv_heads, 128),
        layers(of_mlp, **mlp)], vocab, hidden, False)


def short_convolutions(hidden, heads, inner, vocab=65536):
    mlp = 3 * hidden * inner
    return model([heads_of(6, hidden, heads, 8, 64, mlp=mlp),
                  layers(10, attention=4 * hidden * hidden, state=3 * hidden, mlp=mlp)], vocab, hidden, True)


MODELS = {
    "llama-3-8b": dense(32, 4096, 32, 8, 128, 14336, 128256, False),
    "llama-3.2-3b": dense(28, 3072, 24, 8, 128, 8192, 128256, True),
    "llama-3.2-1b": dense(16, 2048, 32, 8, 64, 8192, 128256, True),
    "llama-3.1-70b": dense(80, 8192, 64, 8, 128, 28672, 128256, False),
    "llama-2-7b": dense(32, 4096, 32, 32, 128, 11008, 32000, False),
    "llama-2-13b": dense(40, 5120, 40, 40, 128, 13824, 32000, False),
    "llama-2-70b": dense(80, 8192, 64, 8, 128, 28672, 32000, False),
    "tinyllama-1.1b": dense(22, 2048, 32, 4, 64, 5632, 32000, False),
    "baichuan2-7b": dense(32, 4096, 32, 32, 128, 11008, 125696, False),
    "qwen2.5-0.5b": dense(24, 896, 14, 2, 64, 4864, 151936, True),
    "qwen2-1.5b": dense(28, 1536, 12, 2, 128, 8960, 151936, True),
    "qwen2.5-3b": dense(36, 2048, 16, 2, 128, 11008, 151936, True),
    "qwen2.5-7b": dense(28, 3584, 28, 4, 128, 18944, 152064, False),
    "qwen1.5-0.5b": dense(24, 1024, 16, 16, 64, 2816, 151936, True),
    "qwen1.5-1.8b": dense(24, 2048, 16, 16, 128, 5504, 151936, False),
    "qwen1.5-4b": dense(40, 2560, 20, 20, 128, 6912, 151936, False),
    "qwen3-1.7b": dense(28, 2048, 16, 8, 128, 6144, 151936, True),
    "qwen3-4b": dense(36, 2560, 32, 8, 128, 9728, 151936, True),
    "qwen3-8b": dense(36, 4096, 32, 8, 128, 12288, 151936, False),
    "minicpm-1b": dense(52, 1536, 24, 8, 64, 3840, 73440, True),
    "minicpm-2b": dense(40, 2304, 36, 36, 64, 5760, 122753, True),
    "minicpm4-0.5b": dense(24, 1024, 16, 2, 64, 4096, 73448, True),
    "minicpm4.1-8b": dense(32, 4096, 32, 2, 128, 16384, 73448, False),
    "granite-3.1-8b": dense(40, 4096, 32, 8, 128, 12800, 49155, True),
    "gpt-j-6b": dense(28, 4096, 16, 16, 256, 16384, 50400, False, matrices=2),
    "jais-6.7b": dense(32, 4096, 32, 32, 128, 10923, 84992, True),
    "stablelm-3b": dense(32, 2560, 32, 32, 80, 6912, 50304, False),
    "lfm2.5-350m": short_convolutions(1024, 16, 4608),
    "lfm2.5-1.2b": short_convolutions(2048, 32, 8192),
    "minicpm3-4b": model([layers(62, mixer_products=4, heads=40, kv_heads=40, key_dim=96, value_dim=64,
                                 mlp=3 * 2560 * 6400,
                                 attention=2560 * 768 + 768 * 40 * 96 + 2560 * 288 + 256 * 40 * 128 + 2560 * 2560)],
                         73448, 2560, True),
    "rwkv7-1.5b": model([layers(24, mixer_products=12, attention=4 * 2048 * 2048 + 2 * 2048 * 512, mlp=2 * 2048 * 8192,
                                state=32 * 64 * 64)], 65536, 2048, False),
    "qwen3.5-0.8b": gated_delta(24, 1024, 8, 2, 3584, True),
    "qwen3.5-2b": gated_delta(24, 2048, 8, 2, 6144, True),
    "qwen3.5-4b": gated_delta(32, 2560, 16, 4, 9216, True, 32),
    "qwen3.5-9b": gated_delta(32, 4096, 16, 4, 12288, False, 32),
    "qwen3.5-27b": gated_delta(64, 5120, 24, 4, 17408, False, 48),
    "qwen3.5-35b-a3b": gated_delta(40, 2048, 16, 2, 0, False, 32, (512, 256, 8, 512)),
    "qwen3-30b-a3b": experts(48, 2048, 32, 4, 128, 768, 128, 8, 151936),
    "gpt-oss-20b": experts(24, 2880, 64, 8, 64, 2880, 32, 4, 201088, windows=12),
    "gpt-oss-120b": experts(36, 2880, 64, 8, 64, 2880, 128, 4, 201088, windows=18),
    "mixtral-8x7b": experts(32, 4096, 32, 8, 128, 14336, 8, 2, 32000),
    "deepseek-ocr": experts(12, 1280, 10, 10, 128, 896, 64, 6, 129280, shared=1792),
    "nemotron-3-nano-30b": mamba((23, 6, 23), 2688, 32, 2, 64, 64, of_experts(2688, 1856, 128, 6, 3712, 2)),
    "nemotron-3-nano-4b": mamba((21, 4, 17), 3136, 40, 8, 96, 80, {"mlp": 2 * 3136 * 12544}),
}

# What the published names hold, in this order, and the sizes they stand for.
NAMES = (
    ("35B-A3B", "qwen3.5-35b-a3b"), ("30B-A3B-R", "nemotron-3-nano-30b"), ("Nano-30B", "nemotron-3-nano-30b"),
    ("Omni-30B", "nemotron-3-nano-30b"), ("Nano-4B", "nemotron-3-nano-4b"), ("Qwen3-30B-A3B", "qwen3-30b-a3b"),
    ("Qwen3.5-0.8B", "qwen3.5-0.8b"), ("Qwen3.5-2B", "qwen3.5-2b"), ("Qwen3.5-4B", "qwen3.5-4b"),
    ("Qwen3.5-9B", "qwen3.5-9b"), ("Qwen3.5-27B", "qwen3.5-27b"), ("Qwen3.6-27B", "qwen3.5-27b"),
    ("Qwen3-VL-2B", "qwen3-1.7b"), ("Qwen3-VL-4B", "qwen3-4b"), ("Qwen3-VL-8B", "qwen3-8b"), ("Bonsai-4B", "qwen3-4b"),
    ("Bonsai-8B", "qwen3-8b"), ("Qwen3-4B", "qwen3-4b"), ("Qwen3-8B", "qwen3-8b"), ("gpt-oss-20b", "gpt-oss-20b"),
    ("gpt-oss-120b", "gpt-oss-120b"), ("Llama-3.2-3B", "llama-3.2-3b"), ("Llama-3.2-1B", "llama-3.2-1b"),
    ("TinyLlama", "tinyllama-1.1b"), ("Qwen2-0.5B", "qwen2.5-0.5b"), ("Qwen2.5-0.5B", "qwen2.5-0.5b"),
    ("Qwen2-VL-2B", "qwen2-1.5b"), ("Qwen2.5-VL-3B", "qwen2.5-3b"), ("Qwen2.5-3B", "qwen2.5-3b"),
    ("Coder-3B", "qwen2.5-3b"), ("SmallThinker-3B", "qwen2.5-3b"), ("MiniCPM-V-2_6", "qwen2.5-7b"),
    ("Qwen2.5-VL-7B", "qwen2.5-7b"), ("Qwen2.5-7B", "qwen2.5-7b"), ("Qwen2-7B", "qwen2.5-7b"),
    ("Qwen1.5-0.5B", "qwen1.5-0.5b"), ("Qwen1.5-1.8B", "qwen1.5-1.8b"), ("Qwen1.5-4B", "qwen1.5-4b"),
    ("MiniCPM4-0.5B", "minicpm4-0.5b"), ("MiniCPM4.1-8B", "minicpm4.1-8b"), ("MiniCPM3-4B", "minicpm3-4b"),
    ("MiniCPM-1B", "minicpm-1b"), ("MiniCPM-2B", "minicpm-2b"), ("RWKV7-1.5B", "rwkv7-1.5b"),
    ("DeepSeekOCR", "deepseek-ocr"), ("DeepSeek-OCR", "deepseek-ocr"), ("Baichuan2-7B", "baichuan2-7b"),
    ("Llama-3.1-70B", "llama-3.1-70b"), ("Llama-2-70b", "llama-2-70b"), ("Llama-2-13b", "llama-2-13b"),
    ("Llama-2-7b", "llama-2-7b"), ("Llama-3-8B", "llama-3-8b"), ("Llama-3.1-8B", "llama-3-8b"),
    ("SEA-LION", "llama-3-8b"), ("TAIDE-LX-8B", "llama-3-8b"), ("ELYZA-JP-8B", "llama-3-8b"),
    ("granite-3.1-8b", "granite-3.1-8b"), ("gpt-j-6b", "gpt-j-6b"), ("jais-family-6p7b", "jais-6.7b"),
    ("stablelm-3b", "stablelm-3b"), ("LFM2.5-350M", "lfm2.5-350m"), ("LFM2.5-1.2B", "lfm2.5-1.2b"),
    ("Mixtral-8x7B", "mixtral-8x7b"),
)


def sizes_of(name):
    """Key of MODELS for a published name, or None."""
    return next((key for part, key in NAMES if part in name), None)
