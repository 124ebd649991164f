// The program whose fat binaries fatbin_test reads: CMakeLists.txt builds it in every way of compressing.
__global__ void Scale(float* out, const float* in, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

__global__ void Repeat(float* out, const float* in) {
#pragma unroll
  for (int i = 0; i < 64; ++i) out[64 * threadIdx.x + i] = in[i] + i;
}
