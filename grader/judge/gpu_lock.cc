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
constexpr char kWhatToDo[] =
    "; make this path writable for every user who grades on this machine, or remove what is there";

Result<int> OpenLockFile(const std::string& path) {
  // All users of the machine share the GPU, so all of them must be able to lock it, whatever the umask is.
  int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd >= 0) static_cast<void>(fchmod(fd, 0666));
  // In a sticky folder the system may refuse O_CREAT on another user's file.
  if (fd < 0) fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return Error{ErrorKind::kMachine, path + ": cannot be opened to lock the GPU: " + std::strerror(errno) + kWhatToDo};
  }
  return fd;
}

}  // namespace

Result<GpuLock> GpuLock::Take(const std::string& uuid, Use use, const std::atomic<bool>* cancel,
                              const std::string& folder) {
  GpuLock lock;
  const std::string stem = folder + "/warpgrade-";
  if (Status s = lock.Add(stem + "host", use == Use::kGpuAndHost, cancel); !s.ok()) return s.error();
  if (use == Use::kEmulate) return lock;
  if (Status s = lock.LockFile(stem + uuid + ".lock", /*exclusive=*/true, cancel); !s.ok()) return s.error();
  return lock;
}

Status GpuLock::Add(const std::string& stem, bool exclusive, const std::atomic<bool>* cancel) {
  GpuLock gate;
  if (Status s = gate.LockFile(stem + ".gate", true, cancel); !s.ok()) return s;
  return LockFile(stem + ".lock", exclusive, cancel);
}

Status GpuLock::LockFile(const std::string& path, bool exclusive, const std::atomic<bool>* cancel) {
  const Result<int> fd = OpenLockFile(path);
  if (!fd) return fd.error();
  fds_.push_back(*fd);
  while (flock(*fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return Error{ErrorKind::kMachine, path + ": cannot lock the GPU: " + std::strerror(errno) + kWhatToDo};
    }
    if (cancel != nullptr && *cancel) return Error{ErrorKind::kMachine, "grading was stopped"};
    poll(nullptr, 0, kRetryMs);
  }
  return Status();
}

GpuLock::GpuLock(GpuLock&& other) noexcept : fds_(std::exchange(other.fds_, {})) {}

GpuLock::~GpuLock() {
  for (const int fd : fds_) close(fd);  // closing the file also releases its lock
}

}  // namespace warpgrade::judge
