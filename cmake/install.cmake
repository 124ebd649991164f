# `cmake --install build --prefix DIR`: what grades on a node that has only a CUDA toolkit and a driver. kit.yaml, which
# says where everything lies, is written and installed by grader/config/kit.cmake.
#
#   bin/warpgrade        lib/warpgrade/ (our libcudart, worker, adapters)
#   share/warpgrade/     kit.yaml course.yaml labs/ starter/ include/
#   share/warpgrade/solutions/    only with --component solutions
install(TARGETS warpgrade_cli RUNTIME DESTINATION bin)
if(TARGET cudart)
  install(TARGETS cudart LIBRARY DESTINATION lib/warpgrade)
endif()
foreach(target warpgrade_worker ${WARPGRADE_LABS})
  string(REGEX REPLACE "^lab.*" "\\0_adapter" target ${target})
  if(TARGET ${target})
    install(TARGETS ${target} ARCHIVE DESTINATION lib/warpgrade)
  endif()
endforeach()

install(DIRECTORY labs DESTINATION share/warpgrade
        PATTERN mutants EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY starter DESTINATION share/warpgrade OPTIONAL)
# What a rung's file includes, by the same names as in the source tree.
install(DIRECTORY labs DESTINATION share/warpgrade/include FILES_MATCHING PATTERN "*.h")
install(FILES README.md LICENSE DESTINATION share/warpgrade)
install(DIRECTORY solutions DESTINATION share/warpgrade COMPONENT solutions EXCLUDE_FROM_ALL)
