// One table has the hints for second conditions: a metric, whether its value is too large or too small, and a sentence.
// Tests: tests/cli/limit_hints_test.cc.
#include "grader/cli/limit_hints.h"

#include <algorithm>

namespace warpgrade::cli {
namespace {

enum class Side { kTooMuch, kTooLittle };

struct ConditionHint {
  std::string_view metric;
  Side side;
  std::string_view hint;
};

constexpr std::string_view kTooMuchShared =
    "Shared memory is used more than this exercise needs. Which threads must work in each step, and does your "
    "condition let exactly these work?";
constexpr std::string_view kTooLittleShared =
    "Shared memory is used less than the technique of this rung does. Do all elements go through it?";

constexpr ConditionHint kConditionHints[] = {
    {"shared_wavefronts", Side::kTooMuch, kTooMuchShared},
    {"shared_requests_per_warp", Side::kTooMuch, kTooMuchShared},
    {"shared_wavefronts", Side::kTooLittle, kTooLittleShared},
    {"shared_requests_per_warp", Side::kTooLittle, kTooLittleShared},
    {"shared_atomics", Side::kTooMuch,
     "Atomics on shared memory do work here that this rung does without them. Which thread could do each of these "
     "writes alone?"},
    {"atomics", Side::kTooMuch,
     "There are more atomics on global memory than this rung needs. What can a block combine first, so that one atomic "
     "is enough?"},
    {"warp_instructions", Side::kTooMuch,
     "The kernels execute more instructions than this exercise needs. Are there blocks, threads or turns of a loop "
     "whose results nobody uses? Compare the number of blocks with the number of elements that one block takes."},
    {"warps_at_work", Side::kTooLittle,
     "A few warps do most of the work, and the others nearly nothing. Does every block have elements of its own? "
     "Compare the number of blocks with the number of elements that one block takes."},
    {"threads", Side::kTooMuch,
     "There are more threads than this rung needs. Compare the number of blocks with the number of elements that one "
     "block takes."},
    {"threads", Side::kTooLittle,
     "There are fewer threads than this rung needs to keep the GPU busy. Is the grid large enough for the input?"},
    {"elements_per_thread", Side::kTooMuch,
     "Each thread takes more elements than in this rung. Then there are too few threads to keep the GPU busy."},
    {"global_bytes_per_element", Side::kTooMuch,
     "More bytes move to and from global memory than this exercise needs. Is each element loaded once, and each result "
     "stored once? Are the lanes of a warp neighbours in memory?"},
    {"global_load_bytes", Side::kTooMuch,
     "Threads load more bytes from global memory than this exercise needs. Which element is loaded more than once?"},
    {"global_store_bytes", Side::kTooMuch,
     "Threads store more bytes to global memory than this exercise needs. Which element is stored more than once?"},
    {"global_load_efficiency", Side::kTooLittle,
     "Most of the bytes that loads move are not used. Are the lanes of a warp neighbours in memory?"},
    {"global_store_efficiency", Side::kTooLittle,
     "Most of the bytes that stores move are not written. Are the lanes of a warp neighbours in memory?"},
    {"barriers_per_block", Side::kTooMuch,
     "There are more barriers than this rung needs. Between which two steps does one thread read what another one has "
     "written?"},
    {"kernel_launches", Side::kTooMuch, "There are more launches than this rung needs. Which of them could be one?"},
    {"divergent_branches_per_warp", Side::kTooMuch,
     "Lanes of one warp go different ways more often than in this rung. Can the threads that work be neighbours?"},
    {"host_to_device_bytes", Side::kTooMuch,
     "More bytes are copied to the device than this rung allows. Which copy does the technique of this rung avoid?"},
    {"device_to_host_bytes", Side::kTooMuch,
     "More bytes are copied to the host than this rung allows. Which copy does the technique of this rung avoid?"},
};

constexpr std::string_view kAnyCondition =
    "A limit may have a second condition (\"with ...\" above). It does not hold if the first number is good only "
    "because of useless work, or because the kernel does not use the technique of this rung. What does your call do "
    "that the exercise does not need, and what does it leave out?";

std::string HintForCondition(const score::BoundsResult& condition) {
  const Side side = condition.is_above ? Side::kTooMuch : Side::kTooLittle;
  for (const ConditionHint& row : kConditionHints) {
    if (row.metric == condition.metric && row.side == side) return std::string(row.hint);
  }
  return std::string(kAnyCondition);
}

}  // namespace

std::vector<std::string> LimitHints(const score::RungScore& rung,
                                    const std::function<std::string(std::string_view)>& hint_of_lab) {
  std::vector<std::string> hints;
  const auto add = [&](const std::string& text) {
    if (!text.empty() && std::find(hints.begin(), hints.end(), text) == hints.end()) hints.push_back(text);
  };
  const auto add_line = [&](const std::string& metric) {
    const auto where = rung.measurement.metric_lines.find(metric);
    if (where != rung.measurement.metric_lines.end()) add(where->second);
  };
  for (const score::TechniqueResult& limit : rung.technique) {
    if (limit.passed || !limit.value) continue;
    if (!limit.value_holds) {
      add_line(limit.metric);
      add(hint_of_lab(limit.metric));
      continue;
    }
    for (const score::BoundsResult& condition : limit.provided) {
      if (condition.passed || !condition.value) continue;
      add_line(condition.metric);
      add(HintForCondition(condition));
    }
  }
  return hints;
}

}  // namespace warpgrade::cli
