// CRC-32 of many messages with the table in shared memory, and the bits of the table made by the threads themselves.
#include "feature.h"

__host__ __device__ unsigned TableEntry(unsigned byte) {
  for (int bit = 0; bit < 8; ++bit) byte = byte & 1 ? byte >> 1 ^ 0xedb88320u : byte >> 1;
  return byte;
}

__global__ void Crc(const unsigned char* messages, const int* starts, unsigned* crcs, int n) {
  __shared__ unsigned table[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) table[b] = TableEntry(b);
  __syncthreads();
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n) return;
  unsigned crc = ~0u;
  for (int i = starts[m]; i < starts[m + 1]; ++i) crc = table[(crc ^ messages[i]) & 255] ^ crc >> 8;
  crcs[m] = ~crc;
}

int main() {
  constexpr int kMessages = 300, kMost = kMessages * 64;
  static unsigned char messages[kMost];
  static int starts[kMessages + 1];
  static unsigned got[kMessages], want[kMessages];
  std::memcpy(messages, "123456789", 9);  // the first message is the known one
  starts[1] = 9;
  for (int m = 1; m < kMessages; ++m) starts[m + 1] = starts[m] + Mix(m) % 64;
  for (int i = 9; i < starts[kMessages]; ++i) messages[i] = Mix(i);
  for (int m = 0; m < kMessages; ++m) {
    want[m] = ~0u;
    for (int i = starts[m]; i < starts[m + 1]; ++i) want[m] = TableEntry((want[m] ^ messages[i]) & 255) ^ want[m] >> 8;
    want[m] = ~want[m];
  }
  DeviceArray<unsigned char> d_messages(messages, kMost);
  DeviceArray<int> d_starts(starts, kMessages + 1);
  DeviceArray<unsigned> d_crcs(kMessages);
  Crc<<<(kMessages + 63) / 64, 64>>>(d_messages, d_starts, d_crcs, kMessages);
  FINISH();
  d_crcs.CopyTo(got);
  Expect(got[0] == 0xcbf43926u, "the check value of CRC-32");
  ExpectSame("crcs", got, want, kMessages);
  Out(got, sizeof got);
  return Verdict();
}
