// The steps of `warpgrade explain --steps`, for the course's trees and scans. An oracle knows each algorithm and adds
// on the host, in the same order and in float: every value of every step must be its value, and so must the result of
// the block. The requests in the steps must be those that the counters of the same run count.
//
// Some rungs run in every run of the tests. WARPGRADE_TEST_EXPLAIN=1 runs all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

#include "grader/judge/measurement_json.h"
#include "tests/cli/program.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using score::BlockStep;
using score::BlockSteps;
using score::StepArray;
using score::StepValue;
using score::StepWrite;

constexpr uint32_t kThreads = 256, kWarp = 32;

bool IsWithAll() {
  const char* const value = std::getenv("WARPGRADE_TEST_EXPLAIN");
  return value != nullptr && std::string(value) == "1";
}

score::RungMeasurement Explain(const std::string& lab, const std::string& rung, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("measurement.json");
  std::vector<std::string> command = {WARPGRADE_BINARY,        "explain",       lab, rung, "--steps", "--submission",
                                      SourcePath("solutions"), "--measurement", file};
  command.insert(command.end(), more.begin(), more.end());
  const ProgramResult program = RunProgram(command, {"LC_ALL=C"});
  EXPECT_EQ(program.exit_code, 0) << program.err;
  const Result<score::RungMeasurement> measurement = judge::ParseMeasurement(ReadText(file));
  EXPECT_TRUE(measurement.ok());
  if (!measurement.ok()) return {};
  EXPECT_EQ(measurement->status, score::RungStatus::kPassed) << "so the judge has found the block's results right";
  EXPECT_EQ(measurement->pictures.steps.size(), 1u);
  return *measurement;
}

float FloatOf(const StepValue& value) {
  const auto bits = static_cast<uint32_t>(value.bits);
  float result = 0;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

const StepArray& ArrayOf(const BlockSteps& block, const StepValue& value) { return block.arrays.at(value.array); }

bool IsIn(const BlockSteps& block, const StepValue& value, const std::string& array) {
  return ArrayOf(block, value).name == array;
}

std::vector<const StepWrite*> WritesTo(const BlockSteps& block, const BlockStep& step, const std::string& array) {
  std::vector<const StepWrite*> writes;
  for (const StepWrite& write : step.writes) {
    if (IsIn(block, write.what, array)) writes.push_back(&write);
  }
  std::stable_sort(writes.begin(), writes.end(), [](auto* a, auto* b) { return a->thread < b->thread; });
  return writes;
}

// What the thread has read of global memory until then, in order.
std::vector<float> GlobalReads(const BlockSteps& block, const BlockStep& step, uint32_t thread) {
  std::vector<float> values;
  for (const score::StepRead& read : step.reads) {
    if (read.thread == thread && ArrayOf(block, read.what).space == StepArray::Space::kGlobal) {
      values.push_back(FloatOf(read.what));
    }
  }
  return values;
}

// Replays the writes: each thread reads what was there before the step, or what it has just written.
void ExpectThatItReplays(const BlockSteps& block) {
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> memory;
  for (size_t index = 0; index < block.steps.size(); ++index) {
    const BlockStep& step = block.steps[index];
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, std::vector<uint64_t>> own;
    for (const StepWrite& write : step.writes) {
      own[{write.thread, write.what.array, write.what.element}].push_back(write.what.bits);
    }
    for (const score::StepRead& read : step.reads) {
      if (ArrayOf(block, read.what).space == StepArray::Space::kRegisters) continue;
      const auto known = memory.try_emplace({read.what.array, read.what.element}, read.what.bits).first;
      if (known->second == read.what.bits) continue;
      EXPECT_THAT((own[{read.thread, read.what.array, read.what.element}]), testing::Contains(read.what.bits))
          << "step " << index + 1 << ", thread " << read.thread << ", element " << read.what.element;
    }
    for (const StepWrite& write : step.writes) memory[{write.what.array, write.what.element}] = write.what.bits;
  }
}

// The lanes of each step are those of its requests, for kernels without vector accesses of shared memory.
void ExpectTheLanes(const BlockSteps& block) {
  for (const BlockStep& step : block.steps) {
    uint64_t loads = 0, stores = 0;
    for (const score::StepRead& read : step.reads) {
      loads += ArrayOf(block, read.what).space == StepArray::Space::kShared ? 1 : 0;
    }
    for (const StepWrite& write : step.writes) {
      stores += ArrayOf(block, write.what).space == StepArray::Space::kShared ? 1 : 0;
    }
    EXPECT_EQ(loads, step.shared_load_lanes);
    EXPECT_EQ(stores, step.shared_store_lanes);
  }
}

// All requests of a run with one block are in its steps.
void ExpectTheCounters(const std::string& lab, const std::string& rung, int case_number) {
  const score::RungMeasurement measurement = Explain(lab, rung, {"--case", std::to_string(case_number)});
  ASSERT_EQ(measurement.pictures.steps.size(), 1u);
  const BlockSteps& block = measurement.pictures.steps[0];
  ASSERT_EQ(block.launches, 1u);
  ASSERT_EQ(block.grid.x, 1u);
  uint64_t counted = 0, in_steps = 0;
  for (const score::LineCounts& line : measurement.line_counts) counted += line.shared_requests;
  for (const BlockStep& step : block.steps) in_steps += step.shared_loads + step.shared_stores + step.shared_atomics;
  EXPECT_EQ(in_steps, counted);
  EXPECT_GT(counted, 0u);
  ExpectTheLanes(block);
}

// ---- trees in shared memory -----------------------------------------------------------------------------------------

// One addition of a tree: `thread` adds element `other` to element `to`.
struct Addition {
  uint32_t thread = 0, to = 0, other = 0;
};
using Round = std::vector<Addition>;

// Of v1 to v7: how thread t adds in the round with this step.
std::vector<Round> Rounds(const std::string& rung) {
  std::vector<Round> rounds;
  const bool interleaved = rung == "v1" || rung == "v2", last_warp = rung >= "v5";
  for (uint32_t i = 1; i < kThreads; i *= 2) {
    const uint32_t step = interleaved ? i : kThreads / 2 / i;
    Round& round = rounds.emplace_back();
    for (uint32_t t = 0; t < kThreads; ++t) {
      if (rung == "v1" && t % (2 * step) == 0) round.push_back({t, t, t + step});
      if (rung == "v2" && 2 * step * t < kThreads) round.push_back({t, 2 * step * t, 2 * step * t + step});
      if (interleaved) continue;
      const uint32_t working = last_warp && step <= kWarp ? kWarp : step;  // the whole last warp
      if (t < working) round.push_back({t, t, t + step});
    }
  }
  return rounds;
}

void ExpectTheTree(const std::string& rung) {
  SCOPED_TRACE("lab1 " + rung);
  const score::RungMeasurement measurement = Explain("lab1", rung);
  ASSERT_EQ(measurement.pictures.steps.size(), 1u);
  const BlockSteps& block = measurement.pictures.steps[0];
  ExpectThatItReplays(block);
  ExpectTheLanes(block);
  const std::vector<Round> rounds = Rounds(rung);
  ASSERT_GE(block.steps.size(), 1 + rounds.size());
  std::vector<float> partial(kThreads + kWarp);
  for (uint32_t t = 0; t < kThreads; ++t) {
    for (const float value : GlobalReads(block, block.steps[0], t)) partial[t] += value;
  }
  const auto first = WritesTo(block, block.steps[0], "partial");
  ASSERT_EQ(first.size(), kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(first[t]->thread, t);
    EXPECT_EQ(first[t]->what.element, t);
    EXPECT_EQ(FloatOf(first[t]->what), partial[t]);
  }
  for (size_t r = 0; r < rounds.size(); ++r) {
    const auto writes = WritesTo(block, block.steps[r + 1], "partial");
    ASSERT_EQ(writes.size(), rounds[r].size()) << "round " << r;
    const std::vector<float> before = partial;
    for (size_t i = 0; i < writes.size(); ++i) {
      const Addition& addition = rounds[r][i];
      EXPECT_EQ(writes[i]->thread, addition.thread);
      EXPECT_EQ(writes[i]->what.element, addition.to);
      partial[addition.to] = before[addition.to] + before[addition.other];
      EXPECT_EQ(FloatOf(writes[i]->what), partial[addition.to]) << "round " << r << ", thread " << addition.thread;
      std::vector<uint64_t> sources;
      for (const StepValue& source : writes[i]->sources) sources.push_back(source.element);
      // From the second round of the last warp on, a lane has its own element in a register.
      EXPECT_THAT(sources, testing::Contains(addition.other));
      EXPECT_LE(sources.size(), 2u);
      for (const uint64_t source : sources) EXPECT_TRUE(source == addition.to || source == addition.other);
    }
  }
  const auto result = WritesTo(block, block.steps.back(), ArrayOf(block, block.steps.back().writes.back().what).name);
  ASSERT_EQ(result.size(), 1u);
  EXPECT_EQ(result[0]->thread, 0u);
  EXPECT_EQ(FloatOf(result[0]->what), partial[0]);
}

// ---- scans in shared memory -----------------------------------------------------------------------------------------

void ExpectWrite(const StepWrite& write, uint32_t thread, uint64_t element, float value) {
  EXPECT_EQ(write.thread, thread);
  EXPECT_EQ(write.what.element, element) << "thread " << thread;
  EXPECT_EQ(FloatOf(write.what), value) << "thread " << thread;
}

// Hillis and Steele, from one half of the buffer to the other.
void ExpectTheScanV1(const BlockSteps& block) {
  std::vector<float> sums(kThreads);
  const auto first = WritesTo(block, block.steps[0], "buffer");
  ASSERT_EQ(first.size(), kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) sums[t] = GlobalReads(block, block.steps[0], t).at(0);
  size_t index = 1;
  for (uint32_t distance = 1, from = 0; distance < kThreads; distance *= 2, from = 1 - from, ++index) {
    const std::vector<float> before = sums;
    const auto writes = WritesTo(block, block.steps.at(index), "buffer");
    ASSERT_EQ(writes.size(), kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      if (t >= distance) sums[t] = before[t - distance] + before[t];
      ExpectWrite(*writes[t], t, (1 - from) * kThreads + t, sums[t]);
      EXPECT_EQ(writes[t]->sources.size(), t >= distance ? 2u : 1u) << "thread " << t;
    }
  }
  const auto out = WritesTo(block, block.steps.back(), "d_out");
  ASSERT_EQ(out.size(), kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) ExpectWrite(*out[t], t, t, sums[t]);
}

// Blelloch: up the tree, and down again. `place`: of an element of the tree.
void ExpectTheScanV2(const BlockSteps& block, const std::function<uint32_t(uint32_t)>& place) {
  constexpr uint32_t kElements = 2 * kThreads;
  std::vector<float> tree(kElements), in(kElements);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const std::vector<float> read = GlobalReads(block, block.steps[0], t);
    ASSERT_EQ(read.size(), 2u);
    in[t] = tree[t] = read[0];
    in[t + kThreads] = tree[t + kThreads] = read[1];
  }
  size_t index = 1;
  uint32_t distance = 1;
  for (uint32_t pairs = kThreads; pairs > 0; pairs /= 2, distance *= 2, ++index) {
    auto writes = WritesTo(block, block.steps.at(index), "tree");
    if (pairs == 1) {  // the thread then replaces the sum by 0, before the next barrier
      ASSERT_EQ(writes.size(), 2u);
      ExpectWrite(*writes[1], 0, place(kElements - 1), 0);
      writes.pop_back();
    }
    ASSERT_EQ(writes.size(), pairs);
    for (uint32_t t = 0; t < pairs; ++t) {
      const uint32_t right = distance * (2 * t + 2) - 1;
      tree[right] += tree[right - distance];
      ExpectWrite(*writes[t], t, place(right), tree[right]);
      EXPECT_EQ(writes[t]->sources.size(), 2u);
    }
  }
  tree[kElements - 1] = 0;
  for (uint32_t pairs = 1; pairs <= kThreads; pairs *= 2, ++index) {
    distance /= 2;
    const auto writes = WritesTo(block, block.steps.at(index), "tree");
    ASSERT_EQ(writes.size(), 2 * pairs);
    for (uint32_t t = 0; t < pairs; ++t) {
      const uint32_t right = distance * (2 * t + 2) - 1, left = right - distance;
      const float left_sum = tree[left];
      tree[left] = tree[right];
      tree[right] += left_sum;
      ExpectWrite(*writes[2 * t], t, place(left), tree[left]);
      ExpectWrite(*writes[2 * t + 1], t, place(right), tree[right]);
      EXPECT_EQ(writes[2 * t]->sources.size(), 1u);
      EXPECT_EQ(writes[2 * t + 1]->sources.size(), 2u);
    }
  }
  const auto out = WritesTo(block, block.steps.back(), "d_out");
  ASSERT_EQ(out.size(), kElements);
  for (const StepWrite* write : out) {
    const uint64_t i = write->what.element;
    EXPECT_EQ(FloatOf(write->what), tree.at(i) + in.at(i)) << "element " << i << ": the technique case is inclusive";
  }
}

// ---- shuffles -------------------------------------------------------------------------------------------------------

// One shuffle of warps: what each thread of `values` offers, and what it gets from `source_of` its lane.
void ExpectShuffle(const BlockSteps& block, const BlockStep& step, const std::vector<float>& values,
                   const std::function<uint32_t(uint32_t lane)>& source_of) {
  ASSERT_GT(step.shuffles, 0u);
  size_t offers = 0;
  for (const score::StepRead& read : step.reads) {
    if (ArrayOf(block, read.what).space != StepArray::Space::kRegisters) continue;
    ++offers;
    EXPECT_EQ(FloatOf(read.what), values.at(read.thread)) << "thread " << read.thread;
  }
  EXPECT_EQ(offers, kWarp * step.shuffles);
  for (const StepWrite& write : step.writes) {
    if (write.does != StepWrite::Does::kShuffle) continue;
    const uint32_t lane = write.thread % kWarp, from = write.thread - lane + source_of(lane);
    EXPECT_EQ(write.sources.at(0).element, from);
    EXPECT_EQ(FloatOf(write.what), values.at(from)) << "thread " << write.thread;
  }
}

std::vector<const BlockStep*> Shuffles(const BlockSteps& block) {
  std::vector<const BlockStep*> steps;
  for (const BlockStep& step : block.steps) {
    if (step.shuffles > 0) steps.push_back(&step);
  }
  return steps;
}

void ExpectTheShuffledTree(const BlockSteps& block) {
  std::vector<float> values(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    for (const float value : GlobalReads(block, block.steps[0], t)) values[t] += value;
  }
  const std::vector<const BlockStep*> shuffles = Shuffles(block);
  ASSERT_EQ(shuffles.size(), 10u);
  for (size_t round = 0; round < 10; ++round) {
    if (round == 5) {
      std::vector<float> sums(kThreads);
      for (uint32_t w = 0; w < kThreads / kWarp; ++w) sums[w] = values[w * kWarp];
      values = sums;
    }
    const uint32_t offset = 16u >> round % 5;
    const auto source_of = [offset](uint32_t lane) { return lane + offset < kWarp ? lane + offset : lane; };
    EXPECT_EQ(shuffles[round]->shuffles, round < 5 ? 8u : 1u);
    ExpectShuffle(block, *shuffles[round], values, source_of);
    const std::vector<float> before = values;
    for (uint32_t t = 0; t < kThreads; ++t) values[t] += before[t - t % kWarp + source_of(t % kWarp)];
  }
  EXPECT_EQ(FloatOf(block.steps.back().writes.at(0).what), values[0]);
}

void ExpectTheShuffledScan(const BlockSteps& block) {
  constexpr uint32_t kMany = 512;
  const std::vector<const BlockStep*> shuffles = Shuffles(block);
  ASSERT_GE(shuffles.size(), 5u);
  std::vector<float> values(kMany);
  for (uint32_t t = 0; t < kMany; ++t) values[t] = GlobalReads(block, block.steps[0], t).at(0);
  for (size_t round = 0; round < 5; ++round) {
    const uint32_t distance = 1u << round;
    const auto source_of = [distance](uint32_t lane) { return lane >= distance ? lane - distance : lane; };
    ExpectShuffle(block, *shuffles[round], values, source_of);
    const std::vector<float> before = values;
    for (uint32_t t = 0; t < kMany; ++t) {
      if (t % kWarp >= distance) values[t] = before[t - distance] + before[t];
    }
  }
  std::vector<float> sums(kMany / kWarp), before_warp(kMany / kWarp);
  for (size_t w = 0; w < sums.size(); ++w) sums[w] = values[w * kWarp + kWarp - 1];
  for (size_t distance = 1; distance < sums.size(); distance *= 2) {
    const std::vector<float> before = sums;
    for (size_t w = distance; w < sums.size(); ++w) sums[w] = before[w - distance] + before[w];
  }
  for (size_t w = 1; w < sums.size(); ++w) before_warp[w] = sums[w - 1];
  size_t written = 0;
  for (const BlockStep& step : block.steps) {
    for (const StepWrite* write : WritesTo(block, step, "d_out")) {
      const auto t = static_cast<uint32_t>(write->what.element);
      EXPECT_EQ(FloatOf(write->what), before_warp.at(t / kWarp) + values.at(t));
      ++written;
    }
  }
  EXPECT_EQ(written, kMany);
}

BlockSteps StepsOf(const std::string& lab, const std::string& rung) {
  const score::RungMeasurement measurement = Explain(lab, rung);
  if (measurement.pictures.steps.empty()) return {};
  ExpectThatItReplays(measurement.pictures.steps[0]);
  return measurement.pictures.steps[0];
}

constexpr int kLab1OneBlock = 27, kLab5OneBlock = 10;  // public cases: 33 floats to add, 256 ints to scan

TEST(StepsOfTheCourseTest, ATreeHasTheValuesOfTheOracle) { ExpectTheTree("v2"); }

TEST(StepsOfTheCourseTest, AShuffledTreeHasTheValuesOfTheOracle) { ExpectTheShuffledTree(StepsOf("lab1", "v8")); }

TEST(StepsOfTheCourseTest, AScanHasTheValuesOfTheOracle) {
  ExpectTheScanV2(StepsOf("lab5", "v2"), [](uint32_t i) { return i; });
}

TEST(StepsOfTheCourseTest, TheRequestsAreThoseThatAreCounted) { ExpectTheCounters("lab1", "v2", kLab1OneBlock); }

TEST(StepsOfTheCourseTest, AllTreesHaveTheValuesOfTheOracle) {
  if (!IsWithAll()) GTEST_SKIP() << "WARPGRADE_TEST_EXPLAIN=1 runs all rungs";
  for (const std::string rung : {"v1", "v3", "v4", "v5", "v6", "v7"}) ExpectTheTree(rung);
}

TEST(StepsOfTheCourseTest, AllScansHaveTheValuesOfTheOracle) {
  if (!IsWithAll()) GTEST_SKIP() << "WARPGRADE_TEST_EXPLAIN=1 runs all rungs";
  ExpectTheScanV1(StepsOf("lab5", "v1"));
  ExpectTheScanV2(StepsOf("lab5", "v3"), [](uint32_t i) { return i + i / kWarp; });
  ExpectTheShuffledScan(StepsOf("lab5", "v4"));
}

TEST(StepsOfTheCourseTest, AllOthersReplay) {
  if (!IsWithAll()) GTEST_SKIP() << "WARPGRADE_TEST_EXPLAIN=1 runs all rungs";
  for (const auto& [lab, rung] : {std::pair("lab1", "v9"), {"lab5", "v5"}, {"lab5", "v6"}, {"lab3", "v3"}}) {
    SCOPED_TRACE(std::string(lab) + " " + rung);
    EXPECT_FALSE(StepsOf(lab, rung).steps.empty());
  }
}

TEST(StepsOfTheCourseTest, AllRequestsAreThoseThatAreCounted) {
  if (!IsWithAll()) GTEST_SKIP() << "WARPGRADE_TEST_EXPLAIN=1 runs all rungs";
  for (const std::string rung : {"v1", "v3", "v4", "v5", "v6", "v7", "v8"}) {
    ExpectTheCounters("lab1", rung, kLab1OneBlock);
  }
  for (const std::string rung : {"v1", "v2", "v3", "v4"}) ExpectTheCounters("lab5", rung, kLab5OneBlock);
}

}  // namespace
}  // namespace warpgrade
