// Makes the command lines, and reads what the commands print. Lines that are not of the expected form, such as warnings
// of a cluster's own plug-ins, are skipped. Tests: tests/slurm/commands_test.cc, tests/slurm/cluster_test.cc.
#include "grader/slurm/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "grader/sandbox/on_path.h"
#include "grader/sandbox/process.h"

namespace warpgrade::slurm {
namespace {

constexpr int kCommandSeconds = 120;
constexpr int64_t kMostOutput = 16 << 20;
constexpr size_t kMostWords = 300;  // of a message

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The words of a command that failed, in one line.
std::string OneLine(const std::string& text) {
  std::string line;
  for (const std::string& one : LinesOf(text)) line += (line.empty() ? "" : "; ") + one;
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return line.empty() ? "it says nothing" : line.substr(0, kMostWords);
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "4711" or "4711;cluster".
std::string JobIn(const std::string& text) {
  for (const std::string& line : LinesOf(text)) {
    std::string job = line.substr(0, line.find(';'));
    if (IsNumber(job)) return job;
  }
  return "";
}

// Whether these words say that the controller is away or busy, so that the same may succeed later.
bool IsAbsence(const std::string& text) {
  constexpr std::array kWords = {"Unable to contact slurm controller",
                                 "Socket timed out",
                                 "Connection refused",
                                 "Connection timed out",
                                 "Zero Bytes",
                                 "temporarily unable",
                                 "Slurm backup controller in standby",
                                 "Transport endpoint",
                                 "timed out"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&text](const char* words) { return text.find(words) != std::string::npos; });
}

Task::State StateOf(const std::string& word) {
  constexpr std::array kWaitingWords = {"PENDING",     "CONFIGURING",  "REQUEUED",     "REQUEUE_HOLD",
                                        "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
  constexpr std::array kRunningWords = {"RUNNING",   "COMPLETING", "SUSPENDED", "STOPPED",
                                        "SIGNALING", "STAGE_OUT",  "RESIZING"};
  if (std::find(kWaitingWords.begin(), kWaitingWords.end(), word) != kWaitingWords.end()) return Task::State::kWaiting;
  if (std::find(kRunningWords.begin(), kRunningWords.end(), word) != kRunningWords.end()) return Task::State::kRunning;
  return Task::State::kEnded;
}

// What squeue prints for each task: a mark of our own, the name, the job, the number in the array, the state, the nodes
// and the reason, which is last because it is free text.
constexpr char kFormat[] = "warpgrade|%j|%F|%K|%T|%N|%r";
constexpr size_t kFields = 7;

std::optional<Task> TaskIn(const std::string& line) {
  std::array<std::string, kFields> fields;
  size_t at = 0;
  for (size_t i = 0; i < kFields; ++i) {
    const size_t end = i + 1 < kFields ? line.find('|', at) : line.size();
    if (end == std::string::npos) return std::nullopt;
    fields[i] = line.substr(at, end - at);
    at = end + 1;
  }
  Task task;
  const std::string& number = fields[3];
  if (fields[0] != "warpgrade" || !IsNumber(number)) return std::nullopt;
  if (std::from_chars(number.data(), number.data() + number.size(), task.number).ec != std::errc()) return std::nullopt;
  task.name = fields[1];
  task.job = fields[2];
  task.word = fields[4];
  task.state = StateOf(task.word);
  task.node = fields[5];
  task.why = fields[6] == "None" ? "" : fields[6];
  return task;
}

}  // namespace

Result<Output> RunCommand(const std::vector<std::string>& command) {
  const std::optional<std::string> program = sandbox::OnPath(command.at(0));
  if (!program) {
    return Error{
        ErrorKind::kMachine,
        fmt::format("the program {} is not on PATH; run this on a machine of the cluster that has the commands "
                    "of Slurm (Debian: slurm-client), or leave out --engine slurm to grade on this machine",
                    command[0])};
  }
  sandbox::ProcessOptions process;
  process.argv = command;
  process.argv[0] = *program;
  for (char** variable = environ; *variable != nullptr; ++variable) process.environment.emplace_back(*variable);
  process.limits.wall_ms = kCommandSeconds * 1000;
  process.limits.output_bytes = kMostOutput;
  const Result<sandbox::ProcessResult> result = sandbox::RunProcess(process);
  if (!result) return result.error();
  Output output{result->succeeded(), result->output};
  if (result->timed_out) output.text += fmt::format("\n{} timed out", command[0]);
  return output;
}

std::vector<std::string> SbatchCommand(const Request& request, const config::Slurm& settings) {
  std::vector<std::string> command = {"sbatch"};
  command.insert(command.end(), settings.options.begin(), settings.options.end());
  const auto add = [&command](const char* option, const std::string& value) {
    if (!value.empty()) command.push_back(fmt::format("--{}={}", option, value));
  };
  add("partition", settings.partition);
  add("account", settings.account);
  add("gres", settings.gres);
  if (settings.time_s) add("time", std::to_string((*settings.time_s + 59) / 60));  // in minutes
  if (settings.memory_mb) add("mem", std::to_string(*settings.memory_mb) + "M");
  add("cpus-per-task", std::to_string(settings.cores));
  // What follows is ours, so it stands last, where it counts.
  add("array",
      fmt::format("0-{}{}", request.tasks - 1, settings.at_once > 0 ? "%" + std::to_string(settings.at_once) : ""));
  add("job-name", request.name);
  add("chdir", request.folder);
  add("output", request.log);
  for (const char* option : {"--nodes=1", "--ntasks=1", "--no-requeue", "--open-mode=truncate", "--parsable"}) {
    command.emplace_back(option);
  }
  command.push_back(request.script);
  return command;
}

Result<Submitted> Submit(const Runner& run, const Request& request, const config::Slurm& settings) {
  const Result<Output> output = run(SbatchCommand(request, settings));
  if (!output) return output.error();
  Submitted submitted;
  submitted.job = JobIn(output->text);
  if (output->succeeded && !submitted.job.empty()) return submitted;
  submitted.text = OneLine(output->text);
  // If sbatch has succeeded without a number, we do not know what it has done.
  submitted.state =
      output->succeeded || IsAbsence(output->text) ? Submitted::State::kUnclear : Submitted::State::kRefused;
  return submitted;
}

Result<Answer> Tasks(const Runner& run, const std::vector<std::string>& names) {
  const Result<Output> output =
      run({"squeue", "--noheader", "--array", "--states=all", fmt::format("--name={}", fmt::join(names, ",")),
           fmt::format("--format={}", kFormat)});
  if (!output) return output.error();
  Answer answer;
  answer.answered = output->succeeded;
  if (!answer.answered) {
    answer.text = OneLine(output->text);
    return answer;
  }
  for (const std::string& line : LinesOf(output->text)) {
    if (std::optional<Task> task = TaskIn(line)) answer.tasks.push_back(std::move(*task));
  }
  return answer;
}

Result<bool> Cancel(const Runner& run, const std::string& name) {
  const Result<Output> output = run({"scancel", "--name=" + name});
  if (!output) return output.error();
  return output->succeeded;
}

}  // namespace warpgrade::slurm
