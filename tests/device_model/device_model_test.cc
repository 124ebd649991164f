#include "grader/device_model/device_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

namespace warpgrade {
namespace {

using testing::HasSubstr;

TEST(DeviceModelTest, FindsEveryModelByItsIdInAnyCase) {
  std::set<std::string> ids;
  for (const DeviceModel& model : DeviceModels()) {
    EXPECT_TRUE(ids.insert(model.id).second) << model.id;
    ASSERT_TRUE(FindDeviceModel(model.id).ok());
    EXPECT_EQ(*FindDeviceModel(model.id), &model);
  }
  EXPECT_EQ(*FindDeviceModel("RTX4090"), *FindDeviceModel("rtx4090"));
}

TEST(DeviceModelTest, AnUnknownIdNamesThoseThatThereAre) {
  const auto model = FindDeviceModel("voodoo2");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, testing::AllOf(HasSubstr("'voodoo2'"), HasSubstr("h200"), HasSubstr("t4")));
}

TEST(DeviceModelTest, IsChosenByTheEnvironment) {
  unsetenv("WARPGRADE_DEVICE_AS");
  EXPECT_EQ((*ChosenDeviceModel())->id, std::string("h200"));
  setenv("WARPGRADE_DEVICE_AS", "a100", 1);
  EXPECT_EQ((*ChosenDeviceModel())->id, std::string("a100"));
  setenv("WARPGRADE_DEVICE_AS", "gtx", 1);
  EXPECT_FALSE(ChosenDeviceModel().ok());
  unsetenv("WARPGRADE_DEVICE_AS");
}

// The data sheet's bandwidth is rounded, and the boost clock of a memory may be a little above what it is sold for.
TEST(DeviceModelTest, ClockAndWidthOfTheMemoryMakeTheDataSheetsBandwidth) {
  for (const DeviceModel& model : DeviceModels()) {
    const double gbs = PeakMemoryGbs(model.memory_clock_khz, model.memory_bus_bits);
    EXPECT_NEAR(gbs / model.bandwidth_gbs, 1.0, 0.03) << model.id;
  }
}

// Peak single precision rates of the data sheets, TFLOP/s.
TEST(DeviceModelTest, ClockAndLanesMakeTheDataSheetsArithmetic) {
  const struct {
    const char* id;
    double tflops;
  } sheets[] = {{"h200", 67}, {"h100", 67},      {"a100", 19.5},   {"l4", 30.3},
                {"t4", 8.1},  {"rtx4090", 82.6}, {"rtx3090", 35.6}};
  for (const auto& sheet : sheets) {
    EXPECT_NEAR((*FindDeviceModel(sheet.id))->Fp32Gflops() / 1e3 / sheet.tflops, 1.0, 0.02) << sheet.id;
  }
}

}  // namespace
}  // namespace warpgrade
