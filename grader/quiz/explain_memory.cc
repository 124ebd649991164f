// The arithmetic of the functions of functions_memory.cc. Tested by tests/quiz/explain_test.cc.
#include <fmt/format.h>

#include "grader/quiz/explanations.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

std::string PatternText(const Arguments& a) {
  return fmt::format("lane l starts at byte {} x ({} + {} x {})", ValueText(a.Number("bytes")),
                     ValueText(a.Number("offset")), ValueText(a.Number("stride")),
                     a.Word("order") == "straight" ? "l" : "its place in the order '" + a.Word("order") + "'");
}

// Lanes are served in groups, so that a turn moves at most 128 bytes.
std::string BanksText(const Arguments& a) {
  const int words = a.Whole("bytes") / 4;
  return fmt::format(
      "word w is in bank w % 32; lane l reads {} word(s) from word {} x l on; {} lanes at a time, and each time as "
      "many "
      "turns as the busiest bank has different words",
      words, a.Whole("stride") * words, 32 / words);
}

}  // namespace

std::vector<Explanation> MemoryExplanations() {
  return {
      {"sectors_per_request",
       [](const Arguments& a) { return PatternText(a) + "; the number of different bytes / 32"; }},
      {"lines_per_request",
       [](const Arguments& a) { return PatternText(a) + "; the number of different bytes / 128"; }},
      {"half_warp_transactions",
       [](const Arguments& a) {
         const char* rule = a.Word("capability") == "1.0"
                                ? "1 if lane k takes word k of an aligned segment of 64 bytes, else 16"
                                : "the number of segments of 128 bytes that lanes 0 to 15 touch, in any order";
         return fmt::format("{}; {}", PatternText(a), rule);
       }},
      {"access_efficiency",
       [](const Arguments& a) {
         return fmt::format("{}; bytes of different elements / (32 x the number of sectors)", PatternText(a));
       }},
      {"shared_wavefronts", BanksText},
      {"bank_conflict_degree",
       [](const Arguments& a) { return BanksText(a) + fmt::format("; / {}, the fewest", a.Whole("bytes") / 4); }},
      {"shared_bytes",
       [](const Arguments& a) {
         return fmt::format("{} x the sum of {}", ValueText(a.Number("bytes")), ValueText(a.List("lengths")));
       }},
      {"shared_offset",
       [](const Arguments& a) {
         return fmt::format("{} x the sum of the first {} of {}", ValueText(a.Number("bytes")), a.Whole("array"),
                            ValueText(a.List("lengths")));
       }},
      {"symbol_bytes",
       [](const Arguments& a) {
         return fmt::format("{} elements x {} bytes", ValueText(a.Number("elements")), ValueText(a.Number("bytes")));
       }},
      {"access_problem",
       [](const Arguments& a) {
         return fmt::format("{}: a race needs a write that nothing orders, a conflict two words of one bank",
                            a.Word("access"));
       }},
      {"shared_declaration",
       [](const Arguments& a) {
         return fmt::format("the length is {}; only a length that the compiler knows can be static", a.Word("length"));
       }},
  };
}

}  // namespace warpgrade::quiz
