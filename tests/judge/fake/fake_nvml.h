// The script of the fake NVML (fake_nvml.cc). A test opens the same file as the code under test, and so changes what
// that is told.
#pragma once

namespace warpgrade::judge::fake {

constexpr int kNvmlNotSupported = 3;  // NVML_ERROR_NOT_SUPPORTED

struct Told {
  unsigned value = 0;
  int result = 0;
};

struct FakeNvml {
  int init_result = 0;
  const char* uuid = "GPU-1";  // the only one that it knows
  Told sm_mhz, sm_mhz_highest, mem_mhz, temperature_c, power_mw;
  unsigned long long reasons = 0;
  int reasons_result = 0;
  unsigned long long memory_total = 0, memory_used = 0;
  int memory_result = 0;
  int users = 0;  // initialised and not shut down
};

}  // namespace warpgrade::judge::fake

extern "C" warpgrade::judge::fake::FakeNvml* warpgrade_fake_nvml();
