// A kit executable of the tests' own: what `warpgrade judge-rung` is, with the toy lab, and with ones that break or
// fill the judge itself.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "grader/judge/judge.h"
#include "tests/judge/toy_lab.h"

namespace {

using warpgrade::Lab;

class BreakingLab : public warpgrade::judge::ToyLab {
 public:
  std::vector<warpgrade::Case> Cases(std::string_view, warpgrade::CaseSet, warpgrade::Random&) const override {
    WARPGRADE_CHECK(false);
    std::abort();
  }
};

// As a kernel that is launched without end would: the judge holds a record of each.
class FillingLab : public warpgrade::judge::ToyLab {
 public:
  std::vector<warpgrade::Case> Cases(std::string_view, warpgrade::CaseSet, warpgrade::Random&) const override {
    constexpr size_t kStep = size_t{8} << 20, kMost = size_t{4} << 30;
    std::vector<std::string> held;
    for (size_t bytes = 0; bytes < kMost; bytes += kStep) {
      held.emplace_back(kStep, 'x');
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the limit is sampled
    }
    return {};
  }
};

const Lab* FindLab(const std::string& name, const std::string& source) {
  static const BreakingLab breaking;
  static const FillingLab filling;
  if (std::getenv("BREAK_THE_JUDGE") != nullptr) return &breaking;
  if (std::getenv("FILL_THE_JUDGE") != nullptr) return &filling;
  return warpgrade::judge::FindToyLab(name, source);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], warpgrade::judge::kJudgeRungCommand) != 0) return 2;
  return warpgrade::judge::JudgeRungMain(FindLab);
}
