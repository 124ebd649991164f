// The smallest lab there can be, for testing the judge: d_out[i] = 2 * d_in[i], n ints, one int of workspace per
// element.
#pragma once

#include "grader/lab/lab.h"

namespace warpgrade::judge {

class ToyLab : public Lab {
 public:
  std::string_view name() const override { return "toy"; }
  // Public: n = 0, 1, 100, 1000. Hidden: n = 777. Technique: n = 4096. Throughput: n = 2^20.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override;
  std::optional<Case> OfSize(std::string_view rung, uint64_t elements) const override;
  std::vector<BufferSpec> Buffers(const Case& c) const override;
  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override;
  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override;
  std::string Hint(std::string_view rung, std::string_view what) const override;
  // Of a rung with more than 1000 blocks.
  std::string Note(std::string_view rung, const std::map<std::string, double>& metrics) const override;

  std::optional<GpuWork> OnGpu(const Case& c) const override;

  BufferSpec::Place place = BufferSpec::Place::kDevice;  // of all buffers
  bool has_kernels = false;                              // OnGpu
  uint64_t timed_elements = uint64_t{1} << 20;
  mutable int drawn_on_host = 0, checked_on_host = 0;
};

// The ToyLab, by its name "toy"; nullptr for any other.
const Lab* FindToyLab(const std::string& name, const std::string& source = "");

}  // namespace warpgrade::judge
