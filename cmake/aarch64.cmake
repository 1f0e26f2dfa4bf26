# Builds for 64-bit Arm on another machine: Debian's cross compiler and the arm64 packages beside the native ones, which
# cmake/setup.sh --preset release-aarch64 installs. Generators (protoc, Node.js) run natively; what the build makes and
# has to run (the manual, the tests) runs under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
# libonnx-dev and libcatch2 of arm64 cannot lie beside the native ones; setup.sh unpacks what clashes here.
list(APPEND CMAKE_PREFIX_PATH $ENV{HOME}/.cache/onnx-hwest/arm64/usr)
