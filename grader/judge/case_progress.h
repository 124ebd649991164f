// How far a rung is: a few numbers in memory that the judge's process shares with the process that waits for it.
// Student code cannot reach them.
#pragma once

#include <atomic>
#include <memory>

namespace warpgrade::judge {

class CaseProgress {
 public:
  // Memory that a child can inherit by its descriptor. nullptr: the machine has none, so nobody learns how far it is.
  static std::shared_ptr<CaseProgress> Make();
  // The same memory, in the child. nullptr as above. Takes the descriptor.
  static std::shared_ptr<CaseProgress> Inherited(int fd);
  ~CaseProgress();
  CaseProgress(const CaseProgress&) = delete;
  CaseProgress& operator=(const CaseProgress&) = delete;

  int fd() const { return fd_; }

  // Which case runs now, from 1, of how many. 0: none.
  struct At {
    int number = 0, of = 0;
  };
  void Tell(At at);
  At Now() const;

 private:
  using Shared = std::atomic<At>;  // both at once, so that no reader sees the number of one and the count of another
  static_assert(Shared::is_always_lock_free);
  CaseProgress(int fd, Shared* shared) : fd_(fd), shared_(shared) {}
  static std::shared_ptr<CaseProgress> Map(int fd);

  int fd_;
  Shared* shared_;
};

}  // namespace warpgrade::judge
