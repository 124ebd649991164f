// The handler may run while another thread changes the guarded pages, but never while its own thread does: nothing here
// touches the program's memory. So a spin lock is enough, and the handler allocates nothing. Tested by
// tests/cudart/host_guard_test.cc and, with programs, by tests/programs/faulty.
#include "grader/cudart/host_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kGuardPage = 4096;

std::atomic<HostGuard*> handling{nullptr};
struct sigaction handler_before;  // what the program did with SIGSEGV

class SpinLock {
 public:
  explicit SpinLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~SpinLock() { flag_.clear(std::memory_order_release); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  std::atomic_flag& flag_;
};

// What the context of a fault at `address` says of the access.
EarlyAccess AccessIn(const void* context, uint64_t address) {
  EarlyAccess access;
  access.address = address;
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2;  // of a page fault's error code
  const greg_t* const registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  access.writes = (registers[REG_ERR] & kWrite) != 0;
  access.instruction = reinterpret_cast<const void*>(registers[REG_RIP]);
#else
  static_cast<void>(context);
#endif
  return access;
}

const void* const* StackIn(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void* const*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#else
  static_cast<void>(context);
  return nullptr;
#endif
}

void Protect(uint64_t begin, uint64_t end, int protection) {
  static_cast<void>(mprotect(reinterpret_cast<void*>(begin), end - begin, protection));
}

// The fault is none of ours: what the program had for it comes next. Without a handler the instruction is tried again,
// and ends the program as it would have without us.
void PassOn(int number, siginfo_t* info, void* context) {
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) return handler_before.sa_sigaction(number, info, context);
  if (handler_before.sa_handler == SIG_DFL || handler_before.sa_handler == SIG_IGN) {
    sigaction(number, &handler_before, nullptr);
  } else {
    handler_before.sa_handler(number);
  }
}

}  // namespace

int HostGuard::Pages::protection() const { return written ? PROT_NONE : PROT_READ; }

HostGuard::~HostGuard() {
  OpenIf([](const Pages&) { return true; });
  HostGuard* self = this;
  handling.compare_exchange_strong(self, nullptr);
}

void HostGuard::HandleFaults() {
  if (handling.exchange(this) != nullptr) return;
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    action.sa_sigaction = [](int number, siginfo_t* info, void* context) {
      HostGuard* guard = handling.load();
      const auto address = reinterpret_cast<uint64_t>(info->si_addr);
      if (guard != nullptr && guard->Note(AccessIn(context, address), StackIn(context))) return;
      // Another thread may have opened the pages since: then the instruction succeeds now.
      static std::atomic<uint64_t> last{0};
      if (last.exchange(address) == address) PassOn(number, info, context);
    };
    sigaction(SIGSEGV, &action, &handler_before);
  });
}

// Runs in the handler. False: the address is not guarded.
bool HostGuard::Note(EarlyAccess access, const void* const* stack) {
  const SpinLock lock(lock_);
  bool found = false;
  for (size_t i = 0; i < guarded_.size();) {
    const Pages& pages = guarded_[i];
    if (access.address < pages.begin || access.address >= pages.end) {
      ++i;
      continue;
    }
    if ((pages.written || access.writes) && !found && noted_count_ < kMostNoted) {
      access.stream = pages.stream;
      if (stack != nullptr) access.top_of_stack = *stack;  // only now: after an overflow there is none
      noted_[noted_count_++] = access;
    }
    found = true;
    Protect(pages.begin, pages.end, PROT_READ | PROT_WRITE);
    guarded_[i] = guarded_.back();
    guarded_.pop_back();
  }
  return found;
}

bool HostGuard::Has(uint64_t address) const {
  const auto after = memory_.upper_bound(address);
  return after != memory_.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

void HostGuard::Guard(uint64_t stream, const std::vector<HostVisibleBytes>& used) {
  Guard(stream, Reserve(stream), used);
}

Moment HostGuard::Reserve(uint64_t stream) {
  Clock clock;
  return clocks_.Begin(stream, &clock);
}

void HostGuard::Guard(uint64_t stream, const Moment& moment, const std::vector<HostVisibleBytes>& used) {
  if (!clocks_.known() || clocks_.IsPast(moment)) return;
  for (const HostVisibleBytes& bytes : used) {
    if (!Has(bytes.begin)) continue;
    const auto memory = std::prev(memory_.upper_bound(bytes.begin));
    const uint64_t end_of_memory = memory->first + memory->second;
    if (bytes.begin >= bytes.end || bytes.end > end_of_memory) continue;
    const uint64_t begin = (bytes.begin + kGuardPage - 1) / kGuardPage * kGuardPage;
    const uint64_t end =
        (bytes.end == end_of_memory ? bytes.end + kGuardPage - 1 : bytes.end) / kGuardPage * kGuardPage;
    if (begin >= end) continue;
    HandleFaults();
    const SpinLock lock(lock_);
    if (guarded_.size() >= kMostPages) return;
    const Pages pages{moment, stream, begin, end, bytes.written};
    guarded_.push_back(pages);
    for (const bool written : {false, true}) {  // where two pieces of work meet, the stricter protection holds
      for (const Pages& other : guarded_) {
        if (other.written != written || other.begin >= end || other.end <= begin) continue;
        Protect(std::max(other.begin, begin), std::min(other.end, end), other.protection());
      }
    }
  }
}

template <typename Predicate>
void HostGuard::OpenIf(Predicate predicate) {
  const SpinLock lock(lock_);
  std::vector<Pages> opened;
  std::copy_if(guarded_.begin(), guarded_.end(), std::back_inserter(opened), predicate);
  if (opened.empty()) return;
  std::erase_if(guarded_, predicate);
  for (const Pages& pages : opened) Protect(pages.begin, pages.end, PROT_READ | PROT_WRITE);
  for (const bool written : {false, true}) {
    for (const Pages& other : guarded_) {
      if (other.written == written) Protect(other.begin, other.end, other.protection());
    }
  }
}

void HostGuard::Remove(uint64_t base) {
  const auto memory = memory_.find(base);
  if (memory == memory_.end()) return;
  const uint64_t end = base + memory->second;
  OpenIf([&](const Pages& pages) { return pages.begin >= base && pages.begin < end; });
  memory_.erase(memory);
}

void HostGuard::Apply(const OrderStep& step) {
  clocks_.Apply(step);
  const bool forgets = !clocks_.known();
  OpenIf([&](const Pages& pages) { return forgets || clocks_.IsPast(pages.moment); });
}

std::vector<EarlyAccess> HostGuard::Take() {
  if (noted_count_ == 0) return {};
  const SpinLock lock(lock_);
  std::vector<EarlyAccess> taken(noted_, noted_ + noted_count_);
  noted_count_ = 0;
  return taken;
}

}  // namespace warpgrade::cudart
