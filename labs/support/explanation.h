// What a lab says of a wrong answer.
#pragma once

#include <cstddef>
#include <string>

namespace lab {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

// Words for one answer that is wrong; a lab's Explain() shows what its messages look like.
struct Explanation {
  size_t index = 0;       // first wrong element of the output
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  std::string message;    // one or two sentences that begin with the case's name
};

}  // namespace lab
