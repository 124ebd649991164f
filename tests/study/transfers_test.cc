// The model of a transfer: fitted to times that follow it exactly, and to those of a GPU.
#include "grader/study/transfers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/study/recorded.h"

namespace warpgrade::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;

plot::Series TimesOf(double latency_us, double bytes_per_us) {
  plot::Series times{.name = "up, pinned"};
  for (double bytes = 1024; bytes <= 256 << 20; bytes *= 4) {
    times.points.push_back(plot::Exact(bytes, latency_us + bytes / bytes_per_us));
  }
  return times;
}

TEST(TransfersTest, TheModelIsFoundAgainInTimesThatFollowIt) {
  for (const double latency_us : {1.0, 10.0, 300.0}) {
    for (const double bytes_per_us : {500.0, 8000.0, 55'000.0}) {
      const plot::Series times = TimesOf(latency_us, bytes_per_us);
      const TransferModel model = FitTransfers(times);
      EXPECT_NEAR(model.latency_us, latency_us, 1e-6 * latency_us);
      EXPECT_NEAR(model.bytes_per_us, bytes_per_us, 1e-6 * bytes_per_us);
      EXPECT_NEAR(WorstError(times, model), 0, 1e-6);
    }
  }
}

// The course's example: 10 us and 8 GB/s, so below 80 KB latency rules.
TEST(TransfersTest, ACopyOfLatencyTimesSpeedHasHalfOfTheSpeed) {
  const TransferModel model = FitTransfers(TimesOf(10, 8000));
  EXPECT_NEAR(model.HalfSpeedBytes(), 80'000, 1);
  EXPECT_NEAR(model.HalfSpeedBytes() / model.TimeOf(model.HalfSpeedBytes()), 4000, 1);
}

TEST(TransfersTest, ASmallCopyThatIsSlowCountsAsMuchAsALargeOne) {
  plot::Series times = TimesOf(10, 8000);
  times.points[0].y *= 2;
  const TransferModel model = FitTransfers(times);
  EXPECT_GT(model.latency_us, 11);
  EXPECT_NEAR(model.bytes_per_us, 8000, 400);
  EXPECT_NEAR(WorstError(times, model), 1 - model.TimeOf(1024) / times.points[0].y, 1e-9);
}

TEST(TransfersTest, ALargeCopyThatIsSlowDoesNotChangeTheLatency) {
  plot::Series times = TimesOf(10, 8000);
  times.points.back().y *= 1.02;
  EXPECT_NEAR(FitTransfers(times).latency_us, 10, 1);
}

TEST(TransfersTest, TheChartsOfAGpuHaveTimesSpeedsAndTheModel) {
  std::string printed = "device\tNVIDIA Test\t1\n";
  for (const char* series : {"up, pinned", "up, pageable", "down, pinned", "down, pageable"}) {
    const double us = std::string(series).ends_with("pinned") ? 10 : 20, speed = us == 10 ? 8000 : 2000;
    for (double bytes = 1024; bytes <= 256 << 20; bytes *= 4) {
      const double t = us + bytes / speed;
      printed += "row\ttime\t" + std::string(series) + "\t" + std::to_string(bytes) + "\t" + std::to_string(t) + "\t" +
                 std::to_string(t) + "\t" + std::to_string(t) + "\n";
    }
  }
  Recorded machine(printed);
  const auto plot = StudyNamed("transfers").run(machine);
  ASSERT_TRUE(plot.ok()) << plot.error().message;
  ASSERT_EQ(plot->charts.size(), 2u);
  EXPECT_EQ(plot->facts[0].second, "NVIDIA Test");
  EXPECT_NEAR(plot->charts[1].series.at(0).points.back().y, 8.0, 0.01) << "GB/s of the largest copy";
  EXPECT_THAT(plot->charts[0].sentences.at(0),
              AllOf(HasSubstr("up, pinned: t = 10 us + bytes / (8 GB/s), at most 0% "), HasSubstr("L * B = 78 KB")));
  EXPECT_THAT(plot->charts[1].sentences.at(0), HasSubstr("up, pageable takes 4 times as long as up, pinned"));
}

}  // namespace
}  // namespace warpgrade::study
