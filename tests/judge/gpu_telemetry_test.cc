#include "grader/judge/gpu_telemetry.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake/fake_nvml.h"

namespace warpgrade::judge {
namespace {

using fake::FakeNvml;
using fake::kNvmlNotSupported;
using testing::ElementsAre;
using testing::IsEmpty;

// A fake library in order, opened by the test too, so that its script is there before and after the reader.
class FakeLibrary {
 public:
  explicit FakeLibrary(const char* path) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    const auto script = reinterpret_cast<decltype(&warpgrade_fake_nvml)>(dlsym(library_, "warpgrade_fake_nvml"));
    nvml = script();
    *nvml = {
        .sm_mhz = {1755}, .sm_mhz_highest = {1980}, .mem_mhz = {3201}, .temperature_c = {45}, .power_mw = {411'600}};
  }
  ~FakeLibrary() { dlclose(library_); }
  FakeLibrary(const FakeLibrary&) = delete;
  FakeLibrary& operator=(const FakeLibrary&) = delete;

  FakeNvml* nvml = nullptr;

 private:
  void* const library_;
};

TEST(TelemetryReaderTest, WithoutTheLibraryThereIsNone) {
  EXPECT_EQ(TelemetryReader::Open("GPU-1", "libwarpgrade-no-such-library.so.1"), nullptr);
}

TEST(TelemetryReaderTest, ALibraryThatIsNotNvmlGivesNone) {
  EXPECT_EQ(TelemetryReader::Open("GPU-1", "libc.so.6"), nullptr);
}

TEST(TelemetryReaderTest, ALibraryWithoutItsDriverGivesNone) {
  const FakeLibrary library(FAKE_NVML);
  library.nvml->init_result = 9;  // NVML_ERROR_DRIVER_NOT_LOADED
  EXPECT_EQ(TelemetryReader::Open("GPU-1", FAKE_NVML), nullptr);
}

TEST(TelemetryReaderTest, AGpuThatTheLibraryDoesNotKnowGivesNoneAndLeavesNothingOpen) {
  const FakeLibrary library(FAKE_NVML);
  EXPECT_EQ(TelemetryReader::Open("GPU-2", FAKE_NVML), nullptr);
  EXPECT_EQ(library.nvml->users, 0);
}

TEST(TelemetryReaderTest, TellsWhatTheDriverTells) {
  const FakeLibrary library(FAKE_NVML);
  library.nvml->reasons = 0x44;
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  const std::optional<GpuReading> reading = reader->Read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sm_mhz, 1755);
  EXPECT_EQ(reading->sm_mhz_highest, 1980);
  EXPECT_EQ(reading->mem_mhz, 3201);
  EXPECT_EQ(reading->temperature_c, 45);
  EXPECT_EQ(reading->power_w, 412);
  EXPECT_EQ(reading->clock_reasons, 0x44u);
}

TEST(TelemetryReaderTest, EachReadingIsANewOne) {
  const FakeLibrary library(FAKE_NVML);
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->Read()->sm_mhz, 1755);
  library.nvml->sm_mhz.value = 345;
  EXPECT_EQ(reader->Read()->sm_mhz, 345);
}

TEST(TelemetryReaderTest, ShutsTheLibraryDownAtItsEnd) {
  const FakeLibrary library(FAKE_NVML);
  auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  EXPECT_EQ(library.nvml->users, 1);
  reader.reset();
  EXPECT_EQ(library.nvml->users, 0);
}

TEST(TelemetryReaderTest, AnOlderLibraryTellsTheReasonsUnderTheirOlderName) {
  const FakeLibrary library(FAKE_OLD_NVML);
  library.nvml->reasons = 0x20;
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_OLD_NVML);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->Read()->clock_reasons, 0x20u);
}

TEST(TelemetryReaderTest, AFigureThatTheGpuDoesNotHaveIsLeftOutAlone) {
  const FakeLibrary library(FAKE_NVML);
  library.nvml->power_mw.result = library.nvml->sm_mhz_highest.result = kNvmlNotSupported;
  library.nvml->reasons_result = kNvmlNotSupported;
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  const std::optional<GpuReading> reading = reader->Read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->power_w, std::nullopt);
  EXPECT_EQ(reading->sm_mhz_highest, std::nullopt);
  EXPECT_EQ(reading->clock_reasons, std::nullopt);
  EXPECT_EQ(reading->sm_mhz, 1755);
  EXPECT_EQ(reading->temperature_c, 45);
}

TEST(TelemetryReaderTest, AFigureWhoseFunctionTheLibraryLacksIsLeftOutAlone) {
  const FakeLibrary library(FAKE_BARE_NVML);
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_BARE_NVML);
  ASSERT_NE(reader, nullptr);
  const std::optional<GpuReading> reading = reader->Read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sm_mhz, 1755);
  EXPECT_EQ(reading->temperature_c, std::nullopt);
  EXPECT_EQ(reading->power_w, std::nullopt);
  EXPECT_EQ(reading->clock_reasons, std::nullopt);
}

TEST(TelemetryReaderTest, AFigureThatNoGpuCanHaveIsLeftOut) {
  const FakeLibrary library(FAKE_NVML);
  library.nvml->temperature_c.value = 0xffff'ffff;  // NVML_VALUE_NOT_AVAILABLE
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->Read()->temperature_c, std::nullopt);
}

TEST(TelemetryReaderTest, ADriverThatTellsNothingGivesNoReading) {
  const FakeLibrary library(FAKE_NVML);
  FakeNvml& nvml = *library.nvml;
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  for (fake::Told* told : {&nvml.sm_mhz, &nvml.mem_mhz, &nvml.temperature_c, &nvml.power_mw}) {
    told->result = kNvmlNotSupported;
  }
  nvml.reasons_result = kNvmlNotSupported;
  EXPECT_FALSE(reader->Read());
}

TEST(TelemetryReaderTest, AGpuIsInUseWhenMoreThanAnEighthOfItsMemoryIsTaken) {
  const FakeLibrary library(FAKE_NVML);
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_NVML);
  ASSERT_NE(reader, nullptr);
  library.nvml->memory_total = uint64_t{80} << 30;
  library.nvml->memory_used = uint64_t{10} << 30;
  EXPECT_FALSE(reader->IsInUse());
  ++library.nvml->memory_used;
  EXPECT_TRUE(reader->IsInUse());
  library.nvml->memory_result = kNvmlNotSupported;
  EXPECT_FALSE(reader->IsInUse());
}

TEST(TelemetryReaderTest, AGpuWhoseMemoryIsNotReportedIsNotInUse) {
  const FakeLibrary library(FAKE_BARE_NVML);
  const auto reader = TelemetryReader::Open("GPU-1", FAKE_BARE_NVML);
  ASSERT_NE(reader, nullptr);
  EXPECT_FALSE(reader->IsInUse());
}

GpuReading Reading(int sm_mhz, int mem_mhz, int temperature_c, int power_w, uint64_t clock_reasons) {
  return {sm_mhz, /*sm_mhz_highest=*/1980, mem_mhz, temperature_c, power_w, clock_reasons};
}

TEST(SummariseTelemetryTest, WithoutReadingsThereIsNone) { EXPECT_FALSE(Summarise(std::vector<GpuReading>())); }

TEST(SummariseTelemetryTest, GivesMediansOfClocksAndTheHighestOfHeatAndPower) {
  const auto telemetry =
      Summarise({Reading(1980, 3201, 45, 300, 0), Reading(1410, 1593, 61, 412, 0), Reading(1755, 3201, 50, 350, 0)});
  ASSERT_TRUE(telemetry);
  EXPECT_EQ(telemetry->readings, 3);
  EXPECT_EQ(telemetry->sm_mhz_min, 1410);
  EXPECT_EQ(telemetry->sm_mhz_median, 1755);
  EXPECT_EQ(telemetry->sm_mhz_max, 1980);
  EXPECT_EQ(telemetry->sm_mhz_highest, 1980);
  EXPECT_EQ(telemetry->mem_mhz, 3201);
  EXPECT_EQ(telemetry->temperature_c, 61);
  EXPECT_EQ(telemetry->power_w, 412);
}

TEST(SummariseTelemetryTest, FiguresComeFromTheReadingsThatHaveThem) {
  GpuReading only_heat;
  only_heat.temperature_c = 70;
  const auto telemetry = Summarise({only_heat, Reading(1755, 3201, 50, 350, 0)});
  ASSERT_TRUE(telemetry);
  EXPECT_EQ(telemetry->readings, 2);
  EXPECT_EQ(telemetry->sm_mhz_median, 1755);
  EXPECT_EQ(telemetry->temperature_c, 70);
}

TEST(SummariseTelemetryTest, WhatNoReadingHasIsEmptyAndNotZero) {
  GpuReading only_heat;
  only_heat.temperature_c = 70;
  const auto telemetry = Summarise({only_heat});
  ASSERT_TRUE(telemetry);
  EXPECT_EQ(telemetry->sm_mhz_median, std::nullopt);
  EXPECT_EQ(telemetry->power_w, std::nullopt);
  EXPECT_EQ(telemetry->throttle, std::nullopt) << "not known is not the same as none";
  EXPECT_FALSE(telemetry->slowed_down);
}

std::vector<std::string> Named(uint64_t reasons) {
  return Summarise({Reading(1, 1, 1, 1, reasons)})->throttle.value_or(std::vector<std::string>{"not known"});
}

TEST(SummariseTelemetryTest, NamesEveryReason) {
  EXPECT_THAT(Named(0x2), ElementsAre("application clocks"));
  EXPECT_THAT(Named(0x4), ElementsAre("power cap"));
  EXPECT_THAT(Named(0x8), ElementsAre("hardware slowdown"));
  EXPECT_THAT(Named(0x10), ElementsAre("sync boost"));
  EXPECT_THAT(Named(0x20), ElementsAre("thermal (software)"));
  EXPECT_THAT(Named(0x40), ElementsAre("thermal (hardware)"));
  EXPECT_THAT(Named(0x80), ElementsAre("power brake"));
  EXPECT_THAT(Named(0x100), ElementsAre("display clocks"));
  EXPECT_THAT(Named(0x200), ElementsAre("board limit"));
  EXPECT_THAT(Named(0x400), ElementsAre("reliability"));
  EXPECT_THAT(Named(0xf000'0000'0000'0000), ElementsAre("a reason newer than this grader"));
}

TEST(SummariseTelemetryTest, AnIdleGpuIsNotThrottled) {
  EXPECT_THAT(Named(0x1), IsEmpty());
  EXPECT_THAT(Named(0x0), IsEmpty());
}

TEST(SummariseTelemetryTest, AReasonOfAnyReadingIsKeptOnceTheWorstFirst) {
  const auto telemetry = Summarise({Reading(1, 1, 1, 1, 0x5), Reading(1, 1, 1, 1, 0x44), Reading(1, 1, 1, 1, 0x0)});
  EXPECT_THAT(telemetry->throttle, testing::Optional(ElementsAre("thermal (hardware)", "power cap")));
}

TEST(SummariseTelemetryTest, HeatAndBrakesSlowAGpuDownAndEverydayLimitsDoNot) {
  for (const uint64_t slowing : {0x8, 0x20, 0x40, 0x80}) {
    EXPECT_TRUE(Summarise({Reading(1, 1, 1, 1, slowing)})->slowed_down) << slowing;
  }
  for (const uint64_t everyday : {0x1, 0x2, 0x4, 0x10, 0x100, 0x200, 0x400}) {
    EXPECT_FALSE(Summarise({Reading(1, 1, 1, 1, everyday)})->slowed_down) << everyday;
  }
}

}  // namespace
}  // namespace warpgrade::judge
