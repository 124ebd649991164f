// Tests: tests/judge/child_test.cc.
#include "grader/judge/case_progress.h"

#include <sys/mman.h>
#include <unistd.h>

namespace warpgrade::judge {

std::shared_ptr<CaseProgress> CaseProgress::Map(int fd) {
  void* const at = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) {
    close(fd);
    return nullptr;
  }
  return std::shared_ptr<CaseProgress>(new CaseProgress(fd, static_cast<Shared*>(at)));
}

std::shared_ptr<CaseProgress> CaseProgress::Make() {
  const int fd = memfd_create("warpgrade-progress", MFD_CLOEXEC);
  if (fd < 0) return nullptr;
  if (ftruncate(fd, sizeof(Shared)) != 0) {
    close(fd);
    return nullptr;
  }
  return Map(fd);
}

std::shared_ptr<CaseProgress> CaseProgress::Inherited(int fd) { return Map(fd); }

CaseProgress::~CaseProgress() {
  munmap(shared_, sizeof(Shared));
  close(fd_);
}

void CaseProgress::Tell(At at) { shared_->store(at); }

CaseProgress::At CaseProgress::Now() const { return shared_->load(); }

}  // namespace warpgrade::judge
