"""A writer of ONNX files that needs no package: protobuf's wire format and the few messages that benchmarks are made
of."""

import os


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, payload):
    """An integer field, or a field of bytes: text, or a message."""
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def value_info(name, dims):
    """ValueInfoProto of a float tensor."""
    shape = b"".join(field(1, field(1, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def ints(name, values):
    """AttributeProto of a list of integers."""
    return field(1, name) + b"".join(field(8, value) for value in values) + field(20, 7)


def node(op, inputs, outputs, name=b"", attributes=()):
    """NodeProto of the default domain."""
    return (b"".join(field(1, text) for text in inputs) + b"".join(field(2, text) for text in outputs)
            + (field(3, name) if name else b"") + field(4, op) + b"".join(field(5, text) for text in attributes))


def tensor_head(name, dims):
    """TensorProto of floats up to its payload."""
    return b"".join(field(1, dim) for dim in dims) + field(2, 1) + field(8, name)


class ModelFile:
    """Streams a model into a file: fields of its graph one after the other, in any order, then close()."""

    def __init__(self, path, opset=17):
        self.opset = opset
        self.file = open(path, "wb")
        self.file.write(field(1, 8) + varint(7 << 3 | 2))
        self.length_at = self.file.tell()
        self.file.write(bytes(5))  # the length of the graph, known at the end
        self.file.write(field(2, b"graph"))

    def node(self, text):
        self.file.write(field(1, text))

    def initializer(self, head, payload):
        self.file.write(field(5, head + field(9, payload)))

    def sparse_initializer(self, head, payload_bytes):
        """Leaves a hole in the file instead of a payload."""
        head += varint(9 << 3 | 2) + varint(payload_bytes)
        self.file.write(varint(5 << 3 | 2) + varint(len(head) + payload_bytes) + head)
        self.file.seek(payload_bytes, os.SEEK_CUR)

    def input(self, name, dims):
        self.file.write(field(11, value_info(name, dims)))

    def output(self, name, dims):
        self.file.write(field(12, value_info(name, dims)))

    def close(self):
        length = self.file.tell() - self.length_at - 5
        self.file.write(field(8, field(2, self.opset)))
        self.file.seek(self.length_at)
        digits = [length >> shift & 0x7F | 0x80 for shift in (0, 7, 14, 21)] + [length >> 28]
        self.file.write(bytes(digits))
        self.file.close()
