# `cmake --install build --prefix DIR`: what grades on a node that has only a CUDA toolkit and a driver. Besides what is
# here, grader/config/kit.cmake installs kit.yaml and everything that it names.
#
#   bin/warpgrade        lib/warpgrade/ (our libcudart, worker, adapters)
#   share/warpgrade/     kit.yaml course.yaml labs/ starter/ hip/
#   share/warpgrade/solutions/    only with --component solutions
install(TARGETS warpgrade_cli RUNTIME DESTINATION bin)
install(FILES README.md BENCHMARKS.md LICENSE DESTINATION share/warpgrade)
install(DIRECTORY docs DESTINATION share/warpgrade)
install(FILES hip/hip_runtime.h DESTINATION share/warpgrade/hip)
install(FILES hip/reduction.hip DESTINATION share/warpgrade/hip COMPONENT solutions EXCLUDE_FROM_ALL)  # lab1's ladder
