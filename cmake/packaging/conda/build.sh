set -eu
npm ci --prefix lib/report/viewer --ignore-scripts --no-fund --no-audit --omit=dev
cmake -S . -B build-conda -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$PREFIX" -D CMAKE_INSTALL_LIBDIR=lib \
  -D HWEST_BUILD_TESTS=OFF -D HWEST_BUILD_EXAMPLES=OFF -D HWEST_PYTHON_DIR="${SP_DIR#"$PREFIX"/}" \
  -D Protobuf_PROTOC_EXECUTABLE="$BUILD_PREFIX/bin/protoc"
cmake --build build-conda
cmake --install build-conda
