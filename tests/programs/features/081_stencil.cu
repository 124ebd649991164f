// A seven-point stencil in three dimensions: a plane in shared memory, its neighbours above and below in registers.
#include "feature.h"

constexpr int kX = 16, kY = 8;

__global__ void Stencil(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float plane[kY + 2][kX + 2];
  const int x = blockIdx.x * kX + threadIdx.x + 1, y = blockIdx.y * kY + threadIdx.y + 1;
  const bool inside = x < nx - 1 && y < ny - 1;
  const auto at = [=](int xx, int yy, int z) { return xx < nx && yy < ny ? in[(z * ny + yy) * nx + xx] : 0.0f; };
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  float below = at(x, y, 0), here = at(x, y, 1);
  for (int z = 1; z < nz - 1; ++z) {
    const float above = at(x, y, z + 1);
    __syncthreads();
    plane[sy][sx] = here;
    if (threadIdx.x == 0) plane[sy][0] = at(x - 1, y, z);
    if (threadIdx.x == kX - 1) plane[sy][kX + 1] = at(x + 1, y, z);
    if (threadIdx.y == 0) plane[0][sx] = at(x, y - 1, z);
    if (threadIdx.y == kY - 1) plane[kY + 1][sx] = at(x, y + 1, z);
    __syncthreads();
    float sum = __fadd_rn(plane[sy][sx - 1], plane[sy][sx + 1]);
    sum = __fadd_rn(sum, __fadd_rn(plane[sy - 1][sx], plane[sy + 1][sx]));
    sum = __fadd_rn(sum, __fadd_rn(below, above));
    if (inside) out[(z * ny + y) * nx + x] = __fmaf_rn(-6.0f, here, sum);
    below = here;
    here = above;
  }
}

int main() {
  constexpr int kNx = 37, kNy = 21, kNz = 9, kCount = kNx * kNy * kNz;
  static float in[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = MixUnit(i);
  for (int z = 1; z < kNz - 1; ++z) {
    for (int y = 1; y < kNy - 1; ++y) {
      for (int x = 1; x < kNx - 1; ++x) {
        const int i = (z * kNy + y) * kNx + x;
        const float sides = in[i - 1] + in[i + 1], ends = in[i - kNx] + in[i + kNx];
        const float sum = (sides + ends) + (in[i - kNx * kNy] + in[i + kNx * kNy]);
        want[i] = std::fma(-6.0f, in[i], sum);
      }
    }
  }
  DeviceArray<float> d_in(in, kCount), d_out(kCount);
  d_out.Fill(0);
  Stencil<<<dim3((kNx - 2 + kX - 1) / kX, (kNy - 2 + kY - 1) / kY), dim3(kX, kY)>>>(d_in, d_out, kNx, kNy, kNz);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
