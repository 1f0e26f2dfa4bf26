#!/bin/sh
# Builds and runs the consumers of this folder: sources as a subdirectory, as an archive that FetchContent unpacks, and,
# where conan is installed, the Conan recipe as far as it needs no network.
#
#   cmake/packaging/try.sh [FOLDER]     after cmake/setup.sh; builds below FOLDER, default build-packaging
set -eu

cd "$(dirname "$0")/../.."
folder=${1:-build-packaging}
model=examples/models/resnet18.onnx
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"
mkdir -p "$folder"
git archive --format=tar.gz --prefix=onnx-hwest/ -o "$folder/source.tar.gz" HEAD

try() {
  name=$1
  shift
  cmake -G Ninja -S cmake/packaging/fetch_content -B "$folder/$name" -D HWEST_WERROR=ON \
    -D CMAKE_DISABLE_FIND_PACKAGE_onnx_hwest=ON "$@" >"$folder/$name.log"
  cmake --build "$folder/$name" >>"$folder/$name.log" || { tail -n 20 "$folder/$name.log" >&2; exit 1; }
  "$folder/$name/estimate" "$model" hailo-8 | grep ' ms on '
}
try add_subdirectory -D SUBDIRECTORY="$PWD"
try fetch_content -D ARCHIVE="file://$(realpath "$folder/source.tar.gz")"
! command -v conan >/dev/null || conan inspect cmake/packaging/conan | grep -E '^(name|version|requires):'
