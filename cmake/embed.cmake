# Writes files into a C++ file, each as a string: cmake -P with
#   -DOUT=FILE.cc -DHEADER=grader/room/x.h -DNAMESPACE=a::b -DNAMES="kA;kB" -DFILES="path;path"
# HEADER declares each name as `extern const std::string_view`. The path "none" gives an empty string. A text must not
# contain )warpgrade", and is otherwise taken as it is.
set(text "// Written by cmake/embed.cmake from ${FILES}.\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  set(content "")
  if(NOT file STREQUAL "none")
    file(READ "${file}" content)
  endif()
  string(APPEND text "const std::string_view ${name} = R\"warpgrade(${content})warpgrade\";\n\n")
endforeach()
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUT}" "${text}")
