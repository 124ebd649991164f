# Writes kit.yaml (see kit.h): one for the build folder, with absolute paths, and one to install, relative to the prefix.
# Archives and libraries are asked of their targets at the end of configuring, when every room has been read; a target
# that is not there yet leaves the path it will have.

# The expression for a target's file, or `fallback` while there is no such target.
function(warpgrade_kit_file out target kind fallback)
  if(TARGET ${target})
    set(${out} "$<${kind}:${target}>" PARENT_SCOPE)
  else()
    set(${out} ${fallback} PARENT_SCOPE)
  endif()
endfunction()

function(warpgrade_write_kit)
  warpgrade_kit_file(worker warpgrade_worker TARGET_FILE ${CMAKE_BINARY_DIR}/grader/worker/libwarpgrade_worker.a)
  warpgrade_kit_file(emulator_library cudart TARGET_FILE_DIR ${CMAKE_BINARY_DIR}/grader/cudart)
  set(labs ${CMAKE_SOURCE_DIR}/labs)
  set(course ${CMAKE_SOURCE_DIR}/course.yaml)
  set(solutions ${CMAKE_SOURCE_DIR}/solutions)
  set(starter ${CMAKE_SOURCE_DIR}/starter)
  set(adapter ${CMAKE_BINARY_DIR}/labs/{lab}/libwarpgrade_{lab}_adapter.a)
  set(include ${CMAKE_SOURCE_DIR})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kit.yaml.in ${CMAKE_BINARY_DIR}/kit.build.yaml @ONLY)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/share/warpgrade/kit.yaml INPUT ${CMAKE_BINARY_DIR}/kit.build.yaml)

  set(labs share/warpgrade/labs)
  set(course share/warpgrade/course.yaml)
  set(solutions share/warpgrade/solutions)
  set(starter share/warpgrade/starter)
  set(emulator_library lib/warpgrade)
  set(worker lib/warpgrade/libwarpgrade_worker.a)
  set(adapter lib/warpgrade/libwarpgrade_{lab}_adapter.a)
  set(include share/warpgrade/include)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kit.yaml.in ${CMAKE_BINARY_DIR}/kit.install.yaml @ONLY)
endfunction()

cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL warpgrade_write_kit)
install(FILES ${CMAKE_BINARY_DIR}/kit.install.yaml DESTINATION share/warpgrade RENAME kit.yaml)
install(FILES ${CMAKE_SOURCE_DIR}/course.yaml ${CMAKE_CURRENT_LIST_DIR}/schema/course.schema.json
        DESTINATION share/warpgrade)
