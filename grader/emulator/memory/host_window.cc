// A hostile process may hold a descriptor. So the file is sealed against shrinking, because our own accesses would then
// fault, and against growing, so that it holds no more than was allocated. Tested by
// tests/emulator/host_window_test.cc.
#include "grader/emulator/memory/host_window.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace warpgrade::emulator {
namespace {

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

HostWindow::HostWindow(uint8_t* memory, uint64_t base, uint64_t bytes) : memory_(memory), base_(base), bytes_(bytes) {
  if (bytes > 0) free_ranges_[base] = bytes;
}

HostWindow::~HostWindow() {
  while (!mapped_.empty()) Unmap(mapped_.begin()->first);
}

Result<uint64_t> HostWindow::Map(uint64_t bytes) {
  if (bytes == 0 || bytes > bytes_) return Error{ErrorKind::kLimit, "out of memory that host and device share"};
  if (waiting_descriptors_ >= kMostWaiting) {
    return Error{ErrorKind::kLimit, fmt::format("more than {} shared allocations that nobody mapped", kMostWaiting)};
  }
  const uint64_t need = RoundUp(bytes) + kPage;  // an unmapped page separates it from the next
  auto range = free_ranges_.begin();
  while (range != free_ranges_.end() && range->second < need) ++range;
  if (range == free_ranges_.end()) return Error{ErrorKind::kLimit, "out of memory that host and device share"};

  const int fd = MakeFile(RoundUp(bytes));
  if (fd < 0) return Refused("memfd_create");
  const uint64_t address = range->first;
  if (mmap(At(address), RoundUp(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
    const Error error = Refused("mmap");
    close(fd);
    return error;
  }
  if (range->second > need) free_ranges_[address + need] = range->second - need;
  free_ranges_.erase(address);
  mapped_[address] = {need, fd};
  ++waiting_descriptors_;
  return address;
}

void HostWindow::Unmap(uint64_t address) {
  const auto found = mapped_.find(address);
  WARPGRADE_CHECK(found != mapped_.end());
  const int fd = TakeDescriptor(address);
  if (fd >= 0) close(fd);
  uint64_t bytes = found->second.bytes;
  mapped_.erase(found);
  // Map plain pages again, so that a stray access by us reads zeros and does not fault.
  void* plain =
      mmap(At(address), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  WARPGRADE_CHECK(plain != MAP_FAILED);
  auto next = free_ranges_.lower_bound(address);
  if (next != free_ranges_.end() && next->first == address + bytes) {
    bytes += next->second;
    next = free_ranges_.erase(next);
  }
  if (next != free_ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == address) {
      before->second += bytes;
      return;
    }
  }
  free_ranges_[address] = bytes;
}

int HostWindow::TakeDescriptor(uint64_t address) {
  const auto found = mapped_.find(address);
  if (found == mapped_.end() || found->second.descriptor < 0) return -1;
  --waiting_descriptors_;
  return std::exchange(found->second.descriptor, -1);
}

}  // namespace warpgrade::emulator
