// Atomics of every type and scope, cuda::atomic_ref in every order, fences, and the ways to load and store.
#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/atomic>

#define SCOPES(name, p, ...) \
  o[k++] = name(p, __VA_ARGS__), o[k++] = name##_block(p, __VA_ARGS__), o[k++] = name##_system(p, __VA_ARGS__)
template <typename T>
__device__ int Integers(T* p, T v, long long* o) {
  int k = 0;
  SCOPES(atomicAdd, p, v), SCOPES(atomicMin, p, v), SCOPES(atomicMax, p, v), SCOPES(atomicAnd, p, v);
  SCOPES(atomicOr, p, v), SCOPES(atomicXor, p, v), SCOPES(atomicExch, p, v), SCOPES(atomicCAS, p, v, v);
  return k;
}
extern "C" __global__ void integers(int* i, unsigned* u, unsigned long long* w, unsigned short* s, long long* l,
                                    long long* o) {
  o += Integers(i, 5, o), o += Integers(u, 6u, o), o += Integers(w, 7ull, o);
  int k = 0;
  SCOPES(atomicSub, i, 3), SCOPES(atomicSub, u, 3u), SCOPES(atomicInc, u, 100u), SCOPES(atomicDec, u, 100u);
  o[k++] = atomicCAS(s, static_cast<unsigned short>(1), static_cast<unsigned short>(2));
  SCOPES(atomicMin, l, -5ll), SCOPES(atomicMax, l, 5ll), SCOPES(atomicExch, w, 9ull);
}
extern "C" __global__ void floats(float* f, double* d, double* o) {
  int k = 0;
  SCOPES(atomicAdd, f, 1.5f), SCOPES(atomicAdd, d, 2.5), SCOPES(atomicExch, f, 3.5f);
#if __CUDA_ARCH__ >= 900
  float2 two = atomicAdd(reinterpret_cast<float2*>(f), make_float2(1, 2));
  float4 four = atomicAdd(reinterpret_cast<float4*>(f), make_float4(1, 2, 3, 4));
  o[k++] = two.x + two.y + four.z + four.w;
#endif
}
extern "C" __global__ void shared(const int* in, int* out) {
  __shared__ int counts[8];
  __shared__ float sum;
  __shared__ unsigned long long wide;
  if (threadIdx.x < 8) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) sum = 0, wide = 0;
  __syncthreads();
  atomicAdd(&counts[in[threadIdx.x] & 7], 1);
  atomicAdd_block(&sum, 0.5f);
  atomicMax(&wide, static_cast<unsigned long long>(in[threadIdx.x]));
  atomicCAS(&counts[7], 0, 100);
  __syncthreads();
  out[threadIdx.x] = counts[threadIdx.x & 7] + static_cast<int>(sum) + static_cast<int>(wide);
}
template <typename T, cuda::thread_scope kScope>
__device__ void Orders(T* p, T v, T* o) {
  cuda::atomic_ref<T, kScope> a(*p);
  int k = 0;
  o[k++] = a.load(cuda::memory_order_relaxed), o[k++] = a.load(cuda::memory_order_acquire);
  o[k++] = a.load(cuda::memory_order_seq_cst);
  a.store(v, cuda::memory_order_relaxed), a.store(v, cuda::memory_order_release), a.store(v);
  o[k++] = a.exchange(v, cuda::memory_order_acq_rel), o[k++] = a.exchange(v);
  for (cuda::memory_order order : {cuda::memory_order_relaxed, cuda::memory_order_acquire, cuda::memory_order_release,
                                   cuda::memory_order_acq_rel, cuda::memory_order_seq_cst}) {
    o[k++] = a.fetch_add(v, order);
  }
  T expected = v;
  o[k++] = a.compare_exchange_strong(expected, v + 1), o[k++] = expected;
  o[k++] = a.compare_exchange_weak(expected, v, cuda::memory_order_release, cuda::memory_order_relaxed);
  o[k++] = a.fetch_sub(v, cuda::memory_order_relaxed), o[k++] = a.fetch_min(v), o[k++] = a.fetch_max(v);
}
extern "C" __global__ void references(int* i, unsigned* u, long long* l, float* f, int* oi, unsigned* ou, long long* ol,
                                      float* of) {
  Orders<int, cuda::thread_scope_block>(i, 3, oi), Orders<int, cuda::thread_scope_system>(i, 3, oi + 32);
  Orders<unsigned, cuda::thread_scope_device>(u, 3u, ou);
  Orders<long long, cuda::thread_scope_device>(l, 3ll, ol);
  Orders<float, cuda::thread_scope_device>(f, 3.f, of);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> a(*u);
  ou[20] = a.fetch_and(3), ou[21] = a.fetch_or(5), ou[22] = a.fetch_xor(9), ou[23] = a++, ou[24] = --a;
  a.notify_one();
  if (ou[20] == 12345) a.wait(7);
}
struct Bytes {
  __device__ static void Run(unsigned char* c, unsigned short* s) {
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device> a(*c);
    cuda::atomic_ref<unsigned short, cuda::thread_scope_block> b(*s);
    a.fetch_add(1), b.fetch_or(3), a.store(a.load() + 1), b.store(b.load() + 1);
    a.exchange(5);
  }
};
extern "C" __global__ void narrow(unsigned char* c, unsigned short* s) { Bytes::Run(c, s); }
__device__ cuda::atomic<int, cuda::thread_scope_device> turn;
extern "C" __global__ void fences(int* flag, int* data, volatile int* seen) {
  data[0] = 1;
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
  *seen = *seen + 1;
  turn.fetch_add(1);
  if (turn.load() > 1000) flag[0] = 2;
}
extern "C" __global__ void ways(const int* __restrict__ in, int* out, const float4* v, float4* o, const double2* d) {
  out[0] = __ldg(in) + __ldca(in + 1) + __ldcg(in + 2) + __ldcs(in + 3) + __ldlu(in + 4) + __ldcv(in + 5);
  __stwb(out + 1, 1), __stcg(out + 2, 2), __stcs(out + 3, 3), __stwt(out + 4, 4);
  o[0] = __ldg(v), o[1] = __ldcs(v + 1), __stcs(o + 2, v[2]);
  double2 two = __ldg(d);
  o[3] = make_float4(two.x, two.y, in[6], in[7]);
  char4 c = __ldg(reinterpret_cast<const char4*>(in));
  short2 s = __ldcg(reinterpret_cast<const short2*>(in));
  out[5] = c.x + c.y + c.z + c.w + s.x + s.y + __ldg(reinterpret_cast<const unsigned char*>(in) + 3) +
           static_cast<int>(__ldg(reinterpret_cast<const long long*>(in)));
  asm volatile("prefetch.global.L1 [%0]; prefetch.global.L2 [%0]; prefetchu.L1 [%0];" ::"l"(in));
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "{.reg .b64 p; createpolicy.fractional.L2::evict_last.b64 p, 1.0;"
      " ld.global.L2::cache_hint.u32 %0, [%1], p; st.global.L2::cache_hint.u32 [%2], %0, p;"
      " ld.global.L1::no_allocate.L2::128B.u32 %0, [%1]; ld.global.nc.L2::256B.u32 %0, [%1];"
      " createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 p, [%1], 128, 256;"
      " applypriority.global.L2::evict_normal [%1], 128; discard.global.L2 [%3], 128;}"
      : "=r"(out[6])
      : "l"(in), "l"(out + 7), "l"(out + 32));
  asm volatile("{.reg .b128 q; ld.global.b128 q, [%0]; st.global.b128 [%1], q;}" ::"l"(v), "l"(o + 4));
#endif
}
