// Every intrinsic of cuda_fp16.h and cuda_bf16.h that makes PTX of its own: one kernel per family, scalar and packed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// T: the scalar, T2: the packed pair.
template <typename T>
__device__ void Arithmetic(const T* in, T* out) {
  T a = in[0], b = in[1], c = in[2];
  int k = 0;
  out[k++] = __hadd(a, b);
  out[k++] = __hsub(a, b);
  out[k++] = __hmul(a, b);
  out[k++] = __hdiv(a, b);
  out[k++] = __hadd_rn(a, b);
  out[k++] = __hsub_rn(a, b);
  out[k++] = __hmul_rn(a, b);
  out[k++] = __hadd_sat(a, b);
  out[k++] = __hsub_sat(a, b);
  out[k++] = __hmul_sat(a, b);
  out[k++] = __hfma(a, b, c);
  out[k++] = __hfma_sat(a, b, c);
  out[k++] = __hfma_relu(a, b, c);
  out[k++] = __hneg(a);
  out[k++] = __habs(a);
  out[k++] = __hmin(a, b);
  out[k++] = __hmax(a, b);
  out[k++] = __hmin_nan(a, b);
  out[k++] = __hmax_nan(a, b);
  out[k++] = a + b * c - a / b;
  out[k++] = hceil(a);
  out[k++] = hfloor(a);
  out[k++] = hrint(a);
  out[k++] = htrunc(a);
  out[k++] = hsqrt(a);
  out[k++] = hrsqrt(a);
  out[k++] = hrcp(a);
  out[k++] = hexp(a);
  out[k++] = hexp2(a);
  out[k++] = hexp10(a);
  out[k++] = hlog(a);
  out[k++] = hlog2(a);
  out[k++] = hlog10(a);
  out[k++] = hsin(a);
  out[k++] = hcos(a);
  out[k++] = htanh(a);
  out[k++] = htanh_approx(a);
}
template <typename T>
__device__ void Pairs(const T* in, T* out) {
  T a = in[0], b = in[1], c = in[2];
  int k = 0;
  out[k++] = __hadd2(a, b);
  out[k++] = __hsub2(a, b);
  out[k++] = __hmul2(a, b);
  out[k++] = __h2div(a, b);
  out[k++] = __hadd2_rn(a, b);
  out[k++] = __hsub2_rn(a, b);
  out[k++] = __hmul2_rn(a, b);
  out[k++] = __hadd2_sat(a, b);
  out[k++] = __hsub2_sat(a, b);
  out[k++] = __hmul2_sat(a, b);
  out[k++] = __hfma2(a, b, c);
  out[k++] = __hfma2_sat(a, b, c);
  out[k++] = __hfma2_relu(a, b, c);
  out[k++] = __hcmadd(a, b, c);
  out[k++] = __hneg2(a);
  out[k++] = __habs2(a);
  out[k++] = __hmin2(a, b);
  out[k++] = __hmax2(a, b);
  out[k++] = __hmin2_nan(a, b);
  out[k++] = __hmax2_nan(a, b);
  out[k++] = h2ceil(a);
  out[k++] = h2floor(a);
  out[k++] = h2rint(a);
  out[k++] = h2trunc(a);
  out[k++] = h2sqrt(a);
  out[k++] = h2rsqrt(a);
  out[k++] = h2rcp(a);
  out[k++] = h2exp(a);
  out[k++] = h2exp2(a);
  out[k++] = h2exp10(a);
  out[k++] = h2log(a);
  out[k++] = h2log2(a);
  out[k++] = h2log10(a);
  out[k++] = h2sin(a);
  out[k++] = h2cos(a);
  out[k++] = h2tanh(a);
  out[k++] = h2tanh_approx(a);
  out[k++] = __heq2(a, b);
  out[k++] = __hne2(a, b);
  out[k++] = __hle2(a, b);
  out[k++] = __hge2(a, b);
  out[k++] = __hlt2(a, b);
  out[k++] = __hgt2(a, b);
  out[k++] = __hequ2(a, b);
  out[k++] = __hneu2(a, b);
  out[k++] = __hleu2(a, b);
  out[k++] = __hgeu2(a, b);
  out[k++] = __hltu2(a, b);
  out[k++] = __hgtu2(a, b);
  out[k++] = __hisnan2(a);
  out[k++] = __lowhigh2highlow(a);
  out[k++] = __lows2half2_like(a, b);
}
__device__ __half2 __lows2half2_like(__half2 a, __half2 b) { return __lows2half2(a, b); }
__device__ __nv_bfloat162 __lows2half2_like(__nv_bfloat162 a, __nv_bfloat162 b) { return __lows2bfloat162(a, b); }
template <typename T, typename T2>
__device__ void Comparisons(const T* in, const T2* pairs, unsigned* out) {
  T a = in[0], b = in[1];
  T2 p = pairs[0], q = pairs[1];
  int k = 0;
  out[k++] = __heq(a, b) + 2 * __hne(a, b) + 4 * __hle(a, b) + 8 * __hge(a, b) + 16 * __hlt(a, b) + 32 * __hgt(a, b);
  out[k++] =
      __hequ(a, b) + 2 * __hneu(a, b) + 4 * __hleu(a, b) + 8 * __hgeu(a, b) + 16 * __hltu(a, b) + 32 * __hgtu(a, b);
  out[k++] = __hisnan(a) + 2 * __hisinf(a);
  out[k++] = __hbeq2(p, q) + 2 * __hbne2(p, q) + 4 * __hble2(p, q) + 8 * __hbge2(p, q) + 16 * __hblt2(p, q) +
             32 * __hbgt2(p, q);
  out[k++] = __hbequ2(p, q) + 2 * __hbneu2(p, q) + 4 * __hbleu2(p, q) + 8 * __hbgeu2(p, q) + 16 * __hbltu2(p, q) +
             32 * __hbgtu2(p, q);
  out[k++] = __heq2_mask(p, q) ^ __hne2_mask(p, q) ^ __hle2_mask(p, q) ^ __hge2_mask(p, q) ^ __hlt2_mask(p, q) ^
             __hgt2_mask(p, q);
  out[k++] = __hequ2_mask(p, q) ^ __hneu2_mask(p, q) ^ __hleu2_mask(p, q) ^ __hgeu2_mask(p, q) ^ __hltu2_mask(p, q) ^
             __hgtu2_mask(p, q);
}

extern "C" __global__ void half_arithmetic(const __half* in, __half* out) { Arithmetic(in, out); }
extern "C" __global__ void half_pairs(const __half2* in, __half2* out) { Pairs(in, out); }
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void bfloat_arithmetic(const __nv_bfloat16* in, __nv_bfloat16* out) { Arithmetic(in, out); }
extern "C" __global__ void bfloat_pairs(const __nv_bfloat162* in, __nv_bfloat162* out) { Pairs(in, out); }
#endif
extern "C" __global__ void half_comparisons(const __half* in, const __half2* pairs, unsigned* out) {
  Comparisons(in, pairs, out);
}
extern "C" __global__ void bfloat_comparisons(const __nv_bfloat16* in, const __nv_bfloat162* pairs, unsigned* out) {
  Comparisons(in, pairs, out);
}

#define TO_INTEGERS(type, from)          \
  out[k++] = __##type##2int_rn(from);    \
  out[k++] = __##type##2int_rz(from);    \
  out[k++] = __##type##2int_ru(from);    \
  out[k++] = __##type##2int_rd(from);    \
  out[k++] = __##type##2uint_rn(from);   \
  out[k++] = __##type##2uint_rz(from);   \
  out[k++] = __##type##2uint_ru(from);   \
  out[k++] = __##type##2uint_rd(from);   \
  out[k++] = __##type##2short_rn(from);  \
  out[k++] = __##type##2short_rz(from);  \
  out[k++] = __##type##2short_ru(from);  \
  out[k++] = __##type##2short_rd(from);  \
  out[k++] = __##type##2ushort_rn(from); \
  out[k++] = __##type##2ushort_rz(from); \
  out[k++] = __##type##2ushort_ru(from); \
  out[k++] = __##type##2ushort_rd(from); \
  out[k++] = __##type##2ll_rn(from);     \
  out[k++] = __##type##2ll_rz(from);     \
  out[k++] = __##type##2ll_ru(from);     \
  out[k++] = __##type##2ll_rd(from);     \
  out[k++] = __##type##2ull_rn(from);    \
  out[k++] = __##type##2ull_rz(from);    \
  out[k++] = __##type##2ull_ru(from);    \
  out[k++] = __##type##2ull_rd(from);    \
  out[k++] = __##type##2char_rz(from);   \
  out[k++] = __##type##2uchar_rz(from);  \
  out[k++] = static_cast<long long>(static_cast<float>(from) * 8)
#define FROM_INTEGER(type, from, v)                                                                                 \
  out[k++] = __##from##2##type##_rn(v), out[k++] = __##from##2##type##_rz(v), out[k++] = __##from##2##type##_rd(v), \
  out[k++] = __##from##2##type##_ru(v)

extern "C" __global__ void half_to_integers(const __half* in, long long* out) {
  int k = 0;
  TO_INTEGERS(half, in[0]);
}
extern "C" __global__ void bfloat_to_integers(const __nv_bfloat16* in, long long* out) {
  int k = 0;
  TO_INTEGERS(bfloat16, in[0]);
}
extern "C" __global__ void half_from(const long long* in, const float* f, const double* d, __half* out) {
  int k = 0;
  FROM_INTEGER(half, int, static_cast<int>(in[0]));
  FROM_INTEGER(half, uint, static_cast<unsigned>(in[0]));
  FROM_INTEGER(half, short, static_cast<short>(in[0]));
  FROM_INTEGER(half, ushort, static_cast<unsigned short>(in[0]));
  FROM_INTEGER(half, ll, in[0]);
  FROM_INTEGER(half, ull, static_cast<unsigned long long>(in[0]));
  FROM_INTEGER(half, float, f[0]);
  out[k++] = __float2half(f[0]);
  out[k++] = __double2half(d[0]);
  __half2 two = __floats2half2_rn(f[0], f[1]);
  out[k++] = __low2half(two);
  out[k++] = __high2half(two);
  two = __float22half2_rn(make_float2(f[1], f[0]));
  out[k++] = two.x;
  out[k++] = __ushort_as_half(static_cast<unsigned short>(in[0]));
  float2 back = __half22float2(two);
  out[k++] = __float2half(back.x + back.y);
}
extern "C" __global__ void bfloat_from(const long long* in, const float* f, const double* d, __nv_bfloat16* out) {
  int k = 0;
  FROM_INTEGER(bfloat16, int, static_cast<int>(in[0]));
  FROM_INTEGER(bfloat16, uint, static_cast<unsigned>(in[0]));
  FROM_INTEGER(bfloat16, short, static_cast<short>(in[0]));
  FROM_INTEGER(bfloat16, ushort, static_cast<unsigned short>(in[0]));
  FROM_INTEGER(bfloat16, ll, in[0]);
  FROM_INTEGER(bfloat16, ull, static_cast<unsigned long long>(in[0]));
  FROM_INTEGER(bfloat16, float, f[0]);
  out[k++] = __float2bfloat16(f[0]);
  out[k++] = __double2bfloat16(d[0]);
  __nv_bfloat162 two = __floats2bfloat162_rn(f[0], f[1]);
  out[k++] = __low2bfloat16(two);
  out[k++] = __high2bfloat16(two);
  two = __float22bfloat162_rn(make_float2(f[1], f[0]));
  out[k++] = two.x;
  float2 back = __bfloat1622float2(two);
  out[k++] = __float2bfloat16(back.x + back.y);
}
extern "C" __global__ void half_memory(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  h[1] = atomicAdd(&h[0], __float2half(1.5f));
  h2[1] = atomicAdd(&h2[0], __floats2half2_rn(1, 2));
  b[1] = atomicAdd(&b[0], __float2bfloat16(1.5f));
  b2[1] = atomicAdd(&b2[0], __floats2bfloat162_rn(1, 2));
  __shared__ __half2 s;
  if (threadIdx.x == 0) s = h2[2];
  __syncthreads();
  atomicAdd(&s, h2[3]);
  __syncthreads();
  h2[4] = __ldg(&h2[2]) + __ldcg(&h2[3]) + __ldca(&h2[2]) + __ldcs(&h2[2]) + __ldlu(&h2[2]) + __ldcv(&h2[2]);
  __stwb(&h2[5], s);
  __stcg(&h2[6], s);
  __stcs(&h2[7], s);
  __stwt(&h2[8], s);
  h[20] = __shfl_sync(~0u, h[threadIdx.x], 3) + __shfl_down_sync(~0u, h[threadIdx.x], 3);
  h2[9] = __shfl_xor_sync(~0u, h2[threadIdx.x], 3) + __shfl_up_sync(~0u, h2[threadIdx.x], 3);
}
