// A timed case whose arrays the GPU draws and checks. The fake device runs the toy lab's kernels as host functions;
// tests/course/gpu_work_test.cc runs the labs' own kernels.
#include "grader/judge/own_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "grader/judge/throughput.h"
#include "tests/judge/fake/fake_rung.h"
#include "tests/judge/fake/timing_rules.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using fake::FewSamples;
using fake::ThreeCallsASample;
using fake::Unbounded;
using score::RungStatus;
using score::ThroughputMeasurement;
using testing::HasSubstr;

int32_t* Ints(uint64_t address) { return reinterpret_cast<int32_t*>(address); }

// What the toy lab's kernels do.
void RunToyKernel(const std::string& kernel, const GpuArguments& a) {
  auto* const counts = reinterpret_cast<GpuCounts*>(a.counts);
  if (kernel == "draw") {
    Random random(a.seed);
    for (uint64_t i = 0; i < a.sizes[0]; ++i) Ints(a.arrays[0])[i] = static_cast<int32_t>(random() % 1'000'000);
  } else if (kernel == "same") {
    counts->checked += a.bytes;
    counts->wrong += std::memcmp(Ints(a.arrays[a.array]), Ints(a.other), a.bytes) == 0 ? 0 : 1;
  } else {
    counts->checked += a.sizes[0];
    for (uint64_t i = 0; i < a.sizes[0]; ++i) counts->wrong += Ints(a.arrays[1])[i] == 2 * Ints(a.arrays[0])[i] ? 0 : 1;
  }
}

class OwnKernelsTest : public testing::Test {
 protected:
  // Times a student of students/*.cc.
  score::RungMeasurement Time(const std::string& student,
                              const std::function<void(const std::string&, const GpuArguments&)>& run_own,
                              BufferSpec::Place place = BufferSpec::Place::kDevice,
                              std::optional<int> allocations = std::nullopt) {
    rung_.reset();  // its device has an address of its own
    rung_ = std::make_unique<FakeRung>(student);
    rung_->lab.has_kernels = true;
    rung_->lab.place = place;
    rung_->lab.timed_elements = timed_elements_;
    rung_->device.run_own = run_own;
    rung_->device.allocations_left = allocations;
    rung_->Start();
    score::RungMeasurement m;
    TimedSamples samples;
    const Status timed = MeasureThroughput(rung_->context(), Unbounded(rung_->calibrator()), rule_, &samples, &m);
    EXPECT_TRUE(timed.ok()) << timed.error().message;
    EXPECT_EQ(rung_->device.live_buffers, 0);
    EXPECT_EQ(rung_->device.live_views, 0);
    return m;
  }
  const ToyLab& lab() const { return rung_->lab; }

  std::unique_ptr<FakeRung> rung_;
  TimingRule rule_ = ThreeCallsASample();
  uint64_t timed_elements_ = uint64_t{1} << 20;
};

TEST_F(OwnKernelsTest, TheHostNeitherDrawsNorChecksWhatTheGpuFindsRight) {
  const score::RungMeasurement m = Time("honest", RunToyKernel);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
  EXPECT_EQ(lab().drawn_on_host, 0);
  EXPECT_EQ(lab().checked_on_host, 0);
}

TEST_F(OwnKernelsTest, TheJudgeSleepsWhileTheyRunButNotWhileTheClockDoes) {
  int runs = 0;
  Time("honest", [&runs](const std::string& kernel, const GpuArguments& a) {
    runs += kernel == "draw" || kernel == "same" ? 1 : 0;
    RunToyKernel(kernel, a);
  });
  EXPECT_GT(runs, 0);
  EXPECT_EQ(rung_->device.sleeps, runs);  // after drawing an array, and after all that checks a call
  EXPECT_EQ(rung_->device.sleeps_too_early, 0);
}

TEST_F(OwnKernelsTest, InputsInHostMemoryThatTheGpuSeesAreComparedThere) {
  for (const BufferSpec::Place place : {BufferSpec::Place::kHost, BufferSpec::Place::kLockedHost}) {
    int compared = 0, checked = 0;
    const auto count = [&](const std::string& kernel, const GpuArguments& a) {
      RunToyKernel(kernel, a);
      compared += kernel == "same" ? 1 : 0;
      checked += kernel == "check" ? 1 : 0;
    };
    EXPECT_EQ(Time("honest", count, place).status, RungStatus::kPassed);
    EXPECT_EQ(lab().drawn_on_host, 0);
    EXPECT_EQ(lab().checked_on_host, 0);
    EXPECT_GT(checked, 0);
    EXPECT_EQ(compared, checked) << "there is one input";
  }
}

// An input has 20 MB, and a piece 16 MB.
TEST_F(OwnKernelsTest, LargeInputsInHostMemoryArriveInPieces) {
  timed_elements_ = (uint64_t{5} << 20) + 3;
  rule_ = FewSamples();  // more arrays than those of one call would not fit into the fake device
  const score::RungMeasurement m = Time("honest", RunToyKernel, BufferSpec::Place::kHost);
  EXPECT_EQ(m.status, RungStatus::kPassed) << (m.failures.empty() ? "" : m.failures[0].message);
  EXPECT_EQ(lab().drawn_on_host, 0);
  EXPECT_EQ(lab().checked_on_host, 0);
}

// The judge's counts and scratch memory fit, and the input.
TEST_F(OwnKernelsTest, WithoutRoomOnTheGpuForAnOutputInHostMemoryTheHostDrawsAndChecks) {
  const score::RungMeasurement m = Time("honest", RunToyKernel, BufferSpec::Place::kHost, 3);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
  EXPECT_GT(lab().drawn_on_host, 0);
  EXPECT_GT(lab().checked_on_host, 0);
  EXPECT_EQ(rung_->device.copies_on_idle_bus, 0);
  EXPECT_GT(rung_->device.emptied, 0) << "the GPU delivers also what the host has drawn";
}

// Else a program could take all the memory, so that nobody watches the bus.
TEST_F(OwnKernelsTest, WithoutRoomOnTheGpuForAnInputInHostMemoryNothingIsTimed) {
  FakeRung rung("honest");
  rung.lab.has_kernels = true;
  rung.lab.place = BufferSpec::Place::kHost;
  rung.device.run_own = RunToyKernel;
  rung.device.allocations_left = 2;
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  const Status timed = MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule_, &samples, &m);
  ASSERT_FALSE(timed.ok());
  EXPECT_EQ(timed.error().kind, ErrorKind::kLimit);
}

TEST_F(OwnKernelsTest, WhereTheGpuCannotReachHostMemoryNothingIsTimed) {
  FakeRung rung("honest");
  rung.lab.place = BufferSpec::Place::kLockedHost;
  rung.device.views_host = false;
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule_, &samples, &m).ok());
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_THAT(m.throughput.reason, HasSubstr("the GPU cannot reach d_in in host memory; may this user lock"));
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST_F(OwnKernelsTest, FaultsInHostMemoryAreDescribedByTheHost) {
  const auto time = [&](const char* student) { return Time(student, RunToyKernel, BufferSpec::Place::kHost); };
  for (const char* student : {"wrong_tail", "remembers", "only_the_last_of_many"}) {
    const score::RungMeasurement m = time(student);
    EXPECT_EQ(m.status, RungStatus::kFailed) << student;
    ASSERT_FALSE(m.failures.empty()) << student;
    EXPECT_THAT(m.failures[0].message, HasSubstr("n = 1048576: out[")) << student;
    EXPECT_EQ(lab().drawn_on_host, 0) << student;
  }
  const score::RungMeasurement changed = time("changes_input");
  ASSERT_FALSE(changed.failures.empty());
  EXPECT_THAT(changed.failures[0].message, HasSubstr("changed its input d_in"));
  const score::RungMeasurement past_end = time("writes_past_end");
  ASSERT_FALSE(past_end.failures.empty());
  EXPECT_THAT(past_end.failures[0].message, HasSubstr("wrote past the end of d_out"));
}

TEST_F(OwnKernelsTest, WithoutKernelsOnTheDeviceTheHostDoesBoth) {
  const score::RungMeasurement m = Time("honest", nullptr);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_GT(lab().drawn_on_host, 0);
  EXPECT_GT(lab().checked_on_host, 0);
}

TEST_F(OwnKernelsTest, AWrongAnswerIsDescribedByTheHost) {
  for (const char* student : {"wrong_tail", "remembers", "only_the_last_of_many", "only_the_first_of_many"}) {
    const score::RungMeasurement m = Time(student, RunToyKernel);
    EXPECT_EQ(m.status, RungStatus::kFailed) << student;
    ASSERT_FALSE(m.failures.empty()) << student;
    EXPECT_THAT(m.failures[0].message, HasSubstr("n = 1048576: out[")) << student;
    EXPECT_FALSE(m.failures[0].want.empty()) << student;
    EXPECT_EQ(lab().drawn_on_host, 0) << student << ": it is the input that the GPU drew";
  }
}

TEST_F(OwnKernelsTest, AChangedInputAndAWriteBehindAnArrayAreSeen) {
  const score::RungMeasurement changed = Time("changes_input", RunToyKernel);
  ASSERT_FALSE(changed.failures.empty());
  EXPECT_THAT(changed.failures[0].message, HasSubstr("changed its input d_in"));
  const score::RungMeasurement past_end = Time("writes_past_end", RunToyKernel);
  ASSERT_FALSE(past_end.failures.empty());
  EXPECT_THAT(past_end.failures[0].message, HasSubstr("wrote past the end of d_out"));
}

TEST_F(OwnKernelsTest, AnAnswerThatOnlyTheGpuDoubtsIsRight) {
  const auto doubt = [](const std::string& kernel, const GpuArguments& a) {
    RunToyKernel(kernel, a);
    if (kernel == "check") ++reinterpret_cast<GpuCounts*>(a.counts)->wrong;
  };
  const score::RungMeasurement m = Time("honest", doubt);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(lab().drawn_on_host, 0);
  EXPECT_GT(lab().checked_on_host, 0);
}

TEST_F(OwnKernelsTest, AKernelThatDoesNotRunFindsNothingRight) {
  for (const char* missing : {"same", "check"}) {
    const auto run = [missing](const std::string& kernel, const GpuArguments& a) {
      if (kernel != missing) RunToyKernel(kernel, a);
    };
    EXPECT_EQ(Time("wrong_tail", run).status, RungStatus::kFailed) << missing;
    EXPECT_EQ(Time("changes_input", run).failures.size(), 1u) << missing;
    EXPECT_EQ(Time("honest", run).status, RungStatus::kPassed) << missing;
    EXPECT_GT(lab().checked_on_host, 0) << missing;
  }
}

}  // namespace
}  // namespace warpgrade::judge
