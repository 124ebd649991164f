// Pointers travel as integers, through shared and global memory, with a tag in their lowest bit.
#include "program.h"

struct Node {
  unsigned long long next;  // a Node*, its lowest bit set when this is the last
  int value;
};

__global__ void Link(Node* nodes, int n) {
  const int i = threadIdx.x;
  nodes[i].value = i * i;
  nodes[i].next = reinterpret_cast<unsigned long long>(&nodes[(i + 7) % n]) | (i == n - 7);
}

__global__ void Walk(const Node* first, int* sum) {
  __shared__ unsigned long long at;
  at = reinterpret_cast<unsigned long long>(first);
  *sum = 0;
  while (true) {
    const Node* node = reinterpret_cast<const Node*>(at & ~1ull);
    *sum += node->value;
    if (node->next & 1) break;
    at = node->next;
  }
}

int main() {
  constexpr int kCount = 64;  // 7 and 64 have no common divisor: the walk meets every node
  DeviceArray<Node> nodes(kCount);
  DeviceArray<int> sum(1);
  Link<<<1, kCount>>>(nodes, kCount);
  Walk<<<1, 1>>>(nodes, sum);
  FINISH();
  int got = 0, want = 0;
  sum.CopyTo(&got);
  for (int i = 0; i < kCount; ++i) want += i * i;
  EXPECT(got == want);
  PrintOut(&got, sizeof got);
  return 0;
}
