#include "tests/judge/toy_lab.h"

#include <cstring>

namespace warpgrade::judge {
namespace {

int32_t At(std::span<const std::byte> bytes, uint64_t i) {
  int32_t value;
  std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
  return value;
}

Case MakeCase(uint64_t n) {
  Case c;
  c.name = "n = " + std::to_string(n);
  c.sizes = {n};
  c.elements = n;
  c.bytes_moved = 2 * n * sizeof(int32_t);
  return c;
}

}  // namespace

std::vector<Case> ToyLab::Cases(std::string_view, CaseSet set, Random&) const {
  switch (set) {
    case CaseSet::kPublic:
      return {MakeCase(0), MakeCase(1), MakeCase(100), MakeCase(1000)};
    case CaseSet::kHidden:
      return {MakeCase(777)};
    case CaseSet::kTechnique:
      return {MakeCase(4096)};
    case CaseSet::kOtherSize:
      return {MakeCase(4032)};
    case CaseSet::kThroughput:
      return {MakeCase(timed_elements)};
  }
  return {};
}

std::optional<Case> ToyLab::OfSize(std::string_view, uint64_t elements) const { return MakeCase(elements); }

std::vector<BufferSpec> ToyLab::Buffers(const Case& c) const {
  const uint64_t bytes = c.sizes[0] * sizeof(int32_t);
  return {{"d_in", BufferSpec::Role::kInput, bytes, place},
          {"d_out", BufferSpec::Role::kOutput, bytes, place},
          {"d_work", BufferSpec::Role::kWorkspace, bytes, place}};
}

void ToyLab::DrawInput(const Case&, int, Random& random, std::span<std::byte> bytes) const {
  ++drawn_on_host;
  for (uint64_t i = 0; i < bytes.size() / sizeof(int32_t); ++i) {
    const auto value = static_cast<int32_t>(random() % 1'000'000);
    std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
  }
}

std::optional<Mismatch> ToyLab::Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const {
  ++checked_on_host;
  int32_t poison;
  std::memset(&poison, std::to_integer<int>(kPoison), sizeof(poison));
  std::optional<Mismatch> first;
  for (uint64_t i = 0; i < c.sizes[0]; ++i) {
    const int32_t got = At(buffers[1], i), want = 2 * At(buffers[0], i);
    if (got == want) continue;
    if (first) {
      ++first->count;
      continue;
    }
    first = Mismatch{i, 1, got == poison ? "never written" : std::to_string(got), std::to_string(want),
                     c.name + ": out[" + std::to_string(i) + "] is wrong"};
  }
  return first;
}

std::optional<GpuWork> ToyLab::OnGpu(const Case& c) const {
  if (!has_kernels) return std::nullopt;
  return GpuWork{.ptx = "toy", .drawn = {0}, .checks = {{"check"}}, .scratch_bytes = 8, .checked = c.sizes[0]};
}

std::string ToyLab::Note(std::string_view, const std::map<std::string, double>& metrics) const {
  const auto blocks = metrics.find("blocks");
  return blocks != metrics.end() && blocks->second > 1000 ? "these are many blocks" : "";
}

std::string ToyLab::Hint(std::string_view, std::string_view what) const {
  return what == "correctness" ? "is every element doubled?" : "";
}

const Lab* FindToyLab(const std::string& name, const std::string& /*source*/) {
  static const ToyLab lab;
  return name == lab.name() ? &lab : nullptr;
}

}  // namespace warpgrade::judge
