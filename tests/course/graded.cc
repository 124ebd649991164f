// Runs `warpgrade grade` with a JSON report and reads it. `Told` gathers all that the student reads about a rung, so
// that a test can search it for words.
#include "tests/course/graded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace warpgrade {
namespace {

using nlohmann::json;

const json& FindBy(const json& list, const char* key, const std::string& value, const std::string& where) {
  for (const json& entry : list) {
    if (entry.at(key) == value) return entry;
  }
  throw std::runtime_error(where + " has no " + key + " '" + value + "': " + list.dump().substr(0, 2000));
}

// A metric as the table prints it: "shared bank conflicts".
std::string Words(std::string metric) {
  std::replace(metric.begin(), metric.end(), '_', ' ');
  return metric;
}

}  // namespace

const json& Graded::Submission(const std::string& id) const {
  return FindBy(report.at("submissions"), "id", id, "the report");
}

const json& Graded::Rung(const std::string& submission, const std::string& lab, const std::string& rung) const {
  const json& of_lab = FindBy(Submission(submission).at("labs"), "lab", lab, submission);
  return FindBy(of_lab.at("rungs"), "rung", rung, submission + " " + lab);
}

std::string TestDevice() {
  const char* const device = std::getenv("WARPGRADE_TEST_DEVICE");
  return device == nullptr ? "emulator" : device;
}

Graded Grade(const std::string& path, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("results.json");
  std::vector<std::string> command = {WARPGRADE_BINARY, "grade", path, "--device", TestDevice(), "--json", file};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Graded graded;
  graded.program = RunProgram(command);
  const std::string text = ReadText(file);
  if (!text.empty()) graded.report = json::parse(text);
  return graded;
}

bool IsWithAllCases() { return std::getenv("WARPGRADE_TEST_ALL_CASES") != nullptr || TestDevice() == "gpu"; }

std::vector<std::string> WithSmallCases(std::vector<std::string> arguments) {
  if (!IsWithAllCases()) arguments.insert(arguments.end(), {"--most-elements", "10000"});
  return arguments;
}

std::string ImpatientCourse() {
  std::string text = ReadText(SourcePath("course.yaml"));
  const size_t at = text.find("\n  run:");
  EXPECT_NE(at, std::string::npos) << "course.yaml: this test shortens limits.run";
  const size_t cpu = text.find("cpu", at);
  EXPECT_NE(cpu, std::string::npos);
  const size_t value = text.find(':', cpu) + 1;
  text.replace(value, text.find_first_of("\n,}", value) - value, " 5s");
  return text;
}

std::string Told(const json& rung) {
  std::string told;
  const auto add = [&told](const json& text) {
    if (text.is_string()) told += text.get<std::string>() + "\n";
  };
  for (const json& failure : rung.at("correctness").at("failures")) {
    add(failure.value("message", json()));
    const std::string got = failure.value("got", ""), want = failure.value("want", "");
    if (!got.empty() || !want.empty()) add("got " + got + ", want " + want);
  }
  for (const json& finding : rung.at("findings")) {
    for (const char* key : {"kind", "message", "advice"}) add(finding.value(key, json()));
  }
  for (const json& limit : rung.at("technique")) {
    if (limit.at("passed").get<bool>()) continue;
    add(limit.at("metric"));
    add(Words(limit.at("metric")));
    for (const json& provided : limit.value("provided", json::array())) {
      if (!provided.at("passed").get<bool>()) add("with " + Words(provided.at("metric")));
    }
  }
  add(rung.value("hint", json()));
  for (const json& message : rung.at("messages")) add(message);
  return told;
}

std::string LineOf(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string found;
  for (int number = 0; number < line; ++number) {
    if (!std::getline(lines, found)) return "";
  }
  return found;
}

std::string SourcePath(const std::string& name) { return std::string(WARPGRADE_SOURCE_DIR) + "/" + name; }

std::string MutantText(const std::string& lab, const std::string& name) {
  const ProgramResult printed = RunProgram({SourcePath("labs/mutant.sh"), lab, name});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  return printed.out;
}

std::string WithHeadersOfAllRungs(const std::string& lab, const std::string& text) {
  static const std::regex include(R"((?:^|\n)(#include [^\n]*))");
  std::set<std::string> missing;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("solutions/" + lab))) {
    if (file.path().extension() != ".cu") continue;
    const std::string solution = ReadText(file.path());
    for (std::sregex_iterator it(solution.begin(), solution.end(), include), end; it != end; ++it) {
      missing.insert((*it)[1].str().substr(0, (*it)[1].str().find_first_of(">\"", 10) + 1));
    }
  }
  std::string lines;
  for (const std::string& line : missing) {
    if (text.find(line) == std::string::npos) lines += line + "\n";
  }
  return lines + text;
}

}  // namespace warpgrade
