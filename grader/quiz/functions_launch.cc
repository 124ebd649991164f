// Launching: indices, blocks, occupancy, overlap. Tests: tests/quiz/functions_launch_test.cc.
#include <algorithm>
#include <cmath>

#include "grader/cudart/device_limits.h"
#include "grader/cudart/device_model.h"
#include "grader/cudart/launch_rules.h"
#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

constexpr int kWarp = cudart::limits::kWarpSize;

// ---- occupancy: NVIDIA's own rules, as the emulated runtime applies them
// ---------------------------------------------

struct Kernel {
  int registers = 0, threads = 0, shared = 0;
  const cudart::ComputeCapability* device = nullptr;
};

Kernel KernelOf(const Arguments& a) {
  return {a.Whole("registers"), a.Whole("threads"), a.Whole("shared"),
          &(*cudart::FindDeviceModel(a.Word("device")))->capability};
}

int Resident(const Kernel& kernel) {
  emulator::KernelInfo info;
  info.registers = static_cast<uint32_t>(kernel.registers);
  return cudart::ResidentBlocks(info, *kernel.device, kernel.threads, static_cast<uint64_t>(kernel.shared));
}

Result<Value> ResidentBlocks(const Arguments& a) { return Value(double(Resident(KernelOf(a)))); }

Result<Value> Occupancy(const Arguments& a) {
  const Kernel kernel = KernelOf(a);
  const int warps = Resident(kernel) * ((kernel.threads + kWarp - 1) / kWarp);
  return Value(double(warps) / (kernel.device->threads_per_multiprocessor / kWarp));
}

// The one resource without whose limit more blocks would fit.
Result<Value> OccupancyLimit(const Arguments& a) {
  constexpr int kFewRegisters = 16;  // of which no limit on threads or blocks is ever short
  const Kernel kernel = KernelOf(a);
  const int most = Resident(kernel);
  const int by_registers = Resident({kernel.registers, kernel.threads, 0, kernel.device});
  const int by_shared = Resident({kFewRegisters, kernel.threads, kernel.shared, kernel.device});
  const int by_threads = Resident({kFewRegisters, kernel.threads, 0, kernel.device});
  const bool blocks = by_threads == kernel.device->blocks_per_multiprocessor;
  std::vector<std::string> limits;
  if (by_threads == most) limits.push_back(blocks ? "blocks" : "threads");
  if (by_registers == most && by_registers < by_threads) limits.push_back("registers");
  if (by_shared == most && by_shared < by_threads) limits.push_back("shared");
  if (limits.size() != 1) {
    return Error{ErrorKind::kUsage, "two resources limit the occupancy alike; choose values where one does"};
  }
  return Value(limits[0]);
}

std::vector<Parameter> KernelParameters() {
  std::vector<const char*> devices;
  for (const cudart::DeviceModel& model : cudart::DeviceModels()) devices.push_back(model.id);
  return {{.name = "registers", .min = 16, .max = 255},
          {.name = "threads", .min = 1, .max = 1024},
          {.name = "shared", .min = 0, .max = 227 * 1024, .otherwise = Value(0.0)},
          {.name = "device", .kind = Kind::kWord, .words = devices, .otherwise = Value("h200")}};
}

// ---- indices
// ---------------------------------------------------------------------------------------------------------

// x, y, z; what is not given is `rest`.
struct Triple {
  double x, y, z;
};
Triple TripleOf(const std::vector<double>& list, double rest) {
  const auto at = [&](size_t i) { return i < list.size() ? list[i] : rest; };
  return {at(0), at(1), at(2)};
}

double Flat(const Triple& index, const Triple& size) { return index.x + size.x * (index.y + size.y * index.z); }

bool Inside(const Triple& index, const Triple& size) {
  return index.x < size.x && index.y < size.y && index.z < size.z;
}

struct Thread {
  Triple grid_dim, block_dim, block_idx, thread_idx;
  double threads_per_block() const { return block_dim.x * block_dim.y * block_dim.z; }
};

Result<Thread> ThreadOf(const Arguments& a) {
  const Thread thread = {TripleOf(a.List("grid_dim"), 1), TripleOf(a.List("block_dim"), 1),
                         TripleOf(a.List("block_idx"), 0), TripleOf(a.List("thread_idx"), 0)};
  if (!Inside(thread.block_idx, thread.grid_dim) || !Inside(thread.thread_idx, thread.block_dim)) {
    return Error{ErrorKind::kUsage, "there is no such thread in the grid; choose indices below the dimensions"};
  }
  if (thread.threads_per_block() > cudart::limits::kThreadsPerBlock) {
    return Error{ErrorKind::kUsage, "a block has at most 1024 threads; choose a smaller block_dim"};
  }
  return thread;
}

// blockIdx and threadIdx flattened: x runs fastest, blocks one after the other.
Result<Value> GlobalThreadIndex(const Arguments& a) {
  const Result<Thread> t = ThreadOf(a);
  if (!t) return t.error();
  return Value(Flat(t->block_idx, t->grid_dim) * t->threads_per_block() + Flat(t->thread_idx, t->block_dim));
}

// blockIdx.a * blockDim.a + threadIdx.a of the axis.
Result<Value> GlobalCoordinate(const Arguments& a) {
  const Result<Thread> t = ThreadOf(a);
  if (!t) return t.error();
  const char axis = a.Word("axis")[0];
  if (axis == 'x') return Value(t->block_idx.x * t->block_dim.x + t->thread_idx.x);
  if (axis == 'y') return Value(t->block_idx.y * t->block_dim.y + t->thread_idx.y);
  return Value(t->block_idx.z * t->block_dim.z + t->thread_idx.z);
}

Result<Value> LaneOfThread(const Arguments& a) {
  const Result<Thread> t = ThreadOf(a);
  if (!t) return t.error();
  return Value(std::fmod(Flat(t->thread_idx, t->block_dim), kWarp));
}

Result<Value> WarpOfThread(const Arguments& a) {
  const Result<Thread> t = ThreadOf(a);
  if (!t) return t.error();
  return Value(std::floor(Flat(t->thread_idx, t->block_dim) / kWarp));
}

std::vector<Parameter> ThreadParameters() {
  const Value first = std::vector<double>{0, 0, 0}, one = std::vector<double>{1, 1, 1};
  return {{.name = "grid_dim", .kind = Kind::kList, .min = 1, .max = 65535, .otherwise = one},
          {.name = "block_dim", .kind = Kind::kList, .min = 1, .max = 1024},
          {.name = "block_idx", .kind = Kind::kList, .min = 0, .max = 65534, .otherwise = first},
          {.name = "thread_idx", .kind = Kind::kList, .min = 0, .max = 1023}};
}

std::vector<Parameter> With(std::vector<Parameter> parameters, Parameter one_more) {
  parameters.push_back(std::move(one_more));
  return parameters;
}

// ---- grids
// -----------------------------------------------------------------------------------------------------------

double CeilDivide(double n, double by) { return std::ceil(n / by); }

Result<Value> BlocksFor(const Arguments& a) {
  return Value(CeilDivide(a.Number("n"), a.Number("threads") * a.Number("per_thread")));
}

Result<Value> IdleThreads(const Arguments& a) {
  const double threads = a.Number("threads");
  return Value(CeilDivide(a.Number("n"), threads) * threads - a.Number("n"));
}

// ---- streams
// ---------------------------------------------------------------------------------------------------------

// n equal pieces through copy in, kernel, copy out, each an engine of its own that takes one piece at a time: the first
// piece passes all three, and then the slowest of them sets the pace.
Result<Value> OverlappedTime(const Arguments& a) {
  const double in = a.Number("copy_in"), kernel = a.Number("kernel"), out = a.Number("copy_out");
  const double n = a.Number("streams");
  return Value((in + kernel + out) / n + (n - 1) * std::max({in, kernel, out}) / n);
}

}  // namespace

std::vector<Function> LaunchFunctions() {
  constexpr double kMostElements = 1e12;
  const Parameter n{.name = "n", .min = 1, .max = kMostElements};
  const Parameter threads{.name = "threads", .min = 1, .max = 1024};
  const auto time = [](const char* name) {
    return Parameter{.name = name, .kind = Kind::kNumber, .min = 0.001, .max = 1e6};
  };
  return {
      {"resident_blocks", "blocks of a kernel that are resident on a multiprocessor at once", Kind::kWhole,
       KernelParameters(), ResidentBlocks},
      {"occupancy", "resident warps over the most that a multiprocessor holds, 0 to 1", Kind::kNumber,
       KernelParameters(), Occupancy},
      {"occupancy_limit", "what keeps more blocks from being resident: registers, shared, threads or blocks",
       Kind::kWord, KernelParameters(), OccupancyLimit},
      {"global_thread_index", "the index of a thread among all threads of the grid, x fastest, block by block",
       Kind::kWhole, ThreadParameters(), GlobalThreadIndex},
      {"global_coordinate", "blockIdx * blockDim + threadIdx along one axis", Kind::kWhole,
       With(ThreadParameters(), {.name = "axis", .kind = Kind::kWord, .words = {"x", "y", "z"}}), GlobalCoordinate},
      {"lane_of_thread", "the lane of a thread within its warp", Kind::kWhole, ThreadParameters(), LaneOfThread},
      {"warp_of_thread", "the warp of a thread within its block", Kind::kWhole, ThreadParameters(), WarpOfThread},
      {"blocks_for",
       "blocks so that every one of n elements has a thread",
       Kind::kWhole,
       {n, threads, {.name = "per_thread", .min = 1, .max = 1024, .otherwise = Value(1.0)}},
       BlocksFor},
      {"idle_threads", "threads of the last block that have no element", Kind::kWhole, {n, threads}, IdleThreads},
      {"overlapped_time",
       "the time of copies and kernel in so many streams, each stage overlapping the others",
       Kind::kNumber,
       {time("copy_in"), time("kernel"), time("copy_out"), {.name = "streams", .min = 1, .max = 64}},
       OverlappedTime},
  };
}

}  // namespace warpgrade::quiz
