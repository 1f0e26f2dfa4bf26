# vcpkg install onnx-hwest --overlay-ports=cmake/packaging/vcpkg: the sources are those of the folder that this port lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DHWEST_BUILD_TESTS=OFF -DHWEST_BUILD_EXAMPLES=OFF -DHWEST_VIEWER=OFF
          "-DProtobuf_PROTOC_EXECUTABLE=${CURRENT_HOST_INSTALLED_DIR}/tools/protobuf/protoc")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME onnx_hwest CONFIG_PATH lib/cmake/onnx_hwest)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES onnx-hwest AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
