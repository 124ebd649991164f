// Kernels as templates over a type, a size and a functor; a lambda and a variadic fold go the same way.
#include "feature.h"

struct Max {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Sum {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
template <typename... Ts>
__host__ __device__ long long AddAll(Ts... values) {
  return (static_cast<long long>(values) + ... + 0);
}

template <typename T, int kThreads, typename Operation>
__global__ void Reduce(const T* in, T* out, Operation operation) {
  __shared__ T tile[kThreads];
  tile[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] = operation(tile[threadIdx.x], tile[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = operation(tile[0], static_cast<T>(AddAll(1, 2u, 3ll)));
}

template <typename T, int kThreads, typename Operation>
void Run(Operation operation) {
  constexpr int kBlocks = 3;
  T in[kBlocks * kThreads], got[kBlocks], want[kBlocks];
  for (int i = 0; i < kBlocks * kThreads; ++i) in[i] = static_cast<T>(Mix(i) % 1000);
  for (int b = 0; b < kBlocks; ++b) {
    want[b] = 6;
    for (int i = 0; i < kThreads; ++i) want[b] = operation(want[b], in[b * kThreads + i]);
  }
  DeviceArray<T> d_in(in, kBlocks * kThreads), d_out(kBlocks);
  Reduce<T, kThreads><<<kBlocks, kThreads>>>(d_in.get(), d_out.get(), operation);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("reduced", got, want, kBlocks);
  Out(got, sizeof got);
}

int main() {
  Run<int, 64>(Max());
  Run<long long, 128>(Sum());
  Run<float, 32>(Sum());
  Run<unsigned short, 256>(Max());
  Run<double, 16>(Max());
  return Verdict();
}
