// Turns a process result, a timeout or a breach of the protocol into the rung's status and sentences for the student,
// with the program's last output behind them. Tests: tests/judge/worker_end_test.cc.
#include "grader/judge/worker_end.h"

#include <csignal>

#include "grader/judge/plain_text.h"

namespace warpgrade::judge {
namespace {

using score::RungStatus;

constexpr int kQuotedLines = 8;
constexpr size_t kQuotedBytes = 1500;

struct SignalName {
  int signal;
  const char* name;
  const char* hint;  // what most often raises it in a lab
};
constexpr SignalName kSignals[] = {
    {SIGSEGV, "segmentation fault", "does host code use a device pointer, or an index past the end of an array?"},
    {SIGBUS, "bus error", "is an address misaligned or made up?"},
    {SIGFPE, "division by zero", "is a size or a block count 0 for some n?"},
    {SIGABRT, "abort()", "a failed assert, an exception that nobody caught, or damaged heap memory"},
    {SIGILL, "illegal instruction", "does a function that must return a value end without `return`?"},
    {SIGTRAP, "trap", "a breakpoint or a failed check"},
    {SIGKILL, "killed", "the system ran out of memory, or the program killed itself"},
    {SIGTERM, "terminated", "the program sent itself a signal"},
    {SIGPIPE, "broken pipe", "the program wrote to a closed descriptor"},
    {SIGSYS, "forbidden system call", "the program asked for something that a lab does not need"},
};

const SignalName* FindSignal(int signal) {
  for (const SignalName& row : kSignals) {
    if (row.signal == signal) return &row;
  }
  return nullptr;
}

std::string Place(Stage stage) {
  switch (stage) {
    case Stage::kStarting:
      return "before the first test, in the constructors of global variables (host code)";
    case Stage::kIdle:
      return "between two tests (a thread of the program's own?)";
    case Stage::kHostCode:
      return "in host code";
    case Stage::kKernel:
      return "while a kernel was running";
  }
  return "";
}

WorkerEnd MakeEnd(RungStatus status, std::string reason, const std::string& output) {
  WorkerEnd end;
  end.status = status;
  end.out_of_time = status == RungStatus::kTimeout;
  end.messages.push_back(std::move(reason));
  const std::string last = LastLines(output, kQuotedLines, kQuotedBytes);
  if (!last.empty()) end.messages.push_back("it last printed:\n" + last);
  return end;
}

// The name of the function that the dynamic linker did not find, from the linker's own message; "" if that is not the
// reason.
std::string MissingSymbol(const sandbox::ProcessResult& result) {
  static constexpr char kLinkerSays[] = "undefined symbol: ";
  if (result.exit_code != 127 || result.output.find("symbol lookup error") == std::string::npos) return "";
  const size_t at = result.output.find(kLinkerSays);
  if (at == std::string::npos) return "";
  const size_t begin = at + sizeof(kLinkerSays) - 1;
  return PlainText(result.output.substr(begin, result.output.find_first_of(", \n", begin) - begin), 100);
}

std::string ExitReason(const sandbox::ProcessResult& result, Stage stage) {
  const std::string exit = "the program ended itself with exit code " + std::to_string(result.exit_code) + " ";
  if (stage == Stage::kStarting) {
    return exit +
           "before the first test: does the file define its own main(), or does a global variable's "
           "constructor call exit()?";
  }
  return exit + Place(stage) + ": does it call exit()? Return or throw instead";
}

}  // namespace

std::string PlainSignalName(int signal) {
  const SignalName* const row = FindSignal(signal);
  return row != nullptr ? row->name : "signal " + std::to_string(signal);
}

WorkerEnd DescribeProcessEnd(const sandbox::ProcessResult& result, Stage stage, const config::RunLimits& limits,
                             const std::string& crash) {
  const std::string& output = result.output;
  if (result.sandbox_failed) {
    WorkerEnd end;
    end.blameless = true;
    end.messages.push_back(sandbox::SandboxFailure(result).message);
    return end;
  }
  if (result.cpu_exceeded) {
    return MakeEnd(RungStatus::kTimeout,
                   "used more than " + std::to_string(limits.cpu_s) + " s of processor time " + Place(stage) +
                       " and was stopped: is there a loop that never ends?",
                   output);
  }
  if (result.timed_out) return DescribeTimeout(stage, limits, output);
  if (result.memory_exceeded) {
    return MakeEnd(RungStatus::kLimit,
                   "used more than " + std::to_string(limits.memory_mb) + " MB of host memory and was stopped", output);
  }
  if (result.output_exceeded) {
    return MakeEnd(RungStatus::kLimit,
                   "printed more than " + std::to_string(limits.output_kb) +
                       " KB and was stopped: take the prints out of loops and kernels",
                   output);
  }
  if (result.processes_exceeded) {
    return MakeEnd(RungStatus::kLimit, "started another process and was stopped: a lab needs only one process", output);
  }
  if (result.threads_exceeded) {
    return MakeEnd(
        RungStatus::kLimit,
        "started far more threads than this machine has cores and was stopped: a lab does not need host threads",
        output);
  }
  if (result.file_exceeded) {
    return MakeEnd(RungStatus::kLimit,
                   "wrote a file of more than " + std::to_string(limits.file_mb) + " MB and was stopped", output);
  }
  if (result.files_exceeded) {
    return MakeEnd(RungStatus::kLimit, "made very many files and was stopped: a lab does not need files", output);
  }
  if (result.signal != 0) {
    const SignalName* const row = FindSignal(result.signal);
    std::string hint = row != nullptr ? std::string(": ") + row->hint : "";
    if (!crash.empty()) hint = ": " + crash;
    return MakeEnd(RungStatus::kCrashed, "crashed: " + PlainSignalName(result.signal) + " " + Place(stage) + hint,
                   output);
  }
  if (const std::string symbol = MissingSymbol(result); !symbol.empty()) {
    WorkerEnd end = MakeEnd(RungStatus::kCrashed,
                            "calls " + symbol +
                                ", which is not in the CUDA runtime of the emulator: the emulator has "
                                "only the functions that the labs need",
                            "");
    end.unsupported = true;
    return end;
  }
  return MakeEnd(RungStatus::kCrashed, ExitReason(result, stage), output);
}

WorkerEnd DescribeTimeout(Stage stage, const config::RunLimits& limits, const std::string& output) {
  const std::string ran = "ran for " + std::to_string(limits.wall_s) + " s and was stopped: ";
  switch (stage) {
    case Stage::kStarting:
      return MakeEnd(RungStatus::kTimeout, ran + "the constructor of a global variable never ends (host code)", output);
    case Stage::kKernel:
      return MakeEnd(RungStatus::kTimeout, ran + "a kernel was still running: is there a loop in it that never ends?",
                     output);
    case Stage::kIdle:
    case Stage::kHostCode:
      break;
  }
  return MakeEnd(RungStatus::kTimeout, ran + "is there a loop that never ends? (host code)", output);
}

WorkerEnd DescribeMisbehaviour(const std::string& what, const std::string& output) {
  return MakeEnd(
      RungStatus::kRefused,
      "the program " + what + ": use only file descriptors that your code opens, and do not touch those of the grader",
      output);
}

WorkerEnd DescribeUnusable(const std::string& what, const std::string& output) {
  return MakeEnd(RungStatus::kCrashed,
                 "after an earlier call " + what +
                     ". Does each call allocate memory that it never frees, or does it reset the device?",
                 output);
}

WorkerEnd DescribeFalseAlarm(const std::string& what, const std::string& output) {
  return MakeEnd(RungStatus::kCrashed,
                 "before its first call, the program said that " + what +
                     "; but a program of the grader's can open it. Does the constructor of a global variable use up "
                     "memory, or the grader's file descriptors?",
                 output);
}

}  // namespace warpgrade::judge
