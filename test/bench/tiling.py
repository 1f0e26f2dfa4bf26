#!/usr/bin/env python3
"""Lays DRAM traffic of single layers beside that of ZigZag's mappings and of SCALE-Sim's systolic arrays.

usage: tiling.py PROGRAM [--sram BYTES] [--tools zigzag,scalesim] [--reference FILE] [--only SUBSTRING]

Needs a Python with zigzag-dse (and six, which it forgets to name), scalesim and numpy < 2.1. Forty layers of ResNet-50,
MobileNetV2, a ViT, BERT and LSTM cells run at int8, one at a time, on an array of 32 x 32 multipliers, one scratchpad
of BYTES (default 262144) and DRAM. Prints bytes of each tool, their ratio to the least that can cross (operands and
results once), and the ratio of ours to theirs.

ZigZag searches loop orders and tiles for the least DRAM accesses; of its search, `lpf_limit` bounds the factors that it
permutes, so its answer is an upper bound of the optimum. SCALE-Sim simulates three fixed dataflows over three buffers
that do not share (3:3:2 of BYTES); the best of them counts, for layers below --macs (default 6e7), since it walks every
cycle. --reference FILE keeps what both said: layers that stand in it are not run again.
"""

import argparse
import collections
import contextlib
import csv
import io
import json
import logging
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from onnx_wire import ModelFile, field, ints, node, tensor_head

SIDE = 32  # of the array
DATAFLOWS = ("ws", "os", "is")

# A convolution of a `side` x `side` image padded to keep `side / stride`; a product of `rows` x `channels` by
# `channels` x `filters` has kernel 0 and its rows in `side`. `depthwise` convolutions have one filter a channel.
Layer = collections.namedtuple("Layer", "name side channels filters kernel stride depthwise", defaults=(1, False))


def conv(name, side, channels, filters, kernel, stride=1):
    return Layer(name, side, channels, filters, kernel, stride)


def depthwise(name, side, channels, kernel, stride=1):
    return Layer(name, side, channels, channels, kernel, stride, True)


def product(name, rows, channels, filters):
    return Layer(name, rows, channels, filters, 0)


LAYERS = (
    conv("resnet50 stem", 224, 3, 64, 7, 2),
    conv("resnet50 1.reduce", 56, 256, 64, 1), conv("resnet50 1.conv", 56, 64, 64, 3),
    conv("resnet50 1.expand", 56, 64, 256, 1), conv("resnet50 2.reduce", 56, 256, 128, 1),
    conv("resnet50 2.conv", 56, 128, 128, 3, 2), conv("resnet50 2.expand", 28, 128, 512, 1),
    conv("resnet50 2.inner", 28, 128, 128, 3), conv("resnet50 2.project", 56, 256, 512, 1, 2),
    conv("resnet50 3.reduce", 28, 512, 256, 1), conv("resnet50 3.conv", 14, 256, 256, 3),
    conv("resnet50 3.expand", 14, 256, 1024, 1), conv("resnet50 3.project", 28, 512, 1024, 1, 2),
    conv("resnet50 4.reduce", 14, 1024, 512, 1), conv("resnet50 4.conv", 7, 512, 512, 3),
    conv("resnet50 4.expand", 7, 512, 2048, 1), product("resnet50 classifier", 1, 2048, 1000),
    conv("mobilenet_v2 stem", 224, 3, 32, 3, 2), depthwise("mobilenet_v2 0.depthwise", 112, 32, 3),
    conv("mobilenet_v2 0.project", 112, 32, 16, 1), conv("mobilenet_v2 1.expand", 112, 16, 96, 1),
    depthwise("mobilenet_v2 1.depthwise", 112, 96, 3, 2), conv("mobilenet_v2 2.expand", 56, 24, 144, 1),
    depthwise("mobilenet_v2 2.depthwise", 56, 144, 3), conv("mobilenet_v2 4.project", 28, 192, 32, 1),
    depthwise("mobilenet_v2 8.depthwise", 14, 384, 3), conv("mobilenet_v2 head", 7, 320, 1280, 1),
    conv("vit_b_16 patches", 224, 3, 768, 16, 16), product("vit_b_16 qkv", 197, 768, 2304),
    product("vit_b_16 projection", 197, 768, 768), product("vit_b_16 mlp.up", 197, 768, 3072),
    product("vit_b_16 mlp.down", 197, 3072, 768),
    product("bert_base query", 384, 768, 768), product("bert_base mlp.up", 384, 768, 3072),
    product("bert_base mlp.down", 384, 3072, 768), product("bert_base vocabulary", 128, 768, 30522),
    product("lstm 256 gates", 1, 512, 1024), product("lstm 512 gates", 1, 1024, 2048),
    product("lstm 1024 batch 16", 16, 2048, 4096), product("lstm 1024 batch 64", 64, 2048, 4096),
)

TARGET = """
name: "array"
summary: "a {side} x {side} array beside one scratchpad"
family: "array"
sources {{ key: "bench" title: "made up for this benchmark" date: "2026" }}
memory {{
  name: "dram"
  capacity_bytes {{ value: 1e10 source: "bench" trust: ESTIMATED }}
  bytes_per_s {{ value: 1e10 source: "bench" trust: ESTIMATED }}
}}
memory {{
  name: "sram"
  scratchpad: true
  capacity_bytes {{ value: {sram} source: "bench" trust: ESTIMATED }}
  bytes_per_s {{ value: 1e12 source: "bench" trust: ESTIMATED }}
}}
unit {{
  name: "npu"
  kind: SYSTOLIC
  cores: 1
  toolchain: "tpu-mlir"
  precision: INT8
  memory: "sram" memory: "dram"
  clock_hz {{ value: 1e9 source: "bench" trust: ESTIMATED }}
  rate {{ work: CONTRACTION act: INT8 acc: INT32 per_cycle {{ value: {rate} source: "bench" trust: ESTIMATED }} }}
  rate {{ work: DEPTHWISE act: INT8 per_cycle {{ value: {side} source: "bench" trust: ESTIMATED }} }}
  rate {{ work: POINTWISE act: INT8 per_cycle {{ value: {side} source: "bench" trust: ESTIMATED }} }}
  tile {{ m: 1 n: {side} k: {side} source: "bench" }}
  launch_s {{ value: 1e-6 source: "bench" trust: ESTIMATED }}
  param {{ name: "onchip_share" min: 0 max: 1 fact {{ value: 1 source: "bench" trust: ESTIMATED }} }}
}}
"""


def out_side(layer):
    return -(-layer.side // layer.stride)


def padding(layer):
    """Before and after, so that the result has ceil(side / stride) positions."""
    total = max(0, (out_side(layer) - 1) * layer.stride + layer.kernel - layer.side)
    return total // 2, total - total // 2


def least_bytes(layer):
    if layer.kernel == 0:
        return layer.side * (layer.channels + layer.filters) + layer.channels * layer.filters
    weights = layer.filters * (1 if layer.depthwise else layer.channels) * layer.kernel ** 2
    # A stride beyond the kernel leaves rows and columns of the image unread.
    read = layer.side ** 2 if layer.kernel >= layer.stride else (out_side(layer) * layer.kernel) ** 2
    return read * layer.channels + weights + out_side(layer) ** 2 * layer.filters


def macs(layer):
    if layer.kernel == 0:
        return layer.side * layer.channels * layer.filters
    inner = 1 if layer.depthwise else layer.channels
    return out_side(layer) ** 2 * layer.filters * inner * layer.kernel ** 2


def write_model(layer, path):
    model = ModelFile(path)
    if layer.kernel == 0:
        weights, model_input = (layer.channels, layer.filters), (layer.side, layer.channels)
        result = (layer.side, layer.filters)
        model.node(node(b"MatMul", [b"x", b"w"], [b"y"], b"layer"))
    else:
        weights = (layer.filters, 1 if layer.depthwise else layer.channels, layer.kernel, layer.kernel)
        model_input = (1, layer.channels, layer.side, layer.side)
        result = (1, layer.filters, out_side(layer), out_side(layer))
        before, after = padding(layer)
        group = field(1, b"group") + field(3, layer.channels if layer.depthwise else 1) + field(20, 2)
        model.node(node(b"Conv", [b"x", b"w"], [b"y"], b"layer",
                        [ints(b"strides", (layer.stride,) * 2), ints(b"pads", (before, before, after, after)), group]))
    count = 1
    for size in weights:
        count *= size
    model.sparse_initializer(tensor_head(b"w", weights), 4 * count)
    model.input(b"x", model_input)
    model.output(b"y", result)
    model.close()


def ours(program, layer, sram, folder):
    """Bytes over DRAM and milliseconds."""
    model, target = folder / "layer.onnx", folder / "array.textproto"
    write_model(layer, model)
    target.write_text(TARGET.format(side=SIDE, rate=SIDE * SIDE, sram=sram))
    done = subprocess.run([program, str(model), "--target", str(target), "--precision", "int8", "--json", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{layer.name}: {done.stderr}")
    groups = json.loads(done.stdout)["groups"]
    return sum(group["dram_bytes"] for group in groups)


def zigzag_memory(size_bytes, operands, access, wide, served):
    """One port each way for every operand; `access` is the energy of one."""
    def port(kind, upper, lower):
        names = [f"{operand}, {name}" for operand in operands for name in (upper, lower)
                 if operand == "O" or name == upper]
        return {"name": f"{kind[0]}_port_1", "type": kind, "bandwidth_min": 8, "bandwidth_max": wide,
                "allocation": names}

    return {"size": size_bytes * 8, "r_cost": access, "w_cost": access, "area": 0, "latency": 1, "operands": operands,
                "served_dimensions": served, "ports": [port("read", "tl", "th"), port("write", "fh", "fl")]}


def zigzag(layer, sram, folder):
    """Bytes over DRAM of the mapping with the fewest accesses there; energy elsewhere is next to nothing."""
    import yaml
    from zigzag.api import get_hardware_performance_zigzag
    logging.disable(logging.CRITICAL)
    word, dram_access = 8, 1e6  # bytes of an access, so large that nothing else counts
    memories = {"weights": zigzag_memory(1, ["I2"], 1e-3, 8, []),
                "sums": zigzag_memory(4, ["O"], 1e-3, 32, ["D2"]),
                "sram": zigzag_memory(sram, ["I1", "I2", "O"], 1e-3, 1 << 14, ["D1", "D2"]),
                "dram": zigzag_memory(1 << 36, ["I1", "I2", "O"], dram_access, 8 * word, ["D1", "D2"])}
    array = {"unit_energy": 0, "unit_area": 1, "dimensions": ["D1", "D2"], "sizes": [SIDE, SIDE]}
    hardware = {"name": "array", "memories": memories, "operational_array": array}
    (folder / "array.yaml").write_text(yaml.safe_dump(hardware, sort_keys=False))
    inner = "G" if layer.depthwise else "K"
    spatial = {"D1": [f"{inner}, {SIDE}"], "D2": [f"FX, {SIDE}" if layer.depthwise else f"C, {SIDE}"]}
    links = {"O": "O", "W": "I2", "I": "I1"}
    (folder / "mapping.yaml").write_text(yaml.safe_dump([{"name": "default", "spatial_mapping": spatial,
                                                              "memory_operand_links": links}]))
    with contextlib.redirect_stdout(io.StringIO()):
        energy, *_ = get_hardware_performance_zigzag(
            [zigzag_layer(layer)], str(folder / "array.yaml"), str(folder / "mapping.yaml"), opt="energy",
            dump_folder=str(folder / "zigzag"), lpf_limit=5, loma_show_progress_bar=False)
    return round(energy / dram_access) * word


def zigzag_layer(layer):
    precision = {"W": 8, "I": 8, "O": 32, "O_final": 8}
    row = {"id": 0, "name": "layer", "operator_type": "Conv", "operand_precision": precision}
    if layer.kernel == 0:
        return dict(row, operator_type="Gemm", equation="O[b][k]+=I[b][c]*W[c][k]", loop_dims=["B", "K", "C"],
                    loop_sizes=[layer.side, layer.filters, layer.channels])
    sizes = {"OY": out_side(layer), "OX": out_side(layer), "FY": layer.kernel, "FX": layer.kernel}
    if layer.depthwise:
        equation, sizes = "O[b][g][oy][ox]+=W[g][fy][fx]*I[b][g][iy][ix]", dict(B=1, G=layer.channels, **sizes)
    else:
        equation = "O[b][k][oy][ox]+=W[k][c][fy][fx]*I[b][c][iy][ix]"
        sizes = dict(B=1, K=layer.filters, C=layer.channels, **sizes)
    before, after = padding(layer)
    relations = [f"iy={layer.stride}*oy+1*fy", f"ix={layer.stride}*ox+1*fx"]
    return dict(row, equation=equation, loop_dims=list(sizes), loop_sizes=list(sizes.values()),
                dimension_relations=relations, pr_loop_dims=["IX", "IY"], pr_loop_sizes=[layer.side, layer.side],
                padding=[[before, after], [before, after]])


SCALESIM = """[general]
run_name = run
[architecture_presets]
ArrayHeight = {side}
ArrayWidth = {side}
IfmapSramSzkB = {operand}
FilterSramSzkB = {operand}
OfmapSramSzkB = {result}
IfmapOffset = 0
FilterOffset = 100000000
OfmapOffset = 200000000
Bandwidth = 64
Dataflow = {dataflow}
MemoryBanks = 1
ReadRequestBuffer = 32
WriteRequestBuffer = 32
[layout]
IfmapCustomLayout = False
IfmapSRAMBankBandwidth = 10
IfmapSRAMBankNum = 10
IfmapSRAMBankPort = 2
FilterCustomLayout = False
FilterSRAMBankBandwidth = 10
FilterSRAMBankNum = 10
FilterSRAMBankPort = 2
[sparsity]
SparsitySupport = false
SparseRep = ellpack_block
OptimizedMapping = false
BlockSize = 8
RandomNumberGeneratorSeed = 1
[run_presets]
InterfaceBandwidth = CALC
UseRamulatorTrace = False
"""


def scalesim(layer, sram, folder):
    """Bytes over DRAM of the best dataflow."""
    from scalesim.scale_sim import scalesim as Simulation
    if layer.kernel == 0:
        topology = f"layer,{layer.side},{layer.filters},{layer.channels},1:1,\n"
    else:
        padded = layer.side + sum(padding(layer))
        topology = (f"layer,{padded},{padded},{layer.kernel},{layer.kernel},{layer.channels},{layer.filters},"
                    f"{layer.stride},1:1,\n")
    (folder / "topology.csv").write_text("header,\n" + topology)
    (folder / "layout.csv").write_text("header,\nlayer" + ",1" * 20 + ",\n")
    found = []
    for dataflow in DATAFLOWS:
        out = folder / dataflow
        (folder / "array.cfg").write_text(SCALESIM.format(side=SIDE, dataflow=dataflow, operand=sram * 3 // 8 // 1024,
                                                          result=sram // 4 // 1024))
        with contextlib.redirect_stdout(io.StringIO()):
            Simulation(save_disk_space=True, verbose=False, config=str(folder / "array.cfg"),
                       topology=str(folder / "topology.csv"), layout=str(folder / "layout.csv"),
                       input_type_gemm=layer.kernel == 0).run_scale(top_path=str(out))
        with open(out / "run" / "DETAILED_ACCESS_REPORT.csv") as file:
            row = {key.strip(): value for key, value in next(csv.DictReader(file)).items() if key}
        found.append(sum(int(float(row[f"DRAM {name}"])) for name in ("IFMAP Reads", "Filter Reads", "OFMAP Writes")))
    return min(found)


TOOLS = {"zigzag": zigzag, "scalesim": scalesim}


def asked(tool, layer, limit):
    # SCALE-Sim has no depthwise dataflow, only one run a channel.
    return tool == "zigzag" or (macs(layer) <= limit and not layer.depthwise)


def quantiles(ratios):
    ordered = sorted(ratios)
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return f"median {statistics.median(ordered):.3f}, p10 {at(0.1):.3f}, p90 {at(0.9):.3f}, {len(ordered)} layers"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sram", type=int, default=262144)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--reference", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--macs", type=float, default=6e7)
    args = parser.parse_args()
    tools = [tool for tool in args.tools.split(",") if tool]
    kept = json.loads(args.reference.read_text()) if args.reference and args.reference.exists() else {}
    ratios = collections.defaultdict(list)
    print(f"{'layer':26} {'least kB':>9} {'ours':>6}" + "".join(f" {tool:>9} {'ours/':>6}" for tool in tools))
    for layer in (layer for layer in LAYERS if args.only in layer.name):
        with tempfile.TemporaryDirectory() as name:
            folder, least = pathlib.Path(name), least_bytes(layer)
            mine = ours(args.program, layer, args.sram, folder)
            ratios["the least"].append(mine / least)
            line = f"{layer.name:26} {least / 1e3:9.1f} {mine / least:6.2f}"
            for tool in tools:
                key = f"{tool} {args.sram} {layer.name}"
                if key not in kept and asked(tool, layer, args.macs):
                    kept[key] = TOOLS[tool](layer, args.sram, folder)
                    if args.reference:
                        args.reference.write_text(json.dumps(kept, indent=0))
                theirs = kept.get(key)
                line += f" {theirs / least:9.2f} {mine / theirs:6.2f}" if theirs else f" {'-':>9} {'-':>6}"
                if theirs:
                    ratios[tool].append(mine / theirs)
            print(line, flush=True)
    for tool, values in ratios.items():
        print(f"ours / {tool}: {quantiles(values)}")


if __name__ == "__main__":
    main()
