#include "grader/judge/host_buffer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <vector>

namespace warpgrade::judge {
namespace {

std::unique_ptr<HostBuffer> Make(uint64_t bytes) {
  Result<std::unique_ptr<HostBuffer>> made = HostBuffer::Make(bytes);
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

// The buffer as a worker maps it.
class WorkersView {
 public:
  WorkersView(const HostBuffer& buffer, uint64_t bytes) : bytes_(protocol::HostMappingBytes(bytes)) {
    data_ = static_cast<std::byte*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, buffer.descriptor(), 0));
    EXPECT_NE(static_cast<void*>(data_), MAP_FAILED);
  }
  ~WorkersView() { munmap(data_, bytes_); }
  std::byte* data() const { return data_; }

 private:
  const uint64_t bytes_;
  std::byte* data_;
};

TEST(HostBufferTest, IsTheSameMemoryForWhoeverMapsItsDescriptor) {
  const auto buffer = Make(1000);
  const WorkersView view(*buffer, 1000);
  buffer->Write(std::vector<std::byte>(1000, std::byte{7}));
  EXPECT_EQ(view.data()[999], std::byte{7});
  view.data()[3] = std::byte{9};
  EXPECT_EQ(buffer->FirstDifferenceFrom(std::vector<std::byte>(1000, std::byte{7})), 3);
}

TEST(HostBufferTest, IsReadWholeInWhateverOrder) {
  Random random(1);
  // One thread's; and several threads', where there are several cores.
  for (const uint64_t bytes : {1, 4096, 4097, 3 * 4096 - 1, 100'000, (24 << 20) + 5}) {
    const auto buffer = Make(bytes);
    std::vector<std::byte> written(bytes), read(bytes);
    for (uint64_t i = 0; i < bytes; ++i) written[i] = static_cast<std::byte>(i % 251 + 1);
    buffer->Write(written);
    buffer->ReadScattered(read, random);
    EXPECT_EQ(read, written) << bytes;
  }
}

TEST(ScatteredOrderTest, ComesByEveryNumberOnce) {
  Random random(1);
  for (const uint64_t count : {1, 2, 3, 64, 1000, 4097}) {
    ScatteredOrder order(count, random);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < count; ++i) seen.insert(*order.Next());
    EXPECT_EQ(seen.size(), count);
    EXPECT_LT(*seen.rbegin(), count);
    EXPECT_FALSE(order.Next().has_value());
  }
}

// A writer that runs ahead of the reader has to have written everything: wherever it began, the reader is there soon.
TEST(ScatteredOrderTest, IsSoonInEveryPartWhateverItsSeed) {
  constexpr uint64_t kCount = 16384, kParts = 8;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    ScatteredOrder order(kCount, random);
    std::set<uint64_t> parts;
    for (int i = 0; i < 128; ++i) parts.insert(*order.Next() * kParts / kCount);
    EXPECT_EQ(parts.size(), kParts) << "seed " << seed;
  }
}

TEST(HostBufferTest, SeesAWriteRightBehindTheBufferAndAPageFurther) {
  for (const uint64_t bytes : {1, 1000, 4096, 8192}) {
    for (const uint64_t past : {uint64_t{0}, protocol::HostMappingBytes(bytes) - bytes - 1}) {
      const auto buffer = Make(bytes);
      const WorkersView view(*buffer, bytes);
      buffer->FillGuard(std::byte{0xCB});
      EXPECT_TRUE(buffer->GuardIsIntact(std::byte{0xCB}));
      view.data()[bytes - 1] = std::byte{1};
      EXPECT_TRUE(buffer->GuardIsIntact(std::byte{0xCB}));
      view.data()[bytes + past] = std::byte{1};
      EXPECT_FALSE(buffer->GuardIsIntact(std::byte{0xCB})) << bytes << " + " << past;
    }
  }
}

TEST(HostBufferTest, CannotBeResizedByAWorker) {
  const auto buffer = Make(1000);
  EXPECT_NE(ftruncate(buffer->descriptor(), 0), 0);
  EXPECT_NE(ftruncate(buffer->descriptor(), 1 << 20), 0);
  const char byte = 1;
  EXPECT_LT(pwrite(buffer->descriptor(), &byte, 1, 1 << 20), 0);
}

}  // namespace
}  // namespace warpgrade::judge
