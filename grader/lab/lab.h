// What a lab tells the judge: its cases, how to draw inputs, and how to check outputs against a reference. The
// reference is computed in fp64 from a copy of the inputs that no student code has seen. Each labs/labN/lab.cc
// implements Lab. The judge never loads student code into the process that holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/gpu_work.h"

namespace warpgrade {

enum class CaseSet {
  kPublic,      // the cases of `check`, which students see: the sizes in labs/labN/cases.yaml
  kHidden,      // the cases that `grade` adds: sizes drawn afresh, and adversarial values
  kTechnique,   // one case, large enough for steady metrics and small enough for the emulator (about 0.1 s)
  kOtherSize,   // one case like that of kTechnique, drawn from slightly smaller sizes; a lab may have none
  kThroughput,  // one case, GPU only, far larger than the L2 cache
};

// One call to judge: its sizes, the values to draw, and the work that it must do.
struct Case {
  std::string name;             // for people: "n = 1000, float, sum"
  int32_t variant = 0;          // see LabCall::variant
  std::vector<uint64_t> sizes;  // see LabCall::sizes
  uint32_t pattern = 0;         // the kind of values to draw; numbered by the lab, 0 = ordinary random values
  uint64_t elements = 0;        // input elements (or results, where a lab says so), for metrics per element
  uint64_t bytes_moved = 0;     // the fewest bytes the task must move through device memory; throughput = this / time
  // The fewest bytes that kernels must store to and load from global memory. The emulator counts them: an answer with
  // fewer was not computed on the device and counts as wrong. 0: not checked.
  uint64_t stored_bytes = 0, loaded_bytes = 0;
  // The fewest floating-point operations that kernels must do, checked likewise. For a lab whose input is in host
  // memory: there the host could compute the answer and let a kernel only copy it.
  uint64_t fewest_flops = 0;
  int number = 0;  // of a public case, from 1, for `check --case`; the judge sets it
  // The allocation of the student's program that fails in this call, from 1; 0: none. Such a case only runs on the
  // emulator.
  int failing_allocation = 0;
  // The case tests whether a grid may have very many blocks; smaller cases test everything else. Where there is a GPU,
  // the emulator runs such a case only if it fails on the GPU, because it takes seconds for millions of threads. So on
  // a GPU nothing looks for faults in code that only this case reaches.
  bool many_blocks = false;
  // The operations of a task that is bound by arithmetic. When it is not 0, throughput is in GFLOP/s.
  uint64_t flops = 0;
};

// An array that a case passes to the student's function.
struct BufferSpec {
  enum class Role { kInput, kOutput, kWorkspace };
  // kHost: ordinary host memory, where copying is the lesson. kLockedHost: page-locked, for asynchronous copies.
  enum class Place { kDevice, kHost, kLockedHost };
  std::string name;  // "d_in"
  Role role = Role::kInput;
  uint64_t bytes = 0;  // may be 0: the student then gets a null pointer
  Place place = Place::kDevice;
};

// The first difference between the student's outputs and the reference.
struct Mismatch {
  uint64_t index = 0;     // first wrong element of the output buffer
  uint64_t count = 1;     // how many are wrong; 0 if what is wrong is no element of an array
  std::string got, want;  // as printed to a person; got is "never written" when the poison is still there
  std::string message;    // one sentence: "1000 x 33: out[32992] (row 999, column 25) ..."
};

// A 64-bit generator. The judge seeds it with the system's entropy, tests with a fixed number.
using Random = std::mt19937_64;

// Thrown by a lab whose own part fails, such as a reference that crashes. The rung is then not judged, so that it costs
// no student points.
struct LabFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Lab {
 public:
  virtual ~Lab() = default;
  virtual std::string_view name() const = 0;  // "lab1"
  // From where another process of the kit can open the lab again. "": it is a lab of the kit, and its name is enough.
  virtual std::string_view source() const { return ""; }
  // The cases of a rung, which is named as in course.yaml ("v3_sequential"). Rungs may have different cases.
  virtual std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const = 0;
  // The throughput case with about `elements` elements in place of its own, for `warpgrade plot`. nullopt: the lab's
  // task has no such family of sizes. REQUIRES: elements > 0.
  virtual std::optional<Case> OfSize(std::string_view /*rung*/, uint64_t /*elements*/) const { return std::nullopt; }
  // How many times as long the samples are in which a rung is timed as those of a plot, which take 2 ms. There are
  // fewer of them then. With 2, the same programs graded beside others differed by at most 0.7%, with 1 by up to 1.3%
  // (lab2, H200). More where gradings of one program would still differ by more than 1%, because the error of the
  // judge's clock is too large a part of a sample.
  virtual int SampleLength(std::string_view /*rung*/) const { return 2; }
  // The buffers of a case, in the order of LabCall::buffers. They are exactly the same for every call of one case.
  virtual std::vector<BufferSpec> Buffers(const Case& c) const = 0;
  // Fills the input buffer number `buffer`. May use several threads; the content depends only on `random` and the case.
  virtual void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const = 0;
  // Compares the outputs with a reference that is computed from the inputs. nullopt: they are right. `buffers` has one
  // span per BufferSpec: for an input the values before the call, for an output the values after it, and an empty span
  // for a workspace. Outputs were filled with kPoison bytes before the call. NaN is wrong unless the reference is NaN.
  virtual std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const = 0;
  // How the case is drawn and checked on the GPU instead. nullopt: it is not. Asked for timed cases only.
  virtual std::optional<GpuWork> OnGpu(const Case& /*c*/) const { return std::nullopt; }
  // A sentence for a student whose answer is wrong or whose metric misses its limit. It says where to look, never the
  // answer. `what` is "correctness" or a metric name. "" when there is nothing to add.
  virtual std::string Hint(std::string_view rung, std::string_view what) const = 0;
  // A sentence for a student whose rung is right, about something that costs no points: a weakness, for instance, that
  // an earlier rung has removed. `metrics` are those of the case for technique, by name. "" when there is nothing to
  // say.
  virtual std::string Note(std::string_view /*rung*/, const std::map<std::string, double>& /*metrics*/) const {
    return "";
  }
};

inline constexpr std::byte kPoison{0xCB};  // four of them are -2.67e7 as a float, -875836469 as an int: rare answers

// Whether an array of the case is in host memory.
inline bool HasHostArrays(const Lab& lab, const Case& c) {
  for (const BufferSpec& array : lab.Buffers(c)) {
    if (array.place != BufferSpec::Place::kDevice) return true;
  }
  return false;
}

}  // namespace warpgrade
