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


INITIALIZER, GRAPH_INPUT = 5, 11  # of GraphProto
DIMS, FLOAT_DATA, INT32_DATA, INT64_DATA, TENSOR_NAME, RAW_DATA, EXTERNAL = 1, 4, 5, 7, 8, 9, 13  # of TensorProto
ATTRIBUTE_NAME, ATTRIBUTE_INT, ATTRIBUTE_TENSOR = 1, 3, 5  # of AttributeProto


def _dims_of(parts):
    dims = []
    for number, value, _ in parts:
        if number == DIMS and isinstance(value, int):
            dims.append(value)
        elif number == DIMS:  # packed
            at = 0
            while at < len(value):
                dim, at = read_varint(value, at)
                dims.append(dim)
    return dims


def _product(dims):
    product = 1
    for dim in dims:
        product *= dim
    return product


def resized_tensor(raw, dims, name=None):
    """The tensor with other sizes, its contents zeros, and under another name if one is given."""
    parts = [part for part in fields(raw) if name is None or part[0] != TENSOR_NAME]
    before, after = _product(_dims_of(parts)), _product(dims)
    out = [varint(DIMS << 3) + varint(dim) for dim in dims]
    if name is not None:
        out.append(field(TENSOR_NAME, name.encode()))
    has_raw = any(number == RAW_DATA for number, _, _ in parts)
    for number, value, text in parts:
        if number == RAW_DATA:
            out.append(field(RAW_DATA, bytes(len(value) * after // before)))
        elif number in (FLOAT_DATA, INT32_DATA, INT64_DATA) and not has_raw:
            # One packed field of four bytes, or of a varint of one byte each, in place of all fields of the kind.
            size = 4 if number == FLOAT_DATA else 1
            out.append(field(number, bytes(size * after)))
            has_raw = True
        elif number not in (DIMS, FLOAT_DATA, INT32_DATA, INT64_DATA):
            out.append(bytes(text))
    return b"".join(out)


def _resized_node(raw, tensors, attributes, copies):
    parts = list(fields(raw))
    outputs = [bytes(value).decode() for number, value, _ in parts if number == OUTPUT]
    name = outputs[0] if outputs else ""
    if name not in tensors and name not in attributes and name not in copies:
        return None
    out, operand = [], 0
    for number, value, text in parts:
        inner = list(fields(value)) if number == ATTRIBUTE else []
        called = [bytes(part).decode() for kind, part, _ in inner if kind == ATTRIBUTE_NAME]
        changed = [bytes(part_text) for _, _, part_text in inner]
        for i, (kind, part, _) in enumerate(inner):
            if kind == ATTRIBUTE_TENSOR and name in tensors:
                changed[i] = field(ATTRIBUTE_TENSOR, resized_tensor(part, tensors[name]))
            elif kind == ATTRIBUTE_INT and name in attributes and called == [attributes[name][0]]:
                changed[i] = varint(ATTRIBUTE_INT << 3) + varint(attributes[name][1])
        if number == INPUT:
            own = copies.get(name, {}).get(operand)
            out.append(bytes(text) if own is None else field(INPUT, own.encode()))
            operand += 1
        else:
            out.append(field(ATTRIBUTE, b"".join(changed)) if inner else bytes(text))
    return b"".join(out)


def _tensors_of(graph):
    """Bytes of each initialiser and of each node that is a tensor, by name."""
    found = {}
    for number, part, _ in fields(graph):
        if number == INITIALIZER:
            found.update({bytes(v).decode(): part for n, v, _ in fields(part) if n == TENSOR_NAME})
        elif number == NODE:
            parts = list(fields(part))
            inner = [list(fields(value)) for n, value, _ in parts if n == ATTRIBUTE]
            tensors = [value for one in inner for n, value, _ in one if n == ATTRIBUTE_TENSOR]
            outputs = [bytes(value).decode() for n, value, _ in parts if n == OUTPUT]
            if len(tensors) == 1 and len(outputs) == 1:
                found[outputs[0]] = tensors[0]
    return found


def resize_model(source, target, edits):
    """Writes `source` to `target` with other sizes of constants and other numbers in attributes, as `width` reports
    them: {name, attribute, dims, reader, operand}; a reader gets a copy of a constant that it shares. What the file
    declares of values inside is left out, because it follows."""
    tensors = {edit["name"]: edit["dims"] for edit in edits if edit["attribute"] is None and edit.get("reader") is None}
    attributes = {edit["name"]: (edit["attribute"], edit["dims"][0]) for edit in edits if edit["attribute"] is not None}
    copies = {}
    for edit in edits:
        if edit.get("reader") is not None:
            name = f"{edit['name']}@{edit['reader']}.{edit['operand']}"
            copies.setdefault(edit["reader"], {})[edit["operand"]] = name
    with open(source, "rb") as file:
        model = memoryview(file.read())
    out, value_info = [], 13
    for number, value, raw in fields(model):
        if number != GRAPH:
            out.append(bytes(raw))
            continue
        graph, shared = [], _tensors_of(value)
        for inner, part, text in fields(value):
            if inner == value_info:
                continue
            changed = None
            if inner == INITIALIZER:
                name = [bytes(v).decode() for n, v, _ in fields(part) if n == TENSOR_NAME]
                if name and name[0] in tensors:
                    changed = field(INITIALIZER, resized_tensor(part, tensors[name[0]]))
            elif inner == NODE:
                node = _resized_node(part, tensors, attributes, copies)
                changed = None if node is None else field(NODE, node)
            graph.append(bytes(text) if changed is None else changed)
        for edit in edits:
            if edit.get("reader") is not None:
                name = copies[edit["reader"]][edit["operand"]]
                graph.append(field(INITIALIZER, resized_tensor(shared[edit["name"]], edit["dims"], name)))
        body = b"".join(graph)
        out.append(varint(GRAPH << 3 | 2) + varint(len(body)) + body)
    with open(target, "wb") as file:
        file.write(b"".join(out))
