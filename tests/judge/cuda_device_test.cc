// The parts of the GPU device that can be seen without a student. Skipped, saying so, where there is no GPU.
#include "grader/judge/cuda_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "grader/judge/gpu_memory_layout.h"
#include "grader/judge/host_buffer.h"

namespace warpgrade::judge {
namespace {

TEST(GpuMemoryLayoutTest, EveryBufferIsAWholeNumberOfUnitsWithAGuardBehindIt) {
  for (const uint64_t bytes : {uint64_t{1}, kGpuUnitBytes - 1, kGpuUnitBytes, uint64_t{1} << 32}) {
    EXPECT_EQ(GpuAllocationBytes(bytes) % kGpuUnitBytes, 0u) << bytes;
    EXPECT_GE(GpuGuardBytes(bytes), kGpuLeastGuardBytes) << bytes;
    EXPECT_EQ(bytes + GpuGuardBytes(bytes), GpuAllocationBytes(bytes));
    EXPECT_LE(GpuGuardBytes(bytes), kGpuMostGuardBytes) << bytes;
  }
}

TEST(CudaDeviceTest, WithoutAGpuSaysSoAndWhy) {
  const Result<std::unique_ptr<CudaDevice>> device = CudaDevice::Open("");
  if (device) GTEST_SKIP() << "there is a GPU: " << (*device)->Describe().name;
  EXPECT_EQ(device.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(device.error().message, testing::HasSubstr("no GPU here: "));
}

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<CudaDevice>> device = CudaDevice::Open("");
    if (!device) GTEST_SKIP() << "skipped: " << device.error().message;
    device_ = std::move(*device);
    ASSERT_TRUE(device_->Begin().ok());
  }
  std::unique_ptr<CudaDevice> device_;
};

TEST_F(GpuTest, KeepsWhatIsUploadedAndSeesAWriteBehindIt) {
  const std::vector<std::byte> sent(1000, std::byte{7});
  const Result<BufferHandle> buffer = device_->Allocate(sent.size(), "d_in");
  ASSERT_TRUE(buffer.ok());
  ASSERT_TRUE(device_->Upload(*buffer, sent).ok());
  ASSERT_TRUE(device_->FillGuard(*buffer, std::byte{1}).ok());
  std::vector<std::byte> got(sent.size());
  ASSERT_TRUE(device_->Download(*buffer, got).ok());
  EXPECT_EQ(got, sent);
  const Result<bool> intact = device_->GuardIsIntact(*buffer, std::byte{1});
  ASSERT_TRUE(intact.ok());
  EXPECT_TRUE(*intact);
  BufferHandle longer = *buffer;
  longer.bytes += 1;
  ASSERT_TRUE(device_->Upload(longer, std::vector<std::byte>(1001, std::byte{7})).ok());
  const Result<bool> broken = device_->GuardIsIntact(*buffer, std::byte{1});
  ASSERT_TRUE(broken.ok());
  EXPECT_FALSE(*broken);
  device_->Free(*buffer);
}

TEST_F(GpuTest, ReadsAndWritesTheHostsMemoryItself) {
  const std::vector<std::byte> sent(5000, std::byte{7});
  const Result<BufferHandle> buffer = device_->Allocate(sent.size(), "d_in");
  ASSERT_TRUE(buffer.ok());
  ASSERT_TRUE(device_->Upload(*buffer, sent).ok());
  Result<std::unique_ptr<HostBuffer>> made = HostBuffer::Make(sent.size());
  ASSERT_TRUE(made.ok());
  const std::unique_ptr<HostBuffer> host = std::move(*made);
  {
    const std::optional<HostView> view = device_->ViewHost(host->shared_bytes());
    ASSERT_TRUE(view);
    ASSERT_TRUE(device_->Download(*buffer, host->shared_bytes()).ok());
    EXPECT_EQ(host->FirstDifferenceFrom(sent), std::nullopt);
    host->Fill(std::byte{6});
    ASSERT_TRUE(device_->KeepBusBusy(uint64_t{20} << 20).ok());
    ASSERT_TRUE(device_->CopyToHost(host->shared_bytes(), *buffer).ok());
    ASSERT_TRUE(device_->Synchronize().ok());
    EXPECT_EQ(host->FirstDifferenceFrom(sent), std::nullopt);
    host->Fill(std::byte{8});
    BufferHandle seen = *buffer;
    seen.address = view->address();
    ASSERT_TRUE(device_->CopyInside(*buffer, seen).ok());
    ASSERT_TRUE(device_->Synchronize().ok());
  }
  std::vector<std::byte> got(sent.size());
  ASSERT_TRUE(device_->Download(*buffer, got).ok());
  EXPECT_EQ(got, std::vector<std::byte>(sent.size(), std::byte{8}));
  EXPECT_TRUE(device_->ViewHost(host->shared_bytes())) << "the first view is gone";
  device_->Free(*buffer);
}

TEST_F(GpuTest, MeasuresACopyAndFlushes) {
  ASSERT_TRUE(device_->FlushCaches().ok());
  const Result<double> bandwidth = device_->MeasureCopyBandwidth();
  ASSERT_TRUE(bandwidth.ok()) << bandwidth.error().message;
  EXPECT_GT(*bandwidth, 0);
}

TEST_F(GpuTest, TellsWhatItIsDoingWhereItsManagementLibraryIsThere) {
  ASSERT_TRUE(device_->FlushCaches().ok());
  const std::optional<GpuReading> reading = device_->ReadTelemetry();
  if (!reading) GTEST_SKIP() << "skipped: no libnvidia-ml.so.1 that knows " << device_->Describe().uuid;
  ASSERT_TRUE(reading->sm_mhz);
  EXPECT_GT(*reading->sm_mhz, 0);
  EXPECT_LE(*reading->sm_mhz, reading->sm_mhz_highest.value_or(*reading->sm_mhz));
}

// On a host with one GPU this cannot fail; device_files_test.cc tests the choice.
TEST_F(GpuTest, GivesAProgramTheFileOfNoOtherGpu) {
  const Result<WorkerPlug> plug = device_->Plug();
  ASSERT_TRUE(plug.ok());
  const std::string digits = "0123456789";
  EXPECT_EQ(std::ranges::count_if(plug->devices,
                                  [&](const std::string& file) {
                                    return file.starts_with("/dev/nvidia") &&
                                           digits.find(file.back()) != std::string::npos;
                                  }),
            1);
  EXPECT_THAT(plug->devices, testing::Contains("/dev/nvidiactl"));
}

TEST_F(GpuTest, DescribesItself) {
  const score::DeviceDescription description = device_->Describe();
  EXPECT_EQ(description.kind, "gpu");
  EXPECT_FALSE(description.name.empty());
  EXPECT_EQ(description.uuid.size(), std::string("GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx").size());
}

}  // namespace
}  // namespace warpgrade::judge
