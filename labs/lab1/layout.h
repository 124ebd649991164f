// What the judge and the adapter must agree on about a call of lab1: how element type and operation are numbered, what
// the sizes mean, and how large the workspace is. No CUDA here, so that the judge can include it.
#pragma once

#include <cstddef>
#include <cstdint>

// Elements that d_work holds for an input of n elements. Enough for every pass of the ladder to have its own stretch
// when a block reduces at least 32 elements: n/32 + n/32^2 + ... + one for each of at most 7 rounded-up passes.
constexpr size_t WorkElements(size_t n) { return n / 16 + 1024; }

namespace lab1 {

enum class Element : int32_t { kInt, kFloat, kDouble };
enum class Operation : int32_t { kSum, kMax };

struct Variant {
  Element element = Element::kFloat;
  Operation operation = Operation::kSum;
};

inline constexpr int32_t kVariants = 6;

// LabCall::variant and Case::variant.
constexpr int32_t VariantNumber(Variant v) {
  return static_cast<int32_t>(v.element) * 2 + static_cast<int32_t>(v.operation);
}
// REQUIRES: 0 <= number < kVariants.
constexpr Variant VariantFromNumber(int32_t number) {
  return {static_cast<Element>(number / 2), static_cast<Operation>(number % 2)};
}

constexpr size_t ElementBytes(Element element) { return element == Element::kDouble ? 8 : 4; }

// Positions in LabCall::buffers and in Lab::Buffers.
enum Buffer { kInBuffer, kOutBuffer, kWorkBuffer, kBuffers };

// Positions in LabCall::sizes and Case::sizes. The input buffer holds front + n + back elements:
//
//   buffer:  | front | d_in[0] ... d_in[n-1] | back |
//
// `front` elements make d_in start off a 16-byte boundary; `back` elements are a fence whose values must not be read.
enum Size { kCount, kFront, kBack, kSizes };

// The address of d_in[0] in an input buffer; null when there is no buffer.
inline const void* InputStart(Variant variant, const void* buffer, size_t front) {
  return buffer == nullptr ? nullptr : static_cast<const std::byte*>(buffer) + front * ElementBytes(variant.element);
}

}  // namespace lab1
