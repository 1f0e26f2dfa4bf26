# Third-party packages, all from the distribution. Headers have owners: protobuf in lib/target, cgraph in lib/report,
# CLI11 in lib/cli, JSON in lib/report and lib/study and capi, libonnx in test; abseil anywhere.
find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)

# The distribution's abseil is some forty shared libraries, which take longer to load than a model to analyse. Its
# archives are position independent, so link those where they are installed.
get_property(imported DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(target IN LISTS imported)
  if(target MATCHES "^absl::")
    foreach(config NONE NOCONFIG RELEASE)
      get_target_property(location ${target} IMPORTED_LOCATION_${config})
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${location}")
      if(location AND EXISTS "${archive}")
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${config} ${archive})
      endif()
    endforeach()
  endif()
endforeach()
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GVC REQUIRED IMPORTED_TARGET libgvc libcgraph)
if(HWEST_BUILD_TESTS)
  find_package(Catch2 REQUIRED)
  find_package(ONNX REQUIRED)
endif()
