"""Starts a test again with the Python that has onnxruntime, onnx and numpy, where this one lacks them.

They lie in a virtual environment outside the build: cmake/setup.sh --with-verify makes it. ONNX_HWEST_VERIFY_PYTHON
names the interpreter of another one. Skipped (77) without.
"""

import os
import pathlib
import sys

_DEFAULT = pathlib.Path.home() / ".cache/onnx-hwest/verify-venv/bin/python"
_OTHER = os.environ.get("ONNX_HWEST_VERIFY_PYTHON", str(_DEFAULT))

def need():
    try:
        import numpy  # noqa: F401
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as missing:
        if not os.access(_OTHER, os.X_OK) or os.environ.get("HWEST_VERIFY_TEST"):
            print(f"DID NOT RUN: {missing} at {_OTHER}: cmake/setup.sh --with-verify installs ONNX Runtime and others")
            sys.exit(77)
        os.execve(_OTHER, [_OTHER, *sys.argv], {**os.environ, "HWEST_VERIFY_TEST": "1"})
