#!/usr/bin/env python3
"""Holds the toolchain files against the table of operator support they were written from.

usage: support_check.py TOOLCHAIN_FOLDER OP_SUPPORT_CSV

Every row of the table (toolchain, operator) must have a row in that toolchain's file with the same yes or no. Then
every constraint text (texts are parted by ';') of the rows that say yes or partial is
  typed   the row in the file has the limits that TEXTS demands of this text, and every number of the text is in them
  remark  it demands nothing of a model: how an operator is run, or what ONNX demands of every model already
  noted   neither
Rows that a compiler was run for (trust MEASURED in the file) are counted as seen and held against nothing.
The share typed / (typed + noted) of the toolchains in SHARES must not fall below theirs. Exit 77 without the table.
"""
import collections
import csv
import os
import re
import sys

FILES = {
    "TensorRT": "tensorrt", "TensorRT-DLA": "tensorrt-dla", "TIDL": "tidl", "QNN/SNPE": "qnn", "RKNN": "rknn",
    "Hailo DFC": "hailo-dfc", "edgetpu_compiler": "edgetpu-compiler", "ONNX Runtime": "onnxruntime-cpu",
    "OpenVINO": "openvino",
}
SHARES = {"TensorRT": 0.9, "TensorRT-DLA": 0.9, "TIDL": 0.9, "QNN/SNPE": 0.9}

# Rows of the table that a later release of the toolchain overtook: its file holds the newer list.
NEWER = {("TIDL", "Expand"), ("TIDL", "ReduceSum")}  # docs/operators.md @4ccf3d6, tidl-new in its file

# A "partial" of one of these texts is a no of the file: the operator does not run there as the model has it.
REFUSED = ("needs rewrite into supported ops", "implemented on the A76/A55 cores", "runs on host")

# Demands nothing of a model.
REMARKS = (
    r"seed ignored|folded( at build)?|shape op, resolved at build|two-input chains of Add|as Scale .*|becomes 1x1 Conv"
    r"|FP16 internally even in INT8 network|negative slope not allowed|across channels|same spatial dims"
    r"|sparse 2:4 needs .*|LUT.*|broadcastable|inference mode; folded|removed|not standalone|Resize is cheaper"
    r"|two variable inputs allowed .*|C multiple of block\^2|H,W multiples of block|QDQ models|int64 upcast|decomposed"
    r"|both branches executed, then select|HTP only|HTP type pairs.*v69.*|int8 LUT|fused or standalone|fused"
    r"|multi-core ok|single core|accepted by front end|NPU op exists|supported|else CPU|static sizes only|per-channel "
    r"quant ok|as dense|folded or standalone normalisation|precomputed"
    r"|reference coverage of ONNX ops|NCHWc conv only on x86|optional fused add or mul|broadcast( rules)?"
    r"|any axis|bool mask|multi-axis|ReLU6 and|a8w8 default.*")

# (toolchain or "", text) -> what the row must have: forms of `of`, or fields of the toolchain after "=".
TEXTS = [
    ("", r"types .*", ["dtype:"]),
    ("", r"2D/3D only|4D input only|1 or 2 spatial dims|2 spatial dims|4D( only)?|2D( grid)?|3D .*", ["rank:"]),
    ("", r"dilation( must be)? 1|equal dilation in x,y|dilation 1\.\.\d+|dilation only with 1x1", ["attr:dilations"]),
    ("", r"no sparse or string value", ["has:sparse_value", "has:value_string"]),
    ("", r"begin and end pads equal per axis", ["attr:pads:0", "attr:pads:1"]),
    ("", r"zero point must be 0 .*", ["value:2"]),
    ("", r"inference mode only .*", ["value:2"]),
    ("TIDL", r"inference mode", ["attr:training_mode"]),
    ("", r"static input dims|no dynamic shapes|static( shapes only)?", ["=static"]),
    ("", r".*same activations.*", ["attr:activations:0"]),
    ("", r"input_forget=0", ["attr:input_forget"]), ("", r"layout=0|batch-first", ["attr:layout"]),
    ("", r"only output Y|no Indices output|single output", ["outputs"]),
    ("", r"axis dim known at build", ["dim:0:@axis"]),
    ("edgetpu_compiler", r"constant input only if .*", ["inputs", "value:0"]), ("edgetpu_compiler", r"as Mean", []),
    ("edgetpu_compiler", r"static sizes", ["=static"]), ("TIDL", r"4 inputs, 3 constant 1D", ["const:1", "rank:1"]),
    ("", r"(axis|depth|axes|slope|shape|constant .*|B( must be)?|weights) constant.*|constant (?!mode)[A-Za-z].*|only "
         r"support constant input"
         r"|3 constant 1D|1D constant indices|1 variable input|scale constant", ["const:"]),
    ("", r"nearest/linear only .*|nearest/linear|nearest/bilinear( .*)?|bilinear/nearest.*|mode: .*|constant mode",
     ["attr:mode"]),
    ("", r"no antialias", ["attr:antialias"]),
    ("", r"modes half_pixel.*|half_pixel/.*|linear not with asymmetric", ["attr:coordinate_transformation_mode"]),
    ("", r"reduction attribute not supported|no reduction|no mul", ["attr:reduction"]),
    ("", r"sorted(=1)?", ["attr:sorted"]), ("", r"K < 3840", ["value:1"]), ("", r"K<=8192", ["dim:1:-2"]),
    ("TensorRT-DLA", r"broadcast only .*|as Add", ["broadcast:0", "broadcast:1"]),
    ("TensorRT-DLA", r"as MaxPool|kernel .*|window 1\.\.8", ["attr:kernel_shape"]),
    ("TensorRT-DLA", r"global pooling only if window<=8.*", ["attr:kernel_shape"]),
    ("TensorRT-DLA", r"window 3/5/7/9", ["attr:size"]),
    ("", r"pad(ding)? ?(0|<?=?\d+|0\.\.\d+)", ["attr:pads"]),
    ("", r"stride ?(<?=?\d+|1\.\.\d+|1,2,4,8)", ["attr:strides"]),
    ("TensorRT-DLA", r"as clipped ReLU", ["value:1"]), ("TensorRT-DLA", r"upper value 1\.\.127.*", ["value:2"]),
    ("", r"channel axis( only)?|mainly channel axis|axis -3.*|width or height axis only.*|last \(width\) "
         r"axis|channel/last axis"
         r"|(width|height) axis|axis 1|any of 4 axes", ["axis:|attr:axis"]),
    ("", r">=2 inputs|2 inputs|4 inputs", ["inputs|value:4"]),
    ("TensorRT-DLA", r"output maps and groups .*", ["attr:group", "dim:1:0"]), ("", r"groups? 1.*", ["attr:group"]),
    ("TensorRT-DLA", r"TRT>=8\.6\.12.*|Reduce layer MAX .*", ["=version"]),
    ("TensorRT-DLA", r"INT8 only comparison|FP16( only)?( .*)?", ["precision"]),
    ("", r"FP16/INT8|FP16 or INT8 only|int8/fp16|int8|int8/uint8 TFLite only", ["=precision"]),
    ("TensorRT-DLA", r"batch dim unchanged.*|CHW only.*", ["dim:-1:0"]),
    ("TensorRT-DLA", r"4D, CHW permutations only.*", ["rank:0", "attr:perm:0"]),
    ("TensorRT-DLA", r"4 scales, N and C scale =1|as Resize|nearest integer .*|bilinear integer .*",
     ["scale:0", "scale:*"]),
    ("TensorRT-DLA", r"one axis|other non-batch dims 1|optimised to 1024 elements.*", ["numel:0:1"]),
    ("TensorRT-DLA", r"parsed as Slice", ["dim:-1:0"]),
    ("TensorRT-DLA", r"batch<=4096", ["batch"]), ("TensorRT-DLA", r"non-batch dims<=8192", ["dim:0:*"]),
    ("TensorRT-DLA", r"implicit quantisation .*", ["=refuses Q/DQ"]),
    ("", r"max 16 loadables per core|only one Edge TPU partition per model", ["=max_segments"]),
    ("TensorRT-DLA", r"DLA absent from TensorRT .*", ["=version"]),
    ("", r"<=[46] (non-singleton )?dims|output <=6 dims|tensors <=3 significant dims", ["nonsingleton:"]),
    ("TIDL", r"equal H/W stride", ["attr:strides:0"]),
    ("TIDL", r"kernel>7 .*|depthwise only .*|stride 4 only .*|only 2x2 or 4x4 kernel .*|3x3 stride 1 only|validated "
             r"3x3.*|as MaxPool",
     ["attr:kernel_shape", "attr:strides"]),
    ("TIDL", r"input width >= .*", ["attr:pads:1", "attr:pads:3"]),
    ("TIDL", r"storage_order 0", ["attr:storage_order"]), ("", r"H\*W<=1024.*", ["numel:0:2"]),
    ("TIDL", r"broadcast not on batch|as Add", ["broadcast:0:0", "broadcast:1:0"]),
    ("TIDL", r"one input constant .*", ["consts", "nonsingleton:0", "nonsingleton:1"]),
    ("TIDL", r"transA=0, alpha=beta=1", ["attr:transA", "attr:alpha", "attr:beta"]),
    ("TIDL", r"bias \[N\] or \[1,N\]", ["nonsingleton:2", "dim:2:-2"]),
    ("TIDL", r"not batch", ["axis:axis"]), ("", r"batch 1|batchsize: 1", ["batch"]),
    ("TIDL", r"stride!=1 only inside patch merging", ["value:4"]), ("TIDL", r"as Slice", ["nonsingleton:0", "batch"]),
    ("", r"keepdims 1", ["attr:keepdims"]), ("TIDL", r"upscale only, power of 2, equal H/W|as Resize",
                                             ["scale:*", "scale:-1"]),
    ("TIDL", r"H/W only", ["value:1:0", "value:1:5"]), ("TIDL", r"updates 1 channel", ["dim:2:-3"]),
    ("TIDL", r"data=zeros", ["value:0"]), ("", r"no allowzero", ["attr:allowzero"]),
    ("TIDL", r">1D variable data", ["rank:0", "const:0"]), ("TIDL", r"dims above axis =1", ["numel:0:@axis"]),
    ("TIDL", r"zeros padding", ["attr:padding_mode"]), ("TIDL", r"min<=0, max>0", ["value:1", "value:2"]),
    ("TIDL", r"only inside .*", ["=only_in"]), ("TIDL", r"graph input/output only", ["edge"]),
    ("QNN/SNPE", r"positive indices only", ["value:1"]),
    ("QNN/SNPE", r"tf_half_pixel_for_nn only .*", ["attr:mode", "rank:0"]),
    ("QNN/SNPE", r"p=.*", ["attr:p"]), ("QNN/SNPE", r"fixed length", ["has:4"]),
    ("QNN/SNPE", r"default activations, no initial state|batch-first, fixed length, .*",
     ["has:activations", "has:5", "has:4"]),
    ("QNN/SNPE", r"constant .*", ["const:"]), ("QNN/SNPE", r"corner format", ["attr:center_point_box"]),
    ("QNN/SNPE", r"float only", ["precision"]), ("QNN/SNPE", r"per-tensor scales", ["numel:1", "numel:4"]),
    ("QNN/SNPE", r"only via DynamicQuantizeLinear .*", ["neighbour:0"]),
    ("QNN/SNPE", r"only inside the two .*", ["neighbour:-1"]),
    ("QNN/SNPE", r"fp32 graphs run as fp16 .*", ["=precision"]),
    ("RKNN", r"kernel.*|Depthwise: kernel 1\.\.8", ["attr:kernel_shape"]),
    ("RKNN", r"count_include_pad=1", ["attr:count_include_pad"]),
    ("RKNN", r"no ceil_mode", ["attr:ceil_mode"]), ("RKNN", r"C,H,W<=8192", ["dim:0:*"]),
    ("RKNN", r"width<16383 .*", ["dim:0:-1"]),
    ("RKNN", r"H,W<=7 .*", ["dim:0:-1", "dim:0:-2"]), ("RKNN", r"integer factors 2\.\.8.*", ["scale:-1"]),
    ("RKNN", r"exNorm: fp16 only", ["precision"]), ("RKNN", r"exMatMul: K<=8192", ["dim:1:-2"]),
    ("RKNN", r"multi-core ok. Depthwise: kernel 1..8", ["attr:kernel_shape"]),
    ("Hailo DFC", r"common kernels .*|mainly 2x2,.*", ["attr:kernel_shape"]), ("Hailo DFC", r"ReLU6", ["value:2"]),
    ("Hailo DFC", r"4D feature maps", ["rank:0"]), ("Hailo DFC", r"constant index as slice", ["const:1"]),
    ("edgetpu_compiler", r"group conv must become .*", ["attr:group"]),
    ("edgetpu_compiler", r"no fused activation", ["=no *_act pick"]),
    ("edgetpu_compiler", r"1-D output", ["nonsingleton:-1"]),
    ("edgetpu_compiler", r"constant B only .*", ["const:1"]),
    ("edgetpu_compiler", r"unidirectional", ["attr:direction"]),
    ("edgetpu_compiler", r"not batch", ["dim:-1:0"]), ("edgetpu_compiler", r"1-D alpha", ["nonsingleton:1"]),
    ("edgetpu_compiler", r"only ReLU6 and ReLU -1\.\.1", ["value:1", "value:2"]),
    ("edgetpu_compiler", r"1-D input", ["nonsingleton:0"]),
    ("edgetpu_compiler", r"up to about 16000 elements", ["numel:0"]),
]


def read_toolchain(path):
    """The file's rows by operator, and its own fields as one text."""
    rows = {}
    text = open(path, encoding="utf-8").read()
    for block in re.findall(r"^support \{\n(.*?)^\}", text, re.S | re.M):
        ops = re.search(r"op: (\[.*?\]|\"[^\"]*\")", block, re.S).group(1)
        row = {"no": "no: true" in block, "only_in": "only_in:" in block, "domain": "domain:" in block,
               "limits": re.findall(r"limit \{ of: \"([^\"]*)\"", block), "text": block,
               "seen": "trust: MEASURED" in block}
        for op in re.findall(r"\"([^\"]*)\"", ops):
            rows.setdefault(op, row)
    return rows, text


def has(demand, row, general, text):
    """One demand of TEXTS: a prefix of some limit's `of`, alternatives parted by '|', or a property after '='."""
    if demand == "=static":
        return "static_only: true" in text or "static" in row["limits"]
    if demand == "=version":
        return 'version: "8.6.12' in text
    if demand == "=precision":
        return "\nprecision:" in text
    if demand == "=max_segments":
        return "max_segments:" in text
    if demand == "=only_in":
        return row["only_in"]
    if demand == "=refuses Q/DQ":
        return "absorbs_qdq" not in text
    if demand == "=no *_act pick":
        return not re.search(r'pattern: "(concat|pool)_act', text)
    limits = row["limits"] + general
    return any(of.startswith(prefix) for prefix in demand.split("|") for of in limits)


# Texts whose numbers stand in the file as other numbers: ranks count batch and channels, ranges only their ends.
RESTATED = r".*spatial dims|2D/3D only|3D supported since .*|axis -3,-2,-1"


def has_numbers(constraint, row, rows):
    """Every number of the text, or the one below it for '<', is in the row or in what holds for every operator."""
    if re.fullmatch(RESTATED, constraint):
        return True
    texts = row.get("text", "") + (rows["*"]["text"] if "*" in rows else "")
    stated = set(re.findall(r"\d+", texts))
    said = re.findall(r"(<\s*)?(?<![A-Za-z_\d.])(\d+)(?![A-Za-z\d])", constraint.replace("..", " "))
    return all((str(int(number) - 1) if below else number) in stated for below, number in said)


def judge(toolchain, constraint, row, rows, text):
    if re.fullmatch(REMARKS, constraint):
        return "remark"
    general = rows["*"]["limits"] if "*" in rows else []
    for of, pattern, demands in TEXTS:
        if of in ("", toolchain) and re.fullmatch(pattern, constraint):
            if all(demand.startswith("=") for demand in demands):
                return "typed" if all(has(demand, row, general, text) for demand in demands) else "noted"
            typed = all(has(demand, row, general, text) for demand in demands) and has_numbers(constraint, row, rows)
            return "typed" if typed else "noted"
    return "noted"


def main():
    folder, table = sys.argv[1:3]
    if not os.path.exists(table):
        print(f"DID NOT RUN: no {table}")
        return 77
    failures = []
    counts = collections.defaultdict(collections.Counter)
    noted = []
    files = {name: read_toolchain(os.path.join(folder, f"{file}.textproto")) for name, file in FILES.items()}
    with open(table, encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            toolchain, op, said = line["toolchain"], line["onnx_op"], line["supported"]
            rows, text = files[toolchain]
            none = {"no": False, "only_in": False, "limits": [], "seen": False}
            row = none if op.startswith("(") else rows.get(op)
            if row is None:
                failures.append(f"{toolchain}: no row for {op}")
                continue
            refused = said == "no" or any(part in line["constraints"] for part in REFUSED)
            if row["seen"]:  # what the compiler does overtakes what its list says
                counts[toolchain]["seen"] += 1
                continue
            if (toolchain, op) in NEWER:
                if row["no"]:
                    failures.append(f"{toolchain}: {op} is a no: it is newer no longer")
                continue
            if row["no"] != refused:
                failures.append(f"{toolchain}: {op} is {said}, the file says {'no' if row['no'] else 'yes'}")
            if refused:
                counts[toolchain]["refused"] += 1
                continue
            for constraint in filter(None, (part.strip() for part in line["constraints"].split(";"))):
                constraint = re.sub(r" \[limits:B.*?\]", "", constraint)
                verdict = judge(toolchain, constraint, row, rows, text)
                counts[toolchain][verdict] += 1
                if verdict == "noted":
                    noted.append(f"{toolchain}: {op}: {constraint}")
    print(f"{'toolchain':<18}{'typed':>7}{'noted':>7}{'remark':>8}{'refused':>9}{'seen':>6}{'share':>8}")
    for toolchain, count in counts.items():
        total = count["typed"] + count["noted"]
        share = count["typed"] / total if total else 0
        print(f"{toolchain:<18}{count['typed']:>7}{count['noted']:>7}{count['remark']:>8}"
              f"{count['refused']:>9}{count['seen']:>6}{100 * share:>7.1f}%")
        if share < SHARES.get(toolchain, 0):
            failures.append(f"{toolchain}: {100 * share:.1f} % of the constraint texts are typed")
    if "-v" in sys.argv:
        print("\n".join(noted))
    print("\n".join(failures) if failures else "every row of the table has its row")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
