#!/usr/bin/env python3
"""A wheel in a virtual environment that has nothing else: it installs without an index, carries its library, and passes
the tests of the Python package there. That of another machine is unpacked beside a Python of that machine, which
cmake/setup.sh --preset release-aarch64 fetched, and runs under qemu, without Graphviz.

usage: wheel_test.py WHEEL
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

UNPACKED = {"aarch64": pathlib.Path.home() / ".cache/onnx-hwest/arm64"}
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


def emulated(folder, arch, wheel):
    """A Python of `arch` that finds the wheel, as a program of this machine; what it starts as itself is emulated."""
    zipfile.ZipFile(wheel).extractall(folder / "packages")
    home = UNPACKED[arch] / "usr"
    libraries = ":".join(str(UNPACKED[arch] / part / f"{arch}-linux-gnu") for part in ("usr/lib", "lib"))
    program = folder / "python"
    program.write_text(f"""#!/bin/sh
exec qemu-{arch}-static -0 {program} -E LD_LIBRARY_PATH={libraries} -E PYTHONHOME={home} \\
  -E PYTHONPATH={folder}/packages {next(home.glob("bin/python3.*"))} "$@"
""")
    program.chmod(0o755)
    return program


def main(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    libraries = [name for name in names if ".so" in name]
    assert re.search(r"-py3-none-manylinux_", wheel), f"{wheel} is for one machine alone"
    assert any(re.fullmatch(r"onnx_hwest/libhwest\.so\.\d+", name) for name in libraries), libraries
    for name in ("sboms/sbom.cdx.json", "licenses/LICENSE", "licenses/THIRD_PARTY.txt"):
        assert any(re.fullmatch(rf"onnx_hwest-[\d.]+\.dist-info/{name}", own) for own in names), f"no {name}: {names}"
    assert not any("gvc" in name or "rsvg" in name for name in libraries), libraries
    assert "onnx_hwest/py.typed" in names and "onnx_hwest/torch.py" in names, names
    arch = re.search(r"_(x86_64|aarch64)\.whl$", wheel)[1]
    native = arch == platform.machine()
    with tempfile.TemporaryDirectory() as folder:
        if native:
            venv.create(folder, with_pip=True)
            python = pathlib.Path(folder) / "bin/python"
            run(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
            assert "jetson-agx-orin-64gb" in run(python.with_name("onnx-hwest"), MODEL, "--target", "jetson-orin")
        else:
            python = emulated(pathlib.Path(folder), arch, wheel)
        assert "jetson-agx-orin-64gb" in run(python, "-c", PROGRAM.replace("sys.prefix", repr(folder)), MODEL)
        library = next(pathlib.Path(folder).rglob("libhwest.so.*"))
        # What Debian builds as libraries lies beside it, what was built for an older C library is part of it.
        needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", library)))
        assert any(name.startswith("libc.so") for name in needed), needed
        outside = {name for name in needed - {os.path.basename(name) for name in libraries}
                   if not name.startswith("ld-linux")}
        assert outside <= {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libz.so.1", "libgcc_s.so.1",
                           "libstdc++.so.6"}, outside
        program = SOURCE / "build/onnx-hwest"  # of another machine's library the figures are the same
        # As ctest runs it, but for where package and library come from.
        out = run(python, SOURCE / "test/capi/python_test.py", HWEST_LIBRARY=str(library),
                  CC=os.environ.get("CC", "cc"),
                  HWEST_SOURCE_DIR=str(SOURCE), PYTHONDONTWRITEBYTECODE="1", HWEST_NO_GRAPHVIZ="" if native else "1",
                  HWEST_PROGRAM=str(program) if program.exists() else "")
        print(out.strip().splitlines()[-1])
        system = sorted(set(re.findall(r"=> (/(?:usr/)?lib\S+)", run("ldd", library)))) if native else []
        size = f"{len(names)} files, {os.path.getsize(wheel) / 1e6:.1f} MB"
        print(size + ("; of the system:" if native else ", emulated"),
              " ".join(os.path.basename(path) for path in system))


if __name__ == "__main__":
    main(sys.argv[1])
