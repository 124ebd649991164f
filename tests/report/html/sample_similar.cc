#include "tests/report/html/sample_similar.h"

#include <fmt/format.h>

namespace warpgrade::report {
namespace {

using similarity::Comparison;
using similarity::Match;
using similarity::Pair;

// Five lines with these names.
std::string FirstFunction(const std::string& sum, const std::string& i) {
  return fmt::format(
      "__global__ void Add(const float* d_in, float* d_out, int n) {{\n"
      "  float {0} = 0;\n"
      "  for (int {1} = threadIdx.x; {1} < n; {1} += blockDim.x) {0} += d_in[{1}];\n"
      "  d_out[threadIdx.x] = {0};\n"
      "}}\n",
      sum, i);
}

// Three lines.
std::string SecondFunction(const std::string& name) {
  return fmt::format("float Twice(float {0}) {{\n  return {0} + {0};\n}}\n", name);
}

std::string OwnLines(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += fmt::format("  own[{}] = threadIdx.x * {};\n", i, i * i);
  return text;
}

}  // namespace

Compared SmallComparison() {
  Compared compared;
  const std::string first = FirstFunction("sum", "i");
  compared.sources = {
      {.name = "s1042",
       .files = {{"v1_naive.cu", "// mine\n" + first + OwnLines(40) + SecondFunction("x")}, {"v2_shared.cu", first}}},
      {.name = "s1050",
       .files = {{"v1_naive.cu", "// my own\n" + SecondFunction("value") + "\n" +
                                     FirstFunction("total", "at").insert(first.find("  float"), "  // adds up\n")},
                 {"v2_shared.cu", FirstFunction("total", "at")}}},
      {.name = "s1077 (older)", .older = true, .files = {{"v2_shared.cu", FirstFunction("s", "t")}}},
      {.name = "s1061"},
      {.name = "s1062", .files = {{"v1_naive.cu", "int a;\n"}}}};
  Comparison& comparison = compared.comparison;
  comparison.pairs = {
      {.first = 0,
       .second = 1,
       .alike = 199,
       .shorter = 200,
       .matches = {{"v1_naive.cu", 2, 6, 6, 11, 90},
                   {"v2_shared.cu", 1, 5, 1, 5, 90},
                   {"v1_naive.cu", 47, 49, 2, 4, 19}}},
      {.first = 0, .second = 2, .alike = 90, .shorter = 90, .matches = {{"v2_shared.cu", 1, 5, 1, 5, 90}}},
      {.first = 1, .second = 2, .alike = 90, .shorter = 90, .matches = {{"v2_shared.cu", 1, 5, 1, 5, 90}}}};
  comparison.groups = {{0, 1, 2}};
  comparison.equal = {{"v2_shared.cu", {0, 1}, true}};
  comparison.left_out = {{3, similarity::LeftOut::Why::kNoFile}, {4, similarity::LeftOut::Why::kTooLittle}};
  comparison.notes = {"v3.cu is not compared, because it takes too long"};
  return compared;
}

Compared BigComparison(int size) {
  Compared compared;
  for (int i = 0; i < size; ++i) {
    similarity::Source source{.name = fmt::format("s{}", 1000 + i)};
    for (int rung = 1; rung <= 9; ++rung) {
      std::string text;
      for (int j = 0; j < 20; ++j) text += FirstFunction(fmt::format("sum_{}_{}", i, j), fmt::format("at_{}", j));
      source.files[fmt::format("v{}.cu", rung)] = text;
    }
    compared.sources.push_back(source);
  }
  std::vector<size_t> all;
  for (size_t first = 0; first < compared.sources.size(); ++first) {
    all.push_back(first);
    for (size_t second = first + 1; second < compared.sources.size(); ++second) {
      Pair pair{.first = first, .second = second, .alike = 9000, .shorter = 9000};
      for (const auto& [file, text] : compared.sources[first].files) {
        for (int i = 0; i < 20; ++i) pair.matches.push_back({file, 5 * i + 1, 5 * i + 5, 5 * i + 1, 5 * i + 5, 50});
      }
      compared.comparison.pairs.push_back(std::move(pair));
    }
  }
  compared.comparison.groups = {all};
  for (int rung = 1; rung <= 9; ++rung) compared.comparison.equal.push_back({fmt::format("v{}.cu", rung), all});
  return compared;
}

Compared HostileComparison(const std::string& text) {
  using std::string_literals::operator""s;
  Compared compared;
  const std::vector<std::string> names = {text,
                                          "=cmd|' /C calc'!A0",
                                          "</script><img src=x onerror=alert(1)>",
                                          "\u202Egnp.\u2066a\u2069",
                                          "a\0b\xff"s,
                                          std::string(100'000, 'n'),
                                          "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
                                          "",
                                          "__proto__",
                                          "<b>" + text + "\u200F</b>",
                                          "${canary=1}"};
  for (const std::string& name : names) {
    std::string source = text + "\n" + name + "\r\n" + std::string(100'000, 'x') + "\n\0\xff\x1b[2J\n"s;
    for (int i = 0; i < 40; ++i) source += "\u202E" + text + fmt::format(" {}\n", i);
    compared.sources.push_back({.name = name, .files = {{"v1.cu", source}, {text, source}, {"v2.cu", ""}}});
  }
  compared.sources.back().files.erase("v2.cu");
  std::vector<size_t> all;
  constexpr int kFar = 2'000'000'000;
  for (size_t i = 0; i < names.size(); ++i) {
    all.push_back(i);
    const std::vector<Match> matches = {{"v1.cu", 1, 4, 10, 13, 50},  {"v1.cu", 3, kFar, 2, 2, 40},
                                        {"v1.cu", -5, 1, 44, 44, 30}, {"v1.cu", kFar, kFar, kFar, kFar, 20},
                                        {"v2.cu", 1, 1, 1, 1, 20},    {text, 1, 44, 1, 44, 20},
                                        {"v1.cu", 9, 8, 7, 6, -5},    {"nowhere.cu", 1, 1, 1, 1, 20}};
    compared.comparison.pairs.push_back({i, (i + 1) % names.size(), 60, 61, matches});
  }
  compared.comparison.groups = {all};
  compared.comparison.equal = {{text, all, true}, {"v1.cu", all, false}};
  compared.comparison.left_out = {{0, similarity::LeftOut::Why::kNoFile}, {1, similarity::LeftOut::Why::kTooLittle}};
  compared.comparison.notes = {text, std::string(100'000, 'n')};
  return compared;
}

}  // namespace warpgrade::report
