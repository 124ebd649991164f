// What atomic functions return and leave, run on the emulator. Tested by tests/study/study_test.cc.
#include <fmt/format.h>

#include <array>

#include "grader/study/bench.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

constexpr int kBefore = 12, kOperand = 10;
constexpr int kLimit = 10, kCallsOfWrap = 32;

struct Atomic {
  const char* name;
  const char* kernel;
};
constexpr std::array<Atomic, 11> kAtomics = {{{"atomicAdd(p, 10)", "atomic_add"},
                                              {"atomicSub(p, 10)", "atomic_sub"},
                                              {"atomicExch(p, 10)", "atomic_exch"},
                                              {"atomicMin(p, 10)", "atomic_min"},
                                              {"atomicMax(p, 10)", "atomic_max"},
                                              {"atomicInc(p, 10)", "atomic_inc"},
                                              {"atomicDec(p, 10)", "atomic_dec"},
                                              {"atomicCAS(p, 12, 10)", "atomic_cas"},
                                              {"atomicAnd(p, 10)", "atomic_and"},
                                              {"atomicOr(p, 10)", "atomic_or"},
                                              {"atomicXor(p, 10)", "atomic_xor"}}};

struct Called {
  int returned = 0, left = 0;
};

// What one thread gets and leaves.
Result<Called> CallOnce(Bench& bench, const char* kernel, int before, int operand) {
  const Result<uint64_t> operands = bench.Array({operand}, "operand"), at = bench.Array({before}, "p");
  if (!operands) return operands.error();
  if (!at) return at.error();
  const Result<uint64_t> old = bench.Zeros(sizeof(int), "old");
  if (!old) return old.error();
  if (const auto observed = bench.Run(kernel, 1, {*operands, *at, *old}); !observed) return observed.error();
  const Result<std::vector<int>> returned = bench.Content(*old, 1), left = bench.Content(*at, 1);
  if (!returned) return returned.error();
  if (!left) return left.error();
  return Called{returned->at(0), left->at(0)};
}

// The values at p, call by call.
Result<plot::Series> Walk(Bench& bench, const char* name, const char* kernel) {
  plot::Series series{.name = name};
  int value = 0;
  for (int call = 1; call <= kCallsOfWrap; ++call) {
    const Result<Called> called = CallOnce(bench, kernel, value, kLimit);
    if (!called) return called.error();
    value = called->left;
    series.points.push_back(plot::Exact(call, value));
  }
  return series;
}

}  // namespace

Result<plot::Plot> StudyAtomics() {
  Bench bench;
  plot::Plot plot = BeginPlot("Atomic functions: what they return and what they leave", "one thread; unsigned numbers");
  plot::Chart all{.id = "functions",
                  .title = fmt::format("*p is {} before the call", kBefore),
                  .x = {"call"},
                  .y = {"value"},
                  .series = {{"returns"}, {"leaves at p"}}};
  bool all_return_before = true;
  for (const Atomic& atomic : kAtomics) {
    const Result<Called> called = CallOnce(bench, atomic.kernel, kBefore, kOperand);
    if (!called) return called.error();
    const double x = static_cast<double>(all.categories.size());
    all.categories.emplace_back(atomic.name);
    all.series[0].points.push_back(plot::Exact(x, called->returned));
    all.series[1].points.push_back(plot::Exact(x, called->left));
    all_return_before &= called->returned == kBefore;
  }
  if (all_return_before) all.sentences.emplace_back("All of them return the value before the call.");
  all.sentences.emplace_back(
      "atomicCAS(p, expected, value) stores only where it finds what was expected. In a loop it makes any other atomic "
      "function.");
  plot::Chart wrap{.id = "wrap",
                   .title = fmt::format("Calls with the limit {}, one after the other; *p is 0 at first", kLimit),
                   .x = {"calls"},
                   .y = {"value at p"}};
  for (const auto& [name, kernel] : {std::pair("atomicInc", "atomic_inc"), std::pair("atomicDec", "atomic_dec")}) {
    const Result<plot::Series> series = Walk(bench, name, kernel);
    if (!series) return series.error();
    wrap.series.push_back(*series);
  }
  wrap.sentences = {
      fmt::format("atomicInc counts up to the limit, and then wraps to 0: it repeats after {} calls. "
                  "atomicDec counts down to 0, and then wraps to the limit.",
                  kLimit + 1)};
  plot.charts = {all, wrap};
  return plot;
}

}  // namespace warpgrade::study
