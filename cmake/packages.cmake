# `cpack` in the build folder writes packages/: a Debian package, and a tarball that can be unpacked anywhere. Both have what
# `cmake --install` copies and the students' edition for `warpgrade release`; neither has solutions. cpack first builds
# what is missing, for every processor.
#
# Test: tests/release/packages_test.sh.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # cpack would build every target of the tree
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" -DWARPGRADE_ISAS=all \"${CMAKE_BINARY_DIR}\" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --parallel ${WARPGRADE_CORES} --target kit warpgrade_students COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT students EXCLUDE_FROM_ALL)
install(PROGRAMS ${CMAKE_BINARY_DIR}/students/bin/warpgrade DESTINATION lib/warpgrade/students
  COMPONENT students EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION share/doc/warpgrade RENAME copyright COMPONENT students EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};warpgrade;students;/" "${CMAKE_BINARY_DIR};warpgrade;Unspecified;/")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_NAME warpgrade)
set(CPACK_PACKAGE_CONTACT "the warpgrade developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Grades the CUDA labs of a course, on a GPU or on an emulator")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME warpgrade-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), g++, bubblewrap")  # nvcc is in no package of Debian's main archive
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git, similarity-tester, libjs-chart.js")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
