#include <vector>

#include "expect.h"

// Element (x, y, z) of a pitched box gets 100 z + 10 y + x.
__global__ void Number(cudaPitchedPtr box, cudaExtent extent) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (x < extent.width / sizeof(int) && y < extent.height && z < extent.depth) {
    char* row = static_cast<char*>(box.ptr) + (z * extent.height + y) * box.pitch;
    reinterpret_cast<int*>(row)[x] = 100 * z + 10 * y + x;
  }
}

int main() {
  const cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
  cudaPitchedPtr d_box;
  EXPECT_OK(cudaMalloc3D(&d_box, extent));
  EXPECT(d_box.pitch == 512 && d_box.xsize == extent.width && d_box.ysize == 4);
  EXPECT_OK(cudaMemset3D(d_box, 0, extent));
  Number<<<1, dim3(8, 4, 4)>>>(d_box, extent);

  std::vector<int> host(5 * 4 * 3, -1);
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = d_box;
  parameters.dstPtr = make_cudaPitchedPtr(host.data(), 5 * sizeof(int), 5 * sizeof(int), 4);
  parameters.extent = extent;
  parameters.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&parameters));
  EXPECT(host[0] == 0 && host[4] == 4 && host[5] == 10 && host[20] == 100 && host[59] == 234);

  // A part: the last two columns of the middle two rows of the last slice.
  std::vector<int> part(4, -1);
  parameters.srcPos = make_cudaPos(3 * sizeof(int), 1, 2);
  parameters.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2 * sizeof(int), 2);
  parameters.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
  EXPECT_OK(cudaMemcpy3DAsync(&parameters, nullptr));
  EXPECT(part[0] == 213 && part[1] == 214 && part[2] == 223 && part[3] == 224);

  parameters.srcPos = make_cudaPos(0, 0, 3);
  EXPECT_CODE(cudaMemcpy3D(&parameters), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(d_box.ptr));
  return Failures();
}
