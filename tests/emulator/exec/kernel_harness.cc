#include "tests/emulator/exec/kernel_harness.h"

#include <cstring>

namespace warpgrade::emulator {

std::string Kernel(const std::string& body, const std::string& module_scope) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + module_scope + R"(
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3) {
  .reg .pred %p<16>; .reg .b16 %h<32>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<32>; .reg .f64 %fd<32>;
  .reg .b32 %t, %g; .reg .b64 %at0, %at1, %at2, %at3, %own;
  ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ld.param.u64 %rd2, [p2]; ld.param.u64 %rd3, [p3];
  mov.u32 %t, %tid.x; mov.u32 %g, %ctaid.x; mov.u32 %r0, %ntid.x; mad.lo.u32 %g, %g, %r0, %t;
  mul.wide.u32 %own, %g, 4;
  add.u64 %at0, %rd0, %own; add.u64 %at1, %rd1, %own; add.u64 %at2, %rd2, %own; add.u64 %at3, %rd3, %own;
)" + body +
         "\nret;\n}\n";
}

std::string Describe(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += std::string(Name(f.kind)) + " " + std::to_string(f.line) + ": " + f.message + "\n";
  }
  return text;
}

DeviceOptions KernelHarness::OneHostThread() {
  DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = uint64_t{1} << 30;
  return options;
}

KernelHarness::KernelHarness(DeviceOptions options)
    : device_([this, &options] {
        if (!options.print) options.print = [this](std::string_view text) { printed_ += text; };
        return options;
      }()) {}

void KernelHarness::Load(const std::string& ptx, const std::string& kernel) {
  Result<ModuleId> module = device_.LoadModule(ptx, "test.ptx");
  ASSERT_TRUE(module.ok()) << module.error().message << "\n" << ptx;
  Result<KernelId> found = device_.FindKernel(*module, kernel);
  ASSERT_TRUE(found.ok()) << found.error().message;
  kernel_ = *found;
}

DevicePtr KernelHarness::Allocate(uint64_t bytes, const std::string& label) {
  Result<DevicePtr> at = device_.Allocate(bytes, label);
  EXPECT_TRUE(at.ok());
  EXPECT_TRUE(device_.Fill(*at, 0, bytes).ok());
  return *at;
}

Ran KernelHarness::Launch(Dim3 grid, Dim3 block, std::initializer_list<uint64_t> parameters,
                          uint32_t dynamic_shared_bytes, bool cooperative) {
  LaunchRequest request;
  request.kernel = kernel_;
  request.grid = grid;
  request.block = block;
  request.dynamic_shared_bytes = dynamic_shared_bytes;
  request.cooperative = cooperative;
  request.counts_alike = counts_alike_;
  request.parameters.resize(device_.Kernel(kernel_).parameter_bytes);
  size_t k = 0;
  for (uint64_t p : parameters) {
    const KernelInfo& info = device_.Kernel(kernel_);
    if (k >= info.parameter_sizes.size()) break;
    std::memcpy(request.parameters.data() + info.parameter_offsets[k], &p,
                std::min<size_t>(8, info.parameter_sizes[k]));
    ++k;
  }
  device_.ResetObservations();
  Ran ran;
  ran.status = device_.Launch(request);
  ran.findings = device_.Findings();
  if (!device_.Launches().empty()) ran.record = device_.Launches().back();
  return ran;
}

std::vector<uint32_t> OutputOf(const std::string& ptx, Dim3 grid, Dim3 block, size_t count,
                               std::vector<std::vector<uint32_t>> inputs) {
  KernelHarness harness;
  harness.Load(ptx);
  DevicePtr out = harness.Allocate(count * 4, "output");
  uint64_t in[3] = {};
  for (size_t k = 0; k < inputs.size() && k < 3; ++k) in[k] = harness.Upload(inputs[k]);
  Ran ran = harness.Launch(grid, block, {out, in[0], in[1], in[2]});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  return harness.Download<uint32_t>(out, count);
}

}  // namespace warpgrade::emulator
