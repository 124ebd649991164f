// One table: the course's best solutions beside the libraries that a practitioner would take, all on one GPU in one
// run.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/support/stopwatch.h"

namespace peers {

// What a line of the table says beside the times.
struct Subject {
  std::string what;  // "lab4 v8, image, 9 x 9"
  std::string size;  // "8192^2"
  std::string peer;  // "CUB"
  std::string unit;  // of the amounts, for each second: "GB/s" or "TFLOP/s"
  double ours = 0;   // amount of work in one of our calls: 1e9 bytes or 1e12 operations
  double theirs = 0;
  double goal = 0;  // that the ratio is to reach
};

class Comparison {
 public:
  // Only the labs in `wanted`, or all when it is empty. Prints the table's head. Throws std::runtime_error with CUDA's
  // words.
  explicit Comparison(std::vector<std::string> wanted);

  bool Wants(const std::string& lab) const;
  cudaStream_t stream() const { return watch_.stream(); }

  // Times `ours` and `theirs`, which launch on stream(), in turn, each after a flush of the L2 cache, and prints one
  // line. `is_right`: what ours wrote has been compared.
  template <typename Ours, typename Theirs>
  void Time(const Subject& subject, bool is_right, Ours ours, Theirs theirs) {
    std::vector<double> our_times, their_times;
    for (int i = 0; i < kWarmUps + kPairs; ++i) {
      if (i == kWarmUps) {
        our_times.clear();
        their_times.clear();
      }
      if (i % 2 == 0) our_times.push_back(watch_.Seconds(ours));
      their_times.push_back(watch_.Seconds(theirs));
      if (i % 2 == 1) our_times.push_back(watch_.Seconds(ours));
    }
    Print(subject, is_right, our_times, their_times);
  }

  int lines() const { return lines_; }
  int missed() const { return missed_; }  // lines below their goals
  int wrong() const { return wrong_; }    // lines whose answer was wrong

 private:
  static constexpr int kWarmUps = 4;  // pairs, not counted
  static constexpr int kPairs = 31;

  void Print(const Subject& subject, bool is_right, const std::vector<double>& ours, const std::vector<double>& theirs);

  std::vector<std::string> wanted_;
  lab::Stopwatch watch_;
  int lines_ = 0, missed_ = 0, wrong_ = 0;
};

// One for each lab, in a file of its own name.
void CompareReductions(Comparison& table);
void CompareTransposes(Comparison& table);
void CompareProducts(Comparison& table);
void CompareConvolutions(Comparison& table);
void CompareScans(Comparison& table);
void CompareStencils(Comparison& table);
void CompareHistograms(Comparison& table);
void CompareSparse(Comparison& table);
void CompareSorts(Comparison& table);

}  // namespace peers
