// Loads a quiz, checks each question by computing every draw of it, and draws a student's values by a hash. Tested by
// tests/quiz/quiz_test.cc.
#include "grader/quiz/quiz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "grader/config/yaml_reader.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

// FNV-1a, then the finaliser of MurmurHash3, which spreads a change in the last characters over all bits. Never change
// it: students would get other questions.
uint64_t Hash(const std::vector<std::string>& fields) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& field : fields) {
    for (const char c : std::string_view(field.c_str(), field.size() + 1)) {  // the 0 at the end parts two fields
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  }
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  return hash ^ (hash >> 33);
}

std::string LowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// Calls on_text and on_name for the pieces of a question's text. False where a brace has no partner.
template <typename OnText, typename OnName>
bool ForEachPiece(std::string_view text, const OnText& on_text, const OnName& on_name) {
  while (true) {
    const size_t open = text.find_first_of("{}");
    on_text(text.substr(0, open));
    if (open == std::string_view::npos) return true;
    const size_t close = text.find_first_of("{}", open + 1);
    if (text[open] == '}' || close == std::string_view::npos || text[close] == '{') return false;
    on_name(std::string(text.substr(open + 1, close - open - 1)));
    text.remove_prefix(close + 1);
  }
}

class Checker {
 public:
  Checker(Question* question, config::Problems* problems) : question_(*question), problems_(*problems) {}

  void Run() {
    CheckText();
    question_.function = FindFunction(question_.compute);
    if (question_.function == nullptr) {
      std::vector<std::string> names;
      for (const Function& function : AllFunctions()) names.emplace_back(function.name);
      Add(question_.compute_place,
          fmt::format("there is no function '{}'{}", question_.compute,
                      config::Suggest(question_.compute, names, "`warpgrade quiz --functions` lists them")));
      return;
    }
    if (CheckForm()) CheckDraws();
  }

 private:
  void Add(config::Place place, const std::string& what) { problems_.Add(place, question_.name + ": " + what); }

  void CheckText() {
    std::vector<std::string> named;
    const bool paired = ForEachPiece(
        question_.text, [](std::string_view) {}, [&](const std::string& name) { named.push_back(name); });
    if (!paired) Add(question_.text_place, "a brace has no partner; write {name} for a parameter's value");
    for (const std::string& name : named) {
      const auto is_it = [&](const config::QuizParameter& parameter) { return parameter.name == name; };
      if (std::none_of(question_.let.begin(), question_.let.end(), is_it)) {
        Add(question_.text_place, fmt::format("'{{{}}}' is not a parameter; add it to 'let'", name));
      }
    }
    for (const config::QuizParameter& parameter : question_.let) {
      if (parameter.values.size() == 1 || std::count(named.begin(), named.end(), parameter.name) > 0) continue;
      Add(parameter.place,
          fmt::format("the text does not say which {0} was drawn; write {{{0}}} there", parameter.name));
    }
  }

  bool CheckForm() {
    const bool word = question_.function->gives == Kind::kWord;
    if (word && question_.choices.empty()) {
      Add(question_.compute_place,
          fmt::format("{} gives a word; add 'choices', the words to choose from", question_.compute));
    } else if (!word && !question_.choices.empty()) {
      Add(question_.choices_place, fmt::format("{} gives a number; take 'choices' out", question_.compute));
    } else if (word && question_.tolerance_place.line > 0) {
      Add(question_.tolerance_place, "a word is right or wrong; take 'tolerance' out");
    } else {
      return true;
    }
    return false;
  }

  // Computes every draw: `draw` counts through all combinations of values.
  void CheckDraws() {
    size_t draws = 1;
    for (const config::QuizParameter& parameter : question_.let)
      draws = std::min(draws * parameter.values.size(), kMostDraws + 1);
    if (draws > kMostDraws) {
      Add(question_.place, fmt::format("there are more than {} combinations of values; give fewer values", kMostDraws));
      return;
    }
    for (size_t draw = 0; draw < draws; ++draw) {
      Values values;
      size_t rest = draw;
      for (const config::QuizParameter& parameter : question_.let) {
        values[parameter.name] = parameter.values[rest % parameter.values.size()];
        rest /= parameter.values.size();
      }
      if (!CheckDraw(values)) return;  // one such message is enough
    }
  }

  bool CheckDraw(const Values& values) {
    const Result<Value> answer = Compute(*question_.function, values);
    if (!answer) {
      Add(question_.compute_place, answer.error().message + WhereDrawn(values));
      return false;
    }
    const std::string text = ValueText(*answer);
    const auto& choices = question_.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
      Add(question_.choices_place,
          fmt::format("'{}' is not one of the choices, but it is the answer{}; add it", text, WhereDrawn(values)));
      return false;
    }
    if (question_.tolerance_place.line == 0 && !CanBeWritten(*answer)) {
      Add(question_.compute_place,
          fmt::format("the answer, {}...{}, cannot be written out; add 'tolerance: 1%'", text, WhereDrawn(values)));
      return false;
    }
    return true;
  }

  // Whether a person can write it with all its digits.
  static bool CanBeWritten(const Value& value) {
    if (const double* number = std::get_if<double>(&value)) {
      return std::strtod(ValueText(*number).c_str(), nullptr) == *number;
    }
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      return std::all_of(list->begin(), list->end(), [](double number) { return CanBeWritten(number); });
    }
    return true;
  }

  std::string WhereDrawn(const Values& values) const {
    std::string where;
    for (const config::QuizParameter& parameter : question_.let) {
      if (parameter.values.size() == 1) continue;
      where +=
          fmt::format("{} {} = {}", where.empty() ? " for" : ",", parameter.name, ValueText(values.at(parameter.name)));
    }
    return where;
  }

  Question& question_;
  config::Problems& problems_;
};

}  // namespace

bool Question::IsDrawn() const {
  return std::any_of(let.begin(), let.end(),
                     [](const config::QuizParameter& parameter) { return parameter.values.size() > 1; });
}

const Question* Quiz::Find(const std::string& name) const {
  for (const Question& question : questions) {
    if (question.name == name) return &question;
  }
  return nullptr;
}

Result<Quiz> LoadQuiz(const std::string& lab, const std::string& path) {
  config::Problems problems(path);
  config::QuizFile file = config::ReadQuizFile(path, &problems);
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  Quiz quiz{lab, std::move(file.title), {}};
  for (config::QuizQuestion& written : file.questions) {
    Question question{std::move(written), nullptr};
    Checker(&question, &problems).Run();
    quiz.questions.push_back(std::move(question));
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return quiz;
}

Values Draw(const Quiz& quiz, const Question& question, const Student& student) {
  Values values;
  for (const config::QuizParameter& parameter : question.let) {
    const uint64_t hash =
        Hash({student.course, student.term, quiz.lab, question.name, parameter.name, LowerCase(student.id)});
    values[parameter.name] = parameter.values[hash % parameter.values.size()];
  }
  return values;
}

Value AnswerOf(const Question& question, const Values& values) {
  Result<Value> answer = Compute(*question.function, values);
  WARPGRADE_CHECK(answer.ok());  // LoadQuiz computed every draw
  return std::move(*answer);
}

std::string Pose(const Question& question, const std::optional<Values>& values) {
  std::string text;
  ForEachPiece(
      question.text, [&](std::string_view piece) { text += piece; },
      [&](const std::string& name) {
        for (const config::QuizParameter& parameter : question.let) {
          if (parameter.name != name) continue;
          const bool known = values || parameter.values.size() == 1;
          text += known ? ValueText(values ? values->at(name) : parameter.values[0]) : "<" + name + ">";
        }
      });
  return text;
}

}  // namespace warpgrade::quiz
