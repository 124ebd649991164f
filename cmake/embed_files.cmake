# Writes the files FILES into `out`, a C++ file of the current binary folder, each as a string with the name in NAMES at
# the same place. `header` declares them as `extern const std::string_view` in `namespace`. The file "none" gives an
# empty string.
function(warpgrade_embed_files out header namespace)
  cmake_parse_arguments(PARSE_ARGV 3 embed "" "" "NAMES;FILES")
  set(text ${CMAKE_CURRENT_BINARY_DIR}/${out})
  set(read ${embed_FILES})
  list(REMOVE_ITEM read none)
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -DOUT=${text} -DHEADER=${header} -DNAMESPACE=${namespace} "-DNAMES=${embed_NAMES}"
            "-DFILES=${embed_FILES}" -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${read} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Putting the texts of ${header} into a C++ file"
    VERBATIM)
  set_source_files_properties(${text} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
