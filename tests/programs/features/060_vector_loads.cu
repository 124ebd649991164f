// Vector loads and stores of 2, 3 and 4 elements, of 8 to 64 bits each.
#include "feature.h"

__global__ void Swizzle(const float4* a, const double2* b, const uchar4* c, const short2* d, const int3* e,
                        float4* out_a, double2* out_b, uchar4* out_c, short2* out_d, int3* out_e) {
  const int i = threadIdx.x;
  const float4 f = a[i];
  out_a[i] = make_float4(f.w, f.z, f.y + 1, f.x);
  out_b[i] = make_double2(b[i].y, -b[i].x);
  out_c[i] = make_uchar4(c[i].w, c[i].x, c[i].y, c[i].z);
  out_d[i] = make_short2(d[i].y, d[i].x);
  out_e[i] = make_int3(e[i].z, e[i].x, e[i].y);
}

int main() {
  constexpr int kCount = 96;
  float a[4 * kCount], out_a[4 * kCount], want_a[4 * kCount];
  double b[2 * kCount], out_b[2 * kCount], want_b[2 * kCount];
  unsigned char c[4 * kCount], out_c[4 * kCount], want_c[4 * kCount];
  short d[2 * kCount], out_d[2 * kCount], want_d[2 * kCount];
  int e[3 * kCount], out_e[3 * kCount], want_e[3 * kCount];
  for (int i = 0; i < 4 * kCount; ++i) a[i] = MixUnit(i), c[i] = Mix(i);
  for (int i = 0; i < 2 * kCount; ++i) b[i] = MixUnit(i) * 3.5, d[i] = Mix(i + 5);
  for (int i = 0; i < 3 * kCount; ++i) e[i] = Mix(i + 9);
  for (int i = 0; i < kCount; ++i) {
    for (int k = 0; k < 4; ++k)
      want_a[4 * i + k] = a[4 * i + 3 - k] + (k == 2 ? 1 : 0), want_c[4 * i + k] = c[4 * i + (k + 3) % 4];
    want_b[2 * i] = b[2 * i + 1], want_b[2 * i + 1] = -b[2 * i];
    want_d[2 * i] = d[2 * i + 1], want_d[2 * i + 1] = d[2 * i];
    for (int k = 0; k < 3; ++k) want_e[3 * i + k] = e[3 * i + (k + 2) % 3];
  }
  const auto as = [](auto* elements, auto vector) { return reinterpret_cast<decltype(vector)*>(elements); };
  DeviceArray<float> d_a(a, 4 * kCount), d_out_a(4 * kCount);
  DeviceArray<double> d_b(b, 2 * kCount), d_out_b(2 * kCount);
  DeviceArray<unsigned char> d_c(c, 4 * kCount), d_out_c(4 * kCount);
  DeviceArray<short> d_d(d, 2 * kCount), d_out_d(2 * kCount);
  DeviceArray<int> d_e(e, 3 * kCount), d_out_e(3 * kCount);
  Swizzle<<<1, kCount>>>(as(d_a.get(), float4()), as(d_b.get(), double2()), as(d_c.get(), uchar4()),
                         as(d_d.get(), short2()), as(d_e.get(), int3()), as(d_out_a.get(), float4()),
                         as(d_out_b.get(), double2()), as(d_out_c.get(), uchar4()), as(d_out_d.get(), short2()),
                         as(d_out_e.get(), int3()));
  FINISH();
  d_out_a.CopyTo(out_a), d_out_b.CopyTo(out_b), d_out_c.CopyTo(out_c), d_out_d.CopyTo(out_d), d_out_e.CopyTo(out_e);
  ExpectSame("float4", out_a, want_a, 4 * kCount);
  ExpectSame("double2", out_b, want_b, 2 * kCount);
  ExpectSame("uchar4", out_c, want_c, 4 * kCount);
  ExpectSame("short2", out_d, want_d, 2 * kCount);
  ExpectSame("int3", out_e, want_e, 3 * kCount);
  Out(out_a, sizeof out_a), Out(out_b, sizeof out_b), Out(out_c, sizeof out_c), Out(out_d, sizeof out_d);
  Out(out_e, sizeof out_e);
  return Verdict();
}
