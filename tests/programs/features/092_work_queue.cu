// Persistent blocks take jobs of very different length from a queue until it is empty.
#include "feature.h"

__host__ __device__ int CollatzSteps(unsigned n) {
  int steps = 0;
  for (unsigned long long x = n; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

__global__ void Work(int* next_job, int jobs, int* longest) {
  __shared__ int job, best;
  while (true) {
    if (threadIdx.x == 0) {
      job = atomicAdd(next_job, 1);
      best = 0;
    }
    __syncthreads();
    if (job >= jobs) return;  // the same for the whole block
    atomicMax(&best, CollatzSteps(job * blockDim.x + threadIdx.x + 1));
    __syncthreads();
    if (threadIdx.x == 0) longest[job] = best;
    __syncthreads();  // `best` has been read before it is cleared for the next job
  }
}

int main() {
  constexpr int kJobs = 60, kThreads = 64;
  int got[kJobs], want[kJobs], taken = 0;
  for (int job = 0; job < kJobs; ++job) {
    want[job] = 0;
    for (int t = 0; t < kThreads; ++t) {
      const int steps = CollatzSteps(job * kThreads + t + 1);
      if (steps > want[job]) want[job] = steps;
    }
  }
  DeviceArray<int> next_job(1), longest(kJobs);
  next_job.Fill(0);
  Work<<<4, kThreads>>>(next_job, kJobs, longest);
  FINISH();
  longest.CopyTo(got);
  next_job.CopyTo(&taken);
  ExpectSame("longest", got, want, kJobs);
  Expect(taken == kJobs + 4, "each block asked once more than it got");
  Out(got, sizeof got);
  return Verdict();
}
