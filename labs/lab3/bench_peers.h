// What lab3's benchmark compares a rung with: cuBLAS, the library that a practitioner would pick.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace lab3 {

class Cublas {
 public:
  // Opens the library; a machine may have none, and a build no headers of it.
  Cublas();
  Cublas(const Cublas&) = delete;  // lives until the process ends
  Cublas& operator=(const Cublas&) = delete;

  // "" when it can be called, else why not.
  const std::string& problem() const { return problem_; }

  // C = A * B on `stream`, all row-major, A and B of type `variant` (lab3.h). For floats in "pedantic" mode: FFMA, as
  // in v1 to v6, never TF32. For halves on tensor cores with float sums, as in v7. False when it refuses.
  bool Multiply(int32_t variant, const void* d_a, const void* d_b, float* d_c, size_t m, size_t k, size_t n,
                cudaStream_t stream);

 private:
  std::string problem_;
  void* handle_ = nullptr;
};

}  // namespace lab3
