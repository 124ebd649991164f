// lab3 v6: open. As near to cuBLAS as you can, in float.
//
// The weaknesses of v5: 18 of 100 instructions of its loop are not multiplications. Slices pass through registers,
// which the sums could use. Only one slice is under way at any time. The numbers for a step are loaded only when the
// step needs them.
// BEGIN SOLUTION
// Here:
//
//   1. A thread has 16 x 8 elements of C: 24 numbers from shared memory serve 128 multiplications.
//   2. A warp is a rectangle of threads, so that what its lanes need overlaps as much as possible.
//   3. Slices of B go from device memory to shared memory without passing through registers (cp.async). Several slices
//      are on their way at any time, and one barrier for each suffices.
//   4. The numbers for the next step of the inner loop are loaded while this one is computed, also across slices.
//   5. Blocks that run at the same time are near to each other in C: the L2 cache serves most of what they load.
//
//        C                   a block's tile       a warp's part          a thread's part
//   +--+--+--+--+          +-----+-----+          4 threads down and     16 x 8 elements in squares of 4 x 4,
//   |  |##|  |  |          |  w  |  w  | kWarpM   8 across, or the       between them the squares of other
//   +--+--+--+--+  kBlockM +-----+-----+          other way around       lanes: so lanes load neighbours
//   |  |  |  |  |          |  w  |  w  |
//   +--+--+--+--+          +-----+-----+
//                              kBlockN
// ELSE STARTER
//| // Only the contract is given here. Use any kernels, as many as you like, with any blocks. Do not use tensor cores:
//| // they round their inputs to 11 bits or fewer, and the grader sees this.
// END SOLUTION
#include "labs/lab3/lab3.h"
// BEGIN SOLUTION

// The tuning parameters; labs/lab3/tune.cu tries other values. A warp computes kWarpM x kWarpN elements of C, and each
// of its threads computes kThreadM x kThreadN. kStages slices are in shared memory or on their way there. Groups of
// kGroup tiles below each other are processed at the same time. Rows of A are always stored transposed in shared
// memory. With kTurnInRegisters, A's slices pass through registers with 4 neighbours in a load; otherwise they are
// copied one number at a time.
template <int kBlockM_, int kBlockN_, int kDepth_, int kWarpM_, int kWarpN_, int kThreadM_, int kThreadN_, int kStages_,
          bool kTurnInRegisters_, int kGroup_>
struct Shape {
  static constexpr int kBlockM = kBlockM_, kBlockN = kBlockN_, kDepth = kDepth_;
  static constexpr int kWarpM = kWarpM_, kWarpN = kWarpN_, kThreadM = kThreadM_, kThreadN = kThreadN_;
  static constexpr int kStages = kStages_, kGroup = kGroup_;
  static constexpr bool kTurnInRegisters = kTurnInRegisters_;

  static constexpr int kLanesM = kWarpM / kThreadM, kLanesN = kWarpN / kThreadN;
  static constexpr int kWarpsM = kBlockM / kWarpM, kWarpsN = kBlockN / kWarpN;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  // As many threads on a multiprocessor as its 65536 registers allow: 256 threads with 128 sums each, or 512 with 64.
  static constexpr int kBlocksPerSm = (kThreadM * kThreadN > 64 ? 256 : 512) / kThreads;
  // The pad keeps rows at multiples of 16 bytes, and puts neighbouring rows 4 banks apart. So a warp that copies 8
  // columns of 4 rows of A stores to 32 banks, and so does a warp that transposes 16 rows of 2 x 4 columns.
  static constexpr int kRowOfA = kBlockM + 4, kRowOfB = kBlockN;
  static constexpr int kStageFloats = kDepth * (kRowOfA + kRowOfB);
  static constexpr int kSharedBytes = kStages * kStageFloats * static_cast<int>(sizeof(float));

  static_assert(kLanesM * kLanesN == 32, "the lanes of a warp");
  static_assert(kLanesM % 2 == 0 && kThreadM % 4 == 0 && kThreadN % 4 == 0 && kDepth % 4 == 0, "squares of 4 x 4");
  static_assert(kStages >= 2, "one slice to read, one to write");
};

// On an H200 no shape of labs/lab3/tune.cu is faster: 0.96 of cuBLAS at 4096 and at 8192, without bank conflicts.
using Tuned = Shape<128, 256, 8, 64, 64, 16, 8, 3, false, 8>;

// Copies 4 or 16 bytes to shared memory. If `inside` is false, the source is outside of the matrix: then it reads
// nothing and writes zeros. From compute capability 8.0 on, the copy is still in flight when the function returns: see
// WaitForSlices.
template <int kBytes>
__device__ __forceinline__ void CopyAsync(float* to, const float* from, bool inside) {
#if __CUDA_ARCH__ >= 800
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = inside ? kBytes : 0;
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(bytes) : "memory");
  }
#else
  if constexpr (kBytes == 16) {
    *reinterpret_cast<float4*>(to) = inside ? *reinterpret_cast<const float4*>(from) : make_float4(0, 0, 0, 0);
  } else {
    *to = inside ? *from : 0;
  }
#endif
}

// Ends the group of copies that this thread has started since the last call: one group for each slice.
__device__ __forceinline__ void EndSlice() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until all but the newest `kMayBeOnTheirWay` groups of this thread have arrived.
template <int kMayBeOnTheirWay>
__device__ __forceinline__ void WaitForSlices() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kMayBeOnTheirWay) : "memory");
#endif
}

// Fits 32 bits: a row of A with more slices would not fit any memory.
template <class S>
__host__ __device__ unsigned NumberOfSlices(size_t k) {
  return static_cast<unsigned>((k + S::kDepth - 1) / S::kDepth);
}

// The part of each slice of A and B that one thread copies, and its source.
//
// kWhole: m, n and k are multiples of the tile, so that no element is outside and rows start at multiples of 16 bytes.
template <class S, bool kWhole>
struct Copier {
  static constexpr bool kTurn = S::kTurnInRegisters && kWhole;
  static constexpr int kWidthA = kTurn ? 4 : 1, kWidthB = kWhole ? 4 : 1;  // neighbours in a row, in one copy
  static constexpr int kAcrossA = S::kDepth / kWidthA, kAcrossB = S::kBlockN / kWidthB;
  // Rows from one copy to the next.
  static constexpr int kStepA = S::kThreads / kAcrossA, kStepB = S::kThreads / kAcrossB;
  static constexpr int kCopiesA = S::kBlockM / kStepA, kCopiesB = S::kDepth / kStepB;
  static constexpr int kCopies = kCopiesA + kCopiesB;
  static_assert(kStepA * kAcrossA == S::kThreads && kCopiesA * kStepA == S::kBlockM, "A's slice is copied evenly");
  static_assert(kStepB * kAcrossB == S::kThreads && kCopiesB * kStepB == S::kDepth, "B's slice is copied evenly");

  const float *from_a, *from_b;  // this thread's first copy of the next slice
  size_t m, k, n;
  size_t row_a, column_a, row_b, column_b;  // where this copy is in A and in B
  unsigned slices_left;                     // after the last slice, slices of zeros follow
  int to_a, to_b;                           // where this copy goes in a stage
  float4 held[kTurn ? kCopiesA : 1];

  __device__ Copier(const float* d_a, const float* d_b, size_t m_, size_t k_, size_t n_, size_t first_row,
                    size_t first_column)
      : m(m_), k(k_), n(n_) {
    const int thread = threadIdx.x;
    row_a = first_row + thread / kAcrossA;
    column_a = thread % kAcrossA * kWidthA;
    row_b = thread / kAcrossB;
    column_b = first_column + thread % kAcrossB * kWidthB;
    slices_left = NumberOfSlices<S>(k);
    from_a = d_a + row_a * k + column_a;
    from_b = d_b + row_b * n + column_b;
    to_a = thread % kAcrossA * kWidthA * S::kRowOfA + thread / kAcrossA;  // transposed
    to_b = S::kDepth * S::kRowOfA + thread / kAcrossB * S::kRowOfB + thread % kAcrossB * kWidthB;
  }

  // Starts copy number `copy` of kCopies for the next slice. Each is called with a constant.
  __device__ __forceinline__ void Start(int copy, float* stage) {
    if (copy < kCopiesA) {
      const int step = copy * kStepA;
      if constexpr (kTurn) {
        held[copy] = make_float4(0, 0, 0, 0);
        if (slices_left > 0) held[copy] = *reinterpret_cast<const float4*>(from_a + step * k);
      } else {
        const bool inside = kWhole ? slices_left > 0 : row_a + step < m && column_a < k;
        CopyAsync<4>(stage + to_a + step, from_a + step * k, inside);
      }
    } else {
      const int step = (copy - kCopiesA) * kStepB;
      const bool inside = kWhole ? slices_left > 0 : row_b + step < k && column_b < n;
      CopyAsync<4 * kWidthB>(stage + to_b + step * S::kRowOfB, from_b + step * n, inside);
    }
  }

  // Stores the numbers that pass through registers to the stage, once all copies of the slice have been started.
  __device__ __forceinline__ void PutHeld(float* stage) {
    if constexpr (kTurn) {
#pragma unroll
      for (int copy = 0; copy < kCopiesA; ++copy) {
        float* to = stage + to_a + copy * kStepA;
        to[0 * S::kRowOfA] = held[copy].x;
        to[1 * S::kRowOfA] = held[copy].y;
        to[2 * S::kRowOfA] = held[copy].z;
        to[3 * S::kRowOfA] = held[copy].w;
      }
    }
  }

  __device__ __forceinline__ void NextSlice() {
    from_a += S::kDepth;
    from_b += S::kDepth * n;
    column_a += S::kDepth;
    row_b += S::kDepth;
    if (slices_left > 0) --slices_left;
  }
};

// What a thread multiplies in one step: kThreadM numbers of a column of A, and kThreadN numbers of a row of B.
template <class S>
struct Operands {
  alignas(16) float a[S::kThreadM], b[S::kThreadN];

  // `stage_a` and `stage_b` point to the thread's first number of step 0.
  __device__ __forceinline__ void Load(const float* stage_a, const float* stage_b, int step) {
#pragma unroll
    for (int i = 0; i < S::kThreadM; i += 4) {
      const float* from = stage_a + step * S::kRowOfA + i * S::kLanesM;
      *reinterpret_cast<float4*>(a + i) = *reinterpret_cast<const float4*>(from);
    }
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += 4) {
      const float* from = stage_b + step * S::kRowOfB + j * S::kLanesN;
      *reinterpret_cast<float4*>(b + j) = *reinterpret_cast<const float4*>(from);
    }
  }
};

// Which tile of C a block computes: first kGroup tiles below each other, then the kGroup tiles to their right, and so
// on.
template <class S>
__device__ void FindTile(size_t m, size_t n, size_t* first_row, size_t* first_column) {
  const size_t tiles_down = (m + S::kBlockM - 1) / S::kBlockM;
  const size_t tiles_across = (n + S::kBlockN - 1) / S::kBlockN;
  const size_t in_group = blockIdx.x % (S::kGroup * tiles_across);
  const size_t group_row = blockIdx.x / (S::kGroup * tiles_across) * S::kGroup;
  // The last group may be short.
  const size_t rows = tiles_down - group_row < S::kGroup ? tiles_down - group_row : S::kGroup;
  *first_row = (group_row + in_group % rows) * S::kBlockM;
  *first_column = in_group / rows * S::kBlockN;
}

template <class S, bool kWhole>
__device__ __forceinline__ void StoreFour(float* d_c, size_t m, size_t n, size_t row, size_t column, const float* sum) {
  float* const to = d_c + row * n;
  if constexpr (kWhole) {
    reinterpret_cast<float4*>(to)[column / 4] = make_float4(sum[0], sum[1], sum[2], sum[3]);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (row < m && column + j < n) to[column + j] = sum[j];
    }
  }
}

// REQUIRES: with kWhole, m, n and k are multiples of S::kBlockM, S::kBlockN and S::kDepth.
// Long because the loads, products and stores of one slice overlap in one loop.
template <class S, bool kWhole>
__global__ void __launch_bounds__(S::kThreads, S::kBlocksPerSm)
    matmul_v6(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  extern __shared__ float4 stages_of_16_bytes[];
  float* const stages = reinterpret_cast<float*>(stages_of_16_bytes);

  size_t first_row, first_column;
  FindTile<S>(m, n, &first_row, &first_column);

  // Lanes 0 and 1 have different rows of squares, and lanes 0 and 2 have different columns. Shared memory serves 8
  // neighbouring lanes together when each wants 16 bytes. With this order these 8 lanes need few different addresses.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_m = lane / (2 * S::kLanesN) * 2 + lane % 2;
  const int lane_n = lane % (2 * S::kLanesN) / 2;
  const int row = warp / S::kWarpsN * S::kWarpM + lane_m * 4;
  const int column = warp % S::kWarpsN * S::kWarpN + lane_n * 4;

  // Stage i % kStages holds slice i. While the block computes with one slice, the next kStages - 2 slices are loaded or
  // in flight. The copies of one more slice are started into the stage of the previous slice, which is free.
  Copier<S, kWhole> copier(d_a, d_b, m, k, n, first_row, first_column);
#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
#pragma unroll
    for (int copy = 0; copy < copier.kCopies; ++copy) copier.Start(copy, stages + stage * S::kStageFloats);
    copier.PutHeld(stages + stage * S::kStageFloats);
    copier.NextSlice();
    EndSlice();
  }
  WaitForSlices<S::kStages - 2>();
  __syncthreads();  // every thread's part of slice 0 has arrived

  float* read = stages;
  float* const last_stage = stages + (S::kStages - 1) * S::kStageFloats;
  float* write = last_stage;
  Operands<S> operands[2];
  operands[0].Load(read + row, read + S::kDepth * S::kRowOfA + column, 0);
  float sum[S::kThreadM][S::kThreadN] = {};

#pragma unroll 1
  for (unsigned slice = NumberOfSlices<S>(k); slice > 0; --slice) {
#pragma unroll
    for (int step = 0; step < S::kDepth; ++step) {
      if (step == S::kDepth - 1) {
        copier.PutHeld(write);
        copier.NextSlice();
        WaitForSlices<S::kStages - 2>();
        // Every thread's part of the next slice has arrived. Every thread has loaded the last numbers of this slice, so
        // its stage may be overwritten.
        __syncthreads();
        write = read;
        read = read == last_stage ? stages : read + S::kStageFloats;
      }
      operands[(step + 1) % 2].Load(read + row, read + S::kDepth * S::kRowOfA + column, (step + 1) % S::kDepth);
      if (step == 0) {
#pragma unroll
        for (int copy = 0; copy < copier.kCopies; ++copy) copier.Start(copy, write);
        EndSlice();
      }
      const Operands<S>& now = operands[step % 2];
#pragma unroll
      for (int j = 0; j < S::kThreadN; ++j) {
#pragma unroll
        for (int i = 0; i < S::kThreadM; ++i) sum[i][j] += now.a[i] * now.b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < S::kThreadM; ++i) {
    const size_t c_row = first_row + row + i / 4 * 4 * S::kLanesM + i % 4;
#pragma unroll
    for (int j = 0; j < S::kThreadN; j += 4) {
      StoreFour<S, kWhole>(d_c, m, n, c_row, first_column + column + j * S::kLanesN, &sum[i][j]);
    }
  }
}

// Launches matmul_v6 with shape S for any size.
template <class S>
void Launch(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  const bool whole = m % S::kBlockM == 0 && n % S::kBlockN == 0 && k % S::kDepth == 0;
  const auto kernel = whole ? matmul_v6<S, true> : matmul_v6<S, false>;
  if (S::kSharedBytes > 48 * 1024) {  // more than a kernel gets without asking
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes);
  }
  const size_t tiles = (m + S::kBlockM - 1) / S::kBlockM * ((n + S::kBlockN - 1) / S::kBlockN);
  kernel<<<static_cast<unsigned>(tiles), S::kThreads, S::kSharedBytes, stream>>>(d_a, d_b, d_c, m, k, n);
}
// ELSE STARTER
//|
//| __global__ void matmul_v6(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
//|   // TODO(v6) Produce: your fastest product of large float matrices. It must be right for every size.
//|   //   Constraint: the contract in lab3.h. The grader times 4096 x 4096 times 4096 x 4096.
//|   //   Hint: list what v5 executes besides multiplications, and what each of them waits for.
//|   //   Check: ./warpgrade check lab3 v6, and on a GPU `make lab3_bench`
//| }
// END SOLUTION

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  Launch<Tuned>(d_a, d_b, d_c, m, k, n, stream);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v6) Produce: the launch of your kernel. If you have several kernels, launch the one that fits the size.
  //| //   Constraint: on `stream`, without allocating or waiting. Do not launch for an empty C.
  //| //   Hint: write down what the fast kernel assumes about sizes and addresses, and check exactly that.
  //| //   Check: ./warpgrade check lab3 v6
  //| matmul_v6<<<1, 1, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
