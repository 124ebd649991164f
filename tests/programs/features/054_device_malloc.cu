// malloc, free, new and delete in a kernel: each thread builds a linked list of its own and takes it apart again.
#include "feature.h"

struct Node {
  int value;
  Node* next;
};

__global__ void Lists(int* sums, int* failures) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k <= i % 10; ++k) {
    Node* node = new Node{i + k, head};
    if (node == nullptr) {
      atomicAdd(failures, 1);
      break;
    }
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    sum = sum * 3 + head->value;
    Node* next = head->next;
    delete head;
    head = next;
  }
  sums[i] = sum;
}

__device__ int* kept;

__global__ void Make(int n) {
  kept = static_cast<int*>(malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) kept[i] = i * i;
}

__global__ void Use(int* out) { out[threadIdx.x] = kept[threadIdx.x]; }

__global__ void Release() { free(kept); }

int main() {
  constexpr int kCount = 256;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  int got[kCount], want[kCount], squares[64], wanted_squares[64], failed = -1;
  for (int i = 0; i < kCount; ++i) {
    want[i] = 0;
    for (int k = i % 10; k >= 0; --k) want[i] = want[i] * 3 + i + k;
  }
  for (int i = 0; i < 64; ++i) wanted_squares[i] = i * i;
  DeviceArray<int> sums(kCount), failures(1), d_squares(64);
  failures.Fill(0);
  Lists<<<4, 64>>>(sums, failures);
  Make<<<1, 1>>>(64);
  Use<<<1, 64>>>(d_squares);
  Release<<<1, 1>>>();
  FINISH();
  sums.CopyTo(got);
  failures.CopyTo(&failed);
  d_squares.CopyTo(squares);
  Expect(failed == 0, "the heap is large enough");
  ExpectSame("sums", got, want, kCount);
  ExpectSame("squares", squares, wanted_squares, 64);
  Out(got, sizeof got);
  return Verdict();
}
