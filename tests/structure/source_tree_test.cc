// Holds the whole tree to the house rules that can be counted: short files, short functions, and files that say what
// they do. It reads every C++ and CUDA file below grader/, labs/, solutions/ and tests/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/structure/source_scan.h"

namespace warpgrade {
namespace {

constexpr int kLongestFile = 600;     // lines
constexpr int kLongestFunction = 60;  // lines
constexpr int kSaysWhatItDoes = 80;   // a .cc file with more lines opens with a comment

struct SourceFile {
  std::string path, text;  // path from the root of the tree
  int lines = 0;
};

// Hostile submissions and wrong answers to labs are what they are.
bool IsSpecimen(const std::string& path) {
  return path.find("/mutants/") != std::string::npos || path.starts_with("tests/attacks/") ||
         path.starts_with("tests/programs/") || path.find("/fuzz/corpus/") != std::string::npos;
}

std::vector<SourceFile> Sources(const std::vector<std::string>& folders, const std::set<std::string>& extensions) {
  const std::filesystem::path root = WARPGRADE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      if (!entry.is_regular_file() || !extensions.contains(entry.path().extension().string())) continue;
      if (IsSpecimen(path)) continue;
      std::ifstream in(entry.path());
      std::string text{std::istreambuf_iterator<char>(in), {}};
      const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
      files.push_back({path, std::move(text), lines});
    }
  }
  EXPECT_GT(files.size(), 50u) << "the test found hardly any source: does it look in the right folder?";
  return files;
}

std::string Place(const SourceFile& file, int line) { return file.path + ":" + std::to_string(line) + ": "; }

TEST(SourceTreeTest, NoFileIsLongerThanAReaderCanKeepInMind) {
  for (const SourceFile& f : Sources({"grader", "labs", "solutions", "tests"}, {".cc", ".h", ".cu", ".cuh", ".def"})) {
    EXPECT_LE(f.lines, kLongestFile) << f.path << ": split it by subject";
  }
}

TEST(SourceTreeTest, NoFunctionIsLongerThanAScreenWithoutAReason) {
  for (const SourceFile& f : Sources({"grader", "labs", "solutions", "tests"}, {".cc", ".h", ".cu", ".cuh"})) {
    for (const FunctionSpan& function : FindFunctions(f.text)) {
      if (function.has_reason) continue;
      EXPECT_LE(function.lines, kLongestFunction)
          << Place(f, function.line) << function.name
          << ": split it, or say in the comment right above it \"Long because ...\"";
    }
  }
}

TEST(SourceTreeTest, ALongFileOpensWithWhatItDoesAndWhichTestCoversIt) {
  for (const SourceFile& f : Sources({"grader", "labs"}, {".cc"})) {
    if (f.lines <= kSaysWhatItDoes) continue;
    const std::string comment = OpeningComment(f.text);
    EXPECT_GE(CountSentences(comment), 2)
        << Place(f, 1) << "open the file with two or three sentences: what it does, how, and which test covers it";
    EXPECT_THAT(comment, testing::ContainsRegex("[Tt]est")) << Place(f, 1) << "name the test that covers this file";
  }
}

}  // namespace
}  // namespace warpgrade
