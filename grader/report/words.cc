// The phrases that the table, JUnit and CSV share: cells of the table, and the notes below a rung, which are sorted so
// that the most useful comes first. Tests: tests/report/words_test.cc, tests/report/table_test.cc.
#include "grader/report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "grader/demangle/demangle.h"
#include "grader/report/gpu_words.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"
#include "grader/score/failure_kind.h"
#include "grader/score/throughput.h"

namespace warpgrade::report {
namespace {

using score::RungStatus;
using score::ThroughputMeasurement;

// Further notes of the same kind only make the report longer. The JSON has all of them.
constexpr size_t kMostShown = 3;

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// "<= 4.5" as "limit 4.5", ">= 0.9" as "at least 0.9", ">= 1 and <= 2" as "1 to 2", ">= 2 and <= 2" as "exactly 2".
std::string LimitWords(const std::string& limit) {
  constexpr std::string_view kMiddle = " and <= ";
  const size_t middle = limit.find(kMiddle);
  if (limit.starts_with(">= ") && middle != std::string::npos) {
    const std::string least = limit.substr(3, middle - 3), most = limit.substr(middle + kMiddle.size());
    return least == most ? "exactly " + least : fmt::format("{} to {}", least, most);
  }
  const bool one_end = !Contains(limit, " and ");
  if (one_end && limit.starts_with("<= ")) return "limit " + limit.substr(3);
  if (one_end && limit.starts_with(">= ")) return "at least " + limit.substr(3);
  return "limit " + limit;
}

// `what` is one of them: "failed case".
void AddShown(const std::vector<std::string>& all, const std::string& what, std::vector<std::string>* notes) {
  for (size_t i = 0; i < std::min(all.size(), kMostShown); ++i) notes->push_back(all[i]);
  if (all.size() <= kMostShown) return;
  notes->push_back("... and " + Counted(all.size() - kMostShown, "more " + what));
}

// Failures that are alike.
struct FailuresOfAKind {
  const score::CaseFailure* shown;  // the first one whose case is not empty, or the first one
  size_t cases = 0;
};

// The failures to show, by kind: those that no finding explains. Where findings explain all of them, one with wrong
// values is left, if there is any: it may have a cause of its own.
std::vector<FailuresOfAKind> Shown(const score::RungMeasurement& measurement) {
  std::vector<FailuresOfAKind> kinds;
  std::vector<std::string> names;  // of the kinds
  const score::CaseFailure* wrong_value = nullptr;
  for (const score::CaseFailure& failure : measurement.failures) {
    if (failure.explained) {
      if (wrong_value == nullptr && failure.index) wrong_value = &failure;
      continue;
    }
    const std::string name = score::KindOf(failure);
    const auto known = name.empty() ? names.end() : std::find(names.begin(), names.end(), name);
    const auto index = static_cast<size_t>(known - names.begin());
    if (index == names.size()) {
      names.push_back(name);
      kinds.push_back({&failure});
    }
    FailuresOfAKind& kind = kinds[index];
    if (kind.shown->case_elements == 0 && failure.case_elements > 0) kind.shown = &failure;
    kind.cases += 1 + static_cast<size_t>(std::max(failure.alike, 0));
  }
  if (kinds.empty() && wrong_value != nullptr) kinds.push_back({wrong_value, 1});
  return kinds;
}

// How many cases failed. A report of an older kit does not say how many cases were run.
size_t FailedCases(const score::RungMeasurement& measurement) {
  const int failed = measurement.cases_run - measurement.cases_passed - measurement.cases_faulty;
  return std::max(measurement.failures.size(), static_cast<size_t>(std::max(failed, 0)));
}

// One failure for each kind. The hint stands behind the first, before it is lost among the others. Where there are
// findings, they come first, and one failure is enough.
void AddFailures(const score::RungMeasurement& measurement, std::vector<std::string>* notes) {
  const std::vector<FailuresOfAKind> kinds = Shown(measurement);
  const bool has_findings = !measurement.findings.empty();
  if (has_findings && !measurement.hint.empty()) notes->push_back(Printable(measurement.hint));
  const size_t shown = std::min(kinds.size(), has_findings ? 1 : kMostShown);
  size_t told = 0;
  for (size_t i = 0; i < shown; ++i) {
    std::string words = FailureWords(*kinds[i].shown);
    if (kinds[i].cases > 1) words += fmt::format("\n  and {} like it", Counted(kinds[i].cases - 1, "more case"));
    notes->push_back(std::move(words));
    told += kinds[i].cases;
    if (i == 0 && !has_findings && !measurement.hint.empty()) notes->push_back(Printable(measurement.hint));
  }
  if (shown == 0 || kinds[0].shown->explained) return;
  // A finding says in how many cases it was seen. The rest is counted only if some are neither there nor above.
  size_t seen = 0;
  for (const score::Finding& finding : measurement.findings) {
    seen = std::max(seen, static_cast<size_t>(std::max(finding.cases, 0)));
  }
  const size_t failed = FailedCases(measurement);
  if (failed > told + seen) notes->push_back("... and " + Counted(failed - told, "more failed case"));
}

// Where the rung was stopped before its last case. `case_is_known`: the first failure is that of this case.
void AddStop(const score::RungMeasurement& measurement, bool case_is_known, std::vector<std::string>* notes) {
  if (measurement.cases_run == 0 || measurement.cases_run >= measurement.cases || measurement.failures.empty()) return;
  if (measurement.status == RungStatus::kNotWritten || !case_is_known) return;
  notes->push_back(fmt::format("it was stopped in case {} of {} ({}); no case after it was run", measurement.cases_run,
                               measurement.cases, PrintableLine(measurement.failures.front().case_name)));
}

// Advice stands in full only once for each file.
void AddFindings(const score::RungMeasurement& measurement, const std::string& check, std::vector<std::string>* notes) {
  std::vector<std::string> findings;
  std::map<std::pair<std::string, std::string>, int> line_of;  // the first with this file and advice; 0: not known
  for (score::Finding finding : measurement.findings) {
    const auto [first, is_new] = line_of.try_emplace({finding.file, finding.advice}, finding.line);
    if (!is_new && !finding.advice.empty()) {
      finding.advice = first->second > 0 ? fmt::format("as for line {}", first->second) : "as above";
    }
    findings.push_back(FindingWords(finding, measurement.cases_run, check));
  }
  AddShown(findings, "fault", notes);
}

// The emulator saw at once that the threads wait for each other for ever, and no time ran out.
bool HangsAtBarrier(const score::RungMeasurement& measurement) {
  const auto any = [&measurement](std::string_view kind) {
    return std::any_of(measurement.findings.begin(), measurement.findings.end(),
                       [kind](const score::Finding& finding) { return finding.kind == kind; });
  };
  return !measurement.out_of_time && any("barrier-divergence") && !any("endless-loop") && !any("deadlock");
}

}  // namespace

std::string StatusWords(RungStatus status) {
  switch (status) {
    case RungStatus::kPassed:
      return "right";
    case RungStatus::kFailed:
      return "wrong";
    case RungStatus::kNotWritten:
      return "not written yet";
    case RungStatus::kCompileError:
      return "does not compile";
    case RungStatus::kTimeout:
      return "timed out";
    case RungStatus::kCrashed:
      return "crashed";
    case RungStatus::kLimit:
      return "over a limit";
    case RungStatus::kRefused:
      return "refused";
    case RungStatus::kMissing:
      return "no file";
  }
  return "";
}

std::string CorrectnessCell(const score::RungMeasurement& measurement) {
  const std::string cases = fmt::format("{}/{}", measurement.cases_passed, measurement.cases);
  switch (measurement.status) {
    case RungStatus::kPassed:
      return measurement.cases == 0 ? "-"
                                    : "ok " + cases;  // none: points that stand beside the rungs, such as an override
    case RungStatus::kFailed:
      if (measurement.cases == 0) return "WRONG";
      if (measurement.cases_passed + measurement.cases_faulty == measurement.cases) {
        return fmt::format("FAULT {0}/{0}", measurement.cases);
      }
      return "WRONG " + cases;
    case RungStatus::kTimeout:
      return HangsAtBarrier(measurement) ? "HUNG AT A BARRIER" : "TIMED OUT";
    case RungStatus::kCrashed:
      return "CRASHED";
    case RungStatus::kLimit:
      return "OVER A LIMIT";
    case RungStatus::kRefused:
      return "REFUSED";
    case RungStatus::kCompileError:
    case RungStatus::kNotWritten:
    case RungStatus::kMissing:
      return StatusWords(measurement.status);
  }
  return "";
}

Tone ToneOf(RungStatus status) {
  switch (status) {
    case RungStatus::kPassed:
      return Tone::kGood;
    case RungStatus::kNotWritten:
    case RungStatus::kMissing:
      return Tone::kQuiet;
    default:
      return Tone::kBad;
  }
}

std::string BoundsWords(const score::BoundsResult& result) {
  std::string metric = PrintableLine(result.metric);
  std::replace(metric.begin(), metric.end(), '_', ' ');
  const std::string limit = LimitWords(PrintableLine(result.limit));
  if (!result.value) return fmt::format("{} not measured ({})", metric, limit);
  return fmt::format("{} {} ({})", NumberWords(*result.value), metric, limit);
}

std::string TechniqueWords(const score::TechniqueResult& result) {
  std::string words = BoundsWords(result);
  for (const score::BoundsResult& provided : result.provided) {
    if (!provided.passed && result.value_holds) words += ", with " + BoundsWords(provided);
  }
  return words;
}

std::string ThroughputCell(const score::RungScore& rung) {
  const ThroughputMeasurement& throughput = rung.measurement.throughput;
  const std::string speed = fmt::format("{} {}", NumberWords(throughput.value), PrintableLine(throughput.unit));
  switch (throughput.status) {
    case ThroughputMeasurement::Status::kNotMeasured:
      if (rung.throughput_max == config::Points()) return "-";
      return rung.measurement.status == RungStatus::kPassed ? "not measured here" : "";
    case ThroughputMeasurement::Status::kFlagged:
      return "FLAGGED " + speed;
    case ThroughputMeasurement::Status::kMeasured:
      break;
  }
  std::string cell = fmt::format("{} ±{:.1f}%", speed, throughput.spread_percent);
  if (throughput.accepted) cell += ", accepted";
  if (const auto share = score::ShareOfCeiling(throughput)) {
    const bool of_copy = throughput.ceiling_of == ThroughputMeasurement::Ceiling::kCopy;
    cell += of_copy ? fmt::format(", {:.0f}% of copy", *share * 100)
                    : fmt::format(", {:.1f}% of the solution", *share * 100);
  }
  return cell;
}

std::string PointsWords(config::Points points, config::Points most) {
  return most <= config::Points() ? points.ToString() : points.ToString() + "/" + most.ToString();
}

std::string NumberWords(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const double magnitude = std::fabs(value);
  if (magnitude >= 1e15) return fmt::format("{:.3e}", value);
  if (magnitude >= 1000 || value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string FailureWords(const score::CaseFailure& failure) {
  const std::string name = PrintableLine(failure.case_name);
  std::string words = Printable(failure.message);
  const std::string got = PrintableLine(failure.got), want = PrintableLine(failure.want);
  // The judge's message may already have each of these parts. It may also begin with the size of the case, such as
  // "31 x 31" of "31 x 31, float", which is removed here.
  const std::string size = name.substr(0, name.find(',')) + ": ";
  if (size.size() > 2 && words.starts_with(size)) words.erase(0, size.size());
  if (!name.empty() && !words.starts_with(name)) words = words.empty() ? name : fmt::format("{}: {}", name, words);
  if (failure.index && !Contains(words, std::to_string(*failure.index))) {
    words += fmt::format(" [element {}]", *failure.index);
  }
  if (!(got.empty() && want.empty()) && !(Contains(words, got) && Contains(words, want))) {
    if (words.ends_with('.')) words.pop_back();
    // "was never written" is also the value that was found.
    words += Contains(words, got) || got == "never written" ? fmt::format(" (want {})", want)
                                                            : fmt::format(" (got {}, want {})", got, want);
  }
  return words;
}

std::string CountWords(uint64_t count) {
  if (count < 1000) return std::to_string(count);
  const auto about = [count](double unit, const char* name) {
    const double value = static_cast<double>(count) / unit;
    return value < 9.95 ? fmt::format("about {:.1f} {}", value, name) : fmt::format("about {:.0f} {}", value, name);
  };
  if (count < 999'500) {
    const uint64_t digit = count < 10'000 ? 100 : count < 100'000 ? 1000 : 10'000;  // two digits are kept
    const uint64_t rounded = (count + digit / 2) / digit * digit;
    return rounded == 1'000'000 ? "about 1 million" : fmt::format("about {},{:03}", rounded / 1000, rounded % 1000);
  }
  return count < 999'500'000 ? about(1e6, "million") : about(1e9, "billion");
}

std::string FindingWords(const score::Finding& finding, int cases_run, const std::string& check) {
  std::string words;
  if (!finding.file.empty()) {
    words = PrintableLine(finding.file);
    if (finding.line > 0) words += fmt::format(":{}", finding.line);
    words += "  ";
  }
  words += fmt::format("{}: {}", PrintableLine(finding.kind), Printable(finding.message));
  std::vector<std::string> where;
  if (!finding.kernel.empty()) where.push_back("kernel " + PrintableLine(ShortName(finding.kernel)));
  if (!finding.block.empty()) where.push_back("block " + PrintableLine(finding.block));
  if (!finding.thread.empty()) where.push_back("thread " + PrintableLine(finding.thread));
  std::string seen;
  if (finding.count > 1) seen = CountWords(finding.count) + " times";
  if (cases_run > 1 && finding.cases > 0) {
    seen += fmt::format("{}in {} of {} cases", seen.empty() ? "" : " ", std::min(finding.cases, cases_run), cases_run);
  }
  if (!seen.empty()) where.push_back(seen);
  if (!where.empty()) words += fmt::format("\n  seen   {}", fmt::join(where, ", "));
  if (!finding.advice.empty()) words += "\n  to do  " + Printable(finding.advice);
  if (!check.empty() && finding.case_number > 0) {
    words += fmt::format("\n  again  {} --case {}  ({})", check, finding.case_number, PrintableLine(finding.case_name));
  } else if (!finding.case_name.empty()) {
    words += fmt::format("\n  in     {}", PrintableLine(finding.case_name));
  }
  return words;
}

std::string CheckCommand(const score::GradingReport& report, const std::string& lab, const std::string& rung) {
  return PrintableLine(
      fmt::format("{} check {} {}{}", report.check_program, lab, rung.substr(0, rung.find('_')), report.check_options));
}

std::vector<std::string> Notes(const score::RungScore& rung, const score::DeviceDescription& device,
                               const std::string& check) {
  const score::RungMeasurement& measurement = rung.measurement;
  std::vector<std::string> notes;
  const std::string again =
      check.empty() || measurement.delay_seed == 0 ? check : fmt::format("{} --seed {}", check, measurement.delay_seed);
  // The fault comes first, because it is the cause. For wrong values the failed cases follow. What ended a program is
  // in the messages, and the failed case only says where.
  AddFindings(measurement, again, &notes);
  if (measurement.status == RungStatus::kFailed) AddFailures(measurement, &notes);
  for (const std::string& message : measurement.messages) notes.push_back(Printable(message));
  if (measurement.status != RungStatus::kFailed) AddFailures(measurement, &notes);
  if (measurement.status != RungStatus::kPassed && measurement.findings.empty() && again != check) {
    notes.push_back(
        fmt::format("the emulator delayed work or changed its order, as CUDA allows; to repeat this: {}", again));
  }
  AddStop(measurement, rung.visibility_note.empty() || rung.hidden_now, &notes);
  const ThroughputMeasurement& throughput = measurement.throughput;
  const bool flagged = throughput.status == ThroughputMeasurement::Status::kFlagged;
  // On the emulator the heading says why nothing is measured.
  const bool expected =
      device.kind == "gpu" && measurement.status == RungStatus::kPassed && rung.throughput_max > config::Points();
  if (!throughput.reason.empty() && (flagged || expected)) {
    notes.push_back("throughput: " + Printable(throughput.reason));
  }
  if (throughput.gpu && throughput.gpu->slowed_down) notes.push_back(SlowdownWords(*throughput.gpu));
  if (throughput.accepted) {
    notes.push_back(fmt::format("accepted by {} at {}: {}", PrintableLine(throughput.accepted->by),
                                PrintableLine(throughput.accepted->when), Printable(throughput.accepted->because)));
  }
  if (!rung.visibility_note.empty()) notes.push_back(Printable(rung.visibility_note));
  return notes;
}

std::vector<std::string> UnfinishedWords(const score::SubmissionScore& submission) {
  constexpr size_t kMostNamed = 3;
  std::vector<std::pair<std::string, std::vector<std::string>>> rungs_of;  // by reason, in order
  for (const score::UnfinishedRung& rung : submission.unfinished) {
    const auto known =
        std::find_if(rungs_of.begin(), rungs_of.end(), [&rung](const auto& row) { return row.first == rung.reason; });
    auto& row = known == rungs_of.end() ? rungs_of.emplace_back(rung.reason, std::vector<std::string>()) : *known;
    row.second.push_back(PrintableLine(rung.lab + "." + rung.rung));
  }
  std::vector<std::string> words;
  for (const auto& [reason, rungs] : rungs_of) {
    const std::string which =
        rungs.size() > kMostNamed ? Counted(rungs.size(), "rung") : fmt::format("{}", fmt::join(rungs, ", "));
    words.push_back(fmt::format("NOT FINISHED: {}: {}", which, PrintableLine(reason)));
  }
  return words;
}

std::string DeviceWords(const score::DeviceDescription& device) {
  if (device.kind != "gpu") return PrintableLine(device.kind);
  return device.name.empty() ? "GPU" : PrintableLine(device.name);
}

std::string HeadingText(const std::vector<std::string>& parts, const score::DeviceDescription& device, bool colour) {
  std::string heading;
  for (const std::string& part : parts) heading += part.empty() ? "" : part + " · ";
  const std::string where = DeviceWords(device);
  if (where.empty()) heading = heading.substr(0, heading.rfind(" · "));
  std::string text = Toned(heading + where, Tone::kTitle, colour);
  if (!where.empty() && device.kind != "gpu") text += " (throughput is measured on the course's GPU, not here)";
  return text + "\n";
}

}  // namespace warpgrade::report
