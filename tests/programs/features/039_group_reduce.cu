// cooperative_groups::reduce and the scans, over tiles and over a group of the even lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "feature.h"
namespace cg = cooperative_groups;

__global__ void Collect(const int* in, int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x;
  int* row = out + 6 * i;
  row[0] = cg::reduce(tile, in[i], cg::plus<int>());
  row[1] = cg::reduce(warp, in[i], cg::greater<int>());
  row[2] = cg::inclusive_scan(warp, in[i]);
  row[3] = cg::exclusive_scan(tile, in[i], cg::plus<int>());
  row[4] = cg::reduce(tile, in[i], [](int a, int b) { return a ^ b; });
  row[5] = 0;
  if (i % 2 == 0) row[5] = cg::reduce(cg::coalesced_threads(), in[i], cg::less<int>());
}

int main() {
  constexpr int kCount = 64;
  int in[kCount], got[6 * kCount], want[6 * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 10000;
  for (int i = 0; i < kCount; ++i) {
    int* row = want + 6 * i;
    for (int k = 0; k < 6; ++k) row[k] = 0;
    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) {
      row[0] += in[k];
      row[3] += k < i ? in[k] : 0;
      row[4] ^= in[k];
    }
    if (i % 2 == 0) row[5] = 10000;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      if (in[k] > row[1]) row[1] = in[k];
      row[2] += k <= i ? in[k] : 0;
      if (i % 2 == 0 && k % 2 == 0 && in[k] < row[5]) row[5] = in[k];
    }
  }
  DeviceArray<int> d_in(in, kCount), d_out(6 * kCount);
  Collect<<<1, kCount>>>(d_in, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 6 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
