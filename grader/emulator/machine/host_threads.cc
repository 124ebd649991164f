// Threads that stay alive from launch to launch, so that a launch need not start them. They sleep in between. Tested by
// tests/emulator/host_threads_test.cc.
#include "grader/emulator/machine/host_threads.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "grader/result/result.h"

namespace warpgrade::emulator {
namespace {

// Threads that start while this lives block signals from outside, because a program that handles such a signal expects
// it on one of its own threads. Signals for a thread's own faults stay unblocked: a blocked one would kill the process
// without calling the program's handler.
class ScopedSignalBlock {
 public:
  ScopedSignalBlock() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&all, fault);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~ScopedSignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ScopedSignalBlock(const ScopedSignalBlock&) = delete;
  ScopedSignalBlock& operator=(const ScopedSignalBlock&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

// The threads that one process has started.
class HostThreads::Pool {
 public:
  Pool() = default;
  // REQUIRES: IsOurs().
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  bool IsOurs() const { return process_ == getpid(); }
  size_t threads() const { return kept_.size() + 1; }
  void Grow(size_t threads);
  void Run(size_t threads, const std::function<void(size_t)>& work) noexcept;

 private:
  struct Kept {
    std::condition_variable wake;
    bool has_work = false;
    std::thread thread;
  };

  void Stay(Kept& self, size_t number) noexcept;

  const pid_t process_ = getpid();
  std::deque<Kept> kept_;  // thread n is at n - 1 and keeps its place when more threads are added
  std::mutex mutex_;       // guards the members below, and has_work
  std::condition_variable done_;
  const std::function<void(size_t)>* work_ = nullptr;
  std::fenv_t environment_;  // of the caller
  size_t working_ = 0;       // how many threads have work
  bool over_ = false;
};

HostThreads::Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  for (Kept& kept : kept_) {
    kept.wake.notify_one();
    kept.thread.join();
  }
}

void HostThreads::Pool::Grow(size_t threads) {
  if (this->threads() >= threads) return;
  const ScopedSignalBlock block;
  while (this->threads() < threads) {
    const size_t number = this->threads();
    Kept& kept = kept_.emplace_back();
    try {
      kept.thread = std::thread([this, &kept, number] { Stay(kept, number); });
    } catch (const std::exception&) {  // the system has no thread or no memory for it
      kept_.pop_back();
      return;
    }
  }
}

void HostThreads::Pool::Run(size_t threads, const std::function<void(size_t)>& work) noexcept {
  {
    const std::lock_guard lock(mutex_);
    WARPGRADE_CHECK(work_ == nullptr);  // only one Run at a time
    work_ = &work;
    std::fegetenv(&environment_);
    working_ = threads - 1;
    for (size_t n = 1; n < threads; ++n) kept_[n - 1].has_work = true;
  }
  for (size_t n = 1; n < threads; ++n) kept_[n - 1].wake.notify_one();
  work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
  work_ = nullptr;
}

void HostThreads::Pool::Stay(Kept& self, size_t number) noexcept {
  pthread_setname_np(pthread_self(), kThreadName);
  std::unique_lock lock(mutex_);
  for (;;) {
    self.wake.wait(lock, [this, &self] { return self.has_work || over_; });
    if (!self.has_work) return;
    const std::function<void(size_t)>& work = *work_;
    std::fesetenv(&environment_);
    lock.unlock();
    work(number);
    lock.lock();
    self.has_work = false;
    if (--working_ == 0) done_.notify_one();
  }
}

HostThreads::HostThreads() = default;

// A forked child does not have its parent's threads: it cannot join them, and one of them may have held the mutex.
HostThreads::~HostThreads() {
  if (pool_ != nullptr && !pool_->IsOurs()) static_cast<void>(pool_.release());
}

size_t HostThreads::Reserve(size_t wanted) {
  WARPGRADE_CHECK(wanted > 0);
  if (wanted == 1) return 1;
  if (pool_ != nullptr && !pool_->IsOurs()) static_cast<void>(pool_.release());  // see the destructor
  if (pool_ == nullptr) pool_ = std::make_unique<Pool>();
  pool_->Grow(wanted);
  return std::min(wanted, pool_->threads());
}

void HostThreads::Run(size_t threads, const std::function<void(size_t)>& work) {
  WARPGRADE_CHECK(threads > 0);
  if (threads == 1) return work(0);
  WARPGRADE_CHECK(pool_ != nullptr && pool_->IsOurs() && threads <= pool_->threads());
  pool_->Run(threads, work);
}

}  // namespace warpgrade::emulator
