// thrust::sort of a device_vector of numbers: a radix sort.
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

void Sorts(int n) {
  std::vector<int> keys(n), got(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(i * 2654435761u);
  thrust::device_vector<int> d_keys(keys.begin(), keys.end());
  thrust::sort(d_keys.begin(), d_keys.end());
  thrust::copy(d_keys.begin(), d_keys.end(), got.begin());
  std::sort(keys.begin(), keys.end());
  EXPECT(got == keys);
}

int main() {
  for (int n : kSizes) Sorts(n);
  return Failures();
}
