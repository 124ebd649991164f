#include "grader/sandbox/supervisor_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <mutex>

// C++20 has no #embed, but the assembler can include a file.
asm(".section .rodata\n"
    ".balign 16\n"
    "warpgrade_supervisor_begin:\n"
    ".incbin \"" WARPGRADE_SUPERVISOR_PATH
    "\"\n"
    "warpgrade_supervisor_end:\n"
    ".previous\n");
extern "C" {
extern const char warpgrade_supervisor_begin[] __attribute__((visibility("hidden")));
extern const char warpgrade_supervisor_end[] __attribute__((visibility("hidden")));
}

namespace warpgrade::sandbox {
namespace {

// Not one of the lowest descriptors, because those are renumbered when the supervisor starts.
constexpr int kLowestImageFd = 64;

int CreateImage() {
  const int low = memfd_create("warpgrade-supervisor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (low < 0) return -1;
  const int fd = fcntl(low, F_DUPFD_CLOEXEC, kLowestImageFd);
  const int duplicate_error = errno == EINVAL ? EMFILE : errno;  // EINVAL: fewer descriptors are allowed than that
  close(low);
  if (fd < 0) {
    errno = duplicate_error;
    return -1;
  }
  for (const char* at = warpgrade_supervisor_begin; at < warpgrade_supervisor_end;) {
    const ssize_t n = write(fd, at, static_cast<size_t>(warpgrade_supervisor_end - at));
    if (n < 0) {
      const int write_error = errno;
      close(fd);
      errno = write_error;
      return -1;
    }
    at += n;
  }
  fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return fd;
}

}  // namespace

int SupervisorImageFd() {
  static std::mutex mutex;
  static int image = -1;
  const std::lock_guard lock(mutex);
  if (image < 0) image = CreateImage();  // again after a failure: the machine may have what was missing
  return image;
}

}  // namespace warpgrade::sandbox
