// What lab9's benchmark compares a rung with: cuSPARSE, the library that a practitioner would pick.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "labs/lab9/lab9.h"

namespace lab9 {

class Cusparse {
 public:
  // Opens the library; a machine may have none, and a build no headers of it.
  Cusparse();
  Cusparse(const Cusparse&) = delete;  // lives until the process ends
  Cusparse& operator=(const Cusparse&) = delete;

  // "" when it can be called, else why not.
  const std::string& problem() const { return problem_; }

  // One of cusparseSpMV's two algorithms for CSR, for one matrix. cusparseSpMV_preprocess has looked at the matrix,
  // which is not timed. null when it refuses. The arrays of `a` must live as long.
  class Product {
   public:
    virtual ~Product() = default;
    // y = A x on `stream`. False when it refuses.
    virtual bool Multiply(cudaStream_t stream) = 0;
  };
  std::unique_ptr<Product> Prepare(const Arguments& a, int algorithm, cudaStream_t stream);

 private:
  std::string problem_;
  void* handle_ = nullptr;
};

}  // namespace lab9
