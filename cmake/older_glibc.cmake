# Builds for systems with an older C library than this one's. HWEST_OLDER_GLIBC in the environment is the folder that
# cmake/older_glibc.sh made for it; its last part is the processor.
set(hwest_older_glibc $ENV{HWEST_OLDER_GLIBC})
set(CMAKE_C_COMPILER ${hwest_older_glibc}/bin/cc)
set(CMAKE_CXX_COMPILER ${hwest_older_glibc}/bin/c++)
set(CMAKE_AR ${hwest_older_glibc}/bin/ar CACHE FILEPATH "Archiver")
set(CMAKE_RANLIB ${hwest_older_glibc}/bin/ranlib CACHE FILEPATH "Archive index")
list(APPEND CMAKE_PREFIX_PATH ${hwest_older_glibc}/prefix)
get_filename_component(hwest_processor ${hwest_older_glibc} NAME)
# The compiler's own run-time has a libm of its own, whose last digits differ: what else is in it comes from libgcc, so that
# nothing asks for it.
execute_process(COMMAND ${hwest_processor}-linux-gnu-gcc -print-libgcc-file-name
                OUTPUT_VARIABLE hwest_libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CMAKE_C_STANDARD_LIBRARIES_INIT ${hwest_libgcc})
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${hwest_libgcc})
if(NOT hwest_processor STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${hwest_processor})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${hwest_processor}-static)
endif()
