// What the batch and its tasks write for each other into a work folder (grader/slurm/work_folder.h), as CBOR, because
// sources may hold any bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/grading_session.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// One submission, and all that a task must know to grade it as this machine would.
struct SlurmOrder {
  std::string lab;
  std::string course_yaml;           // a path in the work folder
  gradebook::Conditions conditions;  // those that the result must have
  uint64_t delay_seed = 0;
  int jobs = 1;  // rungs at the same time
  Sandbox sandbox = Sandbox::kBubblewrap;
  bool use_cache = true;
  submission::Submission submission;
};

std::string PackOrder(const SlurmOrder& order);
// Errors (kMachine): `bytes` are not what PackOrder makes.
Result<SlurmOrder> UnpackOrder(const std::string& bytes);

struct SlurmAnswer {
  std::string node;
  std::string failed;  // why the machine failed; "": it did not
  std::string report;  // as report::JsonText writes it; of one submission
};

std::string PackAnswer(const SlurmAnswer& answer);
// Errors (kMachine): `bytes` are not what PackAnswer makes.
Result<SlurmAnswer> UnpackAnswer(const std::string& bytes);

}  // namespace warpgrade::cli
