// The FP32 matrix product of cuBLAS, for two labs.
#pragma once

#include <cublas_v2.h>

#include <stdexcept>

namespace peers {

// In pedantic FP32: no tensor cores, no lower precision.
class Cublas {
 public:
  Cublas() {
    if (cublasCreate(&handle_) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cublasCreate failed");
    Require(cublasSetMathMode(handle_, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
  }
  ~Cublas() { cublasDestroy(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // c = a * b, all side x side, row by row. cuBLAS reads columns, so it gets the transposed problem: C^T = B^T * A^T.
  void Multiply(const float* a, const float* b, float* c, size_t side, cudaStream_t stream) {
    const float one = 1, zero = 0;
    const int n = static_cast<int>(side);
    Require(cublasSetStream(handle_, stream), "cublasSetStream");
    Require(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n), "cublasSgemm");
  }

 private:
  static void Require(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
  }

  cublasHandle_t handle_ = nullptr;
};

}  // namespace peers
