// Finds the columns by their headings, then checks every field. Tests: tests/roster/roster_test.cc.
#include "grader/roster/roster.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "grader/config/problems.h"
#include "grader/roster/csv_table.h"
#include "grader/times/times.h"

namespace warpgrade::roster {
namespace {

using config::Place;
using config::Problems;
using config::Shown;

// A column of the roster, and its headings: ours, then those of platforms' exports. Of several that a file has, the one
// that stands first here counts.
struct Column {
  const char* what;
  std::string Student::*field;
  std::vector<std::string> headings;
};

const std::vector<Column>& Columns() {
  static const std::vector<Column> kColumns = {
      {"id", &Student::id, {"id", "student id", "sis user id", "sid", "identifier"}},
      {"name", &Student::name, {"name", "student", "full name", "student name"}},
      {"e-mail", &Student::email, {"e-mail", "email", "email address"}},
      {"section", &Student::section, {"section", "sections", "group"}},
      {"extension", &Student::extension, {"extension"}},
      {"canvas id", &Student::canvas, {"canvas id", "canvas_id"}},
      {"login", &Student::login, {"login", "sis login id", "login id"}},
      {"github", &Student::github, {"github", "github_username", "github username"}},
  };
  return kColumns;
}

std::string Lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return text;
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The place of each column among the headings. Canvas calls its own number ID where it has "SIS User ID" as well.
std::map<const Column*, size_t> FindColumns(const CsvRow& headings, Problems* problems) {
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < headings.size(); ++i) {
    const std::string heading = Lower(Trimmed(headings[i].text));
    if (!heading.empty() && !places.emplace(heading, i).second) {
      problems->Add(headings[i].place, fmt::format("two columns are called '{}'; rename one", Shown(heading)));
    }
  }
  if (places.contains("sis user id") && places.contains("id")) {
    places.emplace("canvas id", places["id"]);
    places.erase("id");
  }
  std::map<const Column*, size_t> found;
  for (const Column& column : Columns()) {
    for (const std::string& heading : column.headings) {
      if (const auto place = places.find(heading); place != places.end() && !found.contains(&column)) {
        found[&column] = place->second;
      }
    }
  }
  return found;
}

class RosterReader {
 public:
  RosterReader(const CsvRow& headings, Problems* problems)
      : columns_(FindColumns(headings, problems)), problems_(*problems) {
    if (columns_.contains(&Columns()[0])) return;
    problems_.Add(headings[0].place,
                  "no column is called 'id'; the first line must name the columns, such as "
                  "id,name,e-mail,section,extension");
  }

  bool has_ids() const { return columns_.contains(&Columns()[0]); }

  void Read(const CsvRow& row, std::vector<Student>* students) {
    Student student;
    for (const auto& [column, at] : columns_) {
      if (at >= row.size()) continue;
      student.*(column->field) = Trimmed(row[at].text);
      Check(*column, row[at], student.*(column->field));
    }
    const Place place = columns_.at(&Columns()[0]) < row.size() ? row[columns_.at(&Columns()[0])].place : row[0].place;
    if (student.id.empty()) {
      problems_.Add(place, "this student has no id; write one, or remove the line");
      return;
    }
    const auto [first, is_new] = lines_.emplace(student.id, place.line);
    if (!is_new) {
      problems_.Add(place, fmt::format("the id '{}' already stands in line {}; ids must be unique, so change one",
                                       Shown(student.id), first->second));
    }
    students->push_back(std::move(student));
  }

 private:
  void Check(const Column& column, const CsvCell& cell, const std::string& text) {
    if (text.size() > kMostFieldBytes) {
      problems_.Add(cell.place, fmt::format("the {} has {} bytes, and the limit is {}; make it shorter", column.what,
                                            text.size(), kMostFieldBytes));
    }
    // Names may be anything, but a line or a terminal must be able to show an id.
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (column.field == &Student::id && std::any_of(text.begin(), text.end(), is_control)) {
      problems_.Add(cell.place, fmt::format("the id '{}' has a control character; remove it", Shown(text)));
    }
    if (column.field == &Student::extension && !text.empty() && !IsExtension(text)) {
      problems_.Add(
          cell.place,
          fmt::format("'{}' is not an extension; write a number of days up to 366, such as 2, or the last day, "
                      "such as 2026-11-29",
                      Shown(text)));
    }
  }

  std::map<const Column*, size_t> columns_;
  Problems& problems_;
  std::map<std::string, int> lines_;  // of each id
};

std::optional<std::string> ReadWhole(const std::string& path, Problems* problems) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) {
    problems->Add({}, fmt::format("cannot be read: {}; check the path", std::strerror(errno)));
    return std::nullopt;
  }
  if (!S_ISREG(info.st_mode)) {
    problems->Add({}, "this is not a regular file; name the CSV file with the students");
    return std::nullopt;
  }
  if (static_cast<size_t>(info.st_size) > kMostRosterBytes) {
    problems->Add({}, fmt::format("the file has {} bytes, and the limit is {}; name the CSV file with the students",
                                  info.st_size, kMostRosterBytes));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && info.st_size > 0) text << file.rdbuf();
  if (!file) {
    problems->Add({}, fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
    return std::nullopt;
  }
  return text.str();
}

}  // namespace

bool IsExtension(const std::string& text) {
  constexpr int kMostDays = 366;
  const bool is_number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::stoi(text) <= kMostDays : EndOfTime(text).has_value();
}

Result<std::vector<Student>> ReadRoster(const std::string& path) {
  Problems problems(path);
  std::vector<Student> students;
  const std::optional<std::string> text = ReadWhole(path, &problems);
  const auto rows = text ? ParseCsv(*text, &problems) : std::nullopt;
  if (rows && rows->size() < 2)
    problems.Add({1, 1}, "there is no student; write a line of headings, then one for each");
  if (rows && rows->size() > kMostStudents) {
    problems.Add({1, 1},
                 fmt::format("there are more than {} students; name the CSV file of one course", kMostStudents));
  } else if (rows && !rows->empty()) {
    RosterReader reader(rows->front(), &problems);
    for (size_t i = 1; i < rows->size() && reader.has_ids(); ++i) reader.Read((*rows)[i], &students);
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return students;
}

}  // namespace warpgrade::roster
