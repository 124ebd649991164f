// The declarations of everything that libcudart.so.13 exports: NVIDIA's own header, and what nvcc's generated host code
// calls (crt/host_runtime.h and crt/device_functions.h declare these only inside a compilation by nvcc). Include this
// first where an API function is defined: a definition that differs from NVIDIA's declaration does not compile.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

extern "C" {  // NOLINTBEGIN(bugprone-reserved-identifier): the names are NVIDIA's, and nvcc's code calls them
void** __cudaRegisterFatBinary(void* fat_cubin);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3* tid, uint3* bid, dim3* block_dim, dim3* grid_dim, int* warp_size);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name, int ext,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** host_variable, char* device_address, const char* device_name,
                              int ext, size_t size, int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream);
}  // NOLINTEND(bugprone-reserved-identifier)
#pragma GCC visibility pop
