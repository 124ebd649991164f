// The kernels of the studies. Each does one thing, so that what the emulator counts belongs to it.

// Reads one element for each thread, wherever `which` says. The two loads stand on lines of their own, because the
// emulator tells requests apart by their lines.
template <typename T>
__device__ void GatherFrom(const T* from, const int* which, T* out) {
  const int element = which[threadIdx.x];
  out[threadIdx.x] = from[element];
}

extern "C" __global__ void gather(const float* from, const int* which, float* out) { GatherFrom(from, which, out); }

// The same from shared memory. `volatile`: the compiler must leave every access as it stands.
template <typename T>
__device__ void GatherShared(const int* which, T* out) {
  constexpr int kWords = 48 * 1024 / sizeof(T);
  __shared__ T tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = T();
  __syncthreads();
  const volatile T* const from = tile;
  out[threadIdx.x] = from[which[threadIdx.x]];
}

extern "C" __global__ void gather_shared_4(const int* which, float* out) { GatherShared(which, out); }
extern "C" __global__ void gather_shared_8(const int* which, double* out) { GatherShared(which, out); }

// One step of a block's sum as a tree, in the three orders of lab1's v1, v2 and v3. It adds two elements of `tile` in
// each thread that is at work. The values do not matter.
enum Order { kModulo, kStrided, kSequential };

template <Order kOrder>
__device__ void Step(volatile float* tile, int step) {
  const unsigned thread = threadIdx.x, distance = 1u << step;
  if (kOrder == kModulo) {
    if (thread % (2 * distance) == 0) tile[thread] += tile[thread + distance];
  } else if (kOrder == kStrided) {
    const unsigned left = 2 * distance * thread;
    if (left < blockDim.x) tile[left] += tile[left + distance];
  } else {
    const unsigned half = blockDim.x >> (step + 1);
    if (thread < half) tile[thread] += tile[thread + half];
  }
}

template <Order kOrder>
__device__ void TreeStep(int step) {
  __shared__ float tile[1024];
  volatile float* const all = tile;
  all[threadIdx.x] = 1;
  __syncthreads();
  Step<kOrder>(all, step);
}

extern "C" __global__ void tree_modulo(int step) { TreeStep<kModulo>(step); }
extern "C" __global__ void tree_strided(int step) { TreeStep<kStrided>(step); }
extern "C" __global__ void tree_sequential(int step) { TreeStep<kSequential>(step); }

// One call of a function of mathematics for each thread, precise or fast. `math_copy` has everything but the call.
#define MATH_KERNEL(name, expression)                                   \
  extern "C" __global__ void math_##name(const float* in, float* out) { \
    const float x = in[threadIdx.x];                                    \
    out[threadIdx.x] = expression;                                      \
  }
MATH_KERNEL(copy, x)
MATH_KERNEL(sin, sinf(x))
MATH_KERNEL(fast_sin, __sinf(x))
MATH_KERNEL(exp, expf(x))
MATH_KERNEL(fast_exp, __expf(x))
MATH_KERNEL(log, logf(x))
MATH_KERNEL(fast_log, __logf(x))
MATH_KERNEL(pow, powf(x, 2.5f))
MATH_KERNEL(fast_pow, __powf(x, 2.5f))
MATH_KERNEL(divide, 2.5f / x)
MATH_KERNEL(fast_divide, __fdividef(2.5f, x))

// One atomic function for each thread, on one address. `old` gets what the function returns.
#define ATOMIC_KERNEL(name, call)                                                                       \
  extern "C" __global__ void atomic_##name(const unsigned* operand, unsigned* address, unsigned* old) { \
    const unsigned value = operand[threadIdx.x];                                                        \
    old[threadIdx.x] = call;                                                                            \
  }
ATOMIC_KERNEL(add, atomicAdd(address, value))
ATOMIC_KERNEL(sub, atomicSub(address, value))
ATOMIC_KERNEL(exch, atomicExch(address, value))
ATOMIC_KERNEL(min, atomicMin(address, value))
ATOMIC_KERNEL(max, atomicMax(address, value))
ATOMIC_KERNEL(inc, atomicInc(address, value))
ATOMIC_KERNEL(dec, atomicDec(address, value))
ATOMIC_KERNEL(cas, atomicCAS(address, 12, value))
ATOMIC_KERNEL(and, atomicAnd(address, value))
ATOMIC_KERNEL(or, atomicOr(address, value))
ATOMIC_KERNEL(xor, atomicXor(address, value))
