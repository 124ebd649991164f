// The mathematical functions and the rounding intrinsics of single and double precision.
#include <cstdint>

extern "C" __global__ void singles(const float* in, float* out, int count) {
  float v = in[threadIdx.x], w = in[threadIdx.x + 1];
  float* o = out + threadIdx.x * count;
  int k = 0, exponent;
  float s, c, whole;
  o[k++] = sinf(v), o[k++] = cosf(v), o[k++] = tanf(v), o[k++] = asinf(v / 16), o[k++] = acosf(v / 16);
  o[k++] = atanf(v), o[k++] = atan2f(v, w), o[k++] = sinhf(v), o[k++] = coshf(v), o[k++] = tanhf(v);
  o[k++] = asinhf(v), o[k++] = acoshf(v + 1), o[k++] = atanhf(v / 16), o[k++] = expf(v), o[k++] = exp2f(v);
  o[k++] = exp10f(v), o[k++] = expm1f(v), o[k++] = logf(v), o[k++] = log2f(v), o[k++] = log10f(v);
  o[k++] = log1pf(v), o[k++] = sqrtf(v), o[k++] = rsqrtf(v), o[k++] = cbrtf(v), o[k++] = hypotf(v, w);
  o[k++] = powf(v, w), o[k++] = erff(v), o[k++] = erfcf(v), o[k++] = tgammaf(v), o[k++] = lgammaf(v);
  o[k++] = j0f(v), o[k++] = j1f(v), o[k++] = jnf(3, v), o[k++] = y0f(v), o[k++] = y1f(v);
  o[k++] = fmodf(w * 7, v), o[k++] = remainderf(w * 7, v), o[k++] = floorf(v), o[k++] = ceilf(v), o[k++] = truncf(v);
  o[k++] = roundf(v), o[k++] = rintf(v), o[k++] = nearbyintf(v), o[k++] = fabsf(v), o[k++] = copysignf(v, -w);
  o[k++] = fminf(v, w), o[k++] = fmaxf(v, w), o[k++] = fdimf(v, w), o[k++] = fmaf(v, w, v), o[k++] = ldexpf(v, 3);
  o[k++] = frexpf(v, &exponent), o[k++] = exponent, o[k++] = modff(v, &whole), o[k++] = whole, o[k++] = logbf(v);
  o[k++] = ilogbf(v), o[k++] = nextafterf(v, w), o[k++] = lroundf(v), o[k++] = llrintf(v), o[k++] = scalbnf(v, -2);
  sincosf(v, &s, &c), o[k++] = s, o[k++] = c, sincospif(v, &s, &c), o[k++] = s, o[k++] = c;
  o[k++] = sinpif(v), o[k++] = cospif(v), o[k++] = erfinvf(v / 16), o[k++] = erfcinvf(v / 16);
  o[k++] = normcdff(v), o[k++] = normcdfinvf(v / 16), o[k++] = erfcxf(v), o[k++] = rcbrtf(v), o[k++] = rhypotf(v, w);
  o[k++] = norm3df(v, w, v), o[k++] = cyl_bessel_i0f(v), o[k++] = cyl_bessel_i1f(v), o[k++] = ynf(2, v);
  o[k++] = isnan(v) + 2 * isinf(v) + 4 * isfinite(v) + 8 * signbit(v);
}
extern "C" __global__ void fast_singles(const float* in, float* out, int count) {
  float v = in[threadIdx.x], w = in[threadIdx.x + 1], s, c;
  float* o = out + threadIdx.x * count;
  int k = 0;
  o[k++] = __sinf(v), o[k++] = __cosf(v), o[k++] = __tanf(v), o[k++] = __expf(v), o[k++] = __exp10f(v);
  o[k++] = __logf(v), o[k++] = __log2f(v), o[k++] = __log10f(v), o[k++] = __powf(v, w), o[k++] = __fdividef(v, w);
  o[k++] = __saturatef(v), __sincosf(v, &s, &c), o[k++] = s + c, o[k++] = __frsqrt_rn(v), o[k++] = __tanhf(v);
}
#define MODES(call, ...)                                                                             \
  o[k++] = call##_rn(__VA_ARGS__), o[k++] = call##_rz(__VA_ARGS__), o[k++] = call##_rd(__VA_ARGS__), \
  o[k++] = call##_ru(__VA_ARGS__)
extern "C" __global__ void rounded_singles(const float* in, float* out, int count) {
  float v = in[threadIdx.x], w = in[threadIdx.x + 1];
  float* o = out + threadIdx.x * count;
  int k = 0;
  MODES(__fadd, v, w), MODES(__fsub, v, w), MODES(__fmul, v, w), MODES(__fdiv, v, w), MODES(__fmaf, v, w, v);
  MODES(__frcp, v), MODES(__fsqrt, v), MODES(__double2float, v / 3.0), MODES(__int2float, __float_as_int(v));
  MODES(__uint2float, __float_as_uint(v)), MODES(__ll2float, __float_as_int(v) * 12345678901ll);
  MODES(__ull2float, __float_as_int(v) * 12345678901ull), MODES(__fmaf_ieee, v, w, v);
}
extern "C" __global__ void doubles(const double* in, double* out, int count) {
  double v = in[threadIdx.x], w = in[threadIdx.x + 1];
  double* o = out + threadIdx.x * count;
  int k = 0, exponent;
  double s, c, whole;
  o[k++] = sin(v), o[k++] = cos(v), o[k++] = tan(v), o[k++] = asin(v / 16), o[k++] = acos(v / 16);
  o[k++] = atan(v), o[k++] = atan2(v, w), o[k++] = sinh(v), o[k++] = cosh(v), o[k++] = tanh(v);
  o[k++] = asinh(v), o[k++] = acosh(v + 1), o[k++] = atanh(v / 16), o[k++] = exp(v), o[k++] = exp2(v);
  o[k++] = exp10(v), o[k++] = expm1(v), o[k++] = log(v), o[k++] = log2(v), o[k++] = log10(v);
  o[k++] = log1p(v), o[k++] = sqrt(v), o[k++] = rsqrt(v), o[k++] = cbrt(v), o[k++] = hypot(v, w);
  o[k++] = pow(v, w), o[k++] = erf(v), o[k++] = erfc(v), o[k++] = tgamma(v), o[k++] = lgamma(v);
  o[k++] = j0(v), o[k++] = j1(v), o[k++] = jn(3, v), o[k++] = y0(v), o[k++] = y1(v);
  o[k++] = fmod(w * 7, v), o[k++] = remainder(w * 7, v), o[k++] = floor(v), o[k++] = ceil(v), o[k++] = trunc(v);
  o[k++] = round(v), o[k++] = rint(v), o[k++] = nearbyint(v), o[k++] = fabs(v), o[k++] = copysign(v, -w);
  o[k++] = fmin(v, w), o[k++] = fmax(v, w), o[k++] = fdim(v, w), o[k++] = fma(v, w, v), o[k++] = ldexp(v, 3);
  o[k++] = frexp(v, &exponent), o[k++] = exponent, o[k++] = modf(v, &whole), o[k++] = whole, o[k++] = logb(v);
  o[k++] = ilogb(v), o[k++] = nextafter(v, w), o[k++] = lround(v), o[k++] = llrint(v), o[k++] = scalbn(v, -2);
  sincos(v, &s, &c), o[k++] = s, o[k++] = c, sincospi(v, &s, &c), o[k++] = s, o[k++] = c;
  o[k++] = sinpi(v), o[k++] = cospi(v), o[k++] = erfinv(v / 16), o[k++] = erfcinv(v / 16);
  o[k++] = normcdf(v), o[k++] = normcdfinv(v / 16), o[k++] = erfcx(v), o[k++] = rcbrt(v), o[k++] = rhypot(v, w);
  o[k++] = norm3d(v, w, v), o[k++] = cyl_bessel_i0(v), o[k++] = cyl_bessel_i1(v), o[k++] = yn(2, v);
  o[k++] = isnan(v) + 2 * isinf(v) + 4 * isfinite(v) + 8 * signbit(v);
}
extern "C" __global__ void rounded_doubles(const double* in, double* out, int count) {
  double v = in[threadIdx.x], w = in[threadIdx.x + 1];
  double* o = out + threadIdx.x * count;
  int k = 0;
  MODES(__dadd, v, w), MODES(__dsub, v, w), MODES(__dmul, v, w), MODES(__ddiv, v, w), MODES(__fma, v, w, v);
  MODES(__drcp, v), MODES(__dsqrt, v), MODES(__ll2double, __double_as_longlong(v));
  MODES(__ull2double, static_cast<unsigned long long>(__double_as_longlong(v)));
  o[k++] = __int2double_rn(__double2hiint(v)), o[k++] = __uint2double_rn(__double2loint(v));
  o[k++] = __hiloint2double(__double2hiint(v), __double2loint(w));
}
extern "C" __global__ void to_integers(const float* f, const double* d, long long* out, int count) {
  float v = f[threadIdx.x];
  double w = d[threadIdx.x];
  long long* o = out + threadIdx.x * count;
  int k = 0;
  MODES(__float2int, v), MODES(__float2uint, v), MODES(__float2ll, v), MODES(__float2ull, v);
  MODES(__double2int, w), MODES(__double2uint, w), MODES(__double2ll, w), MODES(__double2ull, w);
  o[k++] = static_cast<short>(v), o[k++] = static_cast<unsigned short>(v), o[k++] = static_cast<signed char>(v);
  o[k++] = static_cast<unsigned char>(w), o[k++] = static_cast<short>(w), o[k++] = __float_as_int(v);
}
extern "C" __global__ void rare_forms(const float* in, float* out, const double* d, double* e) {
  float v = in[0], w = in[1];
  asm("tanh.approx.f32 %0, %1;" : "=f"(out[0]) : "f"(v));
  asm("set.gt.f32.f32 %0, %1, %2;" : "=f"(out[1]) : "f"(v), "f"(w));
  asm("slct.f32.s32 %0, %1, %2, %3;" : "=f"(out[2]) : "f"(v), "f"(w), "r"(-1));
  asm("slct.ftz.f64.f32 %0, %1, %2, %3;" : "=d"(e[0]) : "d"(d[0]), "d"(d[1]), "f"(v));
  asm("{.reg .pred p; testp.subnormal.f32 p, %1; selp.f32 %0, 0f3F800000, 0f00000000, p;}" : "=f"(out[3]) : "f"(v));
  asm("{.reg .pred p; testp.normal.f64 p, %1; selp.f32 %0, 0f3F800000, 0f00000000, p;}" : "=f"(out[4]) : "d"(d[0]));
  asm("copysign.f64 %0, %1, %2;" : "=d"(e[1]) : "d"(d[0]), "d"(d[1]));
  asm("add.rz.ftz.sat.f32 %0, %1, %2;" : "=f"(out[5]) : "f"(v), "f"(w));
  asm("fma.rp.sat.f32 %0, %1, %2, %1;" : "=f"(out[6]) : "f"(v), "f"(w));
  asm("mul.rm.sat.f32 %0, %1, %2;" : "=f"(out[7]) : "f"(v), "f"(w));
#if __CUDA_ARCH__ >= 860
  asm("min.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(out[8]) : "f"(v), "f"(w));
#endif
}
