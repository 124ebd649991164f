# kit_tests: every test program below tests/, and the CUDA programs that they run.
# kit_benches: the benchmarks there, whose names end in _bench. They are no part of kit_tests, since no test runs them.
# .ci/run builds them, so that they keep compiling.
function(warpgrade_collect_executables folder out)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(found)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    warpgrade_collect_executables(${subfolder} below)
    list(APPEND found ${below})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

add_custom_target(kit_tests)
if(NOT "avx2;avx512" STREQUAL WARPGRADE_ISAS)
  # The tests run the handlers of each instruction set that the machine has, so this build becomes one for all.
  add_custom_command(TARGET kit_tests COMMAND ${CMAKE_COMMAND} -DWARPGRADE_ISAS=all ${CMAKE_BINARY_DIR}
    COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --parallel ${WARPGRADE_CORES} --target kit_tests VERBATIM)
  return()
endif()
add_dependencies(kit_tests kit)  # one target, so that its progress is that of all
warpgrade_collect_executables(${CMAKE_SOURCE_DIR}/tests executables)
set(benches ${executables})
list(FILTER benches INCLUDE REGEX "_bench$")
list(FILTER executables EXCLUDE REGEX "_bench$")
if(TARGET test_headers)
  foreach(test IN LISTS executables)
    get_target_property(libraries ${test} LINK_LIBRARIES)
    if(libraries MATCHES "GTest::")
      target_precompile_headers(${test} REUSE_FROM test_headers)
      # g++ 12 warns of strings that are added up, wrongly (its bugs 105329 and 105651), and with a precompiled header it
      # does not know that the place is in the C++ library.
      target_compile_options(${test} PRIVATE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>)
    endif()
  endforeach()
endif()
add_custom_target(kit_benches)
if(benches)
  add_dependencies(kit_benches ${benches})
endif()
if(executables)
  add_dependencies(kit_tests ${executables})
endif()
if(TARGET test_programs)
  add_dependencies(kit_tests test_programs)
endif()
