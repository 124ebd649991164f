// Forwards each step to one CaseBuffers per call. Only Grow makes a decision: how many sets of buffers fit into the
// memory that is free now. Tests: tests/judge/throughput_test.cc.
#include "grader/judge/call_batch.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace warpgrade::judge {
namespace {

constexpr uint64_t kMostHostBytes = uint64_t{8} << 30;

// How many of `sets` sets fit into `bytes`, of which a set takes `bytes_of_a_set`.
int SetsIn(uint64_t bytes, uint64_t bytes_of_a_set, int sets) {
  if (bytes_of_a_set == 0) return sets;
  return static_cast<int>(std::min<uint64_t>(bytes / bytes_of_a_set, static_cast<uint64_t>(sets)));
}

// The kernel's own estimate, which includes caches that it would give up. 0: not known.
uint64_t FreeHostBytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  uint64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") return kilobytes << 10;
  }
  return 0;
}

}  // namespace

Result<std::unique_ptr<CallBatch>> CallBatch::Make(const Lab& lab, const Case& c, JudgeDevice& device,
                                                   Session& session) {
  Result<std::unique_ptr<CaseBuffers>> first =
      CaseBuffers::Make(lab, c, device, session, CaseBuffers::Arrival::kAtDelivery);
  if (!first) return first.error();
  return std::unique_ptr<CallBatch>(new CallBatch(device, session, std::move(*first)));
}

Status CallBatch::Grow(int calls) {
  WARPGRADE_CHECK(calls <= protocol::kMaxCalls);
  const int wanted = calls - this->calls();
  if (wanted <= 0) return Status();
  const uint64_t host_bytes = std::min(FreeHostBytes() / 4, kMostHostBytes);
  const int more = std::min(SetsIn(device_.throughput()->FreeBytes() / 2, sets_[0]->device_bytes(), wanted),
                            SetsIn(host_bytes, sets_[0]->host_bytes(), wanted));
  for (int i = 0; i < more; ++i) {
    Result<std::unique_ptr<CaseBuffers>> another = sets_[0]->MakeAnother(this->calls());
    if (!another && another.error().kind == ErrorKind::kLimit) return Status();  // go on with fewer
    if (!another) return another.error();
    if (!session_.alive()) return Status();
    sets_.push_back(std::move(*another));
  }
  return Status();
}

Status CallBatch::ShareWith(Session& other) {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    if (Status s = set->ShareWith(other); !s.ok()) return s;
  }
  return Status();
}

Status CallBatch::Refresh(RandomSource& random) {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    Random drawing = random.Next();
    if (Status s = set->Refresh(drawing); !s.ok()) return s;
  }
  return Status();
}

std::optional<Session::Answer> CallBatch::Rehearse(Session& worker, uint32_t flags) {
  return worker.Call(sets_[0]->MakeCall(flags));
}

Status CallBatch::PoisonRehearsed() { return sets_[0]->Poison(); }

std::optional<Session::Answer> CallBatch::Announce(Session& worker, uint32_t flags) {
  std::optional<Session::Answer> answer = Session::Answer();
  for (size_t i = 0; i + 1 < sets_.size(); ++i) {
    answer = worker.Call(sets_[i]->MakeCall(flags | protocol::kMoreToCome));
    if (!answer || answer->done.status != protocol::DoneStatus::kOk) break;
  }
  return answer;
}

Status CallBatch::CopyToHost(const std::function<Status()>& after_each_piece) {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    if (Status s = set->CopyToHost(after_each_piece); !s.ok()) return s;
  }
  return Status();
}

uint64_t CallBatch::bytes_copied_to_host() const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<CaseBuffers>& set : sets_) bytes += set->bytes_copied_to_host();
  return bytes;
}

Status CallBatch::Deliver() {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    if (Status s = device_.throughput()->TakeTurn(); !s.ok()) return s;
    if (Status s = set->Deliver(); !s.ok()) return s;
  }
  return device_.throughput()->FlushCaches();
}

std::optional<Session::Answer> CallBatch::Call(Session& worker, uint32_t flags) {
  return worker.Call(sets_.back()->MakeCall(flags));
}

void CallBatch::TakeHostOutputs(Random& random) {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) set->TakeHostOutputs(random);
}

Status CallBatch::Collect() {
  if (Status s = device_.throughput()->TakeTurn(); !s.ok()) return s;
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    if (Status s = set->Collect(); !s.ok()) return s;
  }
  return device_.throughput()->Synchronize();
}

std::optional<score::CaseFailure> CallBatch::Verify(Random& random) {
  for (const std::unique_ptr<CaseBuffers>& set : sets_) {
    if (std::optional<score::CaseFailure> failure = set->Verify(random)) return failure;
  }
  return std::nullopt;
}

}  // namespace warpgrade::judge
