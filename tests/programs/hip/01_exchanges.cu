// Shuffles, ballots and votes of a wavefront: over all 64 lanes, over parts, of values of 4 and of 8 bytes, and of the
// lanes of a branch alone.
#include <hip/hip_runtime.h>

#include "program.h"

constexpr int kThreads = 192;
constexpr int kRows = 16;

__global__ void Exchange(int* out) {
  const int t = threadIdx.x, lane = t % warpSize;
  int* const row = out + t * kRows;
  row[0] = __shfl(t, 63 - lane);
  row[1] = __shfl(t, 3, 16);
  row[2] = __shfl_down(t, 40);
  row[3] = __shfl_down(t, 3, 8);
  row[4] = __shfl_up(t, 33);
  row[5] = __shfl_up(t, 3, 8);
  row[6] = __shfl_xor(t, 32);
  row[7] = __shfl_xor(t, 8, 8);
  row[8] = static_cast<int>(__shfl(t * 0.5, 63) * 2);
  row[9] = static_cast<int>(__shfl_down(static_cast<long long>(t) << 32, 1) >> 32);
  row[10] = static_cast<int>(__shfl_xor(static_cast<float>(t), 1));
  row[11] = __popcll(__ballot(lane >= 20 && lane < 60));
  row[12] = __any(lane == 63) + 2 * __any(lane == 64);
  row[13] = __all(lane < 64) + 2 * __all(lane < 63);
  row[14] = 0;
  if (lane % 2 == 1) row[14] = __popcll(__ballot(1)) + 100 * __shfl(lane, 33);
  row[15] = static_cast<int>(__lane_id());
}

int main() {
  static int out[kThreads * kRows];
  DeviceArray<int> d_out(kThreads * kRows);
  hipStream_t stream;
  hipEvent_t start, stop;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipEventRecord(start, stream));
  hipLaunchKernelGGL(Exchange, dim3(1), dim3(kThreads), 0, stream, d_out.get());
  CHECK(hipGetLastError());
  CHECK(hipEventRecord(stop, stream));
  CHECK(hipEventSynchronize(stop));
  float ms = 0;
  CHECK(hipEventElapsedTime(&ms, start, stop));
  CHECK(hipMemcpy(out, d_out.get(), sizeof out, hipMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t) {
    const int lane = t % 64, first = t - lane;
    const int* const row = out + t * kRows;
    EXPECT(row[0] == first + 63 - lane);
    EXPECT(row[1] == t - t % 16 + 3);
    EXPECT(row[2] == (lane < 24 ? t + 40 : t));
    EXPECT(row[3] == (lane % 8 < 5 ? t + 3 : t));
    EXPECT(row[4] == (lane >= 33 ? t - 33 : t));
    EXPECT(row[5] == (lane % 8 >= 3 ? t - 3 : t));
    EXPECT(row[6] == (t ^ 32));
    EXPECT(row[7] == (lane % 16 >= 8 ? t - 8 : t));
    EXPECT(row[8] == first + 63);
    EXPECT(row[9] == (lane < 63 ? t + 1 : t));
    EXPECT(row[10] == (t ^ 1));
    EXPECT(row[11] == 40);
    EXPECT(row[12] == 1);
    EXPECT(row[13] == 1);
    EXPECT(row[14] == (lane % 2 == 1 ? 32 + 100 * 33 : 0));
    EXPECT(row[15] == lane);
  }
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  CHECK(hipStreamDestroy(stream));
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 64);
  return 0;
}
