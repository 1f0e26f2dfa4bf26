#!/usr/bin/env python3
"""Networks written as TensorFlow Lite and as ONNX by their converters must have the same shapes and counts here.

usage: PYTHON tflite_pairs.py PROGRAM [NAME...] [--folder DIR] [--float]

PYTHON has tensorflow and tf2onnx; without them nothing is checked, and the exit is 77. Weights are random. DIR keeps
the files, and those that are there are not made again; --float makes none in int8. Networks that converters take
minutes for (SLOW) are compared when they are named. Of each pair:
  shapes   of every tensor of the .tflite file, as TensorFlow's interpreter reads it, are those that inference finds, in
           the file's order of axes or channels first
  counts   MACs and parameters are equal; so are the operators that compute, after PLAIN
  moves    the .tflite file has no more transposes than the ONNX file
Files in int8 (NAME-int8) are held against the float ONNX file, and all their MACs are of integers. Pad is not counted:
zeros around a quantised image are its convolution's.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
SIZE = 96
# Of ConvNeXt tf2onnx leaves the grouped convolutions unconverted (PartitionedCall), so it is no twin.
SLOW = {"mobilenetv3large", "efficientnetb0", "efficientnetv2b0", "resnet50", "resnet50v2", "xception", "densenet121",
        "inceptionv3", "nasnetmobile"}
# What one converter writes for what the other calls otherwise.
PLAIN = {"GlobalAveragePool": "ReduceMean", "Gemm": "MatMul", "Max": "Relu", "Min": "Relu", "Clip": "Relu"}
# Findings that are none of ours, with the reason.
KNOWN = {
    "unet": {"parameters": "the scales of ONNX's Resize are counted as its parameters"},
    "densenet121": {"nodes BatchNormalization": "a factor and a sum in the .tflite file", "nodes Mul": "these factors",
                    "parameters": "the .tflite file has biases of zeros where ONNX has none"},
    "efficientnetb0": {"nodes Sub": "tf2onnx adds the negative mean of the image"},
    "efficientnetv2b0": {"nodes Sub": "tf2onnx adds the negative mean of the image"},
    "mobilenetv3large": {"nodes": "tf2onnx writes HardSwish out", "parameters": "so it has a constant more"},
    "resnet50v2": {"nodes BatchNormalization": "a factor and a sum in the .tflite file", "nodes Mul": "these factors"},
    "xception": {"nodes BatchNormalization": "tf2onnx keeps those behind separable convolutions",
                 "parameters": "so it has factors; the .tflite file has sums, and zeros for depthwise convolutions"},
    "mobilenetv3small": {"nodes": "tf2onnx writes HardSwish out", "parameters": "so it has a constant more"},
    "tokens": {"nodes": "LayerNormalization of Keras is other operators in each", "parameters": "so are its constants"},
}
# Add behind MatMul and Conv is their bias in one of the two; Q and DQ belong to the type.
UNCOUNTED = {"Add", "QuantizeLinear", "DequantizeLinear", "Pad", "Transpose"}


def applications():
    import tensorflow as tf
    apps = tf.keras.applications
    names = ["MobileNet", "MobileNetV2", "MobileNetV3Small", "MobileNetV3Large", "EfficientNetB0", "EfficientNetV2B0",
             "ResNet50", "ResNet50V2", "VGG16", "Xception", "DenseNet121", "InceptionV3", "NASNetMobile"]
    return {name.lower(): lambda name=name: getattr(apps, name)(weights=None, input_shape=(SIZE, SIZE, 3))
            for name in names}


def small_networks():
    """Networks for what the large ones do not have."""
    import tensorflow as tf
    layers, model = tf.keras.layers, tf.keras.Model

    def unet():
        inputs = layers.Input((32, 32, 3))
        first = layers.Conv2D(8, 3, padding="same", activation="relu")(inputs)
        down = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(first)
        up = layers.Conv2DTranspose(8, 3, strides=2, padding="same")(down)
        joined = layers.Concatenate()([first, up])
        wide = layers.UpSampling2D(2, interpolation="bilinear")(joined)
        return model(inputs, layers.Softmax()(layers.Conv2D(4, 1)(wide)))

    def heads():
        inputs = layers.Input((32, 32, 3))
        features = layers.Conv2D(8, 3, strides=4, padding="same", activation="relu")(inputs)
        boxes = layers.Reshape((-1, 4))(layers.Conv2D(8, 3, padding="same")(features))
        scores = layers.Reshape((-1, 5))(layers.Conv2D(10, 3, padding="same")(features))
        return model(inputs, [boxes, layers.Softmax()(scores)])

    def tokens():
        inputs = layers.Input((16, 32))
        attended = layers.MultiHeadAttention(4, 8)(inputs, inputs)
        first = layers.LayerNormalization()(layers.Add()([inputs, attended]))
        return model(inputs, layers.Add()([first, layers.Dense(32)(layers.Dense(64, activation="relu")(first))]))

    def dilated():
        inputs = layers.Input((32, 32, 3))
        first = layers.Conv2D(8, 3, dilation_rate=2, padding="same", activation="relu")(inputs)
        second = layers.DepthwiseConv2D(3, dilation_rate=3, padding="same")(first)
        return model(inputs, layers.Conv2D(4, 3, dilation_rate=2)(second))

    return {"unet": unet, "heads": heads, "tokens": tokens, "dilated": dilated}


def randomise(model):
    """Converters leave out what is zero and merge what is equal; values keep their size through all layers."""
    import numpy as np
    random = np.random.default_rng(2)

    def drawn(weight):
        if weight.ndim < 2:
            return random.uniform(0.5, 1, weight.shape)
        most = np.sqrt(3 / np.prod(weight.shape[:-1]))
        return random.uniform(-most, most, weight.shape)

    model.set_weights([drawn(weight).astype(weight.dtype) for weight in model.get_weights()])
    return model


def write_tflite(model, path, int8):
    import numpy as np
    import tensorflow as tf
    shape = (1,) + model.inputs[0].shape[1:]
    function = tf.function(lambda x: model(x)).get_concrete_function(tf.TensorSpec(shape, tf.float32))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function], model)
    if int8:
        random = np.random.default_rng(1)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([random.random(shape, dtype="float32")] for _ in range(2))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.int8
    path.write_bytes(converter.convert())


def write_onnx(model, path):
    import tensorflow as tf
    import tf2onnx
    spec = tf.TensorSpec((1,) + model.inputs[0].shape[1:], tf.float32, name="x")
    images = ["x"] if len(spec.shape) == 4 else None
    tf2onnx.convert.from_keras(model, input_signature=[spec], opset=17, inputs_as_nchw=images, output_path=str(path))


def shapes_of(program, path):
    done = subprocess.run([program, "shapes", str(path), "--quiet", "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def computing(document):
    """Operators that compute on data, in words that both converters share."""
    count = collections.Counter()
    for node in document["nodes"]:
        if node["class"] in ("compute", "layout") and node["op"] not in UNCOUNTED:
            count[PLAIN.get(node["op"], node["op"])] += 1
    return count


def transposes(document):
    return sum(node["op"] == "Transpose" and node["class"] == "layout" for node in document["nodes"])


def shape_problems(document, path):
    """Weights are left out, whose axes go by the operator that reads them."""
    import tensorflow as tf
    problems = [d["message"] for d in document["diagnostics"] if d["code"] in ("declared_conflict", "infer_failed")]
    values = {value["name"]: value["shape"] for value in document["values"] if not value["constant"]}
    seen = 0
    for tensor in tf.lite.Interpreter(model_path=str(path)).get_tensor_details():
        if tensor["name"] not in values:
            continue
        seen += 1
        found = values[tensor["name"]]
        stored = [int(dim) for dim in tensor["shape"]]
        plain = found and [1 if isinstance(dim, str) else dim for dim in found]  # an open size is 1 in the file, too
        if plain not in (stored, stored[:1] + stored[-1:] + stored[1:-1]):
            problems.append(f"{tensor['name']} is {stored} in the file, {found} here")
    return problems if seen else problems + ["no tensor of the file was found"]


def pair_problems(program, lite_path, onnx_path, int8):
    lite, onnx = shapes_of(program, lite_path), shapes_of(program, onnx_path)
    problems = shape_problems(lite, lite_path)
    for key in ("macs", "int_macs") if int8 else ("macs",):
        if lite["summary"][key] != onnx["summary"]["macs"]:
            problems.append(f"{key}: {lite['summary'][key]}, ONNX has {onnx['summary']['macs']} MACs")
    ours, theirs = computing(lite), computing(onnx)
    for op in sorted(ours.keys() | theirs.keys()):
        if ours[op] != theirs[op] and op != "Relu":
            problems.append(f"{ours[op]} nodes {op}, ONNX has {theirs[op]}")
    params = [document["model"]["params"] for document in (lite, onnx)]
    if params[0] != params[1]:
        problems.append(f"{params[0]} parameters, ONNX has {params[1]}")
    if transposes(lite) > transposes(onnx):
        problems.append(f"{transposes(lite)} transposes, ONNX has {transposes(onnx)}")
    return problems, f"{lite['summary']['macs']} MACs, {params[0]} parameters, {len(lite['nodes'])} nodes"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--float", action="store_true")
    options = parser.parse_args()
    try:
        import tensorflow  # noqa: F401
        import tf2onnx  # noqa: F401
    except ImportError as error:
        print(f"DID NOT RUN: this Python cannot import what makes the pairs ({error})")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        failed = 0
        for name, make in (applications() | small_networks()).items():
            if name not in options.names if options.names else name in SLOW:
                continue
            paths = {"": folder / f"{name}.tflite"}
            if not options.float:
                paths["-int8"] = folder / f"{name}-int8.tflite"
            onnx_path = folder / f"{name}.onnx"
            missing = [path for path in (onnx_path, *paths.values()) if not path.exists()]
            model = randomise(make()) if missing else None
            for path in missing:
                if path == onnx_path:
                    write_onnx(model, path)
                else:
                    write_tflite(model, path, path == paths.get("-int8"))
            for kind, path in paths.items():
                found, words = pair_problems(options.program, path, onnx_path, bool(kind))
                problems = [text for text in found if not any(key in text for key in KNOWN.get(name, {}))]
                failed += bool(problems)
                known = f", {len(found) - len(problems)} known differences" if len(found) > len(problems) else ""
                print(f"{name}{kind}: {'; '.join(problems) or 'agrees'}{known} ({words})", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
