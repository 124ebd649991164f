// Runs the tests of one rung with GoogleTest. "Not written yet" is told from wrong by the text of a skip, and the first
// kernel that takes the device down skips all tests after it. Tested by tests/course/lab0 (Lab0StarterTest) and by
// building and running labs as students do.
#include "labs/support/rung_tests.h"

#include <cstdio>
#include <optional>

#include "labs/not_written.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"
#include "labs/support/rung_name.h"
#include "labs/support/test_arrays.h"

namespace lab {
namespace {

constexpr char kNotWritten[] = "not written yet";
constexpr int kExitNotWritten = 77;  // what ctest takes as "skipped"

// Of this program; set up by RunRungTests.
struct Program {
  RungTests tests;
  std::string rung;
  std::optional<EmulatorFindings> findings;
  std::string device_lost_in;  // the case after which the device refused to go on
};

Program& ThisProgram() {
  static Program program;
  return program;
}

bool SaidNotWritten(const testing::TestInfo& test) {
  const testing::TestResult& result = *test.result();
  for (int part = 0; part < result.total_part_count(); ++part) {
    const testing::TestPartResult& p = result.GetTestPartResult(part);
    if (p.skipped() && std::string(p.message()).find(kNotWritten) != std::string::npos) return true;
  }
  return false;
}

// True when there were tests and each of them said so.
bool NothingIsWritten() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  int said = 0;
  for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
    for (int i = 0; i < all.GetTestSuite(suite)->total_test_count(); ++i) {
      const testing::TestInfo& test = *all.GetTestSuite(suite)->GetTestInfo(i);
      if (!test.should_run()) continue;
      if (!SaidNotWritten(test)) return false;
      ++said;
    }
  }
  return said > 0;
}

}  // namespace

const std::string& Rung() { return ThisProgram().rung; }

std::string WithHint(const std::string& message) {
  const std::string hint = ThisProgram().tests.hint(Rung(), "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

std::string InFull(const Explanation& wrong) {
  return WithHint(wrong.message) + "\nindex: " + std::to_string(wrong.index) + "\ngot:   " + wrong.got +
         "\nwant:  " + wrong.want;
}

void RungTest::SetUp() {
  const std::string& lost_in = ThisProgram().device_lost_in;
  if (!lost_in.empty()) GTEST_SKIP() << "not run: the device went down in " << lost_in;
  Require(cudaStreamCreate(&stream_), "cudaStreamCreate");
}

void RungTest::TearDown() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
  Program& program = ThisProgram();
  if (program.findings->CountNew() == 0 || HasFailure()) return;
  ADD_FAILURE() << WithHint(CaseName() + ": the " + program.tests.answers +
                            " are right this time, but the emulator saw the " + program.tests.culprit +
                            " do something wrong; see its report above.");
}

bool RungTest::IsWritten(const std::function<void()>& call) {
  try {
    call();
  } catch (const NotWrittenYet&) {
    [] { GTEST_SKIP() << kNotWritten; }();  // GTEST_SKIP returns nothing, so it needs a function that does too
    return false;
  }
  return true;
}

bool RungTest::DeviceGoesOn(const std::string& name, cudaError_t at_end) {
  if (at_end == cudaSuccess) return true;
  ThisProgram().device_lost_in = name;
  ADD_FAILURE() << WithHint(name + ": the kernel stopped: " + cudaGetErrorString(at_end));
  return false;
}

bool RungTest::RunAndWait(const std::string& name, const std::function<void()>& call) {
  if (!IsWritten(call)) return false;
  const cudaError_t at_launch = cudaGetLastError();
  // Asked first, since the emulator, which runs a kernel at its launch, has told of a kernel that stopped there
  // already.
  if (!DeviceGoesOn(name, cudaStreamSynchronize(stream_))) return false;
  if (at_launch != cudaSuccess) {
    ADD_FAILURE() << name << ": the launch was refused: " << cudaGetErrorString(at_launch) << ". "
                  << ThisProgram().tests.launch_limits;
    return false;
  }
  return true;
}

int RunRungTests(const RungTests& tests, int argc, char** argv) {
  Program& program = ThisProgram();
  program.tests = tests;
  program.rung = RungOfProgram(argv[0]);  // before InitGoogleTest, which lists the cases of this rung
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  const std::string mistake = tests.mistake != nullptr && !Rung().empty() ? tests.mistake(Rung()) : "";
  if (!mistake.empty()) {
    std::fprintf(stderr, "%s %s: %s\n", tests.lab, Rung().c_str(), mistake.c_str());
    return 1;
  }
  if (tests.has_workspace) FillNewMemoryWithPoison();
  program.findings.emplace();  // both before the first CUDA call, which starts the emulator
  const std::string device_name = DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "%s: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n",
                 tests.lab);
    return 1;
  }
  std::printf("%s %s on: %s\n", tests.lab, Rung().c_str(), device_name.c_str());
  if (tests.register_more != nullptr) tests.register_more();

  if (RUN_ALL_TESTS() != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("%s %s: %s\n", tests.lab, Rung().c_str(), kNotWritten);
    return kExitNotWritten;
  }
  return 0;
}

}  // namespace lab
