// A Backend whose device is in another process, the judge, behind a socket (wire.h).
#pragma once

#include "grader/cudart/device/backend.h"
#include "grader/cudart/device/wire.h"

namespace warpgrade::cudart {

class RemoteBackend : public Backend {
 public:
  // `fd` is a connected stream socket, not owned.
  explicit RemoteBackend(int fd) : fd_(fd) {}

  void CallFailed(int32_t error, std::string_view why) override;
  void Order(const OrderStep& step) override;

  // After the connection is lost, or an answer was not of the protocol, every call gives cudaErrorDevicesUnavailable.
  void AnnounceRead(DevicePtr from, uint64_t bytes) override;
  cudaError_t Facts(DeviceFacts* facts) override;
  cudaError_t LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) override;
  cudaError_t LoadProgram(const std::vector<std::span<const std::byte>>& units, ModuleHandle* module,
                          std::string* message) override;
  cudaError_t FindKernel(ModuleHandle module, std::string_view mangled_name, Kernel* kernel) override;
  cudaError_t FindVariable(ModuleHandle module, std::string_view name, AllocationInfo* variable) override;
  cudaError_t Allocate(uint64_t bytes, DevicePtr* pointer) override;
  cudaError_t AllocateShared(uint64_t bytes, MemoryKind kind, DevicePtr* pointer) override;
  cudaError_t Share(DevicePtr base, int* descriptor) override;
  cudaError_t Free(DevicePtr pointer) override;
  cudaError_t FindAllocation(DevicePtr pointer, std::optional<AllocationInfo>* allocation) override;
  cudaError_t MemoryInfo(uint64_t* free_bytes, uint64_t* total_bytes) override;
  cudaError_t Write(DevicePtr to, const void* from, uint64_t bytes) override;
  cudaError_t Read(void* to, DevicePtr from, uint64_t bytes) override;
  cudaError_t Copy(DevicePtr to, DevicePtr from, uint64_t bytes) override;
  cudaError_t Fill(DevicePtr to, uint8_t value, uint64_t bytes) override;
  cudaError_t Run(const Launch& launch, uint64_t* device_ns) override;
  cudaError_t Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) override;
  cudaError_t Synchronize() override;

 private:
  // Sends `request` and leaves the reply's outputs in reply_. Returns the reply's error code, or that of a broken
  // connection. `descriptor`, when given, gets the file descriptor that came with the reply, or -1.
  cudaError_t Ask(wire::Type type, const wire::Writer& request, int* descriptor = nullptr);
  // Run and Continue.
  cudaError_t AskRun(wire::Type type, const wire::Writer& request, uint64_t* device_ns);
  // Arranges that the next request also tells the judge which stream it is in, unless the judge already knows.
  void TellUse();
  // A request that begins with the host's call.
  wire::Writer WorkOfCall() const;
  // Sends a request that has no answer together with the next one.
  void SendLater(wire::Type type, const wire::Writer& payload);
  cudaError_t Break(const char* why);
  // `error`, or Break when the outputs were not read to their end.
  cudaError_t Finish(cudaError_t error, const wire::Reader& outputs);
  wire::Reader Outputs() const { return wire::Reader(std::span(reply_).subspan(sizeof(int32_t))); }

  const int fd_;
  bool broken_ = false;
  uint32_t sequence_ = 0;
  StreamUse told_use_;   // what the judge knows, including what is in unsent_
  wire::Writer unsent_;  // sent together with the next request
  std::vector<std::byte> reply_;
};

}  // namespace warpgrade::cudart
