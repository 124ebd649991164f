// cuBLAS is opened with dlopen, so that a bench is linked without it: the kit's build needs only the CUDA runtime.
// No test runs it, since it measures time on a GPU.
#include "labs/lab3/bench_peers.h"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <dlfcn.h>

#include "labs/lab3/lab3.h"

namespace lab3 {
namespace {

struct Functions {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*,
                         cudaDataType, int, const void*, cudaDataType, int, const void*, void*, cudaDataType, int,
                         cublasComputeType_t, cublasGemmAlgo_t) = nullptr;  // cublasGemmEx, which C++ sees overloaded
};
Functions functions;

// The library where the loader finds it, else where the toolkit was when the bench was built.
void* OpenLibrary() {
  const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
  if (void* library = dlopen(name.c_str(), RTLD_NOW)) return library;
  return dlopen((std::string(LAB3_CUDA_LIBRARY_DIR) + "/" + name).c_str(), RTLD_NOW);
}

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Cublas::Cublas() {
  void* const library = OpenLibrary();
  if (library == nullptr) {
    problem_ = dlerror();
    return;
  }
  if (!Find(library, "cublasCreate_v2", functions.create) ||
      !Find(library, "cublasSetStream_v2", functions.set_stream) ||
      !Find(library, "cublasSetMathMode", functions.set_math_mode) || !Find(library, "cublasGemmEx", functions.gemm)) {
    problem_ = "this cuBLAS lacks a function that the bench calls";
    return;
  }
  cublasHandle_t handle = nullptr;
  if (functions.create(&handle) != CUBLAS_STATUS_SUCCESS ||
      functions.set_math_mode(handle, CUBLAS_PEDANTIC_MATH) != CUBLAS_STATUS_SUCCESS) {
    problem_ = "cublasCreate or cublasSetMathMode failed";
    return;
  }
  handle_ = handle;
}

bool Cublas::Multiply(int32_t variant, const void* d_a, const void* d_b, float* d_c, size_t m, size_t k, size_t n,
                      cudaStream_t stream) {
  const auto handle = static_cast<cublasHandle_t>(handle_);
  const float one = 1, zero = 0;
  const bool half = variant == kHalf;
  const cudaDataType_t type = half ? CUDA_R_16F : CUDA_R_32F;
  const int rows = static_cast<int>(m), depth = static_cast<int>(k), columns = static_cast<int>(n);
  // cuBLAS reads columns where we have rows, so it gets the transposed problem: C^T = B^T * A^T.
  return functions.set_stream(handle, stream) == CUBLAS_STATUS_SUCCESS &&
         functions.gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, depth, &one, d_b, type, columns, d_a, type,
                        depth, &zero, d_c, CUDA_R_32F, columns, half ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_PEDANTIC,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

}  // namespace lab3

#else

namespace lab3 {

Cublas::Cublas() : problem_("built without cublas_v2.h") {}

bool Cublas::Multiply(int32_t, const void*, const void*, float*, size_t, size_t, size_t, cudaStream_t) { return false; }

}  // namespace lab3

#endif
