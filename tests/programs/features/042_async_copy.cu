// arch: 80
// cp.async by the primitives of cuda_pipeline.h: each thread copies 4, 8 and 16 bytes, commits, and waits for all but
// the last group.
#include <cuda_pipeline.h>

#include "feature.h"

__global__ void Copy(const int4* wide, const int2* middle, const int* narrow, int* out) {
  __shared__ int4 s_wide[64];
  __shared__ int2 s_middle[64];
  __shared__ int s_narrow[64];
  const int t = threadIdx.x, other = 63 - t;
  __pipeline_memcpy_async(&s_wide[t], &wide[t], sizeof(int4));
  __pipeline_commit();
  __pipeline_memcpy_async(&s_middle[t], &middle[t], sizeof(int2));
  __pipeline_memcpy_async(&s_narrow[t], &narrow[t], sizeof(int), t % 2 == 0 ? 0 : sizeof(int));  // odd ones: zeros
  __pipeline_commit();
  __pipeline_wait_prior(1);
  const int own = s_wide[t].x - s_wide[t].w;  // its own copy needs no barrier
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = own + s_wide[other].y * 3 + s_wide[other].z + s_middle[other].x * 5 + s_middle[other].y + s_narrow[other];
}

int main() {
  int wide[256], middle[128], narrow[64], got[64], want[64];
  for (int i = 0; i < 256; ++i) wide[i] = Mix(i) % 10000;
  for (int i = 0; i < 128; ++i) middle[i] = Mix(i + 1000) % 10000;
  for (int i = 0; i < 64; ++i) narrow[i] = Mix(i + 2000) % 10000;
  for (int t = 0; t < 64; ++t) {
    const int o = 63 - t;
    want[t] = wide[4 * t] - wide[4 * t + 3] + wide[4 * o + 1] * 3 + wide[4 * o + 2] + middle[2 * o] * 5 +
              middle[2 * o + 1] + (o % 2 == 0 ? narrow[o] : 0);
  }
  DeviceArray<int> d_wide(wide, 256), d_middle(middle, 128), d_narrow(narrow, 64), d_out(64);
  Copy<<<1, 64>>>(reinterpret_cast<int4*>(d_wide.get()), reinterpret_cast<int2*>(d_middle.get()), d_narrow, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 64);
  Out(got, sizeof got);
  return Verdict();
}
