"""Removes weights, which no analysis reads, from models that travel to the workers of a sweep."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

KEPT_BYTES = 65536  # what the reader decodes at most
# Fields of onnx.proto that lead to tensors, by message.
_INSIDE: Dict[str, Dict[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph"},
}
_CONTENTS = (4, 5, 7, 9, 10, 11)  # of a tensor: everything that holds numbers
# external_data { key: "location" value: "weights" } data_location: EXTERNAL
_ELSEWHERE = b"\x6a\x13\x0a\x08location\x12\x07weights\x70\x01"


def without_weights(data: Any) -> bytes:
    """A serialised model with large tensors replaced by references to a missing file. Returns other bytes unchanged."""
    try:
        return b"".join(_without(memoryview(data), "model"))
    except (IndexError, ValueError):
        return bytes(data)  # the reader says what is wrong


def _varint(data: memoryview, at: int) -> Tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("no varint")


def _encoded(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(data: memoryview) -> Iterator[Tuple[int, int, int, Optional[int]]]:
    """(number, where the field begins, where it ends, where its content begins if it has a length)"""
    at = 0
    while at < len(data):
        begin = at
        tag, at = _varint(data, at)
        content = None
        if tag & 7 == 0:
            _, at = _varint(data, at)
        elif tag & 7 == 1:
            at += 8
        elif tag & 7 == 5:
            at += 4
        elif tag & 7 == 2:
            size, content = _varint(data, at)
            at = content + size
        else:
            raise ValueError("no message")
        if at > len(data):
            raise ValueError("cut short")
        yield tag >> 3, begin, at, content


def _without(data: memoryview, message: str) -> List[Any]:
    if message == "tensor":
        return _tensor(data)
    parts: List[Any] = []
    for number, begin, end, content in _fields(data):
        inner = _INSIDE[message].get(number)
        if inner is None or content is None or end - begin <= KEPT_BYTES:
            parts.append(data[begin:end])
            continue
        changed = _without(data[content:end], inner)
        parts += [_encoded(number << 3 | 2), _encoded(sum(map(len, changed))), *changed]
    return parts


def _tensor(data: memoryview) -> List[Any]:
    fields = list(_fields(data))
    if sum(end - begin for number, begin, end, _ in fields if number in _CONTENTS) <= KEPT_BYTES:
        return [data]
    return [*(data[begin:end] for number, begin, end, _ in fields if number not in _CONTENTS), _ELSEWHERE]
