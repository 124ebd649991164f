// quiz.yaml and answers.yaml as plain structs, with the place of each part. This room only reads them. grader/quiz
// knows the functions, their parameters and the right answers.
//
//   title: Reduction
//   questions:
//     resident_blocks:                                     the name, which is also the key in answers.yaml
//       text: "A kernel uses {registers} registers ..."    {name} stands for the value of a parameter
//       let: {registers: [32, 40, 50], device: h200}       each student gets one value of a list; others are for all
//       compute: resident_blocks                           the function that computes the answer from the parameters
//       tolerance: 1%                                      or an absolute number; default: none
//       choices: [memory, compute]                         if the answer is one of these words
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/config/problems.h"

namespace warpgrade::config {

// The value of a parameter or of an answer.
using QuizValue = std::variant<double, std::string, std::vector<double>>;

struct QuizParameter {
  std::string name;
  Place place;
  std::vector<QuizValue> values;  // at least one; each student gets one of them
};

struct QuizTolerance {
  double absolute = 0, relative = 0;  // 0.01 is 1%; an answer within either is right
};

struct QuizQuestion {
  std::string name;
  Place place;
  std::string text;
  Place text_place;
  std::vector<QuizParameter> let;
  std::string compute;
  Place compute_place;
  QuizTolerance tolerance;
  Place tolerance_place;             // line 0: none was given
  std::vector<std::string> choices;  // empty: the answer is a number or a list of numbers
  Place choices_place;
};

struct QuizFile {
  std::string title;
  std::vector<QuizQuestion> questions;  // 1 to kMostQuestions, names unique
};

inline constexpr size_t kMostQuestions = 20;
inline constexpr size_t kMostDrawn = 16;   // values of one parameter
inline constexpr size_t kMostListed = 64;  // numbers in a list

// Reads the file at `path`. Mistakes go to `problems`; if there are any, do not use the result.
QuizFile ReadQuizFile(const std::string& path, Problems* problems);

// The answer of a student to one question.
struct SheetAnswer {
  enum class Form { kEmpty, kOne, kList, kOther } form = Form::kEmpty;
  std::string name;
  Place place;                     // of the value; of the name where it is empty
  std::vector<std::string> texts;  // kOne: one, kList: any number
};

struct AnswerSheet {
  std::optional<std::string> student;
  Place student_place;
  std::vector<SheetAnswer> answers;  // names unique, in the file's order
};

inline constexpr size_t kMostSheetBytes = 64 << 10;

// The key in answers.yaml for the student's id.
inline constexpr const char* kStudentKey = "student";

// Reads answers.yaml of a student, which may contain anything. Mistakes go to `problems`; the sheet has all answers
// without mistakes. nullopt if nothing can be read.
std::optional<AnswerSheet> ReadAnswerSheet(const std::string& text, Problems* problems);

}  // namespace warpgrade::config
