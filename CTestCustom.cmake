# As in build/: say on which device the tests run, and close with a table of the rungs.
include(${CTEST_BINARY_DIRECTORY}/build/CTestCustom.cmake OPTIONAL)
include(build/CTestCustom.cmake OPTIONAL)
