// schema/course.schema.json, which editors use, says what the reader does. The course.yaml that comes with warpgrade
// fits both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/config/course.h"
#include "grader/config/course_keys.h"
#include "grader/config/yaml_tree.h"
#include "tests/config/course_text.h"
#include "tests/config/json_schema.h"

namespace warpgrade::config {
namespace {

using nlohmann::json;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAreArray;

json Schema() { return json::parse(std::ifstream(WARPGRADE_COURSE_SCHEMA)); }

// As an editor's YAML plug-in hands a file to its validator.
json ToJson(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return nullptr;
    case YamlNode::Kind::kScalar: {
      double number = 0;
      const char* end = node.text.data() + node.text.size();
      const auto parsed = std::from_chars(node.text.data(), end, number);
      const bool is_number = !node.quoted && parsed.ec == std::errc() && parsed.ptr == end;
      if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
      return is_number ? json(number) : json(node.text);
    }
    case YamlNode::Kind::kSequence: {
      json array = json::array();
      for (const YamlNode& item : node.items) array.push_back(ToJson(item));
      return array;
    }
    case YamlNode::Kind::kMap: {
      json object = json::object();
      for (const YamlEntry& entry : node.entries) object[entry.key.text] = ToJson(entry.value);
      return object;
    }
  }
  return nullptr;
}

std::vector<std::string> ErrorsOf(const std::string& text) {
  Problems problems("course.yaml");
  const auto tree = ParseYaml(text, &problems);
  EXPECT_TRUE(tree);
  return SchemaErrors(Schema(), ToJson(*tree));
}

// Idle threads, or loads that lie well, bring down what is counted per warp or per request: tests/attacks/, row 27.
TEST(CourseSchemaTest, EachLimitOnAnAverageIsProvidedWithSomethingElse) {
  const auto is_average = [](const TechniqueLimit& limit) {
    const MetricBounds& bounds = limit.bounds;
    if (bounds.max == 0 || (bounds.min && bounds.max)) return false;  // nothing brings it to 0, or into both ends
    for (const char* word : {"_per_warp", "_per_block", "_per_thread", "_per_request", "_efficiency", "bank_conflicts",
                             "average_", "overlap", "warps_at_work"}) {
      if (bounds.metric.find(word) != std::string::npos) return true;
    }
    return false;
  };
  const Result<Course> course = LoadCourse(WARPGRADE_COURSE_YAML, MetricNames());
  ASSERT_TRUE(course) << course.error().message;
  int averages = 0;
  for (const Lab& lab : course->labs) {
    for (const Rung& rung : lab.rungs) {
      for (const TechniqueLimit& limit : rung.technique_limits) {
        if (!is_average(limit)) continue;
        ++averages;
        EXPECT_FALSE(limit.provided.empty()) << lab.name << " " << rung.name << " " << limit.bounds.metric;
      }
    }
  }
  EXPECT_GE(averages, 25);
}

TEST(CourseSchemaTest, TheCoursesOwnFileFitsTheSchema) {
  Problems problems("course.yaml");
  const auto tree = ReadYamlFile(WARPGRADE_COURSE_YAML, &problems);
  ASSERT_TRUE(tree);
  EXPECT_THAT(SchemaErrors(Schema(), ToJson(*tree)), IsEmpty());
}

TEST(CourseSchemaTest, HasTheReadersKeys) {
  const json schema = Schema();
  const auto expect_keys = [&schema](const char* pointer, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    for (const auto& [key, rule] : schema.at(json::json_pointer(pointer)).items()) found.push_back(key);
    EXPECT_THAT(found, UnorderedElementsAreArray(keys)) << pointer;
  };
  expect_keys("/properties", kFileKeys);
  expect_keys("/properties/course/properties", kCourseKeys);
  expect_keys("/properties/limits/properties", kLimitsKeys);
  expect_keys("/$defs/target/properties", kTargetKeys);
  expect_keys("/$defs/build_limits/properties", kBuildLimitKeys);
  expect_keys("/$defs/run_limits/properties", kRunLimitKeys);
  expect_keys("/$defs/allow/properties", kAllowKeys);
  expect_keys("/$defs/lab/properties", kLabKeys);
  expect_keys("/properties/hand_in/properties", kCourseHandInKeys);
  expect_keys("/properties/slurm/properties", kSlurmKeys);
  expect_keys("/$defs/lab/properties/hand_in/properties", kLabHandInKeys);
  expect_keys("/$defs/lab/properties/quiz/properties", kQuizKeys);
  expect_keys("/$defs/lab/properties/leaderboard/properties", kLeaderboardKeys);
  expect_keys("/$defs/lab/properties/best_of/items/properties", kBestOfKeys);
  expect_keys("/$defs/rung/properties", kRungKeys);
  expect_keys("/$defs/rung/properties/points/properties", kPointsKeys);
  expect_keys("/$defs/technique/properties", kTechniqueKeys);
  expect_keys("/$defs/provided/properties", kProvidedKeys);
  expect_keys("/$defs/throughput/properties", kThroughputKeys);
  expect_keys("/$defs/step/properties", kStepKeys);
  EXPECT_EQ(schema.at("/$defs/throughput/properties/unit/enum"_json_pointer), json(kUnits));
  EXPECT_EQ(schema.at("/$defs/rung/properties/arithmetic/enum"_json_pointer), json(kArithmetics));
  EXPECT_EQ(schema.at("/$defs/attempt/enum"_json_pointer), json(kAttempts));
  EXPECT_EQ(schema.at("/$defs/visibility_word/enum"_json_pointer), json(kVisibilities));
  EXPECT_EQ(schema.at("/$defs/metric/enum"_json_pointer), json(MetricNames()));
}

// The properties below `schema` that an editor could not explain: neither they nor what they refer to say what they
// are.
void FindUnexplained(const json& schema, const json& at, const std::string& path, std::vector<std::string>* found) {
  if (!at.is_object()) return;
  for (const auto& [key, value] : at.items()) {
    if (key == "properties") {
      for (const auto& [name, property] : value.items()) {
        const json* meant = &property;
        if (!property.contains("description") && property.contains("$ref")) {
          meant = &schema.at(json::json_pointer(property["$ref"].get<std::string>().substr(1)));
        }
        if (!meant->contains("description")) found->push_back(path + "/" + name);
      }
    }
    FindUnexplained(schema, value, path + "/" + key, found);
  }
}

TEST(CourseSchemaTest, ExplainsEachKeyToEditors) {
  std::vector<std::string> unexplained;
  FindUnexplained(Schema(), Schema(), "", &unexplained);
  EXPECT_THAT(unexplained, IsEmpty());
}

TEST(CourseSchemaTest, RefusesWhatTheReaderRefuses) {
  const std::string good = CourseWithRung(
      "points: {correctness: 8, technique: 2, throughput: 2}\n"
      "technique: [{metric: shared_bank_conflicts, max: 0, provided: {metric: global_load_efficiency, min: 1}}]\n"
      "throughput: {h200: {unit: GB/s, zero: 1, full: 2}}\n"
      "visibility: after_publication\n"
      "case_visibility: {hidden_cases: hidden, 'n = 3': visible}\n");
  EXPECT_EQ(Mistakes(good), "");
  EXPECT_THAT(ErrorsOf(good), IsEmpty());
  const std::pair<std::string, std::string> kMistakes[] = {
      {"title: T", "titel: T"},
      {"correctness: 8", "correctness: -8"},
      {"correctness: 8", "correctness: 8.125"},
      {"correctness: 8", "correctness: eight"},
      {"shared_bank_conflicts", "shared_bank_conflict"},
      {", max: 0", ""},
      {"global_load_efficiency, min: 1", "global_load_efficiency"},
      {"global_load_efficiency, min: 1", "global_load_efficienc, min: 1"},
      {"{metric: global_load_efficiency, min: 1}", "[]"},
      {"unit: GB/s, ", ""},
      {"GB/s", "GB"},
      {"zero: 1, full: 2", "zero: 1"},
      {"zero: 1, full: 2", "zero: 1, full: 2, steps: [{at: 1, points: 2}]"},
      {"visibility: after_publication", "visibility: after_published"},
      {"hidden_cases: hidden", "hidden_cases: never"},
      {"'n = 3': visible", "'n = 3': all"},
      {"lab1:", "lab-1:"},
      {"match: NVIDIA H200", "matches: NVIDIA H200"},
  };
  for (const auto& [right, wrong] : kMistakes) {
    std::string text = good;
    const size_t at = text.find(right);
    ASSERT_NE(at, std::string::npos) << right;
    text.replace(at, right.size(), wrong);
    EXPECT_NE(Mistakes(text), "") << wrong;
    EXPECT_THAT(ErrorsOf(text), Not(IsEmpty())) << wrong;
  }
}

TEST(CourseSchemaTest, TakesAndRefusesTheSameClustersAsTheReader) {
  const std::pair<const char*, bool> kClusters[] = {
      {"{folder: /shared}", true},
      {"{folder: /s, partition: p, account: a, gres: \"gpu:1\", gpu: NVIDIA H200, time: 30min, memory: 1GB, cores: 8, "
       "chunk: 4, at_once: 2, tries: 5, options: [--qos=short]}",
       true},
      {"{partition: p}", false},
      {"{folder: shared}", false},
      {"{folder: /s, account: a b}", false},
      {"{folder: /s, time: 30}", false},
      {"{folder: /s, cores: 0}", false},
      {"{folder: /s, chunk: 1001}", false},
      {"{folder: /s, tries: 11}", false},
      {"{folder: /s, options: [qos]}", false},
      {"{folder: /s, nodes: 2}", false},
  };
  for (const auto& [slurm, is_right] : kClusters) {
    const std::string text = std::string("slurm: ") + slurm + "\n" + CourseWithRung("points: {correctness: 8}\n");
    EXPECT_EQ(Mistakes(text).empty(), is_right) << slurm << ": " << Mistakes(text);
    EXPECT_EQ(ErrorsOf(text).empty(), is_right) << slurm;
  }
}

}  // namespace
}  // namespace warpgrade::config
