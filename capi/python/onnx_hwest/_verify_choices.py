"""Choices in two model files that are compared: operators in which rounding turns the result, and not by rounding.

A score that moves by a rounding moves the best one, what passes a threshold, or a floor, and all that is made of it.
Such a result is no difference of the file if the same operator, unchanged in it, got inputs that are equal: then what
follows is compared with the choice of the first file in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from ._measure_model import graphs_of

CHOOSERS = frozenset((
    "ArgMax", "ArgMin", "Ceil", "DynamicQuantizeLinear", "Equal", "Floor", "Greater", "GreaterOrEqual", "Hardmax",
    "Less", "LessOrEqual", "MaxPool", "NonMaxSuppression", "NonZero", "QuantizeLinear", "Round", "Sign", "TopK",
    "Unique"))
# The first output holds values, which move as little as what they are of.
VALUES_FIRST = frozenset(("MaxPool", "TopK"))
WHOLE = frozenset((2, 3, 4, 5, 6, 7, 9, 12, 13))  # element types of integers and truths, by their numbers in ONNX
OWN = "_own_choice"  # what a value that is given was called


def chooses(node: Any) -> bool:
    """Whether rounding may turn what the operator, or one in a body of it, results in."""
    if node.domain not in ("", "ai.onnx"):
        return False
    if node.op_type == "Cast":
        return any(a.name == "to" and a.i in WHOLE for a in node.attribute)
    bodies = [a.g for a in node.attribute if a.HasField("g")]
    if node.op_type in CHOOSERS:
        return bool(chosen_by(node))
    return any(chooses(inner) for body in bodies for inner in body.node)


def chosen_by(node: Any) -> list[str]:
    """Outputs of a node that chooses which tell its choice."""
    return [name for name in node.output[int(node.op_type in VALUES_FIRST):] if name]


def captured(node: Any) -> list[str]:
    """Values of the graph outside that bodies of a node read."""
    names: dict[str, None] = {}
    for attribute in node.attribute:
        if not attribute.HasField("g"):
            continue
        own: set[str] = set()
        for body in graphs_of(attribute.g):
            own |= {value.name for value in body.input} | {tensor.name for tensor in body.initializer}
            own |= {name for inner in body.node for name in inner.output}
        for body in graphs_of(attribute.g):
            read = [name for inner in body.node for name in inner.input] + [value.name for value in body.output]
            names.update(dict.fromkeys(name for name in read if name and name not in own))
    return list(names)


def does_the_same(one: Any, two: Any) -> bool:
    """Whether two nodes are one operator with the same attributes, bodies included."""
    def form(node: Any) -> list[bytes]:
        return sorted(attribute.SerializeToString(deterministic=True) for attribute in node.attribute)
    return (one.op_type, one.domain, list(one.output), len(one.input)) == (
        two.op_type, two.domain, list(two.output), len(two.input)) and form(one) == form(two)


def choices_of(nodes: list[Any], second: Any) -> list[tuple[Any, Any]]:
    """Those of the first file's nodes that are the same in the main graph of the second one, with these."""
    makers = {name: node for node in second.graph.node for name in node.output if name}
    pairs = [(node, makers.get(next(filter(None, node.output), ""))) for node in nodes]
    return [(node, other) for node, other in pairs if other is not None and does_the_same(node, other)]


def reads_of(one: Any, two: Any) -> Iterator[tuple[str, str]]:
    """What two such nodes read, by its names in either file."""
    yield from ((a, b) for a, b in zip(one.input, two.input) if a or b)
    yield from ((name, name) for name in captured(one))


def constants_of(model: Any, arrays: dict[str, Any]) -> Callable[[str], Any]:
    """Contents of a constant of the file by name; None for what is no constant. `arrays` are those held apart."""
    onnx = import_module("onnx")
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}

    def find(name: str) -> Any:
        if name in arrays:
            return arrays[name]
        return onnx.numpy_helper.to_array(tensors[name]) if name in tensors else None
    return find


def give(graph: Any, given: dict[str, Any]) -> None:
    """Makes values of a graph inputs of it, which are no outputs then."""
    onnx = import_module("onnx")
    for node in graph.node:
        for i, name in enumerate(node.output):
            if name in given:
                node.output[i] = name + OWN
    for values in (graph.output, graph.value_info):
        left = [value for value in values if value.name not in given]
        del values[:]
        values.extend(left)
    for name, array in given.items():
        kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
        graph.input.append(onnx.helper.make_tensor_value_info(name, kind, array.shape))
