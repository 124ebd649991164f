#include <cusparse.h>

#include <stdexcept>
#include <string>

#include "labs/lab9/elements.h"
#include "labs/lab9/lab9.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

#undef LAB9_RUNG
#define LAB9_RUNG() static_assert(true, "")
namespace peers_v4 {
#include "solutions/lab9/v4_open.cu"
}

namespace peers {
namespace {

constexpr size_t kNonzeros = size_t{1} << 27;

void Require(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cusparseGetErrorString(status));
}

__global__ void FillOffsets(lab9::Lengths lengths, size_t rows, int* to) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i <= rows) to[i] = lab9::Offset(lengths, rows, kNonzeros, /*seed=*/1, i);
}

__global__ void FillColumns(size_t columns, int* to) {
  const size_t k = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < kNonzeros) to[k] = lab9::Column(columns, kNonzeros, /*seed=*/2, k);
}

// A square matrix and a vector on the device.
struct Matrix {
  Matrix(lab9::Lengths lengths, size_t mean)
      : rows(kNonzeros / mean), offsets(rows + 1), columns(kNonzeros), values(kNonzeros), x(rows) {
    FillOffsets<<<FillBlocks(rows + 1), kFillThreads>>>(lengths, rows, offsets.data());
    FillColumns<<<FillBlocks(kNonzeros), kFillThreads>>>(rows, columns.data());
    values.FillWithSmallNumbers(3);
    x.FillWithSmallNumbers(4);
  }
  double Gigabytes() const { return 1e-9 * (8.0 * kNonzeros + 12.0 * static_cast<double>(rows)); }

  size_t rows;
  Array<int> offsets, columns;
  Array<float> values, x;
};

// cusparseSpMV by the faster one of its two algorithms for CSR: the first, for all matrices here. It has looked at the
// matrix before, which is not timed.
class Cusparse {
 public:
  Cusparse(const Matrix& m, const Array<float>& y, cudaStream_t stream) {
    const auto n = static_cast<int64_t>(m.rows);
    Require(cusparseCreate(&handle_), "cusparseCreate");
    Require(cusparseSetStream(handle_, stream), "cusparseSetStream");
    Require(cusparseCreateCsr(&matrix_, n, n, kNonzeros, m.offsets.data(), m.columns.data(), m.values.data(),
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            "cusparseCreateCsr");
    Require(cusparseCreateDnVec(&x_, n, m.x.data(), CUDA_R_32F), "cusparseCreateDnVec");
    Require(cusparseCreateDnVec(&y_, n, y.data(), CUDA_R_32F), "cusparseCreateDnVec");
    size_t bytes = 0;
    Require(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero, y_,
                                    CUDA_R_32F, kAlgorithm, &bytes),
            "cusparseSpMV_bufferSize");
    lab::Require(cudaMalloc(&buffer_, bytes), "cudaMalloc");
    Require(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero, y_,
                                    CUDA_R_32F, kAlgorithm, buffer_),
            "cusparseSpMV_preprocess");
  }
  ~Cusparse() {
    cudaFree(buffer_);
    cusparseDestroyDnVec(y_);
    cusparseDestroyDnVec(x_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(handle_);
  }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  void Multiply() {
    Require(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero, y_, CUDA_R_32F,
                         kAlgorithm, buffer_),
            "cusparseSpMV");
  }

 private:
  static constexpr float kOne = 1, kZero = 0;
  static constexpr cusparseSpMVAlg_t kAlgorithm = CUSPARSE_SPMV_CSR_ALG1;

  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
  void* buffer_ = nullptr;
};

void Compare(Comparison& table, const char* rows, lab9::Lengths lengths, size_t mean) {
  const Matrix m(lengths, mean);
  Array<float> ours(m.rows), theirs(m.rows);
  Cusparse cusparse(m, theirs, table.stream());
  const int n = static_cast<int>(m.rows);
  const auto multiply = [&] {
    peers_v4::spmv(m.offsets.data(), m.columns.data(), m.values.data(), m.x.data(), ours.data(), n, n,
                   static_cast<int>(kNonzeros), table.stream());
  };
  multiply();
  cusparse.Multiply();
  table.Time({.what = std::string("lab9 v4, ") + rows,
              .size = "2^27",
              .peer = "cuSPARSE",
              .unit = "GB/s",
              .ours = m.Gigabytes(),
              .theirs = m.Gigabytes(),
              .goal = 0.9},
             ours.Equals(theirs), multiply, [&] { cusparse.Multiply(); });
}

}  // namespace

void CompareSparse(Comparison& table) {
  Compare(table, "rows of 1 to 255", lab9::kUneven, 128);
  Compare(table, "rows of 1 to 79", lab9::kUneven, 40);
  Compare(table, "skewed rows", lab9::kSkewed, 12);
}

}  // namespace peers
