# Third-party libraries that several rooms use: the distribution's packages first, sources from the network only when
# there is none. A library that one room alone uses (yaml-cpp, libarchive, zstd, lz4, cmark-gfm) is found in that room's
# file. fmt and GoogleTest are linked statically, so that a built tree can be carried to a node with only a driver.
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

# warpgrade_fmt: fmt as a static library. Where the distribution's is shared, the kit compiles its own from the headers.
get_target_property(fmt_type fmt::fmt TYPE)
if(fmt_type STREQUAL STATIC_LIBRARY)
  add_library(warpgrade_fmt ALIAS fmt::fmt)
elseif(fmt_VERSION VERSION_LESS 10)
  add_library(warpgrade_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_library.cc)
  target_include_directories(warpgrade_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  # g++ 12 thinks that fmt's parser of fill characters writes too far.
  target_compile_options(warpgrade_fmt INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow>)
else()
  add_library(warpgrade_fmt ALIAS fmt::fmt-header-only)
endif()
