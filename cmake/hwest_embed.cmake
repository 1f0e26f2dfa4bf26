# hwest_embed(OUT file.cc FUNCTION name GLOB pattern): generates OUT, which defines
# absl::Span<const EmbeddedFile> hwest::FUNCTION(): the files that match, sorted by name (file name without extension).
# Re-run by the build when a file changes; a new file is found at the next configure (CONFIGURE_DEPENDS).
function(hwest_embed)
  cmake_parse_arguments(ARG "" "OUT;FUNCTION;GLOB" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${ARG_GLOB})
  # Without the extension: '-' would come before its '.'.
  get_filename_component(extension ${ARG_GLOB} LAST_EXT)
  list(TRANSFORM files REPLACE "\\${extension}$" "")
  list(SORT files)
  list(TRANSFORM files APPEND ${extension})
  add_custom_command(
    OUTPUT ${ARG_OUT}
    COMMAND ${CMAKE_COMMAND} -DOUT=${ARG_OUT} -DFUNCTION=${ARG_FUNCTION} "-DFILES=${files}"
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hwest_embed_script.cmake
    DEPENDS ${files} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hwest_embed_script.cmake
    COMMENT "Embedding ${ARG_FUNCTION}"
    VERBATIM)
endfunction()
