// Lab 1 for the judge: cases, inputs, check. Tested by tests/course/lab1/lab_test.cc.
#include <algorithm>
#include <cstring>
#include <string>

#include "grader/result/result.h"
#include "labs/lab1/diagnosis.h"
#include "labs/lab1/hints.h"
#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/lab1/reference.h"
#include "labs/lab1/tolerance.h"
#include "labs/lab1/values.h"

namespace warpgrade::lab1 {
namespace {

constexpr uint64_t kTechniqueElements = uint64_t{1} << 17;
constexpr uint64_t kThroughputElements = uint64_t{1}
                                         << 28;   // 1 GiB: an H200 takes 0.25 ms, long next to what a call costs
constexpr uint64_t kMostHiddenElements = 70'000;  // so that 30 cases take the emulator about a second

struct ElementInfo {
  Element element;
  const char* name;
};
constexpr ElementInfo kElements[] = {{Element::kInt, "int"}, {Element::kFloat, "float"}, {Element::kDouble, "double"}};
struct OperationInfo {
  Operation operation;
  const char* name;
};
constexpr OperationInfo kOperations[] = {{Operation::kSum, "sum"}, {Operation::kMax, "max"}};

Case MakeCase(uint64_t n, Variant variant, Values values, uint64_t front = 0, uint64_t back = 0) {
  Case c;
  c.name = "n = " + std::to_string(n) + ", " + kElements[static_cast<int>(variant.element)].name + ", " +
           kOperations[static_cast<int>(variant.operation)].name;
  if (*Info(values).words != '\0') c.name += std::string(", ") + Info(values).words;
  if (front != 0) c.name += ", d_in " + std::to_string(front) + " past a 16-byte boundary";
  c.variant = VariantNumber(variant);
  c.sizes = {n, front, back};
  c.pattern = static_cast<uint32_t>(values);
  c.elements = n;
  c.bytes_moved = n * ElementBytes(variant.element);
  if (n > 32) c.loaded_bytes = c.bytes_moved;  // fewer may be dealt with by copies
  return c;
}

std::vector<Case> PublicCases() {
#define LAB1_CASE(n, element, operation, values, front, back) \
  MakeCase(n, {Element::element, Operation::operation}, Values::values, front, back),
  return {
#include "lab1_cases.inc"
  };
#undef LAB1_CASE
}

uint64_t Between(Random& random, uint64_t least, uint64_t most) { return least + random() % (most - least + 1); }

Variant AnyVariant(Random& random) { return VariantFromNumber(static_cast<int32_t>(random() % kVariants)); }
Element AnyElement(Random& random) { return static_cast<Element>(random() % 3); }

bool IsPrime(uint64_t n) {
  for (uint64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

uint64_t AnyPrime(Random& random) {
  uint64_t n = Between(random, 100, kMostHiddenElements);
  while (!IsPrime(n)) ++n;
  return n;
}

// Sizes at which off-by-one mistakes live, of random element type and operation.
void AddHiddenSizes(Random& random, std::vector<Case>& cases) {
  auto add = [&](uint64_t n) { cases.push_back(MakeCase(n, AnyVariant(random), Values::kRandom)); };
  for (int i = 0; i < 4; ++i) add((uint64_t{1} << Between(random, 5, 16)) + Between(random, 0, 2) - 1);
  for (int i = 0; i < 4; ++i) add(256 * Between(random, 2, 200) + (i % 2 == 0 ? 1 : -1));
  for (int i = 0; i < 2; ++i) add(AnyPrime(random));
  for (int i = 0; i < 2; ++i) add(Between(random, 1, kMostHiddenElements));
}

// Values chosen against particular mistakes, at random sizes.
void AddHiddenValues(Random& random, std::vector<Case>& cases) {
  auto add = [&](Operation operation, Values values) {
    cases.push_back(MakeCase(Between(random, 700, 20'000), {AnyElement(random), operation}, values));
  };
  for (const Values values : {Values::kEqual, Values::kStairs, Values::kAlternating, Values::kPeakInside}) {
    add(Operation::kSum, values);
  }
  for (const Values values : {Values::kNegative, Values::kEqual, Values::kStairs, Values::kPeakFirst, Values::kPeakLast,
                              Values::kPeakInside}) {
    add(Operation::kMax, values);
  }
  for (const Element element : {Element::kFloat, Element::kDouble}) {
    cases.push_back(MakeCase(AnyPrime(random), {element, Operation::kSum}, Values::kFractions));
  }
}

// d_in off its 16-byte boundary, with fences whose values ruin the answer when they are read. Also tiny ones, where
// head, body and tail of a vectorised loop meet.
void AddHiddenOffsets(Random& random, std::vector<Case>& cases) {
  for (uint64_t front = 1; front <= 3; ++front) {
    cases.push_back(
        MakeCase(Between(random, 1000, 20'000), AnyVariant(random), Values::kRandom, front, Between(random, 1, 8)));
    cases.push_back(MakeCase(Between(random, 1, 9), AnyVariant(random), Values::kRandom, front, 4));
  }
}

template <typename T>
std::optional<Mismatch> CheckAs(const Case& c, std::span<const std::byte> in, std::span<const std::byte> out) {
  const Variant variant = VariantFromNumber(c.variant);
  const Values values = static_cast<Values>(c.pattern);
  WARPGRADE_CHECK(out.size() == sizeof(T) && in.size() >= (c.sizes[kFront] + c.sizes[kCount]) * sizeof(T));
  WrongAnswer<T> answer;
  answer.operation = variant.operation;
  if (c.sizes[kCount] > 0) {
    answer.input = {reinterpret_cast<const T*>(in.data()) + c.sizes[kFront], c.sizes[kCount]};
  }
  std::memcpy(&answer.got, out.data(), sizeof(T));
  answer.expected = Reduce<T>(variant.operation, answer.input);
  answer.allowed = AllowedError(variant, values, answer.expected);

  const double want = answer.expected.value;
  const double got = static_cast<double>(answer.got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  if (got == want || std::abs(got - want) <= answer.allowed) return std::nullopt;

  Mismatch m;
  m.want = Print(static_cast<T>(want));
  m.got = Print(answer.got);
  if (std::all_of(out.begin(), out.end(), [](std::byte b) { return b == kPoison; })) {
    m.got = "never written";
    m.message = c.name + ": d_out[0] was never written (should be " + m.want + ")";
    return m;
  }
  const std::string diagnosis = Diagnose(answer);
  m.message = c.name + ": d_out[0] is " + m.got + ", should be " + m.want;
  if (!diagnosis.empty()) m.message += ", " + diagnosis;
  return m;
}

class ReductionLab final : public Lab {
 public:
  std::string_view name() const override { return "lab1"; }

  std::vector<Case> Cases(std::string_view, CaseSet set, Random& random) const override {
    switch (set) {
      case CaseSet::kPublic:
        return PublicCases();
      case CaseSet::kHidden: {
        std::vector<Case> cases;
        AddHiddenSizes(random, cases);
        AddHiddenValues(random, cases);
        AddHiddenOffsets(random, cases);
        return cases;
      }
      case CaseSet::kTechnique:
        return {MakeCase(kTechniqueElements, {Element::kFloat, Operation::kSum}, Values::kRandom)};
      case CaseSet::kThroughput:
        return {MakeCase(kThroughputElements, {Element::kFloat, Operation::kSum}, Values::kRandom)};
    }
    return {};
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const uint64_t bytes = ElementBytes(VariantFromNumber(c.variant).element);
    std::vector<BufferSpec> buffers(kBuffers);
    buffers[kInBuffer] = {"d_in", BufferSpec::Role::kInput,
                          (c.sizes[kFront] + c.sizes[kCount] + c.sizes[kBack]) * bytes};
    buffers[kOutBuffer] = {"d_out", BufferSpec::Role::kOutput, bytes};
    buffers[kWorkBuffer] = {"d_work", BufferSpec::Role::kWorkspace, WorkElements(c.sizes[kCount]) * bytes};
    return buffers;
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    WARPGRADE_CHECK(buffer == kInBuffer);
    Draw(VariantFromNumber(c.variant), static_cast<Values>(c.pattern), random(), c.sizes[kCount], c.sizes[kFront],
         bytes);
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    WARPGRADE_CHECK(buffers.size() == kBuffers);
    const auto in = buffers[kInBuffer], out = buffers[kOutBuffer];
    switch (VariantFromNumber(c.variant).element) {
      case Element::kInt:
        return CheckAs<int32_t>(c, in, out);
      case Element::kFloat:
        return CheckAs<float>(c, in, out);
      case Element::kDouble:
        return CheckAs<double>(c, in, out);
    }
    return std::nullopt;
  }

  std::string Hint(std::string_view rung, std::string_view what) const override {
    return std::string(HintFor(rung, what));
  }
};

}  // namespace
}  // namespace warpgrade::lab1

namespace warpgrade {

const Lab& Lab1() {
  static const lab1::ReductionLab kLab;
  return kLab;
}

}  // namespace warpgrade
