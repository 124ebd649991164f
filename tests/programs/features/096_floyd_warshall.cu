// Shortest paths between all pairs by Floyd and Warshall, one launch for each vertex passed through.
#include "feature.h"

constexpr int kFar = 1 << 28;

__global__ void Through(int* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n || i == k || j == k) return;  // row and column k cannot get shorter: they are only read
  const int through = distance[i * n + k] + distance[k * n + j];
  if (through < distance[i * n + j]) distance[i * n + j] = through;
}

int main() {
  constexpr int kVertices = 70, kCount = kVertices * kVertices;
  static int distance[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i)
    distance[i] = i / kVertices == i % kVertices ? 0 : Mix(i) % 12 == 0 ? 1 + Mix(i + 7) % 50 : kFar;
  DeviceArray<int> d_distance(distance, kCount);
  for (int k = 0; k < kVertices; ++k) {
    Through<<<dim3((kVertices + 31) / 32, kVertices), 32>>>(d_distance, kVertices, k);
    for (int i = 0; i < kVertices; ++i) {
      for (int j = 0; j < kVertices; ++j) {
        const int through = distance[i * kVertices + k] + distance[k * kVertices + j];
        if (through < distance[i * kVertices + j]) distance[i * kVertices + j] = through;
      }
    }
  }
  FINISH();
  d_distance.CopyTo(got);
  ExpectSame("distance", got, distance, kCount);
  Out(got, sizeof got);
  return Verdict();
}
