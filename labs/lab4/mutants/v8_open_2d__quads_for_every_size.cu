// A wrong answer to lab4 v8, for tests/course: rows are taken to begin at multiples of 16 bytes.
#include "labs/lab4/lab4.h"

// What can be tuned; labs/lab4/tune.cu tries others. A block has kDown x kAcross threads, each of them kRows x (4 *
// kQuads) elements of d_out. kBlocksPerSm blocks are to fit a multiprocessor, which bounds the registers of a thread.
template <int kAcross_, int kDown_, int kQuads_, int kRows_, int kBlocksPerSm_>
struct Image {
  static constexpr int kAcross = kAcross_, kDown = kDown_, kQuads = kQuads_, kRows = kRows_;
  static constexpr int kBlocksPerSm = kBlocksPerSm_;
  static constexpr int kResults = 4 * kQuads;  // of a thread, in each of its rows
  static constexpr int kThreads = kAcross * kDown;
  static constexpr int kBlockColumns = kAcross * kResults, kBlockRows = kDown * kRows;
  static_assert(kThreads % 32 == 0 && kAcross % 8 == 0, "whole warps; 8 lanes that are served together are in one row");
  static_assert(kQuads % 2 == 1, "against bank conflicts");
};

// Up to kSmallMask elements memory bounds the time, and many small blocks keep it busy; above it is arithmetic, and
// each thread is to use what it loads as often as it can.
constexpr int kSmallMask = 25;
using TunedSmall = Image<16, 16, 3, 2, 4>;
using TunedLarge = Image<16, 16, 3, 4, 2>;

constexpr int kChunk = 16;      // elements of a row of the mask in one unrolled step
constexpr int kMaskPitch = 32;  // floats from one row of the mask to the next, in shared memory
constexpr int kMaskFloats = lab4::kMaxSide * kMaskPitch;

// How many elements a row of the tile begins before the first one that is needed, so that it begins at a multiple of 4:
// as if the radius were rounded up. It depends on the rest of the mask alone, since a chunk adds a radius of 8.
template <int kRest>
constexpr int kShift = (4 - kRest / 2 % 4) % 4;

// The tile of a block, halo included, in quads of 4 floats.
template <class S, int kRest>
__host__ __device__ constexpr int TileQuads(int mask_columns) {
  return (kShift<kRest> + S::kBlockColumns + mask_columns - 1 + 3) / 4;
}

// Copies 4 or 16 bytes to shared memory, or fills with zeros what lies outside of the image (`inside` is false; nothing
// is read then). From compute capability 8.0 on the copy is on its way when the function returns: see WaitForCopies.
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

// Until all copies of this thread have arrived. Those of others: a barrier must follow.
__device__ __forceinline__ void WaitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Copies `rows` rows of `quads` quads each to the tile, a warp to a row. The tile's first element is in[y][x]; what
// lies before the image wraps around, to more than any number of rows or columns.
template <class S>
__device__ __forceinline__ void LoadTile(const float* d_in, size_t image_rows, size_t image_columns, size_t y, size_t x,
                                         int rows, int quads, float* tile) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool by_quads = true;  // then a quad is either inside or outside
  for (int row = warp; row < rows; row += S::kThreads / 32) {
    const bool row_inside = y + row < image_rows;
    const float* const from = d_in + (row_inside ? (y + row) * image_columns : 0);
    float* const to = tile + row * quads * 4;
    if (by_quads) {
      for (int quad = lane; quad < quads; quad += 32) {
        const size_t column = x + 4 * quad;
        const bool inside = row_inside && column < image_columns;
        CopyAsync<16>(to + 4 * quad, from + (inside ? column : 0), inside);
      }
    } else {
      for (int i = lane; i < quads * 4; i += 32) {
        const size_t column = x + i;
        const bool inside = row_inside && column < image_columns;
        CopyAsync<4>(to + i, from + (inside ? column : 0), inside);
      }
    }
  }
}

// Adds the products with kTaps neighbours in a row of the mask to a thread's sums. `mask` is turned around already, so
// that both indices go up together; `from` is the quad that the first of them is in, in the thread's first row.
template <class S, int kTaps, int kFirst>
__device__ __forceinline__ void AddProducts(const float4* from, int quads, const float4* mask,
                                            float (&sum)[S::kRows][S::kResults]) {
  constexpr int kNumbers = (kFirst + S::kResults + kTaps - 1 + 3) / 4 * 4, kFactors = (kTaps + 3) / 4 * 4;
  float factor[kFactors];  // only ever indexed by unrolled loops, so that it stays in registers
#pragma unroll
  for (int i = 0; i < kFactors; i += 4) *reinterpret_cast<float4*>(factor + i) = mask[i / 4];
#pragma unroll
  for (int row = 0; row < S::kRows; ++row) {
    float number[kNumbers];
#pragma unroll
    for (int i = 0; i < kNumbers; i += 4) *reinterpret_cast<float4*>(number + i) = from[row * quads + i / 4];
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) {
#pragma unroll
      for (int k = 0; k < S::kResults; ++k) sum[row][k] += factor[tap] * number[kFirst + k + tap];
    }
  }
}

// Writes the block's results, which are in shared memory, to d_out, a warp to a row.
template <class S>
__device__ __forceinline__ void StoreTile(float* d_out, size_t image_rows, size_t image_columns, size_t y, size_t x,
                                          const float* results) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool by_quads = true;
  for (int row = warp; row < S::kBlockRows; row += S::kThreads / 32) {
    if (y + row >= image_rows) break;
    float* const to = d_out + (y + row) * image_columns;
    const float* const from = results + row * S::kBlockColumns;
    if (by_quads) {
      for (int i = lane * 4; i < S::kBlockColumns; i += 32 * 4) {
        if (x + i < image_columns) {
          *reinterpret_cast<float4*>(to + x + i) = *reinterpret_cast<const float4*>(from + i);
        }
      }
    } else {
      for (int i = lane; i < S::kBlockColumns; i += 32) {
        if (x + i < image_columns) to[x + i] = from[i];
      }
    }
  }
}

// REQUIRES: the mask has chunks * kChunk + kRest columns.
template <class S, int kRest>
__global__ void __launch_bounds__(S::kThreads, S::kBlocksPerSm)
    convolve_v8(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                int chunks) {
  extern __shared__ float4 shared_of_16_bytes[];
  float* const mask = reinterpret_cast<float*>(shared_of_16_bytes);  // turned around, zeros up to a whole quad
  float* const tile = mask + kMaskFloats;
  const int mask_columns = chunks * kChunk + kRest;
  const int quads = TileQuads<S, kRest>(mask_columns);

  const size_t blocks_across = (columns + S::kBlockColumns - 1) / S::kBlockColumns;
  const size_t first_row = blockIdx.x / blocks_across * S::kBlockRows;
  const size_t first_column = blockIdx.x % blocks_across * S::kBlockColumns;
  LoadTile<S>(d_in, rows, columns, first_row - mask_rows / 2, first_column - (mask_columns / 2 + kShift<kRest>),
              S::kBlockRows + mask_rows - 1, quads, tile);
  for (int i = threadIdx.x; i < mask_rows * kMaskPitch; i += S::kThreads) {
    const int row = mask_rows - 1 - i / kMaskPitch, column = mask_columns - 1 - i % kMaskPitch;
    mask[i] = column >= 0 ? d_mask[row * mask_columns + column] : 0;
  }
  WaitForCopies();
  __syncthreads();  // mask and tile are complete before anyone reads them

  const int down = threadIdx.x / S::kAcross * S::kRows, across = threadIdx.x % S::kAcross;
  float sum[S::kRows][S::kResults] = {};
  const float4* numbers = reinterpret_cast<const float4*>(tile) + down * quads + across * S::kQuads;
  const float4* factors = reinterpret_cast<const float4*>(mask);
#pragma unroll 1
  for (int i = 0; i < mask_rows; ++i) {
#pragma unroll 1
    for (int chunk = 0; chunk < chunks; ++chunk) {
      AddProducts<S, kChunk, kShift<kRest>>(numbers + chunk * kChunk / 4, quads, factors + chunk * kChunk / 4, sum);
    }
    AddProducts<S, kRest, kShift<kRest>>(numbers + chunks * kChunk / 4, quads, factors + chunks * kChunk / 4, sum);
    numbers += quads;
    factors += kMaskPitch / 4;
  }

  __syncthreads();  // everyone has read the tile before anyone overwrites it with results
  float4* const results = reinterpret_cast<float4*>(tile);
#pragma unroll
  for (int row = 0; row < S::kRows; ++row) {
#pragma unroll
    for (int k = 0; k < S::kQuads; ++k) {
      const float* const four = &sum[row][4 * k];
      results[(down + row) * (S::kBlockColumns / 4) + across * S::kQuads + k] =
          make_float4(four[0], four[1], four[2], four[3]);
    }
  }
  __syncthreads();  // the results are complete before anyone reads them
  StoreTile<S>(d_out, rows, columns, first_row, first_column, tile);
}

template <class S, int kRest>
void LaunchRest(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                int mask_columns, cudaStream_t stream) {
  const int floats = kMaskFloats + (S::kBlockRows + mask_rows - 1) * TileQuads<S, kRest>(mask_columns) * 4;
  const auto bytes = static_cast<int>(floats * sizeof(float));
  const auto kernel = convolve_v8<S, kRest>;
  if (bytes > 48 * 1024) {  // more than a kernel gets unasked
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }
  const size_t blocks_down = (rows + S::kBlockRows - 1) / S::kBlockRows;
  const size_t blocks_across = (columns + S::kBlockColumns - 1) / S::kBlockColumns;
  kernel<<<static_cast<unsigned>(blocks_down * blocks_across), S::kThreads, bytes, stream>>>(
      d_in, d_mask, d_out, rows, columns, mask_rows, mask_columns / kChunk);
}

// Launches convolve_v8 with shape S for any odd mask.
template <class S>
void LaunchImage(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  using Launcher = void (*)(const float*, const float*, float*, size_t, size_t, int, int, cudaStream_t);
  constexpr Launcher kLaunchers[] = {LaunchRest<S, 1>, LaunchRest<S, 3>,  LaunchRest<S, 5>,  LaunchRest<S, 7>,
                                     LaunchRest<S, 9>, LaunchRest<S, 11>, LaunchRest<S, 13>, LaunchRest<S, 15>};
  kLaunchers[mask_columns % kChunk / 2](d_in, d_mask, d_out, rows, columns, mask_rows, mask_columns, stream);
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const auto launch = mask_rows * mask_columns <= kSmallMask ? LaunchImage<TunedSmall> : LaunchImage<TunedLarge>;
  launch(d_in, d_mask, d_out, rows, columns, mask_rows, mask_columns, stream);
}

LAB4_IMAGE_RUNG();
