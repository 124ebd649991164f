#include "grader/judge/gpu_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace warpgrade::judge {
namespace {

constexpr int kRetryMs = 10;

Result<int> OpenLockFile(const std::string& path) {
  // Every user of the machine shares the GPU, so every one of them may lock: umask must not take that away.
  int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd >= 0) static_cast<void>(fchmod(fd, 0666));
  // In a sticky folder the system may refuse O_CREAT on another user's file.
  if (fd < 0) fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return Error{ErrorKind::kMachine, path + ": cannot be opened to lock the GPU: " + std::strerror(errno)};
  }
  return fd;
}

Status LockFile(int fd, int operation, const std::atomic<bool>* cancel) {
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return Error{ErrorKind::kMachine, std::string("cannot lock the GPU: ") + std::strerror(errno)};
    }
    if (cancel != nullptr && *cancel) return Error{ErrorKind::kMachine, "grading was stopped"};
    poll(nullptr, 0, kRetryMs);
  }
  return Status();
}

}  // namespace

Result<GpuLock> GpuLock::Take(const std::string& uuid, Mode mode, const std::atomic<bool>* cancel) {
  const std::string stem = "/tmp/warpgrade-" + uuid;
  const Result<int> gate_fd = OpenLockFile(stem + ".gate");
  if (!gate_fd) return gate_fd.error();
  const GpuLock gate(*gate_fd);
  if (Status s = LockFile(*gate_fd, LOCK_EX, cancel); !s.ok()) return s.error();
  const Result<int> fd = OpenLockFile(stem + ".lock");
  if (!fd) return fd.error();
  GpuLock lock(*fd);
  if (Status s = LockFile(*fd, mode == Mode::kExclusive ? LOCK_EX : LOCK_SH, cancel); !s.ok()) return s.error();
  return lock;
}

GpuLock::GpuLock(GpuLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

GpuLock::~GpuLock() {
  if (fd_ >= 0) close(fd_);  // and with it goes the lock
}

}  // namespace warpgrade::judge
