// Tested by tests/cudart/order/stream_order_test.cc, and with programs by tests/programs/faulty and tricky. A kernel
// that has fences may order itself with another kernel that runs at the same time: it waits for a value that the other
// one writes. So two kernels are not compared if one of them has fences, and one of them uses a value that the other
// one has written by a strong access. An atomic whose old value nobody uses waits for nothing.
#include "grader/cudart/order/stream_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpgrade::cudart {
namespace {

using emulator::ByteRange;
using emulator::ByteRanges;
using emulator::TouchedBytes;

constexpr uint64_t kHost = ~uint64_t{0};  // in place of a stream

const char* Noun(WorkKind kind) {
  switch (kind) {
    case WorkKind::kKernel:
      return "the kernel";
    case WorkKind::kCopyToDevice:
      return "the copy to the device";
    case WorkKind::kCopyFromDevice:
      return "the copy to the host";
    case WorkKind::kCopyOnDevice:
      return "the copy on the device";
    case WorkKind::kFill:
      return "the memset";
    case WorkKind::kTake:
      return "cudaMallocAsync";
    case WorkKind::kGiveBack:
      return "the free";
    case WorkKind::kBefore:
      return "the work before the call";
    case WorkKind::kAfter:
      return "the work after the call";
  }
  return "";
}

std::string NameOfWork(const StreamWork& work) {
  return work.kind == WorkKind::kKernel ? work.kernel : std::string(Noun(work.kind));
}

bool MayOrderThemselves(const TouchedBytes& a, const TouchedBytes& b) {
  if (!a.fences && !b.fences) return false;
  return a.strong_writes.Overlap(b.strong_reads) || a.strong_reads.Overlap(b.strong_writes);
}

// The kernel may have waited for what the other work wrote, for example a flag that a copy sets.
bool Awaited(const TouchedBytes& kernel, const TouchedBytes& other) {
  return kernel.waited &&
         (kernel.strong_reads.Overlap(other.writes) || kernel.strong_reads.Overlap(other.strong_writes));
}

// Appends `text` to the message, where the line of `call` may be inserted behind it.
void SayWithPlace(const std::string& text, uint64_t call, emulator::Finding* finding) {
  finding->message += text;
  finding->host_places.push_back({call, finding->message.size()});
}

// What `work` does to the bytes, for a message.
const char* Verb(const StreamWork& work, bool writes) {
  if (work.kind == WorkKind::kTake) return "allocates";
  if (work.kind == WorkKind::kGiveBack) return "frees";
  return writes ? "writes" : "reads";
}

}  // namespace

StreamOrder::StreamOrder(std::function<std::optional<emulator::AllocationInfo>(uint64_t)> find,
                         std::function<void(const emulator::Finding&)> report)
    : find_(std::move(find)), report_(std::move(report)) {}

void StreamOrder::Apply(const OrderStep& step) {
  Use(step.stream);
  if (!watches()) return;
  Logged entry;
  switch (step.op) {
    case OrderOp::kReserve:
      entry.ticket = step.object;
      entry.done = false;
      return Take(std::move(entry));
    case OrderOp::kDo:
      doing_ = step.object;
      return;
    case OrderOp::kDone:
      doing_ = 0;
      if (Logged* reserved = FindLogged(step.object)) reserved->done = true;
      while (!log_.empty() && log_.front().done) {
        LookAt(log_.front());
        log_.pop_front();
      }
      return;
    case OrderOp::kTake:
    case OrderOp::kGiveBack:
    case OrderOp::kHostGivesBack:
      // Now, because the memory may be gone later.
      if (const std::optional<emulator::AllocationInfo> memory = find_(step.object)) {
        if (memory->base != step.object) return;
        StreamWork work;
        work.kind = step.op == OrderOp::kTake ? WorkKind::kTake : WorkKind::kGiveBack;
        work.stream = step.op == OrderOp::kHostGivesBack ? kHost : step.stream;
        work.touched.writes.Add(memory->base, memory->base + memory->bytes);
        work.call = step.call;
        entry.work.push_back(std::move(work));
      }
      [[fallthrough]];
    default:
      entry.step = step;
      return Take(std::move(entry));
  }
}

void StreamOrder::BeginCall(uint64_t stream, TouchedBytes arrays) {
  call_stream_ = stream;
  had_call_ = true;
  arrays_ = arrays;
  call_has_race_ = false;
  Use(stream);
  if (watches()) Add({WorkKind::kBefore, stream, false, "", std::move(arrays)});
}

void StreamOrder::Add(StreamWork work) {
  Logged* reserved = doing_ == 0 ? nullptr : FindLogged(doing_);
  if (reserved == nullptr && log_.empty()) return AddNow(std::move(work));
  BoundLog(work);
  if (!clocks_.known()) return;
  if (reserved != nullptr) {
    reserved->work.push_back(std::move(work));
    return;
  }
  Logged entry;
  entry.work.push_back(std::move(work));
  Take(std::move(entry));
}

void StreamOrder::Forget(uint64_t base, uint64_t bytes) {
  if (log_.empty()) return ForgetNow({base, base + bytes});
  Logged entry;
  entry.forgotten = {base, base + bytes};
  Take(std::move(entry));
}

void StreamOrder::Take(Logged entry) {
  if (log_.empty()) {
    logged_work_ = logged_ranges_ = 0;
    if (entry.done) return LookAt(entry);
  }
  log_.push_back(std::move(entry));
  if (log_.size() > kMostLogged) GiveUp();
}

void StreamOrder::BoundLog(const StreamWork& work) {
  logged_ranges_ += work.touched.size();
  if (++logged_work_ > kMostLogged || logged_ranges_ > kMostRanges) GiveUp();
}

void StreamOrder::GiveUp() {
  clocks_.GiveUp();
  log_.clear();
}

StreamOrder::Logged* StreamOrder::FindLogged(uint64_t ticket) {
  const auto found =
      std::find_if(log_.begin(), log_.end(), [ticket](const Logged& entry) { return entry.ticket == ticket; });
  return found == log_.end() ? nullptr : &*found;
}

void StreamOrder::LookAt(Logged& entry) {
  if (entry.step) ApplyNow(*entry.step);
  if (entry.forgotten.begin != entry.forgotten.end) ForgetNow(entry.forgotten);
  for (StreamWork& work : entry.work) {
    if (work.stream == kHost) {
      CompareWithPast(work, {});  // the host has waited for none of it
    } else {
      AddNow(std::move(work));
    }
  }
}

void StreamOrder::ApplyNow(const OrderStep& step) {
  may_continue_ = false;
  if (step.op == OrderOp::kHostReads || step.op == OrderOp::kHostWrites) return ReportHost(step);
  if (step.op == OrderOp::kBranch) {
    if (branch_of_.size() > Clocks::kMostStreams) branch_of_.clear();
    branch_of_[step.stream] = step.object;
  }
  if (step.op == OrderOp::kRecord) {
    if (!had_call_) end_event_ = step.object;
    if (had_call_ && step.object == end_event_ && step.stream == call_stream_) EndCall();
  }
  if (step.op == OrderOp::kStreamMade && step.stream < kFirstBranch)
    newest_stream_ = std::max(newest_stream_, step.stream);
  clocks_.Apply(step);
  DropPast();
}

void StreamOrder::EndCall() {
  if (call_has_race_) return;
  StreamWork after;
  after.kind = WorkKind::kAfter;
  after.stream = call_stream_;
  after.touched = std::exchange(arrays_, {});
  Clock clock;
  clocks_.Begin(call_stream_, &clock);
  CompareWithPast(after, clock);
}

void StreamOrder::ForgetReports() {
  reported_.clear();
  reported_of_host_.clear();
  named_from_ = newest_stream_;
}

void StreamOrder::DropPast() {
  std::erase_if(past_, [this](const Past& past) {
    const bool is_past = clocks_.IsPast(past.moment);
    if (is_past) ranges_ -= past.work.touched.size();
    return is_past;
  });
}

void StreamOrder::AddNow(StreamWork work) {
  if (const auto branch = branch_of_.find(work.stream); branch != branch_of_.end()) work.branch = branch->second;
  if (Continue(work)) return;
  Clock clock;
  const uint64_t lane = work.branch != 0 ? work.branch : work.stream;
  const Moment moment = clocks_.Begin(lane, &clock);
  CompareWithPast(work, clock);
  newest_clock_ = std::move(clock);
  may_continue_ = work.kind != WorkKind::kKernel;
  if (work.host_waits) {
    clocks_.HostWaits(lane);
    DropPast();
    return;
  }
  ranges_ += work.touched.size();
  past_.push_back({moment, std::move(work)});
  DropOldest();
}

bool StreamOrder::Continue(const StreamWork& work) {
  if (!may_continue_ || work.host_waits || past_.empty()) return false;
  Past& newest = past_.back();
  if (newest.work.touched.size() >= kMostJoined) return false;
  if (newest.work.stream != work.stream || newest.work.branch != work.branch || newest.work.kind != work.kind ||
      newest.work.call != work.call) {
    return false;
  }
  CompareWithPast(work, newest_clock_);
  ranges_ -= newest.work.touched.size();
  for (const ByteRange& r : work.touched.reads.all()) newest.work.touched.reads.Add(r.begin, r.end);
  for (const ByteRange& r : work.touched.writes.all()) newest.work.touched.writes.Add(r.begin, r.end);
  ranges_ += newest.work.touched.size();
  DropOldest();
  return true;
}

void StreamOrder::DropOldest() {
  while (past_.size() > kMostWork || ranges_ > kMostRanges) {
    ranges_ -= past_.front().work.touched.size();
    past_.pop_front();
  }
}

void StreamOrder::CompareWithPast(const StreamWork& work, const Clock& clock) {
  for (auto earlier = past_.rbegin(); earlier != past_.rend(); ++earlier) {
    if (!earlier->moment.IsBefore(clock) && Compare(earlier->work, work)) return;
  }
}

bool StreamOrder::Compare(const StreamWork& earlier, const StreamWork& later) {
  const TouchedBytes &a = earlier.touched, &b = later.touched;
  if (MayOrderThemselves(a, b) || Awaited(a, b) || Awaited(b, a)) return false;
  struct Pair {
    const ByteRanges &earlier, &later;
    bool earlier_writes, later_writes;
  };
  const Pair pairs[] = {
      {a.writes, b.reads, true, false},        {a.writes, b.strong_reads, true, false},
      {a.strong_writes, b.reads, true, false}, {a.writes, b.writes, true, true},
      {a.writes, b.strong_writes, true, true}, {a.strong_writes, b.writes, true, true},
      {a.reads, b.writes, false, true},        {a.reads, b.strong_writes, false, true},
      {a.strong_reads, b.writes, false, true},
  };
  for (const Pair& pair : pairs) {
    if (const std::optional<ByteRange> both = pair.earlier.Overlap(pair.later)) {
      Report(earlier, later, *both, pair.earlier_writes, pair.later_writes);
      return true;
    }
  }
  return false;
}

// The program's side says which byte it was; what the device's work had to do with that byte is looked up here.
void StreamOrder::ReportHost(const OrderStep& access) {
  const bool reads = access.op == OrderOp::kHostReads;
  ByteRanges byte;
  byte.Add(access.object, access.object + 1);
  const auto found = std::find_if(past_.rbegin(), past_.rend(), [&](const Past& past) {
    const TouchedBytes& touched = past.work.touched;
    const bool writes = touched.writes.Overlap(byte) || touched.strong_writes.Overlap(byte);
    const bool meets = writes || (!reads && (touched.reads.Overlap(byte) || touched.strong_reads.Overlap(byte)));
    return past.work.stream == access.stream && meets;
  });
  if (found == past_.rend()) return;
  const StreamWork& work = found->work;
  if (!reported_of_host_.emplace(work.kind, work.kernel, access.op).second) return;
  const bool work_writes = work.touched.writes.Overlap(byte) || work.touched.strong_writes.Overlap(byte);
  emulator::Finding finding;
  finding.kind = emulator::FindingKind::kHostRace;
  finding.kernel = work.kernel;
  finding.address = access.object;
  SayWithPlace("the host", access.call, &finding);
  SayWithPlace(fmt::format(" {} {} while {} in {}", reads ? "reads" : "writes", Place(byte.all().front()),
                           Noun(work.kind), NameOf(work.stream)),
               work.call, &finding);
  finding.message +=
      fmt::format(" may still {} it; call {} first", work_writes ? "write" : "read",
                  work.stream == Clocks::kLegacy ? "cudaDeviceSynchronize"
                                                 : fmt::format("cudaStreamSynchronize for {}", NameOf(work.stream)));
  report_(finding);
}

std::string StreamOrder::StreamOf(const StreamWork& work) const {
  return work.branch != 0 ? "a branch of the graph in " + NameOf(work.stream) : NameOf(work.stream);
}

std::string StreamOrder::NameOf(uint64_t stream) const {
  if (stream == Clocks::kLegacy) return "the default stream";
  if (stream == kHost) return "host code";
  if (stream == call_stream_) return "the stream that your function gets";
  if ((stream & 0xFFFFFFFF) == kBuiltIn) return "the per-thread default stream";
  return stream > named_from_ ? fmt::format("stream {}", stream - named_from_) : "a stream that was made before";
}

std::string StreamOrder::Place(const ByteRange& bytes) const {
  const std::optional<emulator::AllocationInfo> memory = find_(bytes.begin);
  if (!memory) return fmt::format("{} bytes at {:#x}", bytes.end - bytes.begin, bytes.begin);
  const uint64_t first = bytes.begin - memory->base, last = bytes.end - 1 - memory->base;
  const std::string range =
      first == last ? fmt::format("byte {} of", first) : fmt::format("bytes {} to {} of", first, last);
  if (!memory->label.starts_with("cuda")) return fmt::format("{} {}", range, memory->label);
  return fmt::format("{} {} bytes from {}", range, memory->bytes, memory->label);
}

std::string StreamOrder::Remedy(const StreamWork& earlier, const StreamWork& later) const {
  const std::string first = StreamOf(earlier), second = StreamOf(later);
  if (earlier.kind == WorkKind::kBefore) return "; put all work onto this stream";
  if (later.kind == WorkKind::kAfter) {
    return fmt::format(
        "; put all work onto this stream, or record an event in {} after {} and let {} wait for it with "
        "cudaStreamWaitEvent",
        first, Noun(earlier.kind), second);
  }
  if (later.stream == kHost) {
    return fmt::format(
        "; cudaFree does not wait for the users of memory from cudaMallocAsync, so use cudaFreeAsync in {}, or call "
        "cudaStreamSynchronize for it before cudaFree",
        first);
  }
  if (earlier.branch != 0 || later.branch != 0) {
    return "; make one of the two nodes of the graph depend on the other, by cudaGraphAddDependencies or by an event "
           "while the streams are captured";
  }
  const bool one_is_legacy = earlier.stream == Clocks::kLegacy || later.stream == Clocks::kLegacy;
  if (one_is_legacy && !(clocks_.IsBlocking(earlier.stream) && clocks_.IsBlocking(later.stream))) {
    return fmt::format(
        ", since the default stream and a stream made with cudaStreamNonBlocking do not wait for each other; call "
        "cudaStreamSynchronize for {} in between, or use one stream for both",
        first);
  }
  return fmt::format("; record an event in {} after {}, and let {} wait for it with cudaStreamWaitEvent before {}",
                     first, Noun(earlier.kind), second, Noun(later.kind));
}

void StreamOrder::Report(const StreamWork& earlier, const StreamWork& later, const ByteRange& bytes,
                         bool earlier_writes, bool later_writes) {
  call_has_race_ = true;
  if (!reported_.emplace(earlier.kind, earlier.kernel, later.kind, later.kernel).second) return;
  emulator::Finding finding;
  finding.kind = emulator::FindingKind::kStreamRace;
  finding.kernel = later.kernel.empty() ? earlier.kernel : later.kernel;
  finding.address = bytes.begin;
  if (later.kind == WorkKind::kAfter) {
    SayWithPlace(fmt::format("{} in {}", Noun(earlier.kind), StreamOf(earlier)), earlier.call, &finding);
    finding.message +=
        fmt::format(" {} {}, and {} does not wait for this when your function returns{}", Verb(earlier, earlier_writes),
                    Place(bytes), NameOf(later.stream), Remedy(earlier, later));
    return report_(finding);
  }
  SayWithPlace(fmt::format("{} in {}", Noun(later.kind), StreamOf(later)), later.call, &finding);
  const std::string accesses = fmt::format(" {} {}, which ", Verb(later, later_writes), Place(bytes));
  if (earlier.kind == WorkKind::kBefore) {  // it has no line
    finding.message +=
        fmt::format("{}{} written in {}, before the call, and nothing orders the two{}", accesses,
                    bytes.end - bytes.begin == 1 ? "is" : "are", StreamOf(earlier), Remedy(earlier, later));
    return report_(finding);
  }
  SayWithPlace(fmt::format("{}{} in {}", accesses, NameOfWork(earlier), StreamOf(earlier)), earlier.call, &finding);
  finding.message +=
      fmt::format(" {}, and nothing orders the two{}", Verb(earlier, earlier_writes), Remedy(earlier, later));
  report_(finding);
}

void StreamOrder::ForgetNow(const ByteRange& bytes) {
  ranges_ = 0;
  for (Past& past : past_) {
    TouchedBytes& touched = past.work.touched;
    for (ByteRanges* set : {&touched.reads, &touched.writes, &touched.strong_reads, &touched.strong_writes}) {
      set->Remove(bytes.begin, bytes.end);
    }
    ranges_ += touched.size();
  }
}

}  // namespace warpgrade::cudart
