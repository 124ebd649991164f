// lab0 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place, and that the arrays are what values.h promises. Right answers are made by plain loops written here.
#include "labs/lab0/lab0_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "labs/lab0/cases.h"
#include "labs/lab0/reference.h"
#include "labs/lab0/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab0::Task;
using testing::AllOf;
using testing::HasSubstr;

using Bytes = std::vector<std::byte>;

template <typename T>
T At(const Bytes& bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void Put(Bytes& bytes, size_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

// One case with its inputs drawn and the right answer in its outputs.
struct Answered {
  Answered(Task task, uint64_t first, uint64_t second, uint32_t pattern = lab0::kOrdinary) {
    c.variant = task;
    c.sizes = {first, second};
    if (task == lab0::kVectorAdd || task == lab0::kStreams) c.sizes.push_back(0);
    c.pattern = pattern;
    Random random(1);
    const std::vector<BufferSpec> specs = Lab0().Buffers(c);
    for (size_t i = 0; i < specs.size(); ++i) {
      buffers.emplace_back(specs[i].bytes);
      if (specs[i].role == BufferSpec::Role::kInput) {
        Lab0().DrawInput(c, static_cast<int>(i), random, buffers[i]);
      } else if (specs[i].name != "h_result") {
        answer = i;
      }
    }
    Answer(task, first, second);
  }

  void Answer(Task task, uint64_t first, uint64_t second) {
    Bytes& out = buffers[answer];
    switch (task) {
      case lab0::kVectorAdd:
      case lab0::kStreams:
        for (size_t i = 0; i < out.size() / 4; ++i) Put(out, i, At<float>(buffers[0], i) + At<float>(buffers[1], i));
        break;
      case lab0::kImage:
        for (size_t i = 0; i < out.size(); ++i) {  // in tenths of a percent, rounded by floating point
          const double r = At<uint8_t>(buffers[0], 3 * i), g = At<uint8_t>(buffers[0], 3 * i + 1);
          const double b = At<uint8_t>(buffers[0], 3 * i + 2);
          Put(out, i, static_cast<uint8_t>(std::floor((299 * r + 587 * g + 114 * b) / 1000 + 0.5)));
        }
        break;
      case lab0::kLinks:
        for (size_t start = 0; start < first; start += second) {
          for (size_t i = start; i < std::min(start + second, first); ++i) {
            size_t at = i;
            for (int link = 0; link < 2; ++link) at = start + At<uint16_t>(buffers[1], at);
            const double value = At<double>(buffers[2], at);
            Put(out, i, At<uint8_t>(buffers[0], at) == 1 ? -value : value);
          }
        }
        break;
      case lab0::kClasses:
        for (size_t k = 0; k < second; ++k) {
          unsigned long long count = 0;
          for (size_t i = 0; i < first; ++i) count += At<uint8_t>(buffers[0], i) == k;
          Put(out, k, count);
        }
        break;
    }
  }

  std::optional<Mismatch> Check() const {
    std::vector<std::span<const std::byte>> spans(buffers.begin(), buffers.end());
    return Lab0().Check(c, spans);
  }
  std::string Message() const {
    const auto mismatch = Check();
    return mismatch ? mismatch->message : "right";
  }
  Bytes& out() { return buffers[answer]; }

  Case c;
  std::vector<Bytes> buffers;
  size_t answer = 0;
};

TEST(Lab0CheckTest, AcceptsTheRightAnswerOfEveryPublicAndHiddenCase) {
  for (const std::string& rung : RungsOf("lab0")) {
    Random random(7);
    for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden, CaseSet::kTechnique}) {
      for (const Case& c : Lab0().Cases(rung, set, random)) {
        Answered answered(static_cast<Task>(c.variant), c.sizes[0], c.sizes[1], c.pattern);
        if (c.pattern == lab0::kNoRoom) Put<int32_t>(answered.buffers[3], 0, 2);  // as cudaErrorMemoryAllocation is
        EXPECT_EQ(answered.Message(), "right") << rung << " " << c.name;
      }
    }
  }
}

TEST(Lab0CheckTest, CatchesOneWrongElementAnywhere) {
  for (const Task task : {lab0::kVectorAdd, lab0::kImage, lab0::kStreams, lab0::kLinks, lab0::kClasses}) {
    const size_t outputs = Answered(task, 40, 30).out().size();
    for (size_t byte = 0; byte < outputs; byte += 13) {
      Answered wrong(task, 40, 30);
      wrong.out()[byte] ^= std::byte{1};
      const auto mismatch = wrong.Check();
      ASSERT_TRUE(mismatch) << task << " byte " << byte;
      EXPECT_EQ(mismatch->count, 1u);
      EXPECT_THAT(mismatch->message, HasSubstr("the only one"));
    }
  }
}

// A program that allocates less often does not meet the failure.
TEST(Lab0CheckTest, WhereAnAllocationFailsItsErrorOrTheRightAnswerIsWanted) {
  for (const uint32_t pattern : {lab0::kSecondFails, lab0::kThirdFails}) {
    Answered answered(lab0::kVectorAdd, 100, 0, pattern);
    EXPECT_EQ(answered.Message(), "right");
    answered.out()[5] ^= std::byte{1};
    EXPECT_THAT(answered.Message(), HasSubstr("the only one"));
    Put<int32_t>(answered.buffers[3], 0, 2);
    EXPECT_EQ(answered.Message(), "right") << "after an error h_c may hold anything";
    Put<int32_t>(answered.buffers[3], 0, 1);
    EXPECT_THAT(answered.Message(), HasSubstr("allocation fails: the function returned 1, want 2 (cudaErrorMemoryAll"));
  }
}

TEST(Lab0CheckTest, NanIsWrongWhereItDoesNotBelongAndWantedWhereItDoes) {
  Answered wrong(lab0::kVectorAdd, 100, 0);
  Put(wrong.out(), 7, std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(wrong.Message(), HasSubstr("h_c[7] is nan"));
  Answered spoiled(lab0::kVectorAdd, 1000, 0, lab0::kSpoiled);
  size_t nan = 0;
  while (!std::isnan(At<float>(spoiled.out(), nan))) ++nan;
  Put(spoiled.out(), nan, 1.0f);
  EXPECT_THAT(spoiled.Message(), HasSubstr("is 1, want nan"));
}

TEST(Lab0CheckTest, SaysThatAnElementWasNeverWrittenAndThatTheLastBlockIsMissing) {
  Answered wrong(lab0::kVectorAdd, 1000, 0);
  std::memset(wrong.out().data() + 768 * 4, 0xCB, 232 * 4);
  EXPECT_EQ(wrong.Check()->got, "never written");
  EXPECT_THAT(wrong.Message(), AllOf(HasSubstr("n = 1000: h_c[768] was never written"), HasSubstr("(first of 232)"),
                                     HasSubstr("as if the last block were missing")));
}

TEST(Lab0CheckTest, SaysWhatAWrongValueLooksLike) {
  Answered vector(lab0::kVectorAdd, 10, 0);
  Put(vector.out(), 0, At<float>(vector.buffers[0], 0));
  EXPECT_THAT(vector.Message(), HasSubstr("the element of h_a alone"));

  Answered image(lab0::kImage, 20, 30);
  for (size_t i = 0; i < 600; ++i) {
    image.out()[i] =
        std::byte{lab0::Grey(At<uint8_t>(image.buffers[0], 3 * i + 2), At<uint8_t>(image.buffers[0], 3 * i + 1),
                             At<uint8_t>(image.buffers[0], 3 * i))};
  }
  EXPECT_THAT(image.Message(), HasSubstr("what blue, green, red would give"));

  Answered links(lab0::kLinks, 50, 50);
  Put(links.out(), 3, -At<double>(links.out(), 3));
  EXPECT_THAT(links.Message(), HasSubstr("the wrong sign"));

  Answered classes(lab0::kClasses, 1000, 5);
  for (size_t k = 0; k < 5; ++k) {
    Put(classes.out(), k, At<unsigned long long>(classes.out(), k) + 0xcbcbcbcbcbcbcbcbull);
  }
  EXPECT_THAT(classes.Message(), HasSubstr("what was in d_counts before"));
}

TEST(Lab0CheckTest, WantsAnErrorWhereThereIsNoRoomAndNoneElsewhere) {
  Answered no_room(lab0::kVectorAdd, lab0::kTooLarge, 0, lab0::kNoRoom);
  EXPECT_THAT(no_room.Message(), HasSubstr("returned 0, want an error"));
  Answered failed(lab0::kVectorAdd, 5, 0);
  Put<int32_t>(failed.buffers[3], 0, 700);
  EXPECT_THAT(failed.Message(), HasSubstr("returned 700, want 0"));
  std::memset(failed.buffers[3].data(), 0xCB, 4);
  EXPECT_THAT(failed.Message(), HasSubstr("want 0"));  // never written
}

TEST(Lab0BuffersTest, VectorsLiveInHostMemoryAndThoseOfStreamsArePageLocked) {
  const auto place = [](Task task) {
    Case c;
    c.variant = task;
    c.sizes = {10, 2};
    return Lab0().Buffers(c)[0].place;
  };
  EXPECT_EQ(place(lab0::kVectorAdd), BufferSpec::Place::kHost);
  EXPECT_EQ(place(lab0::kStreams), BufferSpec::Place::kLockedHost);
  EXPECT_EQ(place(lab0::kImage), BufferSpec::Place::kDevice);
}

TEST(Lab0ValuesTest, LinksStayInTheirSegmentAndClassesBelowTheirNumber) {
  const Answered links(lab0::kLinks, 1000, 33);
  for (size_t i = 0; i < 1000; ++i) {
    EXPECT_LT(At<uint16_t>(links.buffers[1], i), std::min<size_t>(33, 1000 - i / 33 * 33)) << i;
    EXPECT_GT(At<double>(links.buffers[2], i), 0) << i;
  }
  const Answered classes(lab0::kClasses, 1000, 3);
  for (size_t i = 0; i < 1000; ++i) EXPECT_LT(At<uint8_t>(classes.buffers[0], i), 3);
}

TEST(Lab0ValuesTest, AnotherSeedGivesOtherValuesAndTheSameSeedTheSame) {
  const lab0::Problem p = {.task = lab0::kVectorAdd, .first = 100};
  Bytes one(400), same(400), other(400);
  Draw(p, 0, 5, one.data());
  Draw(p, 0, 5, same.data());
  Draw(p, 0, 6, other.data());
  EXPECT_EQ(one, same);
  EXPECT_NE(one, other);
}

// The sum in double precision, rounded to float, has the bits of the sum in float: reference.h relies on it.
TEST(Lab0ReferenceTest, ASumThroughDoublePrecisionIsTheSumInFloat) {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const auto a = std::bit_cast<float>(static_cast<uint32_t>(random()));
    const auto b = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(a + b)) continue;
    ASSERT_EQ(std::bit_cast<uint32_t>(lab0::Sum(a, b)), std::bit_cast<uint32_t>(a + b)) << a << " + " << b;
  }
}

TEST(Lab0HintsTest, HasNoneForAMetricThatDoesNotExist) {
  EXPECT_EQ(Lab0().Hint("v1_vector_add", "no such metric"), "");
}

}  // namespace
}  // namespace warpgrade
