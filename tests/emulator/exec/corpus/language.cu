// What the language offers beyond arithmetic on arrays: groups, recursion, pointers to functions, switch, 64-bit
// division, doubles, half, structs by value, printf, assert.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cassert>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

extern "C" __global__ void tiles(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int v = in[block.thread_rank()];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  if (tile.any(v > 100)) v += 1000;
  unsigned ballot = tile.ballot(in[block.thread_rank()] & 1);
  out[block.thread_rank()] = v + __popc(ballot) * 10000;
  cg::coalesced_group active = cg::coalesced_threads();
  if (active.thread_rank() == 0) atomicAdd(&out[block.size()], active.size());
}

extern "C" __global__ void grid_sum(const int* in, int* partial, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  int v = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) v += in[i];
  atomicAdd(&partial[blockIdx.x], v);
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
  }
  grid.sync();
}

__device__ __noinline__ unsigned Ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? Ackermann(m - 1, 1) : Ackermann(m - 1, Ackermann(m, n - 1));
}
extern "C" __global__ void recursion(unsigned* out) { out[threadIdx.x] = Ackermann(threadIdx.x % 3, threadIdx.x / 3); }

using Function = int (*)(int);
__device__ __noinline__ int Twice(int v) { return 2 * v; }
__device__ __noinline__ int Square(int v) { return v * v; }
__device__ Function functions[2] = {Twice, Square};
extern "C" __global__ void pointers(int* out) { out[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x); }

extern "C" __global__ void cases(int* out) {
  int r;
  switch (threadIdx.x % 9) {
    case 0:
      r = __brev(threadIdx.x);
      break;
    case 1:
      r = __clz(threadIdx.x);
      break;
    case 2:
      r = __ffs(threadIdx.x);
      break;
    case 3:
      r = __byte_perm(threadIdx.x, 0x12345678, 0x4602);
      break;
    case 4:
      r = __funnelshift_l(threadIdx.x, 0x80000001, 3);
      break;
    case 5:
      r = __mulhi((int)threadIdx.x << 20, 0x12345678);
      break;
    case 6:
      r = __vadd4(threadIdx.x, 0x01010101);
      break;
    case 7:
      r = __dp4a((int)threadIdx.x, 0x01020304, 7);
      break;
    default:
      r = -1;
  }
  out[threadIdx.x] = r;
}

extern "C" __global__ void division(const int64_t* a, const int64_t* b, int64_t* out) {
  int i = threadIdx.x;
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = a[i] % b[i];
  out[4 * i + 2] = (int64_t)((uint64_t)a[i] / (uint64_t)b[i]);
  out[4 * i + 3] = (int64_t)__umul64hi(a[i], b[i]);
}

extern "C" __global__ void doubles(const double* in, double* out) {
  double v = in[threadIdx.x];
  double* o = out + 8 * threadIdx.x;
  o[0] = sqrt(v);
  o[1] = exp(-v);
  o[2] = log(v + 1);
  o[3] = sin(v) * cos(v);
  o[4] = 1 / (v + 3);
  o[5] = pow(v + 1, 1.5);
  o[6] = fmod(v * 7, 3.0) + floor(v);
  o[7] = rsqrt(v + 1) + __double2float_rz(v) + __dadd_ru(v, 1e-20);
}

extern "C" __global__ void floats(const float* in, float* out) {
  float v = in[threadIdx.x];
  float* o = out + 8 * threadIdx.x;
  o[0] = sqrtf(v);
  o[1] = expf(-v);
  o[2] = logf(v + 1);
  o[3] = sinf(v) * cosf(v);
  o[4] = 1 / (v + 3);
  o[5] = powf(v + 1, 1.5f);
  o[6] = fmodf(v * 7, 3.0f) + roundf(v);
  o[7] = tanhf(v) + __fdividef(v, 2.0f) + __saturatef(v) + __fadd_rz(v, 1e-9f);
}

extern "C" __global__ void halves(const __half* in, __half* out, float* wide, __nv_bfloat16* brain) {
  __half v = in[threadIdx.x];
  __half2 pair = __halves2half2(v, __hneg(v));
  pair = __hfma2(pair, pair, __float2half2_rn(0.5f));
  out[threadIdx.x] = __hadd(__low2half(pair), __high2half(pair));
  if (__hgt(v, __float2half(2.0f))) out[threadIdx.x] = __hmul(v, v);
  wide[threadIdx.x] = __half2float(__hmax(v, __int2half_rn(1)));
  brain[threadIdx.x] = __hmul(__float2bfloat16(__half2float(v)), __float2bfloat16(1.5f));
}

struct Parameters {
  int offset[4];
  double scale;
  const int* in;
};
extern "C" __global__ void by_value(Parameters p, double* out) {
  out[threadIdx.x] = p.in[threadIdx.x] * p.scale + p.offset[threadIdx.x & 3];
}

extern "C" __global__ void prints(int n) {
  assert(n > 0);
  if (threadIdx.x < n) printf("thread %d of %s: %.2f %lld\n", threadIdx.x, "block", threadIdx.x * 0.5, 1ll << 40);
}

__device__ int lock_word;
extern "C" __global__ void locked(int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      __threadfence();
      *(volatile int*)counter += 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
}

extern "C" __global__ void votes(const int* in, unsigned* out) {
  int v = in[threadIdx.x];
  unsigned same = __match_any_sync(0xFFFFFFFF, v);
  out[threadIdx.x] = same ^ __ballot_sync(0xFFFFFFFF, v > 3) ^ (__all_sync(0xFFFFFFFF, v < 100) ? 1 : 0);
  out[threadIdx.x] += __syncthreads_count(v & 1) * 3 + __activemask() % 7 + __syncthreads_or(v) + threadIdx.x % 32;
#if __CUDA_ARCH__ >= 800
  out[threadIdx.x] += __reduce_add_sync(0xFFFFFFFF, (unsigned)v) - __reduce_max_sync(0xFFFFFFFF, v);
#endif
}
