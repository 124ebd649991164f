// Compares an answer with the reference and says in words how they differ. If a known mistake (a row that is cut off,
// say) gives the wrong sums, the message names it. It also says how long the wrong rows are.
// Tested by tests/course/lab9/lab9_judge_test.cc.
#include "labs/lab9/explain.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "labs/lab9/cases.h"
#include "labs/lab9/reference.h"

namespace lab9 {
namespace {

constexpr size_t kSamples = 9;        // wrong rows that an explanation has to fit
constexpr size_t kFewestSamples = 4;  // the sums are small, so a mistake fits fewer rows by chance

bool IsPoison(float element) {
  unsigned char bytes[sizeof(element)];
  std::memcpy(bytes, &element, sizeof(element));
  return std::all_of(bytes, bytes + sizeof(bytes), [](unsigned char byte) { return byte == kPoisonByte; });
}

float Poison() {
  float value;
  std::memset(&value, kPoisonByte, sizeof(value));
  return value;
}

struct Answer {
  const Problem& p;
  const Inputs& inputs;
  const float* y;
  size_t wrong_rows;
  std::vector<size_t> samples;  // of the wrong rows: the first, the last, and some in between

  int Begin(size_t row) const { return inputs.offsets[row]; }
  int End(size_t row) const { return inputs.offsets[row + 1]; }
  int Length(size_t row) const { return End(row) - Begin(row); }

  // The sum of the nonzeros begin ... end - 1, as far as they exist.
  double Sum(int begin, int end) const {
    double sum = 0;
    for (int k = std::max(begin, 0); k < std::min(end, static_cast<int>(p.nonzeros)); ++k) {
      sum += static_cast<double>(inputs.values[k]) * static_cast<double>(inputs.x[inputs.columns[k]]);
    }
    return sum;
  }
  // Whether rule(row) gives what the student has, in every sample.
  template <typename Rule>
  bool Is(const Rule& rule) const {
    return std::all_of(samples.begin(), samples.end(),
                       [&](size_t row) { return static_cast<float>(rule(row)) == y[row]; });
  }
};

// Sums in which d_x was read elsewhere, or not at all.
std::string OtherElements(const Answer& a) {
  const auto sum = [&](size_t row, const auto& factor) {
    double sum = 0;
    for (int k = a.Begin(row); k < a.End(row); ++k) sum += static_cast<double>(a.inputs.values[k]) * factor(row, k);
    return sum;
  };
  if (a.Is([&](size_t row) { return sum(row, [](size_t, int) { return 1.0; }); })) {
    return ": as if the values had been added without d_x";
  }
  const auto at = [&](size_t index) { return index < a.p.columns ? static_cast<double>(a.inputs.x[index]) : 0.0; };
  if (a.Is([&](size_t row) { return sum(row, [&](size_t r, int) { return at(r); }); })) {
    return ": as if d_x had been read at the number of the row, not of the column";
  }
  if (a.Is([&](size_t row) {
        return sum(row, [&](size_t r, int k) { return at(static_cast<size_t>(k - a.Begin(r))); });
      })) {
    return ": as if d_x had been read in order, not at d_columns";
  }
  return "";
}

// The mistake that gives the wrong sums. Only for exact sums, since other sums could be near by chance.
std::string Likeness(const Answer& a) {
  if (a.p.values != kExact) return "";
  if (a.Is([&](size_t row) { return static_cast<double>(Poison()) + a.Sum(a.Begin(row), a.End(row)); })) {
    return ": as if the sums had been added to what d_y held before";
  }
  if (a.wrong_rows < kFewestSamples) return "";
  if (a.Is([](size_t) { return 0.0; })) return ": as if nothing had been added";
  for (int lanes = 1; lanes <= 4096; lanes *= 2) {
    if (a.Is([&](size_t row) { return a.Sum(a.Begin(row), std::min(a.Begin(row) + lanes, a.End(row))); })) {
      return lanes == 1 ? ": as if only the first nonzero of a row had been added"
                        : ": as if only the first " + std::to_string(lanes) + " nonzeros of a row had been added";
    }
    // What one lane of `lanes` adds up.
    if (lanes > 1 && a.Is([&](size_t row) {
          double sum = 0;
          for (int k = a.Begin(row); k < a.End(row); k += lanes) sum += a.Sum(k, k + 1);
          return sum;
        })) {
      return ": as if only every " + std::to_string(lanes) + (lanes == 2 || lanes == 32 ? "nd" : "th") +
             " nonzero of a row had been added: what one of " + std::to_string(lanes) + " lanes has";
    }
  }
  if (a.Is([&](size_t row) { return a.Sum(a.Begin(row), a.End(row) - 1); })) {
    return ": as if the last nonzero of a row had been left out";
  }
  if (a.Is([&](size_t row) { return a.Sum(a.Begin(row), a.End(row) + 1); })) {
    return ": as if the row had gone on to the first nonzero of the next one";
  }
  return OtherElements(a);
}

// How long the wrong rows are.
std::string WrongLengths(const Answer& a, const Difference& d) {
  int shortest = a.Length(d.wrong.front()), longest = shortest;
  for (const size_t row : d.wrong) {
    shortest = std::min(shortest, a.Length(row));
    longest = std::max(longest, a.Length(row));
  }
  const auto nonzeros = [](int n) { return std::to_string(n) + (n == 1 ? " nonzero" : " nonzeros"); };
  const bool right_before = d.wrong.front() > 0 && d.count == a.p.rows - d.wrong.front();
  if (a.p.nonzeros == 0 && right_before) {
    return " Only the rows before it are right: are there enough blocks for all rows?";
  }
  if (longest == 0) return d.count == 1 ? " The row is empty." : " All of these rows are empty.";
  if (d.count == 1) return " The row has " + nonzeros(longest) + ".";
  if (shortest == longest) return " Each of them has " + nonzeros(longest) + ".";
  return " They have " + std::to_string(shortest) + " to " + nonzeros(longest) + ".";
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.count == 1) return " (the only wrong row)";
  const std::string of = " (first of " + std::to_string(d.count) + " wrong rows";
  return of + (d.count == p.rows ? ", which are all)" : ")");
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const Inputs& inputs, const float* y) {
  const Difference d = Compare(p, inputs, y);
  if (d.count == 0) return std::nullopt;
  Answer a = {.p = p, .inputs = inputs, .y = y, .wrong_rows = d.count, .samples = {}};
  for (size_t i = 0; i < kSamples; ++i) a.samples.push_back(d.wrong[i * (d.wrong.size() - 1) / (kSamples - 1)]);
  const size_t first = d.wrong.front();
  const bool never_written = IsPoison(y[first]);

  Explanation e;
  e.index = first;
  e.count = d.count;
  const std::string likeness = Likeness(a);
  // A sum that was added to the poison may leave it as it was.
  const bool is_sum = likeness.find("held before") != std::string::npos &&
                      !std::all_of(a.samples.begin(), a.samples.end(), [&](size_t row) { return IsPoison(y[row]); });
  e.got = never_written && !is_sum ? "never written" : lab::Print(static_cast<double>(y[first]));
  e.want = lab::Print(SumOf(inputs, first).sum);
  e.message = Name(p) + ": d_y[" + std::to_string(first) + "]" +
              (never_written && !is_sum ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(p, d);
  if (!never_written || is_sum) e.message += likeness;
  e.message += ".";
  e.message += WrongLengths(a, d);
  return e;
}

}  // namespace lab9
