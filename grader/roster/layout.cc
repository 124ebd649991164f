// Tests: tests/roster/layout_test.cc.
#include "grader/roster/layout.h"

namespace warpgrade::roster {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLate = "LATE_";

// Takes "12345_" from the beginning of `text`, without the underscore. "" if it is not there.
std::string TakeId(std::string_view* text) {
  const size_t end = text->find_first_not_of(kDigits);
  if (end == 0 || end == std::string_view::npos || (*text)[end] != '_') return "";
  std::string id(text->substr(0, end));
  text->remove_prefix(end + 1);
  return id;
}

}  // namespace

std::optional<CanvasName> ParseCanvasName(std::string_view name) {
  // A name may have underscores of its own, so each of them may be the one before the numbers.
  for (size_t at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
    std::string_view rest = name.substr(at + 1);
    CanvasName found{std::string(name.substr(0, at)), "", rest.starts_with(kLate)};
    if (found.late) rest.remove_prefix(kLate.size());
    found.user = TakeId(&rest);
    if (!found.name.empty() && !found.user.empty() && !TakeId(&rest).empty()) return found;
  }
  return std::nullopt;
}

std::optional<std::string> ParseClassroomName(std::string_view name, std::string_view assignment) {
  if (assignment.empty() || !name.starts_with(assignment)) return std::nullopt;
  name.remove_prefix(assignment.size());
  if (name.size() < 2 || name.front() != '-') return std::nullopt;
  return std::string(name.substr(1));
}

std::string Squeezed(std::string_view name) {
  std::string squeezed;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      squeezed += static_cast<char>(c + ('a' - 'A'));
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80) {
      squeezed += c;
    }
  }
  return squeezed;
}

}  // namespace warpgrade::roster
