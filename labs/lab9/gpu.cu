// The judge's kernels for matrices and vectors of small whole numbers: all timed cases of lab9. Sums are computed as
// whole numbers, and a float holds them exactly. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab9/elements.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

// Nonzeros that a thread adds up, one after the other, and those of its block.
constexpr unsigned kPerThread = 32, kPerBlock = kPerThread * warpgrade::kGpuWorkThreads;

struct Matrix {
  __device__ explicit Matrix(const GpuArguments& a)
      : rows(a.sizes[0]),
        nonzeros(a.sizes[2]),
        offsets(lab::Array<const int>(a, 0)),
        columns(lab::Array<const int>(a, 1)),
        values(lab::Array<const float>(a, 2)),
        x(lab::Array<const float>(a, 3)) {}

  // The row of a nonzero: the last one that begins at it or before it. REQUIRES: it is in [low, high).
  __device__ uint64_t RowOf(uint64_t nonzero, uint64_t low, uint64_t high) const {
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      if (static_cast<uint64_t>(offsets[middle]) <= nonzero) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  __device__ int Product(uint64_t nonzero) const {
    return static_cast<int>(values[nonzero]) * static_cast<int>(x[columns[nonzero]]);
  }

  uint64_t rows, nonzeros;
  const int* offsets;
  const int* columns;
  const float* values;
  const float* x;
};

__device__ uint64_t* Sums(const GpuArguments& a) { return reinterpret_cast<uint64_t*>(a.scratch); }

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  const uint64_t rows = a.sizes[0], columns = a.sizes[1], nonzeros = a.sizes[2], seed = a.seed;
  const auto lengths = static_cast<lab9::Lengths>(a.pattern % lab9::kLengthsCount);
  const int array = static_cast<int>(a.array);
  if (array == 0) {
    lab::ForEach(rows + 1,
                 [&](uint64_t i) { lab::Array<int>(a, 0)[i] = lab9::Offset(lengths, rows, nonzeros, seed, i); });
  } else if (array == 1) {
    lab::ForEach(nonzeros, [&](uint64_t k) { lab::Array<int>(a, 1)[k] = lab9::Column(columns, nonzeros, seed, k); });
  } else {
    lab::ForEach(array == 2 ? nonzeros : columns,
                 [&](uint64_t i) { lab::Array<float>(a, array)[i] = lab9::OneOrTwo(lab::Noise(seed, i)); });
  }
}

extern "C" __global__ void start_sums(GpuArguments a) {
  lab::ForEach(a.sizes[0], [&](uint64_t row) { Sums(a)[row] = 0; });
}

// Each thread adds up neighbouring nonzeros, but neighbouring threads read them: the products are put down in shared
// memory in between, with a gap after every 32, so that the threads of a warp use different banks. Sums are signed, but
// adding them as unsigned numbers gives the same bits.
extern "C" __global__ void sum(GpuArguments a) {
  __shared__ int products[kPerBlock + kPerBlock / 32];
  __shared__ uint64_t first_row, last_row;
  const Matrix m(a);
  const uint64_t stride = uint64_t{gridDim.x} * kPerBlock;
  for (uint64_t begin = uint64_t{blockIdx.x} * kPerBlock; begin < m.nonzeros; begin += stride) {
    const unsigned here = m.nonzeros - begin < kPerBlock ? static_cast<unsigned>(m.nonzeros - begin) : kPerBlock;
    for (unsigned i = threadIdx.x; i < here; i += blockDim.x) products[i + i / 32] = m.Product(begin + i);
    if (threadIdx.x == 0) first_row = m.RowOf(begin, 0, m.rows);
    if (threadIdx.x == 32) last_row = m.RowOf(begin + here - 1, 0, m.rows);
    __syncthreads();
    const unsigned from = threadIdx.x * kPerThread, to = from + kPerThread < here ? from + kPerThread : here;
    uint64_t row = 0;
    int64_t sum = 0;
    for (unsigned i = from; i < to; ++i) {
      const uint64_t k = begin + i;
      if (i == from || k >= static_cast<uint64_t>(m.offsets[row + 1])) {
        if (i > from) lab::Add(&Sums(a)[row], static_cast<uint64_t>(sum));
        sum = 0;
        row = m.RowOf(k, i == from ? first_row : row, last_row + 1);
      }
      sum += products[i + i / 32];
    }
    if (from < to) lab::Add(&Sums(a)[row], static_cast<uint64_t>(sum));
    __syncthreads();  // before the next products
  }
}

extern "C" __global__ void check(GpuArguments a) {
  lab::CheckEach(a, a.sizes[0], [&](uint64_t row) {
    const auto want = static_cast<double>(static_cast<int64_t>(Sums(a)[row]));
    return static_cast<double>(lab::Array<const float>(a, 4)[row]) == want;
  });
}
