// The marks for a student's answers.yaml: each question is right, wrong, not answered or not readable. No message
// contains a right answer.
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

// Marks `sheet`, the text of the student's answers.yaml, which may hold anything; nullptr when there is none. `file` is
// its name in messages.
Marks MarkSheet(const Quiz& quiz, const Student& student, const std::string* sheet, const std::string& file);

// The student whom the sheet names; nullopt when it names none.
std::optional<std::string> StudentOf(const std::string& sheet);

// The quiz as one more rung of the results. Its cases are the questions.
score::RungMeasurement MeasurementOf(const Marks& marks);

}  // namespace warpgrade::quiz
