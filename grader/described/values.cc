// Mixes the seed and the index of an element into 64 bits (the finaliser of SplitMix64), and maps them to the range of
// the buffer. Tests: tests/described/described_lab_test.cc.
#include "grader/described/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "grader/lab/parallel.h"

namespace warpgrade::described {
namespace {

constexpr size_t kFewestPerThread = 4096;

uint64_t Mixed(uint64_t seed, uint64_t index) {
  uint64_t bits = seed + (index + 1) * 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

// A whole bound of a range, which lab.yaml gives as any number.
template <typename T>
T Rounded(double bound) {
  if (bound <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (bound >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(bound);
}

template <typename T>
struct Range {
  T low, high;

  T Uniform(uint64_t bits) const {
    if constexpr (std::is_floating_point_v<T>) {
      const double share = static_cast<double>(bits >> 11) * 0x1p-53;
      return static_cast<T>(static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * share);
    } else {
      const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
      return static_cast<T>(static_cast<uint64_t>(low) + (count == 0 ? bits : bits % count));
    }
  }
  T Nearest(T value) const { return std::clamp(value, low, high); }
  T Sorted(size_t i, size_t n) const {
    const double share = n < 2 ? 0 : static_cast<double>(i) / static_cast<double>(n - 1);
    const double value = static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * share;
    return Nearest(std::is_floating_point_v<T> ? static_cast<T>(value) : Rounded<T>(std::floor(value)));
  }
};

template <typename T>
Range<T> RangeOf(const BufferRow& buffer, const Values& sizes) {
  double low = std::is_floating_point_v<T> ? -1 : std::is_signed_v<T> ? -100 : 0;
  double high = std::is_floating_point_v<T> ? 1 : 100;
  if (buffer.low) low = buffer.low->Number(sizes).ok() ? *buffer.low->Number(sizes) : low;
  if (buffer.high) high = buffer.high->Number(sizes).ok() ? *buffer.high->Number(sizes) : high;
  if constexpr (std::is_floating_point_v<T>) return {static_cast<T>(low), static_cast<T>(high)};
  return {Rounded<T>(std::ceil(low)), std::max(Rounded<T>(std::ceil(low)), Rounded<T>(std::floor(high)))};
}

template <typename T>
T Element(const Range<T>& range, const std::string& kind, uint64_t seed, size_t i, size_t n) {
  if (kind == "zeros") return range.Nearest(T(0));
  if (kind == "ones") return range.Nearest(T(1));
  if (kind == "equal") return range.Uniform(Mixed(seed, n));
  if (kind == "sorted") return range.Sorted(i, n);
  if (kind == "alternating") return i % 2 == 0 ? range.high : range.low;
  if (kind == "single") return i == Mixed(seed, n) % n ? range.high : range.Nearest(T(0));
  return range.Uniform(Mixed(seed, i));
}

template <typename T>
void Fill(const BufferRow& buffer, const Values& sizes, const std::string& kind, uint64_t seed,
          std::span<std::byte> to) {
  const size_t n = to.size() / sizeof(T);
  T* const elements = reinterpret_cast<T*>(to.data());
  const Range<T> range = RangeOf<T>(buffer, sizes);
  const bool is_uniform = kind == kValueKinds[0];  // the timed case, a gigabyte at a time
  ParallelFor((n + kFewestPerThread - 1) / kFewestPerThread, n, [&](size_t begin, size_t end) {
    const size_t last = std::min(n, end * kFewestPerThread);
    for (size_t i = begin * kFewestPerThread; i < last; ++i) {
      elements[i] = is_uniform ? range.Uniform(Mixed(seed, i)) : Element(range, kind, seed, i, n);
    }
  });
}

}  // namespace

void DrawValues(const Description& lab, const BufferRow& buffer, const Case& c, uint64_t seed,
                std::span<std::byte> to) {
  const ElementType& type = lab.TypeOf(buffer, c.variant);
  const std::string& kind = kValueKinds.at(c.pattern);
  const Values sizes = SizesOf(lab, c);
  const auto fill = [&]<typename T>(T /*element*/) { Fill<T>(buffer, sizes, kind, seed, to); };
  if (type.is_float()) return type.bytes == sizeof(float) ? fill(float{}) : fill(double{});
  const bool is_signed = type.kind == ElementType::Kind::kSigned;
  switch (type.bytes) {
    case 1:
      return is_signed ? fill(int8_t{}) : fill(uint8_t{});
    case 2:
      return is_signed ? fill(int16_t{}) : fill(uint16_t{});
    case 4:
      return is_signed ? fill(int32_t{}) : fill(uint32_t{});
    default:
      return is_signed ? fill(int64_t{}) : fill(uint64_t{});
  }
}

}  // namespace warpgrade::described
