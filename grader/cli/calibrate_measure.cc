// A round is a grading session whose submissions are made here. Each submission has at most one program of each rung.
//
//   programs --> submissions "1", "2", ... --> RunAtHome (only throughput) --> gradings --> the file
//
// Cases and technique are left out: the solutions, earlier rungs and mutants are known to be right by the tests of the
// course, and the judge checks the output of every timed call. A program that fails there is left out, with the reason.
// Tests: tests/cli/calibrate_command_test.cc, and on a GPU by hand.
#include "grader/cli/calibrate_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "grader/cli/grading_session.h"
#include "grader/cli/home_sandbox.h"
#include "grader/report/file.h"
#include "grader/result/counted.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

using calibrate::Grading;
using calibrate::Measurements;
using calibrate::Program;
using ThroughputStatus = score::ThroughputMeasurement::Status;

// The programs of one round as submissions.
class Submissions {
 public:
  void Add(const ProgramToTime& one) {
    const std::string file = one.program.lab + "/" + one.program.rung + ".cu";
    const size_t place = taken_[file]++;
    if (place == submissions_.size()) {
      submissions_.emplace_back();
      submissions_.back().id = submissions_.back().student = std::to_string(place + 1);
    }
    submissions_[place].files[file] = one.source;
    programs_[{submissions_[place].id, one.program.lab, one.program.rung}] = one.program;
  }

  const std::vector<submission::Submission>& all() const { return submissions_; }
  size_t count() const { return programs_.size(); }

  // nullptr: the submission has no program of this rung.
  const Program* Find(const std::string& id, const std::string& lab, const std::string& rung) const {
    const auto found = programs_.find({id, lab, rung});
    return found == programs_.end() ? nullptr : &found->second;
  }

 private:
  std::vector<submission::Submission> submissions_;
  std::map<std::string, size_t> taken_;  // by file: how many submissions have it
  std::map<std::tuple<std::string, std::string, std::string>, Program> programs_;
};

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Why this program says nothing about speed; "": it does.
std::string WhyLeftOut(const score::RungMeasurement& measurement) {
  if (measurement.status != score::RungStatus::kPassed) {
    std::string why = std::string("it did not pass: ") + score::Name(measurement.status);
    if (!measurement.failures.empty()) {
      why += ": " + FirstLine(measurement.failures.front().message);
    } else if (!measurement.messages.empty()) {
      why += ": " + FirstLine(measurement.messages.front());
    }
    return why;
  }
  if (measurement.throughput.status == ThroughputStatus::kMeasured) return "";
  const char* what = measurement.throughput.status == ThroughputStatus::kFlagged ? "flagged: " : "not timed: ";
  return what + FirstLine(measurement.throughput.reason);
}

// What `report` has of the programs, in the order of the report.
std::vector<Grading> GradingsOf(const score::GradingReport& report, const Submissions& submissions, int round) {
  std::vector<Grading> gradings;
  for (const score::SubmissionScore& submission : report.submissions) {
    for (const score::LabScore& lab : submission.labs) {
      for (const score::RungScore& rung : lab.rungs) {
        const Program* program = submissions.Find(submission.id, lab.lab, rung.rung);
        if (program == nullptr) continue;
        Grading grading{.program = *program, .round = round, .left_out = WhyLeftOut(rung.measurement), .speed = {}};
        if (grading.left_out.empty()) grading.speed = rung.measurement.throughput;
        if (grading.left_out.empty() && !grading.Value()) grading.left_out = "its speed is not a number above 0";
        gradings.push_back(std::move(grading));
      }
    }
  }
  return gradings;
}

judge::MeasuredParts OnlyThroughput() {
  judge::MeasuredParts parts;
  parts.public_cases = parts.hidden_cases = parts.technique = false;
  return parts;
}

// What the file has already. Errors (kUsage): it is of another kit, so its speeds may be of other programs.
Result<Measurements> Begun(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || std::filesystem::file_size(path, ignored) == 0) {
    Measurements fresh;
    fresh.kit_version = WARPGRADE_VERSION;
    fresh.began = UtcText(std::time(nullptr));
    return fresh;
  }
  Result<Measurements> begun = calibrate::ReadMeasurements(path);
  if (!begun) return begun;
  if (begun->kit_version == WARPGRADE_VERSION) return begun;
  return Error{ErrorKind::kUsage, fmt::format("{} was written by warpgrade {}, and this is {}; name another file with "
                                              "--json",
                                              path, begun->kit_version, WARPGRADE_VERSION)};
}

class Rounds {
 public:
  Rounds(const MeasureOptions& options, Measurements begun) : options_(options) {
    result_.measurements = std::move(begun);
  }

  // False: no more rounds.
  Result<bool> Run(const std::vector<ProgramToTime>& programs, int round) {
    Submissions submissions;
    for (const ProgramToTime& one : programs) {
      if (!result_.measurements.Has(one.program, round)) submissions.Add(one);
    }
    if (submissions.count() == 0) return true;
    const Measurements before = result_.measurements;
    Result<SessionResult> graded = RunAtHome(SessionOf(submissions, before, round));
    if (!graded) return graded.error();
    if (Status kept = Keep(before, graded->report, submissions, round); !kept.ok()) return kept.error();
    result_.failures.insert(result_.failures.end(), graded->failures.begin(), graded->failures.end());
    result_.interrupted = graded->interrupted;
    return !graded->interrupted && graded->failures.empty();
  }

  MeasureResult Take() { return std::move(result_); }

 private:
  SessionOptions SessionOf(const Submissions& submissions, const Measurements& before, int round) {
    SessionOptions session;
    session.paths = {options_.solutions};  // `choose` puts the programs in their place
    session.labs = options_.labs;
    session.rungs = options_.rungs;
    session.device = options_.device;
    session.jobs = options_.jobs;
    session.course_yaml = options_.course_yaml;
    session.delay_seed = 0;
    session.parts = OnlyThroughput();
    session.plain_speeds = true;
    session.cancel = options_.cancel;
    session.choose = [this, &submissions](
                         const SessionFacts& facts,
                         const std::vector<submission::Submission>&) -> Result<std::vector<submission::Submission>> {
      finished_ = 0;  // RunAtHome may begin again, without the sandbox
      if (Status fits = TakeDevice(facts.device); !fits.ok()) return fits.error();
      return submissions.all();
    };
    session.on_event = [this, &submissions, round](const RungEvent& event) {
      const std::string id = submissions.all().at(event.submission).id;
      const Program* program = submissions.Find(id, event.lab, event.rung);
      if (program == nullptr || !options_.on_progress) return;
      if (event.ended) ++finished_;
      options_.on_progress(finished_, static_cast<int>(submissions.count()),
                           fmt::format("round {}: {} {}, {}", round, event.lab, event.rung, Words(*program)));
    };
    session.on_report = [this, &submissions, before, round](const score::GradingReport& so_far) {
      // The next one, or the one at the end, says if the disk is full.
      static_cast<void>(Keep(before, so_far, submissions, round));
    };
    return session;
  }

  Status TakeDevice(const score::DeviceDescription& device) {
    score::DeviceDescription& known = result_.measurements.device;
    if (known.name.empty()) known = device;
    if (known.name == device.name) return Status();
    return Error{ErrorKind::kUsage,
                 fmt::format("{} has the speeds of {}, and this is {}; name another file with --json", options_.json,
                             known.name, device.name)};
  }

  // `before` and what this round has measured so far.
  Status Keep(const Measurements& before, const score::GradingReport& so_far, const Submissions& submissions,
              int round) {
    const score::DeviceDescription device = result_.measurements.device;
    result_.measurements = before;
    result_.measurements.device = device;
    for (Grading& grading : GradingsOf(so_far, submissions, round)) {
      result_.measurements.gradings.push_back(std::move(grading));
    }
    return report::WriteFile(options_.json, calibrate::JsonText(result_.measurements));
  }

  const MeasureOptions& options_;
  MeasureResult result_;
  int finished_ = 0;
};

}  // namespace

Result<MeasureResult> MeasureOnGpu(const ProgramsToTime& programs, const MeasureOptions& options) {
  Result<Measurements> begun = Begun(options.json);
  if (!begun) return begun.error();
  Rounds rounds(options, std::move(*begun));
  for (int round = 1; round <= options.rounds; ++round) {
    const Result<bool> goes_on = rounds.Run(programs.programs, round);
    if (!goes_on) return goes_on.error();
    if (!*goes_on) break;
  }
  return rounds.Take();
}

}  // namespace warpgrade::cli
