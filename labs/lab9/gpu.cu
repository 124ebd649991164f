// The judge's kernels for matrices and vectors of small whole numbers: all timed cases of lab9. Sums are computed as
// whole numbers, and a float holds them exactly. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab9/elements.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

constexpr uint64_t kPerThread = 64;  // nonzeros that a thread adds up, one after the other

struct Matrix {
  __device__ explicit Matrix(const GpuArguments& a)
      : rows(a.sizes[0]),
        nonzeros(a.sizes[2]),
        offsets(lab::Array<const int>(a, 0)),
        columns(lab::Array<const int>(a, 1)),
        values(lab::Array<const float>(a, 2)),
        x(lab::Array<const float>(a, 3)) {}

  // The row of a nonzero: the last one that begins at it or before it.
  __device__ uint64_t RowOf(uint64_t nonzero) const {
    uint64_t low = 0, high = rows;  // row `low` begins early enough, row `high` does not
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

  __device__ int64_t Product(uint64_t nonzero) const {
    return static_cast<int64_t>(values[nonzero]) * static_cast<int64_t>(x[columns[nonzero]]);
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

// Sums are signed, but adding them as unsigned numbers gives the same bits.
extern "C" __global__ void sum(GpuArguments a) {
  const Matrix m(a);
  lab::ForEach((m.nonzeros + kPerThread - 1) / kPerThread, [&](uint64_t part) {
    const uint64_t begin = part * kPerThread, end = begin + kPerThread < m.nonzeros ? begin + kPerThread : m.nonzeros;
    uint64_t row = m.RowOf(begin);
    int64_t sum = 0;
    for (uint64_t k = begin; k < end; ++k) {
      if (k >= static_cast<uint64_t>(m.offsets[row + 1])) {
        lab::Add(&Sums(a)[row], static_cast<uint64_t>(sum));
        sum = 0;
        row = m.RowOf(k);
      }
      sum += m.Product(k);
    }
    lab::Add(&Sums(a)[row], static_cast<uint64_t>(sum));
  });
}

extern "C" __global__ void check(GpuArguments a) {
  lab::CheckEach(a, a.sizes[0], [&](uint64_t row) {
    const auto want = static_cast<double>(static_cast<int64_t>(Sums(a)[row]));
    return static_cast<double>(lab::Array<const float>(a, 4)[row]) == want;
  });
}
