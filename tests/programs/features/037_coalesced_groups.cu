// Groups made where threads happen to be: the lanes of a branch, lanes with equal labels, and the two sides of a
// predicate.
#include <cooperative_groups.h>

#include "feature.h"
namespace cg = cooperative_groups;

__global__ void Gather(const int* in, int* out, unsigned* evens) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto label = cg::labeled_partition(warp, in[i] % 5);
  out[3 * i] = label.size() * 100 + label.thread_rank();
  const auto side = cg::binary_partition(warp, in[i] > 50);
  out[3 * i + 1] = side.shfl(in[i], 0) * 100 + side.size();
  out[3 * i + 2] = -1;
  if (in[i] % 2 == 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    if (together.thread_rank() == 0) atomicAdd(evens, together.size());
    out[3 * i + 2] = together.any(in[i] == 0) ? 1 : 0;
    together.sync();
  }
}

int main() {
  constexpr int kCount = 96;
  int in[kCount], got[3 * kCount], want[3 * kCount];
  unsigned wanted_evens = 0, evens = 0;
  for (int i = 0; i < kCount; ++i) in[i] = 1 + Mix(i) % 99;
  for (int i = 0; i < kCount; ++i) {
    int labelled = 0, before = 0, side = 0, first = -1;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      labelled += in[k] % 5 == in[i] % 5;
      before += k < i && in[k] % 5 == in[i] % 5;
      if ((in[k] > 50) == (in[i] > 50)) {
        ++side;
        if (first < 0) first = in[k];
      }
    }
    want[3 * i] = labelled * 100 + before;
    want[3 * i + 1] = first * 100 + side;
    want[3 * i + 2] = in[i] % 2 == 0 ? 0 : -1;
    wanted_evens += in[i] % 2 == 0;
  }
  DeviceArray<int> d_in(in, kCount), d_out(3 * kCount);
  DeviceArray<unsigned> d_evens(1);
  d_evens.Fill(0);
  Gather<<<1, kCount>>>(d_in, d_out, d_evens);
  FINISH();
  d_out.CopyTo(got);
  d_evens.CopyTo(&evens);
  ExpectSame("out", got, want, 3 * kCount);
  Expect(evens == wanted_evens, "the number of even elements");
  Out(got, sizeof got);
  return Verdict();
}
