# What CMake has to know of a system that it does not know: WASI, as cmake/wasm/toolchain.cmake names it.
set(UNIX 1)
set(WASI 1)
set(CMAKE_STATIC_LIBRARY_PREFIX lib)
set(CMAKE_STATIC_LIBRARY_SUFFIX .a)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_DL_LIBS "")
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
include(Platform/UnixPaths)
