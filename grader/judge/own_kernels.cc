// Launches the kernels of a GpuWork one after the other, and reads what they counted. An answer is right only if no
// element was found wrong and every element was looked at: a kernel that did not run finds nothing right.
//
// Tests: tests/judge/own_kernels_test.cc (fake device); tests/course/gpu_work_test.cc runs the labs' kernels.
#include "grader/judge/own_kernels.h"

#include <algorithm>

namespace warpgrade::judge {

Result<std::unique_ptr<OwnKernels>> OwnKernels::Make(const Lab& lab, const Case& c, JudgeDevice& device) {
  std::optional<GpuWork> work = lab.OnGpu(c);
  if (!work || device.throughput() == nullptr || !device.throughput()->CanRun(work->ptx)) {
    return std::unique_ptr<OwnKernels>();
  }
  std::unique_ptr<OwnKernels> made(new OwnKernels(std::move(*work), c, device));
  Result<BufferHandle> counts = device.Allocate(sizeof(GpuCounts), "the judge's counts");
  if (!counts) return counts.error();
  made->counts_ = *counts;
  if (made->work_.scratch_bytes > 0) {
    Result<BufferHandle> scratch = device.Allocate(made->work_.scratch_bytes, "the judge's scratch memory");
    if (!scratch) return scratch.error();
    made->scratch_ = *scratch;
  }
  return made;
}

OwnKernels::~OwnKernels() {
  if (counts_) device_.Free(*counts_);
  if (scratch_) device_.Free(*scratch_);
}

bool OwnKernels::Draws(int array) const {
  return std::find(work_.drawn.begin(), work_.drawn.end(), array) != work_.drawn.end();
}

GpuArguments OwnKernels::Arguments() const {
  GpuArguments arguments;
  std::copy(case_.sizes.begin(), case_.sizes.end(), arguments.sizes);
  std::copy(std::begin(work_.numbers), std::end(work_.numbers), arguments.numbers);
  arguments.variant = case_.variant;
  arguments.pattern = case_.pattern;
  arguments.counts = counts_->address;
  if (scratch_) arguments.scratch = scratch_->address;
  return arguments;
}

Status OwnKernels::Draw(int array, uint64_t seed, const BufferHandle& to) {
  WARPGRADE_CHECK(Draws(array));
  GpuArguments arguments = Arguments();
  arguments.array = static_cast<uint64_t>(array);
  arguments.arrays[array] = to.address;
  arguments.seed = seed;
  ThroughputDevice& gpu = *device_.throughput();
  if (Status s = gpu.Run(work_.ptx, "draw", /*one_block=*/false, arguments); !s.ok()) return s;
  return gpu.SleepUntilDone();
}

Result<bool> OwnKernels::FindsRight(const std::vector<Array>& arrays, uint64_t random) {
  ThroughputDevice& gpu = *device_.throughput();
  if (Status s = device_.Fill(*counts_, std::byte{0}); !s.ok()) return s.error();
  GpuArguments arguments = Arguments();
  arguments.seed = random;
  uint64_t to_check = work_.checked;
  for (size_t i = 0; i < arrays.size(); ++i) arguments.arrays[i] = arrays[i].address;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].now == 0) continue;
    arguments.array = i;
    arguments.other = arrays[i].now;
    arguments.bytes = arrays[i].bytes;
    to_check += arrays[i].bytes;
    if (Status s = gpu.Run(work_.ptx, "same", /*one_block=*/false, arguments); !s.ok()) return s.error();
  }
  for (const GpuWork::Check& check : work_.checks) {
    if (Status s = gpu.Run(work_.ptx, check.kernel, check.one_block, arguments); !s.ok()) return s.error();
  }
  if (Status s = gpu.SleepUntilDone(); !s.ok()) return s.error();
  GpuCounts counts;
  if (Status s = device_.Download(*counts_, std::as_writable_bytes(std::span(&counts, 1))); !s.ok()) return s.error();
  return counts.wrong == 0 && counts.checked == to_check;
}

}  // namespace warpgrade::judge
