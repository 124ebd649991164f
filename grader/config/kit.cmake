# Writes kit.yaml (see kit.h): one for the build folder, with absolute paths, and one to install, relative to the prefix.
# Archives and libraries are asked of their targets at the end of configuring, when every room has been read; a target
# that is not there yet leaves the path it will have. Installs what kit.yaml names; the executable installs itself.

# The expression for a target's file, or `fallback` while there is no such target.
function(warpgrade_kit_file out target kind fallback)
  if(TARGET ${target})
    set(${out} "$<${kind}:${target}>" PARENT_SCOPE)
  else()
    set(${out} ${fallback} PARENT_SCOPE)
  endif()
endfunction()

function(warpgrade_write_kit)
  set(template ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kit.yaml.in)
  warpgrade_kit_file(worker warpgrade_worker TARGET_FILE ${CMAKE_BINARY_DIR}/lib/warpgrade/libwarpgrade_worker.a)
  warpgrade_kit_file(emulator_library cudart TARGET_FILE_DIR ${CMAKE_BINARY_DIR}/lib/emulator)
  warpgrade_kit_file(calibrator warpgrade_calibrator TARGET_FILE ${CMAKE_BINARY_DIR}/lib/warpgrade/calibrator)
  set(labs ${CMAKE_SOURCE_DIR}/labs)
  set(course ${CMAKE_SOURCE_DIR}/course.yaml)
  set(solutions ${CMAKE_SOURCE_DIR}/solutions)
  set(starter ${CMAKE_SOURCE_DIR}/starter)
  set(adapter ${CMAKE_BINARY_DIR}/lib/warpgrade/lib{lab}_adapter.a)
  set(students_edition ${CMAKE_BINARY_DIR}/students/bin/warpgrade)
  set(include ${CMAKE_SOURCE_DIR})
  configure_file(${template} ${CMAKE_BINARY_DIR}/kit.build.yaml @ONLY)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/share/warpgrade/kit.yaml INPUT ${CMAKE_BINARY_DIR}/kit.build.yaml)

  set(labs share/warpgrade/labs)
  set(course share/warpgrade/course.yaml)
  set(solutions share/warpgrade/solutions)
  set(starter share/warpgrade/starter)
  set(emulator_library lib/warpgrade/emulator)  # a folder of its own: it must not be found before NVIDIA's by chance
  set(worker lib/warpgrade/libwarpgrade_worker.a)
  set(calibrator lib/warpgrade/calibrator)
  set(adapter lib/warpgrade/lib{lab}_adapter.a)
  set(students_edition lib/warpgrade/students/warpgrade)
  set(include share/warpgrade)  # labs/lab1/lab1.h lies below it as below the source tree
  configure_file(${template} ${CMAKE_BINARY_DIR}/kit.install.yaml @ONLY)
endfunction()

function(warpgrade_install_kit)
  set(share share/warpgrade)
  install(FILES ${CMAKE_BINARY_DIR}/kit.install.yaml DESTINATION ${share} RENAME kit.yaml)
  install(FILES ${CMAKE_SOURCE_DIR}/course.yaml DESTINATION ${share})
  install(FILES ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/schema/course.schema.json
    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/schema/lab.schema.json DESTINATION ${share})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/grader/lab DESTINATION ${share}/grader FILES_MATCHING PATTERN "*.h")  # labs/ includes them
  foreach(folder labs starter)
    if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
      install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION ${share} PATTERN "mutant*" EXCLUDE
        PATTERN "alternatives" EXCLUDE PATTERN "hidden.*" EXCLUDE PATTERN "tune.cu" EXCLUDE)
    endif()
  endforeach()
  # Not for a machine that students can read: only with `cmake --install ... --component solutions`.
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/solutions DESTINATION ${share} COMPONENT solutions EXCLUDE_FROM_ALL)
  if(TARGET cudart)
    install(TARGETS cudart LIBRARY DESTINATION lib/warpgrade/emulator)
  endif()
  if(TARGET warpgrade_calibrator)
    install(TARGETS warpgrade_calibrator RUNTIME DESTINATION lib/warpgrade)
  endif()
  file(GLOB labs RELATIVE ${CMAKE_SOURCE_DIR}/labs ${CMAKE_SOURCE_DIR}/labs/lab*)
  list(TRANSFORM labs APPEND _adapter)
  foreach(archive warpgrade_worker ${labs})
    if(TARGET ${archive})
      install(TARGETS ${archive} ARCHIVE DESTINATION lib/warpgrade)
    endif()
  endforeach()
endfunction()

cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL warpgrade_write_kit)
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL warpgrade_install_kit)
