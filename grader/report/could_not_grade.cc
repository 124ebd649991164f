// Tests: tests/report/could_not_grade_test.cc.
#include "grader/report/could_not_grade.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/report/github_classroom.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

std::string FailureText(const std::string& why) {
  return fmt::format(
      "Your submission could not be graded, and has no points yet. The grader failed, not your program. Please tell "
      "your instructors: {}",
      Printable(why));
}

}  // namespace

std::string GradescopeFailure(const std::string& why) {
  const nlohmann::ordered_json json = {{"output", FailureText(why)},
                                       {"output_format", "text"},
                                       {"visibility", "visible"},
                                       {"stdout_visibility", "hidden"}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string ClassroomFailure(const std::string& name, const std::string& why) {
  const nlohmann::ordered_json test = {{"name", PrintableLine(name)}, {"status", "error"},
                                       {"message", FailureText(why)}, {"line_no", 0},
                                       {"execution_time", "0ms"},     {"score", 0}};
  const nlohmann::ordered_json json = {
      {"version", 1}, {"status", "error"}, {"max_score", 0}, {"tests", nlohmann::ordered_json::array({test})}};
  return Base64(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace warpgrade::report
