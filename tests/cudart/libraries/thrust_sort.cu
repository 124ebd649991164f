// thrust::sort of a device_vector with the default order (radix sort) and with an order of its own (merge sort).
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

struct LastDigitFirst {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
};

template <typename Order>
void Sorts(int n, Order order) {
  std::vector<int> keys(n), got(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(i * 2654435761u);
  thrust::device_vector<int> d_keys(keys.begin(), keys.end());
  thrust::sort(d_keys.begin(), d_keys.end(), order);
  thrust::copy(d_keys.begin(), d_keys.end(), got.begin());
  std::sort(keys.begin(), keys.end(), order);
  EXPECT(got == keys);
}

int main() {
  for (int n : kSizes) {
    Sorts(n, thrust::less<int>());
    Sorts(n, LastDigitFirst());
  }
  return Failures();
}
