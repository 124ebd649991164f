// quiz.yaml and answers.yaml as plain structs: what is written there, each part with its place. What a question means
// (which functions there are, what they take, what is right) is grader/quiz's business.
//
//   title: Reduction
//   questions:
//     resident_blocks:                                     a name: what answers.yaml says before the colon
//       text: "A kernel uses {registers} registers ..."    {name} stands for a parameter's value
//       let: {registers: [32, 40, 50], device: h200}       a list is drawn from, per student; one value is for all
//       compute: resident_blocks                           gives the answer from the parameters
//       tolerance: 1%                                      or an absolute number; default: none
//       choices: [memory, compute]                         where the answer is one of these words
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/config/problems.h"

namespace warpgrade::config {

// Of a parameter or an answer.
using QuizValue = std::variant<double, std::string, std::vector<double>>;

struct QuizParameter {
  std::string name;
  Place place;
  std::vector<QuizValue> values;  // at least one; of more than one, a student gets one
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

// Reads the file at `path`; all mistakes go to `problems`, and then the result is not to be used.
QuizFile ReadQuizFile(const std::string& path, Problems* problems);

// What a student wrote after a question's name.
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

// The key of a sheet that is no question's name.
inline constexpr const char* kStudentKey = "student";

// Reads a student's answers.yaml, which may hold anything. Mistakes go to `problems`; what is not concerned by them is
// in the sheet. nullopt when nothing could be read at all.
std::optional<AnswerSheet> ReadAnswerSheet(const std::string& text, Problems* problems);

}  // namespace warpgrade::config
