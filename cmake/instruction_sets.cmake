# WARPGRADE_ISAS: for which instruction sets the emulator's handlers are compiled.
#
#   native     the widest that this machine runs: what the launcher and the root's Makefile ask for
#   runnable   all that this machine runs: what the tests need
#   all        avx2 and avx512: the default, and what installations need
#   avx2, ...  a list of them
#
# A build for `native` becomes one for more at need: for `all` before `cmake --install` copies anything, for `runnable`
# before the target kit_tests is built (cmake/kit_tests.cmake). Tests: tests/launcher/instruction_sets_test.sh.

# The sets that a processor with the flags in this file runs, the widest last: grader/emulator/machine/handlers/isa.cc
# asks the same at start. All sets where nothing is known of the processor.
function(warpgrade_runnable_isas cpuinfo out)
  set(runnable)
  if(EXISTS ${cpuinfo})
    file(STRINGS ${cpuinfo} flags REGEX "^flags" LIMIT_COUNT 1)
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
    foreach(isa "avx2;avx2;fma" "avx512;avx512f;avx512dq;avx512bw;avx512vl")
      list(POP_FRONT isa name)
      set(missing ${isa})
      list(REMOVE_ITEM missing ${flags})
      if(NOT missing)
        list(APPEND runnable ${name})
      endif()
    endforeach()
  endif()
  if(NOT runnable)
    set(runnable all)
  endif()
  set(${out} ${runnable} PARENT_SCOPE)
endfunction()

cmake_host_system_information(RESULT WARPGRADE_CORES QUERY NUMBER_OF_LOGICAL_CORES)
set(WARPGRADE_ISAS all CACHE STRING "Instruction sets of the emulator's handlers: native, runnable, all, or a list")
set(WARPGRADE_CPUINFO /proc/cpuinfo CACHE FILEPATH "Where the flags of this machine's processor stand; tests make them up")
mark_as_advanced(WARPGRADE_CPUINFO)
set(WARPGRADE_ISAS_OF_CACHE ${WARPGRADE_ISAS})
warpgrade_runnable_isas(${WARPGRADE_CPUINFO} WARPGRADE_RUNNABLE_ISAS)
if(WARPGRADE_ISAS STREQUAL "native")
  list(GET WARPGRADE_RUNNABLE_ISAS -1 WARPGRADE_ISAS)
elseif(WARPGRADE_ISAS STREQUAL "runnable")
  set(WARPGRADE_ISAS ${WARPGRADE_RUNNABLE_ISAS})
endif()
if(WARPGRADE_ISAS STREQUAL "all")
  set(WARPGRADE_ISAS avx2 avx512)
endif()
if(WARPGRADE_RUNNABLE_ISAS STREQUAL "all")
  set(WARPGRADE_RUNNABLE_ISAS avx2 avx512)
endif()

# The prefix is for other machines too.
if(NOT CMAKE_SCRIPT_MODE_FILE AND WARPGRADE_ISAS_OF_CACHE MATCHES "^(native|runnable)$")
  install(CODE "
    message(STATUS \"Compiling the emulator for every processor first: this build is for this machine\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" -DWARPGRADE_ISAS=all \"${CMAKE_BINARY_DIR}\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --parallel ${WARPGRADE_CORES} --target kit COMMAND_ERROR_IS_FATAL ANY)")
endif()
