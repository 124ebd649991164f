// Runs a libFuzzer target without libFuzzer: over its corpus as it is, cut anywhere, and with some thousands of edits
// that are the same each time. Each target is linked with it into one test, so no clang is needed to keep them alive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern const char kFuzzCorpus[];  // the target's folder; CMakeLists.txt writes it

namespace {

void Feed(const std::string& bytes) {
  // Exactly as long as the input: a read past its end is one past an allocation, which sanitizers see.
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

std::vector<std::string> Corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFuzzCorpus)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string Next() {
    std::string text = corpus_[random_() % corpus_.size()];
    for (size_t edits = 1 + random_() % 5; edits > 0; --edits) Edit(&text);
    return text;
  }

 private:
  size_t Place(const std::string& text) { return text.empty() ? 0 : random_() % text.size(); }

  void Edit(std::string* text) {
    const std::string& other = corpus_[random_() % corpus_.size()];
    const size_t at = Place(*text), bytes = 1 + random_() % 40;
    switch (random_() % 6) {
      case 0:
        if (!text->empty()) (*text)[at] = static_cast<char>(random_());
        return;
      case 1:
        text->erase(at, bytes);
        return;
      case 2:
        text->insert(at, other, Place(other), bytes);
        return;
      case 3:  // a number that is too large
        text->insert(at, std::to_string(random_() >> (random_() % 64)));
        return;
      case 4:  // the same again
        text->insert(at, *text, Place(*text), 4 * bytes);
        return;
      default: {  // a word of small or large value
        const uint64_t value = random_() % 2 == 0 ? random_() % 300 : ~uint64_t{0} - random_() % 300;
        for (size_t k = 0; k < 8 && at + k < text->size(); ++k) (*text)[at + k] = static_cast<char>(value >> (8 * k));
      }
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_{1};
};

TEST(FuzzSmokeTest, TheCorpusAsItIs) {
  const auto corpus = Corpus();
  ASSERT_GE(corpus.size(), 4u);
  for (const std::string& text : corpus) Feed(text);
}

TEST(FuzzSmokeTest, TheCorpusCutAnywhere) {
  for (const std::string& text : Corpus()) {
    for (size_t size = 0; size < text.size(); size += 1 + text.size() / 300) Feed(text.substr(0, size));
  }
}

TEST(FuzzSmokeTest, SomeThousandEdits) {
  const auto corpus = Corpus();
  Mutator mutator(corpus);
  for (int round = 0; round < 4000; ++round) Feed(mutator.Next());
}

TEST(FuzzSmokeTest, NothingAndNoise) {
  Feed("");
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string noise(random() % 300, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    Feed(noise);
  }
}

}  // namespace
