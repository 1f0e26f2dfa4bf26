# cpack: one .deb for each part. Dependencies on shared libraries come from dpkg-shlibdeps; Graphviz and librsvg,
# which are opened only when a picture is drawn, are recommended.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME onnx-hwest)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "onnx-hwest maintainers <onnx-hwest@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "hardware estimates for ONNX models")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

get_target_property(soversion hwest SOVERSION)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME onnx-hwest)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
string(REGEX REPLACE "[.]so[.]" "" HWEST_GVC_PACKAGE ${HWEST_GVC_LIBRARY})  # libgvc.so.6 is in libgvc6
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "${HWEST_GVC_PACKAGE}, librsvg2-2, fonts-dejavu-core")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Reads an ONNX model without its weights and estimates latency, memory and\nenergy on an accelerator, what fuses and which unit runs what.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhwest${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/shlibs @ONLY
     CONTENT "libhwest @soversion@ libhwest@soversion@ (>= @PROJECT_VERSION@)\n")
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/shlibs ${PROJECT_BINARY_DIR}/package/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "${HWEST_GVC_PACKAGE}, librsvg2-2, fonts-dejavu-core")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared library behind onnx-hwest, with a C ABI.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhwest-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhwest${soversion} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libabsl-dev, libprotobuf-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers, CMake and pkg-config files, and an archive with the C++ API, whose\nusers need the recommended packages.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-onnx-hwest)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), libhwest${soversion} (>= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package onnx_hwest over libhwest.")

# Debian asks for a changelog in every package.
find_program(HWEST_GZIP gzip REQUIRED)
string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
set(changelog ${PROJECT_BINARY_DIR}/package/changelog)
file(CONFIGURE OUTPUT ${changelog} @ONLY CONTENT "onnx-hwest (@PROJECT_VERSION@) unstable; urgency=medium

  * Version @PROJECT_VERSION@.

 -- @CPACK_PACKAGE_CONTACT@  @date@
")
execute_process(COMMAND ${HWEST_GZIP} -9nc ${changelog} OUTPUT_FILE ${changelog}.gz COMMAND_ERROR_IS_FATAL ANY)
foreach(part program library development python)
  string(TOUPPER ${part} upper)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${changelog}.gz ${HWEST_SBOM}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${part})
endforeach()

if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  # dpkg-shlibdeps learns from this whose libraries and which objdump to ask.
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package/cross.cmake)
  file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "set(ENV{DEB_HOST_ARCH} arm64)\n")
endif()
include(CPack)
