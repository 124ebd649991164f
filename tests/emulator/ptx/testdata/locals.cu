// Variables of a thread, for the debug data that says where they lie.
struct Pack {
  float at[4];
  short tag;
};
typedef const volatile double Angle;
using Row = int[5];

__device__ __noinline__ void Fill(Pack& pack, float with) {
  int countdown[2] = {3, static_cast<int>(with)};
  while (countdown[0]-- > 0) pack.at[countdown[0]] = with;
}

__global__ void Locals(float* out, int n) {
  Pack packs[3] = {};
  Row rows[2] = {};
  Angle angle = n;
  const float* const pointer = out + n;
  const float* const* const address = &pointer;
  bool flags[7] = {};
  flags[n] = true;
  rows[n][n] = n;
  packs[n].tag = 1;
  Fill(packs[n], n);
  out[0] = packs[n].at[n] + rows[n][n] + angle + flags[n] + **address;
}
