// cuSPARSE is opened with dlopen, so that a bench is linked without it: the kit's build needs only the CUDA runtime.
// No test runs it, since it measures time on a GPU.
#include "labs/lab9/bench_peers.h"

#if __has_include(<cusparse.h>)
#include <cusparse.h>
#include <dlfcn.h>

#include "labs/support/device_array.h"

namespace lab9 {
namespace {

struct Functions {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseCreateCsr) create_csr = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) multiply = nullptr;
};
Functions functions;

constexpr float kOne = 1, kZero = 0;

// The library where the loader finds it, else where the toolkit was when the bench was built.
void* OpenLibrary() {
  const std::string name = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
  if (void* library = dlopen(name.c_str(), RTLD_NOW)) return library;
  return dlopen((std::string(LAB9_CUDA_LIBRARY_DIR) + "/" + name).c_str(), RTLD_NOW);
}

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

class SpMV final : public Cusparse::Product {
 public:
  SpMV(cusparseHandle_t handle, cusparseSpMVAlg_t algorithm) : handle_(handle), algorithm_(algorithm) {}
  ~SpMV() override {
    if (matrix_ != nullptr) functions.destroy_matrix(matrix_);
    if (x_ != nullptr) functions.destroy_vector(x_);
    if (y_ != nullptr) functions.destroy_vector(y_);
  }
  SpMV(const SpMV&) = delete;
  SpMV& operator=(const SpMV&) = delete;

  bool Prepare(const Arguments& a, cudaStream_t stream) {
    // The library takes pointers to arrays that it only reads as pointers to arrays that it may write.
    const bool has_arrays =
        Is(functions.set_stream(handle_, stream)) &&
        Is(functions.create_csr(&matrix_, a.rows, a.columns, a.nonzeros, const_cast<int*>(a.d_offsets),
                                const_cast<int*>(a.d_columns), const_cast<float*>(a.d_values), CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F)) &&
        Is(functions.create_vector(&x_, a.columns, const_cast<float*>(a.d_x), CUDA_R_32F)) &&
        Is(functions.create_vector(&y_, a.rows, a.d_y, CUDA_R_32F));
    size_t bytes = 0;
    if (!has_arrays || !Is(functions.buffer_size(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero,
                                                 y_, CUDA_R_32F, algorithm_, &bytes))) {
      return false;
    }
    buffer_ = std::make_unique<lab::DeviceArray>(bytes);
    return Is(functions.preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero, y_,
                                   CUDA_R_32F, algorithm_, buffer_->data()));
  }

  bool Multiply(cudaStream_t stream) override {
    return Is(functions.set_stream(handle_, stream)) &&
           Is(functions.multiply(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, matrix_, x_, &kZero, y_, CUDA_R_32F,
                                 algorithm_, buffer_->data()));
  }

 private:
  static bool Is(cusparseStatus_t status) { return status == CUSPARSE_STATUS_SUCCESS; }

  cusparseHandle_t handle_;
  cusparseSpMVAlg_t algorithm_;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
  std::unique_ptr<lab::DeviceArray> buffer_;
};

}  // namespace

Cusparse::Cusparse() {
  void* const library = OpenLibrary();
  if (library == nullptr) {
    problem_ = dlerror();
    return;
  }
  if (!Find(library, "cusparseCreate", functions.create) || !Find(library, "cusparseSetStream", functions.set_stream) ||
      !Find(library, "cusparseCreateCsr", functions.create_csr) ||
      !Find(library, "cusparseDestroySpMat", functions.destroy_matrix) ||
      !Find(library, "cusparseCreateDnVec", functions.create_vector) ||
      !Find(library, "cusparseDestroyDnVec", functions.destroy_vector) ||
      !Find(library, "cusparseSpMV_bufferSize", functions.buffer_size) ||
      !Find(library, "cusparseSpMV_preprocess", functions.preprocess) ||
      !Find(library, "cusparseSpMV", functions.multiply)) {
    problem_ = "this cuSPARSE lacks a function that the bench calls";
    return;
  }
  cusparseHandle_t handle = nullptr;
  if (functions.create(&handle) != CUSPARSE_STATUS_SUCCESS) {
    problem_ = "cusparseCreate failed";
    return;
  }
  handle_ = handle;
}

std::unique_ptr<Cusparse::Product> Cusparse::Prepare(const Arguments& a, int algorithm, cudaStream_t stream) {
  auto product = std::make_unique<SpMV>(static_cast<cusparseHandle_t>(handle_),
                                        algorithm == 1 ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2);
  if (!product->Prepare(a, stream)) return nullptr;
  return product;
}

}  // namespace lab9

#else

namespace lab9 {

Cusparse::Cusparse() : problem_("built without cusparse.h") {}

std::unique_ptr<Cusparse::Product> Cusparse::Prepare(const Arguments&, int, cudaStream_t) { return nullptr; }

}  // namespace lab9

#endif
