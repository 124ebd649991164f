# cmake -DINPUT=cases.yaml -DOUTPUT=cases.inc -P generate_cases.cmake
#
# Turns the public cases into rows LAB2_CASE(rows, columns, variant, pattern), so that neither the lab nor the tests
# need to know YAML. A line that is not in the form which cases.yaml describes stops the build.
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
     "^- {rows: ([0-9]+), columns: ([0-9]+), type: (float|double|int|all), values: (ordinary|awkward|equal_rows)}$")
    message(FATAL_ERROR "${INPUT}:${line_number}: not a case: '${line}'\n"
                        "write it as  - {rows: 31, columns: 33, type: float, values: ordinary}")
  endif()
  set(size "${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}")
  set(types ${CMAKE_MATCH_3})
  set(pattern ${CMAKE_MATCH_4})
  if(types STREQUAL "all")
    set(types float double int)
  endif()
  string(REPLACE "ordinary" "kOrdinary" pattern ${pattern})
  string(REPLACE "awkward" "kAwkward" pattern ${pattern})
  string(REPLACE "equal_rows" "kEqualRows" pattern ${pattern})
  foreach(type IN LISTS types)
    string(SUBSTRING ${type} 0 1 first)
    string(TOUPPER ${first} first)
    string(SUBSTRING ${type} 1 -1 rest)
    string(APPEND rows "LAB2_CASE(${size}, k${first}${rest}, ${pattern})\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "${rows}")
