# Third-party packages, all from the distribution. Headers have owners: protobuf in lib/target, cgraph in lib/report,
# CLI11 in lib/cli, JSON in lib/report and lib/study and capi, libonnx in test and in the program behind --check; abseil anywhere.
find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GVC REQUIRED IMPORTED_TARGET libgvc libcgraph)
if(HWEST_BUILD_TESTS)
  find_package(Catch2 REQUIRED)
  find_package(ONNX REQUIRED)
else()
  find_package(ONNX QUIET)
endif()
