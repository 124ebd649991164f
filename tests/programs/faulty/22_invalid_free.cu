// What is freed is a pointer into the allocation, not its start.
// expect: invalid-free at FAULT
#include "program.h"

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, 100 * sizeof(int)));
  const bool refused = cudaFree(values + 50) == cudaErrorInvalidValue;  // FAULT
  CHECK(cudaFree(values));
  return refused ? 0 : 1;
}
