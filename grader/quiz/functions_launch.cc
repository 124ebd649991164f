// The rows about launches: indices, blocks, occupancy, overlap. Occupancy follows NVIDIA's own rules, which
// device_model/occupancy.h applies for the emulated runtime too. Tested by tests/quiz/functions_launch_test.cc against
// the published tables, the emulated runtime and kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/device_model/device_model.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/device_model/occupancy.h"
#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

constexpr int kWarp = gpu_limits::kWarpSize;

struct Kernel {
  int registers = 0, threads = 0, shared = 0;
  const ComputeCapability* device = nullptr;
};

Kernel KernelOf(const Arguments& a) {
  return {a.Whole("registers"), a.Whole("threads"), a.Whole("shared"),
          &(*FindDeviceModel(a.Word("device")))->capability};
}

int Resident(const Kernel& kernel) {
  const KernelNeeds needs{.registers = static_cast<uint32_t>(kernel.registers)};
  return warpgrade::ResidentBlocks(needs, *kernel.device, kernel.threads, static_cast<uint64_t>(kernel.shared));
}

Result<Value> ResidentBlocks(const Arguments& a) { return Value(double(Resident(KernelOf(a)))); }

Result<Value> Occupancy(const Arguments& a) {
  const Kernel kernel = KernelOf(a);
  const int warps = Resident(kernel) * ((kernel.threads + kWarp - 1) / kWarp);
  const int most_warps = kernel.device->threads_per_multiprocessor / kWarp;
  return Value(double(warps) / most_warps);
}

// The resource that limits the blocks: with more of this resource alone, more blocks would fit.
Result<Value> OccupancyLimit(const Arguments& a) {
  constexpr int kFewRegisters = 16;  // so few that threads or blocks are the limit before registers are
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
    return Error{ErrorKind::kUsage,
                 "two resources allow the same number of blocks; choose values where one resource alone is the limit"};
  }
  return Value(limits[0]);
}

std::vector<Parameter> KernelParameters() {
  std::vector<const char*> devices;
  int most_shared = 0;
  for (const DeviceModel& model : DeviceModels()) {
    devices.push_back(model.id);
    most_shared = std::max(most_shared, model.capability.shared_per_block_opt_in);
  }
  return {{.name = "registers", .min = 16, .max = gpu_limits::kRegistersPerThread},
          {.name = "threads", .min = 1, .max = gpu_limits::kThreadsPerBlock},
          {.name = "shared", .min = 0, .max = double(most_shared), .otherwise = Value(0.0)},
          {.name = "device", .kind = Kind::kWord, .words = devices, .otherwise = Value(DefaultDeviceModel().id)}};
}

// The list as x, y and z; `rest` stands for those that it leaves out.
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
  if (thread.threads_per_block() > gpu_limits::kThreadsPerBlock) {
    return Error{ErrorKind::kUsage, fmt::format("a block has at most {} threads; choose a smaller block_dim",
                                                gpu_limits::kThreadsPerBlock)};
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
  constexpr int kMostBlocks = gpu_limits::kGridY, kMostThreads = gpu_limits::kThreadsPerBlock;
  return {{.name = "grid_dim", .kind = Kind::kList, .min = 1, .max = kMostBlocks, .otherwise = one},
          {.name = "block_dim", .kind = Kind::kList, .min = 1, .max = kMostThreads},
          {.name = "block_idx", .kind = Kind::kList, .min = 0, .max = kMostBlocks - 1, .otherwise = first},
          {.name = "thread_idx", .kind = Kind::kList, .min = 0, .max = kMostThreads - 1}};
}

std::vector<Parameter> With(std::vector<Parameter> parameters, Parameter one_more) {
  parameters.push_back(std::move(one_more));
  return parameters;
}

double CeilDivide(double n, double by) { return std::ceil(n / by); }

Result<Value> BlocksFor(const Arguments& a) {
  return Value(CeilDivide(a.Number("n"), a.Number("threads") * a.Number("per_thread")));
}

Result<Value> IdleThreads(const Arguments& a) {
  const double threads = a.Number("threads");
  return Value(CeilDivide(a.Number("n"), threads) * threads - a.Number("n"));
}

// n equal pieces pass through three engines: copy in, kernel, copy out. Each engine works on one piece at a time. The
// first piece passes all three; after that the slowest engine decides when the next piece is done.
Result<Value> OverlappedTime(const Arguments& a) {
  const double in = a.Number("copy_in"), kernel = a.Number("kernel"), out = a.Number("copy_out");
  const double n = a.Number("streams");
  return Value((in + kernel + out) / n + (n - 1) * std::max({in, kernel, out}) / n);
}

double Product(const Triple& size) { return size.x * size.y * size.z; }

Result<Value> WarpsOfBlock(const Arguments& a) {
  const double threads = Product(TripleOf(a.List("block_dim"), 1));
  if (threads > gpu_limits::kThreadsPerBlock) {
    return Error{ErrorKind::kUsage, fmt::format("a block has at most {} threads; choose a smaller block_dim",
                                                gpu_limits::kThreadsPerBlock)};
  }
  return Value(CeilDivide(threads, kWarp));
}

Result<Value> ThreadsOfLaunch(const Arguments& a) {
  return Value(Product(TripleOf(a.List("grid_dim"), 1)) * Product(TripleOf(a.List("block_dim"), 1)));
}

Result<Value> BlocksForImage(const Arguments& a) {
  const Triple block = TripleOf(a.List("block_dim"), 1);
  return Value(CeilDivide(a.Number("width"), block.x) * CeilDivide(a.Number("height"), block.y));
}

// Interleaved: the colours of a pixel lie side by side. Planes: first all of colour 0, then all of colour 1, and so on.
Result<Value> ColourIndex(const Arguments& a) {
  const double pixel = a.Number("row") * a.Number("width") + a.Number("column");
  if (a.Number("row") >= a.Number("height") || a.Number("column") >= a.Number("width")) {
    return Error{ErrorKind::kUsage, "there is no such pixel in the image; choose a smaller row or column"};
  }
  if (a.Word("layout") == "interleaved") return Value(3 * pixel + a.Number("colour"));
  return Value(a.Number("colour") * a.Number("width") * a.Number("height") + pixel);
}

// The CUDA Programming Guide's table of limits by compute capability, first column and those from 2.x on.
Result<Value> LaunchLimit(const Arguments& a) {
  const bool first = a.Word("capability") == "1.x";
  const std::string& what = a.Word("what");
  if (what == "grid_dimensions") return Value(first ? 2.0 : 3.0);
  if (what == "threads_per_block") return Value(first ? 512.0 : double(gpu_limits::kThreadsPerBlock));
  if (what == "blocks_along_y") return Value(double(gpu_limits::kGridY));
  return Value(64.0);  // threads_along_z
}

// Whether a program runs on a device: by machine code of the same major capability and at most the same minor one, else
// by PTX of at most the device's capability, which the driver compiles. 75 stands for 7.5.
Result<Value> RunsBy(const Arguments& a) {
  const int device = a.Whole("device");
  for (const double real : a.List("real")) {
    if (static_cast<int>(real) / 10 == device / 10 && real <= device) return Value("machine_code");
  }
  return Value(a.Whole("virtual") <= device ? "ptx" : "not_at_all");
}

}  // namespace

// Long because it is a table: one row for each function.
std::vector<Function> LaunchFunctions() {
  constexpr double kMostElements = 1e12;
  const Parameter n{.name = "n", .min = 1, .max = kMostElements};
  const Parameter threads{.name = "threads", .min = 1, .max = gpu_limits::kThreadsPerBlock};
  const auto time = [](const char* name) {
    return Parameter{.name = name, .kind = Kind::kNumber, .min = 0.001, .max = 1e6};
  };
  const auto list = [](const char* name, double max) {
    return Parameter{.name = name, .kind = Kind::kList, .min = 1, .max = max};
  };
  const auto size = [](const char* name) { return Parameter{.name = name, .min = 1, .max = 65535}; };
  return {
      {"resident_blocks", "blocks of a kernel that are resident on a multiprocessor at once", Kind::kWhole,
       KernelParameters(), ResidentBlocks},
      {"occupancy", "resident warps, divided by the most that a multiprocessor holds: 0 to 1", Kind::kNumber,
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
       "the time of copies and kernel, cut into one piece for each stream, where each stage overlaps the others",
       Kind::kNumber,
       {time("copy_in"), time("kernel"), time("copy_out"), {.name = "streams", .min = 1, .max = 64}},
       OverlappedTime},
      {"warps_of_block",
       "warps that a block needs; the last one may have empty lanes",
       Kind::kWhole,
       {list("block_dim", gpu_limits::kThreadsPerBlock)},
       WarpsOfBlock},
      {"threads_of_launch",
       "threads of all blocks of a grid",
       Kind::kWhole,
       {list("grid_dim", gpu_limits::kGridY), list("block_dim", gpu_limits::kThreadsPerBlock)},
       ThreadsOfLaunch},
      {"blocks_for_image",
       "blocks of a grid in two dimensions, so that every pixel has a thread",
       Kind::kWhole,
       {size("width"), size("height"), list("block_dim", gpu_limits::kThreadsPerBlock)},
       BlocksForImage},
      {"colour_index",
       "the index of a colour of a pixel: interleaved (rgb rgb) or in planes (rr gg bb)",
       Kind::kWhole,
       {size("width"),
        size("height"),
        {.name = "row", .min = 0, .max = 65535},
        {.name = "column", .min = 0, .max = 65535},
        {.name = "colour", .min = 0, .max = 2},
        {.name = "layout", .kind = Kind::kWord, .words = {"interleaved", "planes"}}},
       ColourIndex},
      {"launch_limit",
       "a limit of launches: on the first GPUs (compute capability 1.x) or from 2.x on",
       Kind::kWhole,
       {{.name = "capability", .kind = Kind::kWord, .words = {"1.x", "2.x"}},
        {.name = "what",
         .kind = Kind::kWord,
         .words = {"grid_dimensions", "threads_per_block", "blocks_along_y", "threads_along_z"}}},
       LaunchLimit},
      {"runs_by",
       "how a program runs on a device: machine_code, ptx (the driver compiles it) or not_at_all",
       Kind::kWord,
       {{.name = "virtual", .min = 10, .max = 129},
        {.name = "real", .kind = Kind::kList, .min = 10, .max = 129},
        {.name = "device", .min = 10, .max = 129}},
       RunsBy},
  };
}

}  // namespace warpgrade::quiz
