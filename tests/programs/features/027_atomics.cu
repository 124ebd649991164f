// Every kind of atomic on 32 and 64 bits, in global and in shared memory, with results that no order can change.
#include "feature.h"

struct Cells {
  int sum, difference, low, high;
  unsigned ones, zeros, flips, up, down, swapped, cas;
  unsigned long long wide_sum, wide_high, wide_or;
  long long wide_low;
  float float_sum;
  double double_sum;
};

__device__ void Work(Cells* c, int i) {
  atomicAdd(&c->sum, i);
  atomicSub(&c->difference, 2 * i);
  atomicMin(&c->low, i ^ 0x155);
  atomicMax(&c->high, i ^ 0x155);
  atomicOr(&c->ones, 1u << (i % 20));
  atomicAnd(&c->zeros, ~(1u << (i % 17)));
  atomicXor(&c->flips, 1u << (i % 23));
  atomicInc(&c->up, 100);
  atomicDec(&c->down, 50);
  atomicExch(&c->swapped, 77u);
  unsigned seen = c->cas, expected;
  do {  // a product by compare and swap
    expected = seen;
    seen = atomicCAS(&c->cas, expected, expected * (2 * (i % 5) + 1));
  } while (seen != expected);
  atomicAdd(&c->wide_sum, static_cast<unsigned long long>(i) << 30);
  atomicMax(&c->wide_high, static_cast<unsigned long long>(i) << 33);
  atomicOr(&c->wide_or, 1ull << (i % 64));
  atomicMin(&c->wide_low, -static_cast<long long>(i) * 10000000000ll);
  atomicAdd(&c->float_sum, 0.25f * (i % 8));
  atomicAdd(&c->double_sum, 0.125 * i);
}

__global__ void InGlobal(Cells* c) { Work(c, blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void InShared(Cells* out, const Cells* start) {
  __shared__ Cells c;
  if (threadIdx.x == 0) c = *start;
  __syncthreads();
  Work(&c, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = c;
}

Cells Start() {
  Cells c;
  std::memset(&c, 0, sizeof c);
  c.low = 1 << 20;
  c.zeros = ~0u;
  c.down = 7;
  c.cas = 1;
  return c;
}

Cells Expected(int n) {
  Cells c = Start();
  for (int i = 0; i < n; ++i) {
    c.sum += i;
    c.difference -= 2 * i;
    if ((i ^ 0x155) < c.low) c.low = i ^ 0x155;
    if ((i ^ 0x155) > c.high) c.high = i ^ 0x155;
    c.ones |= 1u << (i % 20);
    c.zeros &= ~(1u << (i % 17));
    c.flips ^= 1u << (i % 23);
    c.up = c.up >= 100 ? 0 : c.up + 1;
    c.down = c.down == 0 || c.down > 50 ? 50 : c.down - 1;
    c.swapped = 77;
    c.cas *= 2 * (i % 5) + 1;
    c.wide_sum += static_cast<unsigned long long>(i) << 30;
    c.wide_high = static_cast<unsigned long long>(i) << 33;
    c.wide_or |= 1ull << (i % 64);
    c.wide_low = -static_cast<long long>(i) * 10000000000ll;
    c.float_sum += 0.25f * (i % 8);
    c.double_sum += 0.125 * i;
  }
  return c;
}

int main() {
  const Cells start = Start();
  DeviceArray<Cells> d_start(&start, 1), d_global(&start, 1), d_shared(1);
  InGlobal<<<5, 96>>>(d_global);
  InShared<<<1, 256>>>(d_shared, d_start);
  FINISH();
  Cells global, shared;
  d_global.CopyTo(&global);
  d_shared.CopyTo(&shared);
  const Cells wanted_global = Expected(480), wanted_shared = Expected(256);
  const size_t used = offsetof(Cells, double_sum) + sizeof(double);
  const auto bytes = [](const Cells& c) { return reinterpret_cast<const unsigned char*>(&c); };
  ExpectSame("bytes of the cells in global memory", bytes(global), bytes(wanted_global), used);
  ExpectSame("bytes of the cells in shared memory", bytes(shared), bytes(wanted_shared), used);
  Out(&global, used);
  Out(&shared, used);
  return Verdict();
}
