// What device code may ask of its machine: memory of its own, virtual functions, lambdas, printf, special registers,
// clocks, local arrays, initialised variables, clusters.
#include <cooperative_groups.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <new>

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float Area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float Area() const override { return side * side; }
};
struct Disc : Shape {
  float radius;
  __device__ explicit Disc(float r) : radius(r) {}
  __device__ float Area() const override { return 3 * radius * radius; }
};
extern "C" __global__ void virtual_functions(float* out) {
  Shape* s = threadIdx.x % 2 == 0 ? static_cast<Shape*>(new Square(threadIdx.x)) : new Disc(threadIdx.x);
  out[threadIdx.x] = s->Area();
  delete s;
}
// A list that one thread of each block makes and all read.
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void heap(int* out, int n) {
  __shared__ Node* head;
  if (threadIdx.x == 0) {
    head = nullptr;
    for (int k = 0; k < n; ++k) head = new Node{k + static_cast<int>(blockIdx.x), head};
  }
  __syncthreads();
  int sum = 0;
  Node* first = head;  // its own copy: nvcc would read the shared one again ahead of the condition below
  for (Node* at = first; at != nullptr; at = at->next) sum += at->value;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  int* mine = static_cast<int*>(malloc(16 * sizeof(int)));
  for (int k = 0; k < 16; ++k) mine[k] = k * threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] += mine[15];
  free(mine);
  free(nullptr);
  __syncthreads();
  if (threadIdx.x == 0) {
    while (first != nullptr) {
      Node* next = first->next;
      delete first;
      first = next;
    }
  }
}
extern "C" __global__ void exhausted(int* out) { out[0] = malloc(size_t{1} << 40) == nullptr; }
extern "C" __global__ void bad_free(int* p) { free(p); }

template <typename F>
__device__ __noinline__ int Apply(F f, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += f(k);
  return sum;
}
extern "C" __global__ void lambdas(int* out, int n) {
  int t = threadIdx.x;
  out[t] = Apply([t](int k) { return k * t; }, n) + Apply([=, &t](int k) { return k + t + n; }, n);
}
extern "C" __global__ void stack(int* out, int n) {
  int* a = static_cast<int*>(alloca(n * sizeof(int)));
  for (int k = 0; k < n; ++k) a[k] = k * threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[n - 1 - k];
  out[threadIdx.x] = sum;
}
extern "C" __global__ void local_arrays(const int* in, int* out) {
  int values[32];
  double other[4] = {1, 2, 3, 4};
  for (int k = 0; k < 32; ++k) values[k] = in[k];
  for (int k = 0; k < 32; ++k) values[in[k] & 31] += values[(in[k] + threadIdx.x) & 31];
  out[threadIdx.x] = values[threadIdx.x & 31] + static_cast<int>(other[in[threadIdx.x] & 3]);
}

struct Table {
  int count;
  const char* name;
  const int* values;
  float scale;
};
__device__ int table_values[4] = {10, 20, 30, 40};
__constant__ float weights[5] = {0.5f, 1, 1.5f};
__device__ Table table = {4, "table", table_values + 1, 0.25f};
__constant__ const int* pointer = &table_values[3];
__device__ char text[] = "hello";
extern "C" __global__ void variables(float* out) {
  out[threadIdx.x] = table.values[threadIdx.x % 3] * table.scale + weights[threadIdx.x % 5] + *pointer +
                     table.name[threadIdx.x % 5] + text[threadIdx.x % 6] + table.count;
}
struct Settings {
  int offset[4];
  double factor;
};
extern "C" __global__ void grid_constant(const __grid_constant__ Settings s, double* out) {
  const Settings* p = &s;
  out[threadIdx.x] = p->offset[threadIdx.x % 4] * p->factor;
}
extern "C" __global__ void __launch_bounds__(128, 2) bounded(float* __restrict__ out, const float* __restrict__ in) {
  out[threadIdx.x] = in[threadIdx.x] * 2;
}
extern "C" __global__ void prints(long long v, double d, const char* s) {
  printf("%d %i %u %x %X %o %c %% %5d|%-5d|%05d|%+d\n", 1, -2, 3u, 255, 255, 8, 'c', 42, 42, 42, 42);
  printf("%lld %llu %llx %ld %hd %hhd %p\n", v, v, v, static_cast<long>(v), static_cast<short>(v),
         static_cast<signed char>(v), reinterpret_cast<void*>(0x1234));
  printf("%f %.3f %e %g %10.2f|%-10.1f|%a %s %*d\n", d, d, d, d, d, d, d, "text", 6, 7);
  printf("plain\n");
}
extern "C" __global__ void asserts(int v) { assert(v == 3 && "v is three"); }
extern "C" __global__ void traps(int v) {
  if (v == 1) __trap();
  if (v == 2) __brkpt();
  if (v == 3) asm volatile("exit;");
}
#define READ(name)                                   \
  asm volatile("mov.u32 %0, %%" name ";" : "=r"(r)); \
  out[k++] = r
#define READ64(name)                                 \
  asm volatile("mov.u64 %0, %%" name ";" : "=l"(w)); \
  out[k++] = w
extern "C" __global__ void special_registers(unsigned long long* out) {
  unsigned r;
  unsigned long long w;
  int k = 0;
  READ("smid");
  READ("nsmid");
  READ("warpid");
  READ("nwarpid");
  READ("laneid");
  READ("dynamic_smem_size");
  READ("total_smem_size");
  READ("lanemask_lt");
  READ("lanemask_le");
  READ("lanemask_gt");
  READ("lanemask_ge");
  READ("lanemask_eq");
  READ("clock");
  READ("clock_hi");
  READ64("clock64");
  READ64("globaltimer");
  READ("globaltimer_lo");
  READ("globaltimer_hi");
  READ64("gridid");
  READ("ctaid.x");
  READ("nctaid.z");
  READ("tid.y");
  READ("envreg0");
  READ("envreg31");
#if __CUDA_ARCH__ >= 900
  READ("cluster_ctarank");
  READ("cluster_nctarank");
  READ("clusterid.x");
  READ("nclusterid.x");
  READ("cluster_ctaid.x");
  READ("cluster_nctaid.x");
  READ("aggr_smem_size");
#endif
  out[k++] = clock() + clock64();
}
extern "C" __global__ void spaces(int* global, int* out) {
  __shared__ int s[4];
  int l[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  __constant__ static int c[2] = {1, 2};
  s[threadIdx.x & 3] = 1;
  const void* p[4] = {global, &s[threadIdx.x & 1], &l[threadIdx.x & 3], &c[threadIdx.x & 1]};
  const void* q = p[(threadIdx.x >> 1) & 3];
  out[threadIdx.x] = __isGlobal(q) + 2 * __isShared(q) + 4 * __isLocal(q) + 8 * __isConstant(q) +
                     static_cast<int>(__cvta_generic_to_global(q) == reinterpret_cast<size_t>(global));
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster(int* out) {
  namespace cg = cooperative_groups;
  __shared__ int value;
  auto c = cg::this_cluster();
  value = blockIdx.x;
  c.sync();
  int* other = c.map_shared_rank(&value, c.block_rank() ^ 1);
  out[blockIdx.x] = *other + c.num_blocks() * 10 + c.dim_blocks().x;
  c.sync();
}
extern "C" __global__ void dependent(int* out) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  out[threadIdx.x] = 1;
}
#endif
