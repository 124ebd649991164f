// The interface of this room: judges one rung of one submission. The verdict, the inputs, the expected answers and the
// clock stay here. The student's code runs in a worker process (grader/worker), and nothing that the worker says is
// trusted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/judge/case_progress.h"
#include "grader/judge/isolation.h"
#include "grader/judge/measured_parts.h"
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
  // The course's solution of the rung, built like `executable`, when throughput is a share of its speed; otherwise "".
  std::string solution;
  DeviceChoice device = DeviceChoice::kEmulator;
  // On a GPU, for JudgeRungInChild only: the UUID of the one to use, of GpusLikeTheFirst. "": the first.
  std::string gpu;
  config::RunLimits limits;
  Isolation isolation;  // of all workers
  MeasuredParts parts;
  std::string emulator_runtime_folder;  // holds our libcudart.so.13; needed for either device
  std::string gpu_runtime_folder;       // holds NVIDIA's libcudart.so.13; needed for kGpu
  int emulator_threads = 0;             // 0: all cores
  int only_case = 0;                    // the number of a public case: no other is run. 0: all are
  // Students may not see what all cases show, but they see the counts. So on the emulator technique is measured in a
  // fresh worker, which knows nothing about the cases and cannot write it into the counts.
  bool hides_cases = false;
  // On the emulator: delays asynchronous work as CUDA allows, and runs blocks and warps in another order in every
  // second case. Where technique is measured, nothing is delayed; the first size is counted in the order of the
  // numbers, the second in another one. 0: no delays, and always the order of the numbers.
  uint64_t delay_seed = 0;
  // On a GPU: a rung whose counts are not within these bounds is not run there. For programs whose result would not
  // count then.
  std::vector<config::MetricBounds> wanted_counts;
  TimingRule timing;                          // of throughput
  std::optional<uint64_t> seed;               // tests only: the same content in every run
  const std::atomic<bool>* cancel = nullptr;  // set by another thread or a signal handler: ends soon with an error
  std::shared_ptr<CaseProgress> progress;     // is told which case runs; nullptr: nobody wants to know
};

// Judges in this process. On kGpu, correctness and throughput are measured on the GPU; technique and findings come from
// the emulator, with a second worker of the same executable. Whatever the student's code does is in the measurement.
// Errors: the machine failed (no GPU, no executable), or `cancel` was set.
Result<score::RungMeasurement> JudgeRungInProcess(const JudgeRequest& request);

// The same in a child process, `<kit_executable> judge-rung`, so that a fault of the emulator costs only this rung. The
// error then says that the judge failed, and how.
Result<score::RungMeasurement> JudgeRungInChild(const std::string& kit_executable, const JudgeRequest& request);

// A child that takes longer than this counts as a judge that hangs, which is our fault. No result depends on this
// number: it is many times what a worker and the emulated device may take within the student's limits.
int64_t MostMillisecondsOfChild(const JudgeRequest& request);

// The memory limit, in bytes, of that child and its descendants: a multiple of the student's limit, and on a GPU also
// room for the judge's own arrays and the driver's.
int64_t MostMemoryOfChild(const JudgeRequest& request);

// The main function of `<kit_executable> judge-rung`. Returns its exit code. `find_lab` gets Lab::name() and
// Lab::source().
using LabFinder = const Lab* (*)(const std::string& name, const std::string& source);
inline constexpr char kJudgeRungCommand[] = "judge-rung";
int JudgeRungMain(LabFinder find_lab);

// Describes the device as results do. Errors (kMachine): "no GPU here: ..." with the reason.
Result<score::DeviceDescription> DescribeDevice(DeviceChoice device);

// The UUIDs of the GPUs that CUDA_VISIBLE_DEVICES lets us see and that have the name of the first, which comes first.
// Of the others only those that let several processes in, and that nobody seems to use (TelemetryReader::IsInUse).
// Empty without a GPU.
std::vector<std::string> GpusLikeTheFirst();

}  // namespace warpgrade::judge
