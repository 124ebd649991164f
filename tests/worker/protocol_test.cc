#include "grader/worker/protocol.h"

#include <gtest/gtest.h>

namespace warpgrade::protocol {
namespace {

Call SampleCall() {
  Call call;
  call.variant = 3;
  call.flags = kReportReturn | kMeasureEvents;
  call.buffer_count = 2;
  call.size_count = 1;
  call.slots[0] = 5;
  call.slots[1] = kNoSlot;
  call.sizes[0] = uint64_t{1} << 40;
  return call;
}

TEST(ProtocolTest, CallComesBackAsItWasSent) {
  const Message message = Encode(SampleCall(), 0x1234567890abcdef);
  ASSERT_EQ(HeaderFault(message, message.bytes()), nullptr);
  EXPECT_EQ(message.header.nonce, 0x1234567890abcdef);
  Call call;
  ASSERT_TRUE(Decode(message, &call));
  EXPECT_EQ(call.variant, 3);
  EXPECT_EQ(call.slots[0], 5);
  EXPECT_EQ(call.slots[1], kNoSlot);
  EXPECT_EQ(call.sizes[0], uint64_t{1} << 40);
}

TEST(ProtocolTest, EveryBodyFitsItsMessage) {
  EXPECT_LE(sizeof(Map), sizeof(Message::body));
  EXPECT_LE(sizeof(Call), sizeof(Message::body));
  EXPECT_LE(sizeof(Ready), sizeof(Message::body));
  EXPECT_LE(sizeof(Done), sizeof(Message::body));
}

TEST(ProtocolTest, DoesNotTakeOneVerbForAnother) {
  const Message message = Encode(SampleCall(), 1);
  Done done;
  EXPECT_FALSE(Decode(message, &done));
  Map map;
  EXPECT_FALSE(Decode(message, &map));
}

TEST(ProtocolTest, DoesNotReadABodyOfAnotherSize) {
  Message message = Encode(SampleCall(), 1);
  message.header.body_bytes -= 8;
  Call call;
  EXPECT_FALSE(Decode(message, &call));
}

TEST(ProtocolTest, NamesWhatIsWrongWithAHeader) {
  const Message good = Encode(Unmap(), 1);
  EXPECT_STREQ(HeaderFault(good, sizeof(Header) - 1), "shorter than a message header");
  EXPECT_STREQ(HeaderFault(good, good.bytes() + 1), "not as long as its header says");
  EXPECT_STREQ(HeaderFault(good, good.bytes() - 1), "not as long as its header says");
  Message other = good;
  other.header.magic ^= 1;
  EXPECT_STREQ(HeaderFault(other, other.bytes()), "not a message of this protocol");
  other = good;
  other.header.version = kVersion + 1;
  EXPECT_STREQ(HeaderFault(other, other.bytes()), "from another version of the kit");
}

TEST(ProtocolTest, ABodyLengthNearTheTopOfItsRangeDoesNotWrapAround) {
  Message message = Encode(Unmap(), 1);
  message.header.body_bytes = 0xffffffff;
  EXPECT_STREQ(HeaderFault(message, sizeof(Header) - 1 + 8), "not as long as its header says");
}

}  // namespace
}  // namespace warpgrade::protocol
