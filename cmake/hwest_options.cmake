# Options and compiler settings shared by every target of this project.
option(HWEST_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(HWEST_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(HWEST_WERROR "Compiler warnings are errors" OFF)
option(HWEST_FUZZ "Build the fuzzer instead of the tests (clang, with HWEST_SANITIZE=fuzzer-no-link,...)" OFF)
option(HWEST_INSTALL "Install rules, packages and their tests" ${PROJECT_IS_TOP_LEVEL})
# Two thirds of a build were the headers of the standard library and abseil. The fuzzer's build goes without: it fails
# where a file does not include what it uses.
option(HWEST_PCH "Precompile the headers of the standard library, abseil and, for tests, Catch2" ON)
# Half of what remains is templates that every file instantiates again. Turn it off where single files change often.
option(HWEST_UNITY "Compile the files of a folder together, twelve at a time" ON)
option(HWEST_VIEWER "Build the page of HTML reports, where Node.js and its packages are there" ON)
option(HWEST_COVERAGE "Count the lines of lib/import, ir, op and pass that run (test/fuzz/coverage.sh)" OFF)
set(HWEST_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)  # a toolchain may say otherwise
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# ccache has to take precompiled headers by their contents: their times and the time macros in them say nothing.
find_program(HWEST_CCACHE ccache)
if(HWEST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${HWEST_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${HWEST_CCACHE})
endif()

# Warnings and sanitizers travel on a target of their own, so that they never reach consumers.
add_library(hwest_build_flags INTERFACE)
target_compile_options(hwest_build_flags INTERFACE -Wall -Wextra -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A false alarm of gcc 12 on every moved absl::InlinedVector.
  target_compile_options(hwest_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
# A product and a sum rounded at once, as compilers for 64-bit Arm have it by default, move the last digits of figures from
# those of x86-64, whose common instructions cannot; those that -march=native and its kind add can.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" OR CMAKE_CXX_FLAGS MATCHES "-m(arch|fma|avx)")
  target_compile_options(hwest_build_flags INTERFACE -ffp-contract=off)
endif()
if(HWEST_WERROR)
  target_compile_options(hwest_build_flags INTERFACE -Werror)
endif()
if(HWEST_SANITIZE)
  target_compile_options(hwest_build_flags INTERFACE -fsanitize=${HWEST_SANITIZE} -fno-sanitize-recover=all
                                                     -fno-omit-frame-pointer -g1)
  target_link_options(hwest_build_flags INTERFACE -fsanitize=${HWEST_SANITIZE})
endif()
