#!/bin/sh
# Installs what the project needs on Debian 12, Ubuntu 24.04 or newer, configures and builds. Safe to run again: it
# installs only what is missing and builds only what changed. Needs root or sudo, asks no questions.
#
#   cmake/setup.sh               packages, then the program, the libraries and their manual into build/
#   cmake/setup.sh --program     packages, then the program alone: the quickest way to a first answer
#   cmake/setup.sh --tests       also the tests and examples, and Chromium for those of HTML reports
#   cmake/setup.sh --preset asan all of another preset of CMakePresets.json; `fuzz` also installs clang, `release-aarch64`
#                                and `aarch64` Debian's cross compiler, arm64 packages beside the native ones, and qemu
#   cmake/setup.sh --packages    packages only
#   cmake/setup.sh --with-torch  also PyTorch for the tests of onnx_hwest.torch, 5 GB in ~/.cache/onnx-hwest/torch-venv
#   cmake/setup.sh --with-sweep  also what the tests of onnx_hwest.sweep and .mcp take, 460 MB in ~/.cache/onnx-hwest/sweep-venv
#   cmake/setup.sh --with-verify also ONNX Runtime for the tests of rewriting, 210 MB in ~/.cache/onnx-hwest/verify-venv
#   cmake/setup.sh --with-lint   also the tools of cmake/lint.py, 200 MB in ~/.cache/onnx-hwest/lint-venv and cmake/lint
set -eu

cd "$(dirname "$0")/.."

packages="g++ cmake ninja-build ccache pkg-config python3 python3-venv
  libonnx-dev libonnx-testdata libprotobuf-dev protobuf-compiler libabsl-dev catch2 libgraphviz-dev nlohmann-json3-dev
  zlib1g-dev
  librsvg2-2 fonts-dejavu-core dpkg-dev file gzip groff-base doxygen"
preset=default
tests=no
program=no
build=yes
torch=no
sweep=no
verify=no
lint=no

while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    --tests) tests=yes; shift ;;
    --program) program=yes; shift ;;
    --packages) build=no; shift ;;
    --with-torch) torch=yes; shift ;;
    --with-sweep) sweep=yes; shift ;;
    --with-verify) verify=yes; shift ;;
    --with-lint) lint=yes; shift ;;
    -h|--help) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: error: unknown option '$1': see setup.sh --help" >&2; exit 2 ;;
  esac
done

# Installs those of its arguments that are missing; for another architecture it removes nothing.
install() {
  missing=
  for package in "$@"; do
    case "$package" in *:*) machine=${package#*:} ;; *) machine=$(dpkg --print-architecture) ;; esac
    dpkg-query -W -f '${Architecture} ${db:Status-Status}\n' "$package" 2>/dev/null | grep -qE "^($machine|all) installed$" ||
      missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup.sh: error: missing packages:$missing: run as root or install sudo" >&2; exit 1; }
    sudo="sudo -n"
  fi
  echo "setup.sh: installing:$missing"
  keep=
  case "$missing" in *:arm64*) keep=--no-remove; $sudo dpkg --add-architecture arm64 ;; esac
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $keep --no-install-recommends $missing >/dev/null
}

# What cmake/aarch64.cmake builds with. Packages whose files clash with the native ones are unpacked, not installed.
install_aarch64() {
  [ "$(dpkg --print-architecture)" != arm64 ] || { echo "setup.sh: error: this machine is arm64: build without a preset" >&2; exit 2; }
  if grep -qs '^ID=ubuntu' /etc/os-release && ! grep -rqs 'ports\.ubuntu\.com' /etc/apt/sources.list /etc/apt/sources.list.d; then
    echo "setup.sh: error: Ubuntu keeps arm64 packages on ports.ubuntu.com, which no file in /etc/apt names: see cmake/packaging/README.md" >&2
    exit 1
  fi
  install g++-aarch64-linux-gnu qemu-user-static libprotobuf-dev:arm64 libabsl-dev:arm64 zlib1g-dev:arm64 \
    libonnx1:arm64
  unpacked=$HOME/.cache/onnx-hwest/arm64
  [ ! -e "$unpacked/complete" ] || return 0
  echo "setup.sh: unpacking arm64 packages into $unpacked"
  rm -rf "$unpacked"
  mkdir -p "$unpacked/packages"
  python=$(apt-cache depends python3:arm64 | sed -n 's/^ *Depends: \(python3[.][0-9]*\):arm64$/\1/p')  # for the tests of the wheel
  (cd "$unpacked/packages" && apt-get download -qq -o APT::Sandbox::User=root libonnx-dev:arm64 libonnx1:arm64 libonnxifi:arm64 catch2:arm64 \
    "$python-minimal:arm64" "lib$python-minimal:arm64" "lib$python-stdlib:arm64" libexpat1:arm64 libffi8:arm64 libbz2-1.0:arm64 \
    liblzma5:arm64)
  for package in "$unpacked"/packages/*.deb; do dpkg-deb -x "$package" "$unpacked"; done
  touch "$unpacked/complete"
}

# shellcheck disable=SC2086
install $packages
if [ "$preset" = fuzz ]; then  # libFuzzer comes with clang, in a package that carries its version
  install clang llvm
  install "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
fi
case "$preset" in *aarch64) install_aarch64 ;; esac
# python_venv NAME REQUIREMENTS: a virtual environment with what the file REQUIREMENTS lists, remade when that changes.
python_venv() {
  venv=$HOME/.cache/onnx-hwest/$1-venv
  ! cmp -s "$2" "$venv/requirements.txt" || return 0
  echo "setup.sh: installing what $2 lists into $venv"
  python3 -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check -r "$2"
  cp "$2" "$venv/requirements.txt"
}
[ "$torch" = no ] || python_venv torch test/capi/torch_requirements.txt
[ "$sweep" = no ] || python_venv sweep test/capi/sweep_requirements.txt
[ "$verify" = no ] || python_venv verify test/rewrite/verify_requirements.txt
[ "$lint" = no ] || python_venv lint cmake/lint/requirements.txt
# The packages that the page of HTML reports is bundled with, and those of its tests. Without Node.js there are no HTML
# reports, and all else is as it is.
npm_packages() {
  folder=lib/report/viewer
  needed=esbuild
  [ "$tests" = no ] || needed=playwright-core
  if [ -d "$folder/node_modules/$needed" ] && ! [ "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]; then
    return 0
  fi
  if ! command -v npm >/dev/null || [ "$(node -p 'process.versions.node.split(".")[0] >= 18' 2>/dev/null)" != true ]; then
    echo "setup.sh: note: no HTML reports: they take Node.js 18 or newer with npm (packages nodejs and npm), then this script again"
    return 0
  fi
  omit=
  [ "$tests" = yes ] || [ -d "$folder/node_modules/playwright-core" ] || omit=--omit=dev
  echo "setup.sh: fetching the packages of HTML reports"
  # shellcheck disable=SC2086
  npm ci --prefix "$folder" --ignore-scripts --no-fund --no-audit --fetch-retries=1 --loglevel=error $omit >/dev/null ||
    echo "setup.sh: note: no HTML reports: npm could not fetch what they take"
}
npm_packages
if [ "$lint" = yes ] && ! cmp -s cmake/lint/package-lock.json cmake/lint/node_modules/installed-lock.json; then
  npm ci --prefix cmake/lint --ignore-scripts --no-fund --no-audit --fetch-retries=1 --loglevel=error >/dev/null ||
    { echo "setup.sh: error: eslint takes npm (packages nodejs and npm)" >&2; exit 1; }
  cp cmake/lint/package-lock.json cmake/lint/node_modules/installed-lock.json
fi
[ "$tests" = no ] || ! command -v node >/dev/null || install chromium

[ "$build" = yes ] || exit 0

# Every checkout finds what another one compiled: paths inside it are not part of what ccache compares.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"
case "$preset" in default) folder=build ;; *) folder=build-$preset ;; esac
[ -f "$folder/build.ninja" ] || cmake --preset "$preset" >/dev/null
if [ "$program" = yes ]; then
  cmake --build "$folder" --target onnx-hwest
  exit
fi
[ "$preset$tests" != defaultno ] || preset=program
cmake --build --preset "$preset"
