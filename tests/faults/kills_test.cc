// Grades a right, a wrong and an unwritten rung again and again, and kills one of the processes at a random moment:
// no wrong verdict, no half-written report, and after the next grading nothing is left.
//
// WARPGRADE_FAULTS=200 says how many gradings are disturbed (a short round otherwise), WARPGRADE_FAULTS_SEED=N which
// moments are drawn; the seed is printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include "tests/course/graded.h"
#include "tests/faults/victims.h"

namespace warpgrade::faults {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using Clock = std::chrono::steady_clock;

constexpr char kLab[] = "lab1";
constexpr char kRung[] = "v1_interleaved_modulo";
constexpr int kInterruptedExit = 130, kMachineFailedExit = 3, kKilledExit = 128 + SIGKILL;
constexpr std::chrono::seconds kLongestGoodbye{20};  // of processes whose grader was killed, on a busy machine

struct Disturbance {
  Victim victim;
  int signal;
};
// By turns. Each signal to the grader is a different way to end.
constexpr Disturbance kDisturbances[] = {
    {Victim::kWorker, SIGKILL},     {Victim::kGrader, SIGKILL},  {Victim::kCompiler, SIGKILL},
    {Victim::kRungsJudge, SIGKILL}, {Victim::kGrader, SIGINT},   {Victim::kSupervisor, SIGKILL},
    {Victim::kGrader, SIGTERM},     {Victim::kSandbox, SIGKILL}, {Victim::kGrader, SIGHUP},
    {Victim::kWorker, SIGSTOP},     {Victim::kGrader, SIGKILL},
};
constexpr int kShortRound = std::size(kDisturbances);

int NumberFrom(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

// A class of three and everything that a grading of it may leave behind.
class KillsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);  // what outlives a killed grader comes to us
    HandIn("right", ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")));
    HandIn("wrong", MutantText(kLab, "v1_interleaved_modulo__tail_dropped"));
    HandIn("unwritten", ReadText(SourcePath("starter/lab1/v1_interleaved_modulo.cu")));
    for (const char* name : {"tmp", "cache", "out"}) fs::create_directories(folder_.Path(name));
    mounts_ = ReadText("/proc/self/mountinfo");
  }

  void HandIn(const std::string& student, const std::string& text) {
    folder_.Write("class/" + student + "/" + kLab + "/" + kRung + ".cu", text);
  }

  // Grades the class; `disturb` is called with the grader's number while it runs.
  ProgramResult GradeClass(bool cached, const std::function<void(int pid)>& disturb = nullptr) {
    std::vector<std::string> command = {WARPGRADE_BINARY, "grade", folder_.Path("class")};
    const auto add = [&command](const char* option, const std::string& value) {
      command.insert(command.end(), {option, value});
    };
    add("--device", "emulator");
    add("--lab", kLab);
    add("--rung", kRung);
    add("--course", folder_.Write("course.yaml", Course()));
    add("--json", ReportPath("json"));
    add("--csv", ReportPath("csv"));
    if (!cached) command.push_back("--no-cache");
    return RunProgram(command, {"TMPDIR=" + folder_.Path("tmp"), "XDG_CACHE_HOME=" + folder_.Path("cache")}, disturb);
  }

  std::string ReportPath(const std::string& kind) const { return folder_.Path("out/results." + kind); }

  // The kit's, with little time for a worker: one is stopped and never goes on.
  static std::string Course() {
    std::string text = ReadText(SourcePath("course.yaml"));
    const size_t begin = text.find('{', text.find("\n  run: {"));
    text.replace(begin, text.find('}', begin) + 1 - begin,
                 "{wall: 5s, cpu: 5s, memory: 1024MB, output: 64KB, file: 1MB, instructions: 2e8}");
    return text;
  }

  // Null when no report was written; a half-written one is the test's failure.
  json Report(int exit_code) const {
    const std::string text = ReadText(ReportPath("json"));
    if (text.empty()) {
      EXPECT_FALSE(fs::exists(ReportPath("json"))) << "an empty report";
      return json();
    }
    const json report = json::parse(text, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << "a report was half-written: " << text.substr(0, 200);
    // A grader that is killed between the two has written the first alone.
    if (exit_code == kKilledExit && !fs::exists(ReportPath("csv"))) return report;
    EXPECT_TRUE(ReadText(ReportPath("csv")).ends_with('\n')) << "marks were half-written";
    return report;
  }

  // By student: what became of the rung. Those without a row were not graded.
  std::map<std::string, std::string> Statuses(const json& report) const {
    std::map<std::string, std::string> statuses;
    if (report.is_null()) return statuses;
    for (const json& submission : report.at("submissions")) {
      for (const json& lab : submission.at("labs")) {
        for (const json& rung : lab.at("rungs")) {
          statuses[submission.at("id")] = rung.at("status");
          if (rung.at("status") != Undisturbed().at(submission.at("id"))) told_ += Told(rung);
          if (rung.at("status") != "passed") {
            EXPECT_EQ(rung.at("points"), 0);
          }
        }
      }
    }
    return statuses;
  }

  static const std::map<std::string, std::string>& Undisturbed() {
    static const std::map<std::string, std::string> statuses = {
        {"right", "passed"}, {"wrong", "failed"}, {"unwritten", "not_written"}};
    return statuses;
  }

  // What a grading that was not disturbed must leave and say.
  void ExpectCleanGrading(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Statuses(Report(result.exit_code)), Undisturbed());
    ExpectNothingLeft();
  }

  void ExpectNoProcessLeft() {
    const Clock::time_point deadline = Clock::now() + kLongestGoodbye;
    while (!StillRunning().empty() && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_THAT(StillRunning(), IsEmpty());
  }

  void ExpectNothingLeft() {
    ExpectNoProcessLeft();
    EXPECT_EQ(ReadText("/proc/self/mountinfo"), mounts_);
    EXPECT_THAT(NamesIn("tmp"), IsEmpty());
    for (const std::string& name : NamesIn("cache")) EXPECT_EQ(name.find(".new-"), std::string::npos) << name;
    for (const std::string& name : NamesIn("out")) EXPECT_THAT(name, AnyOf(Eq("results.json"), Eq("results.csv")));
  }

  std::vector<std::string> NamesIn(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.Path(name))) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  void RemoveReports() {
    for (const auto& entry : fs::directory_iterator(folder_.Path("out"))) fs::remove(entry);
  }

  // Rows may be missing, when somebody says so, and one may have ended otherwise, when its student is told why. But
  // nothing is passed that is wrong, and nothing is failed that is right.
  void ExpectHonestVerdicts(const Disturbance& disturbance, const ProgramResult& result) {
    told_.clear();
    const json report = Report(result.exit_code);
    const std::map<std::string, std::string> statuses = Statuses(report);
    int otherwise = 0;
    for (const auto& [student, status] : statuses) {
      if (status == Undisturbed().at(student)) continue;
      ++otherwise;
      EXPECT_THAT(status, AnyOf("crashed", "timeout", "limit")) << student;
    }
    EXPECT_LE(otherwise, 1) << told_;
    if (otherwise > 0) {
      EXPECT_THAT(told_, AnyOf(HasSubstr("killed"), HasSubstr("stopped"))) << result.err;
    }
    if (disturbance.victim == Victim::kWorker && disturbance.signal == SIGKILL) {
      EXPECT_EQ(otherwise, 0) << "it was graded again, alone: " << told_;
    }
    if (disturbance.victim == Victim::kGrader) {
      EXPECT_EQ(otherwise, 0) << told_;
      EXPECT_THAT(result.exit_code, AnyOf(0, kInterruptedExit, 128 + disturbance.signal)) << result.err;
    } else {
      EXPECT_THAT(result.exit_code, AnyOf(0, kMachineFailedExit)) << result.err;
      EXPECT_FALSE(report.is_null()) << result.err;
    }
    if (result.exit_code == 0) {
      EXPECT_EQ(statuses.size(), Undisturbed().size()) << result.err;
    }
    if (result.exit_code == kMachineFailedExit) {
      EXPECT_THAT(result.err, HasSubstr("the machine failed"));
    }
  }

  const TemporaryFolder folder_;
  std::string mounts_;
  mutable std::string told_;  // to those whose row is not as it would have been
};

// Kills one of the victims after `delay`, or the first one that there is later. False: there was none to the end.
bool Strike(const Disturbance& disturbance, pid_t grader, std::chrono::microseconds delay, std::mt19937* random) {
  std::this_thread::sleep_for(delay);
  siginfo_t ended = {};
  while (waitid(P_PID, static_cast<id_t>(grader), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
    const std::vector<pid_t> victims = Find(disturbance.victim, grader);
    if (victims.empty()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const pid_t victim = victims[(*random)() % victims.size()];
    if (kill(victim, disturbance.signal) == 0) return true;
  }
  return false;
}

TEST_F(KillsTest, NoKillGivesAWrongVerdictOrLeavesAnythingBehind) {
  const int gradings = NumberFrom("WARPGRADE_FAULTS", kShortRound);
  const int seed = NumberFrom("WARPGRADE_FAULTS_SEED", static_cast<int>(std::random_device()() % 1'000'000));
  std::cout << "WARPGRADE_FAULTS=" << gradings << " WARPGRADE_FAULTS_SEED=" << seed << "\n";
  std::mt19937 random(static_cast<unsigned>(seed));
  std::map<bool, std::chrono::microseconds> lasts;  // by whether it finds its rungs in the cache
  for (const bool cached : {true, true, false}) {
    const Clock::time_point begin = Clock::now();
    ExpectCleanGrading(GradeClass(cached));
    lasts[cached] = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  }
  ASSERT_FALSE(HasFailure()) << "nothing was killed yet";
  std::map<std::string, int> struck;
  for (int i = 0; i < gradings && !HasFailure(); ++i) {
    const Disturbance& disturbance = kDisturbances[static_cast<size_t>(i) % std::size(kDisturbances)];
    // While they compile, too, now and then.
    const bool cached = disturbance.victim != Victim::kCompiler && random() % 4 != 0;
    const auto delay = std::chrono::microseconds(random() % static_cast<unsigned>(lasts[cached].count()));
    SCOPED_TRACE("grading " + std::to_string(i) + ": signal " + std::to_string(disturbance.signal) + " to the " +
                 NameOf(disturbance.victim) + " after " + std::to_string(delay.count()) + " us, " +
                 (cached ? "cached" : "not cached"));
    RemoveReports();
    bool hit = false;
    const ProgramResult result =
        GradeClass(cached, [&](int pid) { hit = Strike(disturbance, static_cast<pid_t>(pid), delay, &random); });
    if (hit) ++struck[std::string(NameOf(disturbance.victim)) + " " + strsignal(disturbance.signal)];
    ExpectHonestVerdicts(disturbance, result);
    ExpectNoProcessLeft();
    const bool could_clean_up = result.exit_code != 128 + disturbance.signal;
    if (could_clean_up) {
      ExpectNothingLeft();
    } else {
      ExpectCleanGrading(GradeClass(true));  // the next one starts clean, and sees nothing of the one before
    }
  }
  for (const auto& [what, times] : struck) std::cout << "  " << what << ": " << times << "\n";
  EXPECT_FALSE(struck.empty());
}

}  // namespace
}  // namespace warpgrade::faults
