#!/bin/sh
# Builds and runs the consumers of this folder: sources as a subdirectory, as an archive that FetchContent unpacks, and,
# where Conan 2 is installed (pip install conan), its package with the distribution's packages in place of ConanCenter's.
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
command -v conan >/dev/null || { echo "try.sh: note: no conan, so its recipe is not tried"; exit 0; }

CONAN_HOME=$(realpath "$folder")/conan
export CONAN_HOME
conan profile detect --force >/dev/null 2>&1
profile=$CONAN_HOME/distribution
{
  echo "include(default)"
  echo "[settings]"
  echo "compiler.cppstd=20"
  echo "[platform_requires]"
  for pair in abseil:absl_base protobuf:protobuf zlib:zlib nlohmann_json:nlohmann_json; do
    echo "${pair%%:*}/$(pkg-config --modversion "${pair#*:}")"
  done
  echo "[platform_tool_requires]"
  echo "protobuf/$(pkg-config --modversion protobuf)"
  echo "[conf]"
  echo "tools.cmake.cmaketoolchain:generator=Ninja"
  echo "tools.cmake.cmaketoolchain:user_presets="
  echo "tools.cmake.cmake_layout:test_folder=$CONAN_HOME/test_package"
} >"$profile"
conan create cmake/packaging/conan --no-remote -pr:a "$profile" >"$folder/conan.log" 2>&1 ||
  { tail -n 20 "$folder/conan.log" >&2; exit 1; }
grep ' ms on ' "$folder/conan.log"
