// Asks nvidia-smi twice: for all figures of the GPUs, and for the programs that use them. The names of the fields are
// those of `nvidia-smi --help-query-gpu`; a field that a driver does not know makes the whole question fail, so only
// old names are asked, and the newer name of the clock reasons second. Tests: tests/doctor/gpu_test.cc.
#include "grader/doctor/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "grader/result/counted.h"
#include "grader/score/throughput.h"

namespace warpgrade::doctor {
namespace {

using Level = Check::Level;

constexpr const char* kFields =
    "index,name,uuid,driver_version,ecc.mode.current,ecc.errors.uncorrected.volatile.total,clocks.current.sm,"
    "clocks.max.sm,temperature.gpu,mig.mode.current,";
constexpr const char* kReasonFields[] = {"clocks_throttle_reasons.active", "clocks_event_reasons.active"};

// The bits of NVML's clock reasons that a GPU with proper cooling and power never shows.
constexpr unsigned long kSlowdown = 0x8 | 0x20 | 0x40 | 0x80;
constexpr long kHot = 85;  // degrees Celsius: data-centre GPUs lower their clocks a little above

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> Split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(at);
    parts.emplace_back(Trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::vector<std::string>> Rows(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : Split(csv, '\n')) {
    if (!line.empty()) rows.push_back(Split(line, ','));
  }
  return rows;
}

// "1980" or "1980 MHz"; nullopt for "[N/A]" and "[Not Supported]".
std::optional<long> Number(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  if (end == text.c_str() || value < 0) return std::nullopt;
  return value;
}

std::optional<bool> Switch(const std::string& text) {
  if (text == "Enabled") return true;
  if (text == "Disabled") return false;
  return std::nullopt;
}

std::string FirstLine(const std::string& text) { return std::string(Trimmed(text.substr(0, text.find('\n')))); }

Result<std::string> AskForGpus(const Runner& run) {
  Result<std::string> answer = Error{ErrorKind::kMachine, ""};
  for (const char* reasons : kReasonFields) {
    answer = run({"nvidia-smi", std::string("--query-gpu=") + kFields + reasons, "--format=csv,nounits"});
    if (answer || answer.error().message.find("not a valid field") == std::string::npos) return answer;
  }
  return answer;
}

Check TargetCheck(const Gpu& gpu, const config::Course& course) {
  const config::Target* target = course.FindTarget(gpu.name);
  const score::WithoutScale without = score::RungsWithoutScale(course.labs, target == nullptr ? "" : target->id);
  const std::string subject = "GPU " + gpu.index;
  const std::string is = target == nullptr ? gpu.name + ", which is no target of course.yaml"
                                           : fmt::format("{}, target {}", gpu.name, target->id);
  if (without.rungs.empty()) return {Level::kWorks, subject, is, ""};
  return {Level::kDoubt, subject,
          fmt::format("{}; {} of {} timed rungs ({} points) have no scale for it", is, without.rungs.size(), without.of,
                      without.points.ToString()),
          "add scales to course.yaml; `warpgrade validate` names the rungs"};
}

Check ClockCheck(const Gpu& gpu) {
  const std::string subject = fmt::format("GPU {} clocks", gpu.index);
  if (!gpu.sm_mhz && !gpu.clock_reasons) {
    return {Level::kDoubt, subject, "not known: the driver does not say", "watch the spread of the measured speeds"};
  }
  std::string says = fmt::format("{} of {} MHz", gpu.sm_mhz ? std::to_string(*gpu.sm_mhz) : "?",
                                 gpu.highest_sm_mhz ? std::to_string(*gpu.highest_sm_mhz) : "?");
  if (gpu.temperature_c) says += fmt::format(", {} C", *gpu.temperature_c);
  if (gpu.clock_reasons.value_or(0) & kSlowdown) {
    return {Level::kDoubt, subject, says + "; held down because of heat or power",
            "see `nvidia-smi -q -d PERFORMANCE`; measure no speeds until this has ended"};
  }
  if (gpu.temperature_c.value_or(0) >= kHot) {
    return {Level::kDoubt, subject, says, "the GPU is hot; check its cooling before you measure speeds"};
  }
  return {Level::kWorks, subject, says, ""};
}

Check EccCheck(const Gpu& gpu) {
  const std::string subject = fmt::format("GPU {} ECC", gpu.index);
  if (!gpu.ecc) return {Level::kWorks, subject, "this GPU has none", ""};
  if (gpu.uncorrected_errors.value_or(0) > 0) {
    return {Level::kFails, subject,
            Counted(static_cast<uint64_t>(*gpu.uncorrected_errors), "uncorrected memory error") +
                " since the driver was loaded",
            "results may be wrong; let the administrator reset or replace the GPU"};
  }
  if (!*gpu.ecc) {
    return {Level::kDoubt, subject, "off",
            "speeds differ from those with ECC; switch it on, or measure the thresholds "
            "again"};
  }
  return {Level::kWorks, subject, "on, no uncorrected errors", ""};
}

// By the GPU's uuid: how many programs, and one of them.
Check UserCheck(const Gpu& gpu, const Result<std::string>& apps) {
  const std::string subject = fmt::format("GPU {} users", gpu.index);
  if (!apps) {
    return {Level::kDoubt, subject, "not known: " + FirstLine(apps.error().message),
            "make sure that nobody else uses the GPU while speeds are measured"};
  }
  uint64_t programs = 0;
  std::string one;
  for (const std::vector<std::string>& row : Rows(*apps)) {
    if (row.size() < 3 || row[0] != gpu.uuid) continue;
    ++programs;
    if (one.empty()) one = fmt::format("process {}, {}", row[1], row[2]);
  }
  if (programs == 0) return {Level::kWorks, subject, "none", ""};
  return {Level::kDoubt, subject, fmt::format("{} ({})", Counted(programs, "other program"), one),
          "measured speeds will vary; end them, or grade when the GPU is free"};
}

void AddGpu(const Gpu& gpu, const Result<std::string>& apps, const config::Course* course, std::vector<Check>* checks) {
  checks->push_back(course != nullptr ? TargetCheck(gpu, *course)
                                      : Check{Level::kWorks, "GPU " + gpu.index, gpu.name, ""});
  if (gpu.mig.value_or(false)) {
    checks->push_back({Level::kDoubt, fmt::format("GPU {} MIG", gpu.index), "on: programs get a part of the GPU",
                       "thresholds of a whole GPU do not hold; switch MIG off"});
  }
  checks->push_back(ClockCheck(gpu));
  checks->push_back(EccCheck(gpu));
  checks->push_back(UserCheck(gpu, apps));
}

}  // namespace

Result<std::vector<Gpu>> ParseGpus(const std::string& csv) {
  const std::vector<std::vector<std::string>> rows = Rows(csv);
  if (rows.empty()) return Error{ErrorKind::kMachine, "nvidia-smi printed nothing"};
  std::map<std::string, size_t> columns;
  for (size_t i = 0; i < rows[0].size(); ++i) {
    std::string heading = rows[0][i];
    columns[heading.substr(0, heading.find(" ["))] = i;  // "clocks.max.sm [MHz]"
  }
  std::vector<Gpu> gpus;
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() < rows[0].size()) {
      return Error{ErrorKind::kMachine, "nvidia-smi printed a row that is too short: " + FirstLine(csv)};
    }
    const auto text = [&](const char* column) {
      const auto found = columns.find(column);
      return found == columns.end() ? std::string() : rows[i][found->second];
    };
    Gpu gpu{text("index"),
            text("name"),
            text("uuid"),
            text("driver_version"),
            Switch(text("ecc.mode.current")),
            Switch(text("mig.mode.current")),
            {},
            {},
            {},
            {},
            {}};
    gpu.uncorrected_errors = Number(text("ecc.errors.uncorrected.volatile.total"));
    gpu.sm_mhz = Number(text("clocks.current.sm"));
    gpu.highest_sm_mhz = Number(text("clocks.max.sm"));
    gpu.temperature_c = Number(text("temperature.gpu"));
    for (const char* reasons : kReasonFields) {
      if (const auto bits = Number(text(reasons))) gpu.clock_reasons = static_cast<unsigned long>(*bits);
    }
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<Check> GpuChecks(const Runner& run, const GpuNeeds& needs) {
  std::vector<Check> checks;
  const Result<std::string> answer = AskForGpus(run);
  const auto gpus = answer ? ParseGpus(*answer) : Result<std::vector<Gpu>>(answer.error());
  const bool driver_answers = gpus && !gpus->empty();
  if (!needs.cuda_sees_one) {
    if (driver_answers) {
      checks.push_back({Level::kFails, "driver", fmt::format("version {}, but CUDA finds no GPU", gpus->front().driver),
                        "install the library libcuda.so.1 of this driver; in a container, start it with access to the "
                        "GPU"});
    } else if (needs.gpu) {
      checks.push_back({Level::kFails, "driver", "no GPU: libcuda.so.1 finds none",
                        "install NVIDIA's driver (version 580 or later for CUDA 13), or grade on the emulator"});
    } else {
      checks.push_back({Level::kWorks, "driver", "no GPU here; the emulator is used, which measures no speed", ""});
    }
    return checks;
  }
  if (!driver_answers) {
    checks.push_back({Level::kDoubt, "driver",
                      "CUDA finds a GPU, but nvidia-smi does not say more: " +
                          (gpus ? std::string("it lists none") : FirstLine(gpus.error().message)),
                      "install nvidia-smi (Debian: nvidia-smi, Ubuntu: nvidia-utils); without it clocks, ECC and other "
                      "users are not known"});
    return checks;
  }
  checks.push_back(
      {Level::kWorks, "driver",
       fmt::format("version {}, {}", gpus->front().driver, Counted(static_cast<uint64_t>(gpus->size()), "GPU")), ""});
  const Result<std::string> apps =
      run({"nvidia-smi", "--query-compute-apps=gpu_uuid,pid,process_name", "--format=csv,noheader,nounits"});
  for (const Gpu& gpu : *gpus) AddGpu(gpu, apps, needs.course, &checks);
  return checks;
}

}  // namespace warpgrade::doctor
