// What is recorded of single requests, for pictures: compared with the counters of the same launch, and with an oracle
// that knows all addresses and counts turns and sectors in another, slow way. The oracle shares no code with the
// emulator: it serves the banks turn by turn, and it looks at each byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr uint32_t kBytes = 4096, kWarps = 200;

struct Lanes {
  std::vector<uint32_t> at = std::vector<uint32_t>(32);
  uint32_t mask = 0xFFFFFFFF;
};

struct Form {
  const char* type;
  const char* registers;
  uint32_t size;
};
constexpr Form kForms[] = {{"u8", "%r2", 1},   {"u16", "%h2", 2},           {"u32", "%r2", 4},
                           {"u64", "%rd9", 8}, {"v2.u32", "{%r2, %r3}", 8}, {"v4.u32", "{%r2, %r3, %r4, %r5}", 16}};

// Serves one word of each bank in a turn, until no lane waits.
uint32_t TurnsByService(const Lanes& lanes, uint32_t size) {
  const uint32_t parts = size <= 4 ? 1 : size / 4, of_part = 32 / parts;
  uint32_t turns = 0;
  for (uint32_t part = 0; part < parts; ++part) {
    std::set<uint32_t> waiting;  // words
    for (uint32_t l = part * of_part; l < (part + 1) * of_part; ++l) {
      if ((lanes.mask >> l & 1) == 0) continue;
      for (uint32_t b = 0; b < size; ++b) waiting.insert((lanes.at[l] + b) / 4);
    }
    while (!waiting.empty()) {
      std::set<uint32_t> busy;
      for (auto word = waiting.begin(); word != waiting.end();) {
        word = busy.insert(*word % 32).second ? waiting.erase(word) : std::next(word);
      }
      ++turns;
    }
  }
  return turns;
}

uint32_t SectorsByByte(const Lanes& lanes, uint32_t size) {
  std::set<uint32_t> sectors;
  for (uint32_t l = 0; l < 32; ++l) {
    for (uint32_t b = 0; b < size && (lanes.mask >> l & 1) != 0; ++b) sectors.insert((lanes.at[l] + b) / 32);
  }
  return static_cast<uint32_t>(sectors.size());
}

Lanes Draw(std::mt19937& random, uint32_t size) {
  Lanes lanes;
  const uint32_t stride = random() % 40, start = random() % 64, kind = random() % 4;
  for (uint32_t l = 0; l < 32; ++l) {
    const uint32_t index = kind == 0 ? static_cast<uint32_t>(random()) : start + l * (kind == 1 ? 1 : stride);
    lanes.at[l] = index * size % kBytes;
  }
  if (random() % 3 == 0) lanes.mask = static_cast<uint32_t>(random());
  if (random() % 9 == 0) lanes.mask = 1u << random() % 32;
  return lanes;
}

// Line 2 loads from global memory, line 3 from shared memory, at the offsets of p1, in the lanes of p2.
std::string LoadsAt(const Form& form) {
  const std::string access = std::string(form.type) + " " + form.registers + ", [";
  return Kernel(
      "ld.global.u32 %r1, [%at1]; cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd4, %rd0;"
      "ld.global.u32 %r6, [%at2]; setp.ne.u32 %p1, %r6, 0;"
      "mov.u32 %r7, tile; add.u32 %r7, %r7, %r1;\n.loc 1 2 0\n@%p1 ld.global." +
          access + "%rd4];\n.loc 1 3 0\n@%p1 ld.shared." + access + "%r7];",
      ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n");
}

const LineRequests* Find(const std::vector<LineRequests>& all, int line, RequestSpace space,
                         AccessDirection direction = AccessDirection::kLoad) {
  for (const LineRequests& one : all) {
    if (one.line == line && one.space == space && one.direction == direction) return &one;
  }
  return nullptr;
}

const Counters* CountersAt(const Ran& ran, int line) {
  for (const LineCounters& l : ran.record.lines) {
    if (l.line == line) return &l.counters;
  }
  return nullptr;
}

DeviceOptions RecordingRequests(int host_threads = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = host_threads;
  options.pictures = true;
  options.checks = false;
  options.checks.shared_races = true;  // so that both ways into shared memory are taken
  return options;
}

// Compares one line with what the oracle says of all its warps.
void ExpectAsTheOracle(const LineRequests& line, const std::vector<Lanes>& warps, uint32_t size, uint64_t base) {
  const bool shared = line.space == RequestSpace::kShared;
  struct Class {
    uint64_t count = 0, first = 0;
  };
  std::map<uint32_t, Class> classes;  // by cost
  uint64_t requests = 0, cost = 0;
  for (uint64_t w = 0; w < warps.size(); ++w) {
    if (warps[w].mask == 0) continue;
    const uint32_t one = shared ? TurnsByService(warps[w], size) : SectorsByByte(warps[w], size);
    ++requests;
    cost += one;
    Class& known = classes[one];
    if (known.count++ == 0) known.first = w;
  }
  EXPECT_EQ(line.requests, requests);
  EXPECT_EQ(line.cost, cost);
  std::map<uint32_t, Class> recorded;
  uint64_t drawn = 0;
  for (const RequestSample& sample : line.samples) {
    const Request& request = sample.request;
    const Lanes& lanes = warps[sample.block.x];
    ASSERT_EQ(request.lanes, lanes.mask);
    EXPECT_EQ(request.bytes, static_cast<int>(size));
    for (size_t l = 0; l < 32; ++l) {
      if ((lanes.mask >> l & 1) != 0) {
        EXPECT_EQ(request.at[l], base + lanes.at[l]);
      }
    }
    EXPECT_EQ(sample.cost.cost, shared ? TurnsByService(lanes, size) : SectorsByByte(lanes, size));
    EXPECT_LE(sample.cost.fewest, sample.cost.cost);
    drawn += sample.count * sample.cost.cost;
    Class& of_cost = recorded[sample.cost.cost];
    of_cost.first = of_cost.count == 0 ? sample.block.x : std::min<uint64_t>(of_cost.first, sample.block.x);
    of_cost.count += sample.count;
  }
  EXPECT_EQ(drawn, cost);
  ASSERT_EQ(recorded.size(), classes.size());
  for (const auto& [one, known] : classes) {
    EXPECT_EQ(recorded[one].count, known.count) << "requests that cost " << one;
    EXPECT_EQ(recorded[one].first, known.first) << "the first request that costs " << one;
  }
}

TEST(RequestsTest, AreWhatTheCountersAndAnOracleCountForAnyAddresses) {
  std::mt19937 random(7);
  for (const Form& form : kForms) {
    SCOPED_TRACE(form.type);
    std::vector<Lanes> warps;
    std::vector<uint32_t> offsets, active;
    for (uint32_t w = 0; w < kWarps; ++w) {
      warps.push_back(Draw(random, form.size));
      for (uint32_t l = 0; l < 32; ++l) {
        offsets.push_back(warps.back().at[l]);
        active.push_back(warps.back().mask >> l & 1);
      }
    }
    for (const int host_threads : {1, 3}) {
      for (const bool checks : {false, true}) {
        DeviceOptions options = RecordingRequests(host_threads);
        options.checks.shared_races = checks;
        KernelHarness harness(options);
        harness.Load(LoadsAt(form));
        const DevicePtr array = harness.Allocate(kBytes, "d_in");
        const Ran ran = harness.Launch({kWarps}, {32}, {array, harness.Upload(offsets), harness.Upload(active)});
        const std::vector<LineRequests> all = harness.device().Pictures().Requests();
        const LineRequests* global = Find(all, 2, RequestSpace::kGlobal);
        const LineRequests* shared = Find(all, 3, RequestSpace::kShared);
        ASSERT_TRUE(global != nullptr && shared != nullptr);
        const Counters* counted = CountersAt(ran, 2);
        EXPECT_EQ(global->requests, counted->global_load_requests);
        EXPECT_EQ(global->cost, counted->global_load_sectors);
        counted = CountersAt(ran, 3);
        EXPECT_EQ(shared->requests, counted->shared_load_requests);
        EXPECT_EQ(shared->cost, counted->shared_load_wavefronts);
        EXPECT_EQ(shared->fewest, counted->shared_load_ideal_wavefronts);
        ExpectAsTheOracle(*global, warps, form.size, array);
        ExpectAsTheOracle(*shared, warps, form.size, 0);
        EXPECT_EQ(global->samples.at(0).array, "d_in");
        EXPECT_EQ(global->samples.at(0).array_base, array);
        EXPECT_EQ(global->samples.at(0).kernel, "k");
        EXPECT_EQ(global->samples.at(0).block_size.x, 32u);
      }
    }
  }
}

TEST(RequestsTest, StoresAtomicsAndCopiesAreLinesOfTheirOwn) {
  KernelHarness harness(RecordingRequests());
  harness.Load(
      Kernel("mov.u32 %r1, tile; mad.lo.u32 %r1, %t, 128, %r1;\n.loc 1 2 0\nst.shared.u32 [%r1], %g;"
             "st.global.u32 [%at0], %g; atom.global.add.u32 %r2, [%rd0], 1; ld.shared.u32 %r3, [%r1];"
             "atom.shared.add.u32 %r2, [tile], 1; cp.async.ca.shared.global [%r1], [%at0], 4;"
             "cp.async.wait_all;",
             ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n"));
  const Ran ran = harness.Launch({1}, {32}, {harness.Allocate(128)});
  const std::vector<LineRequests> all = harness.device().Pictures().Requests();
  const Counters* counted = CountersAt(ran, 2);
  ASSERT_NE(counted, nullptr);
  struct Row {
    RequestSpace space;
    AccessDirection direction;
    uint64_t requests, cost, expected;
  };
  const Row rows[] = {
      {RequestSpace::kShared, AccessDirection::kStore, counted->shared_store_requests, counted->shared_store_wavefronts,
       2 * 32},
      {RequestSpace::kShared, AccessDirection::kLoad, counted->shared_load_requests, counted->shared_load_wavefronts,
       32},
      {RequestSpace::kShared, AccessDirection::kAtomic, counted->shared_atomic_requests,
       counted->shared_atomic_wavefronts, 1},
      {RequestSpace::kGlobal, AccessDirection::kStore, counted->global_store_requests, counted->global_store_sectors,
       4},
      {RequestSpace::kGlobal, AccessDirection::kLoad, counted->global_load_requests, counted->global_load_sectors, 4},
      {RequestSpace::kGlobal, AccessDirection::kAtomic, counted->global_atomic_requests, counted->global_atomic_sectors,
       1}};
  for (const Row& row : rows) {
    const LineRequests* line = Find(all, 2, row.space, row.direction);
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->requests, row.requests);
    EXPECT_EQ(line->cost, row.cost);
    EXPECT_EQ(line->cost, row.expected);
  }
}

TEST(RequestsTest, NothingIsRecordedUnlessItIsAskedFor) {
  KernelHarness harness;
  harness.Load(Kernel("\n.loc 1 2 0\nst.global.u32 [%at0], 1;", ".file 1 \"lab.cu\"\n"));
  const DevicePtr array = harness.Allocate(128);
  harness.Launch({1}, {32}, {array});
  EXPECT_TRUE(harness.device().Pictures().Requests().empty());
  harness.device().RecordPictures(true);
  harness.Launch({1}, {32}, {array});
  EXPECT_EQ(harness.device().Pictures().Requests().size(), 1u);
  harness.device().ResetObservations();
  EXPECT_TRUE(harness.device().Pictures().Requests().empty());
  harness.device().RecordPictures(false);
  harness.Launch({1}, {32}, {array});
  EXPECT_TRUE(harness.device().Pictures().Requests().empty());
}

TEST(RequestsTest, LaunchesOfOneLineAddUpAndTheFirstOneIsShown) {
  KernelHarness harness(RecordingRequests());
  harness.Load(Kernel("\n.loc 1 2 0\nst.global.u32 [%at0], 1;", ".file 1 \"lab.cu\"\n"));
  const DevicePtr array = harness.Allocate(4096);
  LaunchRequest request;
  request.kernel = harness.kernel();
  request.parameters.resize(32);
  std::memcpy(request.parameters.data(), &array, sizeof(array));
  for (const uint32_t blocks : {2u, 3u}) {
    request.grid = {blocks};
    request.block = {blocks * 32};
    ASSERT_EQ(harness.device().Launch(request), LaunchStatus::kOk);
  }
  const std::vector<LineRequests> all = harness.device().Pictures().Requests();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].requests, 2u * 2 + 3 * 3);
  EXPECT_EQ(all[0].cost, 4 * all[0].requests);
  ASSERT_EQ(all[0].samples.size(), 1u);
  EXPECT_EQ(all[0].samples[0].count, all[0].requests);
  EXPECT_EQ(all[0].samples[0].block_size.x, 64u);
}

TEST(RequestsTest, AHostileKernelCannotFillTheMemory) {
  // Each instruction makes one class of its own.
  std::string body;
  constexpr uint64_t kInstructions = RequestRecorder::kMostClasses + 100;
  for (uint64_t i = 0; i < kInstructions; ++i) {
    body += "\n.loc 1 " + std::to_string(i + 2) + " 0\nst.global.u32 [%at0], 1;";
  }
  KernelHarness harness(RecordingRequests());
  harness.Load(Kernel(body, ".file 1 \"lab.cu\"\n"));
  harness.Launch({1}, {32}, {harness.Allocate(128)});
  uint64_t requests = 0, samples = 0;
  for (const LineRequests& line : harness.device().Pictures().Requests()) {
    requests += line.requests;
    samples += line.samples.size();
  }
  EXPECT_EQ(requests, kInstructions);
  EXPECT_EQ(samples, RequestRecorder::kMostClasses);
}

}  // namespace
}  // namespace warpgrade::emulator
