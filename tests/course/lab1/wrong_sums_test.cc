// Wrong programs of v4, acted out thread by thread on the CPU, and what is guessed from their sums. A guess may be
// missing, but it must not be false.
#include "labs/lab1/wrong_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tests/course/lab1/answers.h"

namespace lab1 {
namespace {

constexpr size_t kThreads = 256;

// A kernel of v4: what thread `t` of block `b` puts into shared memory, from `at`, which gives 0 past the end.
struct Program {
  const char* name;
  size_t per_block;  // as the call of reduce_in_passes has it
  std::function<double(const std::function<double(size_t)>& at, size_t n, size_t b, size_t t)> put;
  std::vector<std::string> guesses;  // parts of those that are true; the first is its own
};

const std::string kOverlap =
    "as if each block had added 512 elements, but had begun only 256 after the block before it";
const std::string kFirstHalf = "as if each block had added only the first 256 of its 512 elements";
// These say what is true of many programs for small n, or for certain n.
const std::vector<std::string> kPrefix = {"as if no element", "as if the last", "as if only the first"};

std::vector<std::string> With(std::vector<std::string> guesses, const std::vector<std::string>& more) {
  guesses.insert(guesses.end(), more.begin(), more.end());
  return guesses;
}

const std::vector<Program>& Programs() {
  static const std::vector<Program> kPrograms = {
      {"the first index lacks the factor 2",
       2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return at(b * kThreads + t) + at(b * kThreads + t + kThreads); },
       {kOverlap + ": some are"}},
      {"and so does the number of blocks",
       kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return at(b * kThreads + t) + at(b * kThreads + t + kThreads); },
       {kOverlap + ": all but", "had been added twice"}},
      {"the second element is not used", 2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return at(2 * b * kThreads + t); }, With({kFirstHalf}, kPrefix)},
      {"the kernel of v3", 2 * kThreads, [](auto& at, size_t, size_t b, size_t t) { return at(b * kThreads + t); },
       With({"256 elements, but there had been only one block for each 512", kFirstHalf}, kPrefix)},
      {"the second element is the next one",
       2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return at(2 * b * kThreads + t) + at(2 * b * kThreads + t + 1); },
       {"its first element and the next one", "as if two threads had added each element but the first"}},
      {"the two elements are 512 apart", 2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return at(2 * b * kThreads + t) + at(2 * (b + 1) * kThreads + t); },
       With({"two elements that are 512 apart"}, kPrefix)},
      {"the first element twice",
       2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) { return 2 * at(2 * b * kThreads + t); },
       {"its first element twice", "as if two threads had added each element"}},
      {"the bound of the second element for both", 2 * kThreads,
       [](auto& at, size_t n, size_t b, size_t t) {
         const size_t i = 2 * b * kThreads + t;
         return i + kThreads < n ? at(i) + at(i + kThreads) : at(i + kThreads);
       },
       With({"had not added its first one either"}, kPrefix)},
      {"the first step of the tree is missing", 2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) {
         return t < kThreads / 2 ? at(2 * b * kThreads + t) + at(2 * b * kThreads + t + kThreads) : 0.0;
       },
       With({"the second half of the threads of each block"}, kPrefix)},
      {"the last step of the tree is missing", 2 * kThreads,
       [](auto& at, size_t, size_t b, size_t t) {
         return t % 2 == 0 ? at(2 * b * kThreads + t) + at(2 * b * kThreads + t + kThreads) : 0.0;
       },
       With({"every second thread"}, kPrefix)},
      {"the two elements are half the input apart",
       2 * kThreads,
       [](auto& at, size_t n, size_t b, size_t t) { return at(b * kThreads + t) + at(b * kThreads + t + n / 2); },
       {}},
  };
  return kPrograms;
}

float Run(const Program& program, std::span<const float> input) {
  std::vector<double> in(input.begin(), input.end());
  while (true) {
    const auto at = [&in](size_t i) { return i < in.size() ? in[i] : 0.0; };
    const size_t blocks = (in.size() + program.per_block - 1) / program.per_block;
    std::vector<double> out(blocks, 0.0);
    for (size_t b = 0; b < blocks; ++b) {
      for (size_t t = 0; t < kThreads; ++t) out[b] += program.put(at, in.size(), b, t);
    }
    if (blocks == 1) return static_cast<float>(out[0]);
    in = out;
  }
}

std::string GuessOn(const Program& program, Values values, uint64_t n, uint64_t seed) {
  const std::string message = MessageOf(VerdictOn<float>(
      MakeTestCase({Element::kFloat, Operation::kSum}, values, n),
      [&](std::span<const float> in) { return Run(program, in); }, seed));
  const size_t at = message.find("as if");
  return at == std::string::npos ? "" : message.substr(at);
}

bool IsTrue(const Program& program, const std::string& guess) {
  return std::any_of(program.guesses.begin(), program.guesses.end(),
                     [&](const std::string& part) { return guess.find(part) != std::string::npos; });
}

TEST(WrongSumsTest, WhatIsGuessedOfAWrongV4IsTrue) {
  int said = 0, wrong = 0;
  std::map<std::string, int> false_guesses;
  for (const Program& program : Programs()) {
    for (const uint64_t n : {31, 300, 511, 800, 1000, 1023, 2048, 4099, 9589, 20'991}) {
      for (const Values values : {Values::kRandom, Values::kStairs, Values::kAlternating, Values::kPeakInside}) {
        if (values == Values::kStairs && n < 32) continue;  // all elements are 1, and are counted
        for (uint64_t seed = 1; seed <= 8; ++seed) {
          const std::string guess = GuessOn(program, values, n, seed);
          said += !guess.empty();
          if (guess.empty() || IsTrue(program, guess)) continue;
          ++wrong;
          ++false_guesses[std::string(program.name) + ", n = " + std::to_string(n) + ": " + guess];
        }
      }
    }
  }
  EXPECT_GT(said, 1000);
  EXPECT_LE(wrong * 500, said) << testing::PrintToString(false_guesses);  // some sum is the same by chance
}

// The sum of 9589 elements, of which each cancels the one before it, is 0, 1024 or 2048 after most mistakes.
TEST(WrongSumsTest, NothingIsGuessedWhereSeveralMistakesGiveTheSameSum) {
  for (const Program& program : Programs()) {
    const std::string guess = GuessOn(program, Values::kAlternating, 9589, 7);
    const bool none_cancels = guess.find("every second thread") != std::string::npos && IsTrue(program, guess);
    EXPECT_TRUE(guess.empty() || none_cancels) << program.name << ": " << guess;
  }
}

TEST(WrongSumsTest, AWrongV4IsRecognized) {
  for (const Program& program : Programs()) {
    const std::string guess = GuessOn(program, Values::kRandom, 20'991, 7);
    EXPECT_EQ(IsTrue(program, guess), !program.guesses.empty()) << program.name << ": " << guess;
  }
}

TEST(WrongSumsTest, NoWordsAreLeftWithoutNumbers) {
  const std::vector<float> input(5000, 1.0f);
  for (const WrongSum& sum : WrongSums(std::span<const float>(input), 5000.0)) {
    EXPECT_THAT(sum.words, testing::StartsWith("as if "));
    EXPECT_EQ(sum.words.find('N'), std::string::npos) << sum.words;
  }
}

}  // namespace
}  // namespace lab1
