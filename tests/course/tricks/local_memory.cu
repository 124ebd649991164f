// Loads and stores of local memory.
__global__ void __launch_bounds__(256) in_local_memory(int turns) {
  volatile int numbers[32];
  for (int k = 0; k < 32; ++k) numbers[k] = k;
  int at = 0;
  for (int turn = 0; turn < turns; ++turn) at = (numbers[at] + 1) % 32;
  if (at == 42) __nanosleep(1);
}
void trick(void*, cudaStream_t stream) { in_local_memory<<<256, 256, 0, stream>>>(400); }
