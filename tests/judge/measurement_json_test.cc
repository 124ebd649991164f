#include "grader/judge/measurement_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "tests/judge/toy_lab.h"

namespace warpgrade::judge {
namespace {

score::Pictures FullPictures() {
  score::LineRequests requests{27, true, score::LineRequests::Does::kAtomic, 5, 160, 5};
  requests.costs = {{32, 1, 5}};
  requests.shown = {4, 0x80000001, {0, 0xffff'ffff'ffff'fff0}, "d_in", "k", {1, 2, 3}, {32, 8, 1}, 7, 32, 1};
  const score::LineBranches branches{28, 9, 8, "k2", {3, 2, 1}, {64, 1, 1}, 1, 7, 6, {{0xffffffff, 0xff, 0xf}}};
  const score::RaceOfTwo race{
      "k3", "tile[33]", "block", {27, "wrote", {1, 0, 0}, {2, 0, 0}, 3, 4}, {29, "read", {5, 0, 0}, {6, 0, 0}, 7, 8},
      28};
  score::BlockSteps block{.kernel = "k4", .launch = 2, .launches = 3};
  block.grid = {7, 1, 1};
  block.arrays = {{"tile", score::StepArray::Space::kRegisters, score::StepArray::Type::kFloat, 8, 99}};
  block.left_out = 11;
  score::BlockStep& step = block.steps.emplace_back();
  step.part = 4;
  step.lines = {27, 31};
  step.shared_store_lanes = 12;
  step.reads = {{5, {0, 6, 7}}};
  step.writes = {{8, score::StepWrite::Does::kShuffle, {0, 9, 0xffff'ffff'ffff'fff1}, {{0, 10, 11}, {0, 12, 13}}, 14}};
  return {"512 x 512", {requests}, {branches}, {race}, {block}};
}

score::RungMeasurement FullMeasurement() {
  score::RungMeasurement m;
  m.status = score::RungStatus::kFailed;
  m.cases = 12;
  m.cases_run = 11;
  m.cases_passed = 9;
  m.cases_faulty = 1;
  m.failures.push_back({"1000 x 33", 32992, "never written", "1.5", "out[32992] was never written"});
  m.failures.push_back({"n = 0", std::nullopt, "", "", "threw", true});
  m.technique_measured = true;
  m.metrics = {{"shared_bank_conflicts", 31.0}, {"global_load_efficiency", 1.0 / 3}};
  m.answer_metrics = {{"shared_bank_conflicts", 30.0}};
  m.line_counts = {{27, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  score::Finding finding;
  finding.kind = "shared-memory-race";
  finding.kernel = "k";
  finding.file = "v3.cu";
  finding.line = 27;
  finding.block = "(3,0,0)";
  finding.thread = "(33,0,0)";
  finding.address = 0xffff'ffff'ffff'fff0;
  finding.count = 5;
  finding.message = "two threads";
  finding.advice = "put a barrier between";
  finding.other_file = "v3.h";
  finding.other_line = 25;
  finding.reach = "block";
  finding.barrier_line = 26;
  finding.reads_first = true;
  finding.cases = 4;
  finding.case_name = "n = 33";
  finding.case_number = 7;
  finding.case_elements = 33;
  m.findings.push_back(finding);
  m.throughput.status = score::ThroughputMeasurement::Status::kFlagged;
  m.throughput.value = 3622.123456789;
  m.throughput.spread_percent = 0.25;
  m.throughput.samples = 10;
  m.throughput.seconds = 0.00075;
  m.throughput.ceiling = 4187.5;
  m.throughput.reason = "clocks";
  score::GpuTelemetry gpu;
  gpu.readings = 10;
  gpu.sm_mhz_min = 1410;
  gpu.sm_mhz_median = 1755;
  gpu.sm_mhz_max = 1965;
  gpu.sm_mhz_highest = 1980;
  gpu.mem_mhz = 3201;
  gpu.temperature_c = 61;
  gpu.power_w = 412;
  gpu.throttle = {"thermal (hardware)", "power cap"};
  gpu.slowed_down = true;
  gpu.uuid = "GPU-34";
  m.throughput.gpu = gpu;
  m.hint = "look at n";
  m.messages = {"one", "two\nlines"};
  m.pictures = FullPictures();
  return m;
}

TEST(MeasurementJsonTest, EveryFieldComesBack) {
  const score::RungMeasurement sent = FullMeasurement();
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(sent));
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->status, sent.status);
  EXPECT_EQ(got->cases, 12);
  EXPECT_EQ(got->cases_run, 11);
  EXPECT_EQ(got->cases_passed, 9);
  EXPECT_EQ(got->cases_faulty, 1);
  ASSERT_EQ(got->failures.size(), 2u);
  EXPECT_EQ(got->failures[0].case_name, "1000 x 33");
  EXPECT_EQ(got->failures[0].index, 32992u);
  EXPECT_EQ(got->failures[0].got, "never written");
  EXPECT_EQ(got->failures[0].want, "1.5");
  EXPECT_EQ(got->failures[0].message, sent.failures[0].message);
  EXPECT_EQ(got->failures[1].index, std::nullopt);
  EXPECT_FALSE(got->failures[0].explained);
  EXPECT_TRUE(got->failures[1].explained);
  EXPECT_TRUE(got->technique_measured);
  EXPECT_EQ(std::tie(got->metrics, got->answer_metrics), std::tie(sent.metrics, sent.answer_metrics));
  ASSERT_EQ(got->findings.size(), 1u);
  EXPECT_EQ(got->findings[0].kind, "shared-memory-race");
  EXPECT_EQ(got->findings[0].kernel, "k");
  EXPECT_EQ(got->findings[0].file, "v3.cu");
  EXPECT_EQ(got->findings[0].line, 27);
  EXPECT_EQ(got->findings[0].block, "(3,0,0)");
  EXPECT_EQ(got->findings[0].thread, "(33,0,0)");
  EXPECT_EQ(got->findings[0].address, 0xffff'ffff'ffff'fff0);
  EXPECT_EQ(got->findings[0].count, 5u);
  EXPECT_EQ(got->findings[0].message, "two threads");
  EXPECT_EQ(got->findings[0].advice, "put a barrier between");
  EXPECT_EQ(got->findings[0].other_file, "v3.h");
  EXPECT_EQ(got->findings[0].other_line, 25);
  EXPECT_EQ(got->findings[0].cases, 4);
  EXPECT_EQ(got->findings[0].case_name, "n = 33");
  EXPECT_EQ(got->findings[0].case_number, 7);
  EXPECT_EQ(got->findings[0].case_elements, 33u);
  EXPECT_EQ(got->throughput.status, sent.throughput.status);
  EXPECT_EQ(got->throughput.value, sent.throughput.value);
  EXPECT_EQ(got->throughput.unit, "GB/s");
  EXPECT_EQ(got->throughput.spread_percent, 0.25);
  EXPECT_EQ(got->throughput.samples, 10);
  EXPECT_EQ(got->throughput.seconds, 0.00075);
  EXPECT_EQ(got->throughput.ceiling, 4187.5);
  EXPECT_EQ(got->throughput.reason, "clocks");
  ASSERT_TRUE(got->throughput.gpu);
  const score::GpuTelemetry& gpu = *got->throughput.gpu;
  EXPECT_EQ(gpu.readings, 10);
  EXPECT_EQ(gpu.sm_mhz_min, 1410);
  EXPECT_EQ(gpu.sm_mhz_median, 1755);
  EXPECT_EQ(gpu.sm_mhz_max, 1965);
  EXPECT_EQ(gpu.sm_mhz_highest, 1980);
  EXPECT_EQ(gpu.mem_mhz, 3201);
  EXPECT_EQ(gpu.temperature_c, 61);
  EXPECT_EQ(gpu.power_w, 412);
  EXPECT_EQ(gpu.throttle, sent.throughput.gpu->throttle);
  EXPECT_EQ(std::tie(gpu.slowed_down, gpu.uuid), std::tuple(true, "GPU-34"));
  EXPECT_EQ(got->hint, "look at n");
  EXPECT_EQ(got->messages, sent.messages);
}

TEST(MeasurementJsonTest, TheCountsOfEachLineComeBack) {
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(FullMeasurement()));
  ASSERT_TRUE(got.ok()) << got.error().message;
  ASSERT_EQ(got->line_counts.size(), 1u);
  EXPECT_EQ(got->line_counts[0].line, 27);
  EXPECT_EQ(got->line_counts[0].instructions, 1u);
  EXPECT_EQ(got->line_counts[0].divergent_branches, 9u);
}

TEST(MeasurementJsonTest, PicturesComeBack) {
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(FullMeasurement()));
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->pictures.case_name, "512 x 512");
  ASSERT_EQ(got->pictures.requests.size(), 1u);
  const score::LineRequests& line = got->pictures.requests[0];
  EXPECT_EQ(line.line, 27);
  EXPECT_TRUE(line.in_shared);
  EXPECT_EQ(line.does, score::LineRequests::Does::kAtomic);
  EXPECT_EQ(std::tie(line.requests, line.cost, line.fewest), std::tuple(5u, 160u, 5u));
  ASSERT_EQ(line.costs.size(), 1u);
  EXPECT_EQ(std::tie(line.costs[0].cost, line.costs[0].fewest, line.costs[0].count), std::tuple(32u, 1u, 5u));
  const score::MemoryRequest& shown = line.shown;
  EXPECT_EQ(std::tie(shown.bytes, shown.lanes, shown.warp), std::tuple(4, 0x80000001u, 7));
  EXPECT_THAT(shown.at, testing::ElementsAre(0u, 0xffff'ffff'ffff'fff0));
  EXPECT_EQ(std::tie(shown.array, shown.kernel), std::tuple("d_in", "k"));
  EXPECT_EQ(std::tie(shown.block.x, shown.block.y, shown.block.z), std::tuple(1u, 2u, 3u));
  EXPECT_EQ(std::tie(shown.block_size.x, shown.block_size.y, shown.block_size.z), std::tuple(32u, 8u, 1u));
  EXPECT_EQ(std::tie(shown.cost, shown.fewest), std::tuple(32u, 1u));
  ASSERT_EQ(got->pictures.branches.size(), 1u);
  const score::LineBranches& branches = got->pictures.branches[0];
  EXPECT_EQ(std::tie(branches.line, branches.executed, branches.divergent), std::tuple(28, 9u, 8u));
  EXPECT_EQ(std::tie(branches.kernel, branches.block.x, branches.block_size.x), std::tuple("k2", 3u, 64u));
  EXPECT_EQ(std::tie(branches.warp, branches.warp_executed, branches.warp_divergent), std::tuple(1, 7u, 6u));
  ASSERT_EQ(got->pictures.races.size(), 1u);
  const score::RaceOfTwo& race = got->pictures.races[0];
  EXPECT_EQ(std::tie(race.kernel, race.place, race.reach, race.barrier_line),
            std::tuple("k3", "tile[33]", "block", 28));
  EXPECT_EQ(std::tie(race.first.line, race.first.verb, race.first.warp, race.first.lane),
            std::tuple(27, "wrote", 3, 4));
  EXPECT_EQ(std::tie(race.first.block.x, race.first.thread.x), std::tuple(1u, 2u));
  EXPECT_EQ(std::tie(race.second.line, race.second.verb, race.second.warp), std::tuple(29, "read", 7));
  ASSERT_EQ(branches.steps.size(), 1u);
  EXPECT_EQ(std::tie(branches.steps[0].alive, branches.steps[0].at, branches.steps[0].inside),
            std::tuple(0xffffffffu, 0xffu, 0xfu));
}

TEST(MeasurementJsonTest, StepsComeBack) {
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(FullMeasurement()));
  ASSERT_TRUE(got.ok()) << got.error().message;
  ASSERT_EQ(got->pictures.steps.size(), 1u);
  const score::BlockSteps& block = got->pictures.steps[0];
  EXPECT_EQ(std::tie(block.kernel, block.launch, block.launches, block.grid.x, block.left_out),
            std::tuple("k4", 2u, 3u, 7u, 11u));
  ASSERT_EQ(block.arrays.size(), 1u);
  EXPECT_EQ(std::tie(block.arrays[0].name, block.arrays[0].space, block.arrays[0].type, block.arrays[0].elements),
            std::tuple("tile", score::StepArray::Space::kRegisters, score::StepArray::Type::kFloat, 99u));
  ASSERT_EQ(block.steps.size(), 1u);
  const score::BlockStep& step = block.steps[0];
  EXPECT_EQ(std::tie(step.part, step.shared_store_lanes), std::tuple(4u, 12u));
  EXPECT_THAT(step.lines, testing::ElementsAre(27, 31));
  ASSERT_EQ(step.reads.size(), 1u);
  EXPECT_EQ(std::tie(step.reads[0].thread, step.reads[0].what.element, step.reads[0].what.bits),
            std::tuple(5u, 6u, 7u));
  ASSERT_EQ(step.writes.size(), 1u);
  const score::StepWrite& write = step.writes[0];
  EXPECT_EQ(std::tie(write.thread, write.does, write.what.bits, write.more_sources),
            std::tuple(8u, score::StepWrite::Does::kShuffle, 0xffff'ffff'ffff'fff1u, 14u));
  ASSERT_EQ(write.sources.size(), 2u);
  EXPECT_EQ(std::tie(write.sources[1].element, write.sources[1].bits), std::tuple(12u, 13u));
}

TEST(MeasurementJsonTest, WhatIsKnownOfARaceComesBack) {
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(FullMeasurement()));
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->findings[0].reach, "block");
  EXPECT_EQ(got->findings[0].barrier_line, 26);
  EXPECT_TRUE(got->findings[0].reads_first);
}

TEST(MeasurementJsonTest, TelemetryThatIsNotThereStaysSo) {
  score::RungMeasurement m;
  EXPECT_FALSE(ParseMeasurement(SerializeMeasurement(m))->throughput.gpu);
  m.throughput.gpu.emplace().readings = 3;
  const score::GpuTelemetry gpu = ParseMeasurement(SerializeMeasurement(m))->throughput.gpu.value();
  EXPECT_EQ(gpu.readings, 3);
  EXPECT_EQ(gpu.sm_mhz_median, std::nullopt);
  EXPECT_EQ(gpu.throttle, std::nullopt);
}

// Guards the first test: whatever it forgets, serialising again would lose.
TEST(MeasurementJsonTest, SerialisingWhatWasParsedChangesNothing) {
  const std::string once = SerializeMeasurement(FullMeasurement());
  EXPECT_EQ(SerializeMeasurement(*ParseMeasurement(once)), once);
}

TEST(MeasurementJsonTest, BytesThatAreNoTextDoNotStopIt) {
  score::RungMeasurement m;
  m.messages = {"bad \xff byte"};
  EXPECT_TRUE(ParseMeasurement(SerializeMeasurement(m)).ok());
}

TEST(MeasurementJsonTest, AnythingElseIsAnErrorAndNoException) {
  for (const char* bad : {"", "{", "[]", "{}", "{\"status\": 99}", "null"}) {
    const Result<score::RungMeasurement> got = ParseMeasurement(bad);
    ASSERT_FALSE(got.ok()) << bad;
    EXPECT_EQ(got.error().kind, ErrorKind::kMachine);
  }
}

TEST(OutcomeJsonTest, CarriesAMeasurementOrAnError) {
  const Result<score::RungMeasurement> good = ParseOutcome(SerializeOutcome(FullMeasurement()));
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->cases, 12);
  const Result<score::RungMeasurement> bad =
      ParseOutcome(SerializeOutcome(Error{ErrorKind::kUnsupported, "no GPU here: none"}));
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(bad.error().message, "no GPU here: none");
  EXPECT_FALSE(ParseOutcome("").ok());
}

TEST(MeasurementJsonTest, SizesComeBackAndAreAskedFor) {
  score::RungMeasurement m;
  score::SizeMeasurement size;
  size.elements = 1024;
  size.throughput.value = 3.5;
  size.clock_error_percent = 7.5;
  size.metrics = {{"blocks", 4.0}};
  m.sizes = {size};
  m.checks = {0.25, "n = 5", 1.5, "n = 7"};
  const Result<score::RungMeasurement> got = ParseMeasurement(SerializeMeasurement(m));
  ASSERT_TRUE(got.ok() && got->sizes.size() == 1);
  EXPECT_EQ(got->sizes[0].elements, 1024u);
  EXPECT_EQ(got->sizes[0].throughput.value, 3.5);
  EXPECT_EQ(got->sizes[0].clock_error_percent, 7.5);
  EXPECT_EQ(got->sizes[0].metrics, size.metrics);
  JudgeRequest request;
  request.lab = FindToyLab("toy");
  request.parts.sizes = {1024, 2048};
  request.parts.sizes_ns = 5'000'000'000;
  const Result<JudgeRequest> asked = ParseRequest(SerializeRequest(request), FindToyLab);
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->parts.sizes, request.parts.sizes);
  EXPECT_EQ(asked->parts.sizes_ns, request.parts.sizes_ns);
}

// Long because it sets each field, and compares each.
TEST(RequestJsonTest, EveryFieldComesBackAndTheLabIsFoundByName) {
  JudgeRequest sent;
  sent.lab = FindToyLab("toy");
  sent.rung = "v1_toy";
  sent.executable = "/x/v1_toy";
  sent.calibrator = "/x/calibrator";
  sent.isolation.confine = true;
  sent.isolation.hidden = {"/x/solutions"};
  sent.device = DeviceChoice::kGpu;
  sent.limits = {1, 2, 3, 4, 5, 6, 7, 8};
  sent.parts = {false, false, false, true, true, BlockToRecord{5, 6}, false, 1000};
  sent.emulator_runtime_folder = "/lib/emulator";
  sent.gpu_runtime_folder = "/lib/cuda";
  sent.emulator_threads = 2;
  sent.timing.min_samples = 11;
  sent.timing.max_overhead_spread_ns = 12;
  sent.timing.attempts = 13;
  sent.timing.sample_ns = 14;
  sent.timing.max_calls = 5;
  sent.timing.disturbance_ns = 15;
  sent.timing.edges = {{0.5, true}, {700, false}};
  sent.timing.edge_share = 0.25;
  sent.timing.max_workers = 2;
  sent.timing.workers = 16;
  sent.solution = "/x/solution";
  sent.gpu = "GPU-12";
  sent.hides_cases = true;
  sent.delay_seed = 12;
  sent.wanted_counts = {{"shared_bank_conflicts", std::nullopt, 0.5}, {"instructions", 10.0, 20.0}};
  sent.seed = 0xffff'ffff'ffff'ffff;
  const std::string json = SerializeRequest(sent);
  const Result<JudgeRequest> got = ParseRequest(json, FindToyLab);
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->lab, sent.lab);
  EXPECT_EQ(got->device, DeviceChoice::kGpu);
  EXPECT_EQ(got->limits.host_visible_kb, 6);
  EXPECT_EQ(got->limits.instruction_budget, 7u);
  EXPECT_EQ(got->limits.total_instruction_budget, 8u);
  EXPECT_FALSE(got->parts.public_cases);
  EXPECT_FALSE(got->parts.hidden_cases);
  EXPECT_FALSE(got->parts.technique);
  EXPECT_TRUE(got->parts.pictures);
  EXPECT_TRUE(got->parts.only_pictures);
  ASSERT_TRUE(got->parts.steps.has_value());
  EXPECT_EQ(std::tie(got->parts.steps->block, got->parts.steps->launch), std::tuple(5u, 6u));
  EXPECT_FALSE(got->parts.throughput);
  EXPECT_EQ(got->parts.most_elements, 1000u);
  EXPECT_TRUE(got->isolation.confine);
  EXPECT_EQ(got->isolation.hidden, sent.isolation.hidden);
  EXPECT_EQ(got->timing.attempts, 13);
  EXPECT_EQ(got->timing.sample_ns, 14);
  EXPECT_EQ(got->timing.max_calls, 5);
  EXPECT_EQ(got->timing.disturbance_ns, 15);
  ASSERT_EQ(got->timing.edges.size(), 2u);
  EXPECT_EQ(got->timing.edges[0].at, 0.5);
  EXPECT_TRUE(got->timing.edges[0].share);
  EXPECT_EQ(got->timing.edges[1].at, 700);
  EXPECT_FALSE(got->timing.edges[1].share);
  EXPECT_EQ(got->timing.edge_share, 0.25);
  EXPECT_EQ(got->timing.max_workers, 2);
  EXPECT_EQ(got->timing.workers, 16);
  EXPECT_EQ(got->solution, "/x/solution");
  EXPECT_EQ(got->gpu, "GPU-12");
  EXPECT_TRUE(got->hides_cases);
  EXPECT_EQ(got->delay_seed, sent.delay_seed);
  ASSERT_EQ(got->wanted_counts.size(), 2u);
  EXPECT_EQ(got->wanted_counts[0].max, 0.5);
  EXPECT_EQ(got->wanted_counts[1].min, 10.0);
  EXPECT_EQ(got->seed, sent.seed);
  EXPECT_EQ(SerializeRequest(*got), json);
}

TEST(RequestJsonTest, ALabThatIsNotThereIsAnError) {
  JudgeRequest sent;
  sent.lab = FindToyLab("toy");
  const Result<JudgeRequest> got = ParseRequest(
      SerializeRequest(sent), [](const std::string&, const std::string&) -> const Lab* { return nullptr; });
  ASSERT_FALSE(got.ok());
  EXPECT_THAT(got.error().message, testing::HasSubstr("no such lab"));
}

}  // namespace
}  // namespace warpgrade::judge
