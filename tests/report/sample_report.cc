#include "tests/report/sample_report.h"

#include "grader/score/score.h"

namespace warpgrade::report {
namespace {

using config::Points;
using score::RungMeasurement;
using score::RungScore;
using score::RungStatus;
using score::ThroughputMeasurement;

// 8 for correctness, 2 for at most 4.5 sectors per request in at most 10^6 threads, 2 for 1000 to 2000 GB/s.
config::Rung ARung(const std::string& name) {
  config::Rung rung;
  rung.name = name;
  rung.correctness = Points::FromHundredths(800);
  rung.technique = Points::FromHundredths(200);
  rung.throughput = Points::FromHundredths(200);
  config::TechniqueLimit limit{{"global_load_sectors_per_request", std::nullopt, 4.5}, rung.technique, {}};
  limit.provided.push_back({"threads", std::nullopt, 1e6});
  rung.technique_limits.push_back(limit);
  rung.throughput_scales["any"].zero = 1000;
  rung.throughput_scales["any"].full = 2000;
  return rung;
}

RungMeasurement Right() {
  RungMeasurement measurement;
  measurement.cases = measurement.cases_passed = 12;
  measurement.technique_measured = true;
  measurement.metrics = {{"global_load_sectors_per_request", 4}, {"threads", 262144}};
  return measurement;
}

RungScore OnEmulator(const std::string& name, const RungMeasurement& measurement) {
  return score::ScoreRung(ARung(name), measurement, {});
}

RungScore OnGpu(const std::string& name, RungMeasurement measurement, ThroughputMeasurement throughput) {
  measurement.throughput = std::move(throughput);
  return score::ScoreRung(ARung(name), measurement, {true, "", {}});
}

score::LabScore Summed(const std::string& name, const std::string& title, std::vector<RungScore> rungs) {
  score::LabScore lab;
  lab.lab = name;
  lab.title = title;
  for (const RungScore& rung : rungs) {
    lab.points += rung.points;
    lab.max_points += rung.max_points;
    lab.measurable_points += rung.measurable_points;
  }
  lab.rungs = std::move(rungs);
  return lab;
}

ThroughputMeasurement Measured(double gb_s, double spread_percent) {
  ThroughputMeasurement throughput;
  throughput.status = ThroughputMeasurement::Status::kMeasured;
  throughput.value = gb_s;
  throughput.spread_percent = spread_percent;
  throughput.samples = 12;
  throughput.ceiling = 4254;
  return throughput;
}

}  // namespace

RungScore RightRung(const std::string& name) { return OnEmulator(name, Right()); }

RungScore FailedRung(const std::string& name, RungStatus status) {
  RungMeasurement measurement;
  measurement.status = status;
  return OnEmulator(name, measurement);
}

score::LabScore EmulatorLab() {
  RungMeasurement missed = Right();
  missed.metrics["global_load_sectors_per_request"] = 31.5;
  missed.messages = {
      "32 lanes that load 32 neighbouring floats touch 4 sectors. Which element does the lane next to you load?"};

  RungMeasurement wrong = Right();
  wrong.status = RungStatus::kFailed;
  wrong.cases_run = 12;
  wrong.cases_passed = 9;
  wrong.failures = {{"1000 x 33", 32992, "never written", "3.5",
                     "1000 x 33: out[32992] was never written (first of 33). Rows past the last full tile are left "
                     "out."},
                    {"33 x 1", 32, "0", "7.25", ""}};
  wrong.hint = "Which rows does the last tile hold?";

  RungMeasurement race = Right();
  score::Finding finding;
  finding.kind = "shared-race";
  finding.kernel = "transpose_v3<float>";
  finding.file = "v4_unrolled.cu";
  finding.line = 27;
  finding.block = "(3,0,0)";
  finding.thread = "(0,1,0)";
  finding.address = 0x40;
  finding.count = 33;
  finding.message = "read a value of tile that thread (1,0,0) writes without a barrier between them";
  finding.advice = "put a __syncthreads() between the two accesses";
  finding.other_file = finding.file;
  finding.other_line = 22;
  finding.cases = 3;
  finding.case_name = "33 x 1";
  finding.case_number = 5;
  race.findings = {finding};
  race.cases_run = 12;
  race.cases_passed = 9;
  race.cases_faulty = 3;

  RungMeasurement not_compiled;
  not_compiled.status = RungStatus::kCompileError;
  not_compiled.messages = {
      "v5_open.cu(12): error: expected a \";\"\n    tile[y][x] = in[i]\n                      ^\n"};

  return Summed("lab2", "Transpose",
                {RightRung("v1_naive"), OnEmulator("v2_shared", missed), OnEmulator("v3_padded", wrong),
                 OnEmulator("v4_unrolled", race), OnEmulator("v5_open", not_compiled),
                 FailedRung("v6_more", RungStatus::kNotWritten), FailedRung("v7_hangs", RungStatus::kTimeout)});
}

score::LabScore GpuLab() {
  ThroughputMeasurement flagged = Measured(8000, 0.1);
  flagged.status = ThroughputMeasurement::Status::kFlagged;
  flagged.reason = "the worker's own clock says 2.1 ms, the judge's 1.1 ms";
  ThroughputMeasurement not_measured;
  not_measured.reason = "another process holds the GPU";
  return Summed("lab1", "Reduction",
                {OnGpu("v1_fast", Right(), Measured(4130.4, 0.12)), OnGpu("v2_slow", Right(), Measured(1250, 2.5)),
                 OnGpu("v3_forged", Right(), flagged), OnGpu("v4_unmeasured", Right(), not_measured)});
}

score::GpuTelemetry SteadyGpu() {
  score::GpuTelemetry gpu;
  gpu.readings = 12;
  gpu.sm_mhz_min = gpu.sm_mhz_median = gpu.sm_mhz_max = gpu.sm_mhz_highest = 1980;
  gpu.mem_mhz = 3201;
  gpu.temperature_c = 45;
  gpu.power_w = 412;
  gpu.throttle.emplace();
  return gpu;
}

score::GpuTelemetry HotGpu() {
  score::GpuTelemetry gpu = SteadyGpu();
  gpu.sm_mhz_min = 1410;
  gpu.sm_mhz_median = 1755;
  gpu.temperature_c = 91;
  gpu.throttle = {"thermal (hardware)", "power cap"};
  gpu.slowed_down = true;
  gpu.uuid = "GPU-0a1b2c3d-0000-4444-8888-123456789abc";
  return gpu;
}

score::SubmissionScore Submission(const std::string& id, std::vector<score::LabScore> labs) {
  return score::ScoreSubmission(id, std::move(labs));
}

score::GradingReport EmulatorReport(std::vector<score::SubmissionScore> submissions) {
  score::GradingReport report;
  report.kit_version = "0.1.0";
  report.course = "GPU Programming";
  report.device.kind = "emulator";
  report.submissions = std::move(submissions);
  return report;
}

score::GradingReport GpuReport(std::vector<score::SubmissionScore> submissions) {
  score::GradingReport report = EmulatorReport(std::move(submissions));
  report.device = {"gpu", "NVIDIA H200", "GPU-0123", "580.65"};
  return report;
}

}  // namespace warpgrade::report
