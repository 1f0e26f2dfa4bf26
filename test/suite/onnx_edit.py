"""Edits nodes of an ONNX file without a package: only the wire format, every other byte of the file is kept."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
from onnx_wire import field, varint

GRAPH, NODE = 7, 1  # fields of ModelProto and GraphProto
INPUT, OUTPUT, NAME, OP_TYPE, ATTRIBUTE, DOMAIN, OVERLOAD = 1, 2, 3, 4, 5, 7, 8  # of NodeProto


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, payload or integer, raw bytes of the whole field) of a message."""
    at = 0
    while at < len(data):
        start = at
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        elif key & 7 == 2:
            length, at = read_varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            size = 8 if key & 7 == 1 else 4
            value, at = data[at:at + size], at + size
        yield key >> 3, value, data[start:at]


def edited_node(raw, edits):
    parts = list(fields(raw))
    outputs = [bytes(value).decode() for number, value, _ in parts if number == OUTPUT]
    found = [edits[name] for name in outputs if name in edits]
    if not found:
        return None
    edit = found[0]
    kept = b"".join(bytes(text) for number, _, text in parts
                    if number not in (INPUT, OP_TYPE, ATTRIBUTE, DOMAIN, OVERLOAD))
    return field(INPUT, edit["input"].encode()) + kept + field(OP_TYPE, edit["op"].encode())


def edit_model(source, target, edits):
    """Writes `source` to `target` with each edit {output, op, input} made: op(input) makes that output."""
    by_output = {edit["output"]: edit for edit in edits}
    with open(source, "rb") as file:
        model = memoryview(file.read())
    out = []
    for number, value, raw in fields(model):
        if number != GRAPH:
            out.append(bytes(raw))
            continue
        graph = []
        for inner, node, text in fields(value):
            changed = edited_node(node, by_output) if inner == NODE else None
            graph.append(bytes(text) if changed is None else field(NODE, changed))
        body = b"".join(graph)
        out.append(varint(GRAPH << 3 | 2) + varint(len(body)) + body)
    with open(target, "wb") as file:
        file.write(b"".join(out))
