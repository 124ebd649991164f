// One student of students/*.cc before the judge, on the fake device.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "grader/judge/correctness.h"
#include "grader/judge/random_source.h"
#include "grader/judge/session.h"
#include "tests/judge/fake/fake_device.h"
#include "tests/judge/toy_lab.h"

namespace warpgrade::judge::fake {

class FakeRung {
 public:
  // `wall_s`: how long the student may keep the judge waiting. Without it, the clock that keeps this limit stands
  // still: a busy machine may take any time.
  explicit FakeRung(const std::string& student, std::optional<int> wall_s = std::nullopt) {
    options.executable = std::string(STUDENT_FOLDER) + "/" + student;
    if (wall_s) {
      options.limits.wall_s = *wall_s;
    } else {
      options.now_ns = [] { return int64_t{0}; };
    }
  }

  // Starts the worker; use context() only when session->alive().
  void Start() {
    Result<std::unique_ptr<Session>> started = Session::Start(options, device, random);
    ASSERT_TRUE(started.ok()) << started.error().message;
    session = std::move(*started);
  }

  // The worker that the grader measures its own costs with: a student that is never called.
  Session& calibrator() {
    if (calibrator_ == nullptr) {
      Session::Options honest = options;
      honest.executable = std::string(STUDENT_FOLDER) + "/honest";
      Result<std::unique_ptr<Session>> started = Session::Start(honest, device, random);
      EXPECT_TRUE(started.ok());
      calibrator_ = std::move(*started);
    }
    return *calibrator_;
  }

  RungContext context() { return RungContext{lab, rung, device, *session, random, /*most_host_visible_bytes=*/4096}; }

  // All public and hidden cases, from a fresh worker.
  score::RungMeasurement Run() {
    score::RungMeasurement measurement;
    Start();
    if (session == nullptr) return measurement;
    Random drawing = random.Next();
    std::vector<Case> cases = lab.Cases(rung, CaseSet::kPublic, drawing);
    for (Case& c : lab.Cases(rung, CaseSet::kHidden, drawing)) cases.push_back(c);
    if (!session->alive()) {
      EXPECT_TRUE(RecordEnd(session->end(), &measurement).ok());
      return measurement;
    }
    const Status status = RunCases(context(), cases, &measurement);
    EXPECT_TRUE(status.ok()) << status.error().message;
    return measurement;
  }

  FakeDevice device;
  RandomSource random;
  ToyLab lab;
  std::string rung = "v1_toy";
  Session::Options options;
  std::unique_ptr<Session> session;

 private:
  std::unique_ptr<Session> calibrator_;
};

}  // namespace warpgrade::judge::fake
