# warpgrade_unity(TARGET [BATCH n] [O1] [OG]): compiles the files of a target as one file, or n at a time, which costs a
# quarter of the time: their headers are read once, and a template that all use is compiled once.
# With O1 it is optimised less, which takes a quarter less time than -O3. That is for rooms that mostly wait. With OG it
# is optimised even less (-Og), which takes another quarter less. That is for rooms that only talk: commands, tables, YAML.
# Names in unnamed namespaces must therefore be unique in a target; the compiler says when they are not.
#
# -DWARPGRADE_UNITY=OFF compiles each file by itself: for clang-tidy, whose list of files is compile_commands.json, and
# for work on one file of a room (`cmake --preset files`).
option(WARPGRADE_UNITY "Compile the files of a room together" ON)

function(warpgrade_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 unity "O1;OG" BATCH "")
  if(NOT unity_BATCH)
    set(unity_BATCH 0)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPGRADE_UNITY} UNITY_BUILD_BATCH_SIZE ${unity_BATCH})
  if(WARPGRADE_UNITY)
    # g++ takes an unnamed namespace for a header's when its file is included, and warns of classes that use it.
    # Its garbage collector takes 4% of the time of such a file if it starts below half a gigabyte, as by default.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
  endif()
  if(unity_O1)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(unity_OG)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()
