// Finds work that touches the same memory although nothing orders it: kernels, copies and fills in several streams;
// memory that is freed while a stream may still use it; and accesses of the host to pinned and managed memory, which
// host_guard.h sees in the program's process. Without a seed, the device does all work in the order of the calls. So
// such a program gives right results here, but may give wrong results on a GPU.
//
// Work is compared with the earlier work that the host has not waited for. If there is too much of this earlier work,
// the oldest is forgotten, and a fault may be missed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "grader/cudart/order/clocks.h"
#include "grader/cudart/order/order_step.h"
#include "grader/emulator/device.h"

namespace warpgrade::cudart {

enum class WorkKind : uint8_t {
  kKernel,
  kCopyToDevice,
  kCopyFromDevice,
  kCopyOnDevice,
  kFill,
  kTake,
  kGiveBack,
  kBefore,  // of a call
  kAfter    // of a call
};

struct StreamWork {
  WorkKind kind = WorkKind::kKernel;
  uint64_t stream = 0;
  bool host_waits = false;  // the call returns when the work is done
  std::string kernel;       // demangled; "" of other kinds
  emulator::TouchedBytes touched;
  uint64_t call = 0;    // the place of the host's call (emulator::HostPlace)
  uint64_t branch = 0;  // of a graph, as a stream of its own; 0: it is the stream's own work
};

class StreamOrder {
 public:
  static constexpr size_t kMostWork = 512;
  static constexpr size_t kMostRanges = size_t{1} << 20;  // of all remembered work together, and of all logged work
  // Parts of copies are joined until the work has so many ranges: each part is inserted in order, which takes longer
  // the more there are.
  static constexpr size_t kMostJoined = 4096;
  static constexpr size_t kMostLogged = size_t{1} << 16;  // steps and pieces of work together

  // `find` gives the live allocation around an address, for messages and for the size of what is freed. `report` gets
  // each finding, of kind kStreamRace or kHostRace.
  StreamOrder(std::function<std::optional<emulator::AllocationInfo>(uint64_t)> find,
              std::function<void(const emulator::Finding&)> report);

  // False while the program has only the default stream, which orders everything, and no memory that the host can
  // access too. Then no work needs to be recorded.
  bool watches() const { return watches_ && clocks_.known(); }
  // The program has memory that the host can access too, or work in `stream`: see watches().
  void UseHostVisible() { watches_ = true; }
  void Use(uint64_t stream) { watches_ = watches_ || stream != Clocks::kLegacy; }

  void Apply(const OrderStep& step);
  // The program's function is called, and its contract is that all its work goes onto `stream`. So the work that wrote
  // these bytes, the function's arrays, counts as work in `stream` for which the host has not waited. Work in another
  // stream that uses the arrays is a race, unless an event or the host orders it. The call ends when `stream` records
  // the event that the program recorded last before its first call. The arrays belong to the stream again from there
  // on, so work of the call that it does not wait for is a race too.
  void BeginCall(uint64_t stream, emulator::TouchedBytes arrays);
  // Compares the work with all earlier work, and remembers it. If a place in the order was reserved for it
  // (OrderOp::kReserve), later work is compared only after it. So the findings do not depend on the time at which work
  // is done. REQUIRES: watches().
  void Add(StreamWork work);
  // The ticket of the work that is being done (OrderOp::kDo); 0: the work has its place here.
  uint64_t doing() const { return doing_; }
  // Call this for memory that is freed. Earlier work on this memory is not compared with the work of its next owner.
  void Forget(uint64_t base, uint64_t bytes);
  // From now on, a fault that was reported before is reported again when it is seen again. Messages number streams from
  // here on: "stream 1" is the next stream that is made.
  void ForgetReports();

 private:
  static constexpr uint64_t kBuiltIn = 2;  // the largest number of a stream that the program did not make
  struct Past {
    Moment moment;
    StreamWork work;
  };
  // A step or work that has its place in the order, but has not been handled yet.
  struct Logged {
    uint64_t ticket = 0;  // 0: not work that is done later
    bool done = true;
    std::optional<OrderStep> step;
    std::vector<StreamWork> work;
    emulator::ByteRange forgotten;
  };
  // Handles the entry now, or later if work before it is not done.
  void Take(Logged entry);
  void LookAt(Logged& entry);
  // Takes note of work that is added to the log. If the log is too large, the order is not known any more.
  void BoundLog(const StreamWork& work);
  void GiveUp();
  Logged* FindLogged(uint64_t ticket);
  void ApplyNow(const OrderStep& step);
  void AddNow(StreamWork work);
  void ForgetNow(const emulator::ByteRange& bytes);

  // Finds the latest earlier work that touches the same bytes and does not come before `clock`: one finding is enough.
  void CompareWithPast(const StreamWork& work, const Clock& clock);
  // If both touch the same bytes, reports this and returns true. REQUIRES: nothing orders the two.
  bool Compare(const StreamWork& earlier, const StreamWork& later);
  void Report(const StreamWork& earlier, const StreamWork& later, const emulator::ByteRange& bytes, bool earlier_writes,
              bool later_writes);
  void ReportHost(const OrderStep& access);
  // The function has returned: compares the work of the call with what may come after it in the call's stream. But not
  // if the call has a race already: what orders the two may also be what the stream of the call waits for.
  void EndCall();
  // The calls that would order the two.
  std::string Remedy(const StreamWork& earlier, const StreamWork& later) const;
  std::string NameOf(uint64_t stream) const;
  std::string StreamOf(const StreamWork& work) const;
  std::string Place(const emulator::ByteRange& bytes) const;
  // If `work` and the newest work are parts of one copy or fill, adds `work` to the newest work and returns true.
  bool Continue(const StreamWork& work);
  void DropPast();
  void DropOldest();

  const std::function<std::optional<emulator::AllocationInfo>(uint64_t)> find_;
  const std::function<void(const emulator::Finding&)> report_;
  Clocks clocks_;
  bool watches_ = false;
  std::unordered_map<uint64_t, uint64_t> branch_of_;  // by stream
  uint64_t newest_stream_ = kBuiltIn, named_from_ = kBuiltIn;
  uint64_t call_stream_ = Clocks::kLegacy;  // of BeginCall
  emulator::TouchedBytes arrays_;           // of the call; empty: there is none
  std::optional<uint64_t> end_event_;       // see BeginCall
  bool had_call_ = false;
  bool call_has_race_ = false;  // since BeginCall
  bool may_continue_ = false;   // no step came since the newest work
  Clock newest_clock_;
  std::deque<Past> past_;   // oldest first
  std::deque<Logged> log_;  // oldest first; the first is work that is not done
  uint64_t doing_ = 0;
  size_t ranges_ = 0;                           // of past_
  size_t logged_work_ = 0, logged_ranges_ = 0;  // since log_ was empty
  std::set<std::tuple<WorkKind, std::string, WorkKind, std::string>> reported_;
  std::set<std::tuple<WorkKind, std::string, OrderOp>> reported_of_host_;
};

}  // namespace warpgrade::cudart
