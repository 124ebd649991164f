// k-means on whole numbers: assign each point to its nearest centre, sum the points of each, move the centres.
#include "feature.h"

constexpr int kPoints = 2500, kCentres = 9, kSteps = 4;
struct Sums {
  int x, y, count;
};

__host__ __device__ int Nearest(int2 point, const int2* centres) {
  int best = 0, best_distance = 1 << 30;
  for (int c = 0; c < kCentres; ++c) {
    const int dx = point.x - centres[c].x, dy = point.y - centres[c].y, distance = dx * dx + dy * dy;
    if (distance < best_distance) best = c, best_distance = distance;
  }
  return best;
}

__host__ __device__ int2 Mean(Sums s, int2 old) { return s.count == 0 ? old : make_int2(s.x / s.count, s.y / s.count); }

__global__ void Assign(const int2* points, const int2* centres, Sums* sums, int* nearest) {
  __shared__ Sums own[kCentres];
  if (threadIdx.x < kCentres) own[threadIdx.x] = Sums{0, 0, 0};
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPoints) {
    const int c = nearest[i] = Nearest(points[i], centres);
    atomicAdd(&own[c].x, points[i].x);
    atomicAdd(&own[c].y, points[i].y);
    atomicAdd(&own[c].count, 1);
  }
  __syncthreads();
  int* global = &sums[0].x;
  const int* shared = &own[0].x;
  if (threadIdx.x < 3 * kCentres) atomicAdd(&global[threadIdx.x], shared[threadIdx.x]);
}

__global__ void Move(int2* centres, Sums* sums) {
  centres[threadIdx.x] = Mean(sums[threadIdx.x], centres[threadIdx.x]);
  sums[threadIdx.x] = Sums{0, 0, 0};
}

int main() {
  static int2 points[kPoints], centres[kCentres];
  static int got[kPoints], want[kPoints];
  for (int i = 0; i < kPoints; ++i) {
    const int x = Mix(i) % 300 + i % 3 * 500, y = Mix(i + kPoints) % 300 + i % 2 * 600;
    points[i] = make_int2(x, y);
  }
  for (int c = 0; c < kCentres; ++c) centres[c] = points[c];
  DeviceArray<int2> d_points(points, kPoints), d_centres(centres, kCentres);
  DeviceArray<Sums> sums(kCentres);
  DeviceArray<int> nearest(kPoints);
  sums.Fill(0);
  for (int step = 0; step < kSteps; ++step) {
    Assign<<<(kPoints + 127) / 128, 128>>>(d_points, d_centres, sums, nearest);
    Move<<<1, kCentres>>>(d_centres, sums);
    Sums host_sums[kCentres] = {};
    for (int i = 0; i < kPoints; ++i) {
      Sums& s = host_sums[want[i] = Nearest(points[i], centres)];
      s.x += points[i].x, s.y += points[i].y, ++s.count;
    }
    for (int c = 0; c < kCentres; ++c) centres[c] = Mean(host_sums[c], centres[c]);
  }
  FINISH();
  nearest.CopyTo(got);
  ExpectSame("nearest", got, want, kPoints);
  Out(got, sizeof got);
  return Verdict();
}
