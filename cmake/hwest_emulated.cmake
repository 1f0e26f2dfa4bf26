# How tests start the program and Python. Scripts cannot run what was built for another machine, unless the kernel was told
# to (binfmt_misc): there they get a shell script that calls the emulator.
#
#   HWEST_PROGRAM   the program
#   HWEST_PYTHON    a Python that can load libhwest; empty where there is none
#   HWEST_EMULATED  whether programs are emulated
set(HWEST_PROGRAM $<TARGET_FILE:onnx-hwest>)

# hwest_fewer_cases(TEST): built for another machine, the test runs a tenth of its random cases, for an emulator takes
# fifteen times as long. Read by test/support/effort.h and test/diff/diff_test.py.
function(hwest_fewer_cases TEST)
  if(CMAKE_CROSSCOMPILING)
    set_property(TEST ${TEST} APPEND PROPERTY ENVIRONMENT HWEST_EFFORT=10)
  endif()
endfunction()

find_package(Python3 3.9 COMPONENTS Interpreter)
set(HWEST_PYTHON ${Python3_EXECUTABLE})
set(HWEST_EMULATED OFF)
if(NOT CMAKE_CROSSCOMPILING OR NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()
set(HWEST_EMULATED ON)

# hwest_emulated_script(FILE TARGET): FILE runs the program TARGET in the emulator.
function(hwest_emulated_script FILE TARGET)
  file(GENERATE OUTPUT ${FILE} CONTENT "#!/bin/sh
exec ${CMAKE_CROSSCOMPILING_EMULATOR} -0 ${TARGET} $<TARGET_FILE:${TARGET}> \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

set(HWEST_PROGRAM ${PROJECT_BINARY_DIR}/emulated/onnx-hwest)
hwest_emulated_script(${HWEST_PROGRAM} onnx-hwest)

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
