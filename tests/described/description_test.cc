// What lab.yaml and hidden.yaml become, and each mistake in them with its line and column.
#include "grader/described/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "grader/config/course_keys.h"
#include "grader/described/description_keys.h"
#include "grader/described/texts.h"
#include "tests/cli/program.h"
#include "tests/config/json_schema.h"

namespace warpgrade::described {
namespace {

using testing::HasSubstr;

constexpr char kGood[] = R"(name: dot
title: Dot product
function: dot
sizes: {n: size_t}
buffers:
  d_a: {in: float, shape: n}
  d_out: {out: float, shape: 1, tolerance: {absolute: 1e-7 * n}}
cases:
  - {n: 0}
  - {n: 1000, values: zeros}
rungs: {v1: {title: One, points: {correctness: 1}}}
)";

// kGood with one text replaced by another.
std::string With(const std::string& old, const std::string& instead) {
  std::string text = kGood;
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), instead);
}

class DescriptionTest : public testing::Test {
 protected:
  Result<Description> Read(const std::string& lab, const std::string& hidden = "") const {
    folder_.Write("lab/lab.yaml", lab);
    if (!hidden.empty()) folder_.Write("lab/hidden.yaml", hidden);
    return ReadDescription(folder_.Path("lab"));
  }
  // Without the folder.
  std::string Mistakes(const std::string& lab, const std::string& hidden = "") const {
    const auto read = Read(lab, hidden);
    if (read) return "no mistake";
    std::string text = read.error().message;
    const std::string place = folder_.Path("lab/");
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos;) text.erase(at, place.size());
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(DescriptionTest, AGoodFileIsRead) {
  const auto lab = Read(kGood, "cases:\n  - {n: 1..300, times: 3}\nother_size: {n: 1000 - (1..9)}\n");
  ASSERT_TRUE(lab) << lab.error().message;
  EXPECT_EQ(lab->name, "dot");
  ASSERT_EQ(lab->buffers.size(), 2u);
  EXPECT_FALSE(lab->buffers[0].is_output);
  EXPECT_TRUE(lab->buffers[1].is_output);
  ASSERT_EQ(lab->cases.size(), 2u);
  EXPECT_TRUE(lab->has_hidden);
  EXPECT_EQ(lab->hidden.at(0).times, 3);
  ASSERT_TRUE(lab->other_size.has_value());
  const auto made = MakeCase(*lab, lab->cases[1], 0, false, nullptr);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->name, "n = 1000, zeros");
  EXPECT_EQ(made->elements, 1000u);
  EXPECT_EQ(made->bytes_moved, 4004u);
  EXPECT_EQ(made->loaded_bytes, 4000u);
  EXPECT_EQ(FunctionSignature(*lab, ""), "void dot(const float* d_a, float* d_out, size_t n, cudaStream_t stream)");
  EXPECT_EQ(ReferenceSignature(*lab), "void Reference(const float* d_a, double* d_out, size_t n)");
}

TEST_F(DescriptionTest, AnElementTypeMakesATemplateAndACaseForEachType) {
  std::string text = With("sizes:", "types: [float, int]\nscalars: {a: float}\nsizes:");
  text.replace(text.find("in: float"), 9, "in: T");
  text.replace(text.find("out: float"), 10, "out: T");
  for (size_t at = 0; (at = text.find("- {n: ", at)) != std::string::npos; at += 10)
    text.replace(at, 6, "- {a: 2, n: ");
  const auto lab = Read(text);
  ASSERT_TRUE(lab) << lab.error().message;
  EXPECT_EQ(lab->variants(), 2);
  EXPECT_THAT(
      HeaderText(*lab),
      HasSubstr("template <typename T>\nvoid dot(const T* d_a, T* d_out, size_t n, float a, cudaStream_t stream);"));
  EXPECT_THAT(HeaderText(*lab), HasSubstr("#define DOT_INSTANTIATE()"));
  EXPECT_EQ(LastLine(*lab), "DOT_INSTANTIATE();");
  const auto made = MakeCase(*lab, lab->cases[0], 1, false, nullptr);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->name, "n = 0, a = 2, int");
}

TEST_F(DescriptionTest, EveryMistakeIsToldWithItsPlaceAndWhatToDo) {
  const std::pair<std::string, std::string> rows[] = {
      {With("function: dot", "functoin: dot"),
       "lab.yaml:3:1: unknown key 'functoin' in the file; did you mean 'function'?"},
      {With("name: dot\n", ""), "the file has no 'name'; add 'name: NAME'"},
      {With("name: dot", "name: dot product"), "lab.yaml:1:7: 'dot product' cannot be a name in C++"},
      {With("function: dot", "function: double"), "lab.yaml:3:11: 'double' has a meaning of its own"},
      {With("{n: size_t}", "{n: float}"), "lab.yaml:4:12: sizes.n is a float; a size is a whole number"},
      {With("{n: size_t}", "{n: sizet}"), "lab.yaml:4:12: there is no type 'sizet'; did you mean 'size_t'?"},
      {With("{n: size_t}", "{d_a: size_t, n: size_t}"), "lab.yaml:6:3: 'd_a' is the name of something else"},
      {With("shape: n", "shape: width"),
       "lab.yaml:6:27: buffers.d_a.shape: there is no size 'width' here; the names are n"},
      {With("shape: n", "shape: 4 * (n"), "lab.yaml:6:33: buffers.d_a.shape: a parenthesis is not closed"},
      {With("in: float, ", ""), "lab.yaml:6:3: buffers.d_a is neither an input nor an output"},
      {With("in: float", "in: T"), "lab.yaml:6:13: buffers.d_a.in is T, but the lab has no 'types'"},
      {With(", tolerance: {absolute: 1e-7 * n}", ""), "has floats, but no 'tolerance'"},
      {With("  d_out: {out: float, shape: 1, tolerance: {absolute: 1e-7 * n}}\n", ""),
       "lab.yaml:6:3: no array is an output"},
      {With("values: zeros", "values: zeroes"), "there are no values 'zeroes'; did you mean 'zeros'?"},
      {With("{n: 0}", "{m: 0}"), "cases has no 'n'; add 'n: NUMBER'"},
      {With("{n: 0}", "{n: 1 / 0}"), "lab.yaml:9:5: this case is impossible: n: '1 / 0' divides by 0"},
      {With("{n: 0}", "{n: 2^63}"), "this case is impossible: n: '2^63' does not fit into 64 bits"},
      {With("{n: 0}", "{n: -1}"), "n is -1, which is not between 0 and"},
      {With("{n: 0}", "{n: 2^40}"), "d_a would have more than 256 MB"},
      {With("{n: 0}", "{n: 1..5}"), "'..' draws a number, which only hidden.yaml does"},
      {With("{n: 0}", "{n: 0, type: int}"), "cases.type is int, which is not in 'types'"},
      {With("absolute: 1e-7 * n", "absolute: -1"), "the tolerance of d_out: '-1' is below 0"},
      {With("absolute: 1e-7 * n", "absoluta: 1"), "did you mean 'absolute'?"},
      {With("shape: n}", "shape: n, range: [5, 1]}"),
       "the range of d_a goes from 5 to 1; write the smaller number first"},
      {With("cases:", "work: {bytes: n - 5}\ncases:"), "this case is impossible: work.bytes: 'n - 5' is -5, below 0"},
      {With("points: {correctness: 1}", "points: {technique: 1}, technique: []"),
       "add 'technique: {n: 2^20}' to the lab"},
      {With("rungs:", "hints: {v2: {correctness: x}}\nrungs:"),
       "hints are for a rung 'v2', which the lab does not have; did you mean 'v1'?"},
      {With("rungs:", "reference: {time: 2h}\nrungs:"), "reference.time is not between 1s and 600s"},
      {With("{n: size_t}", "{stream: size_t}"), "has a meaning of its own"},
      {"[1, 2]\n", "the file is a list; write a mapping with"},
  };
  for (const auto& [text, mistake] : rows) EXPECT_THAT(Mistakes(text), HasSubstr(mistake)) << text;
}

TEST_F(DescriptionTest, MistakesOfTheHiddenCasesNameTheirFile) {
  EXPECT_THAT(Mistakes(kGood, "cases:\n  - {n: 1..}\n"),
              HasSubstr("hidden.yaml:2:12: cases.n: this expression ends too early"));
  EXPECT_THAT(Mistakes(kGood, "cases:\n  - {n: 10 / (0..1)}\n"), HasSubstr("hidden.yaml:2:5: this case is impossible"));
  EXPECT_THAT(Mistakes(kGood, "cases:\n  - {n: 1, times: 1000}\n"), HasSubstr("cases.times is not between 1 and 50"));
  EXPECT_THAT(Mistakes(kGood, "case: []\n"), HasSubstr("hidden.yaml:1:1: unknown key 'case'"));
}

TEST(LabSchemaTest, HasTheReadersKeysAndTheRungsOfCourseYaml) {
  using nlohmann::json;
  const std::string folder = WARPGRADE_SOURCE_DIR "/grader/config/schema/";
  const json schema = json::parse(std::ifstream(folder + "lab.schema.json"));
  const json course = json::parse(std::ifstream(folder + "course.schema.json"));
  const auto expect_keys = [&schema](const char* pointer, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    for (const auto& [key, rule] : schema.at(json::json_pointer(pointer)).items()) found.push_back(key);
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(keys)) << pointer;
  };
  expect_keys("/properties", kLabFileKeys);
  expect_keys("/$defs/buffer/properties", kBufferKeys);
  expect_keys("/properties/work/properties", kWorkKeys);
  expect_keys("/$defs/case/properties", kCaseKeys);
  expect_keys("/properties/reference/properties", kReferenceKeys);
  EXPECT_EQ(schema.at("/$defs/case/properties/values/enum"_json_pointer), json(kValueKinds));
  EXPECT_EQ(schema.at("/$defs/type/enum"_json_pointer), json(TypeNames()));
  for (const std::string& key : config::kLabFileCourseKeys) {
    EXPECT_EQ(schema.at("properties").at(key), course.at("$defs").at("lab").at("properties").at(key)) << key;
  }
  for (const auto& [name, rule] : schema.at("$defs").items()) {
    if (course.at("$defs").contains(name)) {
      EXPECT_EQ(rule, course.at("$defs").at(name)) << name;
    }
  }
}

TEST_F(DescriptionTest, AFolderWithoutLabYamlIsNamed) {
  const auto read = ReadDescription(folder_.Path("nothing"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("nothing/lab.yaml"));
}

}  // namespace
}  // namespace warpgrade::described
