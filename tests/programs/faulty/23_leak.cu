// An allocation that nobody frees.
// expect: leak
#include "program.h"

__global__ void Set(int* value) { *value = 1; }

int main() {
  int* value = nullptr;
  CHECK(cudaMalloc(&value, sizeof(int)));
  Set<<<1, 1>>>(value);
  FINISH();
  return 0;
}
