// Follows, on the host, a pointer that is garbage: no memory of a program has such an address.
#include <cstring>

#include "tests/judge/cuda/toy.h"

void double_elements(const int*, size_t, int*, int*, cudaStream_t) {
  volatile int* wild = nullptr;
  std::memset(&wild, 0xCB, sizeof(wild));
  *wild = 1;
}
