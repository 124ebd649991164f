// NVML's functions and constants are declared here, because its header is part of the CUDA toolkit only as an option.
// Source: the NVML API Reference Guide, "Initialization and Cleanup", "Device Queries", "Clocks Event Reasons". Tests:
// tests/judge/gpu_telemetry_test.cc (a fake library).
#include "grader/judge/gpu_telemetry.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

using Device = struct nvmlDevice_st*;

constexpr int kSuccess = 0;         // NVML_SUCCESS
constexpr int kSmClock = 1;         // NVML_CLOCK_SM
constexpr int kMemoryClock = 2;     // NVML_CLOCK_MEM
constexpr int kTemperatureGpu = 0;  // NVML_TEMPERATURE_GPU

// No clock in MHz, temperature or power in mW is this large. A driver that returns 0xffffffff does not know the figure.
constexpr unsigned kMostFigure = 10'000'000;

// Of a GPU's memory; the driver and a desktop take less. Chosen.
constexpr unsigned long long kUnusedPart = 8;

// As nvmlMemory_t, in bytes.
struct MemoryInfo {
  unsigned long long total = 0, free = 0, used = 0;
};

struct Reason {
  uint64_t bit;  // of nvmlClocksEventReasons
  const char* name;
  bool slows_down;  // a GPU with proper cooling and power never reports it
};
// The worst first.
constexpr Reason kReasons[] = {
    {0x40, "thermal (hardware)", true}, {0x20, "thermal (software)", true}, {0x80, "power brake", true},
    {0x8, "hardware slowdown", true},   {0x4, "power cap", false},          {0x10, "sync boost", false},
    {0x2, "application clocks", false}, {0x100, "display clocks", false},   {0x200, "board limit", false},
    {0x400, "reliability", false},
};
constexpr uint64_t kGpuIdle = 0x1;

template <typename Function>
void Load(void* library, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
}

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

// The figure that `function` returns through its last argument; nullopt if the library lacks the function or it fails.
template <typename... Parameters, typename... Arguments>
std::optional<int> Figure(int (*function)(Parameters...), Arguments... arguments) {
  unsigned value = 0;
  if (function == nullptr || function(arguments..., &value) != kSuccess || value > kMostFigure) return std::nullopt;
  return static_cast<int>(value);
}

// One figure of all readings that have it.
std::vector<double> Each(const std::vector<GpuReading>& readings, std::optional<int> GpuReading::*figure) {
  std::vector<double> values;
  for (const GpuReading& reading : readings) {
    if (const std::optional<int>& value = reading.*figure) values.push_back(*value);
  }
  return values;
}

// 0: the lowest, 0.5: the median, 1: the highest.
std::optional<int> QuantileOf(const std::vector<double>& values, double q) {
  if (values.empty()) return std::nullopt;
  return static_cast<int>(std::lround(Quantile(values, q)));
}

void NameReasons(uint64_t reasons, score::GpuTelemetry* telemetry) {
  telemetry->throttle.emplace();
  uint64_t rest = reasons & ~kGpuIdle;
  for (const Reason& reason : kReasons) {
    if ((rest & reason.bit) == 0) continue;
    rest &= ~reason.bit;
    telemetry->throttle->push_back(reason.name);
    telemetry->slowed_down |= reason.slows_down;
  }
  if (rest != 0) telemetry->throttle->push_back("a reason newer than this grader");
}

}  // namespace

// Functions that the library lacks are nullptr.
struct TelemetryReader::Nvml {
  std::unique_ptr<void, CloseLibrary> library;
  int (*shutdown)() = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*highest_clock)(Device, int, unsigned*) = nullptr;
  int (*temperature)(Device, int, unsigned*) = nullptr;
  int (*power_mw)(Device, unsigned*) = nullptr;
  int (*clock_reasons)(Device, unsigned long long*) = nullptr;
  int (*memory)(Device, MemoryInfo*) = nullptr;
  Device device = nullptr;
  std::optional<int> sm_mhz_highest;
};

std::unique_ptr<TelemetryReader> TelemetryReader::Open(const std::string& uuid, const char* library) {
  auto nvml = std::make_unique<Nvml>();
  nvml->library.reset(dlopen(library, RTLD_NOW | RTLD_LOCAL));
  void* const opened = nvml->library.get();
  if (opened == nullptr) return nullptr;
  int (*init)() = nullptr;
  int (*find)(const char*, Device*) = nullptr;
  Load(opened, "nvmlInit_v2", &init);
  Load(opened, "nvmlShutdown", &nvml->shutdown);
  Load(opened, "nvmlDeviceGetHandleByUUID", &find);
  Load(opened, "nvmlDeviceGetClockInfo", &nvml->clock);
  Load(opened, "nvmlDeviceGetMaxClockInfo", &nvml->highest_clock);
  Load(opened, "nvmlDeviceGetTemperature", &nvml->temperature);
  Load(opened, "nvmlDeviceGetPowerUsage", &nvml->power_mw);
  Load(opened, "nvmlDeviceGetMemoryInfo", &nvml->memory);
  Load(opened, "nvmlDeviceGetCurrentClocksEventReasons", &nvml->clock_reasons);
  // The function's name before driver 535.
  if (nvml->clock_reasons == nullptr) {
    Load(opened, "nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->clock_reasons);
  }
  if (init == nullptr || nvml->shutdown == nullptr || find == nullptr || init() != kSuccess) return nullptr;
  // From here on, the reader's destructor shuts NVML down.
  std::unique_ptr<TelemetryReader> reader(new TelemetryReader(std::move(nvml)));
  Nvml& ready = *reader->nvml_;
  if (find(uuid.c_str(), &ready.device) != kSuccess) return nullptr;
  ready.sm_mhz_highest = Figure(ready.highest_clock, ready.device, kSmClock);
  return reader;
}

TelemetryReader::TelemetryReader(std::unique_ptr<Nvml> nvml) : nvml_(std::move(nvml)) {}

TelemetryReader::~TelemetryReader() { nvml_->shutdown(); }

std::optional<GpuReading> TelemetryReader::Read() const {
  GpuReading reading;
  reading.sm_mhz = Figure(nvml_->clock, nvml_->device, kSmClock);
  reading.mem_mhz = Figure(nvml_->clock, nvml_->device, kMemoryClock);
  reading.temperature_c = Figure(nvml_->temperature, nvml_->device, kTemperatureGpu);
  if (const std::optional<int> milliwatts = Figure(nvml_->power_mw, nvml_->device)) {
    reading.power_w = (*milliwatts + 500) / 1000;
  }
  unsigned long long reasons = 0;
  if (nvml_->clock_reasons != nullptr && nvml_->clock_reasons(nvml_->device, &reasons) == kSuccess) {
    reading.clock_reasons = reasons;
  }
  if (!reading.sm_mhz && !reading.mem_mhz && !reading.temperature_c && !reading.power_w && !reading.clock_reasons) {
    return std::nullopt;
  }
  reading.sm_mhz_highest = nvml_->sm_mhz_highest;
  return reading;
}

bool TelemetryReader::IsInUse() const {
  MemoryInfo memory;
  return nvml_->memory != nullptr && nvml_->memory(nvml_->device, &memory) == kSuccess &&
         memory.used > memory.total / kUnusedPart;
}

std::optional<score::GpuTelemetry> Summarise(const std::vector<GpuReading>& readings) {
  if (readings.empty()) return std::nullopt;
  score::GpuTelemetry telemetry;
  telemetry.readings = static_cast<int>(readings.size());
  const std::vector<double> sm_mhz = Each(readings, &GpuReading::sm_mhz);
  telemetry.sm_mhz_min = QuantileOf(sm_mhz, 0);
  telemetry.sm_mhz_median = QuantileOf(sm_mhz, 0.5);
  telemetry.sm_mhz_max = QuantileOf(sm_mhz, 1);
  telemetry.sm_mhz_highest = readings.front().sm_mhz_highest;
  telemetry.mem_mhz = QuantileOf(Each(readings, &GpuReading::mem_mhz), 0.5);
  telemetry.temperature_c = QuantileOf(Each(readings, &GpuReading::temperature_c), 1);
  telemetry.power_w = QuantileOf(Each(readings, &GpuReading::power_w), 1);
  std::optional<uint64_t> reasons;
  for (const GpuReading& reading : readings) {
    if (reading.clock_reasons) reasons = reasons.value_or(0) | *reading.clock_reasons;
  }
  if (reasons) NameReasons(*reasons, &telemetry);
  return telemetry;
}

}  // namespace warpgrade::judge
