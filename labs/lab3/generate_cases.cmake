# cmake -DINPUT=cases.yaml -DOUTPUT=lab3_cases.inc -P generate_cases.cmake
#
# Turns the public cases into rows LAB3_CASE(m, k, n, pattern, rungs), so that neither the lab nor the tests need to know
# YAML. A line that is not in the form which cases.yaml describes stops the build.
set(rows "// Generated from cases.yaml by generate_cases.cmake. Do not edit.\n")
set(line_number 0)
file(READ ${INPUT} text)
string(REGEX REPLACE "#[^\n]*" "" text "${text}") # comments may hold what a CMake list would trip over
string(REPLACE "\n" ";" lines "${text}")
foreach(line IN LISTS lines)
  math(EXPR line_number "${line_number} + 1")
  string(STRIP "${line}" line)
  if(line STREQUAL "")
    continue()
  endif()
  if(NOT line MATCHES
     "^- {m: ([0-9]+), k: ([0-9]+), n: ([0-9]+), values: (exact|fractions|spoiled), rungs: (all|v1|v2)}$")
    message(FATAL_ERROR "${INPUT}:${line_number}: not a case: '${line}'\n"
                        "write it as  - {m: 31, k: 33, n: 65, values: exact, rungs: all}")
  endif()
  set(size "${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}")
  set(names ${CMAKE_MATCH_4} ${CMAKE_MATCH_5})
  set(constants)
  foreach(name IN LISTS names)
    string(SUBSTRING ${name} 0 1 first)
    string(TOUPPER ${first} first)
    string(SUBSTRING ${name} 1 -1 rest)
    string(APPEND constants ", k${first}${rest}")
  endforeach()
  string(APPEND rows "LAB3_CASE(${size}${constants})\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
