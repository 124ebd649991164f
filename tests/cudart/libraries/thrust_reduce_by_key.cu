// thrust::reduce_by_key: sums over runs of equal keys; runs start anywhere and may span blocks.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

void SumsRuns(int n) {
  std::vector<int> keys(n), values(n), want_keys, want_sums;
  for (int i = 0; i < n; ++i) {
    keys[i] = i < n / 2 ? i / 37 % 5 : 7;  // short runs, then one long run
    values[i] = i % 11 - 3;
    if (i == 0 || keys[i] != keys[i - 1]) {
      want_keys.push_back(keys[i]);
      want_sums.push_back(0);
    }
    want_sums.back() += values[i];
  }
  const thrust::device_vector<int> d_keys(keys.begin(), keys.end()), d_values(values.begin(), values.end());
  thrust::device_vector<int> d_out_keys(n), d_out_sums(n);
  const auto ends =
      thrust::reduce_by_key(d_keys.begin(), d_keys.end(), d_values.begin(), d_out_keys.begin(), d_out_sums.begin());
  std::vector<int> got_keys(ends.first - d_out_keys.begin()), got_sums(ends.second - d_out_sums.begin());
  thrust::copy(d_out_keys.begin(), ends.first, got_keys.begin());
  thrust::copy(d_out_sums.begin(), ends.second, got_sums.begin());
  EXPECT(got_keys == want_keys);
  EXPECT(got_sums == want_sums);
}

int main() {
  for (int n : kSizes) SumsRuns(n);
  return Failures();
}
