// Reads submission_metadata.json, which the platform writes, but with names that students chose. So every part may be
// missing or of another type, and then it is left out. Tests: tests/roster/upload_test.cc.
#include "grader/roster/upload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace warpgrade::roster {
namespace {

using Json = nlohmann::json;

// The member `key` of an object; null if there is none.
const Json& Member(const Json& json, const char* key) {
  static const Json kNothing;
  if (!json.is_object()) return kNothing;
  const auto found = json.find(key);
  return found == json.end() ? kNothing : *found;
}

// 110 and "110.0".
std::optional<double> NumberOf(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const auto& text = json.get_ref<const std::string&>();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

// Capital letters do not matter. An empty name is nobody's.
bool SameName(const std::string& a, const std::string& b) {
  return !a.empty() && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                  [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

Result<UploadedTo> ReadUpload(const std::string& path) {
  const auto error = [&path](const char* what) {
    return Error{ErrorKind::kUsage, fmt::format("{}: {}; the platform writes this file", path, what)};
  };
  std::error_code code;
  const auto bytes = std::filesystem::file_size(path, code);
  if (code) return error("it cannot be read");
  if (bytes > kMostMetadataBytes) return error("it is too large");
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return error("it is not JSON");
  UploadedTo upload;
  for (const Json& user : Member(json, "users")) {
    const Json& email = Member(user, "email");
    if (email.is_string() && !email.get_ref<const std::string&>().empty()) upload.emails.push_back(email);
  }
  upload.total_points = NumberOf(Member(Member(json, "assignment"), "total_points"));
  return upload;
}

std::string IdOfEmails(const std::vector<std::string>& emails, const std::vector<Student>& students) {
  for (const std::string& email : emails) {
    for (const Student& student : students) {
      if (SameName(student.email, email)) return student.id;
    }
  }
  if (emails.empty()) return "student";
  const std::string name = emails.front().substr(0, emails.front().find('@'));
  return name.empty() ? "student" : name;
}

std::string IdOfGithubName(const std::string& name, const std::vector<Student>& students) {
  for (const Student& student : students) {
    if (SameName(student.github, name)) return student.id;
  }
  return name.empty() ? "student" : name;
}

}  // namespace warpgrade::roster
