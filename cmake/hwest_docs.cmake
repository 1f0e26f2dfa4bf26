# The target `docs`: docs/c, the C ABI and the tables that the program prints about itself, and docs/cpp, the C++ API,
# in the build folder. Warnings are errors (docs/doxygen.py). Without doxygen there is no such target.
find_program(HWEST_DOXYGEN doxygen)
if(NOT HWEST_DOXYGEN)
  message(STATUS "doxygen is not installed: no target docs")
  return()
endif()
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

set(tables "")
foreach(what ops patterns targets formats measurements imports codes op-rules fusions)
  set(table ${PROJECT_BINARY_DIR}/docs/tables/${what}.md)
  add_custom_command(OUTPUT ${table} COMMAND onnx-hwest describe ${what} --format markdown --output ${table}
                     DEPENDS onnx-hwest VERBATIM)
  list(APPEND tables ${table})
endforeach()

# hwest_docs(NAME TITLE text INPUT path... STRIP dir IS_C YES|NO): one reference.
function(hwest_docs NAME)
  cmake_parse_arguments(ARG "" "TITLE;STRIP;IS_C" "INPUT" ${ARGN})
  set(HWEST_DOCS_TITLE ${ARG_TITLE})
  set(HWEST_DOCS_DIR ${PROJECT_BINARY_DIR}/docs/${NAME})
  list(JOIN ARG_INPUT " " HWEST_DOCS_INPUT)
  set(HWEST_DOCS_STRIP ${ARG_STRIP})
  set(HWEST_DOCS_IS_C ${ARG_IS_C})
  set(filter "\"${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/comments.py\"")
  set(HWEST_DOCS_FILTERS "*.md=${filter} *.h=${filter}")
  set(HWEST_DOCS_EXTRACT_ALL YES)
  if(ARG_IS_C)
    set(HWEST_DOCS_EXTRACT_ALL NO)  # what has no comment is a warning
  endif()
  file(MAKE_DIRECTORY ${HWEST_DOCS_DIR})
  configure_file(${PROJECT_SOURCE_DIR}/docs/doxyfile.in ${PROJECT_BINARY_DIR}/docs/${NAME}.doxyfile @ONLY)
  add_custom_target(docs_${NAME} 
                    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/doxygen.py ${HWEST_DOXYGEN}
                            ${PROJECT_BINARY_DIR}/docs/${NAME}.doxyfile ${HWEST_DOCS_DIR}.warnings
                    DEPENDS ${tables} COMMENT "Reference ${NAME}" VERBATIM)
  add_dependencies(docs docs_${NAME})
endfunction()

add_custom_target(docs)
hwest_docs(c TITLE "C ABI and tables" INPUT ${PROJECT_SOURCE_DIR}/capi/hwest.h ${PROJECT_SOURCE_DIR}/capi/hwest_rows.h
                                       ${PROJECT_SOURCE_DIR}/capi/hwest_options.h
                                       ${PROJECT_BINARY_DIR}/docs/tables
           STRIP ${PROJECT_SOURCE_DIR}/capi IS_C YES)
hwest_docs(cpp TITLE "C++ API" INPUT ${PROJECT_SOURCE_DIR}/include/hwest STRIP ${PROJECT_SOURCE_DIR}/include IS_C NO)
