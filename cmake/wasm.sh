#!/bin/sh
# Builds the program as WebAssembly into build-wasm/onnx-hwest.wasm, and with it the page and the npm package of capi/web
# into dist/web and dist/npm. The compiler is clang from PyPI's ziglang, the libraries are the sources of this
# distribution's packages; both are made once, in ~/.cache/onnx-hwest/wasm. Nothing is installed in the system.
#
#   cmake/wasm.sh              after cmake/setup.sh --packages; about 10 minutes of processor time the first time
#   cmake/wasm.sh --toolchain  the compiler and the libraries alone
#
# JOBS=N in the environment limits how many files are compiled at a time.
set -eu

toolchain=no
case "${1:-}" in
  "") ;;
  --toolchain) toolchain=yes ;;
  -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "wasm.sh: error: unknown option '$1': see wasm.sh --help" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
here=$PWD/cmake/wasm
root=$HOME/.cache/onnx-hwest/wasm
log=$root/log
jobs=${JOBS:-$(nproc)}
fail() { echo "wasm.sh: error: $1; see $log" >&2; tail -n 15 "$log" >&2; exit 1; }
say() { echo "wasm.sh: $1" >&2; }
for tool in node npm dpkg-source ninja protoc; do
  command -v "$tool" >/dev/null || { echo "wasm.sh: error: no $tool: see cmake/setup.sh --packages" >&2; exit 1; }
done
# It bundles the page of HTML reports, which is a part of the program, and the page here.
[ -d lib/report/viewer/node_modules/esbuild ] || { echo "wasm.sh: error: no esbuild: see cmake/setup.sh --packages" >&2; exit 1; }

# The compiler: clang and wasm-ld, wasi-libc as zig builds it, and libc++ with threads' types, <filesystem> and exceptions,
# which zig's own build of it leaves out.
make_compiler() {
  say "the compiler, from PyPI"
  python3 -m venv "$root/venv" >"$log" 2>&1
  "$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check ziglang==0.17.1 >>"$log" 2>&1 || fail "no ziglang"
  zig=$(echo "$root"/venv/lib/python3*/site-packages/ziglang)
  export ZIG_GLOBAL_CACHE_DIR="$root/zig-cache" ZIG_LOCAL_CACHE_DIR="$root/zig-cache"
  lib=$root/sysroot/lib/wasm32-wasip1
  mkdir -p "$root/bin" "$lib" "$root/resource/lib/wasm32-unknown-wasip1" "$root/libcxx"
  echo 'int main(void) { return 0; }' >"$root/empty.c"
  words=$("$zig/zig" cc -target wasm32-wasi -O2 "$root/empty.c" -o "$root/empty.wasm" --verbose 2>&1 | grep '^wasm-ld') ||
    fail "zig's compiler links nothing"
  for word in $words; do
    case $word in
      *crt1-command.o|*/libc.a|*/libzigc.a) cp "$word" "$lib/" ;;
      *libcompiler_rt.a) cp "$word" "$root/resource/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a" ;;
    esac
  done
  # Part of the C library is an archive of its own.
  (cd "$root/libcxx" && "$zig/zig" ar x "$lib/libzigc.a" && "$zig/zig" ar qs "$lib/libc.a" zigc_zcu.o) >>"$log" 2>&1 ||
    fail "zig's C library is not as expected"
  rm "$lib/libzigc.a"
  ln -sfn "$zig/lib/include" "$root/resource/include"
  cat >"$root/bin/wasm-ld" <<END
#!/bin/bash
# Without what linkers of ELF know and wasm-ld does not.
words=()
for word in "\$@"; do
  case \$word in --as-needed|--no-as-needed|--push-state|--pop-state|-latomic|--start-group|--end-group) ;; *) words+=("\$word") ;; esac
done
exec $zig/zig wasm-ld "\${words[@]}"
END
  for tool in ar ranlib; do printf '#!/bin/sh\nexec %s %s "$@"\n' "$zig/zig" "$tool" >"$root/bin/$tool"; done
  common="--target=wasm32-wasip1 -resource-dir $root/resource --sysroot=$root/sysroot -nostdinc -D_WASI_EMULATED_SIGNAL \
-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID -D_WASI_EMULATED_PROCESS_CLOCKS -fwasm-exceptions -mllvm -wasm-use-legacy-eh=true \
-mbulk-memory -msign-ext -mnontrapping-fptoint -ffp-contract=off -fuse-ld=$root/bin/wasm-ld -Wno-unused-command-line-argument"
  libc="-isystem $zig/lib/include -isystem $zig/lib/libc/include/wasm-wasi-musl -isystem $zig/lib/libc/include/generic-musl"
  libcxx="-nostdinc++ -isystem $zig/lib/libcxx/include -isystem $zig/lib/libcxxabi/include"
  for word in ABI_VERSION=1 ABI_NAMESPACE=__1 HAS_THREADS=1 HAS_MONOTONIC_CLOCK=1 HAS_TERMINAL=1 HAS_MUSL_LIBC=1 \
    HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0 HAS_FILESYSTEM=1 HAS_RANDOM_DEVICE=1 HAS_LOCALIZATION=1 HAS_UNICODE=1 \
    HAS_WIDE_CHARACTERS=1 HAS_TIME_ZONE_DATABASE=0 PSTL_BACKEND_SERIAL=1 HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE \
    ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE; do
    libcxx="$libcxx -D_LIBCPP_$word"
  done
  printf '#!/bin/sh\nexec %s clang %s %s "$@"\n' "$zig/zig" "$common" "$libc" >"$root/bin/cc"
  printf '#!/bin/sh\nexec %s clang --driver-mode=g++ %s %s %s "$@"\n' "$zig/zig" "$common" "$libcxx" "$libc" >"$root/bin/c++"
  chmod +x "$root"/bin/*

  say "the C++ library"
  rules=$root/libcxx/build.ninja
  cat >"$rules" <<END
rule cxx
  command = $root/bin/c++ -O2 -std=c++23 -w -fvisibility=hidden -DNDEBUG -D_LIBCPP_BUILDING_LIBRARY $
    -D_LIBCXXABI_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI -D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS $
    -D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS -DHAVE___CXA_THREAD_ATEXIT_IMPL=0 -I$zig/lib/libcxx/src $
    -I$zig/lib/libcxx/libc -I$zig/lib/libcxxabi/src -I$zig/lib/libunwind/include \$more -c \$in -o \$out
rule cc
  command = $root/bin/cc -O2 -w -DNDEBUG -D_LIBUNWIND_HIDE_SYMBOLS -I$zig/lib/libunwind/include $
    -I$zig/lib/libunwind/src -c \$in -o \$out
rule ar
  command = rm -f \$out && $root/bin/ar rcs \$out \$in
END
  objects=
  for file in $(cd "$zig/lib/libcxx/src" && ls ./*.cpp ryu/*.cpp filesystem/*.cpp); do
    object=cxx_$(echo "${file#./}" | tr / _).o
    echo "build $object: cxx $zig/lib/libcxx/src/${file#./}" >>"$rules"
    # WASI has no copy_file_range(), which that file takes to come with musl.
    [ "$file" != filesystem/operations.cpp ] || echo "  more = -U_LIBCPP_HAS_MUSL_LIBC -D_LIBCPP_HAS_MUSL_LIBC=0" >>"$rules"
    objects="$objects $object"
  done
  echo "build $lib/libc++.a: ar$objects" >>"$rules"
  objects=
  for file in $(cd "$zig/lib/libcxxabi/src" && ls ./*.cpp); do
    case $file in ./cxa_noexception.cpp|./cxa_thread_atexit.cpp) continue ;; esac
    echo "build abi_${file#./}.o: cxx $zig/lib/libcxxabi/src/${file#./}" >>"$rules"
    objects="$objects abi_${file#./}.o"
  done
  printf '.globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n' >"$root/libcxx/tag.S"
  { echo "build tag.o: cc $root/libcxx/tag.S"
    echo "build unwind.o: cc $zig/lib/libunwind/src/Unwind-wasm.c"
    echo "build $lib/libc++abi.a: ar$objects unwind.o tag.o"; } >>"$rules"
  ninja -C "$root/libcxx" -j "$jobs" >>"$log" 2>&1 || fail "the C++ library does not build"
}

# It is of the project, so the kept library follows it.
make_posix() {
  lib=$root/sysroot/lib/wasm32-wasip1
  { "$root/bin/cc" -O2 -I "$here/include" -c "$here/posix.c" -o "$lib/hwest_posix.o" &&
    "$root/bin/ar" rs "$lib/libc.a" "$lib/hwest_posix.o"; } >>"$log" 2>&1 || fail "posix.c does not build"
}

# The system's lists of packages may leave sources out: these are read apart from them.
fetch_sources() {
  say "sources, from the distribution"
  rm -rf "$root/sources"
  apt=$root/sources/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  # shellcheck source=/dev/null
  . /etc/os-release
  case "${ID:-}" in
    debian) keys=debian-archive-keyring where=http://deb.debian.org/debian parts=main ;;
    ubuntu) keys=ubuntu-archive-keyring where=http://archive.ubuntu.com/ubuntu parts="main universe" ;;
    *) echo "wasm.sh: error: it takes sources from Debian or Ubuntu, and this is ${ID:-unknown}" >&2; exit 1 ;;
  esac
  echo "deb-src [signed-by=/usr/share/keyrings/$keys.gpg] $where $VERSION_CODENAME $parts" >"$apt/sources.list"
  options="-qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=- \
-o Dir::State::lists=$apt/lists -o Dir::Cache=$apt/cache"
  # shellcheck disable=SC2086
  (cd "$root/sources" && apt-get $options update && apt-get $options source --only-source abseil protobuf zlib) \
    >>"$log" 2>&1 || fail "no sources"
}

# NAME TARGET... -- CMake's words: configures, builds the targets, once.
build() {
  name=$1
  [ ! -e "$root/$name.made" ] || return 0
  shift
  say "$name"
  targets=
  while [ "$1" != -- ]; do targets="$targets $1"; shift; done
  shift
  cmake -S "$root/sources/$name-"*/ -B "$root/build-$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$root/prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    "$@" >>"$log" 2>&1 || fail "$name does not configure"
  # shellcheck disable=SC2086
  cmake --build "$root/build-$name" -j "$jobs" --target $targets >>"$log" 2>&1 || fail "$name does not build"
  touch "$root/$name.made"
}

make_libraries() {
  mkdir -p "$root/prefix/lib" "$root/prefix/include" "$root/prefix/share/cmake"
  fetch_sources
  # Two files ask for what a browser has no more than Emscripten has: who runs, and signals of failures.
  : >"$(echo "$root"/sources/abseil-*/absl/debugging/failure_signal_handler.cc)"
  sed -i 's/defined(__EMSCRIPTEN__)/(defined(__EMSCRIPTEN__) || defined(__wasi__))/' \
    "$root"/sources/abseil-*/absl/base/internal/thread_identity.cc
  build abseil install -- -DCMAKE_CXX_STANDARD=20
  build protobuf libprotobuf -- -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_WITH_ZLIB=OFF
  cp "$root"/build-protobuf/libprotobuf.a "$root/prefix/lib/"
  (cd "$root"/sources/protobuf-*/src && find google \( -name '*.h' -o -name '*.inc' -o -name '*.proto' \) \
    -exec cp --parents -t "$root/prefix/include" {} +) >>"$log" 2>&1 || fail "protobuf's headers cannot be copied"
  say zlib
  (cd "$root"/sources/zlib-*/ && CC="$root/bin/cc" AR="$root/bin/ar" RANLIB="$root/bin/ranlib" CFLAGS=-O2 \
    ./configure --static --prefix="$root/prefix" && make libz.a install) >>"$log" 2>&1 || fail "zlib does not build"
  # Headers alone; of /usr/include itself nothing may be seen, for the C library of this system is there.
  cp -r /usr/include/nlohmann /usr/include/graphviz "$root/prefix/include/"
  cp -r /usr/share/cmake/nlohmann_json "$root/prefix/share/cmake/"
}

mkdir -p "$root"
if [ ! -e "$root/compiler.made" ]; then
  make_compiler
  touch "$root/compiler.made"
fi
make_posix
if [ ! -e "$root/complete" ]; then
  make_libraries
  touch "$root/complete"
fi
rm -rf "$root"/build-* "$root/sources" "$root/libcxx"
[ "$toolchain" = no ] || exit 0

export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"  # as in setup.sh
[ -f build-wasm/build.ninja ] || cmake --preset wasm >/dev/null
cmake --build --preset wasm -j "$jobs"
say "the page and the package"
node capi/web/build.mjs build-wasm/onnx-hwest.wasm dist
