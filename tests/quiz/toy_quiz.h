// A small quiz for tests, and how to load a text as one.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "grader/quiz/quiz.h"
#include "tests/cli/program.h"

namespace warpgrade::quiz {

inline constexpr const char* kToyQuiz = R"(title: Toys
questions:
  blocks:
    text: "{n} elements, {threads} threads?"
    let: {n: 1000, threads: [64, 128, 256, 512]}
    compute: blocks_for
  share:
    text: "Stride {stride}?"
    let: {stride: [3, 5, 6, 7]}
    compute: access_efficiency
    tolerance: 1%
  bound:
    text: "Which?"
    let: {flops: 1, bytes: 4, bandwidth: 100, peak: 1000}
    compute: roofline_bound
    choices: [memory, compute]
  list:
    text: "Convolve {input}."
    let: {input: [[1, 2, 3], [3, 2, 1]], mask: [[1, 2, 3]]}
    compute: convolution
)";

// As "toy/quiz.yaml".
inline Result<Quiz> LoadText(const std::string& text) {
  const TemporaryFolder folder;
  Result<Quiz> quiz = LoadQuiz("toy", folder.Write("quiz.yaml", text));
  if (quiz) return quiz;
  std::string message = quiz.error().message;
  const std::string path = folder.Path("quiz.yaml");
  for (size_t at; (at = message.find(path)) != std::string::npos;) message.replace(at, path.size(), "quiz.yaml");
  return Error{quiz.error().kind, message};
}

inline Quiz ToyQuiz() {
  Result<Quiz> quiz = LoadText(kToyQuiz);
  EXPECT_TRUE(quiz.ok()) << quiz.error().message;
  return *quiz;
}

}  // namespace warpgrade::quiz
