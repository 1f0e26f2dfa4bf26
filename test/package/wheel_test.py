#!/usr/bin/env python3
"""A wheel in a virtual environment that has nothing else: it installs without an index, carries its library, and passes
the tests of the Python package there.

usage: wheel_test.py WHEEL
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODEL = SOURCE / "examples/models/resnet18.onnx"
PROGRAM = """
import onnx_hwest, sys
assert onnx_hwest.library_path().startswith(sys.prefix), onnx_hwest.library_path()
analysis = onnx_hwest.load(sys.argv[1]).analyze("jetson-orin")
assert analysis.report("dot").startswith("digraph")
print(analysis.report())
"""


def run(*command, **environment):
    # Nothing of this shell may find the library in the wheel's place.
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "HWEST", "LD_", "VIRTUAL_ENV"))}
    done = subprocess.run([str(word) for word in command], env={**kept, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}")
    return done.stdout


def main(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    libraries = [name for name in names if ".so" in name]
    assert re.search(r"-py3-none-manylinux_", wheel), f"{wheel} is for one machine alone"
    assert any(re.fullmatch(r"onnx_hwest/libhwest\.so\.\d+", name) for name in libraries), libraries
    assert any("protobuf" in name for name in libraries) and not any("gvc" in name for name in libraries), libraries
    assert "onnx_hwest/py.typed" in names and "onnx_hwest/torch.py" in names, names
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder) / "bin/python"
        run(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        assert "jetson-agx-orin-64gb" in run(python, "-c", PROGRAM, MODEL)
        assert "jetson-agx-orin-64gb" in run(python.with_name("onnx-hwest"), MODEL, "--target", "jetson-orin")
        library = next(pathlib.Path(folder).rglob("libhwest.so.*"))
        program = str(SOURCE / "build/onnx-hwest") if (SOURCE / "build/onnx-hwest").exists() else ""
        # As ctest runs it, but for where package and library come from.
        print(run(python, SOURCE / "test/capi/python_test.py", HWEST_LIBRARY=str(library), CC=os.environ.get("CC", "cc"),
                  HWEST_SOURCE_DIR=str(SOURCE), PYTHONDONTWRITEBYTECODE="1", HWEST_PROGRAM=program).strip().splitlines()[-1])
        system = sorted(set(re.findall(r"=> (/(?:usr/)?lib\S+)", run("ldd", library))))
        print(f"{len(names)} files, {os.path.getsize(wheel) / 1e6:.1f} MB; of the system:",
              " ".join(os.path.basename(path) for path in system))


if __name__ == "__main__":
    main(sys.argv[1])
