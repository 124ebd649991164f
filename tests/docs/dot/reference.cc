#include <cstddef>

void Reference(const float* a, const float* b, double* out, size_t n) {
  out[0] = 0;
  for (size_t i = 0; i < n; ++i) out[0] += double(a[i]) * b[i];
}
