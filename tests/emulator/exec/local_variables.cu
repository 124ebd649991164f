// Indices past the variables of a thread, for guarded_locals_test.cc. It is compiled without optimisation and with
// debug data. `n` is the number of steps of the loops, whose arrays have 3 or 4 elements.
struct Pair {
  float first[4], second[4];
  __device__ void Set(int i, float value) { second[i] = value; }
};

__device__ float Sum(const float* of, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += of[i];  // SUM
  return sum;
}

extern "C" __global__ void loop(const float* in, float* out, int n) {
  float before[4] = {1, 2, 3, 4}, array[3] = {}, after[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) array[i] = in[i];  // LOOP
  out[0] = before[3] + array[0] + after[0];
}

extern "C" __global__ void function(const float* in, float* out, int n) {
  float before[4] = {1, 2, 3, 4}, array[3] = {5, 6, 7}, after[4] = {1, 2, 3, 4};
  out[0] = before[3] + Sum(array, n) + after[0];
}

extern "C" __global__ void member(const float* in, float* out, int n) {
  Pair before = {}, array[2] = {}, after = {};
  array[1].Set(n, in[0]);
  out[0] = before.second[3] + array[1].second[3] + after.first[0];
}

extern "C" __global__ void negative(const float* in, float* out, int n) {
  float before = 1, array[3] = {1, 2, 3};
  float* const to = &before;
  array[-n] = in[0];  // NEGATIVE
  *to += array[0];
  out[0] = *to;
}

extern "C" __global__ void wide(const float* in, float* out, int n) {
  alignas(16) float before[4] = {1, 2, 3, 4}, array[7] = {}, after[4] = {1, 2, 3, 4};
  *reinterpret_cast<double*>(array + 2 * n) = 1;  // WIDE
  out[0] = before[3] + array[0] + after[0];
}

extern "C" __global__ void unwritten(const float* in, float* out, int n) {
  float array[4];
  for (int i = 0; i < n; ++i) array[i] = in[i];
  out[0] = Sum(array, 4);
}

// Right for n = 3: ends of arrays, pointers back from a middle, copies of structures, and arrays in scopes that may
// share their memory.
extern "C" __global__ void right(const float* in, float* out, int n) {
  float array[3], other[4] = {1, 2, 3, 4};
  Pair pair = {};
  const Pair copy = pair;
  int k = 0;
  for (float *at = array, *end = array + 3; at != end; ++at) *at = in[k++];
  float* const last = &array[2];
  for (int i = 0; i < n; ++i) last[-i] += 1;
  {
    float scoped[4] = {};
    for (int i = 0; i < n; ++i) scoped[i] = in[i];
    out[1] = Sum(scoped, n);
  }
  {
    float scoped[2] = {1, 2};
    out[2] = Sum(scoped, n - 1);
  }
  pair = copy;
  for (const float value : other) pair.first[k++ - 3] = value;
  out[0] = Sum(array, n);
  out[3] = Sum(pair.first, n + 1) + Sum(pair.second, n + 1);
}
