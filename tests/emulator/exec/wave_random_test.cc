// Random control flow: a kernel whose lanes exchange nothing gives the same values in wavefronts of 64 lanes as in
// warps of 32. Behind each outermost statement, all lanes that have not returned are together again.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "grader/emulator/machine/wave.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

// Writes a kernel that changes %r10, a value of each thread, and stores it at the end, or where a thread returns early.
class RandomKernel {
 public:
  RandomKernel(uint64_t seed, bool with_ballots) : random_(seed), with_ballots_(with_ballots) {
    text_ = "mad.lo.u32 %r10, %g, 2654435761, " + Number(1u << 30) + ";\n";
    const int statements = 2 + Draw(6);
    for (int k = 0; k < statements; ++k) {
      Statement(0);
      if (Draw(3) == 0) text_ += "bar.sync 0;\n";
      if (with_ballots_) CountLanes();
    }
    text_ += "st.global.u32 [%at0], %r10;\n";
  }
  const std::string& text() const { return text_; }

 private:
  int Draw(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }
  std::string Number(uint32_t below) { return std::to_string(random_() % below); }
  std::string Label() { return "$L" + std::to_string(labels_++); }
  void Mix() { text_ += "mad.lo.u32 %r10, %r10, " + Number(1000) + ", " + Number(1000) + ";\n"; }
  // Some bit of the value decides.
  std::string Condition() {
    const std::string p = "%p" + std::to_string(1 + Draw(3));
    text_ += "shr.u32 %r11, %r10, " + Number(30) + ";\n and.b32 %r11, %r11, 1;\n setp.ne.u32 " + p + ", %r11, 0;\n";
    return (Draw(2) == 0 ? "@" : "@!") + p;
  }

  // Adds to p1[thread] the lanes that are here: of a block in which nobody returns early, all.
  void CountLanes() {
    for (const uint32_t half : {kWaveBallotLow, kWaveBallotHigh}) {
      text_ += "setp.eq.u32 %p4, 0, 0;\n vote.sync.ballot.b32 %r12, %p4, " + std::to_string(half) +
               ";\n popc.b32 %r12, %r12;\n ld.global.u32 %r13, [%at1];\n add.u32 %r13, %r13, %r12;\n" +
               "st.global.u32 [%at1], %r13;\n";
    }
    text_ += "ld.global.u32 %r13, [%at2];\n add.u32 %r13, %r13, 1;\n st.global.u32 [%at2], %r13;\n";  // how often
  }

  void Block(int depth) {
    const int statements = 1 + Draw(3);
    for (int k = 0; k < statements; ++k) Statement(depth);
  }

  void Statement(int depth) {
    Mix();
    switch (depth > 3 ? 5 : Draw(6)) {
      case 0:
        return If(depth);
      case 1:
        return IfElse(depth);
      case 2:
        return Loop(depth);
      case 3:
        return Switch(depth);
      case 4:
        if (!with_ballots_ && Draw(4) == 0) Return();
        return;
      default:
        return Mix();
    }
  }

  void If(int depth) {
    const std::string end = Label();
    text_ += Condition() + " bra " + end + ";\n";
    Block(depth + 1);
    text_ += end + ":\n";
  }

  void IfElse(int depth) {
    const std::string otherwise = Label(), end = Label();
    text_ += Condition() + " bra " + otherwise + ";\n";
    Block(depth + 1);
    text_ += "bra " + end + ";\n" + otherwise + ":\n";
    Block(depth + 1);
    text_ += end + ":\n";
  }

  // Up to four turns of each lane; some lanes leave in the middle of one.
  void Loop(int depth) {
    const std::string again = Label(), out = Label(), left = "%r" + std::to_string(20 + depth);
    text_ += "and.b32 " + left + ", %r10, 3;\n" + again + ":\n";
    Block(depth + 1);
    if (Draw(2) == 0) text_ += Condition() + " bra " + out + ";\n";
    Mix();
    text_ += "sub.u32 " + left + ", " + left + ", 1;\n setp.ge.s32 %p5, " + left + ", 0;\n @%p5 bra " + again + ";\n" +
             out + ":\n";
  }

  void Switch(int depth) {
    const std::string targets = Label(), end = Label();
    const std::vector<std::string> cases = {Label(), Label(), Label()};
    text_ += targets + ": .branchtargets " + cases[0] + ", " + cases[1] + ", " + cases[2] +
             ";\n rem.u32 %r11, %r10, 3;\n brx.idx %r11, " + targets + ";\n";
    for (const std::string& label : cases) {
      text_ += label + ":\n";
      Block(depth + 2);
      text_ += "bra " + end + ";\n";
    }
    text_ += end + ":\n";
  }

  void Return() {
    const std::string some = Condition();
    text_ += some + " st.global.u32 [%at0], %r10;\n" + some + " ret;\n";
  }

  std::mt19937_64 random_;
  const bool with_ballots_;
  std::string text_;
  int labels_ = 0;
};

struct Values {
  std::vector<uint32_t> out, lanes, times;
};

Values ValuesOf(uint64_t seed, bool wave, bool with_ballots, uint32_t threads) {
  constexpr uint32_t kBlocks = 2;
  DeviceOptions options = KernelHarness::OneHostThread();
  options.runs_wave64 = true;
  options.seed = seed % 3;
  KernelHarness harness(options);
  const RandomKernel kernel(seed, with_ballots);
  harness.Load(Kernel(kernel.text(), wave ? ".const .align 4 .u32 warpgrade_wavefront_lanes = 64;\n" : std::string()));
  const size_t count = size_t{threads} * kBlocks;
  const DevicePtr out = harness.Allocate(count * 4), lanes = harness.Allocate(count * 4);
  const DevicePtr times = harness.Allocate(count * 4);
  const Ran ran = harness.Launch({kBlocks}, {threads}, {out, lanes, times});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << "seed " << seed;
  EXPECT_EQ(Describe(ran.findings), "") << "seed " << seed << "\n" << kernel.text();
  return {harness.Download<uint32_t>(out, count), harness.Download<uint32_t>(lanes, count),
          harness.Download<uint32_t>(times, count)};
}

TEST(WaveRandomTest, GivesTheSameValuesAsWarpsOf32Lanes) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const uint32_t threads = std::vector<uint32_t>{1, 40, 64, 96, 100, 128, 200, 256}[seed % 8];
    const Values wave = ValuesOf(seed, true, false, threads), warp = ValuesOf(seed, false, false, threads);
    ASSERT_EQ(wave.out, warp.out) << "seed " << seed;
  }
}

TEST(WaveRandomTest, AllLanesAreTogetherBehindEachStatement) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const uint32_t threads = std::vector<uint32_t>{33, 64, 128, 160}[seed % 4];
    const Values values = ValuesOf(seed, true, true, threads);
    for (size_t t = 0; t < values.lanes.size(); ++t) {
      const uint32_t first = static_cast<uint32_t>(t) % threads / 64 * 64;
      ASSERT_EQ(values.lanes[t], values.times[t] * std::min(64u, threads - first)) << "seed " << seed << ", " << t;
    }
  }
}

}  // namespace
}  // namespace warpgrade::emulator
