// Draws the ladder from the measurements that the kit ships. What is not GB/s beside a copy, and not GFLOP/s, has no
// bar: a sentence names these rungs. Tests: tests/cli/shipped_speeds_test.cc.
#include "grader/cli/shipped_speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace warpgrade::cli {
namespace {

using SpeedsJson = nlohmann::json;

enum class Bar { kNone, kShareOfCopy, kGigaflops };

struct RungSpeeds {
  Bar bar = Bar::kNone;
  std::vector<double> values;  // percent of a copy, or GFLOP/s; ascending
};

struct ShippedDevice {
  std::string name, date;
  std::map<std::string, RungSpeeds> rungs;
};

void AddGrading(const SpeedsJson& grading, ShippedDevice* device) {
  RungSpeeds& speeds = device->rungs[grading.at("rung").get<std::string>()];
  const double value = grading.at("value").get<double>(), ceiling = grading.value("ceiling", 0.0);
  if (grading.at("unit") == "GFLOP/s") {
    speeds.bar = Bar::kGigaflops;
    speeds.values.push_back(value);
  } else if (grading.at("ceiling_of") == "copy" && ceiling > 0) {
    speeds.bar = Bar::kShareOfCopy;
    speeds.values.push_back(100 * value / ceiling);
  }
}

std::vector<ShippedDevice> DevicesOf(const std::string& lab) {
  std::vector<ShippedDevice> devices;
  for (const SpeedsJson& one : SpeedsJson::parse(kShippedSpeeds)) {
    if (one.empty()) continue;
    ShippedDevice device{
        one.at("device").at("name").get<std::string>(), one.at("began").get<std::string>().substr(0, 10), {}};
    for (const SpeedsJson& grading : one.at("gradings")) {
      if (!grading.empty() && grading.at("lab") == lab) AddGrading(grading, &device);
    }
    for (auto& [rung, speeds] : device.rungs) std::sort(speeds.values.begin(), speeds.values.end());
    devices.push_back(std::move(device));
  }
  return devices;
}

double MedianOf(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

const RungSpeeds* Find(const ShippedDevice& device, const std::string& rung, Bar bar) {
  const auto found = device.rungs.find(rung);
  return found != device.rungs.end() && found->second.bar == bar ? &found->second : nullptr;
}

// nullopt: no rung has such a bar.
std::optional<plot::Chart> ChartOfBars(const std::vector<ShippedDevice>& devices, const std::vector<std::string>& rungs,
                                       Bar bar) {
  plot::Chart chart;
  for (const std::string& rung : rungs) {
    const bool has_bar =
        std::any_of(devices.begin(), devices.end(), [&](const auto& device) { return Find(device, rung, bar); });
    if (has_bar) chart.categories.push_back(rung);
  }
  if (chart.categories.empty()) return std::nullopt;
  std::string where;
  for (const ShippedDevice& device : devices) {
    plot::Series series{.name = device.name};
    for (size_t x = 0; x < chart.categories.size(); ++x) {
      const RungSpeeds* const speeds = Find(device, chart.categories[x], bar);
      if (speeds == nullptr) continue;
      series.points.push_back(
          {static_cast<double>(x), MedianOf(speeds->values), speeds->values.front(), speeds->values.back()});
    }
    if (series.points.empty()) continue;
    where += (where.empty() ? "" : ", and ") + ("on an " + device.name) + " on " + device.date;
    chart.series.push_back(std::move(series));
  }
  chart.sentences.push_back("Measured with the course's solutions " + where + ".");
  return chart;
}

// Which rungs have no bar, in words; "" if all have one.
std::string LeftOutWords(const std::vector<ShippedDevice>& devices, const std::vector<std::string>& rungs) {
  std::vector<std::string> left_out;
  for (const std::string& rung : rungs) {
    const bool has_bar = std::any_of(devices.begin(), devices.end(), [&](const ShippedDevice& device) {
      const auto found = device.rungs.find(rung);
      return found != device.rungs.end() && found->second.bar != Bar::kNone;
    });
    if (!has_bar) left_out.push_back(rung);
  }
  if (left_out.empty()) return "";
  return fmt::format("Without a bar, because {} not compared with a copy: {}.",
                     left_out.size() == 1 ? "it is" : "they are", fmt::join(left_out, ", "));
}

}  // namespace

std::vector<plot::Chart> ShippedLadder(const std::string& lab, const std::vector<std::string>& rungs) {
  const std::vector<ShippedDevice> devices = DevicesOf(lab);
  std::vector<plot::Chart> charts;
  if (auto share = ChartOfBars(devices, rungs, Bar::kShareOfCopy)) {
    share->id = "share";
    share->title = "The ladder: share of the speed of a copy";
    share->y = {"percent"};
    share->sentences.push_back("A copy in device memory, measured in the same session, is 100 percent.");
    charts.push_back(*std::move(share));
  }
  if (auto speed = ChartOfBars(devices, rungs, Bar::kGigaflops)) {
    speed->id = "speed";
    speed->title = "The ladder: speed of the arithmetic";
    speed->y = {"GFLOP/s"};
    charts.push_back(*std::move(speed));
  }
  if (charts.empty()) return charts;
  if (const std::string left_out = LeftOutWords(devices, rungs); !left_out.empty()) {
    charts.front().sentences.push_back(left_out);
  }
  return charts;
}

}  // namespace warpgrade::cli
