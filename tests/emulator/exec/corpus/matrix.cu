// Matrix instructions: nvcuda::wmma in every type and shape, ldmatrix, stmatrix, mma.sync.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

using namespace nvcuda;

template <int M, int N, int K, typename A, typename C, typename La, typename Lb, typename Stored = A>
__device__ void Multiply(const Stored* a, const Stored* b, const C* c, C* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, A, La> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, A, Lb> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  constexpr bool kRowA = std::is_same<La, wmma::row_major>::value, kRowB = std::is_same<Lb, wmma::row_major>::value;
  wmma::load_matrix_sync(fa, a, kRowA ? K : M);
  wmma::load_matrix_sync(fb, b, kRowB ? N : K);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int k = 0; k < fc.num_elements; ++k) fc.x[k] = fc.x[k] + C(1);
  wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}
// Four layouts, one result of M x N after the other.
template <int M, int N, int K, typename A, typename C, typename Stored>
__device__ void Layouts(const Stored* a, const Stored* b, const C* c, C* d) {
  Multiply<M, N, K, A, C, wmma::row_major, wmma::col_major>(a, b, c, d);
  Multiply<M, N, K, A, C, wmma::row_major, wmma::row_major>(a, b, c, d + M * N);
  Multiply<M, N, K, A, C, wmma::col_major, wmma::col_major>(a, b, c, d + 2 * M * N);
  Multiply<M, N, K, A, C, wmma::col_major, wmma::row_major>(a, b, c, d + 3 * M * N);
}
#define SHAPES(name, A, Stored, C)                                                      \
  extern "C" __global__ void name(const Stored* a, const Stored* b, const C* c, C* d) { \
    Layouts<16, 16, 16, A, C>(a, b, c, d), Layouts<32, 8, 16, A, C>(a, b, c, d + 1024); \
    Layouts<8, 32, 16, A, C>(a, b, c, d + 2048);                                        \
  }
SHAPES(wmma_half_single, __half, __half, float)
SHAPES(wmma_half_half, __half, __half, __half)
SHAPES(wmma_s8, signed char, signed char, int)
SHAPES(wmma_u8, unsigned char, unsigned char, int)
#if __CUDA_ARCH__ >= 800
SHAPES(wmma_bfloat, __nv_bfloat16, __nv_bfloat16, float)
extern "C" __global__ void wmma_tf32(const float* a, const float* b, const float* c, float* d) {
  Layouts<16, 16, 8, wmma::precision::tf32, float>(a, b, c, d);
}
extern "C" __global__ void wmma_double(const double* a, const double* b, const double* c, double* d) {
  Layouts<8, 8, 4, double, double>(a, b, c, d);
}
#endif
extern "C" __global__ void wmma_column_store(const __half* a, const __half* b, float* d, __half* h) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fh;
  __shared__ __half tile[16 * 24];
  for (int k = threadIdx.x; k < 256; k += 32) tile[k / 16 * 24 + k % 16] = a[k];
  __syncwarp();
  wmma::fill_fragment(fc, 0.5f), wmma::fill_fragment(fh, __float2half(0.5f));
  wmma::load_matrix_sync(fa, tile, 24), wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc), wmma::mma_sync(fh, fa, fb, fh);
  wmma::store_matrix_sync(d, fc, 20, wmma::mem_col_major), wmma::store_matrix_sync(h, fh, 16, wmma::mem_col_major);
}

__device__ unsigned SharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
// in: 32 rows of 16 bytes. out: x1, x2, x4 (7 words a lane), then the same transposed.
extern "C" __global__ void ldmatrix(const uint4* in, unsigned* out) {
  __shared__ uint4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned at = SharedAddress(&tile[threadIdx.x]);
  unsigned* o = out + threadIdx.x * 14;
  asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(o[0]) : "r"(at));
  asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(o[1]), "=r"(o[2]) : "r"(at));
  asm("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(o[3]), "=r"(o[4]), "=r"(o[5]), "=r"(o[6])
      : "r"(at));
  asm("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(o[7]) : "r"(at));
  asm("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(o[8]), "=r"(o[9]) : "r"(at));
  asm("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(o[10]), "=r"(o[11]), "=r"(o[12]), "=r"(o[13])
      : "r"(at));
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void stmatrix(const unsigned* in, uint4* out) {
  __shared__ uint4 tile[32];
  unsigned at = SharedAddress(&tile[threadIdx.x]);
  const unsigned* v = in + threadIdx.x * 4;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v[0]), "r"(v[1]),
               "r"(v[2]), "r"(v[3])
               : "memory");
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(v[0]), "r"(v[1])
               : "memory");
  __syncthreads();
  out[32 + threadIdx.x] = tile[threadIdx.x];
}
#endif
extern "C" __global__ void movmatrix(const unsigned* in, unsigned* out) {
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[threadIdx.x]) : "r"(in[threadIdx.x]));
}

// mma.sync on raw fragments: each lane's words of a, b, c, then d.
#define MMA(name, op, d, a, b, c)                                                                            \
  extern "C" __global__ void name(const uint4* pa, const uint2* pb, const uint4* pc, uint4* pd) {            \
    uint4 va = pa[threadIdx.x], vc = pc[threadIdx.x], vd = make_uint4(0, 0, 0, 0);                           \
    uint2 vb = pb[threadIdx.x];                                                                              \
    asm(op " " d ", " a ", " b ", " c ";"                                                                    \
        : "=r"(vd.x), "=r"(vd.y), "=r"(vd.z), "=r"(vd.w)                                                     \
        : "r"(va.x), "r"(va.y), "r"(va.z), "r"(va.w), "r"(vb.x), "r"(vb.y), "r"(vc.x), "r"(vc.y), "r"(vc.z), \
          "r"(vc.w));                                                                                        \
    pd[threadIdx.x] = vd;                                                                                    \
  }
#define D4 "{%0, %1, %2, %3}"
#define D2 "{%0, %1}"
#define A1 "{%4}"
#define A2 "{%4, %5}"
#define A4 "{%4, %5, %6, %7}"
#define B1 "{%8}"
#define B2 "{%8, %9}"
#define C4 "{%10, %11, %12, %13}"
#define C2 "{%10, %11}"
MMA(mma_1688_half, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", D4, A2, B1, C4)
MMA(mma_1688_half_half, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", D2, A2, B1, C2)
MMA(mma_8816_s8, "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32", D2, A1, B1, C2)
MMA(mma_8816_u8s8, "mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32", D2, A1, B1, C2)
MMA(mma_8832_s4, "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32", D2, A1, B1, C2)
#if __CUDA_ARCH__ >= 800
MMA(mma_16816_half, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", D4, A4, B2, C4)
MMA(mma_16816_half_half, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", D2, A4, B2, C2)
MMA(mma_16816_bfloat, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", D4, A4, B2, C4)
MMA(mma_1688_bfloat, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", D4, A2, B1, C4)
MMA(mma_1688_tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", D4, A4, B2, C4)
MMA(mma_1684_tf32, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", D4, A2, B1, C4)
MMA(mma_16816_s8, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", D4, A2, B1, C4)
MMA(mma_16832_s8, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", D4, A4, B2, C4)
MMA(mma_16832_s4, "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32", D4, A2, B1, C4)
MMA(mma_16864_u4, "mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32", D4, A4, B2, C4)
MMA(mma_8x8_b1, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", D2, A1, B1, C2)
MMA(mma_16x8_b1, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", D4, A4, B2, C4)
extern "C" __global__ void mma_884_double(const double* a, const double* b, const double* c, double* d) {
  int t = threadIdx.x;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(d[2 * t]), "=d"(d[2 * t + 1])
      : "d"(a[t]), "d"(b[t]), "d"(c[2 * t]), "d"(c[2 * t + 1]));
}
#endif
