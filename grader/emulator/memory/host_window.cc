// A hostile process may hold a descriptor. So the file is sealed against shrinking, because our own accesses would then
// fault, and against growing, so that it holds no more than was allocated. Tested by
// tests/emulator/host_window_test.cc.
#include "grader/emulator/memory/host_window.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kLeastGuard = uint64_t{256} << 10;
constexpr size_t kMostWaiting = 256;  // a module's managed variables, or allocations that a peer never fetches

uint64_t RoundUp(uint64_t bytes) { return (bytes + HostWindow::kPage - 1) / HostWindow::kPage * HostWindow::kPage; }

// Returns -1 and sets errno if the system refuses.
int MakeFile(uint64_t bytes) {
  const int fd = memfd_create("warpgrade device memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  const bool made = ftruncate(fd, static_cast<off_t>(bytes)) == 0 &&
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  if (made) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

Error Refused(const char* what) {
  return {ErrorKind::kLimit, fmt::format("memory that host and device share: {}: {}", what, std::strerror(errno))};
}

}  // namespace

HostWindow::HostWindow(uint8_t* memory, uint64_t base, uint64_t bytes)
    : memory_(memory), base_(base), bytes_(bytes), free_(base, bytes, FreeRanges::Reuse::kLate) {}

HostWindow::~HostWindow() {
  while (!mapped_.empty()) Unmap(mapped_.begin()->first);
}

Result<uint64_t> HostWindow::Map(uint64_t bytes) {
  if (bytes == 0 || bytes > bytes_) return Error{ErrorKind::kLimit, "out of memory that host and device share"};
  if (waiting_descriptors_ >= kMostWaiting) {
    return Error{ErrorKind::kLimit, fmt::format("more than {} shared allocations that nobody mapped", kMostWaiting)};
  }
  uint64_t room = RoundUp(bytes) + std::max(RoundUp(bytes), kLeastGuard);
  std::optional<uint64_t> address = free_.Take(room, kPage);
  if (!address) {
    room = RoundUp(bytes) + kPage;
    address = free_.Take(room, kPage);
  }
  if (!address) return Error{ErrorKind::kLimit, "out of memory that host and device share"};

  const int fd = MakeFile(RoundUp(bytes));
  if (fd < 0 ||
      mmap(At(*address), RoundUp(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
    const Error error = Refused(fd < 0 ? "memfd_create" : "mmap");
    if (fd >= 0) close(fd);
    free_.GiveBack(*address, room);
    return error;
  }
  mapped_[*address] = {room, fd};
  ++waiting_descriptors_;
  return *address;
}

void HostWindow::Unmap(uint64_t address) {
  const auto found = mapped_.find(address);
  WARPGRADE_CHECK(found != mapped_.end());
  const int fd = TakeDescriptor(address);
  if (fd >= 0) close(fd);
  const uint64_t bytes = found->second.bytes;
  mapped_.erase(found);
  // Map plain pages again, so that a stray access by us reads zeros and does not fault.
  void* plain =
      mmap(At(address), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  WARPGRADE_CHECK(plain != MAP_FAILED);
  free_.GiveBack(address, bytes);
}

int HostWindow::TakeDescriptor(uint64_t address) {
  const auto found = mapped_.find(address);
  if (found == mapped_.end() || found->second.descriptor < 0) return -1;
  --waiting_descriptors_;
  return std::exchange(found->second.descriptor, -1);
}

}  // namespace warpgrade::emulator
