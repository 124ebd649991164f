// libFuzzer target: whatever a student hands in as answers.yaml, every question is marked, none is right that nothing
// was said about, and what is said of it is printable and short.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "grader/quiz/marks.h"
#include "grader/result/result.h"

namespace {

using namespace warpgrade::quiz;

constexpr size_t kLongestMessage = 4000;

const Quiz& TheQuiz() {
  static const Quiz kQuiz = [] {
    const char* const moved = std::getenv("FUZZ_QUIZ_PATH");  // soak.sh runs on a machine without the sources
    auto loaded = LoadQuiz("lab1", moved == nullptr ? FUZZ_QUIZ : moved);
    WARPGRADE_CHECK(loaded.ok());
    return *loaded;
  }();
  return kQuiz;
}

void CheckText(const std::string& text) {
  WARPGRADE_CHECK(!text.empty() && text.size() <= kLongestMessage);
  WARPGRADE_CHECK(std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string sheet(reinterpret_cast<const char*>(data), size);
  static_cast<void>(StudentOf(sheet));
  const Marks marks = MarkSheet(TheQuiz(), Student{"GPU Programming", "2026 autumn", "s1042"}, &sheet, "answers.yaml");
  WARPGRADE_CHECK(marks.marks.size() == TheQuiz().questions.size());
  for (const std::string& message : marks.messages) CheckText(message);
  for (const Mark& mark : marks.marks) {
    if (mark.verdict == Verdict::kWrong || mark.verdict == Verdict::kUnreadable) CheckText(mark.message);
    // It would have to be in the sheet.
    if (mark.verdict == Verdict::kRight) WARPGRADE_CHECK(sheet.find(':') != std::string::npos);
  }
  static_cast<void>(MeasurementOf(marks));
  return 0;
}
