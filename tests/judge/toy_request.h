// Asks for nvcc students of the toy lab (tests/judge/cuda/) to be judged on the emulator. For the tests of judge_test,
// whose build says where the students and the runtimes are.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "grader/judge/judge.h"
#include "tests/judge/toy_lab.h"

namespace warpgrade::judge {

inline JudgeRequest RequestToy(const std::string& student) {
  JudgeRequest request;
  request.lab = FindToyLab("toy");
  request.rung = student;
  request.executable = std::string(CUDA_STUDENT_FOLDER) + "/" + student;
  request.emulator_runtime_folder = EMULATOR_RUNTIME_FOLDER;
  return request;
}

// In this process.
inline score::RungMeasurement JudgeToy(const JudgeRequest& request) {
  const Result<score::RungMeasurement> measurement = JudgeRungInProcess(request);
  EXPECT_TRUE(measurement.ok()) << measurement.error().message;
  return measurement ? *measurement : score::RungMeasurement();
}

inline score::RungMeasurement JudgeToy(const std::string& student) { return JudgeToy(RequestToy(student)); }

}  // namespace warpgrade::judge
