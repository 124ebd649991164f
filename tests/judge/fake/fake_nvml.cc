// A libnvidia-ml.so that tells what a test scripts. Built three times: WARPGRADE_OLD_NVML has the reasons under their
// name before driver 535, WARPGRADE_BARE_NVML has clocks only.
#include "tests/judge/fake/fake_nvml.h"

#include <cstring>

using warpgrade::judge::fake::FakeNvml;
using warpgrade::judge::fake::Told;

namespace {

constexpr int kInvalidArgument = 2, kNotFound = 6;  // NVML_ERROR_...
constexpr int kSmClock = 1, kMemoryClock = 2;
FakeNvml nvml;

int Tell(const Told& told, unsigned* value) {
  *value = told.value;
  return told.result;
}

}  // namespace

extern "C" {

FakeNvml* warpgrade_fake_nvml() { return &nvml; }

int nvmlInit_v2() {
  if (nvml.init_result == 0) ++nvml.users;
  return nvml.init_result;
}

int nvmlShutdown() {
  --nvml.users;
  return 0;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = &nvml;
  return std::strcmp(uuid, nvml.uuid) == 0 ? 0 : kNotFound;
}

int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  if (device != &nvml || (type != kSmClock && type != kMemoryClock)) return kInvalidArgument;
  return Tell(type == kSmClock ? nvml.sm_mhz : nvml.mem_mhz, mhz);
}

int nvmlDeviceGetMaxClockInfo(void* device, int type, unsigned* mhz) {
  return device == &nvml && type == kSmClock ? Tell(nvml.sm_mhz_highest, mhz) : kInvalidArgument;
}

#ifndef WARPGRADE_BARE_NVML
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  return device == &nvml && sensor == 0 ? Tell(nvml.temperature_c, celsius) : kInvalidArgument;
}

int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  return device == &nvml ? Tell(nvml.power_mw, milliwatts) : kInvalidArgument;
}

int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* total_free_used) {
  if (device != &nvml) return kInvalidArgument;
  total_free_used[0] = nvml.memory_total;
  total_free_used[1] = nvml.memory_total - nvml.memory_used;
  total_free_used[2] = nvml.memory_used;
  return nvml.memory_result;
}

#ifdef WARPGRADE_OLD_NVML
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
#else
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons) {
#endif
  if (device != &nvml) return kInvalidArgument;
  *reasons = nvml.reasons;
  return nvml.reasons_result;
}
#endif

}  // extern "C"
