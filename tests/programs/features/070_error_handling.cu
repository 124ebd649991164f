// Errors that are not sticky: a call returns its own, cudaGetLastError tells and clears, and work goes on afterwards.
#include "feature.h"

__global__ void AddOne(int* values) { values[threadIdx.x] += 1; }

__global__ void __launch_bounds__(64) Bounded(int* values) { values[threadIdx.x] += 1; }

// What a launch gives that no device can do: drivers differ in the name that they have for it.
bool IsRefusal(cudaError_t error) { return error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue; }

// Both what the last error is and that it was cleared by asking.
bool LastErrorWas(cudaError_t error) { return cudaGetLastError() == error && cudaGetLastError() == cudaSuccess; }

int main() {
  DeviceArray<int> values(32);
  values.Fill(0);
  AddOne<<<1, 2048>>>(values);  // more threads than a block can have
  Expect(IsRefusal(cudaPeekAtLastError()), "looking does not clear");
  Expect(IsRefusal(cudaGetLastError()) && cudaGetLastError() == cudaSuccess, "too many threads");
  AddOne<<<0, 32>>>(values);
  Expect(IsRefusal(cudaGetLastError()) && cudaGetLastError() == cudaSuccess, "an empty grid");
  AddOne<<<1, 32, 1 << 20>>>(values);
  Expect(LastErrorWas(cudaErrorInvalidValue), "too much shared memory");
  Bounded<<<1, 128>>>(values);
  Expect(cudaGetLastError() != cudaSuccess, "more threads than the launch bound");

  void* memory = nullptr;
  Expect(cudaMalloc(&memory, size_t{1} << 50) == cudaErrorMemoryAllocation, "too much memory");
  Expect(LastErrorWas(cudaErrorMemoryAllocation), "and it is the last error");
  Expect(cudaMemcpy(values, values, 4, static_cast<cudaMemcpyKind>(99)) == cudaErrorInvalidMemcpyDirection,
         "a direction");
  Expect(LastErrorWas(cudaErrorInvalidMemcpyDirection), "and it is the last error");
  Expect(cudaSetDevice(-1) == cudaErrorInvalidDevice, "a device");
  Expect(LastErrorWas(cudaErrorInvalidDevice), "and it is the last error");
  Expect(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0, "a name");
  Expect(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0, "a text");
  Expect(std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(123456)), "unrecognized error code") == 0, "no name");

  AddOne<<<1, 32>>>(values);  // nothing of all this was fatal
  FINISH();
  int got[32], want[32];
  for (int& value : want) value = 1;
  values.CopyTo(got);
  ExpectSame("values", got, want, 32);
  Out(got, sizeof got);
  return Verdict();
}
