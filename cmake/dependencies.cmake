# Third-party libraries that several rooms use: the distribution's packages first, sources from the network only when
# there is none. A library that one room alone uses (yaml-cpp, libarchive, zstd, lz4) is found in that room's file.
# fmt is used header-only and GoogleTest from its .a, so that a built tree can be carried to a node with only a driver.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)
FetchContent_Declare(GTest
  GIT_REPOSITORY https://github.com/google/googletest GIT_TAG v1.12.1 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
FetchContent_Declare(benchmark
  GIT_REPOSITORY https://github.com/google/benchmark GIT_TAG v1.7.1 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
FetchContent_Declare(fmt
  GIT_REPOSITORY https://github.com/fmtlib/fmt GIT_TAG 9.1.0 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11 GIT_TAG v2.1.2 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json
  GIT_REPOSITORY https://github.com/nlohmann/json GIT_TAG v3.11.2 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
set(BENCHMARK_ENABLE_TESTING OFF)
set(INSTALL_GTEST OFF)
FetchContent_MakeAvailable(GTest benchmark fmt CLI11 nlohmann_json)
include(GoogleTest)
