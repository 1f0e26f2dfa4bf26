#!/bin/bash -eu
# One fuzzer for each entry: OSS-Fuzz starts programs without arguments, so each is a copy that knows its entry by name.
prefix=$WORK/prefix
build() {
  cmake -G Ninja -S "$1" -B "$WORK/$(basename "$1")" -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_PREFIX_PATH="$prefix" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_STANDARD=20 -D CMAKE_POSITION_INDEPENDENT_CODE=ON "${@:2}"
  cmake --build "$WORK/$(basename "$1")" --target install
}
build "$SRC/abseil-cpp" -D ABSL_PROPAGATE_CXX_STD=ON
build "$SRC/protobuf" -D protobuf_BUILD_TESTS=OFF -D protobuf_ABSL_PROVIDER=package

# protobuf's own CMake files, which name the parts of abseil that it links: CMake's FindProtobuf does not.
cmake -G Ninja -S . -B "$WORK/hwest" -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_FIND_PACKAGE_PREFER_CONFIG=ON \
  -D CMAKE_BUILD_TYPE=None -D HWEST_FUZZ=ON -D HWEST_PCH=OFF \
  -D HWEST_BUILD_TESTS=OFF -D HWEST_BUILD_EXAMPLES=OFF -D HWEST_VIEWER=OFF -D HWEST_SANITIZE=fuzzer-no-link \
  -D HWEST_FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/hwest" --target onnx-hwest-fuzz

for entry in $("$WORK/hwest/test/fuzz/onnx-hwest-fuzz" --entry= 2>&1 | sed -n 's/^  \([a-z_]*\) .*/\1/p'); do
  cp "$WORK/hwest/test/fuzz/onnx-hwest-fuzz" "$OUT/hwest_$entry"
  cp test/fuzz/onnx.dict "$OUT/hwest_$entry.dict"
  case "$entry" in model|reader|reports|rewrite) kept=model more=test/fuzz/seeds/cases/* ;; *) kept=$entry more= ;; esac
  zip -jq "$OUT/hwest_${entry}_seed_corpus.zip" test/fuzz/seeds/"$kept"/* test/fuzz/findings/"$kept"/* $more 2>/dev/null || true
done
