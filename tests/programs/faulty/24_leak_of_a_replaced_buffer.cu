// A buffer that grows: the pointer to the old one is overwritten before it is freed.
// expect: leak
#include "program.h"

int main() {
  char* buffer = nullptr;
  CHECK(cudaMalloc(&buffer, 1000));
  CHECK(cudaMalloc(&buffer, 2000));
  CHECK(cudaFree(buffer));
  return 0;
}
