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

extern "C" __global__ void far(const float* in, float* out, int n) {
  float before[4] = {1, 2, 3, 4}, array[4] = {}, after[4] = {1, 2, 3, 4};
  array[n] = in[0];  // FAR
  out[0] = before[3] + array[0] + after[0];
}

// Values without a name, which lie right behind a variable and are used through their addresses only. Right for n = 4.
struct Values {
  int at[4];
  __device__ Values(int x) {
    for (int i = 0; i < 4; ++i) at[i] = x + i;
  }
  __device__ int Sum() const { return at[0] + at[1] + at[2] + at[3]; }
};

extern "C" __global__ void temporaries(const float* in, float* out, int n) {
  const int array[4] = {1, 2, 3, static_cast<int>(in[0])};
  int sum = array[n - 1];
  for (int i = 0; i < n; ++i) {
    sum += Values(i).Sum();
    {
      const int inner[4] = {sum, 1, 1, 1};
      sum += Values(inner[1]).Sum() + inner[n - 1];
    }
  }
  out[0] = static_cast<float>(sum);
}

// 300 calls with arrays of 1 KB each: less than a thread may have, also with guards. Right for n = 300.
__device__ int Deep(int n) {
  int a[64], b[64], c[64], d[64];
  a[n % 64] = b[n % 63] = c[n % 62] = d[n % 61] = n;
  return n == 0 ? 0 : Deep(n - 1) + a[n % 64] + b[n % 63] - c[n % 62] - d[n % 61] + 1;
}

// Small variables: guards would need many times their room. Right for n = 2000.
__device__ int Count(int n) {
  int own = n;
  int* const to = &own;
  return n == 0 ? 0 : Count(n - 1) + (*to == n ? 1 : 0);
}

extern "C" __global__ void count(const float*, float* out, int n) { out[0] = static_cast<float>(Count(n)); }

extern "C" __global__ void deep(const float*, float* out, int n) { out[0] = static_cast<float>(Deep(n)); }

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
