// What a lab tells the judge: its cases, how to draw inputs, and how to check outputs against a reference. The
// reference is computed in fp64 from a copy of the inputs that no student code has seen. Each labs/labN/lab.cc
// implements Lab. The judge never loads student code into the process that holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

enum class CaseSet {
  kPublic,      // what students see with `check`: the sizes in labs/labN/cases.yaml
  kHidden,      // what `grade` adds: sizes drawn afresh plus adversarial values
  kTechnique,   // one case, large enough that metrics are steady, small enough for the emulator (about 0.1 s)
  kThroughput,  // one case, GPU only, far larger than the L2 cache
};

struct Case {
  std::string name;             // what a person reads: "n = 1000, float, sum"
  int32_t variant = 0;          // see LabCall::variant
  std::vector<uint64_t> sizes;  // see LabCall::sizes
  uint32_t pattern = 0;         // which values to draw; numbered by the lab, 0 = ordinary random values
  uint64_t elements = 0;        // input elements (or results, where a lab says so), for metrics per element
  uint64_t bytes_moved = 0;     // the fewest bytes the task must move through device memory; throughput = this / time
  // The fewest bytes that kernels must store to and load from global memory, on the emulator, which sees it: an answer
  // without them was not computed on the device and counts as wrong. 0: not looked at.
  uint64_t stored_bytes = 0, loaded_bytes = 0;
  // The same of floating-point operations: for a lab whose input is in host memory, so that the host could compute and
  // have a kernel carry the answer.
  uint64_t fewest_flops = 0;
  uint64_t flops = 0;  // for a task that arithmetic bounds: its operations. Then throughput is GFLOP/s
};

struct BufferSpec {
  enum class Role { kInput, kOutput, kWorkspace };
  // kHost: ordinary host memory, where copying is the lesson. kLockedHost: page-locked, for asynchronous copies.
  enum class Place { kDevice, kHost, kLockedHost };
  std::string name;  // "d_in"
  Role role = Role::kInput;
  uint64_t bytes = 0;  // may be 0: the student then gets a null pointer
  Place place = Place::kDevice;
};

struct Mismatch {
  uint64_t index = 0;     // first wrong element of the output buffer
  uint64_t count = 1;     // how many are wrong
  std::string got, want;  // as printed to a person; got is "never written" when the poison is still there
  std::string message;    // one sentence: "1000 x 33: out[32992] (row 999, column 25) ..."
};

// 64-bit generator with a seed from the system's entropy (judge) or a fixed one (tests).
using Random = std::mt19937_64;

class Lab {
 public:
  virtual ~Lab() = default;
  virtual std::string_view name() const = 0;  // "lab1"
  // Rung names are course.yaml's ("v3_sequential"); a lab may give rungs different cases.
  virtual std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const = 0;
  // In the order of LabCall::buffers. Exactly the same for every call of one case.
  virtual std::vector<BufferSpec> Buffers(const Case& c) const = 0;
  // Fills the input buffer number `buffer`. May use several threads; the content depends only on `random` and the case.
  virtual void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const = 0;
  // Compares the outputs with the reference of the pristine inputs. `buffers` has one span per BufferSpec: pristine
  // content for inputs, what the student left for outputs, empty for workspaces. Outputs were filled with kPoison bytes
  // before the call. NaN is wrong unless the reference is NaN.
  virtual std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const = 0;
  // A sentence for a student whose answer is wrong or whose metric misses its limit: where to look, never the answer.
  // `what` is "correctness" or a metric name. "" when there is nothing to add.
  virtual std::string Hint(std::string_view rung, std::string_view what) const = 0;
};

inline constexpr std::byte kPoison{0xCB};  // as float -2.67e7, as int -875836469: improbable as an answer

}  // namespace warpgrade
