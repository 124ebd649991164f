// What the language can ask of PTX: calls of every kind, initialisers, memory spaces, control flow, inline PTX.
#include <cassert>
#include <cstdio>

struct Shape {
  __device__ virtual int Area(int scale) { return scale; }
};
struct Square : Shape {
  int side;
  __device__ int Area(int scale) override { return side * side * scale; }
};

__device__ __noinline__ float Double(float x) { return 2 * x; }
__device__ __noinline__ float Square1(float x) { return x * x; }
__device__ int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

struct Record {
  char tag;
  int* target;
  float (*function)(float);
  double value;
  const char* name;
};
struct __attribute__((packed)) Packed {
  char tag;
  int* target;
};

__device__ int d_array[100];
__device__ float (*d_table[2])(float) = {Double, Square1};
__device__ Record d_records[2] = {{1, d_array + 5, Double, 1.5, "first"}, {2, nullptr, nullptr, -0.0, "second"}};
__device__ Packed d_packed = {1, d_array + 2};
__device__ int* d_pointer = d_array + 3;
__device__ double d_doubles[2][3] = {{1, 2, 3}, {4}};
__device__ volatile int d_volatile;
__managed__ int d_managed = 4;
__constant__ float c_weights[5] = {1, -2, 3};

__global__ void Calls(float* out, int n, int which, Shape* shape) {
  Square square;
  square.side = n;
  Shape* chosen = n > 3 ? shape : &square;
  out[0] = d_table[which](out[1]) + Fibonacci(n) + chosen->Area(n);
  int* fresh = static_cast<int*>(malloc(n));
  fresh[0] = n;
  out[1] = fresh[0];
  free(fresh);
  printf("%d %s\n", n, d_records[which].name);
  assert(n > 0);
}

__global__ void __launch_bounds__(256, 2) Memory(int* out, Record record, int4 quad, const float* __restrict__ in) {
  __shared__ double s_tile[32][33];
  extern __shared__ __align__(16) unsigned char s_dynamic[];
  const int i = threadIdx.x;
  s_tile[i][i + 1] = in[i];
  __syncthreads();
  out[i] = s_tile[i + 1][i] + s_dynamic[i] + record.value + quad.w + d_records[i].value + d_doubles[1][i];
  int local[40];
  for (int j = 0; j < 40; ++j) local[j] = out[j * i];
  out[7] = local[out[9]] + c_weights[i] + *d_packed.target + *d_pointer;
  int* stack = static_cast<int*>(alloca(i * 4));
  for (int j = 0; j < i; ++j) stack[j] = out[j];
  out[8] = stack[out[2]] + d_managed;
  d_volatile = 3;
  reinterpret_cast<float4*>(out)[5] = reinterpret_cast<const float4*>(in)[i];
}

__global__ void Control(int* out, int n) {
  int x = out[n];
  switch (n) {
    case 0:
      x *= 11;
      break;
    case 1:
      x ^= 5;
      break;
    case 2:
      x += out[9];
      break;
    case 3:
      x = out[x];
      break;
    case 4:
      x = n % x;
      break;
    case 5:
      x = __popc(x);
      break;
    default:
      x <<= 3;
  }
  if (x == 77) __trap();
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  for (int round = 0; round < 2; ++round) {
    asm volatile(
        "{\n\t.reg .pred P1;\n\tWAIT:\n\tsetp.ne.b32 P1, %0, 0;\n\t@P1 bra.uni DONE;\n\tbra.uni WAIT;\n\tDONE:\n\t}" ::
            "r"(x));
  }
  int agree;
  out[1] = __match_all_sync(~0u, x, &agree) + agree + lane + __shfl_up_sync(~0u, x, 1) + __ballot_sync(~0u, x > 3);
  out[2] = atomicCAS(out, 1, 2) + atomicMax(out + 1, 5) + __syncthreads_count(x) + __ldg(out + 3) + clock64();
  out[3] = sinf(x) + powf(x, 3) + rsqrtf(x) + __umulhi(x, n) + __dp4a(x, n, 3) + __byte_perm(x, n, lane);
}
