// Half precision (inline PTX in nested braces), tensor cores, asynchronous copies.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

__global__ void HalfMath(half2* a, half* b, float* f, __nv_bfloat16* c) {
  const int i = threadIdx.x;
  a[i] = h2exp(__hfma2(a[i], a[i + 1], a[i + 2]));
  if (__hgt(b[i], b[i + 1])) b[i] = __float2half(f[i]);
  c[i] = hexp(c[i]) + __float2bfloat16(f[i]);
  atomicAdd(&a[3], a[i]);
  f[i] = __half2float(b[3]);
}

__global__ void WarpMatrix(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  load_matrix_sync(fa, a, 16);
  load_matrix_sync(fb, b, 16);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(c, fc, 16, mem_row_major);
}

__global__ void InlineTensor(float* out, const unsigned* in) {
  __shared__ unsigned s[64];
  float d[4] = {};
  unsigned r[4];
  const unsigned address = __cvta_generic_to_shared(s);
  asm volatile(
      "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n cp.async.commit_group;\n cp.async.wait_group 0;" ::"r"(
          address),
      "l"(in));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(in[0]), "r"(in[1]));
  out[0] = d[0] + d[1] + d[2] + d[3] + __reduce_add_sync(~0u, r[0]);
}
