# Third-party packages, all from the distribution. Headers have owners: protobuf in lib/target and lib/budget, cgraph in
# lib/report, zlib in lib/report, JSON in lib/report and lib/measured and capi, libonnx in
# test and in the program behind --check; abseil anywhere.
find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GVC REQUIRED libgvc libcgraph)
# The name under which the loader finds the gvc of these headers, e.g. libgvc.so.6. Nothing links it, so that of another
# machine tells it as well: a cross build takes the native one, because Debian's cannot be installed for two at a time.
pkg_get_variable(HWEST_GVC_DIR libgvc libdir)
find_library(HWEST_GVC_FILE gvc HINTS ${GVC_LIBRARY_DIRS} ${HWEST_GVC_DIR} REQUIRED)
get_filename_component(HWEST_GVC_LIBRARY ${HWEST_GVC_FILE} REALPATH)
string(REGEX REPLACE "^.*/([^/]*[.]so[.][0-9]+)[^/]*$" "\\1" HWEST_GVC_LIBRARY ${HWEST_GVC_LIBRARY})
if(HWEST_BUILD_TESTS)
  find_package(Catch2 REQUIRED)
  find_package(ONNX REQUIRED)
else()
  find_package(ONNX QUIET)
endif()
