#!/bin/sh
# Makes every artefact of a tag, with checksums and again the same bytes: the archive of the sources, Debian packages, the C and
# C++ package as an archive, the wheel, and those for 64-bit Arm where this machine has the cross compiler. Each holds
# sbom.cdx.json (CycloneDX) and THIRD_PARTY.txt, the licences of what it carries.
#
#   cmake/release.sh v0.3.0             into dist/v0.3.0; any commit does in place of a tag
#   cmake/release.sh v0.3.0 --check     twice, and compares
#   cmake/release.sh v0.3.0 --only wheel,source      of: source, deb, archive, wheel, arm64
#
# It builds what `git archive` gives, in one folder below ~/.cache/onnx-hwest/release whatever the checkout, at the time of the
# commit (SOURCE_DATE_EPOCH). Windows and macOS: see cmake/packaging/README.md.
set -eu

cd "$(dirname "$0")/.."
tag=${1:-}
case "$tag" in ''|-h|--help) sed -n '2,11s/^# \{0,1\}//p' "$0"; [ -n "$tag" ]; exit ;; esac
shift
only=source,deb,archive,wheel,arm64
check=no
while [ $# -gt 0 ]; do
  case "$1" in
    --check) check=yes; shift ;;
    --only) only=${2:?--only needs names}; shift 2 ;;
    *) echo "release.sh: error: unknown option '$1': see release.sh --help" >&2; exit 2 ;;
  esac
done
commit=$(git rev-parse --quiet --verify "$tag^{commit}") ||
  { echo "release.sh: error: there is no tag or commit '$tag': git tag lists them" >&2; exit 2; }
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
umask 022
version=$(git show "$commit:CMakeLists.txt" | sed -n 's/^project(onnx-hwest VERSION \([^ ]*\).*/\1/p')
name=onnx-hwest-$version
work=$HOME/.cache/onnx-hwest/release/$name
checkout=$PWD
wants() { case ",$only," in *",$1,"*) true ;; *) false ;; esac; }
say() { echo "release.sh: $1"; }
# Paths of the build folder are no part of what is compiled.
flags="-ffile-prefix-map=$work=."
export CFLAGS="$flags" CXXFLAGS="$flags"

# archive FOLDER: its content as a compressed archive that depends on nothing else.
archive() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$(dirname "$1")" -cf - \
    "$(basename "$1")" | gzip -9n
}

# packages PRESET ARCH: what cpack and an installation make.
packages() {
  build=build-$1
  cmake --preset "$1" >"$work.log" && cmake --build --preset "$1" >>"$work.log" || { tail -n 20 "$work.log" >&2; exit 1; }
  if wants deb; then (cd "$build" && cpack >>"$work.log") && cp "$build"/*.deb "$out"; fi
  if wants archive; then
    stage=$work-stage/$name-linux-$2
    rm -rf "$work-stage"
    DESTDIR='' cmake --install "$build" --prefix "$stage" --strip >>"$work.log"
    mkdir -p "$stage/share/doc/onnx-hwest" && cp LICENSE CHANGELOG.md "$stage/share/doc/onnx-hwest"
    archive "$stage" >"$out/$name-linux-$2.tar.gz"
    rm -rf "$work-stage"
  fi
}

# make_all FOLDER: every artefact into it.
make_all() {
  out=$1
  rm -rf "$out" "$work"
  mkdir -p "$out" "$work"
  (cd "$checkout" && git archive --format=tar --prefix="$name/" "$commit") | gzip -9n >"$work.tar.gz"
  tar -xzf "$work.tar.gz" -C "$(dirname "$work")"
  ! wants source || cp "$work.tar.gz" "$out/$name.tar.gz"
  cd "$work"
  [ "$only" = source ] || cmake/setup.sh --packages
  if wants deb || wants archive; then say "Debian packages and the archive"; packages release "$(uname -m)"; fi
  if wants wheel; then say "the wheel"; cmake/wheel.sh >"$work.log" && cp dist/*.whl "$out"; fi
  if wants arm64 && [ "$(uname -m)" != aarch64 ]; then
    if command -v aarch64-linux-gnu-g++ >/dev/null; then
      say "64-bit Arm"
      cmake/setup.sh --preset release-aarch64 --packages
      ! { wants deb || wants archive; } || packages release-aarch64 aarch64
      ! wants wheel || { cmake/wheel.sh --arch aarch64 >"$work.log" && cp dist/*aarch64.whl "$out"; }
    else
      say "DID NOT MAKE arm64: no cross compiler: cmake/setup.sh --preset release-aarch64 --packages installs it"
    fi
  fi
  cd "$out"
  sha256sum -- * >SHA256SUMS
  cd "$checkout"
}

make_all "$checkout/dist/$tag"
if [ "$check" = yes ]; then
  make_all "$checkout/dist/$tag-again"
  diff "dist/$tag/SHA256SUMS" "dist/$tag-again/SHA256SUMS" || { echo "release.sh: error: two builds differ" >&2; exit 1; }
  rm -rf "dist/$tag-again"
  say "two builds are equal, byte for byte"
fi
cat "dist/$tag/SHA256SUMS"
