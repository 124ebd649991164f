// Each handler first gathers the lanes of its member mask (barrier.h), then exchanges their values in one step. Tested
// by tests/emulator/exec/collectives_test.cc and printf_test.cc.
#include "grader/emulator/machine/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/builtin_call.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/printf_format.h"
#include "grader/emulator/machine/step_notes.h"
#include "grader/emulator/state/execution.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// Why a lane does not take part in what others of its warp do.
const char* WhyAbsent(const Warp& w, int lane) {
  const LaneMask bit = 1u << lane;
  if ((w.existing & bit) == 0) return "it does not exist, because the block is too small";
  return (w.alive & bit) == 0 ? "it has returned from the kernel" : "it is not in the member mask";
}

enum class Shuffle { kUp, kDown, kBfly, kIdx };

// The lane from which `lane` takes its value. If the lane that it names is out of range, it is `lane` itself. PTX ISA
// "shfl.sync" defines the segment arithmetic.
template <Shuffle kMode>
inline int SourceLane(int lane, uint32_t b, uint32_t c, bool* in_range) {
  const int bval = static_cast<int>(b & 31), cval = static_cast<int>(c & 31);
  const int segment = static_cast<int>((c >> 8) & 31);
  const int max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
  int source = 0;
  switch (kMode) {
    case Shuffle::kUp:
      source = lane - bval;
      *in_range = source >= max_lane;
      break;
    case Shuffle::kDown:
      source = lane + bval;
      *in_range = source <= max_lane;
      break;
    case Shuffle::kBfly:
      source = lane ^ bval;
      *in_range = source <= max_lane;
      break;
    case Shuffle::kIdx:
      source = min_lane | (bval & ~segment);
      *in_range = source <= max_lane;
      break;
  }
  return (*in_range ? source : lane) & 31;
}

template <Shuffle kMode>
[[gnu::noinline, gnu::cold]] void NoteShuffleOf(Exec& x, const Inst& i) {
  const uint32_t *const b = Row<uint32_t>(x, i.b), *const c = Row<uint32_t>(x, i.c);
  std::array<uint8_t, kLanes> from{};
  bool in_range = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    from[static_cast<size_t>(lane)] = static_cast<uint8_t>(SourceLane<kMode>(lane, b[lane], c[lane], &in_range));
  }
  NoteShuffle(x, i, Row<uint32_t>(x, i.a), from);
}

// shfl.sync: a = value, b = lane or offset, c = clamp and segment mask, member_mask = the row of the member mask,
// second_dst = predicate (0: none).
template <Shuffle kMode>
void Shfl(Exec& x, const Inst& i) {
  if (!GatherByRow(x, i, i.member_mask)) return;
  if (x.steps != nullptr) NoteShuffleOf<kMode>(x, i);
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  uint32_t* d = Row<uint32_t>(x, i.dst);
  uint32_t values[kLanes];
  std::memcpy(values, a, sizeof(values));  // a copy, because dst may be the same row as a
  LaneMask predicate = 0;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    bool in_range = false;
    const int source = SourceLane<kMode>(lane, b[lane], c[lane], &in_range);
    if (in_range) predicate |= 1u << lane;
    d[lane] = values[source];
    if (((x.mask >> source) & 1) == 0) {
      Report(x, i, FindingKind::kBadShuffleMask, lane, 0, 0,
             fmt::format(
                 "lane {} takes a value from lane {}, which does not take part in this shuffle ({}); what it gets is "
                 "undefined",
                 lane, source, WhyAbsent(*x.warp, source)));
    }
  }
  if (i.second_dst != 0) {
    uint32_t* p = Row<uint32_t>(x, i.second_dst);
    *p = (*p & ~x.mask) | predicate;
  }
}

enum class Vote { kAll, kAny, kUni, kBallot };
// vote.sync: a = predicate (imm = 1: negated), b = member mask.
template <Vote kMode>
void VoteSync(Exec& x, const Inst& i) {
  if (!GatherByRow(x, i, i.b)) return;
  LaneMask p = *Row<uint32_t>(x, i.a);
  if (i.imm == 1) p = ~p;
  p &= x.mask;
  if (kMode == Vote::kBallot) {
    uint32_t* d = Row<uint32_t>(x, i.dst);
    for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = p;
    return;
  }
  bool result = kMode == Vote::kAll ? p == x.mask : kMode == Vote::kAny ? p != 0 : (p == 0 || p == x.mask);
  uint32_t* d = Row<uint32_t>(x, i.dst);
  *d = result ? *d | x.mask : *d & ~x.mask;
}

// match.sync: a = value, b = member mask, dst = mask of lanes with the same value, second_dst = predicate of .all.
template <typename T, bool kAll>
void Match(Exec& x, const Inst& i) {
  if (!GatherByRow(x, i, i.b)) return;
  const T* a = Row<T>(x, i.a);
  T values[kLanes];
  std::memcpy(values, a, sizeof(values));
  uint32_t* d = Row<uint32_t>(x, i.dst);
  LaneMask all_same = x.mask;
  T first = values[__builtin_ctz(x.mask)];
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    LaneMask same = 0;
    for (LaneMask n = x.mask; n != 0; n &= n - 1) {
      if (values[__builtin_ctz(n)] == values[lane]) same |= 1u << __builtin_ctz(n);
    }
    if (values[lane] != first) all_same = 0;
    if (!kAll) d[lane] = same;
  }
  if (!kAll) return;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = all_same;
  if (i.second_dst != 0) {
    uint32_t* p = Row<uint32_t>(x, i.second_dst);
    *p = (*p & ~x.mask) | (all_same != 0 ? x.mask : 0);
  }
}

struct ReduxAdd {
  template <typename T>
  static T F(T a, T b) {
    return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }
};
struct ReduxMin {
  template <typename T>
  static T F(T a, T b) {
    return std::min(a, b);
  }
};
struct ReduxMax {
  template <typename T>
  static T F(T a, T b) {
    return std::max(a, b);
  }
};
struct ReduxAnd {
  template <typename T>
  static T F(T a, T b) {
    return a & b;
  }
};
struct ReduxOr {
  template <typename T>
  static T F(T a, T b) {
    return a | b;
  }
};
struct ReduxXor {
  template <typename T>
  static T F(T a, T b) {
    return a ^ b;
  }
};
template <typename T, typename Op>
void Redux(Exec& x, const Inst& i) {
  if (!GatherByRow(x, i, i.b)) return;
  const T* a = Row<T>(x, i.a);
  T r = a[__builtin_ctz(x.mask)];
  for (LaneMask m = x.mask & (x.mask - 1); m != 0; m &= m - 1) r = Op::F(r, a[__builtin_ctz(m)]);
  T* d = Row<T>(x, i.dst);
  for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = r;
}

void ActiveMask(Exec& x, const Inst& i) {
  uint32_t* d = Row<uint32_t>(x, i.dst);
  for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = x.mask;
}
void Elect(Exec& x, const Inst& i) {  // dst = leader (0: none), second_dst = predicate, b = member mask
  if (!GatherByRow(x, i, i.b)) return;
  uint32_t leader = static_cast<uint32_t>(__builtin_ctz(x.mask));
  uint32_t* d = Row<uint32_t>(x, i.dst);
  for (LaneMask m = x.mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = leader;
  uint32_t* p = Row<uint32_t>(x, i.second_dst);
  *p = (*p & ~x.mask) | (1u << leader);
}

const HandlerEntry kHandlers[] = {
    {"shfl.sync.up.b32", Shfl<Shuffle::kUp>},
    {"shfl.sync.down.b32", Shfl<Shuffle::kDown>},
    {"shfl.sync.bfly.b32", Shfl<Shuffle::kBfly>},
    {"shfl.sync.idx.b32", Shfl<Shuffle::kIdx>},
    {"vote.sync.all.pred", VoteSync<Vote::kAll>},
    {"vote.sync.any.pred", VoteSync<Vote::kAny>},
    {"vote.sync.uni.pred", VoteSync<Vote::kUni>},
    {"vote.sync.ballot.b32", VoteSync<Vote::kBallot>},
    {"match.any.sync.b32", Match<uint32_t, false>},
    {"match.any.sync.b64", Match<uint64_t, false>},
    {"match.all.sync.b32", Match<uint32_t, true>},
    {"match.all.sync.b64", Match<uint64_t, true>},
    {"redux.sync.add.u32", Redux<uint32_t, ReduxAdd>},
    {"redux.sync.add.s32", Redux<int32_t, ReduxAdd>},
    {"redux.sync.min.u32", Redux<uint32_t, ReduxMin>},
    {"redux.sync.min.s32", Redux<int32_t, ReduxMin>},
    {"redux.sync.max.u32", Redux<uint32_t, ReduxMax>},
    {"redux.sync.max.s32", Redux<int32_t, ReduxMax>},
    {"redux.sync.and.b32", Redux<uint32_t, ReduxAnd>},
    {"redux.sync.or.b32", Redux<uint32_t, ReduxOr>},
    {"redux.sync.xor.b32", Redux<uint32_t, ReduxXor>},
    {"activemask.b32", ActiveMask},
    {"elect.sync", Elect},
};

// Reads a byte at a generic address. *ok says whether it is readable.
uint8_t ReadByte(const Exec& x, int lane, uint64_t address, bool* ok) {
  *ok = true;
  if (address - kLocalWindow < kWindowBytes) {
    uint64_t at = address - kLocalWindow;
    if (at < x.warp->local_stride) return x.warp->local[static_cast<size_t>(lane) * x.warp->local_stride + at];
  } else if (address - kSharedWindow < kWindowBytes) {
    uint64_t at = address - kSharedWindow;
    if (at < x.block->shared.size()) return x.block->shared[at];
  } else if (x.launch->memory->Find(address) != nullptr) {
    return *x.launch->memory->Host(address);
  }
  *ok = false;
  return 0;
}

void ReportUnreadable(Exec& x, const Inst& i, int lane, uint64_t address, const char* what) {
  Report(x, i, FindingKind::kOutOfBounds, lane, address, 1,
         fmt::format("{} at {:#x}, which is not in device memory", what, address));
}

// A null pointer is an empty string.
std::string ReadString(Exec& x, const Inst& i, int lane, uint64_t address) {
  constexpr size_t kLongest = 4096;
  std::string s;
  if (address == 0) return s;
  for (bool ok = true; s.size() < kLongest; ++address) {
    uint8_t c = ReadByte(x, lane, address, &ok);
    if (!ok) ReportUnreadable(x, i, lane, address, "printf or assert read a character of a string");
    if (!ok || c == 0) break;
    s.push_back(static_cast<char>(c));
  }
  return s;
}

}  // namespace

HandlerSpan CollectiveHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

void Unsupported(Exec& x, const Inst& i) {
  const Warp& w = *x.warp;
  const Frame& frame = w.frames[static_cast<size_t>(w.fragments[static_cast<size_t>(w.current)].frame)];
  Report(x, i, FindingKind::kUnsupported, x.active != 0 ? __builtin_ctz(x.active) : 0, 0, 0,
         frame.code->messages[i.message]);
  x.leave = true;
}

void Trap(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  Report(x, i, FindingKind::kTrap, __builtin_ctz(x.mask), 0, 0, "the kernel executed a trap instruction");
  x.leave = true;
}

void Nothing(Exec&, const Inst&) {}

void Yield(Exec& x, const Inst&) {
  x.leave = true;  // the fragment stays runnable, so the scheduler will come back to it
}

void Vprintf(Exec& x, const Inst& i) {
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    const uint64_t format_address = ArgumentOf<uint64_t>(x, i, 0, lane);
    std::string format = ReadString(x, i, lane, format_address);
    uint64_t arguments = ArgumentOf<uint64_t>(x, i, 1, lane);
    DevicePrintf printed = FormatDevicePrintf(
        format,
        [&](size_t offset, size_t bytes) {
          uint64_t v = 0;
          for (size_t k = 0; k < bytes; ++k) {
            bool ok = true;
            v |= static_cast<uint64_t>(ReadByte(x, lane, arguments + offset + k, &ok)) << (8 * k);
            if (ok) continue;
            ReportUnreadable(x, i, lane, arguments + offset + k, "printf read an argument");
            break;
          }
          return v;
        },
        [&](uint64_t address) { return ReadString(x, i, lane, address); });
    x.printed->append(printed.text);
    x.owed += kPrintfCosts + (format.size() + printed.text.size()) / kCharactersPerInstruction;
    ReturnFrom<int32_t>(x, i, lane, format_address == 0 ? -1 : printed.arguments);
  }
}

void AssertFail(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  int lane = __builtin_ctz(x.mask);
  Report(x, i, FindingKind::kAssert, lane, 0, 0,
         fmt::format("assertion `{}` failed ({}:{})", ReadString(x, i, lane, ArgumentOf<uint64_t>(x, i, 0, lane)),
                     ReadString(x, i, lane, ArgumentOf<uint64_t>(x, i, 1, lane)), ArgumentOf<uint32_t>(x, i, 2, lane)));
  x.leave = true;
}

}  // namespace warpgrade::emulator
