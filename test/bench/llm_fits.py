#!/usr/bin/env python3
"""Fits the constants of language-model runtimes to published rows and prints how far they miss others.

usage: llm_fits.py LLM.csv [RUNTIME...] [--models] [--write] [--program ONNX_HWEST --roots MODELS CONFIGS]
needs numpy and scipy

A constant is shared by all devices of a runtime; a device has its own where its rows demand one: its logarithm departs
from the shared one against a prior. Errors are of rows whose model, or whose device, the fit has not seen. With --write
the constants go into lib/target/toolchain (shared) and lib/target/data (own). --models prints the errors of each model.
The laws are those of lib/llm/laws.cc. With --program the built program predicts the rows, memory among them, and the
medians of what it misses are printed by runtime.

Widths of intervals: 80 % of the rows of a model, or of a device, that was left out have to lie within the interval
whose width follows from the others alone.
"""

import argparse
import csv
import dataclasses
import json
import math
import pathlib
import re
import subprocess
import sys

import numpy as np
from llm_sizes import MODELS, sizes_of
from llm_write import write
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parents[2] / "lib" / "target"
WEIGHT_OF_TRUST = {"A": 1.0, "B": 0.6, "C": 0.3}
NOISE = 0.1         # of a row, ln
OF_80 = 1.2815515655446004
LEAST_ROWS = 5      # of a device that gets constants of its own
APART = 10.         # standard deviation of the ln of a kernel that is not of the shared kind: any
UNSEEN = {"token": 1.4, "prompt": 1.7}  # width on a device without rows over that on one with rows, where one has any


def machine(bandwidth, cores, clock, **macs_per_cycle):
    return {"bw": bandwidth, "cycles": cores * clock, **{k: v * cores * clock for k, v in macs_per_cycle.items()}}


def ampere(bandwidth, cores, clock):
    return machine(bandwidth, cores, clock, fp16=512, int8=1024, fp8=1024)


# As the targets' files state them in the modes that were measured; devices without a target as published.
MACHINES = {
    "RK3588": machine(33.8e9, 3, 1e9, int8=1024, fp16=512),
    "RK3576": machine(16.9e9, 2, 0.95e9, int8=1536, fp16=768),
    "RV1126B": machine(8.5e9, 1, 1e9, int8=1500, fp16=750),
    # Kernels for int4 weights multiply with the instructions of a warp, which Blackwell's fifth tensor cores run at a
    # quarter of their rate.
    "Jetson AGX Thor": machine(273e9, 20, 1.575e9, fp16=4096, warp16=1024, fp8=8192, int8=8192, fp4=16384),
    "DGX Spark": machine(273e9, 48, 2.523e9, fp16=512, fp8=1024, int8=1024, fp4=2048),
    "Jetson AGX Orin 64GB": machine(204.8e9, 16, 1.3005e9, fp16=1024, int8=2048),
    "Jetson Orin Nano 8GB": machine(102.4e9, 8, 1.02e9, fp16=1024, int8=2048),
    "Snapdragon 8 Elite": machine(84.8e9, 1, 2.3e9, int8=8192, int16=4096, fp16=4096),
    "Snapdragon 8 Elite Gen 5": machine(84.8e9, 1, 2.9e9, int8=11264, int16=5632, fp16=5248),
    "Snapdragon 8 Gen 3": machine(76.8e9, 1, 1.9e9, int8=8192, int16=4096, fp16=4096),
    "SA8295P": machine(67e9, 1, 1.4e9, int8=4096, int16=2048, fp16=2048),
    "SA8775P": machine(128e9, 1, 1.5e9, int8=8192, int16=4096, fp16=2048),
    "SA8255P": machine(96e9, 1, 1.5e9, int8=4096, int16=2048, fp16=1024),
    "Core Ultra 7 258V": machine(136.5e9, 8, 1.95e9, fp16=1024, int8=2048),
    "Core Ultra 7 268V": machine(136.5e9, 8, 2.0e9, fp16=1024, int8=2048),
    "Core Ultra 9 288V": machine(136.5e9, 8, 2.05e9, fp16=1024, int8=2048),
    "Core Ultra X7 358H": machine(153.6e9, 12, 2.5e9, fp16=1024, int8=2048),
    "Core Ultra 7 155H": machine(119.5e9, 8, 2.25e9, fp16=256, int8=512),
    "RTX 2080 Ti": ampere(616e9, 68, 1.545e9), "RTX 3060": ampere(360e9, 28, 1.777e9),
    "RTX 3080 Ti": ampere(912e9, 80, 1.665e9), "RTX 3090 Ti": ampere(1008e9, 84, 1.86e9),
    "RTX 4070 Ti Super": ampere(672e9, 66, 2.61e9), "RTX 4070 Ti": ampere(504e9, 60, 2.61e9),
    "RTX 4070": ampere(504e9, 46, 2.475e9), "RTX 4080": ampere(716.8e9, 76, 2.505e9),
    "RTX 5090": ampere(1792e9, 170, 2.407e9), "RTX 6000 Ada": ampere(960e9, 142, 2.505e9),
    "RTX PRO 6000": ampere(1792e9, 188, 2.0e9), "A4000": ampere(448e9, 48, 1.56e9),
    "A100": machine(2039e9, 108, 1.41e9, fp16=1024), "H100": machine(3350e9, 132, 1.83e9, fp16=2048, fp8=4096),
    "L40S": machine(864e9, 142, 2.52e9, fp16=512, fp8=1024),
    "Raspberry Pi 5": machine(17e9, 4, 2.4e9, fp16=16, int8=32), "Pi 500+": machine(17e9, 4, 2.4e9, fp16=16, int8=32),
    "Raspberry Pi 4": machine(12.8e9, 4, 1.5e9, fp16=4, int8=8),
    "OnePlus 12": machine(76.8e9, 6, 3e9, fp16=16, int8=32), "Galaxy S24": machine(76.8e9, 6, 3e9, fp16=16, int8=32),
    "Galaxy S22": machine(51.2e9, 4, 2.8e9, fp16=16, int8=32),
}
ORIN_NANO = {"7W": (68.3e9, 4, 408e6), "15W": (68.3e9, 8, 612e6), "25W": (102.4e9, 8, 918e6),
             "MAXN": (102.4e9, 8, 1.02e9)}
TARGETS = {
    "RK3588": "rk3588", "RK3576": "rk3576", "Jetson AGX Thor": "jetson-agx-thor", "DGX Spark": "dgx-spark",
    "Jetson AGX Orin 64GB": "jetson-agx-orin-64gb", "Jetson Orin Nano 8GB": "jetson-orin-nano-8gb",
    "Snapdragon 8 Elite": "snapdragon-8-elite", "Snapdragon 8 Elite Gen 5": "snapdragon-8-elite-gen-5",
    "SA8295P": "sa8295p", "SA8775P": "sa8775p", "Core Ultra 7 258V": "core-ultra-7-258v",
    "Core Ultra 7 155H": "core-ultra-7-155h", "Core Ultra 7 268V": "core-ultra-7-268v",
    "Core Ultra 9 288V": "core-ultra-9-288v", "Core Ultra X7 358H": "core-ultra-x7-358h",
    "A100": "a100", "H100": "h100", "L40S": "l40s",
    "RTX 5090": "rtx-5090", "Raspberry Pi 5": "raspberry-pi-5", "OnePlus 12": "snapdragon-8-gen-3",
}


def device_of(row):
    text = row["device"]
    if row["unit"] == "NPU" and "S24" in text:
        text = "Snapdragon 8 Gen 3"
    if "(" in text and ("Nvidia" in text or (row["unit"] == "CPU" and text.startswith("Snapdragon"))):
        text = text[text.index("("):]
    if text.startswith(("Pi CM5", "Pi 500+ - 16GB (", "Intel", "Minisforum", "System76", "Ryzen 9")):
        return None, None
    name = max((key for key in MACHINES if key in text), key=len, default=None)
    if name is None:
        return None, None
    if name == "Jetson Orin Nano 8GB":
        mode = next((mode for mode in ORIN_NANO if row["mode"].startswith(mode)), "15W")  # the target's usual one
        return name, machine(*ORIN_NANO[mode], fp16=1024, int8=2048)
    return name, MACHINES[name]


@dataclasses.dataclass(frozen=True)
class Format:
    name: str
    block: float
    head: float
    act: str
    attention: float = 0
    cache: float = 16


@dataclasses.dataclass(frozen=True)
class Free:
    start: float
    low: float
    high: float
    own: float = 0  # standard deviation of a device's ln from the shared one; 0 = one value for all
    apart: tuple = ()  # devices that run another kernel: theirs is not of the shared kind


def q8(name, block, head, **more):
    return Format(name, block, head, "int8", **more)


LLAMA = {"Q4_0": q8("q4_0", 4.5, 6.56), "Q4_K_M": q8("q4_k_m", 4.75, 6.56), "Q4": q8("q4_k_m", 4.75, 6.56),
         "Q8_0": q8("q8_0", 8.5, 8.5), "MXFP4": q8("mxfp4", 4.25, 8.5, attention=8.5),
         "Q1_0": q8("q1_0", 1.125, 1.125), "Q2_0": q8("q2_0", 2.125, 2.125)}

FEW_BITS = ("Q1_0", "Q2_0")
# Columns of a product below which llama.cpp's threads of one block have no work, of the formats where it slows them
# down (mmvq.cu): 4 warps, of which each thread takes 32 weights of 1 bit.
NARROW_COLUMNS = {"q1_0": 4096}


@dataclasses.dataclass
class Runtime:
    rows: str       # pattern of the rows' runtime
    formats: object  # weights, act -> Format
    decode: dict
    prompt: dict
    chunk: int = 0
    pads: bool = False
    whole: int = 0  # context whose whole cache is read
    skip: object = None  # rows that the fit passes over, counted among the errors all the same
    slower: str = ""  # pattern of releases whose tokens are another runtime's
    prompt_of: str = ""  # the runtime whose law of prompts holds here
    unit: str = ""  # the rows' unit, where the name of the runtime does not tell it
    experts_apart: bool = False  # products of each chosen expert are launched by themselves
    old_heads: bool = False  # old releases make the logits of every row of a prompt


def rkllm_format(row):
    return {"int8": q8("w8a8", 8.03, 8.03), "int4": q8("w4a16", 4.03, 8.03), "int4 g128": q8("w4a16_g128", 4.25, 8.03)}[
        row["weights"]]


def edge_format(row):
    w = row["weights"]
    head = 4.5 if re.search(r"0\.[47]|JetPack", row["runtime"]) else 16
    if w == "nvfp4":
        return Format("nvfp4", 4.5, head, "fp4", cache=8 if row["kv"] == "fp8" else 16)
    if w.startswith("int4"):
        # The GPTQ checkpoint of Qwen3.5's mixture leaves all but the experts in 16 bits.
        wide = 16 if "gptq" in w and "35B" in row["model"] else 0
        # From 0.10 on another plugin; the one before is still there under a name of its own.
        name = "int4_awq" if re.search(r"0\.1\d", row["runtime"]) else "int4_awq_v1"
        return Format(name, 4.13, head, "warp16", attention=wide)
    return Format(w.split()[0], {"fp8": 8, "fp16": 16, "bf16": 16}.get(w, 8), 16, {"fp8": "fp8"}.get(w, "fp16"))


def genie_format(row):
    return Format("w4a16", 4.25, 8, "int16", cache=8) if row["act"] == "int16" else Format("w4", 4.25, 8, "fp16")


def openvino_format(act):
    def format_of(row):
        if row["weights"] == "fp16":
            return Format("fp16", 16, 16, "fp16")
        return Format("int4", 4.16, 8, act) if row["weights"].startswith("int4") else Format("int8", 8.06, 8.06, act)
    return format_of


def edge_skip(row):
    return "Nano-4B" in row["model"] and "Thor" in row["device"]


def longest(row):
    """Of the text prompts of a batch, which are padded, over their mean; as lib/fit/language_rows.cc."""
    return 1.65 if row["note"].startswith("LLM") and "whole batch" in row["note"] else 1


EDGE_08 = r"^TensorRT-Edge-LLM 0\.[78]"
# Its kernel of states for the fifth tensor cores (SM 100 to 110) takes tokens in chunks, that of the others one by one.
CHUNKED = ("Jetson AGX Thor",)
EDGE = (
    {"decode_efficiency": Free(.85, .3, 1.1, .1), "decode_layer_s": Free(5e-5, 1e-6, 2e-3, .4),
         "batch_efficiency": Free(.1, .001, 1, .4), "batch_efficiency.nvfp4": Free(.1, .001, 1, .4),
         "batch_efficiency.int4_awq": Free(.2, .001, 1, .4)},
    {"prompt_efficiency": Free(.5, .01, 1.2, .4), "prompt_efficiency.nvfp4": Free(.3, .01, 1, .4),
         "prompt_efficiency.int4_awq": Free(.7, .01, 1.2, .2),
         "prompt_half_rows": Free(50, 1, 1000, .5), "prompt_half_rows.nvfp4": Free(50, 1, 1000, .5),
         "attention_efficiency": Free(.1, 1e-3, 1), "prompt_layer_s": Free(3e-4, 1e-5, .03, .3),
         "prompt_row_bytes": Free(50, .1, 500), "prompt_state_bytes": Free(4, .01, 100, 1, CHUNKED),
         "prompt_state_layer_bytes": Free(4e6, 1e4, 1e9, .7, CHUNKED)})
RUNTIMES = {
    "rkllm": Runtime(
        "^RKLLM", rkllm_format,
        {"decode_efficiency": Free(.85, .3, 1.1, .1), "decode_product_s": Free(5e-5, 1e-6, 2e-3),
             "decode_state_layer_s": Free(5e-4, 1e-6, 5e-3)},
        {"prompt_efficiency": 1.0, "prompt_macs_per_byte": Free(17, 1, 1000, .4),
             "attention_efficiency": Free(.02, 1e-3, 1), "prompt_product_bytes": Free(1e7, 1e5, 1e9),
             "prompt_row_bytes": Free(300, 1, 3000, .4), "prompt_state_bytes": Free(10, .01, 200, .7)},
        experts_apart=True),
    "tensorrt-edge-llm": Runtime(
        "^TensorRT-Edge-LLM", edge_format, *EDGE, skip=edge_skip, slower=EDGE_08),
    # By its own words a release with a regression; batches decode at two thirds of the speed.
    "tensorrt-edge-llm-0.8": Runtime(
        EDGE_08, edge_format,
        {**{name: free for name, free in EDGE[0].items() if not name.endswith(".int4_awq")},
         "batch_layer_s": Free(1e-5, 1e-7, 1e-3, .5)}, {},
        prompt_of="tensorrt-edge-llm"),
    "genie": Runtime(
        "^Genie", genie_format,
        {"decode_efficiency": .85, "decode_weights_per_cycle": Free(40, 5, 200, .15),
         "decode_weights_per_cycle.w4": Free(16, 2, 100, .3), "decode_fixed_s": Free(1e-3, 1e-5, .02, .3)},
        {"prompt_efficiency": Free(.7, .05, 1.5, .15), "prompt_efficiency.w4": Free(.5, .05, 1.5, .3),
         "attention_efficiency": Free(.7, .05, 1.5), "prompt_layer_s": Free(1e-4, 1e-6, .01)},
        chunk=128, pads=True, whole=4096),
    # From 2025.4 on, products of a prompt in 8 bits; releases of 2024 add a fixed cost: decode_old_s, prompt_old_s.
    "openvino-genai": Runtime(
        r"^OpenVINO GenAI 2025\.[3-9]", openvino_format("int8"),
        {"decode_efficiency": Free(.8, .1, 1.1), "decode_product_s": Free(3e-5, 1e-6, 1e-3)},
        {"prompt_efficiency": Free(.5, .02, 1.2), "attention_efficiency": Free(.1, .005, 1.5),
             "prompt_layer_s": Free(3e-4, 1e-6, .01), "prompt_half_rows": Free(50, 1, 1000)}),
    "openvino-genai-2025.0": Runtime(
        r"^OpenVINO GenAI (2024|2025\.[0-2])", openvino_format("fp16"),
        {"decode_efficiency": Free(.7, .1, 1.1, .1), "decode_product_s": Free(3e-5, 1e-6, 1e-3),
             "decode_old_s": Free(5e-3, 1e-4, .05)},
        {"prompt_efficiency": Free(.5, .02, 1.2, .3), "prompt_efficiency.int8": Free(.4, .02, 1.2, .3),
         "attention_efficiency": Free(.1, .005, 1.5), "prompt_layer_s": Free(3e-4, 1e-6, .01),
         "prompt_old_s": Free(3e-2, 1e-4, .2)}, old_heads=True),
    # Ollama on a GPU is llama.cpp; on a CPU it is another unit's.
    "llama.cpp-cuda": Runtime(
        "^llama.cpp CUDA|^ik_llama.cpp CUDA|^Ollama",
        lambda row: None if row["weights"] in FEW_BITS else LLAMA.get(row["weights"]),
        {"decode_efficiency": Free(.7, .2, 1), "decode_product_s": Free(2e-5, 1e-6, 1e-3, .4),
         "decode_weights_per_cycle": Free(9, 3, 1000), "batch_efficiency": Free(.03, .001, 1)},
        {"prompt_efficiency": Free(.3, .005, 1.2, .3), "prompt_half_rows": Free(50, 1, 500),
             "attention_efficiency": 1.0, "attention_scores_per_cycle": Free(1, .05, 50),
             "prompt_row_bytes": Free(300, 1, 3000)}, chunk=512,
        skip=lambda row: "2025-11" in row["runtime"], unit="GPU"),
    "llama.cpp-cuda, few bits": Runtime(
        "^llama.cpp CUDA", lambda row: LLAMA[row["weights"]] if row["weights"] in FEW_BITS else None,
        {"decode_efficiency": .9, "decode_product_s": 3.3e-5, "decode_weights_per_cycle.q1_0": Free(12, 3, 100),
         "decode_narrow_share": 1.0, "decode_narrow_share.q1_0": Free(.7, .1, 1),
         "decode_weights_per_cycle.q2_0": Free(11, 3, 100)}, {}),
    "mlc-llm": Runtime(
        "^MLC LLM", lambda row: Format("q4f16", 4.5, 4.5, "fp16"),
        {"decode_efficiency": Free(.8, .2, 1, .1), "decode_layer_s": Free(1e-4, 1e-6, 2e-3)}, {}),
    "executorch": Runtime(
        "^ExecuTorch XNNPACK", lambda row: {
            "int4 g128": q8("8da4w", 4.13, 4.13), "int4 g256": q8("8da4w", 4.06, 4.06),
            "int4 g32": q8("8da4w", 4.5, 8), "bf16": Format("bf16", 16, 16, "fp16")}.get(row["weights"]),
        {"decode_efficiency": Free(.7, .2, 1), "decode_layer_s": Free(4e-4, 1e-6, 2e-3)},
        {"prompt_efficiency": Free(.3, .01, 1)}),
    "tensorrt-llm": Runtime(
        "^TensorRT-LLM", lambda row: Format(row["weights"], 16 if row["weights"] == "fp16" else 8, 16, row["weights"]),
        {}, {"prompt_efficiency": Free(.5, .1, 1, .15), "attention_efficiency": Free(.1, .005, 1.5),
                 "prompt_layer_s": Free(1e-4, 1e-6, .01)}),
}


def number(text):
    return float(text) if text else None


@dataclasses.dataclass
class Row:
    kind: str
    model: str
    device: str
    chip: dict
    format: Format
    seconds: float
    batch: int
    tokens: float
    depth: float
    old: bool
    weight: float
    skip: bool
    chunk: int = 0


def decode_rows(row, base, batch, tokens, runtime):
    context, new, speed = number(row["context_len"]), number(row["gen_len"]), number(row["decode_tok_s"])
    if not speed:
        return
    if runtime.whole:
        depth = context or runtime.whole
    elif tokens:
        depth = tokens + (new or 64) / 2
    else:
        depth = context + 64 if context is not None else 256
    yield Row("token", seconds=batch / speed, tokens=tokens or 0, depth=depth, **base)


def chunk_of(row, runtime):
    """Rows computed together; as lib/fit/language_rows.cc."""
    return 2048 if "benches/dgx-spark.md" in row["source"] else runtime.chunk


def rows_of(table, runtime):
    for row in table:
        key = sizes_of(row["model"])
        if not re.search(runtime.rows, row["runtime"]) or key is None or runtime.unit not in row["unit"]:
            continue
        device, chip = device_of(row)
        form = runtime.formats(row)
        if chip is None or form is None:
            continue
        batch, note = int(row["batch"]), row["note"]
        tokens = number(row["prompt_len"])
        each = tokens / batch if tokens and "whole batch" in note else tokens
        base = {"model": key, "device": device, "chip": chip, "format": form, "batch": batch,
                "old": "2024" in row["runtime"],
                    "weight": WEIGHT_OF_TRUST.get(row["trust"], 0.6), "skip": bool(runtime.skip and runtime.skip(row)),
                    "chunk": chunk_of(row, runtime)}
        drafts = re.search(r"accept|MTP|EAGLE|DFlash|Spec;", note)
        is_other = runtime.slower and re.search(runtime.slower, row["runtime"])
        if not drafts and runtime.decode and not is_other:
            yield from decode_rows(row, {**base, "skip": False}, batch, each, runtime)
        speed, ttft = number(row["prefill_tok_s"]), number(row["ttft_ms"])
        if not tokens or drafts or "max of TTFT" in note or "image path" in note or not (ttft or speed):
            continue
        context = number(row["context_len"])
        before = context - tokens if context and not number(row["gen_len"]) and "llama" in row["runtime"] else 0
        yield Row("prompt", seconds=ttft / 1e3 if ttft else tokens / speed, tokens=each * longest(row),
                  depth=max(0, before), **base)


def cache_elements(groups, tokens):
    return sum(g["count"] * g["kv_heads"] * (g["key_dim"] + g["value_dim"]) * min(tokens, g["window"] or tokens)
               for g in groups)


def cache_macs(groups, tokens):
    return sum(g["count"] * g["heads"] * (g["key_dim"] + g["value_dim"]) * min(tokens, g["window"] or tokens)
               for g in groups)


def scores(groups, tokens):
    return sum(g["count"] * g["heads"] * min(tokens, g["window"] or tokens) for g in groups)


def launches(groups, rows, experts_apart):
    """Products with weights that `rows` tokens launch."""
    def of_experts(group):
        return 2 * (experts_seen(group, rows) if experts_apart else 1) if group["experts"] else 0

    return sum(g["count"] * (g["products"] + of_experts(g)) for g in groups)


def experts_seen(group, rows):
    return group["experts"] * -math.expm1(rows * math.log1p(-group["active"] / group["experts"]))


def read_weights(groups, rows, form):
    """Elements of the layers that `rows` tokens read, and bytes of them."""
    elements = size = 0
    for g in groups:
        mlp = g["stored"]
        if g["experts"]:
            one = (g["stored"] - g["mlp"]) / (g["experts"] - g["active"])
            mlp = g["mlp"] + one * (experts_seen(g, rows) - g["active"])
        elements += g["count"] * (g["attention"] + mlp)
        size += g["count"] * (g["attention"] * (form.attention or form.block) + mlp * form.block) / 8
    return elements, size


class Table:
    """What of rows the laws need, as arrays; a prompt has an entry for each chunk."""

    def __init__(self, rows, runtime):
        self.rows = rows
        self.of_row = []
        entries = []
        for i, row in enumerate(rows):
            model = MODELS[row.model]
            groups = model["groups"]
            peak = row.chip.get(row.format.act, row.chip["fp16"])
            state = sum(g["count"] * g["state"] for g in groups) * 2 * 2
            base = {"bw": row.chip["bw"], "cycles": row.chip["cycles"], "peak": peak,
                    "attention_peak": row.chip["fp16"],
                        "layers": sum(g["count"] for g in groups), "old": float(row.old),
                        "narrow": float(model["hidden"] < NARROW_COLUMNS.get(row.format.name, 0)),
                        "heads_of_rows": float(row.old and runtime.old_heads),
                        "states": sum(g["count"] for g in groups if g["state"]), "batch": row.batch,
                        "state": sum(g["count"] * g["state"] for g in groups),
                        "stream": model["hidden"] * sum(g["count"] for g in groups),
                        "head": model["vocab"] * model["hidden"], "head_bits": row.format.head}
            macs = sum(g["count"] * (g["attention"] + g["mlp"]) for g in groups)
            spread = sum(g["count"] * (g["attention"] + g["mlp"] * (g["experts"] / g["active"] if g["experts"] else 1))
                         for g in groups)
            if row.kind == "token":
                chunks, before = [1], row.depth
            else:
                before = row.depth
                step = row.chunk or row.tokens
                count = max(1, math.ceil(row.tokens / step - 1e-9))
                chunks = [step] * (count - 1) + [step if runtime.pads else row.tokens - step * (count - 1)]
            for tokens in chunks:
                elements, size = read_weights(groups, tokens * row.batch, row.format)
                seen = runtime.whole or (before if row.kind == "token" else before + tokens / 2)
                read = runtime.whole or (before if row.kind == "token" else before + tokens)
                if row.kind == "token" and runtime.whole:
                    seen = read = row.depth
                self.of_row.append(i)
                launched = launches(groups, tokens * row.batch, runtime.experts_apart)
                entries.append(dict(base, launches=launched, elements=elements, size=size, macs=macs, spread=spread,
                                    tokens=tokens,
                                    cache=row.batch * (cache_elements(groups, read) * row.format.cache / 8 + state),
                                    cache_macs=row.batch * tokens * cache_macs(groups, seen),
                                    scores=row.batch * tokens * scores(groups, seen)))
                before += tokens
        self.of_row = np.array(self.of_row)
        self.column = {key: np.array([e[key] for e in entries], float) for key in entries[0]}

    def attention(self, get):
        c = self.column
        reading = c["cache"] / (c["bw"] * get("decode_efficiency") * get("cache_efficiency", 1.0))
        macs = c["cache_macs"] / (c["attention_peak"] * get("attention_efficiency", 0.3))
        softmax = c["scores"] / (c["cycles"] * get("attention_scores_per_cycle", 1e9))
        return np.maximum(reading, np.maximum(macs, softmax))

    def seconds(self, kind, get):
        c = self.column
        if kind == "token":
            speed = c["bw"] * get("decode_efficiency")
            cycles = c["cycles"] * get("decode_weights_per_cycle", 1e9)
            cycles = cycles * np.where(c["narrow"] > 0, get("decode_narrow_share", 1.0), 1.0)
            time = np.maximum(c["size"] / speed, c["elements"] / cycles)
            time = time + np.maximum(c["head"] * c["head_bits"] / 8 / speed, c["head"] / cycles)
            time = time + (c["batch"] - 1) * (c["macs"] + c["head"]) / (c["peak"] * get("batch_efficiency", 0.1))
            time = time + self.attention(get) + get("decode_fixed_s", 0.0) + get("decode_layer_s", 0.0) * c["layers"]
            time = time + get("decode_state_layer_s", 0.0) * c["states"] + get("decode_product_s", 0.0) * c["launches"]
            time = time + get("batch_layer_s", 0.0) * (c["batch"] - 1) * c["layers"]
            return time + get("decode_old_s", 0.0) * c["old"]
        half = get("prompt_half_rows", 0.0)
        rows = c["batch"] * c["macs"] * (c["tokens"] + half) + (c["spread"] - c["macs"]) * half
        time = np.maximum(rows / (c["peak"] * get("prompt_efficiency")),
                          c["size"] / (c["bw"] * get("decode_efficiency")))
        time = np.maximum(time, c["batch"] * c["macs"] * c["tokens"] / (c["bw"] * get("prompt_macs_per_byte", 1e9)))
        time = time + self.attention(get) + get("prompt_layer_s", 0.0) * c["layers"] + get("prompt_chunk_s", 0.0)
        time = time + get("prompt_product_bytes", 0.0) * c["launches"] / c["bw"]
        time = time + get("prompt_row_bytes", 0.0) * c["stream"] * c["batch"] * c["tokens"] / c["bw"]
        states = np.maximum(get("prompt_state_bytes", 0.0) * c["state"] * c["batch"],
                            get("prompt_state_layer_bytes", 0.0) * c["states"])
        time = time + states * c["tokens"] / c["bw"]
        total = np.bincount(self.of_row, time, minlength=len(self.rows))
        first = np.unique(self.of_row, return_index=True)[1]
        once = c["head"] * c["head_bits"] / 8 / (c["bw"] * get("decode_efficiency"))
        every = c["batch"] * c["head"] * (c["tokens"] + half) / (c["peak"] * get("prompt_efficiency"))
        once = np.where(c["heads_of_rows"] > 0, np.maximum(once, every), once)
        once = once + get("prompt_old_s", 0.0) * c["old"]
        return total + (once + np.zeros_like(c["bw"]))[first]


class Fit:
    """Constants of one law, with those of devices. `known` are constants that another law fitted."""

    def __init__(self, kind, constants, runtime, rows, known=None):
        self.kind, self.constants, self.runtime, self.known = kind, constants, runtime, known
        self.names = [name for name, free in constants.items() if isinstance(free, Free)]
        fitted = [row for row in rows if not row.skip] or rows
        devices = sorted({row.device for row in fitted})
        self.own = {}
        for name in self.names:
            if constants[name].own:
                for device in devices:
                    if any(row.device == device and self.key(name.split(".")[0], row) == name for row in fitted):
                        self.own[(name, device)] = len(self.names) + len(self.own)
        size = len(self.names) + len(self.own)
        low, high, first = -3 * np.ones(size), 3 * np.ones(size), np.zeros(size)
        for i, name in enumerate(self.names):
            free = constants[name]
            low[i], high[i], first[i] = math.log(free.low), math.log(free.high), math.log(free.start)
        own = np.array(list(self.own.values()), int)
        prior = np.array([APART if device in constants[name].apart else constants[name].own
                          for name, device in self.own])
        table, index = Table(fitted, runtime), self.index(fitted)
        measured = np.log([row.seconds for row in fitted])
        weight = np.array([row.weight for row in fitted])

        def residuals(x):
            miss = np.clip(np.log(self.predict(table, index, x)) - measured, -3, 3) / NOISE
            miss = np.sign(miss) * np.sqrt(2 * (np.sqrt(1 + miss * miss) - 1)) * weight
            return np.concatenate([miss, x[own] / prior]) if len(own) else miss

        # Of a constant that no row tells, a cost is not there and a share is as it starts.
        told = np.ones(size, bool)
        for i, name in enumerate(self.names):
            moved = first.copy()
            moved[i] = high[i]
            told[i] = not np.allclose(residuals(moved), residuals(first), rtol=0, atol=1e-9)
            if not told[i] and name.endswith(("_s", "_bytes")):
                first[i] = low[i]

        def with_told(found):
            whole = first.copy()
            whole[told] = found
            return whole

        begin = np.clip(first, low + 1e-6, high - 1e-6)[told]
        self.x = with_told(least_squares(lambda x: residuals(with_told(x)), begin, bounds=(low[told], high[told]),
                                         max_nfev=400, ftol=1e-7, xtol=1e-7, gtol=1e-7).x)
        self.rows = fitted

    def key(self, name, row):
        own = f"{name}.{row.format.name}"
        return own if own in self.constants else name

    def index(self, rows):
        out = {}
        for name in {n.split(".")[0] for n in self.constants}:
            keys = [self.key(name, row) for row in rows]
            values = [self.constants[k] if not isinstance(self.constants[k], Free) else 1.0 for k in keys]
            shared = [self.names.index(k) if k in self.names else -1 for k in keys]
            own = [self.own.get((k, row.device), -1) for k, row in zip(keys, rows)]
            out[name] = tuple(map(np.array, (values, shared, own)))
        return out

    def predict(self, table, index, x):
        padded = np.append(x, 0.0)

        def get(name, absent=None):
            if name in index:
                values, shared, own = index[name]
                return (values * np.exp(padded[shared] + padded[own]))[table.of_row]
            if self.known is not None and name in self.known.plain():
                return self.known.array(name, table)[table.of_row]
            return {"decode_efficiency": 0.7}.get(name, absent)

        return table.seconds(self.kind, get)

    def plain(self):
        return {name.split(".")[0] for name in self.constants}

    def array(self, name, table):
        values, shared, own = self.index(table.rows)[name]
        padded = np.append(self.x, 0.0)
        return values * np.exp(padded[shared] + padded[own])

    def share_of_states(self, rows):
        """Of the time of each row."""
        table, index = Table(rows, self.runtime), self.index(rows)
        whole = self.predict(table, index, self.x)
        for column in ("state", "states"):
            table.column[column] = np.zeros_like(table.column[column])
        return 1 - self.predict(table, index, self.x) / whole

    def misses(self, rows):
        return np.log(self.predict(Table(rows, self.runtime), self.index(rows), self.x) / [row.seconds for row in rows])

    def value(self, name, device=None):
        if name not in self.names:
            return self.constants[name]
        return math.exp(self.x[self.names.index(name)] + (self.x[self.own[(name, device)]] if device else 0))


def percent(misses, kind):
    # Of tokens a second for a token, of the time for a prompt.
    return 100 * np.abs(np.expm1(-misses if kind == "token" else misses))


def words(misses, kind):
    error = percent(misses, kind)
    return f"{len(error):4} rows, median {np.median(error):5.1f} %, p90 {np.percentile(error, 90):6.1f} %"


def left_out(fit, rows, by, with_models):
    misses = np.full(len(rows), np.nan)
    for value in sorted({getattr(row, by) for row in rows}):
        seen = [row for row in rows if getattr(row, by) != value]
        if not any(not row.skip for row in seen):
            continue
        other = Fit(fit.kind, fit.constants, fit.runtime, seen, fit.known)
        at = [i for i, row in enumerate(rows) if getattr(row, by) == value]
        misses[at] = other.misses([rows[i] for i in at])
        if with_models:
            print(f"      without {value:28} {words(misses[at], fit.kind)}, bias {np.median(misses[at]):5.2f}")
    return misses


def spread_of(misses):
    return float(np.percentile(np.abs(misses), 80) / OF_80) if len(misses) >= 3 else None


def share_within(misses, groups, widening=1.0):
    """Share of rows within intervals whose width follows from the rows of the other groups, times `widening`."""
    within = np.zeros(len(misses), bool)
    for group in np.unique(groups):
        spread = spread_of(misses[groups != group])
        if spread is None:
            return None
        within[groups == group] = np.abs(misses[groups == group]) <= OF_80 * spread * widening
    return float(np.mean(within))


def calibrated(misses, groups):
    """Spread that holds 80 % of the rows of a group that it has not seen, and the share that it then holds."""
    known = ~np.isnan(misses)
    misses, groups = misses[known], np.array(groups)[known]
    if len(np.unique(groups)) < 2 or spread_of(misses) is None:
        return None, None
    for widening in np.arange(1, 3, 0.05):
        share = share_within(misses, groups, widening)
        if share is None:
            return spread_of(misses), None
        if share >= 0.8:
            break
    return spread_of(misses) * widening, share


def spread_of_states(fit, rows, misses, spread, by):
    """Spread of the share of a prompt that states take, so that 80 % of the rows with states lie within.

    A device with a kernel apart tells nothing of another one: targets with that kernel take its constants.
    """
    share = fit.share_of_states(rows)
    apart = {device for free in fit.constants.values() if isinstance(free, Free) for device in free.apart}
    alike = np.array([by == "model" or row.device not in apart for row in rows])
    at = (share > 0.01) & ~np.isnan(misses) & alike
    if not np.any(at):
        return None
    needed = (np.abs(misses[at]) / OF_80 - (1 - share[at]) * spread) / share[at]
    return max(float(np.percentile(needed, 80)), spread)


def study(name, runtime, table, with_models, studies):
    rows = list(rows_of(table, runtime))
    results = {}
    known = studies[runtime.prompt_of]["prompt"] if runtime.prompt_of else None
    for kind, constants in (("prompt", runtime.prompt), ("token", runtime.decode), ("prompt", runtime.prompt)):
        chosen = [row for row in rows if row.kind == kind]
        if not constants or len(chosen) < 3:
            continue
        results[kind] = known = Fit(kind, constants, runtime, chosen, known)
    for kind, fit in results.items():
        chosen = [row for row in rows if row.kind == kind]
        print(f"{name:18} {kind:6} {words(fit.misses(chosen), kind)}")
        fit.spread, fit.errors, fit.within, fit.state_spread = {}, {}, {}, {}
        no_states = np.array([not any(g["state"] for g in MODELS[row.model]["groups"]) for row in chosen])
        for by in ("model", "device"):
            misses = left_out(fit, chosen, by, with_models)
            groups = np.array([getattr(row, by) for row in chosen])
            alike = no_states if kind == "prompt" and np.sum(no_states) >= LEAST_ROWS else np.full(len(chosen), True)
            fit.spread[by], fit.within[by] = calibrated(misses[alike], groups[alike])
            if kind == "prompt" and fit.spread[by] is not None:
                fit.state_spread[by] = spread_of_states(fit, chosen, misses, fit.spread[by], by)
            kept = misses[~np.isnan(misses)]
            if len(kept):
                fit.errors[by] = percent(kept, kind)
                within = "unknown" if fit.within[by] is None else f"{100 * fit.within[by]:.0f} %"
                print(f"    {by + ' left out':18} {words(kept, kind)}, spread {fit.spread[by] or 0:.3f}, "
                      f"{within} within, states {fit.state_spread.get(by)}")
        fit.spread["model"] = fit.spread["model"] or 0.3
        # On a new device the model is new, too.
        fit.spread["device"] = max(fit.spread["device"] or UNSEEN[kind] * fit.spread["model"], fit.spread["model"])
        for constant in fit.names:
            own = " ".join(f"{d} {fit.value(constant, d):.3g}" for c, d in fit.own if c == constant)
            print(f"      {constant:32} {fit.value(constant):.4g}  {own}")
    if runtime.prompt_of:
        results["prompt"] = studies[runtime.prompt_of]["prompt"]
    return results


def cell(fit, by):
    if by not in fit.errors:
        return "one device | "
    error, within = fit.errors[by], fit.within[by]
    held = "" if within is None else f"{100 * within:.0f} %"
    return f"{np.median(error):.1f} %, {np.percentile(error, 90):.0f} % | {held}"


def print_table(studies):
    """As docs/llm.md shows it."""
    for kind in ("token", "prompt"):
        print(f"\n| runtime, {kind} | rows | model left out | within | device left out | within |")
        print("|---" * 6 + "|")
        for name, results in studies.items():
            if kind in results and not (kind == "prompt" and RUNTIMES[name].prompt_of):
                fit = results[kind]
                count = len(fit.errors.get("model", []))
                print(f"| {name} | {count} | {cell(fit, 'model')} | {cell(fit, 'device')} |")


def predicted(program, table, models, configs):
    """Points of the program for the rows, as (runtime, metric, measured, predicted, low, high)."""
    command = [program, "validate", "--measurements", table, "--models", models, "--configs", configs, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for point in json.loads(done.stdout)["points"]:
        yield (point["runtime"], point["metric"], point["measured"], point["predicted"], point["low"], point["high"])


def print_program(points):
    groups = {}
    for runtime, metric, measured, found, low, high in points:
        within = low is not None and low <= measured <= high
        groups.setdefault((metric, runtime), []).append((abs(found / measured - 1) * 100, within, found / measured))
    print("\n| figure | runtime | rows | median | p90 | within | ours/measured |\n|---|---|---|---|---|---|---|")
    for (metric, runtime), rows in sorted(groups.items()):
        error, within, ratio = (np.array(column, float) for column in zip(*rows))
        print(f"| {metric} | {runtime} | {len(rows)} | {np.median(error):.1f} % | {np.percentile(error, 90):.0f} % | "
              f"{100 * np.mean(within):.0f} % | {np.median(ratio):.2f} |")


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("runtimes", nargs="*")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--program")
    parser.add_argument("--roots", nargs=2, metavar=("MODELS", "CONFIGS"))
    given = parser.parse_args(arguments)
    if given.program:
        print_program(predicted(given.program, given.table, *given.roots))
        return
    with open(given.table, encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    studies = {}
    for name in given.runtimes or RUNTIMES:
        studies[name] = study(name, RUNTIMES[name], table, given.models, studies)
        if given.write:
            write(ROOT, name, studies[name], TARGETS, LEAST_ROWS)
    print_table(studies)


if __name__ == "__main__":
    main(sys.argv[1:])
