// `warpgrade autograde`: grades the one submission for which a platform has started a container or a workflow. Whatever
// happens, the platform's file says what: points, or that there are none and why. The scripts that
// `warpgrade autograder` writes call it; it is not for people. Tests: tests/autograder/run_autograder_test.cc.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/container_memory.h"
#include "grader/cli/edition.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/report_output.h"
#include "grader/report/could_not_grade.h"
#include "grader/report/file.h"
#include "grader/report/formats.h"
#include "grader/report/github_classroom.h"
#include "grader/report/gradescope.h"
#include "grader/roster/roster.h"
#include "grader/roster/upload.h"
#include "grader/sandbox/confinement.h"

namespace warpgrade::cli {
namespace {

struct AutogradeOptions {
  std::string submission, lab, metadata, github_name, roster, gradescope, classroom;
  int minutes = 10;
};

// The grader itself and the emulated GPU's memory need about this much beside a compiler or a program.
constexpr int64_t kOwnMemoryMb = 256;
constexpr int64_t kLeastMemoryMb = 256;  // nvcc needs it

// Before the platform ends us: there must be time to write the file.
constexpr std::chrono::seconds kReserve(30);

// Sets a flag when the time is up, or when this process is asked to end.
class Deadline {
 public:
  explicit Deadline(std::chrono::seconds time)
      : thread_([this, end = std::chrono::steady_clock::now() + time](const std::stop_token& stop) {
          const std::atomic<bool>& interrupted = CatchInterrupts();
          while (!stop.stop_requested() && !reached_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            if (interrupted || std::chrono::steady_clock::now() > end) reached_ = true;
          }
        }) {}
  const std::atomic<bool>& reached() const { return reached_; }

 private:
  std::atomic<bool> reached_ = false;
  std::jthread thread_;
};

Status WriteFailure(const AutogradeOptions& options, const std::string& why) {
  if (!options.gradescope.empty()) return report::WriteFile(options.gradescope, report::GradescopeFailure(why));
  return report::WriteFile(options.classroom, report::ClassroomFailure(options.lab, why));
}

// Whose submission it is; what the people who grade should know goes to standard output.
Result<std::string> Submitter(const AutogradeOptions& options) {
  std::vector<roster::Student> students;
  if (!options.roster.empty()) {
    auto read = roster::ReadRoster(options.roster);
    if (!read) return read.error();
    students = std::move(*read);
  }
  if (options.metadata.empty()) return roster::IdOfGithubName(options.github_name, students);
  const auto upload = roster::ReadUpload(options.metadata);
  if (!upload) return upload.error();
  if (upload->emails.size() > 1) {
    fmt::print("A group of {} students handed this in. The quiz is marked with the numbers of one of them.\n",
               upload->emails.size());
  }
  return roster::IdOfEmails(upload->emails, students);
}

// Says if the assignment on Gradescope has other points than the lab.
void CompareTotal(const AutogradeOptions& options, const score::GradingReport& report) {
  if (options.metadata.empty() || report.submissions.size() != 1) return;
  const auto upload = roster::ReadUpload(options.metadata);
  const double most = report.submissions[0].max_points.ToDouble();
  if (!upload || !upload->total_points || *upload->total_points == most) return;
  fmt::print("The assignment has {} points on Gradescope, and {} has {} points in course.yaml.\n",
             *upload->total_points, options.lab, most);
}

// Bubblewrap where it works. Most containers allow no namespaces, so it does not work there.
Result<Sandbox> ChooseSandbox() {
  const Status bubblewrap = sandbox::CheckConfinement();
  if (bubblewrap.ok()) return Sandbox::kBubblewrap;
  const Status user = sandbox::CheckOtherUser();
  if (user.ok()) {
    std::puts("This machine allows no namespaces, so that programs run as another user instead of in bubblewrap.");
    return Sandbox::kUser;
  }
  return Error{ErrorKind::kMachine, fmt::format("there is no sandbox in which the program could run. {}. {}",
                                                bubblewrap.error().message, user.error().message)};
}

SessionOptions SessionFor(const AutogradeOptions& options, const std::string& student, Sandbox sandbox,
                          const Deadline& deadline) {
  SessionOptions session;
  session.paths = {options.submission};
  session.as_student = student;
  session.labs = {options.lab};
  session.device = Device::kEmulator;
  session.parts.hidden_cases = !ThisEdition().for_students;
  session.sandbox = sandbox;
  session.use_cache = false;
  session.cancel = &deadline.reached();
  if (const int64_t memory = ContainerMemoryMb(); memory > 0) {
    session.most_memory_mb = std::max(kLeastMemoryMb, memory - kOwnMemoryMb);
  }
  return session;
}

// Each platform gets what it may see (report::Format::reader).
Status Write(const AutogradeOptions& options, const score::GradingReport& report) {
  const bool is_gradescope = !options.gradescope.empty();
  const std::string flag = is_gradescope ? report::kGradescopeFlag : report::kClassroomFlag;
  for (const report::Format& format : report::Formats()) {
    if (format.flag != flag) continue;
    return report::WriteReport(report, format, ViewOf(std::nullopt),
                               is_gradescope ? options.gradescope : options.classroom);
  }
  return Error{ErrorKind::kMachine, fmt::format("there is no format {}; this is a bug", flag)};
}

// An error is a reason why there are no points.
Status Grade(const AutogradeOptions& options) {
  const Result<std::string> student = Submitter(options);
  if (!student) return student.error();
  const Result<Sandbox> sandbox = ChooseSandbox();
  if (!sandbox) return sandbox.error();
  const Deadline deadline(std::max(std::chrono::seconds(1), std::chrono::minutes(options.minutes) - kReserve));
  const Result<SessionResult> result = RunSession(SessionFor(options, *student, *sandbox, deadline));
  if (!result) return result.error();
  // Only instructors see what is printed on Gradescope. The log of a workflow is the student's.
  const score::Reader reader = options.gradescope.empty() ? score::Reader::kStudents : score::Reader::kStaff;
  const Status printed = PrintReport(result->report, false, reader);
  if (!printed.ok()) return printed.error();
  if (ThisEdition().for_students) {
    std::puts("These are the points on the public cases. Your course also grades with hidden cases.");
  }
  if (result->interrupted) {
    return Error{ErrorKind::kMachine,
                 fmt::format("grading takes longer than the time limit of {} minutes. If this happens to good "
                             "submissions too, raise the platform's time limit, and make the autograder again with a "
                             "higher --minutes",
                             options.minutes)};
  }
  if (!result->failures.empty())
    return Error{ErrorKind::kMachine, fmt::format("{}", fmt::join(result->failures, "; "))};
  CompareTotal(options, result->report);
  return Write(options, result->report);
}

int Autograde(const AutogradeOptions& options) {
  const Status graded = Grade(options);
  if (graded.ok()) return kDone;
  const std::string& why = graded.error().message;
  fmt::print(stderr, "warpgrade: {}\n", why);
  const Status written = WriteFailure(options, why);
  if (written.ok()) return kMachineFailed;
  Fail(written.error());
  return kUsage;  // the script that called us takes kMachineFailed as "the file says why", so it writes the file itself
}

}  // namespace

void AddAutogradeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("autograde", "Grade one submission for a platform (internal)");
  command->group("");
  auto options = std::make_shared<AutogradeOptions>();
  command->add_option("submission", options->submission)->required();
  command->add_option("--lab", options->lab)->required();
  command->add_option("--minutes", options->minutes);
  command->add_option("--metadata", options->metadata);
  command->add_option("--github-name", options->github_name);
  command->add_option("--roster", options->roster);
  auto* platform = command->add_option_group("platform");
  platform->add_option("--gradescope", options->gradescope);
  platform->add_option("--github-classroom", options->classroom);
  platform->require_option(1);
  command->callback([options, exit_code] { *exit_code = Autograde(*options); });
}

}  // namespace warpgrade::cli
