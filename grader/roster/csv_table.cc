// One pass over the characters: a field is quoted or plain, and each keeps its place. Tests:
// tests/roster/csv_table_test.cc.
#include "grader/roster/csv_table.h"

#include <algorithm>
#include <string_view>

namespace warpgrade::roster {
namespace {

using config::Place;
using config::Problems;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The length of the UTF-8 character at the beginning of `text`; 0 if there is none.
size_t CharacterLength(std::string_view text) {
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// The separator that the first line uses most.
char SeparatorOf(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  char best = ',';
  for (const char separator : {';', '\t'}) {
    if (std::count(line.begin(), line.end(), separator) > std::count(line.begin(), line.end(), best)) best = separator;
  }
  return best;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, Problems* problems)
      : rest_(text), separator_(SeparatorOf(text)), problems_(problems) {}

  std::optional<std::vector<CsvRow>> Read() {
    while (!rest_.empty()) {
      CsvRow row;
      do {
        if (!ReadCell(&row)) return std::nullopt;
      } while (Take(separator_));
      const bool is_empty = row.size() == 1 && row[0].text.empty();
      if (!is_empty) rows_.push_back(std::move(row));
      if (!rest_.empty() && !TakeEndOfLine()) {
        problems_->Add(place_, "text after a quoted field; put the whole field in quotes, and write \"\" for a quote");
        return std::nullopt;
      }
    }
    return std::move(rows_);
  }

 private:
  bool ReadCell(CsvRow* row) {
    row->push_back({"", place_});
    const bool quoted = Take('"');
    while (true) {
      if (rest_.empty()) {
        if (quoted) problems_->Add(row->back().place, "this field has no closing quote; add it");
        return !quoted;
      }
      if (quoted && rest_.front() == '"') {
        Take('"');
        if (rest_.empty() || rest_.front() != '"') return true;
      } else if (!quoted && AtEndOfCell()) {
        return true;
      }
      if (!TakeCharacter(&row->back().text)) return false;
    }
  }

  bool AtEndOfCell() const {
    return rest_.front() == separator_ || rest_.front() == '\n' || rest_.starts_with("\r\n") || rest_ == "\r";
  }

  bool TakeCharacter(std::string* text) {
    const size_t length = CharacterLength(rest_);
    if (length == 0) {
      problems_->Add(place_, "the file is not UTF-8 text; save it as CSV UTF-8");
      return false;
    }
    *text += rest_.substr(0, length);
    place_ = rest_.front() == '\n' ? Place{place_.line + 1, 1} : Place{place_.line, place_.column + 1};
    rest_.remove_prefix(length);
    return true;
  }

  bool Take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    ++place_.column;
    return true;
  }

  bool TakeEndOfLine() {
    if (rest_.front() == '\r') rest_.remove_prefix(1);
    if (!rest_.empty() && rest_.front() != '\n') return false;
    if (!rest_.empty()) rest_.remove_prefix(1);
    place_ = {place_.line + 1, 1};
    return true;
  }

  std::string_view rest_;
  const char separator_;
  Problems* problems_;
  Place place_ = {1, 1};
  std::vector<CsvRow> rows_;
};

}  // namespace

std::optional<std::vector<CsvRow>> ParseCsv(const std::string& text, Problems* problems) {
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  return CsvReader(rest, problems).Read();
}

}  // namespace warpgrade::roster
