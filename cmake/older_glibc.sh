#!/bin/sh
# Makes ~/.cache/onnx-hwest/glibc-VERSION/ARCH: a compiler for systems with that C library or a newer one, and the
# libraries that libhwest links, as archives built with it. The compiler is clang from PyPI's ziglang, the sources are
# those of this distribution's packages. Nothing is installed in the system. `cmake/wheel.sh --glibc VERSION` calls it.
#
#   cmake/older_glibc.sh 2.28            for this machine
#   cmake/older_glibc.sh 2.28 aarch64    for 64-bit Arm
#
# Prints the folder. Takes minutes the first time.
set -eu

[ $# -ge 1 ] && [ "$1" != -h ] && [ "$1" != --help ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0; }
version=$1
arch=${2:-$(uname -m)}
case "$version" in 2.[0-9]*) ;; *) echo "older_glibc.sh: error: '$version' is no version of glibc, such as 2.28" >&2; exit 2 ;; esac
case "$arch" in x86_64|aarch64) ;; *) echo "older_glibc.sh: error: '$arch' is neither x86_64 nor aarch64" >&2; exit 2 ;; esac
root=$HOME/.cache/onnx-hwest/glibc-$version/$arch
[ ! -e "$root/complete" ] || { echo "$root"; exit 0; }
command -v "$arch-linux-gnu-gcc" >/dev/null || {
  echo "older_glibc.sh: error: no $arch-linux-gnu-gcc, whose libgcc is taken: cmake/setup.sh --preset release-aarch64 --packages" >&2
  exit 1
}
command -v dpkg-source >/dev/null || { echo "older_glibc.sh: error: no dpkg-source: apt install dpkg-dev" >&2; exit 1; }
log=$root/log
fail() { echo "older_glibc.sh: error: $1; see $log" >&2; tail -n 15 "$log" >&2; exit 1; }
say() { echo "older_glibc.sh: $1" >&2; }
rm -rf "$root"
mkdir -p "$root/bin" "$root/sources" "$root/prefix/include" "$root/prefix/lib" "$root/prefix/share/cmake"

say "the compiler, from PyPI"
python3 -m venv "$root/venv" >"$log" 2>&1
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check "ziglang>=0.13" >>"$log" 2>&1 || fail "no ziglang"
zig=$(echo "$root"/venv/lib/python3*/site-packages/ziglang/zig)
for tool in cc c++ ar ranlib; do
  words=$tool
  case "$tool" in cc|c++) words="$tool -target $arch-linux-gnu.$version -fno-sanitize=undefined -g0" ;; esac
  printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%s ZIG_LOCAL_CACHE_DIR=%s\nexec %s %s "$@"\n' \
    "$root/zig-cache" "$root/zig-cache" "$zig" "$words" >"$root/bin/$tool"
  chmod +x "$root/bin/$tool"
done

# The system's lists of packages may leave sources out: these are read apart from them.
say "sources, from the distribution"
apt=$root/sources/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
# shellcheck source=/dev/null
. /etc/os-release
case "${ID:-}" in
  debian) keys=debian-archive-keyring where=http://deb.debian.org/debian parts=main ;;
  ubuntu) keys=ubuntu-archive-keyring where=http://archive.ubuntu.com/ubuntu parts="main universe" ;;
  *) echo "older_glibc.sh: error: it takes sources from Debian or Ubuntu, and this is ${ID:-unknown}" >&2; exit 1 ;;
esac
echo "deb-src [signed-by=/usr/share/keyrings/$keys.gpg] $where $VERSION_CODENAME $parts" >"$apt/sources.list"
options="-qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=- \
-o Dir::State::lists=$apt/lists -o Dir::Cache=$apt/cache"
# shellcheck disable=SC2086
(cd "$root/sources" && apt-get $options update && apt-get $options source --only-source abseil protobuf zlib) >>"$log" 2>&1 ||
  fail "no sources"
source_of() { echo "$root"/sources/"$1"-*/; }

# NAME TARGET... -- CMake's words: configures, builds the targets.
build() {
  name=$1
  shift
  say "$name"
  targets=
  while [ "$1" != -- ]; do targets="$targets $1"; shift; done
  shift
  cmake -S "$(source_of "$name")" -B "$root/build-$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_C_COMPILER="$root/bin/cc" -DCMAKE_CXX_COMPILER="$root/bin/c++" -DCMAKE_AR="$root/bin/ar" \
    -DCMAKE_RANLIB="$root/bin/ranlib" -DCMAKE_C_FLAGS=-ffp-contract=off -DCMAKE_CXX_FLAGS=-ffp-contract=off \
    -DCMAKE_INSTALL_PREFIX="$root/prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$root/prefix" "$@" >>"$log" 2>&1 ||
    fail "$name does not configure"
  # shellcheck disable=SC2086
  cmake --build "$root/build-$name" --parallel --target $targets >>"$log" 2>&1 || fail "$name does not build"
}
# A spelling that this compiler does not take; without it random numbers come without the instructions of AES.
sed -i '/-march=armv8-a+crypto/d' "$(source_of abseil)/absl/copts/GENERATED_AbseilCopts.cmake"
build abseil install -- -DCMAKE_CXX_STANDARD=17
# The compiler's own run-time has the atomic operations.
sed -i 's/-Wl,--push-state,--as-needed;[^;]*latomic>*;-Wl,--pop-state//g' "$root/prefix/lib/cmake/absl/abslTargets.cmake"
build protobuf libprotobuf -- -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_WITH_ZLIB=OFF
cp "$root"/build-protobuf/libprotobuf.a "$root/prefix/lib/"
(cd "$(source_of protobuf)/src" && find google \( -name '*.h' -o -name '*.inc' -o -name '*.proto' \) \
  -exec cp --parents -t "$root/prefix/include" {} +) >>"$log" 2>&1 || fail "protobuf's headers cannot be copied"
say zlib
(cd "$(source_of zlib)" && CC="$root/bin/cc" AR="$root/bin/ar" RANLIB="$root/bin/ranlib" CFLAGS="-O3 -fPIC" CHOST="$arch-linux" \
  ./configure --static --prefix="$root/prefix" && make libz.a install) >>"$log" 2>&1 || fail "zlib does not build"
# Headers alone; of /usr/include itself nothing may be seen, for the C library of this system is there.
cp -r /usr/include/nlohmann /usr/include/graphviz "$root/prefix/include/"
cp -r /usr/share/cmake/nlohmann_json "$root/prefix/share/cmake/"
rm -rf "$root"/build-* "$root/sources"
touch "$root/complete"
echo "$root"
