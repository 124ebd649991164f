# WARPGRADE_ISAS: for which instruction sets the emulator's handlers are compiled.
#
#   native     those that this machine runs best: what the launcher and the root's Makefile ask for
#   all        avx2 and avx512: the default, and what tests and installations need
#   avx2, ...  a list of them
#
# A build for `native` becomes one for `all` at need: before `cmake --install` copies anything, and before the target
# kit_tests is built (cmake/kit_tests.cmake). Tests: tests/launcher/instruction_sets_test.sh.

# The widest set that a processor with these flags runs: grader/emulator/machine/handlers/isa.cc asks the same at start.
function(warpgrade_native_isas cpuinfo out)
  set(${out} all PARENT_SCOPE)
  if(NOT EXISTS ${cpuinfo})
    return()
  endif()
  file(STRINGS ${cpuinfo} flags REGEX "^flags" LIMIT_COUNT 1)
  string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
  foreach(isa "avx512;avx512f;avx512dq;avx512bw;avx512vl" "avx2;avx2;fma")
    list(POP_FRONT isa name)
    set(missing ${isa})
    list(REMOVE_ITEM missing ${flags})
    if(NOT missing)
      set(${out} ${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

cmake_host_system_information(RESULT WARPGRADE_CORES QUERY NUMBER_OF_LOGICAL_CORES)
set(WARPGRADE_ISAS all CACHE STRING "Instruction sets of the emulator's handlers: native, all, or a list")
set(WARPGRADE_ISAS_OF_CACHE ${WARPGRADE_ISAS})
if(WARPGRADE_ISAS STREQUAL "native")
  warpgrade_native_isas(/proc/cpuinfo WARPGRADE_ISAS)
endif()
if(WARPGRADE_ISAS STREQUAL "all")
  set(WARPGRADE_ISAS avx2 avx512)
endif()

# The prefix is for other machines too.
if(NOT CMAKE_SCRIPT_MODE_FILE AND WARPGRADE_ISAS_OF_CACHE STREQUAL "native")
  install(CODE "
    message(STATUS \"Compiling the emulator for every processor first: this build was for this machine\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" -DWARPGRADE_ISAS=all \"${CMAKE_BINARY_DIR}\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --parallel ${WARPGRADE_CORES} --target kit COMMAND_ERROR_IS_FATAL ANY)")
endif()
