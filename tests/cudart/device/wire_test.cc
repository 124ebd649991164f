// Reading and writing of messages, cut off at every byte, and headers that do not fit their requests.
#include "grader/cudart/device/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart::wire {
namespace {

emulator::KernelInfo TwoParameterKernel() {
  emulator::KernelInfo info;
  info.name = "_Z1kPii";
  info.demangled = "k(int*, int)";
  info.parameter_sizes = {8, 4};
  info.parameter_offsets = {0, 8};
  info.parameter_bytes = 12;
  info.static_shared_bytes = 128;
  info.local_bytes = 16;
  info.max_threads_per_block = 256;
  info.registers = 40;
  return info;
}

TEST(WireReaderTest, GivesZeroAndNotOkWhenAValueIsNotThere) {
  const std::byte bytes[3] = {};
  Reader reader(bytes);
  EXPECT_EQ(reader.Get<uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.Get<uint8_t>(), 0u);
  EXPECT_FALSE(reader.AtEnd());
}

TEST(WireReaderTest, DoesNotTrustAStringsLength) {
  Writer writer;
  writer.Put(uint32_t{0xFFFFFFFF});
  writer.Put('a');
  Reader reader(writer.buffer());
  EXPECT_EQ(reader.GetString(kMaxName), "");
  EXPECT_FALSE(reader.ok());
}

TEST(WireReaderTest, IsNotAtEndWhileBytesAreLeft) {
  Writer writer;
  writer.PutString("ab");
  writer.Put('c');
  Reader reader(writer.buffer());
  EXPECT_EQ(reader.GetString(2), "ab");
  EXPECT_TRUE(reader.ok());
  EXPECT_FALSE(reader.AtEnd());
  EXPECT_EQ(reader.Get<char>(), 'c');
  EXPECT_TRUE(reader.AtEnd());
}

TEST(WireKernelInfoTest, ComesBackAsItWasSent) {
  Writer writer;
  EncodeKernelInfo(TwoParameterKernel(), writer);
  Reader reader(writer.buffer());
  emulator::KernelInfo info;
  ASSERT_TRUE(DecodeKernelInfo(reader, &info));
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_EQ(info.name, "_Z1kPii");
  EXPECT_EQ(info.demangled, "k(int*, int)");
  EXPECT_THAT(info.parameter_sizes, testing::ElementsAre(8, 4));
  EXPECT_THAT(info.parameter_offsets, testing::ElementsAre(0, 8));
  EXPECT_EQ(info.parameter_bytes, 12u);
  EXPECT_EQ(info.static_shared_bytes, 128u);
  EXPECT_EQ(info.local_bytes, 16u);
  EXPECT_EQ(info.max_threads_per_block, 256u);
  EXPECT_EQ(info.registers, 40u);
}

TEST(WireKernelInfoTest, IsRefusedWhenAnyByteIsMissing) {
  Writer writer;
  EncodeKernelInfo(TwoParameterKernel(), writer);
  for (size_t length = 0; length < writer.buffer().size(); ++length) {
    Reader reader(std::span(writer.buffer()).first(length));
    emulator::KernelInfo info;
    EXPECT_FALSE(DecodeKernelInfo(reader, &info)) << length;
  }
}

TEST(WireKernelInfoTest, IsRefusedWhenAParameterLiesOutsideItsBlock) {
  for (const auto& [offset, size, block] : {std::tuple<uint32_t, uint32_t, uint32_t>{9, 4, 12},
                                            {0xFFFFFFFF, 4, 12},
                                            {8, 4, gpu_limits::kParameterBytes + 1}}) {
    emulator::KernelInfo wrong = TwoParameterKernel();
    wrong.parameter_offsets[1] = offset;
    wrong.parameter_sizes[1] = size;
    wrong.parameter_bytes = block;
    Writer writer;
    EncodeKernelInfo(wrong, writer);
    Reader reader(writer.buffer());
    emulator::KernelInfo info;
    EXPECT_FALSE(DecodeKernelInfo(reader, &info)) << offset;
  }
}

TEST(WireHeaderTest, RefusesAReplyToAnotherRequest) {
  const Header request{kRequestMagic, static_cast<uint16_t>(Type::kFree), 0, 5, 8};
  const Header reply{kReplyMagic, static_cast<uint16_t>(Type::kFree), 0, 5, 4};
  EXPECT_TRUE(IsValidReply(reply, request));
  Header other_sequence = reply, other_type = reply, no_code = reply, huge = reply;
  other_sequence.sequence = 4;
  other_type.type = static_cast<uint16_t>(Type::kCopy);
  no_code.payload_bytes = 3;
  huge.payload_bytes = 0xFFFFFFFF;
  for (const Header& wrong : {other_sequence, other_type, no_code, huge}) EXPECT_FALSE(IsValidReply(wrong, request));
}

}  // namespace
}  // namespace warpgrade::cudart::wire
