// A kernel with a race, and then a call that the emulator's runtime does not have: the loader ends the program there.
#include <cstdio>

__global__ void Race(int* out) { *out = static_cast<int>(threadIdx.x); }

int main() {
  int* out = nullptr;
  if (cudaMalloc(&out, sizeof(int)) != cudaSuccess) return 1;
  Race<<<1, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaTextureObject_t texture = 0;
  const cudaResourceDesc of{};
  const cudaTextureDesc how{};
  if (cudaCreateTextureObject(&texture, &of, &how, nullptr) != cudaSuccess) return 1;
  std::puts("not reached");
}
