#!/usr/bin/env python3
"""Every format of ten models is the same bytes in three runs, and in two builds when two are given.

usage: determinism.py TOOL [TOOL_OF_ANOTHER_BUILD]

Hash seeds and addresses differ from process to process; runs also differ in time zone, language, working folder and in
what the C library takes the processor for.
Models are those of this repository and small generated graphs.
"""

import hashlib
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "bench"))
sys.dont_write_bytecode = True
import make_graphs

FORMATS = ("text", "json", "csv", "markdown", "dot", "svg", "pdf", "png")
FREE = ["--dim", "batch=2", "--dim", "seq=16"]
BOUND = {"bert-base_128.ts.onnx": FREE, "lstm_tagger_50.ts.onnx": FREE}
TARGETS = ("jetson-orin", "tda4vm")
NODES = 64  # of generated graphs
SURROUNDINGS = (
    {"TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"TZ": "Asia/Tokyo", "LC_ALL": "ja_JP.UTF-8"},
    {"TZ": "America/Lima", "LANG": "de_DE.UTF-8", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"},
)


def models(folder):
    for home in ("test/models", "examples/models"):
        for name in sorted(os.listdir(os.path.join(ROOT, home))):
            if name.endswith(".onnx"):
                yield os.path.join(ROOT, home, name)
    for kind in make_graphs.KINDS:
        path = os.path.join(folder, f"{kind}.onnx")
        make_graphs.make(path, kind, NODES)
        yield path


def digest(tool, arguments, surroundings, folder):
    """Hash of what the report is; pictures go to a pipe as any other format does."""
    done = subprocess.run([tool, *arguments], capture_output=True, cwd=folder, env={**os.environ, **surroundings})
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return hashlib.sha256(done.stdout + b"\0" + done.stderr).hexdigest()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    tools = [os.path.abspath(path) for path in sys.argv[1:]]
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = list(models(folder))
        if len(paths) < 10:
            sys.exit(f"{len(paths)} models, ten are needed")
        for number, path in enumerate(paths):
            bound = BOUND.get(os.path.basename(path), [])
            for format_name in FORMATS:
                target = TARGETS[number % len(TARGETS)]
                arguments = ["analyze", path, "--target", target, "--format", format_name, *bound]
                digests = set()
                for tool in tools:
                    for i, surroundings in enumerate(SURROUNDINGS):
                        digests.add(digest(tool, arguments, surroundings, folder if i else ROOT))
                checked += 1
                if len(digests) != 1:
                    failures += 1
                    print("differs:", " ".join(arguments))
    print(f"{checked} reports of {len(paths)} models, {len(tools)} builds, {len(SURROUNDINGS)} runs each: "
          f"{failures} differ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
