// Vector loads from the middle of an array, at offsets that are multiples of 16 bytes though they do not look so.
#include "program.h"

__global__ void Sum4(const float* values, int skip, float* out) {
  const float* begin = values + skip;
  begin += (4 - skip % 4) % 4;
  const float4 v = reinterpret_cast<const float4*>(begin)[threadIdx.x];
  const float2 w = *reinterpret_cast<const float2*>(begin + 4 * threadIdx.x + 2);
  out[threadIdx.x] = v.x + v.y + w.x + w.y;
}

int main() {
  float host[160], got[32];
  for (int i = 0; i < 160; ++i) host[i] = i;
  DeviceArray<float> values(160), out(32);
  values.CopyFrom(host);
  Sum4<<<1, 32>>>(values, 7, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 32; ++i) EXPECT(got[i] == 4 * (8 + 4 * i) + 6);
  PrintOut(got, sizeof got);
  return 0;
}
