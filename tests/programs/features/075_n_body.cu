// One step of an n-body simulation: a block reads all bodies tile by tile through shared memory.
#include "feature.h"

constexpr int kTile = 128;

__global__ void Accelerate(const float4* bodies, float3* accelerations, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += kTile) {
    const int k = start + threadIdx.x;
    tile[threadIdx.x] = k < n ? bodies[k] : make_float4(0, 0, 0, 0);  // without mass
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      const float x = tile[j].x - own.x, y = tile[j].y - own.y, z = tile[j].z - own.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
      const float weight = tile[j].w * inverse * inverse * inverse;
      sum.x += weight * x;
      sum.y += weight * y;
      sum.z += weight * z;
    }
    __syncthreads();
  }
  if (i < n) accelerations[i] = sum;
}

int main() {
  constexpr int kCount = 500;
  static float4 bodies[kCount];
  static float got[3 * kCount];
  static double want[3 * kCount];
  for (int i = 0; i < kCount; ++i) {
    bodies[i] =
        make_float4(MixUnit(4 * i) - 0.5f, MixUnit(4 * i + 1) - 0.5f, MixUnit(4 * i + 2) - 0.5f, MixUnit(4 * i + 3));
  }
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kCount; ++j) {
      const double x = static_cast<double>(bodies[j].x) - bodies[i].x,
                   y = static_cast<double>(bodies[j].y) - bodies[i].y;
      const double z = static_cast<double>(bodies[j].z) - bodies[i].z;
      const double weight = bodies[j].w / std::pow(x * x + y * y + z * z + 0.01, 1.5);
      want[3 * i] += weight * x;
      want[3 * i + 1] += weight * y;
      want[3 * i + 2] += weight * z;
    }
  }
  DeviceArray<float4> d_bodies(bodies, kCount);
  DeviceArray<float> d_accelerations(3 * kCount);
  Accelerate<<<(kCount + kTile - 1) / kTile, kTile>>>(d_bodies, reinterpret_cast<float3*>(d_accelerations.get()),
                                                      kCount);
  FINISH();
  d_accelerations.CopyTo(got);
  ExpectNear("accelerations", got, want, 3 * kCount, 2e-3);  // terms up to 1e3 cancel
  for (int k = 0; k < 6; ++k) Approx(got[k]);
  return Verdict();
}
