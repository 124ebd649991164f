// lab4 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place and the likely reason, and that the arrays are what values.h promises. Convolutions are made by loops over
// single elements written here.
#include "labs/lab4/lab4_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab4/cases.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/reference.h"
#include "labs/lab4/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab4::Problem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Problem Line(size_t n, int width, lab4::Pattern pattern = lab4::kExact) {
  return {.variant = lab4::kLine, .columns = n, .mask_columns = width, .pattern = pattern};
}
Problem Image(size_t rows, size_t columns, int mask_rows, int mask_columns, lab4::Pattern pattern = lab4::kExact) {
  return {.variant = lab4::kImage,
          .rows = rows,
          .columns = columns,
          .mask_rows = mask_rows,
          .mask_columns = mask_columns,
          .pattern = pattern};
}
Problem Planes(size_t planes, size_t rows, size_t columns, int mask_rows, int mask_columns) {
  Problem p = Image(rows, columns, mask_rows, mask_columns);
  p.variant = lab4::kPlanes;
  p.planes = planes;
  return p;
}
Problem Separable(Problem p) {
  p.variant = lab4::kSeparable;
  return p;
}

// One convolution with its inputs drawn. Every() computes it with what a test puts in the place of "in[y][x]".
struct Drawn {
  explicit Drawn(const Problem& problem, uint64_t seed = 1) : p(problem) {
    c.variant = p.variant;
    c.sizes = {p.rows, p.columns, static_cast<uint64_t>(p.mask_rows), static_cast<uint64_t>(p.mask_columns)};
    if (p.variant == lab4::kPlanes) c.sizes.push_back(p.planes);
    c.pattern = p.pattern;
    Random random(seed);
    const auto specs = Lab4().Buffers(c);
    for (size_t i = 0; i < specs.size(); ++i) {
      buffers.emplace_back(specs[i].bytes / sizeof(float));
      if (specs[i].role != BufferSpec::Role::kInput) continue;
      Lab4().DrawInput(c, static_cast<int>(i), random, std::as_writable_bytes(std::span(buffers.back())));
    }
  }

  double In(long row, long column) const { return InPlane(0, row, column); }
  double InPlane(long plane, long row, long column) const {
    const auto rows = Rows(), columns = static_cast<long>(p.columns);
    if (row < 0 || row >= rows || column < 0 || column >= columns) return 0;
    return static_cast<double>(buffers[0][static_cast<size_t>((plane * rows + row) * columns + column)]);
  }
  double Mask(long i, long j) const {
    if (p.variant != lab4::kSeparable) {
      return static_cast<double>(buffers[1][static_cast<size_t>(i * p.mask_columns + j)]);
    }
    return static_cast<double>(buffers[1][static_cast<size_t>(i)]) *
           static_cast<double>(buffers[2][static_cast<size_t>(j)]);
  }
  using Reader = std::function<double(long row, long column, long i, long j)>;
  // The sum over i and j of mask[i][j] * read(row, column, i, j), where the reader finds in[row - r + i][...] or not.
  // The rows of all planes are numbered.
  std::vector<float> Every(const Reader& read) const {
    std::vector<float> out;
    for (size_t at = 0; at < p.Elements(); ++at) {
      const auto row = static_cast<long>(at / p.columns), column = static_cast<long>(at % p.columns);
      double sum = 0;
      for (long i = 0; i < p.mask_rows; ++i) {
        for (long j = 0; j < p.mask_columns; ++j) sum += Mask(i, j) * read(row, column, i, j);
      }
      out.push_back(static_cast<float>(sum));
    }
    return out;
  }
  long Rows() const { return static_cast<long>(p.rows); }
  long R() const { return p.mask_rows / 2; }
  long S() const { return p.mask_columns / 2; }

  // The right answer. Ghosts are 0 in In(), and masks are finite.
  std::vector<float> Convolution() const {
    return Every(
        [this](long y, long x, long i, long j) { return InPlane(y / Rows(), y % Rows() - R() + i, x - S() + j); });
  }

  std::optional<Mismatch> Check(const std::vector<float>& out) const {
    std::vector<std::span<const std::byte>> spans;
    for (const auto& buffer : buffers) spans.push_back(std::as_bytes(std::span(buffer)));
    spans.back() = std::as_bytes(std::span(out));
    if (p.variant == lab4::kSeparable) spans[3] = {};  // workspaces come empty
    return Lab4().Check(c, spans);
  }

  Problem p;
  Case c;
  std::vector<std::vector<float>> buffers;
};

float Poison() {
  float value;
  std::memset(&value, static_cast<int>(kPoison), sizeof(value));
  return value;
}

std::vector<Problem> SomeProblems() {
  return {Line(0, 3),
          Line(1, 1),
          Line(1, 127),
          Line(5, 31),
          Line(300, 127),
          Line(5000, 5),  // more than one span of the reference
          Image(0, 7, 3, 5),
          Image(1, 1, 31, 31),
          Image(9, 40, 31, 31),
          Image(50, 37, 3, 9),
          Image(2, 4500, 3, 3),
          Planes(0, 5, 7, 3, 3),
          Planes(3, 0, 7, 3, 3),
          Planes(3, 20, 30, 5, 7),
          Planes(4, 3, 2, 31, 31),
          Separable(Image(20, 30, 5, 7)),
          Separable(Image(3, 4, 31, 31))};
}

TEST(Lab4CheckTest, AcceptsTheConvolutionOfEverySizeAndPattern) {
  for (Problem p : SomeProblems()) {
    for (const auto pattern : {lab4::kExact, lab4::kFractions, lab4::kSpoiled}) {
      p.pattern = pattern;
      const Drawn drawn(p);
      const auto wrong = drawn.Check(drawn.Convolution());
      EXPECT_FALSE(wrong.has_value()) << wrong->message;
    }
  }
}

TEST(Lab4CheckTest, FindsOneWrongElementWhereverItIs) {
  for (const Problem& p :
       {Line(4500, 9), Image(45, 33, 3, 5), Separable(Image(33, 45, 5, 3)), Planes(3, 17, 23, 5, 3)}) {
    const Drawn drawn(p);
    const std::vector<float> right = drawn.Convolution();
    for (size_t index = 0; index < right.size(); index += 97) {
      std::vector<float> out = right;
      out[index] = std::nextafter(out[index], 1e9f);
      const auto wrong = drawn.Check(out);
      ASSERT_TRUE(wrong.has_value()) << index;
      EXPECT_EQ(wrong->index, index);
      EXPECT_EQ(wrong->count, 1u);
      EXPECT_THAT(wrong->message, HasSubstr("(the only one)"));
    }
  }
}

TEST(Lab4CheckTest, CountsAllAndNamesTheFirst) {
  const Drawn drawn(Image(30, 40, 3, 3));
  std::vector<float> out = drawn.Convolution();
  for (float& e : out) e += 1;
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 0u);
  EXPECT_EQ(wrong->count, 1200u);
  EXPECT_THAT(wrong->message, AllOf(HasSubstr("30 x 40, mask 3 x 3: d_out[0] (row 0, column 0) is "),
                                    HasSubstr("(first of 1200, which is all of them)")));
}

TEST(Lab4CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Drawn drawn(Line(1000, 5));
  std::vector<float> out = drawn.Convolution();
  std::fill(out.begin() + 768, out.end(), Poison());
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_EQ(wrong->message,
            "1000, mask 5: d_out[768] was never written (first of 232). All of them lie at 768 and up, past the last "
            "multiple of 256.");
}

TEST(Lab4CheckTest, ANaNWhereANumberBelongsIsWrong) {
  for (const auto pattern : {lab4::kExact, lab4::kFractions}) {
    const Drawn drawn(Image(20, 20, 3, 3, pattern));
    for (const float value : {kNan, std::numeric_limits<float>::infinity()}) {
      std::vector<float> out = drawn.Convolution();
      out[80] = value;
      const auto wrong = drawn.Check(out);
      ASSERT_TRUE(wrong.has_value());
      EXPECT_EQ(wrong->index, 80u);
    }
  }
}

TEST(Lab4CheckTest, WhatIsSpoiledIsWhatTheMaskCoversAndNothingElse) {
  const Drawn drawn(Image(40, 50, 3, 5, lab4::kSpoiled));
  const std::vector<float> right = drawn.Convolution();
  const auto nans = std::count_if(right.begin(), right.end(), [](float e) { return std::isnan(e); });
  const auto infinities = std::count_if(right.begin(), right.end(), [](float e) { return std::isinf(e); });
  EXPECT_GE(nans, 2 * 3);  // at the end of a row, perhaps in a corner: half of the mask
  EXPECT_LE(nans, 3 * 5);
  EXPECT_GE(infinities, 1);
  EXPECT_LE(infinities, 3 * 5);

  std::vector<float> out = right;
  *std::find_if(out.begin(), out.end(), [](float e) { return std::isnan(e); }) = 1;
  EXPECT_TRUE(drawn.Check(out).has_value()) << "a number where NaN belongs";
  out = right;
  const auto infinity = std::find_if(out.begin(), out.end(), [](float e) { return std::isinf(e); });
  *infinity = -*infinity;
  EXPECT_TRUE(drawn.Check(out).has_value()) << "the other infinity";
  out = right;
  *std::find_if(out.begin(), out.end(), [](float e) { return std::isfinite(e); }) = kNan;
  EXPECT_TRUE(drawn.Check(out).has_value()) << "a NaN where a number belongs";
}

// What each common mistake looks like, made by a kernel that has just this one.
std::string ToldFor(const Drawn& drawn, const Drawn::Reader& mistake) {
  const auto wrong = drawn.Check(drawn.Every(mistake));
  return wrong ? wrong->message : "it is right";
}

TEST(Lab4ExplainTest, AMaskThatWasTurnedAround) {
  for (const Problem& p : {Line(100, 3), Line(100, 127), Image(20, 20, 3, 5), Separable(Image(20, 20, 3, 5))}) {
    const Drawn d(p);
    EXPECT_THAT(ToldFor(d, [&](long y, long x, long i, long j) { return d.In(y + d.R() - i, x + d.S() - j); }),
                HasSubstr("as if the mask had been turned around"));
  }
}

TEST(Lab4ExplainTest, AMaskThatWasTurnedOneWayOnly) {
  for (const Problem& p : {Image(20, 20, 3, 5), Separable(Image(20, 20, 3, 5))}) {
    const Drawn d(p);
    EXPECT_THAT(ToldFor(d, [&](long y, long x, long i, long j) { return d.In(y - d.R() + i, x + d.S() - j); }),
                HasSubstr("turned left to right"));
    EXPECT_THAT(ToldFor(d, [&](long y, long x, long i, long j) { return d.In(y + d.R() - i, x - d.S() + j); }),
                HasSubstr("turned upside down"));
  }
}

TEST(Lab4ExplainTest, NoMaskIsItsOwnMirrorImage) {
  for (const Problem& p : {Line(9, 3), Line(9, 127), Image(9, 9, 1, 3), Image(9, 9, 3, 1), Image(9, 9, 3, 3)}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const Drawn d(p, seed);
      std::vector<float> backwards = d.buffers[1];
      std::reverse(backwards.begin(), backwards.end());
      EXPECT_NE(backwards, d.buffers[1]) << Name(p) << ", seed " << seed;
    }
  }
}

TEST(Lab4ExplainTest, BordersThatAreCopiesOfTheNearestElement) {
  const Drawn d(Image(20, 30, 5, 5));
  const std::string told = ToldFor(d, [&](long y, long x, long i, long j) {
    return d.In(std::clamp(y - d.R() + i, 0L, 19L), std::clamp(x - d.S() + j, 0L, 29L));
  });
  EXPECT_THAT(told, AllOf(HasSubstr("as if ghosts were copies of the nearest element, not 0"),
                          HasSubstr("All of them lie where the mask covers ghosts.")));
}

TEST(Lab4ExplainTest, RowsThatGoOn) {
  const Drawn d(Image(20, 30, 3, 5));
  EXPECT_THAT(ToldFor(d,
                      [&](long y, long x, long i, long j) {
                        const long at = (y - d.R() + i) * 30 + x - d.S() + j;
                        return at < 0 ? 0 : d.In(at / 30, at % 30);
                      }),
              HasSubstr("as if rows went on where the next one begins"));
}

TEST(Lab4ExplainTest, APlaneWhoseGhostsAreItsNeighboursRows) {
  const Drawn d(Planes(3, 20, 30, 5, 3));
  EXPECT_THAT(ToldFor(d,
                      [&](long y, long x, long i, long j) {
                        const long row = y - 2 + i;
                        return row >= 0 && row < 60 ? d.InPlane(row / 20, row % 20, x - 1 + j) : 0;
                      }),
              AllOf(HasSubstr("3 planes of 20 x 30, mask 5 x 3: d_out[540] (plane 0, row 18, column 0) is "),
                    HasSubstr("as if planes went on where the next one begins"),
                    HasSubstr("All of them lie where the mask covers ghosts.")));
}

TEST(Lab4ExplainTest, PlanesThatAreLookedForElsewhere) {
  const Drawn d(Planes(3, 20, 30, 3, 3));
  EXPECT_THAT(ToldFor(d, [&](long y, long x, long i, long j) { return d.In(y % 20 - 1 + i, x - 1 + j); }),
              AllOf(HasSubstr("d_out[600] (plane 1, row 0, column 0)"), HasSubstr("every plane had been the first one"),
                    HasSubstr("All of them lie in planes 1 and up.")));
  EXPECT_THAT(ToldFor(d,
                      [&](long y, long x, long i, long j) {
                        const long row = y % 20 - 1 + i, column = x - 1 + j;
                        if (row < 0 || row >= 20 || column < 0 || column >= 30) return 0.0;
                        return static_cast<double>(d.buffers[0][static_cast<size_t>((row * 30 + column) * 3 + y / 20)]);
                      }),
              HasSubstr("as if the planes' elements had been stored side by side"));
}

TEST(Lab4ExplainTest, AMaskThatStandsOneTooFar) {
  const Drawn line(Line(100, 9));
  EXPECT_THAT(ToldFor(line, [&](long y, long x, long, long j) { return line.In(y, x - line.S() + j + 1); }),
              HasSubstr("one column too far to the right"));
  const Drawn image(Image(30, 30, 9, 9));
  EXPECT_THAT(ToldFor(image, [&](long y, long x, long i,
                                 long j) { return image.In(y - image.R() + i - 1, x - image.S() + j); }),
              HasSubstr("one row too far up"));
}

TEST(Lab4ExplainTest, ARadiusThatIsOneTooSmall) {
  const Drawn d(Line(1000, 9));
  EXPECT_THAT(ToldFor(d, [&](long y, long x, long, long j) { return j == 0 || j == 8 ? 0 : d.In(y, x - d.S() + j); }),
              HasSubstr("as if the radius across were one too small"));
  const Drawn image(Image(40, 40, 5, 5));
  EXPECT_THAT(ToldFor(image, [&](long y, long x, long i,
                                 long j) { return i == 4 ? 0 : image.In(y - image.R() + i, x - image.S() + j); }),
              HasSubstr("as if the last row of the mask had been left out"));
}

TEST(Lab4ExplainTest, AHaloThatIsForgotten) {
  const Drawn line(Line(2000, 9));
  const std::string told = ToldFor(line, [&](long y, long x, long, long j) {
    const long at = x - line.S() + j;
    return at >= 0 && at / 256 == x / 256 ? line.In(y, at) : 0;
  });
  EXPECT_THAT(told, AllOf(HasSubstr("as if everything outside of its tile of 256 had been a ghost"),
                          HasSubstr("All of them lie where the mask reaches across a multiple of 256: out of one "
                                    "block's part into its neighbour's.")));
  const Drawn image(Image(100, 100, 3, 3));
  EXPECT_THAT(ToldFor(image,
                      [&](long y, long x, long i, long j) {
                        const long row = y - 1 + i, column = x - 1 + j;
                        const bool in_tile = row >= 0 && column >= 0 && row / 32 == y / 32 && column / 32 == x / 32;
                        return in_tile ? image.In(row, column) : 0;
                      }),
              AllOf(HasSubstr("outside of its tile of 32"), HasSubstr("across a multiple of 32")));
}

TEST(Lab4ExplainTest, AHaloThatIsTheNearestElementOfTheTile) {
  const Drawn line(Line(2000, 9)), image(Image(100, 80, 5, 3));
  const auto nearest = [](long place, long in_tile, long side) {
    return std::clamp(place, in_tile / side * side, in_tile / side * side + side - 1);
  };
  EXPECT_THAT(ToldFor(line,
                      [&](long y, long x, long, long j) {
                        const long at = x - line.S() + j;
                        return at < 0 || at >= 2000 ? 0 : line.In(y, nearest(at, x, 256));
                      }),
              HasSubstr("as if the halo were copies of the nearest element of its tile of 256"));
  EXPECT_THAT(ToldFor(image,
                      [&](long y, long x, long i, long j) {
                        const long row = y - 2 + i, column = x - 1 + j;
                        const bool inside = row >= 0 && row < 100 && column >= 0 && column < 80;
                        return inside ? image.In(nearest(row, y, 32), nearest(column, x, 32)) : 0;
                      }),
              HasSubstr("as if the halo were copies of the nearest element of its tile of 32"));
}

TEST(Lab4ExplainTest, WhatFitsNothingIsNotExplained) {
  const Drawn d(Line(1000, 9));
  std::vector<float> out = d.Convolution();
  out[500] += 12345;
  out[3] -= 777;
  const std::string told = d.Check(out)->message;
  EXPECT_THAT(told, Not(HasSubstr("as if")));
  EXPECT_THAT(told, Not(HasSubstr("lie")));
}

// A float kernel adds in some order of its own; two orders stand for all.
TEST(Lab4ToleranceTest, EveryOrderOfAdditionIsRightAndSoAreTwoPasses) {
  const Drawn d(Image(30, 40, 31, 31, lab4::kFractions));
  std::vector<float> forwards(1200), backwards(1200);
  for (long at = 0; at < 1200; ++at) {
    float up = 0, down = 0;
    for (long k = 0; k < 961; ++k) {
      const auto product = [&](long l) {
        return static_cast<float>(d.Mask(l / 31, l % 31)) *
               static_cast<float>(d.In(at / 40 - 15 + l / 31, at % 40 - 15 + l % 31));
      };
      up += product(k);
      down += product(960 - k);
    }
    forwards[static_cast<size_t>(at)] = up;
    backwards[static_cast<size_t>(at)] = down;
  }
  EXPECT_FALSE(d.Check(forwards).has_value());
  EXPECT_FALSE(d.Check(backwards).has_value());

  const Drawn s(Separable(Image(30, 40, 1, 31, lab4::kFractions)));
  std::vector<float> passes;
  for (long at = 0; at < 1200; ++at) {
    float sum = 0;
    for (long j = 0; j < 31; ++j) {
      sum += s.buffers[2][static_cast<size_t>(j)] * static_cast<float>(s.In(at / 40, at % 40 - 15 + j));
    }
    passes.push_back(sum * s.buffers[1][0]);
  }
  EXPECT_FALSE(s.Check(passes).has_value());
}

TEST(Lab4ToleranceTest, OneProductLeftOutIsWrong) {
  const Drawn d(Line(400, 127, lab4::kFractions));
  const auto wrong =
      d.Check(d.Every([&](long y, long x, long, long j) { return j == 63 ? 0 : d.In(y, x - d.S() + j); }));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_GT(wrong->count, 390u);
}

TEST(Lab4ToleranceTest, InputsRoundedToTensorCoreTypesAreSeen) {
  const Drawn d(Image(30, 30, 9, 9));
  const auto wrong = d.Check(d.Every([&](long y, long x, long i, long j) {
    return std::nearbyint(d.In(y - 4 + i, x - 4 + j) * 1024) / 1024;  // 11 bits of numbers between 1 and 2
  }));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_GT(wrong->count, 800u);
}

TEST(Lab4ValuesTest, SumsOfExactValuesFitAFloat) {
  for (const Problem& p : {Line(3000, 127), Image(100, 100, 31, 31), Separable(Image(100, 100, 31, 31))}) {
    const Drawn d(p);
    for (const float sum : d.Convolution()) {
      EXPECT_LT(std::fabs(sum), 4096) << Name(p) << ": more than 24 bits";
      EXPECT_EQ(sum * 4096, std::nearbyint(sum * 4096));
    }
  }
}

TEST(Lab4ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  EXPECT_EQ(Drawn(Line(50, 9), 7).buffers, Drawn(Line(50, 9), 7).buffers);
  const Drawn seven(Separable(Image(5, 10, 9, 9)), 7), eight(Separable(Image(5, 10, 9, 9)), 8);
  for (size_t i = 0; i < 3; ++i) EXPECT_NE(seven.buffers[i], eight.buffers[i]);
  EXPECT_NE(seven.buffers[1], seven.buffers[2]);
}

TEST(Lab4CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab4")) {
    const lab4::Variant variant = lab4::VariantOf(rung);
    std::set<std::string> names;
    std::set<uint32_t> patterns;
    std::set<std::vector<uint64_t>> sizes;
    bool is_empty = false, is_smaller_than_mask = false, has_widest = false, too_tall_for_y = false;
    for (const Case& c : Lab4().Cases(rung, CaseSet::kPublic, random)) {
      sizes.insert(c.sizes);
      patterns.insert(c.pattern);
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
      EXPECT_EQ(c.variant, variant);
      EXPECT_EQ(c.elements, c.sizes[0] * c.sizes[1] * (variant == lab4::kPlanes ? c.sizes.at(4) : 1));
      EXPECT_EQ(c.bytes_moved, 8 * c.elements);
      EXPECT_EQ(c.flops, variant == lab4::kImage ? 2 * c.elements * c.sizes[2] * c.sizes[3] : 0);
      EXPECT_TRUE(c.sizes[2] % 2 == 1 && c.sizes[3] % 2 == 1) << c.name;
      is_empty |= c.elements == 0;
      is_smaller_than_mask |= c.elements > 0 && c.sizes[1] < c.sizes[3];
      // It fits into the image. So a kernel that reads one element past it reads past its own array, too.
      const uint64_t widest = variant == lab4::kLine ? 127 : 31;
      has_widest |= c.sizes[3] == widest && c.sizes[1] > widest &&
                    (variant == lab4::kLine || (c.sizes[2] == widest && c.sizes[0] > widest));
      too_tall_for_y |= c.sizes[0] > 65535 * 8;
    }
    EXPECT_EQ(patterns.size(), 3u) << rung;
    EXPECT_TRUE(is_empty && is_smaller_than_mask && has_widest) << rung;
    EXPECT_EQ(too_tall_for_y, rung == "v4_image") << rung;
  }
}

TEST(Lab4CasesTest, HiddenCasesAreDrawnAfreshStayInTheContractAndReachEveryPattern) {
  Random random(1);
  for (const char* rung : {"v1_naive", "v4_image", "v6_separable", "v9_halo_from_cache", "v10_planes"}) {
    const std::vector<Case> first = Lab4().Cases(rung, CaseSet::kHidden, random);
    const std::vector<Case> second = Lab4().Cases(rung, CaseSet::kHidden, random);
    ASSERT_EQ(first.size(), second.size());
    std::set<uint32_t> patterns;
    int same = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      patterns.insert(first[i].pattern);
      same += first[i].sizes == second[i].sizes ? 1 : 0;
      const uint64_t most = first[i].variant == lab4::kLine ? 127 : 31;
      EXPECT_TRUE(first[i].sizes[2] % 2 == 1 && first[i].sizes[2] <= most) << first[i].name;
      EXPECT_TRUE(first[i].sizes[3] % 2 == 1 && first[i].sizes[3] <= most) << first[i].name;
    }
    EXPECT_EQ(patterns.size(), 3u);
    EXPECT_LE(same, 1);
  }
}

TEST(Lab4CasesTest, PlanesAreOneToManyAndOneCaseIsAPictureInColour) {
  Random random(1);
  std::set<uint64_t> published, hidden;
  bool has_picture = false;
  for (const Case& c : Lab4().Cases("v10_planes", CaseSet::kPublic, random)) {
    published.insert(c.sizes.at(4));
    has_picture |= c.sizes[0] == 480 && c.sizes[1] == 512 && c.sizes[4] == 3;
  }
  for (const Case& c : Lab4().Cases("v10_planes", CaseSet::kHidden, random)) hidden.insert(c.sizes.at(4));
  EXPECT_THAT(published, testing::ElementsAre(0, 1, 3, 5));
  EXPECT_TRUE(has_picture);
  EXPECT_GT(hidden.size(), 2u);
  EXPECT_GT(*hidden.begin(), 1u);
  for (const char* rung : {"v4_image", "v9_halo_from_cache"}) {
    for (const Case& c : Lab4().Cases(rung, CaseSet::kPublic, random)) EXPECT_EQ(c.sizes.size(), 4u) << c.name;
  }
}

TEST(Lab4CasesTest, ThroughputCountsBytesOfLinesAndOperationsOfImages) {
  Random random(1);
  const auto line = Lab4().Cases("v7_open_1d", CaseSet::kThroughput, random);
  ASSERT_EQ(line.size(), 1u);
  EXPECT_EQ(line[0].bytes_moved, uint64_t{1} << 29);
  EXPECT_EQ(line[0].flops, 0u);
  const auto image = Lab4().Cases("v8_open_2d", CaseSet::kThroughput, random);
  ASSERT_EQ(image.size(), 1u);
  EXPECT_EQ(image[0].flops, uint64_t{2} * 81 * 8192 * 8192);
  EXPECT_EQ(Lab4().Cases("v6_separable", CaseSet::kThroughput, random).at(0).flops, 0u);
}

TEST(Lab4CasesTest, BuffersAreThreeOrFive) {
  const auto image = Lab4().Buffers(Drawn(Image(3, 5, 7, 9)).c);
  ASSERT_EQ(image.size(), 3u);
  EXPECT_EQ(image[0].bytes, 60u);
  EXPECT_EQ(image[1].bytes, 252u);
  EXPECT_EQ(image[2].role, BufferSpec::Role::kOutput);
  const auto planes = Lab4().Buffers(Drawn(Planes(4, 3, 5, 7, 9)).c);
  ASSERT_EQ(planes.size(), 3u);
  EXPECT_EQ(planes[0].bytes, 240u);
  EXPECT_EQ(planes[1].bytes, 252u);
  EXPECT_EQ(planes[2].bytes, 240u);
  const auto separable = Lab4().Buffers(Drawn(Separable(Image(3, 5, 7, 9))).c);
  ASSERT_EQ(separable.size(), 5u);
  EXPECT_EQ(separable[1].bytes, 28u);
  EXPECT_EQ(separable[2].bytes, 36u);
  EXPECT_EQ(separable[3].role, BufferSpec::Role::kWorkspace);
  EXPECT_EQ(separable[3].bytes, 60u);
}

TEST(Lab4HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab4().Hint("v1_naive", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
