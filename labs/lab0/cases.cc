// The table that generate_cases.cmake made of cases.yaml.
#include "labs/lab0/cases.h"

namespace lab0 {
namespace {

constexpr Problem kRows[] = {
#define LAB0_CASE(task, first, second, pattern) {task, first, second, pattern},
#include "lab0_cases.inc"
#undef LAB0_CASE
};

}  // namespace

Task TaskOf(std::string_view rung) {
  if (rung == "v2_image") return kImage;
  if (rung == "v5_streams") return kStreams;
  if (rung == "v6_shared_arrays") return kLinks;
  if (rung == "v7_configuration") return kClasses;
  return kVectorAdd;
}

std::vector<Problem> PublicCases(Task task) {
  std::vector<Problem> problems;
  for (const Problem& row : kRows) {
    if (row.task != task) continue;
    problems.push_back(row);
    if (row.pattern == kNoRoom) problems.back().first = kTooLarge;
  }
  return problems;
}

std::string Name(const Problem& p) {
  const std::string first = std::to_string(p.first), second = std::to_string(p.second);
  if (p.pattern == kNoRoom) return "n = 2^58, which no device has room for";
  std::string name = "n = " + first;
  switch (p.task) {
    case kVectorAdd:
      break;
    case kImage:
      name = first + " x " + second + " pixels";
      break;
    case kStreams:
      name += ", " + second + (p.second == 1 ? " stream" : " streams");
      break;
    case kLinks:
      name += " in segments of " + second;
      break;
    case kClasses:
      name += ", " + second + (p.second == 1 ? " class" : " classes");
      break;
  }
  if (p.pattern == kSpoiled) name += ", with NaN and infinities";
  if (p.pattern == kSecondFails) name += ", and the second allocation fails";
  if (p.pattern == kThirdFails) name += ", and the third allocation fails";
  return name;
}

}  // namespace lab0
