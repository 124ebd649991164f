// `warpgrade course`: prints the labs, rungs, points, limits and thresholds of a course.yaml as JSON, as the kit
// understands the file. Scripts use it that make tables from a course, such as tests/docs/tables_test.py. Tests:
// tests/cli/command_line_test.cc.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/emulator/counters/counters.h"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

Json Number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json BoundsJson(const config::MetricBounds& bounds) {
  return {{"metric", bounds.metric}, {"min", Number(bounds.min)}, {"max", Number(bounds.max)}};
}

Json LimitJson(const config::TechniqueLimit& limit) {
  Json json = BoundsJson(limit.bounds);
  json["points"] = limit.points.ToDouble();
  json["provided"] = Json::array();
  for (const config::MetricBounds& bounds : limit.provided) json["provided"].push_back(BoundsJson(bounds));
  return json;
}

const char* UnitName(config::ThroughputScale::Unit unit) {
  switch (unit) {
    case config::ThroughputScale::Unit::kGigabytesPerSecond:
      return "GB/s";
    case config::ThroughputScale::Unit::kGigaflopsPerSecond:
      return "GFLOP/s";
    case config::ThroughputScale::Unit::kShareOfCopy:
      return "share_of_copy";
    case config::ThroughputScale::Unit::kShareOfSolution:
      return "share_of_solution";
  }
  return "";
}

Json ScaleJson(const config::ThroughputScale& scale) {
  Json json = {{"unit", UnitName(scale.unit)}, {"zero", Number(scale.zero)}, {"full", Number(scale.full)}};
  json["steps"] = Json::array();
  for (const auto& step : scale.steps) json["steps"].push_back({{"at", step.at}, {"points", step.points.ToDouble()}});
  return json;
}

Json RungJson(const config::Rung& rung) {
  Json json = {{"rung", rung.name}, {"title", rung.title}};
  json["points"] = {{"correctness", rung.correctness.ToDouble()},
                    {"technique", rung.technique.ToDouble()},
                    {"throughput", rung.throughput.ToDouble()}};
  json["technique"] = Json::array();
  for (const config::TechniqueLimit& limit : rung.technique_limits) json["technique"].push_back(LimitJson(limit));
  json["throughput"] = Json::object();
  for (const auto& [target, scale] : rung.throughput_scales) json["throughput"][target] = ScaleJson(scale);
  return json;
}

Json CourseJson(const config::Course& course) {
  Json json = {{"course", course.name}, {"term", course.term}, {"labs", Json::array()}};
  for (const config::Lab& lab : course.labs) {
    Json rungs = Json::array();
    for (const config::Rung& rung : lab.rungs) {
      rungs.push_back(RungJson(rung));
      rungs.back()["bonus"] = lab.counting.IsBonus(rung.name);
    }
    Json best_of = Json::array();
    for (const config::BestOf& group : lab.counting.best_of)
      best_of.push_back({{"best", group.best}, {"of", group.of}});
    json["labs"].push_back({{"lab", lab.name},
                            {"title", lab.title},
                            {"points", lab.Total().ToDouble()},
                            {"quiz", lab.quiz ? Json(lab.quiz->ToDouble()) : Json(nullptr)},
                            {"rungs", rungs},
                            {"best_of", best_of}});
  }
  return json;
}

int PrintMetrics() {
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) {
    fmt::print("{}{}\n    {}\n", metric.name, *metric.unit != '\0' ? fmt::format(" ({})", metric.unit) : "",
               metric.description);
  }
  return kDone;
}

int PrintCourse(const std::string& course_yaml) {
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const auto course = config::LoadCourse(course_yaml.empty() ? kit->course_yaml : course_yaml, MetricNames());
  if (!course) return Fail(course.error());
  fmt::print("{}\n", CourseJson(*course).dump(2));
  return kDone;
}

}  // namespace

void AddCourseCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("course", "Print the points and limits of a course.yaml as JSON");
  command->footer(
      "Examples:\n"
      "  warpgrade course                          the kit's course.yaml\n"
      "  warpgrade course --course mine.yaml       check another file, and print it\n"
      "  warpgrade course --metrics                what a technique limit may name\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto course_yaml = std::make_shared<std::string>();
  auto metrics = std::make_shared<bool>(false);
  command->add_option("--course", *course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->add_flag("--metrics", *metrics, "List the metrics that a technique limit may name");
  command->callback(
      [course_yaml, metrics, exit_code] { *exit_code = *metrics ? PrintMetrics() : PrintCourse(*course_yaml); });
}

}  // namespace warpgrade::cli
