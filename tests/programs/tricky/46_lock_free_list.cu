// All threads push their node onto one list by compare-and-swap; the next launch walks it.
#include "program.h"

struct Node {
  Node* next;
  int value;
};

__global__ void Push(Node* nodes, Node** head) {
  Node* own = &nodes[blockIdx.x * blockDim.x + threadIdx.x];
  own->value = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* top = reinterpret_cast<unsigned long long*>(head);
  unsigned long long seen = atomicAdd(top, 0);
  while (true) {
    own->next = reinterpret_cast<Node*>(seen);
    const unsigned long long now = atomicCAS(top, seen, reinterpret_cast<unsigned long long>(own));
    if (now == seen) break;
    seen = now;
  }
}

__global__ void Sum(Node* const* head, int* sum) {
  int own = 0;
  for (const Node* node = *head; node != nullptr; node = node->next) own += node->value;
  *sum = own;
}

int main() {
  constexpr int kCount = 5 * 64;
  DeviceArray<Node> nodes(kCount);
  DeviceArray<Node*> head(1);
  DeviceArray<int> sum(1);
  head.Fill(0);
  Push<<<5, 64>>>(nodes, head);
  Sum<<<1, 1>>>(head, sum);
  FINISH();
  int got = 0;
  sum.CopyTo(&got);
  EXPECT(got == kCount * (kCount - 1) / 2);
  PrintOut(&got, sizeof got);
  return 0;
}
