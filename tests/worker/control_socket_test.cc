#include "grader/worker/control_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace warpgrade::worker {
namespace {

class ControlSocketTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends_), 0); }
  void TearDown() override {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void HangUp() {
    close(ends_[1]);
    ends_[1] = -1;
  }
  int ends_[2];
};

TEST_F(ControlSocketTest, CarriesAMessage) {
  ASSERT_TRUE(Send(ends_[1], protocol::Encode(protocol::Nop(), 7)));
  protocol::Message message;
  ASSERT_TRUE(Receive(ends_[0], &message));
  EXPECT_EQ(message.verb(), protocol::Verb::kNop);
  EXPECT_EQ(message.header.nonce, 7u);
}

// As the judge sends a host buffer.
TEST_F(ControlSocketTest, GivesTheDescriptorThatCameWithAMessageAndNoneOtherwise) {
  protocol::Message sent = protocol::Encode(protocol::Map(), 8);
  iovec part{&sent, sent.bytes()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr packet = {};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof(control);
  cmsghdr* const header = CMSG_FIRSTHDR(&packet);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &ends_[1], sizeof(int));
  ASSERT_EQ(sendmsg(ends_[1], &packet, 0), static_cast<ssize_t>(sent.bytes()));
  ASSERT_TRUE(Send(ends_[1], protocol::Encode(protocol::Nop(), 9)));

  protocol::Message message;
  int descriptor = -1;
  ASSERT_TRUE(Receive(ends_[0], &message, 0, &descriptor));
  EXPECT_EQ(message.header.nonce, 8u);
  EXPECT_GT(descriptor, 2);
  close(descriptor);
  ASSERT_TRUE(Receive(ends_[0], &message, 0, &descriptor));
  EXPECT_EQ(message.header.nonce, 9u);
  EXPECT_EQ(descriptor, -1);
}

TEST_F(ControlSocketTest, SaysWhenTheJudgeIsGone) {
  HangUp();
  protocol::Message message;
  EXPECT_FALSE(Receive(ends_[0], &message));
  EXPECT_FALSE(Send(ends_[0], protocol::Encode(protocol::Nop(), 7)));
}

TEST_F(ControlSocketTest, RefusesAPacketThatIsNoMessage) {
  ASSERT_EQ(send(ends_[1], "hello", 5, 0), 5);
  protocol::Message message;
  EXPECT_FALSE(Receive(ends_[0], &message));
}

TEST(ControlSocketVariableTest, AcceptsOnlyADescriptorBeyondTheStandardThree) {
  for (const char* bad : {"", "x", "2", "-1", "3x", "99999"}) {
    setenv(protocol::kControlFdVariable, bad, 1);
    EXPECT_EQ(ControlSocketFromEnvironment(), -1) << bad;
  }
  setenv(protocol::kControlFdVariable, "7", 1);
  EXPECT_EQ(ControlSocketFromEnvironment(), 7);
  unsetenv(protocol::kControlFdVariable);
  EXPECT_EQ(ControlSocketFromEnvironment(), -1);
}

TEST(CopyTextTest, CutsAndTerminates) {
  char small[4];
  CopyText("abcdef", small);
  EXPECT_STREQ(small, "abc");
  CopyText(nullptr, small);
  EXPECT_STREQ(small, "");
}

}  // namespace
}  // namespace warpgrade::worker
