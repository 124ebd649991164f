# Finds the CUDA toolkit and decides for which GPUs to compile.
#
#   WARPGRADE_CUDA_ARCHITECTURES  e.g. 90 or "80-real;90-real". Default: the installed GPU's, else 75-virtual.
#   WARPGRADE_NVCC                the compiler
#   WARPGRADE_GENCODE             its -gencode flags: machine code for the GPUs, and always compute_75 PTX, which is what
#                                 the emulator executes

# The compiler that the launcher fetched for this tree, when the machine has none of its own.
set(private_toolkit ${CMAKE_SOURCE_DIR}/.warpgrade/cuda)
if(NOT CUDAToolkit_ROOT AND EXISTS ${private_toolkit}/bin/nvcc)
  find_program(WARPGRADE_SYSTEM_NVCC nvcc PATHS /usr/local/cuda/bin)
  if(NOT WARPGRADE_SYSTEM_NVCC)
    set(CUDAToolkit_ROOT ${private_toolkit})
  endif()
endif()
find_package(CUDAToolkit 13.0)  # our libcudart has the ABI of libcudart.so.13
if(NOT CUDAToolkit_FOUND)
  message(FATAL_ERROR "No CUDA toolkit 13 found. Install nvcc and put it on PATH, name it with -DCUDAToolkit_ROOT=dir, or "
                      "let `./warpgrade --help` fetch a private copy into .warpgrade/cuda.")
endif()
set(WARPGRADE_NVCC ${CUDAToolkit_NVCC_EXECUTABLE} CACHE FILEPATH "The CUDA compiler")

function(warpgrade_detect_gpu out)
  set(${out} 75-virtual PARENT_SCOPE)
  find_program(NVIDIA_SMI nvidia-smi)
  mark_as_advanced(NVIDIA_SMI)
  if(NOT NVIDIA_SMI)
    return()
  endif()
  execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE status TIMEOUT 20)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${capabilities}")
  if(NOT status EQUAL 0 OR NOT capabilities)
    return()
  endif()
  list(REMOVE_DUPLICATES capabilities)
  list(TRANSFORM capabilities REPLACE "\\." "")
  list(TRANSFORM capabilities APPEND -real)
  set(${out} "${capabilities}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED WARPGRADE_CUDA_ARCHITECTURES)
  warpgrade_detect_gpu(detected)
  set(WARPGRADE_CUDA_ARCHITECTURES "${detected}" CACHE STRING "GPUs to compile the labs for, as CMAKE_CUDA_ARCHITECTURES")
endif()
# nvcc 13 no longer knows the architectures that CMake 3.25 tries by default, so a room that enables CUDA needs this set.
set(CMAKE_CUDA_ARCHITECTURES "${WARPGRADE_CUDA_ARCHITECTURES}")
set(CMAKE_CUDA_COMPILER ${WARPGRADE_NVCC})

# nvcc includes <cmath> in each file, and that of libstdc++ brings the special functions of C++17: a third of the time of a
# small file. Our own files do without them (grader/build/rung_compiler.h).
set(WARPGRADE_FEW_HEADERS -D_GLIBCXX_BITS_SPECFUN_H=1)

set(WARPGRADE_GENCODE -gencode arch=compute_75,code=compute_75)
foreach(architecture IN LISTS WARPGRADE_CUDA_ARCHITECTURES)
  if(NOT architecture MATCHES "^([0-9]+[af]?)(-real|-virtual)?$")
    message(FATAL_ERROR "WARPGRADE_CUDA_ARCHITECTURES: '${architecture}' is not an architecture; write e.g. 90 or 90-real")
  endif()
  if(NOT CMAKE_MATCH_2 STREQUAL "-virtual")
    list(APPEND WARPGRADE_GENCODE -gencode arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
  endif()
endforeach()
message(STATUS "CUDA ${CUDAToolkit_VERSION} at ${WARPGRADE_NVCC}, architectures: ${WARPGRADE_CUDA_ARCHITECTURES}")
