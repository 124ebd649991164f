// thrust::sort with an order of its own, which merges. (The default order of numbers is thrust_sort.cu's.)
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

struct LastDigitFirst {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
};

void Sorts(int n) {
  std::vector<int> keys(n), got(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(i * 2654435761u);
  thrust::device_vector<int> d_keys(keys.begin(), keys.end());
  thrust::sort(d_keys.begin(), d_keys.end(), LastDigitFirst());
  thrust::copy(d_keys.begin(), d_keys.end(), got.begin());
  std::sort(keys.begin(), keys.end(), LastDigitFirst());
  EXPECT(got == keys);
}

int main() {
  for (int n : kSizes) Sorts(n);
  return Failures();
}
