include(CheckLinkerFlag)

# hwest_precompile(NAME FIRST header): the target NAME takes `header` precompiled, which the target FIRST does for all that
# are compiled with the same options.
function(hwest_precompile NAME FIRST HEADER)
  if(NOT HWEST_PCH)
    return()
  endif()
  target_compile_options(${NAME} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  if(NAME STREQUAL FIRST)
    target_precompile_headers(${NAME} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${HEADER}>")
  else()
    target_precompile_headers(${NAME} REUSE_FROM ${FIRST})
  endif()
endfunction()

# hwest_unity(NAME): the files of NAME are compiled together.
function(hwest_unity NAME)
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD ${HWEST_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# hwest_library(NAME [COLD] SRCS file... DEPS target...): one folder of lib/ as the static library hwest_NAME.
# DEPS are PUBLIC; folders are named hwest_x, packages by their imported targets. COLD: what runs once a command, or waits
# for something else, and took long to optimise.
function(hwest_library NAME)
  cmake_parse_arguments(ARG "COLD" "" "SRCS;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(hwest_${NAME} STATIC ${ARG_SRCS})
  target_include_directories(hwest_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib)
  target_link_libraries(hwest_${NAME} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS} $<BUILD_INTERFACE:hwest_build_flags>)
  if(HWEST_COVERAGE AND NAME MATCHES "^(import|ir|op|pass)$")  # without the precompiled header of other options
    target_compile_options(hwest_${NAME} PRIVATE -O0 --coverage)
    target_link_options(hwest_${NAME} INTERFACE --coverage)
  else()
    hwest_precompile(hwest_${NAME} hwest_base <base/precompiled.h>)
  endif()
  hwest_unity(hwest_${NAME})
  if(ARG_COLD)
    # What runs before main() stays apart from the rest, which most commands then never read from the disk.
    target_compile_options(hwest_${NAME} PRIVATE $<$<CONFIG:Release>:$<IF:$<BOOL:${WASI}>,-Oz,-O1>> $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-freorder-functions>)
  endif()
endfunction()

# hwest_packed(OUT file.cc PROGRAM name SRCS file... DEPS target... INCLUDE header FUNCTIONS declaration...): OUT is what the
# program writes when it is run with its path. A build for another machine runs it in CMAKE_CROSSCOMPILING_EMULATOR; without
# one the functions return nothing, and the library reads the text.
function(hwest_packed)
  cmake_parse_arguments(ARG "" "OUT;PROGRAM;INCLUDE" "SRCS;DEPS;FUNCTIONS" ${ARGN})
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    set(functions "")
    foreach(function IN LISTS ARG_FUNCTIONS)
      string(APPEND functions "${function} { return {}; }\n")
    endforeach()
    file(CONFIGURE OUTPUT ${ARG_OUT} CONTENT "#include \"${ARG_INCLUDE}\"\n\nnamespace hwest {\n${functions}}  // namespace hwest\n")
    return()
  endif()
  add_executable(${ARG_PROGRAM} ${ARG_SRCS})
  target_link_libraries(${ARG_PROGRAM} PRIVATE ${ARG_DEPS} hwest_build_flags)
  add_custom_command(OUTPUT ${ARG_OUT} COMMAND ${ARG_PROGRAM} ${ARG_OUT} DEPENDS ${ARG_PROGRAM} VERBATIM)
endfunction()

# hwest_test(NAME [UNITY] SRCS file... DEPS target...): the tests of one folder as the program NAME_test, one ctest entry.
# Tests are compiled without optimisation: most of a full build went into optimising assertions that run once. UNITY: as
# libraries are, together; for folders of many files whose helpers have names of their own.
function(hwest_test NAME)
  cmake_parse_arguments(ARG "UNITY" "" "SRCS;DEPS" ${ARGN})
  add_executable(${NAME}_test ${ARG_SRCS})
  target_include_directories(${NAME}_test PRIVATE ${PROJECT_SOURCE_DIR}/test ${PROJECT_BINARY_DIR}/test/include)
  target_compile_options(${NAME}_test PRIVATE -O0)
  target_link_libraries(${NAME}_test PRIVATE hwest_test_main ${ARG_DEPS} hwest_build_flags)
  set_target_properties(${NAME}_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # as hwest_test_headers, a library
  hwest_precompile(${NAME}_test hwest_test_headers <support/precompiled.h>)
  if(ARG_UNITY)
    hwest_unity(${NAME}_test)
  endif()
  # Debian's Graphviz and librsvg cannot be installed for two machines at a time: tests of another machine's build draw no
  # pictures.
  set(cases "")
  if(CMAKE_CROSSCOMPILING)
    set(cases ~[graphviz]~[librsvg])
  endif()
  add_test(NAME ${NAME} COMMAND ${NAME}_test ${cases})
  hwest_fewer_cases(${NAME})
endfunction()

# hwest_closure(TARGET FOLDERS out PACKAGES out): what TARGET links, directly or not. FOLDERS are our static libraries,
# PACKAGES everything else, abseil and protobuf as file paths.
function(hwest_closure TARGET)
  cmake_parse_arguments(ARG "" "FOLDERS;PACKAGES" "" ${ARGN})
  set(queue ${TARGET})
  set(seen "")
  set(folders "")
  set(packages "")
  while(queue)
    list(POP_FRONT queue item)
    while(item MATCHES "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$")
      set(item "${CMAKE_MATCH_2}")
    endwhile()
    if(item IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${item}")
    if(NOT TARGET "${item}" OR NOT item MATCHES "^(hwest_|absl::|protobuf::)" OR item STREQUAL "hwest_build_flags")
      list(APPEND packages "${item}")
      continue()
    endif()
    get_target_property(next ${item} INTERFACE_LINK_LIBRARIES)
    if(next)
      list(APPEND queue ${next})
    endif()
    get_target_property(type ${item} TYPE)
    if(item MATCHES "^hwest_")
      list(APPEND folders ${item})
    elseif(NOT type STREQUAL "INTERFACE_LIBRARY")
      get_target_property(path ${item} LOCATION)
      list(APPEND packages ${path})
    endif()
  endwhile()
  set(${ARG_FOLDERS} ${folders} PARENT_SCOPE)
  set(${ARG_PACKAGES} ${packages} PARENT_SCOPE)
endfunction()

# hwest_imported_packages(PUBLIC out PRIVATE out FOLDERS folder...): the packages those folders link by their imported targets:
# PUBLIC what public headers include (abseil), PRIVATE what only the linker asks for. Header-only ones are left out.
function(hwest_imported_packages)
  cmake_parse_arguments(ARG "" "PUBLIC;PRIVATE" "FOLDERS" ${ARGN})
  set(public "")
  set(private "")
  foreach(folder IN LISTS ARG_FOLDERS)
    get_target_property(items ${folder} INTERFACE_LINK_LIBRARIES)
    foreach(item IN LISTS items)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
      if(item MATCHES "^absl::")
        list(APPEND public ${item})
      elseif(item AND NOT item MATCHES "^(hwest_|nlohmann_json::)|BUILD_INTERFACE")
        list(APPEND private ${item})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES public)
  list(REMOVE_DUPLICATES private)
  set(${ARG_PUBLIC} ${public} PARENT_SCOPE)
  set(${ARG_PRIVATE} ${private} PARENT_SCOPE)
endfunction()

# hwest_program(NAME SRCS file... FOLDER target): a program of FOLDER and all it links, with the archives of abseil, protobuf
# and zlib where the distribution has them: loading their shared libraries takes longer than analysing a model, and memory.
function(hwest_program NAME)
  cmake_parse_arguments(ARG "" "FOLDER" "SRCS" ${ARGN})
  hwest_closure(${ARG_FOLDER} FOLDERS folders PACKAGES packages)
  list(REVERSE folders)  # the linker keeps the first of equal functions: with those that every command runs
  add_executable(${NAME} ${ARG_SRCS})
  foreach(folder IN LISTS folders)
    target_sources(${NAME} PRIVATE $<TARGET_OBJECTS:${folder}>)
  endforeach()
  set(archives "")
  set(others "")
  foreach(package IN LISTS packages)
    set(path "${package}")
    if(package STREQUAL "ZLIB::ZLIB")
      get_target_property(path ZLIB::ZLIB LOCATION)
    endif()
    string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${path}")
    if(path MATCHES "\\.so[.0-9]*$" AND EXISTS "${archive}")
      list(APPEND archives ${archive})
    else()
      list(APPEND others ${package})
    endif()
  endforeach()
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib)
  target_link_libraries(${NAME} PRIVATE -Wl,--start-group ${archives} -Wl,--end-group ${others})
  check_linker_flag(CXX -Wl,-z,pack-relative-relocs HWEST_HAS_RELR)
  if(HWEST_HAS_RELR)
    target_link_options(${NAME} PRIVATE -Wl,-z,pack-relative-relocs)  # 16,000 of them, 8 KB instead of 390
  endif()
  if(NOT APPLE AND NOT HWEST_SANITIZE)
    # See lib/cli/lazy_descriptors.cc.
    target_link_options(${NAME} PRIVATE
                        -Wl,--wrap=_ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE)
  endif()
endfunction()
