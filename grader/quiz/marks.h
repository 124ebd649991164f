// What a student's answers.yaml is worth: right, wrong, not answered or not readable, question by question. No answer
// of ours is ever in a message.
#pragma once

#include <string>
#include <vector>

#include "grader/quiz/quiz.h"
#include "grader/score/measurement.h"

namespace warpgrade::quiz {

inline constexpr const char* kAnswersFile = "answers.yaml";

enum class Verdict { kRight, kWrong, kUnreadable, kNotAnswered };

struct Mark {
  std::string question;
  Verdict verdict = Verdict::kNotAnswered;
  std::string message;  // of kWrong and kUnreadable: "answers.yaml:12:7: '50 %' has a unit; write the number alone"
};

struct Marks {
  score::RungStatus status = score::RungStatus::kMissing;
  std::vector<Mark> marks;            // in the quiz's order, all of them whatever was handed in
  std::vector<std::string> messages;  // about the rest of the file, each with its place
  int Right() const;
};

// `sheet` is the text of the student's answers.yaml, nullptr when there is none; `file` is its name for messages. It
// may hold anything.
Marks MarkSheet(const Quiz& quiz, const Student& student, const std::string* sheet, const std::string& file);

// Whose answers a sheet says that they are, if it does.
std::optional<std::string> StudentOf(const std::string& sheet);

// As results report it: one more rung, whose cases are the questions.
score::RungMeasurement MeasurementOf(const Marks& marks);

}  // namespace warpgrade::quiz
