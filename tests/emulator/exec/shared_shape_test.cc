// Random patterns of addresses in shared memory, many in one launch, so that the quick way of shared_shape.h meets
// shapes that it knows, shapes that it has just forgotten, and shapes that look alike. The test counts turns, requests
// and illegal lanes in a second way, and keeps a copy of the memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr uint32_t kBytes = 4096, kAccesses = 48;

struct Lanes {
  std::vector<uint32_t> at = std::vector<uint32_t>(32);
  uint32_t mask = 0xFFFFFFFF;
};

struct Form {
  const char* name;
  const char* type;
  uint32_t size, element;
};
constexpr Form kForms[] = {{"u8", "u8", 1, 1},         {"u16", "u16", 2, 2},       {"u32", "u32", 4, 4},
                           {"v2.u32", "v2.u32", 8, 4}, {"u64", "u64", 8, 8},       {"v4.u32", "v4.u32", 16, 4},
                           {"v4.u8", "v4.u8", 4, 1},   {"v2.u64", "v2.u64", 16, 8}};

class Patterns {
 public:
  Patterns(uint32_t seed, uint32_t size) : rng_(seed), size_(size) {}

  // Few shapes, each at many places.
  std::vector<Lanes> Draw() {
    std::vector<Lanes> shapes;
    for (int k = 0; k < 5; ++k) shapes.push_back(Shape());
    std::vector<Lanes> all;
    while (all.size() < kAccesses) {
      Lanes one = shapes[Below(5)];
      const uint32_t by = (Below(4) == 0 ? Below(kBytes) : Below(16)) * (Below(16) == 0 ? 1 : size_);
      for (uint32_t& a : one.at) a += by;
      if (Below(4) == 0) one.mask = shapes[Below(5)].mask;
      if (Below(8) == 0) one.at[Below(32)] += size_;  // almost the shape
      for (uint32_t repeat = Below(3) + 1; repeat > 0 && all.size() < kAccesses; --repeat) all.push_back(one);
    }
    return all;
  }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }

  Lanes Shape() {
    Lanes s;
    const uint32_t kind = Below(8), stride = Below(40), far = Below(70), flip = Below(32);
    for (uint32_t l = 0; l < 32; ++l) {
      switch (kind) {
        case 0:  // in order
          s.at[l] = l;
          break;
        case 1:  // one place
          s.at[l] = 0;
          break;
        case 2:
          s.at[l] = l * stride;
          break;
        case 3:
          s.at[l] = (31 - l) * stride;
          break;
        case 4:  // two rows of a tile
          s.at[l] = l % 16 + l / 16 * far;
          break;
        case 5:  // one place for each half
          s.at[l] = l / 16 * far;
          break;
        case 6:  // swizzled columns
          s.at[l] = l * 32 + (l ^ flip);
          break;
        default:
          s.at[l] = Below(256);
      }
      s.at[l] *= size_;
    }
    const uint32_t lanes = Below(6);
    if (lanes == 1) s.mask = 0xFFFF;
    if (lanes == 2) s.mask = 0xFFFFFF00;
    if (lanes == 3) s.mask = static_cast<uint32_t>(rng_()) | 1;
    if (lanes == 4) s.mask = 1u << Below(32);
    return s;
  }

  std::mt19937 rng_;
  const uint32_t size_;
};

bool IsLegal(uint32_t at, uint32_t size) { return at % size == 0 && at <= kBytes - size; }

// Turns of one access by the lanes of `mask`, all legal: parts of the warp one after the other, in each the most
// distinct words of one bank.
struct Turns {
  uint64_t actual = 0, ideal = 0;
};
Turns TurnsOf(const Lanes& lanes, uint32_t mask, uint32_t size) {
  Turns turns;
  const uint32_t parts = size <= 4 ? 1 : size / 4;
  for (uint32_t first = 0; first < 32; first += 32 / parts) {
    std::set<uint32_t> banks[32];
    size_t most = 0;
    for (uint32_t l = first; l < first + 32 / parts; ++l) {
      if ((mask >> l & 1) == 0) continue;
      for (uint32_t word = lanes.at[l] / 4; word <= (lanes.at[l] + size - 1) / 4; ++word) {
        banks[word % 32].insert(word);
        most = std::max(most, banks[word % 32].size());
      }
    }
    turns.actual += most;
    turns.ideal += most > 0 ? 1 : 0;
  }
  return turns;
}

enum class Kind { kLoad, kStore, kAtomic };

std::string Registers(const Form& form) {
  const std::string r = form.element == 8 ? "%rd" : "%r";
  std::string list;
  for (uint32_t k = 0; k < form.size / form.element; ++k) {
    list += (k > 0 ? ", " : "") + r + std::to_string(k + 10);
  }
  return form.size == form.element ? list : "{" + list + "}";
}

// Access after access as p1 (offsets) and p2 (flags) say, at line 2. A load stores its 16 bytes of a lane to p0; at the
// end 4096 bytes of memory follow.
std::string Ptx(const Form& form, Kind kind, bool narrow) {
  const std::string cells = form.element == 8 ? "b64" : "b32", r = form.element == 8 ? "%rd" : "%r";
  const uint32_t elements = form.size / form.element;
  std::string text = R"(
    .loc 1 1 0
    mov.u32 %r1, tile; mov.u64 %rd4, tile; shl.b32 %r2, %t, 2; mov.u32 %r3, 0;
    FILL: add.u32 %r4, %r3, %r2; mul.lo.u32 %r5, %r4, 0x9E3779B9; add.u32 %r6, %r1, %r4; st.shared.u32 [%r6], %r5;
    add.u32 %r3, %r3, 128; setp.lt.u32 %p2, %r3, 4096; @%p2 bra FILL;
    bar.sync 0; mov.u32 %r3, 0;
    NEXT: shl.b32 %r4, %r3, 5; add.u32 %r4, %r4, %t; mul.wide.u32 %rd5, %r4, 4;
    add.u64 %rd6, %rd1, %rd5; ld.global.u32 %r5, [%rd6]; add.u64 %rd6, %rd2, %rd5; ld.global.u32 %r6, [%rd6];
    setp.ne.u32 %p1, %r6, 0; add.u32 %r7, %r1, %r5; add.u32 %r7, %r7, -16; cvt.u64.u32 %rd7, %r5;
    add.u64 %rd7, %rd7, %rd4; add.u64 %rd7, %rd7, -16;
)";
  for (uint32_t k = 0; k < elements; ++k) {
    const std::string n = std::to_string(k + 10);
    text += form.element == 8 ? "cvt.u64.u32 %rd" + n + ", %r4; add.u64 %rd" + n + ", %rd" + n + ", "
                              : "add.u32 %r" + n + ", %r4, ";
    text += std::to_string(k * 77) + ";\n";
  }
  const std::string address = narrow ? "[%r7+16]" : "[%rd7+16]";
  const char* const op = kind == Kind::kLoad ? "ld" : kind == Kind::kStore ? "st" : "atom";
  text += std::string(".loc 1 2 0\n@%p1 ") + op + ".shared." + (kind == Kind::kAtomic ? "add." : "") + form.type + " ";
  text += kind == Kind::kStore  ? address + ", " + Registers(form) + ";\n"
          : kind == Kind::kLoad ? Registers(form) + ", " + address + ";\n"
                                : Registers(form) + ", " + address + ", " + Registers(form) + ";\n";
  text += ".loc 1 3 0\nbar.warp.sync -1; mul.wide.u32 %rd5, %r4, 32; add.u64 %rd6, %rd0, %rd5;\n";
  for (uint32_t k = 0; k < elements; ++k) {
    text += "st.global." + cells + " [%rd6+" + std::to_string(8 * k) + "], " + r + std::to_string(k + 10) + ";\n";
  }
  text += "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, " + std::to_string(kAccesses) + "; @%p2 bra NEXT;\n";
  return Kernel(text + R"(
    bar.sync 0; mov.u32 %r3, 0;
    BACK: add.u32 %r4, %r3, %r2; add.u32 %r6, %r1, %r4; ld.shared.u32 %r5, [%r6]; cvt.u64.u32 %rd5, %r4;
    add.u64 %rd5, %rd5, %rd3; st.global.u32 [%rd5], %r5; add.u32 %r3, %r3, 128; setp.lt.u32 %p2, %r3, 4096; @%p2 bra BACK;
)",
                ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n");
}

// What a launch must do, worked out lane by lane.
struct Expected {
  std::vector<uint64_t> out = std::vector<uint64_t>(kAccesses * 32 * 4);
  std::vector<uint8_t> memory = std::vector<uint8_t>(kBytes);
  uint64_t requests = 0, turns = 0, ideal = 0, illegal = 0;
};
Expected Expect(const std::vector<Lanes>& accesses, const Form& form, Kind kind) {
  Expected e;
  for (uint32_t at = 0; at < kBytes; at += 4) {
    const uint32_t word = at * 0x9E3779B9u;
    std::memcpy(e.memory.data() + at, &word, 4);
  }
  for (uint32_t n = 0; n < kAccesses; ++n) {
    const Lanes& a = accesses[n];
    uint32_t legal = 0;
    for (uint32_t l = 0; l < 32; ++l) {
      if ((a.mask >> l & 1) == 0) continue;
      if (IsLegal(a.at[l], form.size)) {
        legal |= 1u << l;
      } else {
        ++e.illegal;
      }
    }
    const Turns turns = TurnsOf(a, legal, form.size);
    e.requests += legal != 0 ? 1 : 0;
    e.turns += turns.actual;
    e.ideal += turns.ideal;
    for (uint32_t l = 0; l < 32; ++l) {
      for (uint32_t k = 0; k < form.size / form.element; ++k) {
        uint64_t cell = n * 32 + l + k * 77;
        if ((legal >> l & 1) != 0) {
          uint8_t* const place = e.memory.data() + a.at[l] + k * form.element;
          uint64_t old = 0;
          std::memcpy(&old, place, form.element);
          const uint64_t next = kind == Kind::kAtomic ? old + cell : cell;
          if (kind != Kind::kLoad) std::memcpy(place, &next, form.element);
          if (kind != Kind::kStore) cell = old;
        }
        e.out[(n * 32 + l) * 4 + k] = cell;
      }
    }
  }
  return e;
}

void RunAndCompare(const std::vector<Lanes>& accesses, const Form& form, Kind kind, bool narrow, bool checks) {
  const Expected want = Expect(accesses, form, kind);
  std::vector<uint32_t> offsets, flags;
  for (const Lanes& a : accesses) {
    for (uint32_t l = 0; l < 32; ++l) {
      offsets.push_back(a.at[l]);
      flags.push_back(a.mask >> l & 1);
    }
  }
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks = checks;
  KernelHarness harness(options);
  harness.Load(Ptx(form, kind, narrow));
  const DevicePtr out = harness.Allocate(want.out.size() * 8), memory = harness.Allocate(kBytes);
  const Ran ran = harness.Launch({1}, {32}, {out, harness.Upload(offsets), harness.Upload(flags), memory});
  EXPECT_EQ(harness.Download<uint64_t>(out, want.out.size()), want.out);
  EXPECT_EQ(harness.Download<uint8_t>(memory, kBytes), want.memory);
  uint64_t illegal = 0;
  for (const Finding& f : ran.findings) {
    if (f.kind == FindingKind::kOutOfBounds || f.kind == FindingKind::kMisaligned) illegal += f.count;
  }
  EXPECT_EQ(illegal, want.illegal) << Describe(ran.findings);
  Counters counted;
  for (const LineCounters& line : ran.record.lines) {
    if (line.line == 2) counted = line.counters;
  }
  const bool load = kind == Kind::kLoad, store = kind == Kind::kStore;
  EXPECT_EQ(load    ? counted.shared_load_requests
            : store ? counted.shared_store_requests
                    : counted.shared_atomic_requests,
            want.requests);
  EXPECT_EQ(load    ? counted.shared_load_wavefronts
            : store ? counted.shared_store_wavefronts
                    : counted.shared_atomic_wavefronts,
            want.turns);
  if (kind != Kind::kAtomic) {
    EXPECT_EQ(load ? counted.shared_load_ideal_wavefronts : counted.shared_store_ideal_wavefronts, want.ideal);
  }
}

TEST(SharedShapeTest, RandomPatternsCountAsLaneByLane) {
  for (const Form& form : kForms) {
    for (uint32_t seed = 0; seed < 24; ++seed) {
      const Kind kind = seed % 3 == 0 ? Kind::kStore : Kind::kLoad;
      const bool narrow = seed % 2 == 0, checks = seed % 4 == 1;
      SCOPED_TRACE(testing::Message() << form.name << (kind == Kind::kLoad ? " load" : " store") << ", seed " << seed);
      RunAndCompare(Patterns(seed, form.size).Draw(), form, kind, narrow, checks);
      if (HasFailure()) return;
    }
  }
}

TEST(SharedShapeTest, RandomPatternsOfAtomics) {
  constexpr Form kWord{"u32", "u32", 4, 4};
  for (uint32_t seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RunAndCompare(Patterns(seed, 4).Draw(), kWord, Kind::kAtomic, seed % 2 == 0, seed % 4 == 1);
    if (HasFailure()) return;
  }
}

// A register that was a stride and is another one now; the same stride with fewer lanes; a word more to the right.
TEST(SharedShapeTest, AShapeThatIsNearlyTheRememberedOneIsNotTakenForIt) {
  std::vector<Lanes> accesses(kAccesses);
  for (uint32_t n = 0; n < kAccesses; ++n) {
    for (uint32_t l = 0; l < 32; ++l) accesses[n].at[l] = l * 64 + n / 3 % 2 * 4;
    if (n % 4 == 1) accesses[n].at[31] = 4 * 5;
    if (n % 4 == 2) accesses[n].mask = 0x7FFFFFFF;
    if (n % 4 == 3) accesses[n].mask = 0xFFFFFFFE;
  }
  for (const Form& form : {kForms[2], kForms[0]}) RunAndCompare(accesses, form, Kind::kLoad, true, false);
}

// Bytes: where the first lane's byte lies in its word decides which banks the others meet.
TEST(SharedShapeTest, BytesOfOneShapeMeetOtherBanksAtAnotherPlace) {
  std::vector<Lanes> accesses(kAccesses);
  for (uint32_t n = 0; n < kAccesses; ++n) {
    for (uint32_t l = 0; l < 32; ++l) accesses[n].at[l] = l % 2 * 126 + n % 4;  // words 0 and 31, or 0 and 32
  }
  RunAndCompare(accesses, kForms[0], Kind::kLoad, true, false);
}

}  // namespace
}  // namespace warpgrade::emulator
