# How tests start the program and Python. Scripts cannot run what was built for another machine, unless the kernel was told
# to (binfmt_misc): there they get a shell script that calls the emulator.
#
#   HWEST_PROGRAM   the program
#   HWEST_PYTHON    a Python that can load libhwest; empty where there is none
set(HWEST_PROGRAM $<TARGET_FILE:onnx-hwest>)
find_package(Python3 3.9 COMPONENTS Interpreter)
set(HWEST_PYTHON ${Python3_EXECUTABLE})
if(NOT CMAKE_CROSSCOMPILING OR NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()

set(HWEST_PROGRAM ${PROJECT_BINARY_DIR}/emulated/onnx-hwest)
file(GENERATE OUTPUT ${HWEST_PROGRAM} CONTENT "#!/bin/sh
exec ${CMAKE_CROSSCOMPILING_EMULATOR} -0 onnx-hwest $<TARGET_FILE:onnx-hwest> \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# What cmake/setup.sh unpacked of that machine's Python.
set(unpacked $ENV{HOME}/.cache/onnx-hwest/arm64)
file(GLOB interpreter ${unpacked}/usr/bin/python3.*)
set(HWEST_PYTHON "")
if(interpreter)
  set(HWEST_PYTHON ${PROJECT_BINARY_DIR}/emulated/python3)
  set(libraries ${unpacked}/usr/lib/aarch64-linux-gnu:${unpacked}/lib/aarch64-linux-gnu)
  file(GENERATE OUTPUT ${HWEST_PYTHON} CONTENT "#!/bin/sh
exec ${CMAKE_CROSSCOMPILING_EMULATOR} -0 ${HWEST_PYTHON} -E LD_LIBRARY_PATH=${libraries}\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} \\
  -E PYTHONHOME=${unpacked}/usr ${interpreter} \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()
