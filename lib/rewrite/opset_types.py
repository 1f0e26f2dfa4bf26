#!/usr/bin/env python3
"""Writes opset_types.inc: which element types each version of each ONNX operator takes, from the schemas of onnx 1.23.

usage: python3 opset_types.py > opset_types.inc        (needs the package onnx)
"""

import collections

import onnx
import onnx.defs

OLDEST = 9  # versions that a model of this operator set or a later one may use


def mask(formal, constraints):
    """A bit for each element type, by its number in TensorProto; bit 0 for what is no tensor."""
    names = constraints.get(formal.type_str, [formal.type_str])
    bits = 0
    for name in names:
        if not name.startswith("tensor("):
            bits |= 1
            continue
        elem = name[len("tensor("):-1].upper()
        bits |= 1 << onnx.TensorProto.DataType.Value(elem)
    return bits


def main():
    history = collections.defaultdict(dict)
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and not schema.deprecated:
            history[schema.name][schema.since_version] = schema
    gone = {(s.name, s.since_version) for s in onnx.defs.get_all_schemas_with_history() if s.domain == "" and s.deprecated}
    print("// Written by opset_types.py: operator, version, element types of its first input and of its first output.")
    for name in sorted(history):
        versions = sorted(history[name])
        first = max([version for version in versions if version <= OLDEST], default=versions[0])
        rows = []
        for version in versions:
            if version < first:
                continue
            schema = history[name][version]
            constraints = {each.type_param_str: list(each.allowed_type_strs) for each in schema.type_constraints}
            masks = [mask(formals[0], constraints) if formals else 0 for formals in (schema.inputs, schema.outputs)]
            rows.append((version, *masks))
        rows += [(version, 0, 0) for op, version in gone if op == name]  # taken out again
        for version, *masks in sorted(rows):
            print(f'{{"{name}", {version}, {masks[0]:#x}, {masks[1]:#x}}},')


if __name__ == "__main__":
    main()
