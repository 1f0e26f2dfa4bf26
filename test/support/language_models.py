"""Small language models as files, for tests."""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report" / "viewer"))
from page_models import ModelFile, field, named, node, tensor_head


def write_decoder(path, hidden=64, heads=4, kv_heads=2, inner=128, vocab=512):
    """One layer with GroupQueryAttention, as exports for onnxruntime-genai have them."""
    dim = hidden // heads
    model = ModelFile(path)
    for name, dims, dtype in ((b"input_ids", (b"b", b"seq"), 7), (b"seqlens_k", (b"b",), 6), (b"total", (1,), 6)):
        model.file.write(field(11, named(name, dims, dtype)))
    for part in (b"key", b"value"):
        model.file.write(field(11, named(b"past_key_values.0." + part, (b"b", kv_heads, b"past", dim))))
        model.file.write(field(12, named(b"present.0." + part, (b"b", kv_heads, b"total_length", dim))))
    for name, rows, columns in ((b"embed", vocab, hidden), (b"wq", hidden, hidden), (b"wk", hidden, kv_heads * dim),
                                (b"wv", hidden, kv_heads * dim), (b"wo", hidden, hidden), (b"up", hidden, inner),
                                (b"down", inner, hidden), (b"lm", hidden, vocab)):
        model.initializer(tensor_head(name, (rows, columns)), bytes(4 * rows * columns))
    model.node(node(b"Gather", [b"embed", b"input_ids"], [b"e"], b"/embed"))
    for out in (b"q", b"k", b"v"):
        model.node(node(b"MatMul", [b"e", b"w" + out], [out], b"/" + out))
    counts = [field(1, name) + field(3, count) + field(20, 2)
              for name, count in ((b"num_heads", heads), (b"kv_num_heads", kv_heads))]
    caches = [b"past_key_values.0.key", b"past_key_values.0.value", b"seqlens_k", b"total"]
    model.node(node(b"GroupQueryAttention", [b"q", b"k", b"v", *caches],
                    [b"a", b"present.0.key", b"present.0.value"], b"/attention", counts) + field(7, b"com.microsoft"))
    for op, inputs, out in ((b"MatMul", [b"a", b"wo"], b"o"), (b"Add", [b"o", b"e"], b"h"),
                            (b"MatMul", [b"h", b"up"], b"u"), (b"Relu", [b"u"], b"r"),
                            (b"MatMul", [b"r", b"down"], b"d"), (b"Add", [b"d", b"h"], b"f"),
                            (b"MatMul", [b"f", b"lm"], b"logits")):
        model.node(node(op, inputs, [out], b"/" + out))
    model.file.write(field(12, named(b"logits", (b"b", b"seq", vocab))))
    model.close()


def write_gguf(path, hidden=256, blocks=2, heads=8, kv_heads=2, inner=512, vocab=1000):
    """The header of a Llama in Q4_K."""
    def text(value):
        return struct.pack("<Q", len(value)) + value

    def tensor(name, dims, kind):
        return text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, 0)

    keys = [text(b"general.architecture") + struct.pack("<I", 8) + text(b"llama")]
    for key, number in ((b"general.file_type", 15), (b"llama.block_count", blocks), (b"llama.embedding_length", hidden),
                        (b"llama.context_length", 2048), (b"llama.attention.head_count", heads),
                        (b"llama.attention.head_count_kv", kv_heads)):
        keys.append(text(key) + struct.pack("<II", 4, number))
    narrow = hidden // heads * kv_heads
    tensors = [tensor(b"token_embd.weight", (hidden, vocab), 8)]
    for block in range(blocks):
        for name, columns, rows in ((b"attn_q", hidden, hidden), (b"attn_k", hidden, narrow),
                                    (b"attn_v", hidden, narrow), (b"attn_output", hidden, hidden),
                                    (b"ffn_gate", hidden, inner), (b"ffn_up", hidden, inner),
                                    (b"ffn_down", inner, hidden)):
            tensors.append(tensor(b"blk.%d.%s.weight" % (block, name), (columns, rows), 12))
    head = b"GGUF" + struct.pack("<Iqq", 3, len(tensors), len(keys))
    pathlib.Path(path).write_bytes(head + b"".join(keys + tensors))
