// One implementation of the judge's interface for all described labs: cases and inputs come from the description, the
// right answer from the reference's process. A wrong answer is told with its index, and its row and column where an
// array has more than one dimension. Tests: tests/described/described_lab_test.cc.
#include "grader/described/described_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "grader/described/reference.h"
#include "grader/described/values.h"
#include "grader/lab/checks_of_answers.h"
#include "grader/lab/parallel.h"

namespace warpgrade::described {
namespace {

// What is wrong in one output.
struct Difference {
  uint64_t first = 0, count = 0, unwritten = 0;  // of the wrong ones
  bool is_tail = true;                           // all from `first` on
  std::string got, want;
  double tolerance_used = 0;  // where nothing is wrong: the largest error, as a share of the tolerance
};

struct Tolerance {
  double relative = 0, absolute = 0;
};

std::string Print(double number) { return std::isnan(number) ? "nan" : fmt::format("{:.10g}", number); }
template <typename T>
std::string Print(T number) {
  return fmt::format("{}", number);
}

template <typename T, typename Want>
bool IsRight(T got, Want want, const Tolerance& allowed) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want)) return std::isnan(got);
    if (std::isinf(want) || std::isinf(got)) return got == static_cast<T>(want);
    const double bound = allowed.absolute + allowed.relative * std::fabs(want);
    return std::fabs(static_cast<double>(got) - want) <= bound || got == static_cast<T>(want);
  } else {
    if (got == want) return true;
    const double bound = allowed.absolute + allowed.relative * std::fabs(static_cast<double>(want));
    return bound > 0 && std::fabs(static_cast<double>(got) - static_cast<double>(want)) <= bound;
  }
}

// The error of a right answer as a share of what is allowed. A value that is rounded as well as T can has no error.
template <typename T, typename Want>
double ShareOfTolerance(T got, Want want, const Tolerance& allowed) {
  const double exact = static_cast<double>(want);
  const double bound = allowed.absolute + allowed.relative * std::fabs(exact);
  if (!(bound > 0) || !std::isfinite(exact) || got == static_cast<T>(want)) return 0;
  return std::fabs(static_cast<double>(got) - exact) / bound;
}

// Larger arrays would take long, and their sums are in smaller ones, too.
constexpr size_t kMostForShares = size_t{1} << 22;

template <typename T, typename Want>
double LargestShare(std::span<const T> got, const Want* want, const Tolerance& allowed) {
  if ((allowed.absolute <= 0 && allowed.relative <= 0) || got.size() > kMostForShares) return 0;
  std::mutex mutex;
  double largest = 0;
  ForEachChunk(got.size(), [&](size_t, size_t begin, size_t end) {
    double of_chunk = 0;
    for (size_t i = begin; i < end; ++i) of_chunk = std::max(of_chunk, ShareOfTolerance(got[i], want[i], allowed));
    const std::scoped_lock lock(mutex);
    largest = std::max(largest, of_chunk);
  });
  return largest;
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): `got` and `want` are what they are called everywhere
template <typename T, typename Want>
Difference Compare(std::span<const std::byte> got_bytes, const void* want_bytes, const Tolerance& allowed) {
  const size_t n = got_bytes.size() / sizeof(T);
  const T* const got = reinterpret_cast<const T*>(got_bytes.data());
  const Want* const want = static_cast<const Want*>(want_bytes);
  // A right answer is the rule, and is found so by all cores; only a wrong one is looked at from its begin.
  std::atomic<bool> is_right{true};
  ForEachChunk(n, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!IsRight(got[i], want[i], allowed)) is_right = false;
    }
  });
  Difference difference;
  if (is_right) {
    difference.tolerance_used = LargestShare(std::span<const T>(got, n), want, allowed);
    return difference;
  }
  for (size_t i = 0; i < n; ++i) {
    if (IsRight(got[i], want[i], allowed)) {
      difference.is_tail &= difference.count == 0;
      continue;
    }
    const std::span<const std::byte> bytes = got_bytes.subspan(i * sizeof(T), sizeof(T));
    const bool is_unwritten = std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == kPoison; });
    if (difference.count == 0) {
      difference.first = i;
      difference.got = is_unwritten ? "never written" : Print(got[i]);
      difference.want = Print(want[i]);
    }
    ++difference.count;
    difference.unwritten += is_unwritten ? 1 : 0;
  }
  return difference;
}

Difference CompareAs(const ElementType& type, std::span<const std::byte> got, const void* want,
                     const Tolerance& allowed) {
  if (type.is_float()) {
    return type.bytes == sizeof(float) ? Compare<float, double>(got, want, allowed)
                                       : Compare<double, double>(got, want, allowed);
  }
  const bool is_signed = type.kind == ElementType::Kind::kSigned;
  switch (type.bytes) {
    case 1:
      return is_signed ? Compare<int8_t, int8_t>(got, want, allowed) : Compare<uint8_t, uint8_t>(got, want, allowed);
    case 2:
      return is_signed ? Compare<int16_t, int16_t>(got, want, allowed)
                       : Compare<uint16_t, uint16_t>(got, want, allowed);
    case 4:
      return is_signed ? Compare<int32_t, int32_t>(got, want, allowed)
                       : Compare<uint32_t, uint32_t>(got, want, allowed);
    default:
      return is_signed ? Compare<int64_t, int64_t>(got, want, allowed)
                       : Compare<uint64_t, uint64_t>(got, want, allowed);
  }
}

// " (row 3, column 5)"; "" for an array of one dimension.
std::string PlaceOf(uint64_t index, const std::vector<uint64_t>& shape) {
  if (shape.size() == 2) return fmt::format(" (row {}, column {})", index / shape[1], index % shape[1]);
  if (shape.size() < 2) return "";
  std::vector<uint64_t> place(shape.size());
  for (size_t i = shape.size(); i-- > 0; index /= shape[i]) place[i] = index % shape[i];
  return fmt::format(" (at {})", fmt::join(place, ", "));
}

std::string HowMany(const Difference& difference, uint64_t elements) {
  if (difference.count == 1) return elements == 1 ? "" : " (the only wrong element)";
  std::string text = fmt::format(" (first of {} wrong elements", difference.count);
  if (difference.count == elements) {
    text += ", which are all";
  } else if (difference.is_tail) {
    text += ", which are all from there on";
  }
  if (difference.unwritten == difference.count) {
    text += ", none of which was written";
  } else if (difference.unwritten > 0) {
    text += fmt::format("; {} were never written", difference.unwritten);
  }
  return text + ")";
}

class DescribedLab final : public Lab, public ChecksOfAnswers {
 public:
  DescribedLab(Description description, Built built) : lab_(std::move(description)), built_(std::move(built)) {}

  std::string_view name() const override { return lab_.name; }
  std::string_view source() const override { return built_.folder; }

  std::vector<Case> Cases(std::string_view /*rung*/, CaseSet set, Random& random) const override {
    switch (set) {
      case CaseSet::kPublic:
        return Made(lab_.cases, false, random);
      case CaseSet::kHidden:
        return Made(lab_.hidden, false, random);
      case CaseSet::kTechnique:
        return One(lab_.technique, false, random);
      case CaseSet::kOtherSize:
        return One(lab_.other_size, false, random);
      case CaseSet::kThroughput:
        return One(lab_.throughput, true, random);
    }
    return {};
  }

  std::optional<Case> OfSize(std::string_view /*rung*/, uint64_t elements) const override {
    if (!lab_.throughput || lab_.sizes.size() != 1 || elements > uint64_t{std::numeric_limits<int64_t>::max()}) {
      return std::nullopt;
    }
    CaseRow row = *lab_.throughput;
    Expression::Mistake none;
    Expression size;
    if (!Expression::Parse(std::to_string(elements), {}, Allowed::kWhole, &size, &none)) return std::nullopt;
    row.sizes = {std::move(size)};
    const Result<Case> made = MakeCase(lab_, row, row.variant.value_or(0), true, nullptr);
    return made ? std::optional(*made) : std::nullopt;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Values sizes = SizesOf(lab_, c);
    std::vector<BufferSpec> specs;
    for (const BufferRow& buffer : lab_.buffers) {
      uint64_t bytes = lab_.TypeOf(buffer, c.variant).bytes;
      for (const uint64_t length : ShapeOf(lab_, buffer, sizes)) bytes *= length;
      specs.push_back({buffer.name, buffer.is_output ? BufferSpec::Role::kOutput : BufferSpec::Role::kInput, bytes});
    }
    return specs;
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    DrawValues(lab_, lab_.buffers.at(static_cast<size_t>(buffer)), c, random(), bytes);
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    WARPGRADE_CHECK(buffers.size() == lab_.buffers.size());
    if (built_.folder.empty()) throw LabFailure(lab_.name + ": its reference is not compiled");
    const auto begin = std::chrono::steady_clock::now();
    const Result<ReferenceAnswer> answer = RunReference(lab_, built_.reference(), c, buffers);
    if (!answer) throw LabFailure(answer.error().message);
    NoteTime(c, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    const Values sizes = SizesOf(lab_, c);
    for (size_t i = 0; i < lab_.buffers.size(); ++i) {
      const BufferRow& buffer = lab_.buffers[i];
      if (!buffer.is_output || buffers[i].empty()) continue;
      const ElementType& type = lab_.TypeOf(buffer, c.variant);
      const Difference difference = CompareAs(type, buffers[i], answer->Of(i), ToleranceOf(buffer, sizes));
      if (difference.count == 0) {
        if (buffer.relative || buffer.absolute) NoteShare(c, difference.tolerance_used);
        continue;
      }
      return Told(c, buffer, difference, ShapeOf(lab_, buffer, sizes), buffers[i].size() / type.bytes);
    }
    return std::nullopt;
  }

  Facts FactsOfChecks() const override {
    const std::scoped_lock lock(facts_mutex_);
    return facts_;
  }

  std::string Hint(std::string_view rung, std::string_view what) const override {
    for (const std::string& key : {std::string(rung), std::string("any")}) {
      const auto of_rung = lab_.hints.find(key);
      if (of_rung == lab_.hints.end()) continue;
      const auto hint = of_rung->second.find(std::string(what));
      if (hint != of_rung->second.end()) return hint->second;
    }
    return "";
  }

 private:
  void NoteTime(const Case& c, double seconds) const {
    const std::scoped_lock lock(facts_mutex_);
    if (seconds <= facts_.reference_s) return;
    facts_.reference_s = seconds;
    facts_.slowest = c.name;
  }
  void NoteShare(const Case& c, double share) const {
    const std::scoped_lock lock(facts_mutex_);
    if (facts_.tolerance_used && share <= *facts_.tolerance_used) return;
    facts_.tolerance_used = share;
    facts_.closest = c.name;
  }

  std::vector<Case> Made(const std::vector<CaseRow>& rows, bool is_timed, Random& random) const {
    std::vector<Case> cases;
    for (const CaseRow& row : rows) {
      for (int time = 0; time < row.times; ++time) {
        const int32_t first = row.variant.value_or(0), end = row.variant ? first + 1 : lab_.variants();
        for (int32_t variant = first; variant < end; ++variant) {
          Result<Case> made = MakeCase(lab_, row, variant, is_timed, &random);
          if (!made)
            throw LabFailure(
                fmt::format("{}/{}:{}: {}", lab_.folder, kHiddenFile, row.place.line, made.error().message));
          cases.push_back(std::move(*made));
        }
      }
    }
    return cases;
  }

  // Of a set that has one case: of the first type, unless the row names another.
  std::vector<Case> One(const std::optional<CaseRow>& row, bool is_timed, Random& random) const {
    if (!row) return {};
    CaseRow one = *row;
    one.variant = row->variant.value_or(0);
    one.times = 1;
    return Made({one}, is_timed, random);
  }

  static Tolerance ToleranceOf(const BufferRow& buffer, const Values& sizes) {
    const auto value = [&sizes](const std::optional<Expression>& of) {
      if (!of) return 0.0;
      const Result<double> number = of->Number(sizes);
      return number ? *number : 0.0;
    };
    return {value(buffer.relative), value(buffer.absolute)};
  }

  static Mismatch Told(const Case& c, const BufferRow& buffer, const Difference& difference,
                       const std::vector<uint64_t>& shape, uint64_t elements) {
    Mismatch told{difference.first, difference.count, difference.got, difference.want, ""};
    const bool is_unwritten = difference.got == "never written";
    told.message =
        fmt::format("{}: {}[{}]{} {}{}.", c.name, buffer.name, difference.first, PlaceOf(difference.first, shape),
                    is_unwritten ? "was never written" : fmt::format("is {}, want {}", difference.got, difference.want),
                    HowMany(difference, elements));
    return told;
  }

  const Description lab_;
  const Built built_;
  mutable std::mutex facts_mutex_;
  mutable Facts facts_;
};

}  // namespace

std::unique_ptr<const Lab> MakeLab(Description description, Built built) {
  return std::make_unique<DescribedLab>(std::move(description), std::move(built));
}

Result<std::unique_ptr<const Lab>> OpenBuilt(const std::string& folder) {
  Result<Description> description = ReadDescription(folder);
  if (!description) return description.error();
  std::ifstream where(folder + "/from");  // the author's folder, for messages
  description->folder = std::string(std::istreambuf_iterator<char>(where), {});
  return MakeLab(std::move(*description), {folder});
}

}  // namespace warpgrade::described
