#!/usr/bin/env python3
"""Writes what this library takes from the schemas of operators:

    type_rows.inc       which element types each version of each operator takes and makes, and which operands share one
    attribute_rows.inc  the attributes of each operator of ONNX over all its versions

usage: python3 schemas.py        (needs the packages onnx and onnxruntime; written with 1.23 and 1.32)

The schemas of ONNX's own domains are those of onnx, those of com.microsoft and its like those that ONNX Runtime checks
a file with.
"""

import pathlib
import textwrap

import onnx
import onnx.defs
from onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime

DOMAINS = ["", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training", "com.microsoft", "com.microsoft.nchwc",
           "com.ms.internal.nhwc"]
ONNX_DOMAINS = 4  # of which onnx has the schemas


def mask(names):
    """A bit for each element type, by its number in TensorProto; bit 0 for what is no tensor."""
    bits = 0
    for name in names:
        is_tensor = name.startswith("tensor(")
        bits |= 1 << onnx.TensorProto.DataType.Value(name[len("tensor("):-1].upper()) if is_tensor else 1
    return bits


def signature(schema):
    """Letters of the operands, inputs > outputs, and the types of each letter. An operand that repeats has a + behind
    it, a * when each of them may have a type of its own."""
    if schema.name == "Constant" and schema.since_version == 1:  # runtimes make initialisers of them unchecked, and
        schema = onnx.defs.get_schema(schema.name, 9)  # exporters of that time wrote integers
    constraints = {each.type_param_str: list(each.allowed_type_strs) for each in schema.type_constraints}
    letters, masks, text = {}, [], ""

    def add(formal, type_name):
        nonlocal text
        if type_name not in letters:
            letters[type_name] = chr(ord("A") + len(letters))
            masks.append(mask(constraints.get(type_name, [type_name])))
        text += letters[type_name]
        if "Variadic" in str(formal.option):
            text += "+" if getattr(formal, "is_homogeneous", getattr(formal, "isHomogeneous", True)) else "*"

    for formal in schema.inputs:
        add(formal, getattr(formal, "type_str", None) or formal.typeStr)
    text += ">"
    for formal in schema.outputs:
        add(formal, getattr(formal, "type_str", None) or formal.typeStr)
    return text, masks


def type_rows():
    rows = {}
    for schema in onnxruntime.get_all_operator_schema() + onnx.defs.get_all_schemas_with_history():
        if schema.domain not in DOMAINS:
            continue
        is_onnx = isinstance(schema, onnx.defs.OpSchema)
        if is_onnx != (DOMAINS.index(schema.domain) < ONNX_DOMAINS):
            continue
        key = (DOMAINS.index(schema.domain), schema.name, schema.since_version)
        rows[key] = ("", []) if schema.deprecated else signature(schema)
    yield "// Written by schemas.py: domain, operator, version, letters of inputs > outputs, types of each letter."
    for (domain, name, version), (text, masks) in sorted(rows.items()):
        sets = ", ".join(f"{each:#x}" for each in masks)
        yield f'{{{domain}, "{name}", {version}, "{text}", {{{sets}}}}},'


def attribute_rows():
    names = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        names.setdefault((schema.domain, schema.name), set()).update(schema.attributes)
    yield "// Written by schemas.py: domain::operator, attributes."
    for (domain, name), attributes in sorted(names.items()):
        line, *more = textwrap.wrap(" ".join([f"{domain}::{name}" if domain else name, *sorted(attributes)]), 112)
        for part in more:
            yield f'"{line} "'
            line = part
        yield f'"{line}\\n"'


def main():
    folder = pathlib.Path(__file__).parent
    for rows in (type_rows, attribute_rows):
        (folder / f"{rows.__name__}.inc").write_text("\n".join([*rows(), ""]))


if __name__ == "__main__":
    main()
