// The sum of n ints in nine steps, as HIP source: each step mends what the one before it wastes. One file for AMD's
// hipcc and, with hip/hip_runtime.h of this folder, for nvcc and warpgrade's emulator. A wavefront has 64 lanes, so a
// block of 1024 threads has 16 of them, and a sum over a wavefront takes 6 shuffles.
//
//   reduction [n [threads of a block [step]]]     without a step: all of them. Exit status 1: some sum is wrong
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// The tree in shared memory ends at this many elements: from here on one wavefront adds alone.
constexpr unsigned kWave = 64;

// Step 1. Thread t adds its neighbour at distance `step` if t is a multiple of 2 * step. The threads that work are
// spread over all wavefronts, so every wavefront issues every addition, with fewer and fewer lanes.
__global__ void modulo(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Step 2. The first threads do the same additions, so whole wavefronts are done early. But their lanes are 2 * step
// words apart, and share a few banks of shared memory.
__global__ void strided(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const unsigned at = 2 * step * t;
    if (at < blockDim.x) s[at] += s[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Step 3. Each half is added to the other: neighbouring lanes access neighbouring words. But half of the threads only
// load one element and then never work.
__global__ void sequential(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The sum of elements i and i + threads, of those that exist.
__device__ int twoOf(const int* in, unsigned i, unsigned threads, unsigned n) {
  return (i < n ? in[i] : 0) + (i + threads < n ? in[i + threads] : 0);
}

// Step 4. Each thread adds two elements when it loads them. But the last six additions are made by one wavefront, which
// waits at barriers for wavefronts that have nothing to do.
__global__ void addOnLoad(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = twoOf(in, blockIdx.x * blockDim.x * 2 + t, blockDim.x, n);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The first wavefront adds s[0] to s[127], or to s[63] if the block has only 64 threads. Its lanes run in lock step, so
// it needs no barrier; `volatile` makes the compiler access memory each time. After the first addition only 32 lanes
// are needed, and the others must not read past the end of s.
template <bool kHas128>
__device__ void lastWave(volatile int* s, unsigned t) {
  if (kHas128) s[t] += s[t + 64];
  if (t >= 32) return;
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

// Step 5. The last wavefront adds alone. But the loop above it still counts at run time.
__global__ void lastWaveUnrolled(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = twoOf(in, blockIdx.x * blockDim.x * 2 + t, blockDim.x, n);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > kWave; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < kWave) {
    if (blockDim.x > kWave) {
      lastWave<true>(s, t);
    } else {
      lastWave<false>(s, t);
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The tree of a block whose size the compiler knows, so that no loop is left.
template <unsigned kThreads>
__device__ void tree(int* s, unsigned t) {
  if constexpr (kThreads >= 1024) {
    if (t < 512) s[t] += s[t + 512];
    __syncthreads();
  }
  if constexpr (kThreads >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if constexpr (kThreads >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (t < kWave) lastWave<(kThreads >= 128)>(s, t);
}

// Step 6. The size of the block is a template argument. But each block still makes a tree for only two elements of each
// thread.
template <unsigned kThreads>
__global__ void unrolled(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = twoOf(in, blockIdx.x * kThreads * 2 + t, kThreads, n);
  __syncthreads();
  tree<kThreads>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

// Step 7. A grid of fixed size walks over the input, so there are as few trees as blocks.
template <unsigned kThreads>
__global__ void gridStride(const int* in, int* out, unsigned n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * kThreads * 2 + t; i < n; i += gridDim.x * kThreads * 2) {
    sum += twoOf(in, i, kThreads, n);
  }
  s[t] = sum;
  __syncthreads();
  tree<kThreads>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

// The sum over the wavefront, in its lane 0: 6 shuffles for 64 lanes.
__device__ int sumOfWave(int sum) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2) sum += __shfl_down(sum, distance);
  return sum;
}

// The sum over the block, in thread 0. Each wavefront leaves its sum in shared memory, and the first one adds these.
__device__ int sumOfBlock(int sum) {
  __shared__ int sums[1024 / 32];
  const unsigned t = threadIdx.x, lane = t % warpSize, wave = t / warpSize, waves = blockDim.x / warpSize;
  sum = sumOfWave(sum);
  if (lane == 0) sums[wave] = sum;
  __syncthreads();
  return wave == 0 ? sumOfWave(lane < waves ? sums[lane] : 0) : 0;
}

// Step 8. Lanes pass their sums on in registers, so shared memory holds one word of each wavefront. But the sums of the
// blocks need another launch.
__global__ void shuffles(const int* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Step 9. Each block adds its sum to the result, which must be 0 before the launch.
__global__ void onePass(const int* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

static void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}

using Kernel = void (*)(const int*, int*, unsigned);

// The instance for the size of the block.
template <template <unsigned> class Of>
static Kernel forThreads(unsigned threads) {
  switch (threads) {
    case 64:
      return Of<64>::kernel;
    case 128:
      return Of<128>::kernel;
    case 256:
      return Of<256>::kernel;
    case 512:
      return Of<512>::kernel;
    default:
      return Of<1024>::kernel;
  }
}
template <unsigned kThreads>
struct Unrolled {
  static constexpr Kernel kernel = unrolled<kThreads>;
};
template <unsigned kThreads>
struct GridStride {
  static constexpr Kernel kernel = gridStride<kThreads>;
};

struct Step {
  const char* name;
  Kernel kernel;
  unsigned elements;  // of a thread; 0: the grid has at most kMostBlocks, and each thread takes what there is
  bool shared;        // one int of shared memory for each thread
};
constexpr unsigned kMostBlocks = 8;

// Launches the kernel until one sum is left. `a` holds the input; `b` has room for a sum of each block.
static int run(const Step& step, int* a, int* b, unsigned n, unsigned threads, bool one_pass) {
  do {
    const unsigned each = threads * (step.elements == 0 ? 1 : step.elements);
    unsigned blocks = (n + each - 1) / each;
    if (step.elements == 0 && blocks > kMostBlocks) blocks = kMostBlocks;
    if (one_pass) check(hipMemset(b, 0, sizeof(int)), "hipMemset");
    const size_t shared_bytes = step.shared ? threads * sizeof(int) : 0;
    hipLaunchKernelGGL(step.kernel, dim3(blocks), dim3(threads), shared_bytes, 0, a, b, n);
    check(hipGetLastError(), step.name);
    n = one_pass ? 1 : blocks;
    int* const sums = b;
    b = a;
    a = sums;
  } while (n > 1);
  int sum = 0;
  check(hipMemcpy(&sum, a, sizeof(int), hipMemcpyDeviceToHost), "hipMemcpy");
  return sum;
}

int main(int argc, char** argv) {
  const unsigned n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
  const unsigned threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 256;
  const unsigned only = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 0;
  if (n == 0 || threads < 64 || threads > 1024 || (threads & (threads - 1)) != 0 || only > 9) {
    std::fprintf(stderr, "usage: reduction [n [threads [step]]]; threads: 64, 128, 256, 512 or 1024; step: 1 to 9\n");
    return 2;
  }
  hipDeviceProp_t properties;
  check(hipGetDeviceProperties(&properties, 0), "hipGetDeviceProperties");
  std::printf("%u ints, blocks of %u threads, %u wavefronts of %d\n", n, threads, threads / properties.warpSize,
              properties.warpSize);

  const Step steps[] = {{"1 modulo", modulo, 1, true},
                        {"2 strided", strided, 1, true},
                        {"3 sequential", sequential, 1, true},
                        {"4 add on load", addOnLoad, 2, true},
                        {"5 last wavefront", lastWaveUnrolled, 2, true},
                        {"6 unrolled", forThreads<Unrolled>(threads), 2, true},
                        {"7 grid stride", forThreads<GridStride>(threads), 0, true},
                        {"8 shuffles", shuffles, 0, false},
                        {"9 one pass", onePass, 0, false}};
  std::vector<int> input(n);
  int expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += input[i] = static_cast<int>(i * 7 % 11) - 4;
  int *a = nullptr, *b = nullptr;
  check(hipMalloc(&a, n * sizeof(int)), "hipMalloc");
  check(hipMalloc(&b, n * sizeof(int)), "hipMalloc");
  bool right = true;
  for (unsigned k = 1; k <= 9; ++k) {
    if (only != 0 && k != only) continue;
    check(hipMemcpy(a, input.data(), n * sizeof(int), hipMemcpyHostToDevice), "hipMemcpy");
    const int sum = run(steps[k - 1], a, b, n, threads, k == 9);
    std::printf("%-16s %d %s\n", steps[k - 1].name, sum, sum == expected ? "right" : "WRONG");
    right = right && sum == expected;
  }
  check(hipFree(a), "hipFree");
  check(hipFree(b), "hipFree");
  return right ? 0 : 1;
}
