// Each edit becomes a replacement of bytes by the lines and columns of grader/config/scale_places.h. They are made from
// the end of the text to its beginning, so that earlier places stay right. Where the text is not as a place says (an
// alias, a tag), the edit is left out. Tests: tests/calibrate/course_edit_test.cc.
#include "grader/calibrate/course_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "grader/calibrate/propose.h"
#include "grader/config/scale_places.h"

namespace warpgrade::calibrate {
namespace {

using config::EntryPlace;
using config::MapPlace;
using config::Place;
using config::ThroughputScale;

struct Replacement {
  size_t begin = 0, end = 0;
  std::string text;
};

using Replacements = std::vector<Replacement>;

std::string NumberText(double value) { return fmt::format("{:.10g}", value); }

class Text {
 public:
  explicit Text(const std::string& text) : text_(text) {
    lines_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines_.push_back(i + 1);
    }
  }

  // text().size() for a place beyond the end.
  size_t OffsetOf(Place place) const {
    if (place.line < 1 || static_cast<size_t>(place.line) > lines_.size()) return text_.size();
    return std::min(text_.size(), lines_[static_cast<size_t>(place.line) - 1] + static_cast<size_t>(place.column) - 1);
  }

  bool Has(Place place, const std::string& what) const {
    return text_.compare(OffsetOf(place), what.size(), what) == 0;
  }

  // The offset behind the brace that closes the one at `begin`. Text in quotes and comments are passed over.
  std::optional<size_t> EndOfBraces(size_t begin) const {
    int depth = 0;
    for (size_t i = begin; i < text_.size(); ++i) {
      const char c = text_[i];
      const bool begins = i > 0 && std::string_view(" \n{[,").find(text_[i - 1]) != std::string_view::npos;
      if (begins && (c == '"' || c == '\'')) {
        i = text_.find(c, i + 1);
        if (i == std::string::npos) return std::nullopt;
      } else if (c == '#' && i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\n')) {
        i = std::min(text_.find('\n', i), text_.size());
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return std::nullopt;
  }

  // Behind the last character of the line, without its newline.
  size_t EndOfLine(size_t offset) const { return std::min(text_.find('\n', offset), text_.size()); }

  const std::string& text() const { return text_; }

 private:
  const std::string& text_;
  std::vector<size_t> lines_;  // where they begin
};

bool IsLinear(const ThroughputScale& scale) { return scale.zero && scale.full; }

// The numbers of a linear scale change, where they stand.
std::optional<Replacements> NewNumbers(const Text& text, const EntryPlace& entry, const ThroughputScale& scale,
                                       const ThroughputScale& now) {
  if (!IsLinear(scale) || !IsLinear(now) || scale.unit != now.unit) return std::nullopt;
  Replacements replacements;
  for (const auto& [key, value, before] :
       {std::tuple("zero", *scale.zero, *now.zero), {"full", *scale.full, *now.full}}) {
    const auto scalar = entry.scalars.find(key);
    if (scalar == entry.scalars.end()) return std::nullopt;
    const auto& [place, old] = scalar->second;
    if (!text.Has(place, old)) return std::nullopt;
    if (value == before) continue;
    const size_t begin = text.OffsetOf(place);
    replacements.push_back({begin, begin + old.size(), NumberText(value)});
  }
  return replacements;
}

// The whole value, if it is in braces.
std::optional<Replacements> NewBraces(const Text& text, const EntryPlace& entry, const ThroughputScale& scale) {
  if (!text.Has(entry.value, "{")) return std::nullopt;
  const size_t begin = text.OffsetOf(entry.value);
  const std::optional<size_t> end = text.EndOfBraces(begin);
  if (!end) return std::nullopt;
  return Replacements{{begin, *end, YamlText(scale)}};
}

// "NAME: {...}" after the last entry that is not "any", as a line of its own or between the braces of the map.
std::optional<Replacements> NewEntry(const Text& text, const MapPlace& map, const std::string& line) {
  if (map.entries.empty()) return std::nullopt;
  const EntryPlace* after = nullptr;
  for (const EntryPlace& entry : map.entries) {
    if (entry.name != "any") after = &entry;
  }
  if (after == nullptr) after = &map.entries.back();
  if (!text.Has(after->key, after->name)) return std::nullopt;
  size_t end = text.OffsetOf({after->last_line, 1});
  if (text.Has(after->value, "{")) {
    const std::optional<size_t> closed = text.EndOfBraces(text.OffsetOf(after->value));
    if (!closed) return std::nullopt;
    end = *closed;
  }
  if (text.Has(map.value, "{")) return Replacements{{end, end, ", " + line}};
  const size_t at = text.EndOfLine(end);
  const std::string blank(static_cast<size_t>(std::max(0, after->key.column - 1)), ' ');
  return Replacements{{at, at, "\n" + blank + line}};
}

const EntryPlace* EntryOf(const MapPlace& map, const std::string& name) {
  for (const EntryPlace& entry : map.entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string Apply(std::string text, Replacements replacements) {
  std::stable_sort(replacements.begin(), replacements.end(),
                   [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  for (auto one = replacements.rbegin(); one != replacements.rend(); ++one) {
    text.replace(one->begin, one->end - one->begin, one->text);
  }
  return text;
}

class Editor {
 public:
  Editor(const std::string& text, const config::ScalePlaces& places) : text_(text), places_(places) {}

  void Edit(const ScaleEdit& edit) {
    const std::string who = fmt::format("{} {}, {}", edit.lab, edit.rung, edit.target);
    const auto map = places_.throughput.find({edit.lab, edit.rung});
    if (map == places_.throughput.end()) {
      left_out_.push_back(who + ": its rung has no 'throughput:' in course.yaml; write " + YamlText(edit.scale));
      return;
    }
    const EntryPlace* entry = EntryOf(map->second, edit.target);
    std::optional<Replacements> found = entry == nullptr
                                            ? NewEntry(text_, map->second, edit.target + ": " + YamlText(edit.scale))
                                            : Changed(*entry, edit);
    const bool is_there_twice = found && std::any_of(found->begin(), found->end(), [this](const Replacement& one) {
                                  return one.begin != one.end && !begins_.insert(one.begin).second;
                                });
    if (!found || is_there_twice) {
      left_out_.push_back(who + ": it cannot be changed in place; write " + YamlText(edit.scale));
      return;
    }
    replacements_.insert(replacements_.end(), found->begin(), found->end());
  }

  void AddTarget(const std::string& line) {
    const auto found = places_.targets ? NewEntry(text_, *places_.targets, line) : std::nullopt;
    if (!found) {
      left_out_.push_back("targets: write " + line);
      return;
    }
    replacements_.insert(replacements_.end(), found->begin(), found->end());
  }

  EditedCourse Take() { return {Apply(text_.text(), std::move(replacements_)), std::move(left_out_)}; }

 private:
  std::optional<Replacements> Changed(const EntryPlace& entry, const ScaleEdit& edit) const {
    if (std::optional<Replacements> numbers = NewNumbers(text_, entry, edit.scale, NowOf(entry, edit.scale))) {
      return numbers;
    }
    return NewBraces(text_, entry, edit.scale);
  }

  // What the numbers of the entry are now; without numbers where it is not a line in the same unit.
  static ThroughputScale NowOf(const EntryPlace& entry, const ThroughputScale& wanted) {
    ThroughputScale now{.unit = wanted.unit};
    const auto unit = entry.scalars.find("unit");
    const std::string text = YamlText(wanted);
    if (unit == entry.scalars.end() || !text.starts_with("{unit: " + unit->second.second + ",")) return now;
    for (const auto& [key, value] : {std::pair("zero", &now.zero), {"full", &now.full}}) {
      const auto scalar = entry.scalars.find(key);
      if (scalar != entry.scalars.end()) *value = std::strtod(scalar->second.second.c_str(), nullptr);
    }
    return now;
  }

  const Text text_;
  const config::ScalePlaces& places_;
  Replacements replacements_;
  std::set<size_t> begins_;  // a second edit at the same place: two rungs share an alias
  std::vector<std::string> left_out_;
};

}  // namespace

Result<EditedCourse> EditCourse(const std::string& text, const std::string& path, const std::vector<ScaleEdit>& edits,
                                const std::vector<std::string>& new_targets) {
  const Result<config::ScalePlaces> places = config::FindScalePlaces(text, path);
  if (!places) return places.error();
  Editor editor(text, *places);
  for (const std::string& line : new_targets) editor.AddTarget(line);
  for (const ScaleEdit& edit : edits) editor.Edit(edit);
  return editor.Take();
}

}  // namespace warpgrade::calibrate
