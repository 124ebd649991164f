// The judge's room: runs one rung of one submission and says what came of it. Verdict, inputs, expected answers and
// clock stay here; the student's code runs in a worker process (grader/worker) and is believed nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/judge/timing_rule.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

enum class DeviceChoice { kEmulator, kGpu };

struct JudgeRequest {
  const Lab* lab = nullptr;
  std::string rung;        // "v3_sequential"
  std::string executable;  // the worker: the rung's object, the lab's adapter and libwarpgrade_worker.a, linked
  std::string calibrator;  // the worker without a student: config::Kit::calibrator. Needed for throughput on a GPU
  // The course's solution of the rung, built like `executable`: throughput is a share of its speed. "": it is not.
  std::string solution;
  DeviceChoice device = DeviceChoice::kEmulator;
  config::RunLimits limits;
  bool confine = false;             // workers see next to nothing of this machine: Session::Options
  std::vector<std::string> hidden;  // folders that they do not even see where they lie among what they need
  bool hidden_cases = true;         // `grade`; `check` leaves them out
  bool technique = true;
  bool throughput = true;                     // where the device can; otherwise it is reported as not measured
  std::string emulator_runtime_folder;        // holds our libcudart.so.13; needed for either device
  std::string gpu_runtime_folder;             // holds NVIDIA's libcudart.so.13; needed for kGpu
  int emulator_threads = 0;                   // 0: all cores
  TimingRule timing;                          // of throughput
  std::optional<uint64_t> seed;               // tests only: the same content in every run
  const std::atomic<bool>* cancel = nullptr;  // set by another thread or a signal handler: ends soon with an error
};

// Judges in this process. On kGpu, correctness and throughput are the GPU's; technique and findings are the emulator's,
// from a second worker of the same executable. Everything that the student's code does is in the measurement. Errors:
// the machine failed (no GPU, the executable is not there), or `cancel` was set.
Result<score::RungMeasurement> JudgeRungInProcess(const JudgeRequest& request);

// The same in a child process of its own, `<kit_executable> judge-rung`, so that a fault of the emulator's costs this
// rung and not the batch: then the error says that the judge failed, and how.
Result<score::RungMeasurement> JudgeRungInChild(const std::string& kit_executable, const JudgeRequest& request);

// After this long the child is taken for a judge that hangs, which is our fault. No result depends on it: it is many
// times what a worker and the emulated device may do within the student's limits.
int64_t MostMillisecondsOfChild(const JudgeRequest& request);

// Bytes that this child and all below it may hold: a multiple of what the student may, and on a GPU the judge's own
// arrays and the driver's beside that.
int64_t MostMemoryOfChild(const JudgeRequest& request);

// What `<kit_executable> judge-rung` does; its exit code. `find_lab`: FindLab.
inline constexpr char kJudgeRungCommand[] = "judge-rung";
int JudgeRungMain(const Lab* (*find_lab)(std::string_view name));

// The device as results name it. Errors (kMachine): "no GPU here: ..." and why.
Result<score::DeviceDescription> DescribeDevice(DeviceChoice device);

}  // namespace warpgrade::judge
