// What a lab says of a wrong answer.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace lab {

// Every byte of an output before the student's function is called. The same as kPoison (grader/lab/lab.h), for programs
// that do not know the grader.
inline constexpr unsigned char kPoisonByte = 0xCB;

// Words for one answer that is wrong; a lab's Explain() shows what its messages look like.
struct Explanation {
  size_t index = 0;       // first wrong element of the output
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  std::string message;    // one or two sentences that begin with the case's name
};

// A number of an answer, as printed to a person: "3.25", "-0.000244140625", "nan".
inline std::string Print(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.10g", number);
  return std::isnan(number) ? "nan" : text;
}

}  // namespace lab
