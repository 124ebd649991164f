// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab8/cases.h"

namespace lab8 {

std::vector<Problem> PublicCases(std::string_view rung) {
#define LAB8_CASE(task_, first_, second_) {.task = task_, .first = first_, .second = second_},
  const Problem all[] = {
#include "lab8_cases.inc"
  };
#undef LAB8_CASE
  std::vector<Problem> problems;
  for (const Problem& p : all) {
    if (p.task == TaskOf(rung)) problems.push_back(p);
  }
  problems.push_back({.task = kName, .first = static_cast<size_t>(NumberOf(rung))});
  return problems;
}

int NumberOf(std::string_view rung) { return rung.size() > 1 && rung[1] >= '1' && rung[1] <= '9' ? rung[1] - '0' : 0; }

Task TaskOf(std::string_view rung) {
  switch (NumberOf(rung)) {
    case 6:
      return kTotal;
    case 8:
      return kTranspose;
    case 9:
      return kNeurons;
    default:
      return kBlockSums;
  }
}

std::string Name(const Problem& p) {
  const std::string first = std::to_string(p.first), second = std::to_string(p.second);
  switch (p.task) {
    case kBlockSums:
      return "n = " + first + ", " + second + " threads";
    case kTotal:
      return "n = " + first;
    case kTranspose:
      return first + " x " + second;
    case kNeurons:
      return first + (p.first == 1 ? " neuron" : " neurons");
    case kName:
      break;
  }
  return "the name of the fault";
}

}  // namespace lab8
