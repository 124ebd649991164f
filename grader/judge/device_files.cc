#include "grader/judge/device_files.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

namespace warpgrade::judge {
namespace {

namespace fs = std::filesystem;

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// The 3 of the line "Device Minor: \t 3"; "" when there is none.
std::string MinorNumber(const fs::path& information) {
  static constexpr std::string_view kLabel = "Device Minor:";
  std::ifstream in(information);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(kLabel)) continue;
    const size_t at = line.find_first_not_of(" \t", kLabel.size());
    const std::string number = at == std::string::npos ? "" : line.substr(at, line.find_last_not_of(" \t\r") + 1 - at);
    return IsNumber(number) ? number : "";
  }
  return "";
}

}  // namespace

DeviceFiles DeviceFilesFor(std::string_view bus_id, const fs::path& dev, const fs::path& gpus) {
  std::string folder(bus_id);
  std::ranges::transform(folder, folder.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string minor = folder.empty() ? "" : MinorNumber(gpus / folder / "information");
  const std::string its_file = (dev / ("nvidia" + minor)).string();
  DeviceFiles found;
  std::vector<std::string> others;
  bool has_its_file = false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(dev, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("nvidia")) continue;
    const bool of_a_gpu = IsNumber(std::string_view(name).substr(sizeof("nvidia") - 1));
    const bool its = of_a_gpu && entry.path().string() == its_file;
    has_its_file = has_its_file || its;
    (of_a_gpu && !its ? others : found.paths).push_back(entry.path().string());
  }
  found.of_several_gpus = others.size() + (has_its_file ? 1 : 0) > 1;
  if (!has_its_file) found.paths.insert(found.paths.end(), others.begin(), others.end());
  std::ranges::sort(found.paths);
  return found;
}

std::string FormatUuid(std::span<const char, 16> bytes, std::string_view name) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = name.find(" MIG ") == std::string_view::npos ? "GPU-" : "MIG-";
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string VisibleDevice(const char* ours, std::string_view uuid, bool of_several_gpus) {
  const std::string value = ours == nullptr ? "" : ours;
  return of_several_gpus && !value.starts_with("MIG-") ? std::string(uuid) : value;
}

}  // namespace warpgrade::judge
