// __device__ variables whose initialisers hold the addresses of others: a linked list and a table that is laid out
// before the program starts.
#include "feature.h"

struct Node {
  int value;
  const Node* next;
};
__device__ const Node third = {300, nullptr};
__device__ const Node second = {20, &third};
__device__ const Node first = {1, &second};
__device__ int numbers[6] = {10, 11, 12, 13, 14, 15};
__device__ int* const places[3] = {numbers + 5, numbers, &numbers[2]};
__device__ const char* const words[2] = {"warp", "grade"};

__global__ void Walk(int* results) {
  int sum = 0;
  for (const Node* node = &first; node != nullptr; node = node->next) sum += node->value;
  results[0] = sum;
  for (int i = 0; i < 3; ++i) {
    *places[i] += 100 * i;
    results[1 + i] = *places[i];
  }
  int length = 0;
  for (const char* word : words) {
    for (; *word != '\0'; ++word) ++length;
  }
  results[4] = length;
  results[5] = words[1][4];
}

int main() {
  DeviceArray<int> results(6);
  Walk<<<1, 1>>>(results);
  FINISH();
  int got[6], after[6];
  results.CopyTo(got);
  CHECK(cudaMemcpyFromSymbol(after, numbers, sizeof after));
  const int want[6] = {321, 15, 110, 212, 9, 'e'};
  const int wanted_after[6] = {110, 11, 212, 13, 14, 15};
  ExpectSame("results", got, want, 6);
  ExpectSame("numbers", after, wanted_after, 6);
  Out(got, sizeof got);
  Out(after, sizeof after);
  return Verdict();
}
