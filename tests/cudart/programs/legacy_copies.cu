// A kernel in a stream of its own, and then the call that the environment names. The call takes no stream, so it is in
// the legacy stream.
#include <cstdlib>
#include <string>

#include "expect.h"

__global__ void Nothing() {}

int main() {
  const std::string call = std::getenv("CALL");
  char host[4] = {}, *d_from, *d_to;
  EXPECT_OK(cudaMalloc(&d_from, sizeof host));
  EXPECT_OK(cudaMalloc(&d_to, sizeof host));
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Nothing<<<1, 1, 0, stream>>>();

  const cudaPitchedPtr box = make_cudaPitchedPtr(d_to, sizeof host, sizeof host, 1);
  const cudaExtent extent = make_cudaExtent(sizeof host, 1, 1);
  if (call == "cudaMemcpy3D") {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, sizeof host, sizeof host, 1);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_OK(cudaMemcpy3D(&copy));
  } else if (call == "cudaMemset3D") {
    EXPECT_OK(cudaMemset3D(box, 1, extent));
  } else if (call == "cudaMemcpyPeer") {
    EXPECT_OK(cudaMemcpyPeer(d_to, 0, d_from, 0, sizeof host));
  } else if (call == "cudaMemcpy") {
    EXPECT_OK(cudaMemcpy(d_to, host, sizeof host, cudaMemcpyHostToDevice));
  }
  return Failures();
}
