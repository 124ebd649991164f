// A kit executable of the tests' own: what `warpgrade judge-rung` is, with the toy lab, and with one that breaks the
// judge itself.
#include <cstdlib>
#include <cstring>

#include "grader/judge/judge.h"
#include "tests/judge/toy_lab.h"

namespace {

using warpgrade::judge::Lab;

class BreakingLab : public warpgrade::judge::ToyLab {
 public:
  std::vector<warpgrade::judge::Case> Cases(std::string_view, warpgrade::judge::CaseSet,
                                            warpgrade::judge::Random&) const override {
    WARPGRADE_CHECK(false);
    std::abort();
  }
};

const Lab* FindLab(std::string_view name) {
  static const BreakingLab breaking;
  return std::getenv("BREAK_THE_JUDGE") != nullptr ? &breaking : warpgrade::judge::FindToyLab(name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], warpgrade::judge::kJudgeRungCommand) != 0) return 2;
  return warpgrade::judge::JudgeRungMain(FindLab);
}
