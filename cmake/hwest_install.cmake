# Installation and packages, in four parts (components): program, library, development, python.
#
#   cmake --install build --prefix /opt/onnx-hwest          or DESTDIR=/tmp/root cmake --install build
#   (cd build && cpack)                                      four .deb files, see cmake/hwest_packages.cmake
include(CMakePackageConfigHelpers)

# What every package carries of others, and its licences. The table of schemas in lib/op is of onnx 1.23.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(HWEST_SBOM ${PROJECT_BINARY_DIR}/package/sbom.cdx.json ${PROJECT_BINARY_DIR}/package/THIRD_PARTY.txt)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/sbom.py ${PROJECT_BINARY_DIR}/package ${PROJECT_VERSION}
                        abseil-cpp=${absl_VERSION} protobuf=${Protobuf_VERSION}
                        zlib=${ZLIB_VERSION_STRING} nlohmann-json=${nlohmann_json_VERSION} onnx=1.23
                        graphviz=${GVC_libgvc_VERSION} COMMAND_ERROR_IS_FATAL ANY)

# A wheel holds the package and the library beside it, as one file: links do not survive in a wheel.
if(SKBUILD)
  install(FILES ${PROJECT_BINARY_DIR}/package/sbom.cdx.json DESTINATION ${SKBUILD_METADATA_DIR}/sboms COMPONENT wheel)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_BINARY_DIR}/package/THIRD_PARTY.txt
          DESTINATION ${SKBUILD_METADATA_DIR}/licenses COMPONENT wheel)
  get_target_property(soversion hwest SOVERSION)
  set_target_properties(hwest PROPERTIES VERSION ${soversion})
  install(TARGETS hwest LIBRARY DESTINATION onnx_hwest COMPONENT wheel NAMELINK_SKIP)
  return()
endif()

set(HWEST_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/onnx_hwest)

install(TARGETS onnx-hwest RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(TARGET onnx-hwest-check)
  install(TARGETS onnx-hwest-check RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/onnx-hwest COMPONENT program)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/lib/target/target.proto
        DESTINATION ${CMAKE_INSTALL_DATADIR}/onnx-hwest COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/target/data ${PROJECT_SOURCE_DIR}/lib/target/toolchain
        DESTINATION ${CMAKE_INSTALL_DATADIR}/onnx-hwest COMPONENT program FILES_MATCHING PATTERN "*.textproto")

install(TARGETS hwest EXPORT shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
        PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(TARGETS hwest_static EXPORT static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hwest
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
foreach(kind shared static)
  install(EXPORT ${kind} FILE ${kind}-targets.cmake NAMESPACE onnx_hwest::
          DESTINATION ${HWEST_CONFIG_DIR} COMPONENT development)
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/onnx_hwest-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/onnx_hwest-config.cmake INSTALL_DESTINATION ${HWEST_CONFIG_DIR})
# Below 1.0 a minor version may change what a program was built against.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/onnx_hwest-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/onnx_hwest-config.cmake
              ${PROJECT_BINARY_DIR}/package/onnx_hwest-config-version.cmake
        DESTINATION ${HWEST_CONFIG_DIR} COMPONENT development)

# pkg-config finds its prefix from where the file lies, so that a moved installation still works.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH HWEST_PC_PREFIX /${pc_dir} /)
string(REGEX REPLACE "/$" "" HWEST_PC_PREFIX "${HWEST_PC_PREFIX}")
get_target_property(packages hwest_static INTERFACE_LINK_LIBRARIES)
list(FILTER packages INCLUDE REGEX "^absl::")
list(TRANSFORM packages REPLACE "::" "_")
list(APPEND packages protobuf zlib)
list(JOIN packages " " HWEST_PC_REQUIRES)
foreach(name onnx_hwest onnx_hwest_static)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${pc_dir} COMPONENT development)
endforeach()

# The manual page and the completions are the program's own tables.
set(manual ${PROJECT_BINARY_DIR}/package/onnx-hwest.1)
find_program(HWEST_GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${manual}.gz COMMAND onnx-hwest describe man --output ${manual}
                   COMMAND ${HWEST_GZIP} -9nf ${manual} DEPENDS onnx-hwest VERBATIM)
set(completions "")
foreach(shell bash zsh fish)
  set(file ${PROJECT_BINARY_DIR}/package/onnx-hwest.${shell})
  add_custom_command(OUTPUT ${file} COMMAND onnx-hwest describe completions --shell ${shell} --output ${file}
                     DEPENDS onnx-hwest VERBATIM)
  list(APPEND completions ${file})
endforeach()
add_custom_target(hwest_manual ALL DEPENDS ${manual}.gz ${completions})
# All that `cmake --install` copies: what the build preset `program` makes.
add_custom_target(hwest_installed)
add_dependencies(hwest_installed onnx-hwest hwest hwest_static hwest_manual)
if(TARGET onnx-hwest-check)
  add_dependencies(hwest_installed onnx-hwest-check)
endif()
install(FILES ${manual}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/package/onnx-hwest.bash RENAME onnx-hwest
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/package/onnx-hwest.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
# Debian's zsh looks into site-functions below /usr/local only.
set(HWEST_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh)
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${PROJECT_BINARY_DIR}/package/onnx-hwest.zsh\" RENAME _onnx-hwest
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${HWEST_ZSH_DIR}/\${folder}\")" COMPONENT program)

# The Python package, which finds the library by its name; a wheel carries its own (capi/python/pyproject.toml).
set(HWEST_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Folder of Python packages below the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/capi/python/onnx_hwest DESTINATION ${HWEST_PYTHON_DIR} COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

include(hwest_packages)
