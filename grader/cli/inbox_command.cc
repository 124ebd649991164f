// `warpgrade inbox`: grades what arrives in a folder, and writes one file for each submission. inbox.cc says what is
// complete, RunSession grades, one submission at a time, and inbox_book.cc keeps the results in a gradebook. Beside
// each result lies a small file with a key, a digest of all that the result depends on, so that a restart knows which
// results are up to date.
//
// Tests: tests/cli/inbox_command_test.cc.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/files.h"
#include "grader/cli/batch.h"
#include "grader/cli/batch_run.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/delay_seed.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/inbox.h"
#include "grader/cli/inbox_book.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/lab_files.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/digest/digest.h"
#include "grader/report/file.h"
#include "grader/report/formats.h"
#include "grader/report/words.h"
#include "grader/score/visibility.h"
#include "grader/submission/printable.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kRetry{60'000};     // after a failure of the machine
constexpr milliseconds kLookAgain{2'000};  // where no message says that something came
constexpr milliseconds kLookSoon{100};     // while an upload is not complete
constexpr int kMostSettles = 5;            // --once waits so many times --settle for uploads that go on

struct InboxOptions {
  SessionOptions session;
  std::string folder, output, format = "json";
  std::string gradebook;  // "": none
  std::optional<score::Reader> reader;
  double settle_s = 2;
  bool once = false;
};

// "s1042.zip.json". A name that is too long for a file is cut, and gets a digest of the whole name.
std::string ResultName(const std::string& entry, const std::string& format) {
  constexpr size_t kMostBytes = 200, kDigits = 16;
  if (entry.size() <= kMostBytes) return entry + "." + format;
  Digest digest;
  digest.Add("name", entry);
  return entry.substr(0, kMostBytes - kDigits - 1) + "-" + digest.Hex().substr(0, kDigits) + "." + format;
}

// The next time at which students see more of a lab of `course`; never without one.
int64_t NextDate(const config::Course& course, int64_t now) {
  int64_t next = std::numeric_limits<int64_t>::max();
  for (const auto& [name, rules] : score::VisibilityOf(course)) {
    if (rules.dates.due && *rules.dates.due + 1 > now) next = std::min(next, *rules.dates.due + 1);
    if (rules.dates.published && *rules.dates.published > now) next = std::min(next, *rules.dates.published);
  }
  return next;
}

// A digest of all that the result of a submission depends on. Errors: those of course.yaml.
Result<std::string> KeyOf(const SessionFacts& facts, const submission::Submission& one, const InboxOptions& options,
                          int64_t next_date) {
  Digest digest;
  for (const config::Lab& lab : facts.labs) {
    const Result<gradebook::Conditions> conditions = ConditionsOf(facts, lab.name);
    if (!conditions) return conditions.error();
    digest.Add("lab", lab.name);
    digest.Add("rules", conditions->rules);
    digest.Add("kit", conditions->kit_version);
    digest.Add("device", conditions->device_kind + " " + conditions->device_name);
  }
  // What the rules of visibility say is not in the conditions, because it does not change what is measured.
  digest.Add("course.yaml",
             score::VisibilityOf(facts.course).empty() ? "" : build::ReadWholeFile(facts.course_yaml).value_or(""));
  digest.Add("next date", std::to_string(next_date));
  digest.Add("reader", options.reader ? std::to_string(static_cast<int>(*options.reader)) : "");
  digest.Add("id", one.id);
  for (const std::string& message : one.messages) digest.Add("message", message);
  for (const auto& [name, text] : one.files) digest.Add("file " + name, text);
  return digest.Hex();
}

// Grades the entries of one inbox.
class InboxRun {
 public:
  // `book` may be null.
  InboxRun(InboxOptions options, const report::Format& format, Inbox* inbox, InboxBook* book,
           const std::atomic<bool>* cancel)
      : options_(std::move(options)), format_(format), inbox_(*inbox), book_(book), cancel_(*cancel) {}

  int Run() {
    Say(fmt::format("watching {}; results go to {}", submission::Escaped(options_.folder),
                    submission::Escaped(options_.output)));
    const auto begin = std::chrono::steady_clock::now();
    while (!cancel_) {
      const Result<std::vector<std::string>> complete = inbox_.Complete();
      if (!complete) return Fail(complete.error());
      const bool none = GradeAll(*complete);
      const std::vector<std::string> incomplete = inbox_.Incomplete();
      if (options_.once && none && (incomplete.empty() || HasWaited(begin))) {
        for (const std::string& name : incomplete) {
          Say(submission::Escaped(name) + ": is still being written; left for the next run");
        }
        break;
      }
      if (none && !cancel_) inbox_.Wait(incomplete.empty() ? kLookAgain : kLookSoon);
      LookAtTheRules();
    }
    if (cancel_) Say("interrupted; run the same command again to go on");
    return cancel_ ? kInterrupted : failed_ ? kMachineFailed : kDone;
  }

 private:
  bool HasWaited(std::chrono::steady_clock::time_point begin) const {
    const auto most = std::chrono::duration<double>(kMostSettles * options_.settle_s);
    return std::chrono::steady_clock::now() - begin > most;
  }

  // False if there was something to do.
  bool GradeAll(const std::vector<std::string>& names) {
    bool none = true;
    for (const std::string& name : names) {
      if (cancel_) return false;
      none = false;
      inbox_.Take(name);
      const Status graded = Grade(name);
      if (graded.ok()) continue;
      Say(fmt::format("{}: not graded: {}", submission::Escaped(name), graded.error().message));
      // What a person can correct, such as course.yaml, is tried again as a failure of the machine is.
      inbox_.TakeAgainIn(name, kRetry);
      failed_ = true;
    }
    return none;
  }

  // Reads the entry, and grades it if its result is not up to date.
  Status Grade(const std::string& name) {
    SessionOptions session = options_.session;
    Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
    session.on_progress = [&progress](int finished, int total, const std::string& what) {
      progress.Show(finished, total, what);
    };
    std::string key;
    session.choose = [&](const SessionFacts& facts, const std::vector<submission::Submission>&) {
      return Choose(facts, name, &key);
    };
    const Result<SessionResult> result = RunSession(session);
    progress.Clear();
    if (!result) return result.error();
    if (result->report.submissions.empty()) return Status();
    const score::SubmissionScore& scored = result->report.submissions.front();
    if (!result->failures.empty()) return Error{ErrorKind::kMachine, result->failures.front()};
    if (!scored.unfinished.empty()) return Error{ErrorKind::kMachine, scored.unfinished.front().reason};
    if (book_ != nullptr) {
      if (Status kept = book_->Keep(result->report); !kept.ok()) return kept;
    }
    const std::string file = ResultName(name, options_.format);
    const report::View view = ViewOf(options_.reader.value_or(score::Reader::kStudents));
    score::GradingReport of_one = result->report;  // a group's submission is graded for each student of the group
    of_one.submissions.resize(1);
    Status written = report::WriteReport(of_one, format_, view, options_.output + "/" + file);
    if (!written.ok()) return written;
    Say(fmt::format("{}: {} points", submission::Escaped(name), report::PointsWords(scored.points, scored.max_points)));
    return report::WriteFile(KeyPath(file), key + "\n");
  }

  // The submission that the entry is, if it is one and is to be graded. `*key`: of its result.
  Result<std::vector<submission::Submission>> Choose(const SessionFacts& facts, const std::string& name,
                                                     std::string* key) {
    next_date_ = NextDate(facts.course, std::time(nullptr));
    auto read = submission::ReadEntry(options_.folder, name, FilesOf(facts.course.labs));
    std::vector<submission::Submission> chosen;
    if (!read) return fs::exists(options_.folder + "/" + name) ? read.error() : Result(chosen);  // it has gone again
    if (!*read) {
      if (told_.insert(name).second) Say(submission::Escaped(name) + ": is no submission; skipped");
      return chosen;
    }
    const Result<std::string> computed = KeyOf(facts, **read, options_, next_date_);
    if (!computed) return computed.error();
    *key = *computed;
    const std::string file = ResultName(name, options_.format);
    std::error_code ignored;
    const bool is_up_to_date =
        fs::exists(options_.output + "/" + file, ignored) && build::ReadWholeFile(KeyPath(file)) == *key + "\n";
    if (book_ == nullptr) {
      if (!is_up_to_date) chosen.push_back(std::move(**read));
      return chosen;
    }
    Result<InboxBook::Plans> plans = book_->Plan(facts, **read);
    if (!plans) return plans.error();
    if (is_up_to_date && plans->is_graded) return chosen;
    for (const std::string& why : plans->ownerless) {
      Say(fmt::format("{}: not in the gradebook: {}", submission::Escaped(name), why));
    }
    return std::move(plans->to_grade);
  }

  std::string KeyPath(const std::string& file) const { return options_.output + "/." + file + ".key"; }

  // All results may be out of date when course.yaml changes, and when a date comes from which on students see more.
  void LookAtTheRules() {
    const Result<std::string> path = CoursePath(options_.session.course_yaml);
    struct stat what {};
    if (!path || stat(path->c_str(), &what) != 0) return;
    const std::string stamp =
        fmt::format("{} {} {} {}", what.st_ino, what.st_size, what.st_mtim.tv_sec, what.st_mtim.tv_nsec);
    const bool is_changed = !rules_.empty() && stamp != rules_;
    rules_ = stamp;
    if (!is_changed && std::time(nullptr) < next_date_) return;
    next_date_ = std::numeric_limits<int64_t>::max();
    inbox_.ForgetTaken();
  }

  static void Say(const std::string& line) {
    fmt::print("{} {}\n", UtcText(std::time(nullptr)), line);
    std::fflush(stdout);
  }

  const InboxOptions options_;
  const report::Format& format_;
  Inbox& inbox_;
  InboxBook* const book_;
  const std::atomic<bool>& cancel_;
  bool failed_ = false;
  std::set<std::string> told_;  // entries that are no submissions
  int64_t next_date_ = std::numeric_limits<int64_t>::max();
  std::string rules_;  // changes with course.yaml
};

// The formats for one submission, by name.
std::vector<std::string> InboxFormats() {
  std::vector<std::string> names;
  for (const report::Format& format : report::Formats()) {
    if (!format.compares_submissions) names.push_back(format.flag.substr(2));
  }
  return names;
}

Status MakeOutput(const InboxOptions& options) {
  std::error_code error;
  const fs::path inbox = fs::weakly_canonical(fs::absolute(options.folder), error);
  const fs::path output = fs::weakly_canonical(fs::absolute(options.output + "/"), error);
  const fs::path folder = output.has_filename() ? output : output.parent_path();
  if (std::mismatch(inbox.begin(), inbox.end(), folder.begin(), folder.end()).first == inbox.end()) {
    return Error{ErrorKind::kUsage, fmt::format("--output {} lies in the inbox, where every folder is a submission; "
                                                "name a folder beside it",
                                                submission::Escaped(options.output))};
  }
  fs::create_directories(options.output, error);
  if (!error) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("{}: cannot be made: {}", submission::Escaped(options.output), error.message())};
}

int RunWithBook(InboxOptions options, const report::Format& format, Inbox* inbox) {
  Result<gradebook::Gradebook> opened =
      gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kCreate, WARPGRADE_VERSION);
  if (!opened) return Fail(opened.error());
  InboxBook book(std::move(*opened));
  Result<std::string> course_yaml = CoursePathToGradeBy(&book.book(), options.session.course_yaml);
  if (!course_yaml) return Fail(course_yaml.error());
  options.session.course_yaml = std::move(*course_yaml);
  const Result<uint64_t> seed = book.book().Seed();
  if (!seed) return Fail(seed.error());
  options.session.delay_seed_of = SeedsFromGradebook(*seed);
  return InboxRun(std::move(options), format, inbox, &book, &CatchInterrupts()).Run();
}

int RunInbox(InboxOptions options) {
  const Result<config::Course> course = CourseAt(options.session.course_yaml);
  if (!course) return Fail(course.error());
  if (const auto labs = SelectRungs(*course, options.session.labs, {}); !labs) return Fail(labs.error());
  const auto& formats = report::Formats();
  const auto format = std::find_if(formats.begin(), formats.end(), [&options](const report::Format& one) {
    return one.flag == "--" + options.format && !one.compares_submissions;
  });
  if (format == formats.end()) return Fail(Unknown("format", options.format, InboxFormats(), "warpgrade inbox"));
  const milliseconds settle(static_cast<int64_t>(options.settle_s * 1000));
  Result<Inbox> inbox = Inbox::Open(options.folder, settle);
  if (!inbox) return Fail(inbox.error());
  if (const Status made = MakeOutput(options); !made.ok()) return Fail(made.error());
  if (!options.gradebook.empty()) return RunWithBook(std::move(options), *format, &*inbox);
  return InboxRun(std::move(options), *format, &*inbox, nullptr, &CatchInterrupts()).Run();
}

constexpr char kInboxFooter[] =
    "Examples:\n"
    "  warpgrade inbox uploads/ --lab lab3 --output results/\n"
    "                                         grade what arrives, until Ctrl-C\n"
    "  warpgrade inbox uploads/ --lab lab3 --output results/ --once\n"
    "                                         grade what is there and end, for cron\n"
    "  warpgrade inbox uploads/ --lab lab3 --output results/ --format gradescope\n"
    "                                         write another format\n"
    "  warpgrade inbox uploads/ --lab lab3 --output results/ --gradebook marks.db\n"
    "                                         also keep every attempt and its result, as `batch` does\n"
    "\n"
    "Each folder and each archive in DIR is a submission. The result of s1042.zip is s1042.zip.json in the folder of\n"
    "--output, for its student: it shows what course.yaml shows now. A submission is graded when its upload is\n"
    "complete, and again when it changes. A result that is up to date is not made again.\n"
    "\n";

}  // namespace

void AddInboxCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("inbox", "Grade what arrives in a folder, one result file for each submission");
  command->footer(std::string(kInboxFooter) + kExitStatusHelp);
  auto options = std::make_shared<InboxOptions>();
  command->add_option("folder", options->folder, "The folder in which submissions arrive")
      ->required()
      ->type_name("DIR");
  command->add_option("--output,-o", options->output, "The folder for the results; it is made if there is none")
      ->required()
      ->type_name("DIR");
  command->add_option("--lab", options->session.labs, "Grade only this lab; repeat the option for several labs")
      ->type_name("LAB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--format", options->format, fmt::format("{} (default: json)", fmt::join(InboxFormats(), ", ")))
      ->type_name("NAME");
  command
      ->add_option("--gradebook", options->gradebook,
                   "Also keep every attempt and its result in this gradebook; it is made if there is none")
      ->type_name("FILE");
  AddReaderOption(*command, "students", &options->reader);
  command->add_flag("--once", options->once, "Grade what is there, and end");
  command
      ->add_option("--settle", options->settle_s,
                   "An upload is complete if it has not changed for so many seconds (default: 2)")
      ->check(CLI::Range(0.0, 3600.0).description(""))
      ->type_name("SECONDS");
  AddSessionOptions(command, &options->session);
  command->add_option("--course", options->session.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunInbox(*options); });
}

}  // namespace warpgrade::cli
