# The student's targets. For every lab of labs/ that defines labN_tests_objects (its tests.cc, compiled) and
# labN_adapter:
#
#   labN         builds each rung of WARPGRADE_SUBMISSION with the lab's tests, and adds the lab to ctest
#   labN_bench   builds each rung with the lab's Google Benchmark program, for labs that define labN_bench_objects
#   labN_picture builds each rung with a program that shows what it does, for labs that define labN_picture_objects
#
# ctest lists the labs built so far, by name labN.vK_name.{correctness,technique,throughput}:
#
#   build/CTestTestfile.cmake      written here at configure time; includes whatever is in build/ctest
#   build/ctest/labN.cmake         put there by the target labN
#   build/CTestCustom.cmake        a line before the tests (which device) and a table after them
#
# Rungs are the files of solutions/labN, in natural order; a student's file that is missing is reported by its tests.

set(WARPGRADE_CTEST_DIR ${CMAKE_BINARY_DIR}/ctest)
set(WARPGRADE_BUILD_RUNG ${CMAKE_SOURCE_DIR}/cmake/build_rung.sh)
set(WARPGRADE_NVCC_FLAGS -std=c++17 -O3 -lineinfo -Xcompiler=-g1 -cudart shared ${WARPGRADE_GENCODE})

# A relative folder is below the source tree, from wherever CMake was called.
if(NOT IS_DIRECTORY ${WARPGRADE_SUBMISSION})
  cmake_path(GET WARPGRADE_SUBMISSION FILENAME name)
  if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${name})
    set(WARPGRADE_SUBMISSION ${CMAKE_SOURCE_DIR}/${name} CACHE PATH "The folder of the student's files" FORCE)
  else()
    message(WARNING "WARPGRADE_SUBMISSION: there is no folder ${WARPGRADE_SUBMISSION}; every rung will be missing")
  endif()
endif()

# The kit compiles a rung for the emulator and at most one GPU: WARPGRADE_BUILT_FOR is 90, or 0 for none. Where the build
# is for others, its objects would not do, and rungs are compiled without the kit.
set(WARPGRADE_RUNG_GRADER $<TARGET_FILE:warpgrade_cli>)
set(WARPGRADE_BUILT_FOR 0)
if(WARPGRADE_CUDA_ARCHITECTURES MATCHES "^([0-9]+)(-real)?$")
  set(WARPGRADE_BUILT_FOR ${CMAKE_MATCH_1})
elseif(NOT WARPGRADE_CUDA_ARCHITECTURES STREQUAL "75-virtual")
  set(WARPGRADE_RUNG_GRADER none)
endif()

# The student's file of a rung: in DIR/labN/ or in DIR itself. "" when there is none. The places that were looked at are
# appended to the variable named by `places`, in lines "there PATH" and "missing PATH" (lab_is_fresh.sh).
function(warpgrade_find_rung lab rung out places)
  set(${out} "" PARENT_SCOPE)
  set(lines "${${places}}")
  foreach(candidate ${WARPGRADE_SUBMISSION}/${lab}/${rung}.cu ${WARPGRADE_SUBMISSION}/${rung}.cu)
    if(EXISTS ${candidate})
      set(${out} ${candidate} PARENT_SCOPE)
      string(APPEND lines "there ${candidate}\n")
      break()
    endif()
    string(APPEND lines "missing ${candidate}\n")
  endforeach()
  set(${places} "${lines}" PARENT_SCOPE)
endfunction()

# A custom command that compiles a rung to `object`, and `object`.stamp to depend on. `source` is "" when the student
# handed no such file in. The kit compiles it, so that the program that `check` judges is in the cache afterwards.
function(warpgrade_compile_rung lab rung source object)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/labs/*.h ${CMAKE_SOURCE_DIR}/labs/${lab}/*.h)
  set(action compile)
  if(NOT source)
    set(action missing)
  endif()
  add_custom_command(
    OUTPUT ${object}.stamp
    COMMAND ${WARPGRADE_BUILD_RUNG} ${action} ${rung}.cu ${object}
            ${WARPGRADE_RUNG_GRADER} ${lab} ${WARPGRADE_BUILT_FOR}
            ${WARPGRADE_NVCC} ${WARPGRADE_NVCC_FLAGS} -I${CMAKE_SOURCE_DIR} ${source}
    DEPENDS ${source} ${headers} ${WARPGRADE_BUILD_RUNG}
    COMMENT "" # the script says it: CMake would start itself for that, and a student waits
    VERBATIM)
endfunction()

# A custom command that links a rung's object with `ARGN` (objects, archives) into `program`. A student waits for a test
# program after each edit: gold links it in 0.03 s, ld in 0.07 s.
function(warpgrade_link_rung program object)
  set(linker "")
  if(WARPGRADE_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND program MATCHES "_test$")
    set(linker -fuse-ld=gold)
  endif()
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${WARPGRADE_BUILD_RUNG} link ${program} ${object}
            ${CMAKE_CXX_COMPILER} ${linker} ${ARGN} -L${CUDAToolkit_LIBRARY_DIR} -lcudart -lpthread
    DEPENDS ${object}.stamp ${ARGN} ${WARPGRADE_BUILD_RUNG}
    COMMENT ""
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# The add_test() lines of one rung, appended to the variable named by `out`.
function(warpgrade_rung_tests lab rung program out)
  set(grader $<TARGET_FILE:warpgrade_cli>)
  set(check "\"${grader}\" check ${lab} ${rung} --submission \"${WARPGRADE_SUBMISSION}\" --record \"${WARPGRADE_CTEST_DIR}/results\"")
  set(name ${lab}.${rung})
  string(CONCAT text
    "add_test(${name}.correctness \"${grader}\" run --record \"${WARPGRADE_CTEST_DIR}/results\" --test ${name}.correctness -- \"${program}\")\n"
    "add_test(${name}.technique ${check} --part technique --built-for ${WARPGRADE_BUILT_FOR})\n"
    "add_test(${name}.throughput ${check} --part throughput)\n"
    "set_tests_properties(${name}.correctness ${name}.technique ${name}.throughput PROPERTIES\n"
    "  SKIP_RETURN_CODE 77 TIMEOUT 600 LABELS ${lab} ENVIRONMENT \"CUDACXX=${WARPGRADE_NVCC}\")\n"
    "set_tests_properties(${name}.throughput PROPERTIES RUN_SERIAL ON)\n")
  set(${out} "${${out}}${text}" PARENT_SCOPE)
endfunction()

# Adds labN and labN_bench.
function(warpgrade_add_lab lab)
  set(folder ${CMAKE_BINARY_DIR}/labs/${lab})
  file(GLOB rungs CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/solutions/${lab} ${CMAKE_SOURCE_DIR}/solutions/${lab}/*.cu)
  list(SORT rungs COMPARE NATURAL)
  file(GLOB handed_in CONFIGURE_DEPENDS ${WARPGRADE_SUBMISSION}/${lab}/*.cu ${WARPGRADE_SUBMISSION}/*.cu)
  set(archives)
  set(targets ${lab}_adapter warpgrade_${lab} ${lab}_reference)
  foreach(target IN LISTS targets)
    if(TARGET ${target})
      list(APPEND archives $<TARGET_FILE:${target}>)
    endif()
  endforeach()

  # Objects among the sources of a bench, such as what nvcc makes of bench_peers.cu: TARGET_OBJECTS leaves them out.
  if(TARGET ${lab}_bench_objects)
    get_target_property(peers ${lab}_bench_objects SOURCES)
    list(FILTER peers INCLUDE REGEX "\\.o$")
  endif()

  set(tests) # programs
  set(benches)
  set(pictures)
  set(looked "")
  set(ctest "# Generated by cmake/labs.cmake; do not edit.\n")
  foreach(file IN LISTS rungs)
    string(REGEX REPLACE "\\.cu$" "" rung ${file})
    set(program ${folder}/${rung})
    warpgrade_find_rung(${lab} ${rung} source looked)
    warpgrade_compile_rung(${lab} ${rung} "${source}" ${program}.o)
    warpgrade_link_rung(${program}_test ${program}.o $<TARGET_OBJECTS:${lab}_tests_objects>
                        ${archives} $<TARGET_FILE:lab_rung_tests> $<TARGET_FILE:GTest::gtest>)
    if(TARGET ${lab}_bench_objects)
      warpgrade_link_rung(${program}_bench ${program}.o $<TARGET_OBJECTS:${lab}_bench_objects> ${peers}
                          ${archives} $<TARGET_FILE:benchmark::benchmark>)
      list(APPEND benches ${program}_bench)
    endif()
    if(TARGET ${lab}_picture_objects)
      warpgrade_link_rung(${program}_picture ${program}.o $<TARGET_OBJECTS:${lab}_picture_objects>)
      list(APPEND pictures ${program}_picture)
    endif()
    list(APPEND tests ${program}_test)
    warpgrade_rung_tests(${lab} ${rung} ${program}_test ctest)
  endforeach()
  file(GENERATE OUTPUT ${folder}/ctest.cmake CONTENT "${ctest}")
  file(WRITE ${folder}/submission.txt "${looked}")

  # Targets of their own, so that ${lab}_rung_tests/fast builds the rungs and looks at nothing else (GNUmakefile).
  set(programs ${lab}_rung_tests)
  add_custom_target(${lab}_rung_tests DEPENDS ${tests})
  if(TARGET ${lab}_bench_objects)
    list(APPEND programs ${lab}_rung_benches)
    add_custom_target(${lab}_rung_benches DEPENDS ${benches})
    add_dependencies(${lab}_rung_benches ${lab}_bench_objects)
  endif()
  # Makefiles don't learn from a command's files which target makes them.
  add_dependencies(${lab}_rung_tests ${lab}_tests_objects lab_rung_tests)
  foreach(program IN LISTS programs)
    add_dependencies(${program} kit)
    foreach(target IN LISTS targets)
      if(TARGET ${target})
        add_dependencies(${program} ${target})
      endif()
    endforeach()
  endforeach()
  add_custom_target(${lab}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${folder}/ctest.cmake ${WARPGRADE_CTEST_DIR}/${lab}.cmake
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_BINARY_DIR}/CTestCustom.in.cmake ${CMAKE_BINARY_DIR}/CTestCustom.cmake
    VERBATIM)
  add_dependencies(${lab} ${lab}_rung_tests)
  if(TARGET ${lab}_bench_objects)
    add_custom_target(${lab}_bench
      COMMAND ${CMAKE_COMMAND} -E echo "Built ${folder}/vK_name_bench; on a machine with a GPU: ./warpgrade run --device gpu -- build/labs/${lab}/vK_name_bench"
      VERBATIM)
    add_dependencies(${lab}_bench ${lab}_rung_benches)
  endif()
  if(TARGET ${lab}_picture_objects)
    add_custom_target(${lab}_picture
      COMMAND ${CMAKE_COMMAND} -E echo "Built ${folder}/vK_name_picture; to see what your rung does: ./warpgrade run -- build/labs/${lab}/vK_name_picture"
      DEPENDS ${pictures}
      VERBATIM)
    add_dependencies(${lab}_picture kit ${lab}_picture_objects)
  endif()
endfunction()

# kit: what grading and a student's tests need.
add_custom_target(kit DEPENDS warpgrade_cli)
foreach(target cudart warpgrade_worker warpgrade_calibrator)
  if(TARGET ${target})
    add_dependencies(kit ${target})
  endif()
endforeach()

foreach(lab IN LISTS WARPGRADE_LABS)
  if(TARGET ${lab}_adapter)
    add_dependencies(kit ${lab}_adapter)
  endif()
  if(TARGET ${lab}_tests_objects)
    warpgrade_add_lab(${lab})
    list(APPEND WARPGRADE_STUDENT_LABS ${lab})
  endif()
endforeach()

# make reads GNUmakefile before CMake's Makefile. `make lab1` in build/ uses all cores unless it is told a number, and
# looks at the rungs only where nothing else can have changed: CMake's makefiles would visit every target of the kit.
if(CMAKE_GENERATOR STREQUAL "Unix Makefiles")
  list(JOIN WARPGRADE_STUDENT_LABS " " labs)
  file(WRITE ${CMAKE_BINARY_DIR}/GNUmakefile
"# Generated by cmake/labs.cmake; do not edit.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS)))
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-print-directory

LAB := $(filter ${labs},$(MAKECMDGOALS))
ifeq (1 1,$(words $(LAB)) $(words $(MAKECMDGOALS)))
.PHONY: $(LAB)
ifeq (fresh,$(shell \"${CMAKE_SOURCE_DIR}/cmake/lab_is_fresh.sh\" \"${CMAKE_SOURCE_DIR}\" \"${CMAKE_BINARY_DIR}\" $(LAB) && echo fresh))
$(LAB):
\t@$(MAKE) -f Makefile $(LAB)_rung_tests/fast
else
$(LAB):
\t@: >labs/$(LAB)/made.partial
\t@$(MAKE) -f Makefile $(LAB)
\t@mv labs/$(LAB)/made.partial labs/$(LAB)/made
endif
else
include Makefile
endif
")
endif()

file(MAKE_DIRECTORY ${WARPGRADE_CTEST_DIR})
file(WRITE ${CMAKE_BINARY_DIR}/CTestTestfile.cmake
"# Generated by cmake/labs.cmake; do not edit. The tests of the labs built so far; the kit's own are in tests/.
file(GLOB labs \"${WARPGRADE_CTEST_DIR}/*.cmake\")
foreach(lab IN LISTS labs)
  include(\"\${lab}\")
endforeach()
")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/CTestCustom.in.cmake CONTENT
"# Generated by cmake/labs.cmake; do not edit.
set(CTEST_CUSTOM_PRE_TEST \"\\\"$<TARGET_FILE:warpgrade_cli>\\\" ctest-report begin \\\"${WARPGRADE_CTEST_DIR}/results\\\"\")
set(CTEST_CUSTOM_POST_TEST \"\\\"$<TARGET_FILE:warpgrade_cli>\\\" ctest-report end \\\"${WARPGRADE_CTEST_DIR}/results\\\"\")
")
