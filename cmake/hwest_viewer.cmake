# hwest_viewer(OUT variable): the C++ file that holds the page of HTML reports, bundled by Node.js from lib/report/viewer
# with the packages that cmake/setup.sh fetched, without network; a stand-in where either is missing.
function(hwest_viewer OUT)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/viewer)
  find_program(HWEST_NODE NAMES node nodejs)
  if(NOT HWEST_VIEWER OR NOT HWEST_NODE OR NOT EXISTS ${folder}/node_modules/esbuild)
    message(STATUS "HTML reports: no (they take Node.js 18 or newer with npm, then cmake/setup.sh)")
    set(${OUT} ${folder}/no_viewer.cc PARENT_SCOPE)
    return()
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/generated/viewer_files.cc)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/src/*.ts ${folder}/src/*.css)
  add_custom_command(
    OUTPUT ${file}
    COMMAND ${HWEST_NODE} ${folder}/build.mjs ${file}
    DEPENDS ${sources} ${folder}/build.mjs ${folder}/package-lock.json
    COMMENT "Bundling the page of HTML reports"
    VERBATIM)
  set(${OUT} ${file} PARENT_SCOPE)
endfunction()
