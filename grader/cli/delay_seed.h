// The seed of a grading's delays and orders. Tested by tests/cli/delay_seed_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "grader/digest/digest.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// A seed for SessionOptions::delay_seed, from 64 random bits. It has few enough digits for a person to type. It has too
// many values for a program to try them all while it runs: the judge tells the program seeds that are made from this
// one, and with this one it would know the orders of all cases.
inline uint64_t DelaySeedFrom(uint64_t bits) { return 1 + bits % 999'999'999'999; }

// The seed of an attempt. `files`: all files of the submission by their path, such as "lab1/v3.cu"; only those of `lab`
// count. The same files get the same seed from the same gradebook, so that the attempt can be repeated. Nobody can
// compute the gradebook's 64 bits from it, so the seed in the report of one attempt says nothing about other files.
inline uint64_t DelaySeedOfAttempt(uint64_t gradebook_seed, const std::string& lab,
                                   const std::map<std::string, std::string>& files) {
  Digest digest;
  digest.Add("seed", std::to_string(gradebook_seed));
  for (const auto& [path, content] : files) {
    if (path.starts_with(lab + "/")) digest.Add(path, content);
  }
  return DelaySeedFrom(std::stoull(digest.Hex().substr(0, 16), nullptr, 16));
}

// The seed of what a submission has for a lab. `index`: of the submission in the session.
using DelaySeedOf =
    std::function<uint64_t(size_t index, const std::string& lab, const submission::Submission& submission)>;

inline DelaySeedOf SeedsFromGradebook(uint64_t gradebook_seed) {
  return [gradebook_seed](size_t, const std::string& lab, const submission::Submission& one) {
    return DelaySeedOfAttempt(gradebook_seed, lab, one.files);
  };
}

}  // namespace warpgrade::cli
