// Two owners free the same memory.
// expect: double-free at FAULT
#include "program.h"

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, 100 * sizeof(int)));
  int* alias = values;
  CHECK(cudaFree(values));
  return cudaFree(alias) == cudaErrorInvalidValue ? 0 : 1;  // FAULT
}
