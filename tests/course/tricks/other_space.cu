// Loads from constant memory and from the kernel's parameters, which are not global memory.
struct Numbers {
  float values[64];
};
__constant__ float table[64];
__global__ void __launch_bounds__(256) from_other_spaces(int turns, const Numbers numbers) {
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn) sum += table[turn % 64] * numbers.values[turn % 64];
  if (sum == 42.0f) __nanosleep(1);
}
void trick(void*, cudaStream_t stream) { from_other_spaces<<<256, 256, 0, stream>>>(400, Numbers{}); }
