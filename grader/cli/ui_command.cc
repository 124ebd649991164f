// `warpgrade ui`: grades a lab whenever one of its files is saved, and shows the latest verdict in a browser. This
// thread grades (check_rounds.h), another one answers the browser (grader/ui), and the page of now lies between them.
// Tests: tests/ui/browser_test.py.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grader/cli/check_rounds.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/edition.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/report_output.h"
#include "grader/config/kit.h"
#include "grader/report/html_ui.h"
#include "grader/score/visibility.h"
#include "grader/ui/listener.h"
#include "grader/ui/site.h"

namespace warpgrade::cli {
namespace {

struct UiOptions {
  SessionOptions session;
  std::string lab, rung, submission;
  int port = 0;
};

std::string StateText(const ui::Board::State& state) {
  return report::UiStateText({state.serial, state.page, state.busy, state.status});
}

std::string Time() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

// Puts what happens in the rounds onto the board.
class Teller {
 public:
  Teller(ui::Board* board, std::string title) : board_(board), title_(std::move(title)) {
    ShowPage(std::nullopt, "The first grading has not ended yet.", true);
  }

  RoundEvents Events() {
    RoundEvents events;
    events.on_begin = [this](const std::vector<std::string>& saved) {
      begun_ = saved.empty() ? "" : fmt::format("{} saved at {}; ", fmt::join(saved, ", "), Time());
      board_->Say(begun_ + "grading", true);
    };
    events.on_progress = [this](int finished, int total, const std::string& what) {
      board_->Say(fmt::format("{}grading {} ({} of {})", begun_, what, finished + 1, total), true);
    };
    events.on_report = [this](score::GradingReport report, const std::vector<std::string>& failures) {
      report.check_program = LauncherPath();
      std::string status = fmt::format("{}graded at {}.", begun_, Time());
      for (const std::string& failure : failures) status += " The machine failed: " + failure;
      ShowPage(score::ReportFor(score::Reader::kStudents, std::time(nullptr), report), status, false);
    };
    events.on_error = [this](const Error& error) { board_->Say(error.message, false); };
    return events;
  }

 private:
  void ShowPage(const std::optional<score::GradingReport>& report, const std::string& status, bool busy) {
    if (report) ++pages_;
    // A page asks for the state as soon as it is there, so it may start with any serial number that is not the last.
    report::UiPageText page = report::UiPage(report, {.serial = 0, .page = pages_, .busy = busy, .status = status},
                                             title_, WARPGRADE_VERSION);
    board_->Show({std::move(page.text), std::move(page.policy)}, pages_, status, busy);
  }

  ui::Board* const board_;
  const std::string title_;
  std::string begun_;
  uint64_t pages_ = 0;
};

Result<SessionOptions> UiSession(const UiOptions& options) {
  SessionOptions session = options.session;
  std::string submission = options.submission;
  if (submission.empty()) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return kit.error();
    submission = StarterFolder(*kit, session.course_yaml, options.lab);
  }
  session.paths = {submission};
  session.labs = {options.lab};
  if (!options.rung.empty()) session.rungs = {options.rung};
  session.parts.hidden_cases = false;
  session.parts.pictures = true;
  session.parts.steps.emplace();
  session.who.at_home = true;
  return session;
}

int ServeUi(const UiOptions& options) {
  const auto session = UiSession(options);
  if (!session) return Fail(session.error());
  const auto rungs = NamesOfRungs(session->course_yaml, options.lab, session->rungs);
  if (!rungs) return Fail(rungs.error());
  const std::filesystem::path bin = std::filesystem::path(ExecutablePath()).parent_path();
  const std::filesystem::path library = bin.parent_path() / "lib/warpgrade/libwarpgrade_listener.so";
  std::error_code ignored;
  if (ThisEdition().for_students && !std::filesystem::exists(library, ignored)) {
    return Fail({ErrorKind::kUsage,
                 fmt::format("`ui` is not in this folder, since its server needs libraries that not every machine has; "
                             "use `{0} check {1} --watch`, or `{0} check {1} --html FILE`",
                             LauncherPath(), options.lab)});
  }
  const auto listener = ui::Listen(library.string(), options.port);
  if (!listener) return Fail(listener.error());
  const std::atomic<bool>& interrupted = CatchInterrupts();
  ui::Board board;
  Teller teller(&board, options.lab);
  const ui::Site site((*listener)->port(), ui::NewToken(), board, StateText);
  const Status printed = PrintText(
      fmt::format("Open {} in a browser. Do not show this address to others: it lets them read your results while this "
                  "runs. Ctrl-C ends it.\n",
                  site.Url()));
  if (!printed.ok()) return Fail(printed.error());
  std::jthread serving(
      [&] { (*listener)->Run([&site](const ui::Request& request) { return site.Respond(request); }); });
  CheckRounds(*session, *rungs, teller.Events()).Run(interrupted);
  board.Close();
  (*listener)->Stop();
  return kInterrupted;
}

}  // namespace

void AddUiCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("ui", "Show in a browser what is right, and grade again when you save");
  command->footer(
      "Examples:\n"
      "  warpgrade ui lab1                          grade starter/lab1 whenever you save one of its files\n"
      "  warpgrade ui lab1 v3                       only one rung\n"
      "  warpgrade ui lab2 --submission my-work     files in another folder\n"
      "\n"
      "It prints an address of this machine, which nobody can guess. Open it in a browser here. Only this machine can\n"
      "reach it.\n"
      "\n"
      "Exit status: 130 ended by Ctrl-C; 2 the command line or course.yaml is wrong; 3 the machine failed.");
  auto options = std::make_shared<UiOptions>();
  command->add_option("lab", options->lab, "The lab, such as lab1")->required()->type_name("");
  command->add_option("rung", options->rung, "The rung: v3, or v3_sequential, or quiz (default: all rungs)")
      ->type_name("");
  command->add_option("--submission", options->submission, "The folder with your files (default: starter/)")
      ->type_name("DIR");
  command->add_option("--port", options->port, "The port of 127.0.0.1 (default: any that is free)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535).description(""));
  AddDeviceOption(*command, &options->session.device);
  command->add_option("--course", options->session.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = ServeUi(*options); });
}

}  // namespace warpgrade::cli
