// lab6 v4: open. As many steps in a second as you can.
//
// The weaknesses of v3: a lane loads only four bytes at a time, of one row. Every step reads the whole field from
// device memory and writes it back, although the next step needs the same elements again.
// BEGIN SOLUTION
// Here:
//
//   1. A lane has four columns: one load of 16 bytes, one store of 16 bytes, two shuffles instead of eight.
//   2. A lane keeps no rows, only sums. Each row that arrives is needed by three rows of the result: it is the last row
//      that the row above it needs, the second for its own row, and the first for the row below. So only two unfinished
//      sums must stay in registers.
//   3. One pass does several steps. The rows that the first step finishes are the rows that arrive for the second step:
//
//        row arrives     step 1 finishes     step 2 finishes     step 3 finishes
//           r      ->        r - 1       ->      r - 2       ->      r - 3      ->  d_out
//
//      After the first step, a strip's outermost columns are wrong, since their neighbours are missing. After the
//      second step, two columns are wrong, and so on. Up to four steps spoil one lane on each side, which only loads:
//      30 of 32 lanes write. Rows work the same way: each march begins kSteps rows early and ends kSteps rows late.
//   4. While one row is processed, the next kAhead rows are in flight.
//
//      lane      0       1       2    ...    30      31
//      columns  ----    ++++    ++++        ++++    ----      ---- loaded for others, ++++ written: 120 columns
// ELSE STARTER
//| //
//| // Only the contract is given here. Use any kernels, as many as you like, with any blocks.
// END SOLUTION
#include "labs/lab6/lab6.h"
// BEGIN SOLUTION

// The tuning parameters; labs/lab6/tune.cu tries other values. A block has kWarps warps, and each warp has its own
// strip and kRows rows. kAhead rows are in flight. A pass does at most kMostSteps steps: 1, 2 or 4.
template <int kWarps_, int kRows_, int kAhead_, int kMostSteps_>
struct Shape {
  static constexpr int kWarps = kWarps_, kRows = kRows_, kAhead = kAhead_, kMostSteps = kMostSteps_;
};

using Tuned = Shape<4, 64, 2, 4>;
// A pass of one step does little work between its loads. Short strips keep more loads in flight, and the rows that two
// strips both load are still in the cache.
template <class S>
using OneStep = Shape < S::kWarps,
      S::kRows<8 ? S::kRows : 8, S::kAhead, 1>;

constexpr int kWidth = 4;            // columns of a lane
constexpr int kStrip = 30 * kWidth;  // columns that a warp writes
constexpr unsigned kAll = ~0u;       // the mask of all 32 lanes

// A lane's part of a row.
struct Four {
  float at[kWidth];
};

// The columns of a lane: which of them exist, and which are in the ring. With kWide, rows start at multiples of 16
// bytes. Then all four columns exist or none does, and one access serves them.
template <bool kWide>
struct Columns {
  bool exists[kWidth], in_ring[kWidth];

  // `first` wraps around to a large number before column 0.
  __device__ Columns(size_t first, size_t columns) {
#pragma unroll
    for (int j = 0; j < kWidth; ++j) {
      exists[j] = first + j < columns;
      in_ring[j] = first + j == 0 || first + j == columns - 1;
    }
  }

  // Loads the lane's columns, with zeros for columns that do not exist.
  __device__ __forceinline__ Four Load(const float* from) const {
    Four four = {};
    if constexpr (kWide) {
      if (exists[0]) *reinterpret_cast<float4*>(four.at) = *reinterpret_cast<const float4*>(from);
    } else {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        if (exists[j]) four.at[j] = from[j];
      }
    }
    return four;
  }

  __device__ __forceinline__ void Store(float* to, const Four& four) const {
    if constexpr (kWide) {
      if (exists[0]) *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(four.at);
    } else {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        if (exists[j]) to[j] = four.at[j];
      }
    }
  }
};

// One of the steps of a pass. Rows of the field before the step go in; rows after the step come out, one row later.
template <int kPoints>
struct Step {
  Four upper, lower;  // unfinished sums: of the row that arrived last, and of the row after it
  Four last;          // the row that arrived last, unchanged

  // Takes a row in, and returns the row above it after this step. REQUIRES: all 32 lanes of the warp call it together.
  __device__ __forceinline__ Four Advance(const lab6::Weights& weights, const Four& now) {
    float x[kWidth + 2];  // includes the neighbours on both sides
    x[0] = __shfl_up_sync(kAll, now.at[kWidth - 1], 1);
    x[kWidth + 1] = __shfl_down_sync(kAll, now.at[0], 1);
#pragma unroll
    for (int j = 0; j < kWidth; ++j) x[j + 1] = now.at[j];
    Four done;
#pragma unroll
    for (int j = 0; j < kWidth; ++j) {
      done.at[j] = Add<true>(upper.at[j], weights.at[2], x + j);
      upper.at[j] = Add<false>(lower.at[j], weights.at[1], x + j);
      lower.at[j] = Add<true>(0, weights.at[0], x + j);
    }
    return done;
  }

 private:
  // Adds a row's contribution to a sum. kOuter: it is the row above or below, of which 5 points use only the middle.
  template <bool kOuter>
  static __device__ __forceinline__ float Add(float sum, const float (&w)[3], const float* x) {
    sum += w[1] * x[1];
    if (kPoints == 5 && kOuter) return sum;
    sum += w[0] * x[0];
    return sum + w[2] * x[2];
  }
};

// kSteps steps, from d_in to d_out. kPoints is 5 or 9.
template <class S, int kPoints, int kSteps, bool kWide>
__global__ void __launch_bounds__(32 * S::kWarps)
    stencil_v4(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  static_assert(kSteps <= kWidth, "one lane on each side bears the loss");
  // All blocks are numbered along x: kWarps strips side by side, then the same strips kRows further down.
  const size_t strips = (columns + kStrip - 1) / kStrip;
  const size_t blocks_across = (strips + S::kWarps - 1) / S::kWarps;
  const size_t strip = blockIdx.x % blocks_across * S::kWarps + threadIdx.x / 32;
  if (strip >= strips) return;  // the whole warp leaves
  const int lane = threadIdx.x % 32;
  const size_t first_column = strip * kStrip + lane * kWidth - kWidth;
  const Columns<kWide> mine(first_column, columns);
  const bool writes = lane >= 1 && lane <= 30;
  const bool strip_has_ring = strip == 0 || strip == strips - 1 || (strip + 1) * kStrip + kWidth >= columns;

  // Row number i of the march is row begin - kSteps + i of the field. `top` and `bottom` are the values of i for the
  // field's first and last row. If such a row is far away, its value is one that i never reaches.
  const size_t begin = blockIdx.x / blocks_across * S::kRows;
  const size_t rows_below = rows - 1 - begin;
  const int top = begin <= kSteps ? kSteps - static_cast<int>(begin) : -S::kRows;
  const int bottom = rows_below < 2 * S::kRows ? static_cast<int>(rows_below) + kSteps : 4 * S::kRows;
  const int finish = min(S::kRows, static_cast<int>(min(rows_below, size_t{S::kRows})) + 1);  // rows to write
  const int count = finish + 2 * kSteps;                                                      // rows to load
  const float* from = d_in + (begin - kSteps) * columns + first_column;                       // the next row to load
  float* to = d_out + begin * columns + first_column;                                         // the next row to write

  Step<kPoints> steps[kSteps] = {};
  Four next[S::kAhead];
  const auto load = [&](int i) {
    const Four four = top <= i && i <= bottom && i < count ? mine.Load(from) : Four{};
    from += columns;
    return four;
  };
#pragma unroll
  for (int a = 0; a < S::kAhead; ++a) next[a] = load(a);
  for (int i = 0; i < count; i += S::kAhead) {
#pragma unroll
    for (int a = 0; a < S::kAhead; ++a) {
      Four now = next[a];
      next[a] = load(i + a + S::kAhead);
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        Four done = steps[s].Advance(weights, now);
        const int above = i + a - s - 1;  // the row that this step finishes
        if (strip_has_ring || above == top || above == bottom) {
#pragma unroll
          for (int j = 0; j < kWidth; ++j) {
            if (mine.in_ring[j] || above == top || above == bottom) done.at[j] = steps[s].last.at[j];
          }
        }
        steps[s].last = now;
        now = done;
      }
      if (i + a >= 2 * kSteps && i + a < count) {
        if (writes) mine.Store(to, now);
        to += columns;
      }
    }
  }
}

template <class S, int kPoints, int kSteps>
void LaunchPass(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights,
                cudaStream_t stream) {
  const size_t blocks = lab6::DivideUp(rows, S::kRows) * lab6::DivideUp(columns, S::kWarps * kStrip);
  const dim3 grid(static_cast<unsigned>(blocks));
  if (columns % kWidth == 0) {
    stencil_v4<S, kPoints, kSteps, true><<<grid, 32 * S::kWarps, 0, stream>>>(d_in, d_out, rows, columns, weights);
  } else {
    stencil_v4<S, kPoints, kSteps, false><<<grid, 32 * S::kWarps, 0, stream>>>(d_in, d_out, rows, columns, weights);
  }
}

// The largest number of steps that a pass may do when `left` steps are left.
template <class S>
int StepsOfPass(int left) {
  const int most = left >= 4 ? 4 : left >= 2 ? 2 : 1;
  return most < S::kMostSteps ? most : S::kMostSteps;
}

template <class S, int kPoints>
void Launch(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, lab6::Weights weights,
            int steps, cudaStream_t stream) {
  int passes = 0;
  for (int left = steps; left > 0; left -= StepsOfPass<S>(left)) ++passes;
  const float* from = d_in;
  for (int left = steps; left > 0; --passes) {
    float* const to = passes % 2 == 1 ? d_out : d_work;  // in turn, so that the last pass writes d_out
    const int now = StepsOfPass<S>(left);
    if constexpr (S::kMostSteps >= 4) {
      if (now == 4) LaunchPass<S, kPoints, 4>(from, to, rows, columns, weights, stream);
    }
    if constexpr (S::kMostSteps >= 2) {
      if (now == 2) LaunchPass<S, kPoints, 2>(from, to, rows, columns, weights, stream);
    }
    if (now == 1) LaunchPass<OneStep<S>, kPoints, 1>(from, to, rows, columns, weights, stream);
    left -= now;
    from = to;
  }
}
// ELSE STARTER
// END SOLUTION

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  if (steps == 0) cudaMemcpyAsync(d_out, d_in, rows * columns * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  if (points == 5) {
    Launch<Tuned, 5>(d_in, d_out, d_work, rows, columns, weights, steps, stream);
  } else {
    Launch<Tuned, 9>(d_in, d_out, d_work, rows, columns, weights, steps, stream);
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: what v3 produced.
  //| //   Constraint: the contract in lab6.h.
  //| //   Hint: how many bytes of device memory does an element cost in each step? And if one pass did two steps?
  //| //   Check: ./warpgrade check lab6 v4
  // END SOLUTION
}

LAB6_RUNG();
