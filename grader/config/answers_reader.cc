// answers.yaml, as a student hands it in. Nothing in it can cost more than itself: an entry that makes no sense is
// reported with its place, and the others are read. yaml_tree.h bounds depth and aliases.
// Tests: tests/config/answers_reader_test.cc.
#include <fmt/format.h>

#include <map>

#include "grader/config/quiz.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {
namespace {

SheetAnswer ReadAnswer(const YamlEntry& entry) {
  SheetAnswer answer;
  answer.name = entry.key.text;
  answer.place = entry.value.place;
  const YamlNode& value = entry.value;
  if (value.kind == YamlNode::Kind::kScalar) {
    answer.form = value.text.empty() ? SheetAnswer::Form::kEmpty : SheetAnswer::Form::kOne;
    answer.texts = {value.text};
  } else if (value.kind == YamlNode::Kind::kSequence) {
    answer.form = SheetAnswer::Form::kList;
    for (const YamlNode& item : value.items) {
      if (item.kind != YamlNode::Kind::kScalar) answer.form = SheetAnswer::Form::kOther;
      answer.texts.push_back(item.text);
    }
  } else if (value.kind == YamlNode::Kind::kMap) {
    answer.form = SheetAnswer::Form::kOther;
  }
  return answer;
}

void ReadStudent(const YamlEntry& entry, AnswerSheet* sheet, Problems* problems) {
  sheet->student_place = entry.value.place;
  if (entry.value.kind == YamlNode::Kind::kNull) return;
  if (entry.value.kind == YamlNode::Kind::kScalar) {
    if (!entry.value.text.empty()) sheet->student = entry.value.text;
    return;
  }
  problems->Add(entry.value.place, "student is not a single value; write your id, such as s1042");
}

}  // namespace

std::optional<AnswerSheet> ReadAnswerSheet(const std::string& text, Problems* problems) {
  if (text.size() > kMostSheetBytes) {
    problems->Add({}, fmt::format("the file has {} bytes, and the limit is {}; start again from the file in starter/",
                                  text.size(), kMostSheetBytes));
    return std::nullopt;
  }
  const std::optional<YamlNode> root = ParseYaml(text, problems);
  if (!root) return std::nullopt;
  AnswerSheet sheet;
  if (root->kind == YamlNode::Kind::kNull) return sheet;
  if (root->kind != YamlNode::Kind::kMap) {
    problems->Add(root->place,
                  "the file does not consist of lines 'question: answer'; start again from the file in starter/");
    return std::nullopt;
  }
  std::map<std::string, int> first_line;
  for (const YamlEntry& entry : root->entries) {
    if (entry.key.kind != YamlNode::Kind::kScalar) {
      problems->Add(entry.key.place, "this cannot be the name of a question; write 'question: answer'");
      continue;
    }
    const auto [first, is_new] = first_line.emplace(entry.key.text, entry.key.place.line);
    if (!is_new) {
      problems->Add(entry.key.place,
                    fmt::format("'{}' has another answer on line {}, and that one counts; remove one of them",
                                Shown(entry.key.text), first->second));
    } else if (entry.key.text == kStudentKey) {
      ReadStudent(entry, &sheet, problems);
    } else {
      sheet.answers.push_back(ReadAnswer(entry));
    }
  }
  return sheet;
}

}  // namespace warpgrade::config
