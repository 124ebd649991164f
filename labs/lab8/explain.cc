// Compares an answer with the reference and says in words how they differ. For sums it also says whether a half of each
// block seems to be missing. Tested by tests/course/lab8/lab8_judge_test.cc.
#include "labs/lab8/explain.h"

#include <cstring>
#include <string>
#include <vector>

#include "labs/lab8/cases.h"
#include "labs/lab8/reference.h"

namespace lab8 {
namespace {

bool IsPoison(int element) {
  int poison;
  std::memset(&poison, kPoisonByte, sizeof(poison));
  return element == poison;
}

const char* OutputName(Task task, int output) {
  if (task != kNeurons) return "d_out";
  return output == 0 ? "d_next" : "d_quiet";
}

// "d_out[70]", "d_out[70] (row 2, column 4)".
std::string NameOf(const Problem& p, int output, size_t index) {
  std::string name = std::string(OutputName(p.task, output)) + "[" + std::to_string(index) + "]";
  if (p.task != kTranspose) return name;
  return name + " (row " + std::to_string(index / p.first) + ", column " + std::to_string(index % p.first) + ")";
}

// Block sums without the elements of the upper half of each block's threads.
std::vector<int> LowerHalves(const Problem& p, const int* in) {
  std::vector<int> sums(p.Parts());
  for (size_t i = 0; i < p.first; ++i) {
    if (i % p.second < p.second / 2) sums[i / (2 * p.second)] += in[i];
  }
  return sums;
}

std::string Likeness(const Problem& p, const int* in, const int* got) {
  if (p.task != kBlockSums) return "";
  const std::vector<int> halves = LowerHalves(p, in);
  for (size_t b = 0; b < halves.size(); ++b) {
    if (got[b] != halves[b]) return "";
  }
  return ": as if the threads of the upper half of each block had been left out";
}

std::string HowMany(size_t count, size_t of) {
  if (count == 1) return of == 1 ? "" : " (the only wrong one)";
  return " (first of " + std::to_string(count) + (count == of ? ", which is all of them)" : ")");
}

std::optional<Explanation> ExplainArray(const Problem& p, std::array<const int*, kArrays> inputs, int output,
                                        const int* out) {
  const std::vector<int> want = Answer(p, inputs, output);
  Explanation e;
  for (size_t i = want.size(); i-- > 0;) {
    if (out[i] == want[i]) continue;
    ++e.count;
    e.index = i;
  }
  if (e.count == 0) return std::nullopt;
  const bool never_written = IsPoison(out[e.index]);
  e.got = never_written ? "never written" : std::to_string(out[e.index]);
  e.want = std::to_string(want[e.index]);
  e.message = Name(p) + ": " + NameOf(p, output, e.index) +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) +
              HowMany(e.count, want.size());
  if (!never_written) e.message += Likeness(p, inputs[0], out);
  e.message += ".";
  return e;
}

bool IsLetter(int letter) { return letter >= 'A' && letter <= 'H'; }

// The answer as the student wrote it; nothing of it is believed.
std::string Written(const int* fault) {
  const auto letter = [](int c) { return IsLetter(c) ? std::string(1, static_cast<char>(c)) : std::string("?"); };
  const bool is_kind = fault[0] > kNotNamed && fault[0] < kKindCount;
  return std::string(is_kind ? kKindNames[fault[0]] : "?") + ", '" + letter(fault[1]) + "', '" + letter(fault[2]) + "'";
}

std::optional<Explanation> ExplainName(const Problem& p, const int* fault) {
  const Fault want = FaultOf(static_cast<int>(p.first));
  if (fault[0] == want.kind && fault[1] == want.first && fault[2] == want.second) return std::nullopt;
  Explanation e;
  const std::string begin = Name(p) + " is ";
  if (fault[0] == kNotNamed) {
    e.got = "not written yet";
    e.want = "its kind and two lines";
    e.message = begin + e.got + ": LAB8_FAULT, near the end of the file, wants " + e.want + ".";
    return e;
  }
  e.got = Written(fault);
  e.want = "another kind or other lines";
  e.message = begin + e.got + " in LAB8_FAULT, but " + e.want + " are right. lab8.h explains them.";
  return e;
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, std::array<const int*, kArrays> inputs,
                                   std::array<const int*, kArrays> outputs) {
  if (p.task == kName) return ExplainName(p, outputs[0]);
  for (int output = 0; output < OutputCount(p.task); ++output) {
    const int* const out = outputs[static_cast<size_t>(output)];
    if (auto wrong = ExplainArray(p, inputs, output, out)) return wrong;
  }
  return std::nullopt;
}

}  // namespace lab8
