#include "grader/cudart/shared_mapping.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "grader/cudart/error_state.h"

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t Pages(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

cudaError_t MapShared(Backend& backend, ErrorState& errors, DevicePtr base, uint64_t bytes) {
  int fd = -1;
  const cudaError_t error = backend.Share(base, &fd);
  if (error != cudaSuccess) return error;
  void* wanted = reinterpret_cast<void*>(base);
  void* got = mmap(wanted, Pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
  const int reason = errno;
  close(fd);
  if (got == wanted) return cudaSuccess;
  if (got != MAP_FAILED) munmap(got, Pages(bytes));  // a kernel that does not know MAP_FIXED_NOREPLACE
  return errors.Explain(cudaErrorMemoryAllocation,
                        fmt::format("the host cannot map memory that it shares with the device at {:#x}: {}", base,
                                    got == MAP_FAILED ? std::strerror(reason) : "the address is taken"));
}

void UnmapShared(DevicePtr base, uint64_t bytes) { munmap(reinterpret_cast<void*>(base), Pages(bytes)); }

}  // namespace warpgrade::cudart
