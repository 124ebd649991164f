// How platforms name the submissions that they export.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::roster {

// Canvas: "lovelaceada_12345_67890_lab3.zip", or "lovelaceada_LATE_12345_67890_lab3.zip": the student's name without
// spaces and in lower case, Canvas's number of the student, and its number of the file.
struct CanvasName {
  std::string name, user;
  bool late = false;
};
std::optional<CanvasName> ParseCanvasName(std::string_view name);

// GitHub Classroom: "lab3-ada" for the assignment "lab3" and the GitHub name "ada". nullopt if `name` does not begin
// with `assignment` and a hyphen.
std::optional<std::string> ParseClassroomName(std::string_view name, std::string_view assignment);

// A name as Canvas writes it in file names: lower case, without spaces and signs.
std::string Squeezed(std::string_view name);

}  // namespace warpgrade::roster
