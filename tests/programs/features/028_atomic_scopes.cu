// The same atomics at three scopes: among a block's threads, the device's, and the whole system's.
#include "feature.h"

__global__ void Count(unsigned* per_block, unsigned* per_device, unsigned long long* per_system) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&per_block[blockIdx.x], i);
  atomicMax_block(&per_block[gridDim.x + blockIdx.x], i % 101);
  atomicAdd(&per_device[0], 1);
  atomicXor(&per_device[1], i);
  atomicAdd_system(&per_system[0], static_cast<unsigned long long>(i));
  atomicMax_system(&per_system[1], static_cast<unsigned long long>(i) * i);
  atomicCAS_system(&per_system[2], 0ull, 5ull);
}

int main() {
  constexpr int kBlocks = 6, kThreads = 128;
  unsigned block[2 * kBlocks], wanted_block[2 * kBlocks] = {}, device[2], wanted_device[2] = {};
  unsigned long long system[3], wanted_system[3] = {0, 0, 5};
  for (unsigned i = 0; i < kBlocks * kThreads; ++i) {
    const int b = i / kThreads;
    wanted_block[b] += i;
    if (i % 101 > wanted_block[kBlocks + b]) wanted_block[kBlocks + b] = i % 101;
    wanted_device[0] += 1;
    wanted_device[1] ^= i;
    wanted_system[0] += i;
    wanted_system[1] = static_cast<unsigned long long>(i) * i;
  }
  DeviceArray<unsigned> d_block(2 * kBlocks), d_device(2);
  DeviceArray<unsigned long long> d_system(3);
  d_block.Fill(0);
  d_device.Fill(0);
  d_system.Fill(0);
  Count<<<kBlocks, kThreads>>>(d_block, d_device, d_system);
  FINISH();
  d_block.CopyTo(block);
  d_device.CopyTo(device);
  d_system.CopyTo(system);
  ExpectSame("block", block, wanted_block, 2 * kBlocks);
  ExpectSame("device", device, wanted_device, 2);
  ExpectSame("system", system, wanted_system, 3);
  Out(block, sizeof block);
  Out(device, sizeof device);
  Out(system, sizeof system);
  return Verdict();
}
