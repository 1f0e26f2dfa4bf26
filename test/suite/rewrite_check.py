#!/usr/bin/env python3
"""Rewrites exports for targets end to end: ONNX Runtime's results stay, and no estimate gets worse.

usage: rewrite_check.py TOOL MODELS [--only NAME] [--targets NAME,..] [--batch N]

Of each model of MODELS that is named below, with random weights where it has none, `rewrite --target` makes a file,
which has to load, to take as long as the report says, no longer than the model as it is, and to compute the same: the
largest difference is at most LARGEST of the largest value. A file with operators of ONNX Runtime's own, which compilers
refuse, is estimated as the network it was made of: what is written for it may take TENTH longer. Of some, `rewrite
--batch` makes a file for several images, which has to give each image what the model gives it. Exit status: 0 all good,
1 findings, 77 nothing was checked: the folder, or onnxruntime, onnx or numpy is not there.
"""

import argparse
import importlib.util
import pathlib
import sys
import tempfile

from folders import SKIPPED, Folders

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 1e-4
TENTH = 1.1
OF_RUNTIME = (".ort-fused", ".ort-extended", ".ort-layout")
TARGETS = ("tda4vm", "sa8295p", "rk3588")
MODELS = (
    "bert-4l-288-qa_384.ts", "bert-base_128.ort-fused", "clip-vit-b16-text.ts", "dcgan_generator.dyn",
    "deit_tiny_patch16_224.ts", "densenet121.ts", "easyocr-EasyOCRRecognizer.aihub", "efficientnet_b0.dyn",
    "efficientvit_b2.ts", "facemap_3dmm.aihub", "googlenet.aihub", "inception_v3.dyn", "levit_128s.ts",
    "litehrnet.aihub", "lstm_tagger_50.ts", "mobilenet_v2.tsbn",
    "mobilenet_v3_large.dyn", "mobilenet_v3_small.ort-layout", "mobile_vit.aihub", "mobilenetv4_conv_small.dyn",
    "poolformer_s12.ts", "regnet_y_800mf.aihub", "resmlp_12_224.ts", "resnet18.ts-opset9", "resnet50.ort-extended",
    "squeezenet1_1.ts", "swinv2-tiny_256.dyn", "vit_tiny_patch16_224.dyn", "whisper-tiny-encoder_10s.ts", "xlsr.aihub",
    "yamnet.aihub", "yolov8n_224.ts",
)
BATCHED = ("deit_tiny_patch16_224.ts", "efficientnet_b0.dyn", "levit_128s.ts", "mobilenet_v2.tsbn", "squeezenet1_1.ts",
           "swinv2-tiny_256.ts", "vit_tiny_patch16_224.dyn", "yolov8n_224.ts")


def skip(why):
    print(f"DID NOT RUN: {why}; nothing was checked")
    sys.exit(SKIPPED)


try:
    import numpy
    import onnx
    import onnxruntime  # noqa: F401  the runner below needs it
except ImportError as missing:
    skip(f"{missing}. Name a Python with onnxruntime, onnx and numpy by -DHWEST_ORT_PYTHON=...")


def runner():
    """What test/rewrite has for the same."""
    spec = importlib.util.spec_from_file_location("models_run", HERE.parent / "rewrite" / "models_onnxruntime_test.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def filled(measure, source, path):
    """The model with weights, at `path`; without the weights of other files, which are not there."""
    model = onnx.load(str(source), load_external_data=False)
    measure.fill_weights(model, str(source.parent), 1)
    for graph in measure.graphs_of(model.graph):
        for tensor in graph.initializer:
            del tensor.external_data[:]
            tensor.ClearField("data_location")
    path.write_bytes(model.SerializeToString())
    return model


def feeds_of(run, measure, model, path, flags):
    dims = {name: int(size) for name, size in (pair.split("=") for pair in flags[1::2])}
    random, rows, feeds = numpy.random.default_rng(1), measure.table_rows(model.graph), {}
    for value in run.session_of(path).get_inputs():
        shape = measure.shape_of(value.name, value.shape, dims)
        feeds[value.name] = measure.make_input(value.name, value.type, shape, rows.get(value.name), random)
    return feeds


def rewritten(run, tool, path, output, *words):
    code, text, error = run.tool(tool, "rewrite", path, *words, "--json", "--quiet", "--output", output)
    if code != 0:
        raise RuntimeError(error.strip()[:200])
    return run.json.loads(text)


def check_target(run, tool, path, target, flags, feeds, before, folder, most):
    output = folder / "rewritten.onnx"
    document = rewritten(run, tool, path, output, "--target", target, *flags)
    old, new = (document[side]["summary"]["latency_s"] for side in ("before", "after"))
    rules = ", ".join(f"{row['name']} x {row['places']}" for row in document["rules"]) or "none"
    if new > most * old:
        raise RuntimeError(f"slower: {old} s, then {new} s after {rules}")
    code, text, error = run.tool(tool, output, "--target", target, "--json", "--quiet")
    own = run.json.loads(text)["summary"]["latency_s"] if code == 0 else None
    if own is None or abs(own - new) > 1e-9 * new:
        raise RuntimeError(f"the file itself takes {own} s, not {new} s, after {rules}: {error.strip()[:120]}")
    found = run.difference(before, run.session_of(output).run(None, feeds))
    if not found <= LARGEST:
        raise RuntimeError(f"the largest relative difference is {found:.2g} after {rules}")
    return f"{old * 1e3:.3f} ms, then {new * 1e3:.3f} ms, largest difference {found:.1e}; rules: {rules}"


def check_batch(run, tool, path, batch, measure, model, folder):
    """Images of a batch one by one and together."""
    output = folder / "batched.onnx"
    rewritten(run, tool, path, output, "--batch", str(batch), "--fold")
    images = [feeds_of(run, measure, model, path, []) for _ in range(batch)]
    random = numpy.random.default_rng(2)
    for image in images:
        for name, value in image.items():
            if value.dtype.kind == "f":
                image[name] = random.standard_normal(value.shape).astype(value.dtype)
    session = run.session_of(path)
    singles = [session.run(None, image) for image in images]
    together = run.session_of(output).run(
        None, {name: numpy.concatenate([image[name] for image in images]) for name in images[0]})
    found = run.difference([numpy.concatenate(parts) for parts in zip(*singles, strict=True)], together)
    if not found <= LARGEST:
        raise RuntimeError(f"the largest relative difference at batch {batch} is {found:.2g}")
    return f"largest difference {found:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models", type=Folders)
    parser.add_argument("--only", default="", help="models whose name holds this text")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--batch", type=int, default=3)
    options = parser.parse_args()
    if options.models.lack():
        print(options.models.lack())
        return SKIPPED
    run = runner()
    measure, problems, checked = run.measuring(), [], 0

    def attempt(what, check, *args):
        nonlocal checked
        try:
            print(f"{what}: {check(*args)}", flush=True)
            checked += 1
        except Exception as problem:  # whatever is wrong is wrong with this model
            problems.append(f"{what}: {type(problem).__name__}: {str(problem)[:300]}")
            print(problems[-1], flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for stem in sorted({*MODELS, *BATCHED}):
            if options.only not in stem:
                continue
            path, model = folder / "model.onnx", None
            try:
                model = filled(measure, options.models.path(stem), path)
            except Exception as problem:
                problems.append(f"{stem}: it cannot be given weights: {str(problem)[:200]}")
                print(problems[-1], flush=True)
                continue
            targets = options.targets.split(",") if stem in MODELS else []
            flags = run.free_dims(options.tool, path, targets[0]) if targets else []
            if targets:
                feeds = feeds_of(run, measure, model, path, flags)
                try:
                    before = run.session_of(path).run(None, feeds)
                except Exception as problem:
                    if not stem.endswith(".ort-layout"):
                        raise
                    print(f"{stem}: DID NOT RUN, its blocks are those of another machine: {str(problem)[-120:]}")
                    targets = []
            most = TENTH if stem.endswith(OF_RUNTIME) else 1
            for target in targets:
                attempt(f"{stem} on {target}", check_target, run, options.tool, path, target, flags, feeds, before,
                        folder,
                        most)
            if stem in BATCHED:
                attempt(f"{stem} at batch {options.batch}", check_batch, run, options.tool, path, options.batch,
                        measure,
                        model, folder)
    print(f"rewrites: {checked} checked, {len(problems)} problems")
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
