// Breadth-first search: each launch expands one frontier of the graph into the next, claiming vertices by atomicCAS.
#include "feature.h"

__global__ void Expand(const int* starts, const int* edges, int* level, const int* frontier, int count, int* next,
                       int* next_count, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int vertex = frontier[i];
  for (int e = starts[vertex]; e < starts[vertex + 1]; ++e) {
    if (atomicCAS(&level[edges[e]], -1, depth) == -1) next[atomicAdd(next_count, 1)] = edges[e];
  }
}

int main() {
  constexpr int kVertices = 3000, kDegree = 3, kEdges = kVertices * kDegree;
  static int starts[kVertices + 1], edges[kEdges], got[kVertices], want[kVertices], queue[kVertices];
  for (int v = 0; v < kVertices; ++v) {
    starts[v + 1] = (v + 1) * kDegree;
    // Two near neighbours and one far away; the last hundred vertices cannot be reached.
    for (int k = 0; k < kDegree; ++k) {
      const int near = (v + 1 + Mix(v * 4 + k) % 5) % (kVertices - 100), far = Mix(v + 9999) % (kVertices - 100);
      edges[v * kDegree + k] = k < 2 || v % 50 != 0 ? near : far;
    }
    want[v] = got[v] = -1;
  }
  want[0] = got[0] = 0;
  queue[0] = 0;
  for (int head = 0, tail = 1; head < tail; ++head) {
    for (int e = starts[queue[head]]; e < starts[queue[head] + 1]; ++e) {
      if (want[edges[e]] != -1) continue;
      want[edges[e]] = want[queue[head]] + 1;
      queue[tail++] = edges[e];
    }
  }
  const int source = 0;
  DeviceArray<int> d_starts(starts, kVertices + 1), d_edges(edges, kEdges), level(got, kVertices);
  DeviceArray<int> first(kVertices), second(kVertices), next_count(1);
  CHECK(cudaMemcpy(first, &source, sizeof source, cudaMemcpyHostToDevice));
  int count = 1;
  for (int depth = 1; count > 0; ++depth) {
    int *frontier = depth % 2 ? first : second, *next = depth % 2 ? second : first;
    next_count.Fill(0);
    Expand<<<(count + 63) / 64, 64>>>(d_starts, d_edges, level, frontier, count, next, next_count, depth);
    FINISH();
    next_count.CopyTo(&count);
  }
  level.CopyTo(got);
  ExpectSame("levels", got, want, kVertices);
  Expect(want[kVertices - 1] == -1 && want[kVertices - 101] > 5, "some vertices are far and some are not reached");
  Out(got, sizeof got);
  return Verdict();
}
