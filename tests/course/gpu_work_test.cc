// The labs' kernels for the judge (grader/lab/gpu_work.h) on the emulator, for each rung's timed case with smaller
// sizes: they draw the same bytes as the host, find right answers right, and find no wrong answer right. The answers
// are computed here, by plain loops, and Lab::Check must agree with them. The emulator reports races and uninitialised
// reads of these kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/device.h"
#include "grader/lab/lab.h"
#include "labs/labs.h"

namespace warpgrade {
namespace {

using Bytes = std::vector<std::byte>;

template <typename T>
const T* As(const Bytes& bytes) {
  return reinterpret_cast<const T*>(bytes.data());
}
template <typename T>
T* As(Bytes& bytes) {
  return reinterpret_cast<T*>(bytes.data());
}

// The arrays of a call on the host.
using Arrays = std::vector<Bytes>;

void AnswerLab0(const Case& c, Arrays& arrays) {
  // Vectors and links have four arrays; an image has an answer for each pixel.
  const uint64_t first = c.sizes[0], second = c.sizes[1];
  if (arrays.size() == 4 && arrays[3].size() == sizeof(int32_t)) {  // vectors; then what the function returned
    for (uint64_t i = 0; i < first; ++i) {
      As<float>(arrays[2])[i] = As<float>(arrays[0])[i] + As<float>(arrays[1])[i];
    }
    *As<int32_t>(arrays[3]) = 0;
  } else if (arrays.size() == 4) {
    for (uint64_t i = 0; i < first; ++i) {
      const uint64_t start = i / second * second;
      const uint64_t k = start + As<uint16_t>(arrays[1])[start + As<uint16_t>(arrays[1])[i]];
      const double value = As<double>(arrays[2])[k];
      As<double>(arrays[3])[i] = As<uint8_t>(arrays[0])[k] != 0 ? -value : value;
    }
  } else if (arrays[1].size() == first * second) {
    for (uint64_t i = 0; i < first * second; ++i) {
      const uint8_t* const rgb = As<uint8_t>(arrays[0]) + 3 * i;
      As<uint8_t>(arrays[1])[i] = static_cast<uint8_t>((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
    }
  } else {
    std::fill_n(As<uint64_t>(arrays[1]), second, 0);
    for (uint64_t i = 0; i < first; ++i) ++As<uint64_t>(arrays[1])[As<uint8_t>(arrays[0])[i]];
  }
}

void AnswerLab1(const Case& c, Arrays& arrays) {
  double sum = 0;
  for (uint64_t i = 0; i < c.sizes[0]; ++i) sum += static_cast<double>(As<float>(arrays[0])[i]);
  *As<float>(arrays[1]) = static_cast<float>(sum);
}

void AnswerLab2(const Case& c, Arrays& arrays) {
  for (uint64_t row = 0; row < c.sizes[0]; ++row) {
    for (uint64_t column = 0; column < c.sizes[1]; ++column) {
      As<uint32_t>(arrays[1])[column * c.sizes[0] + row] = As<uint32_t>(arrays[0])[row * c.sizes[1] + column];
    }
  }
}

double HalfAsDouble(uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

void AnswerLab3(const Case& c, Arrays& arrays) {
  const uint64_t m = c.sizes[0], k = c.sizes[1], n = c.sizes[2];
  const bool half = arrays[0].size() == 2 * m * k;
  const auto at = [half](const Bytes& matrix, uint64_t i) {
    return half ? HalfAsDouble(As<uint16_t>(matrix)[i]) : static_cast<double>(As<float>(matrix)[i]);
  };
  for (uint64_t row = 0; row < m; ++row) {
    for (uint64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (uint64_t l = 0; l < k; ++l) sum += at(arrays[0], row * k + l) * at(arrays[1], l * n + column);
      As<float>(arrays[2])[row * n + column] = static_cast<float>(sum);
    }
  }
}

void AnswerLab4(const Case& c, Arrays& arrays) {
  const auto rows = static_cast<int64_t>(c.sizes[0]), columns = static_cast<int64_t>(c.sizes[1]);
  const auto mask_rows = static_cast<int64_t>(c.sizes[2]), mask_columns = static_cast<int64_t>(c.sizes[3]);
  const bool separable = arrays.size() == 5;
  for (int64_t y = 0; y < rows; ++y) {
    for (int64_t x = 0; x < columns; ++x) {
      double sum = 0;
      for (int64_t i = 0; i < mask_rows; ++i) {
        for (int64_t j = 0; j < mask_columns; ++j) {
          const int64_t from_y = y - mask_rows / 2 + i, from_x = x - mask_columns / 2 + j;
          if (from_y < 0 || from_y >= rows || from_x < 0 || from_x >= columns) continue;
          const float* const mask = As<float>(arrays[1]);
          const double factor = separable ? static_cast<double>(mask[i]) * static_cast<double>(As<float>(arrays[2])[j])
                                          : static_cast<double>(mask[i * mask_columns + j]);
          sum += factor * static_cast<double>(As<float>(arrays[0])[from_y * columns + from_x]);
        }
      }
      As<float>(arrays.back())[y * columns + x] = static_cast<float>(sum);
    }
  }
}

void AnswerLab5(const Case& c, Arrays& arrays) {
  double sum = 0;
  for (uint64_t i = 0; i < c.sizes[0]; ++i) {
    const double before = sum;
    sum += static_cast<double>(As<float>(arrays[0])[i]);
    As<float>(arrays[1])[i] = static_cast<float>(c.variant % 2 == 0 ? sum : before);
  }
}

void AnswerLab6(const Case& c, Arrays& arrays, const double* weights) {
  const uint64_t rows = c.sizes[0], columns = c.sizes[1];
  std::vector<double> field(As<float>(arrays[0]), As<float>(arrays[0]) + rows * columns), next = field;
  for (uint64_t step = 0; step < c.sizes[2]; ++step) {
    for (uint64_t y = 1; y + 1 < rows; ++y) {
      for (uint64_t x = 1; x + 1 < columns; ++x) {
        double sum = 0;
        for (uint64_t k = 0; k < 9; ++k) {
          if (c.variant == 5 && k % 2 == 0 && k != 4) continue;
          sum += weights[k] * field[(y + k / 3 - 1) * columns + x + k % 3 - 1];
        }
        next[y * columns + x] = sum;
      }
    }
    field.swap(next);
  }
  for (uint64_t i = 0; i < rows * columns; ++i) As<float>(arrays[1])[i] = static_cast<float>(field[i]);
}

void AnswerLab7(const Case& c, Arrays& arrays) {
  std::fill_n(As<unsigned>(arrays[1]), c.sizes[1], 0);
  for (uint64_t i = 0; i < c.sizes[0]; ++i) ++As<unsigned>(arrays[1])[As<uint8_t>(arrays[0])[i]];
}

void AnswerLab9(const Case& c, Arrays& arrays) {
  for (uint64_t row = 0; row < c.sizes[0]; ++row) {
    double sum = 0;
    for (int k = As<int>(arrays[0])[row]; k < As<int>(arrays[0])[row + 1]; ++k) {
      const float x = As<float>(arrays[3])[As<int>(arrays[1])[k]];
      sum += static_cast<double>(As<float>(arrays[2])[k]) * static_cast<double>(x);
    }
    As<float>(arrays[4])[row] = static_cast<float>(sum);
  }
}

void AnswerLab10(Arrays& arrays) {
  arrays[1] = arrays[0];
  std::sort(As<uint32_t>(arrays[1]), As<uint32_t>(arrays[1]) + arrays[1].size() / sizeof(uint32_t));
}

void Answer(const std::string& lab, const Case& c, const GpuWork& work, Arrays& arrays) {
  if (lab == "lab0") return AnswerLab0(c, arrays);
  if (lab == "lab1") return AnswerLab1(c, arrays);
  if (lab == "lab2") return AnswerLab2(c, arrays);
  if (lab == "lab3") return AnswerLab3(c, arrays);
  if (lab == "lab4") return AnswerLab4(c, arrays);
  if (lab == "lab5") return AnswerLab5(c, arrays);
  if (lab == "lab6") return AnswerLab6(c, arrays, work.numbers);
  if (lab == "lab7") return AnswerLab7(c, arrays);
  if (lab == "lab9") return AnswerLab9(c, arrays);
  if (lab == "lab10") return AnswerLab10(arrays);
  FAIL() << lab << ": write here how its answer is computed";
}

// A rung's timed case with other sizes. `large`: of the second of two sets, neither of which is a multiple of anything.
Case Smaller(const std::string& lab, Case c, bool large) {
  const uint64_t more = large ? 3 : 1;
  if (lab == "lab0") {
    if (c.sizes[0] == c.sizes[1]) {  // an image
      c.sizes = {37 * more, 41};
    } else {
      c.sizes[0] = 5003 * more;
      c.sizes[1] = std::min<uint64_t>(c.sizes[1], 41);  // elements of a segment, or classes
    }
  }
  if (lab == "lab1") c.sizes = {10'007 * more, 0, 0};
  if (lab == "lab2") c.sizes = {67, 45 * more};
  if (lab == "lab3") c.sizes = {45, 27 * more, 33};
  if (lab == "lab4" && c.sizes[0] == 1) c.sizes[1] = 2003 * more;
  if (lab == "lab4" && c.sizes[0] > 1) c.sizes[0] = 31, c.sizes[1] = 29 * more;
  if (lab == "lab5") c.sizes = {1'300'003 * (more - 1) + 4099};  // one block scans 256 chunks of 4096 at a time
  if (lab == "lab6") c.sizes[0] = 23, c.sizes[1] = 25 * more;
  if (lab == "lab7") c.sizes[0] = 10'007 * more;
  if (lab == "lab9") c.sizes = {1003 * more, 701, 60'000 * (more - 1) + 9001};  // a block adds up 8192 at a time
  if (lab == "lab10") c.sizes[0] = 10'007 * more;
  return c;
}

// The arrays of one call on the emulated device, as the judge has them on a GPU.
class OnDevice {
 public:
  explicit OnDevice(const GpuWork& work, const Case& c) : work_(work), case_(c) {
    Result<emulator::ModuleId> module = device_.LoadModule(work.ptx, "gpu.cu");
    EXPECT_TRUE(module.ok()) << module.error().message;
    module_ = *module;
    counts_ = Allocate(sizeof(GpuCounts));
    scratch_ = Allocate(work.scratch_bytes);
  }

  uint64_t Allocate(uint64_t bytes) { return *device_.Allocate(bytes); }

  void Run(const std::string& kernel, bool one_block, const GpuArguments& arguments) {
    Result<emulator::KernelId> found = device_.FindKernel(module_, kernel);
    ASSERT_TRUE(found.ok()) << kernel;
    emulator::LaunchRequest launch;
    launch.kernel = *found;
    launch.grid = {one_block ? 1u : 7u, 1, 1};
    launch.block = {kGpuWorkThreads, 1, 1};
    const auto* const begin = reinterpret_cast<const std::byte*>(&arguments);
    launch.parameters.assign(begin, begin + sizeof(arguments));
    EXPECT_EQ(device_.Launch(launch), emulator::LaunchStatus::kOk) << kernel;
  }

  GpuArguments Arguments() const {
    GpuArguments arguments;
    std::copy(case_.sizes.begin(), case_.sizes.end(), arguments.sizes);
    std::copy(std::begin(work_.numbers), std::end(work_.numbers), arguments.numbers);
    arguments.variant = case_.variant;
    arguments.pattern = case_.pattern;
    arguments.counts = counts_;
    arguments.scratch = scratch_;
    return arguments;
  }

  void Upload(uint64_t to, const Bytes& bytes) {
    ASSERT_TRUE(device_.CopyToDevice(to, bytes.data(), bytes.size()).ok());
  }
  Bytes Download(uint64_t from, uint64_t bytes) {
    Bytes to(bytes);
    EXPECT_TRUE(device_.CopyFromDevice(to.data(), from, bytes).ok());
    return to;
  }

  // Whether the checks find the arrays right.
  bool FindsRight(const std::vector<uint64_t>& arrays) {
    EXPECT_TRUE(device_.Fill(counts_, 0, sizeof(GpuCounts)).ok());
    GpuArguments arguments = Arguments();
    arguments.seed = 0x0123456789abcdef;
    std::copy(arrays.begin(), arrays.end(), arguments.arrays);
    for (const GpuWork::Check& check : work_.checks) Run(check.kernel, check.one_block, arguments);
    const Bytes counts = Download(counts_, sizeof(GpuCounts));
    EXPECT_EQ(As<GpuCounts>(counts)->checked, work_.checked);
    return As<GpuCounts>(counts)->wrong == 0;
  }

  const std::vector<emulator::Finding>& findings() const { return device_.Findings(); }
  uint64_t counts() const { return counts_; }

 private:
  const GpuWork& work_;
  const Case& case_;
  emulator::Device device_;
  emulator::ModuleId module_ = 0;
  uint64_t counts_ = 0, scratch_ = 0;
};

// What a wrong element can look like: one bit more, the poison, and of floats a NaN.
std::vector<Bytes> WrongAnswers(const Bytes& right, uint64_t element_bytes, Random& random) {
  const uint64_t elements = right.size() / element_bytes;
  std::vector<Bytes> wrong;
  for (const uint64_t element : {uint64_t{0}, elements - 1, random() % elements, random() % elements}) {
    wrong.push_back(right);
    wrong.back()[element * element_bytes + random() % element_bytes] ^=
        std::byte{static_cast<uint8_t>(1u << random() % 8)};
    wrong.push_back(right);
    std::fill_n(wrong.back().begin() + static_cast<std::ptrdiff_t>(element * element_bytes), element_bytes,
                std::byte{0xff});
  }
  wrong.emplace_back(right.size(), kPoison);
  return wrong;
}

std::string Text(const std::vector<emulator::Finding>& findings) {
  std::string text;
  for (const emulator::Finding& finding : findings) text += finding.message + "\n";
  return text;
}

// Draws, answers and checks one case.
void TestCase(const Lab& lab, const Case& c) {
  const std::optional<GpuWork> work = lab.OnGpu(c);
  ASSERT_TRUE(work);
  const std::vector<BufferSpec> specs = lab.Buffers(c);
  OnDevice device(*work, c);
  Arrays arrays(specs.size());
  std::vector<uint64_t> addresses(specs.size());
  Random random(7), same_random(7);
  std::vector<size_t> outputs;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == BufferSpec::Role::kWorkspace) continue;
    arrays[i].resize(specs[i].bytes);
    addresses[i] = device.Allocate(specs[i].bytes);
    if (specs[i].role == BufferSpec::Role::kOutput) {
      outputs.push_back(i);
      continue;
    }
    lab.DrawInput(c, static_cast<int>(i), random, arrays[i]);
    const uint64_t seed = same_random();
    if (std::find(work->drawn.begin(), work->drawn.end(), static_cast<int>(i)) == work->drawn.end()) {
      device.Upload(addresses[i], arrays[i]);
      continue;
    }
    GpuArguments arguments = device.Arguments();
    arguments.array = i;
    arguments.arrays[i] = addresses[i];
    arguments.seed = seed;
    device.Run("draw", false, arguments);
    EXPECT_EQ(device.Download(addresses[i], specs[i].bytes), arrays[i]) << specs[i].name << ": not what the host draws";
  }
  Answer(std::string(lab.name()), c, *work, arrays);
  const std::vector<std::span<const std::byte>> contents(arrays.begin(), arrays.end());
  const std::optional<Mismatch> mismatch = lab.Check(c, contents);
  ASSERT_FALSE(mismatch) << mismatch->message;
  for (const size_t output : outputs) device.Upload(addresses[output], arrays[output]);
  EXPECT_TRUE(device.FindsRight(addresses)) << "the right answer";
  for (const size_t output : outputs) {
    const Bytes right = arrays[output];
    // The elements of all answers have 1, 4 or 8 bytes: their count is about that of the checks, but for single
    // numbers.
    const uint64_t element_bytes = std::bit_ceil(right.size() / std::max<uint64_t>(1, work->checked));
    ASSERT_LE(element_bytes, right.size()) << specs[output].name;
    for (const Bytes& wrong : WrongAnswers(right, element_bytes, random)) {
      arrays[output] = wrong;
      const bool host_finds_right =
          !lab.Check(c, std::vector<std::span<const std::byte>>(arrays.begin(), arrays.end()));
      device.Upload(addresses[output], wrong);
      EXPECT_EQ(device.FindsRight(addresses), host_finds_right) << specs[output].name;
    }
    arrays[output] = right;
    device.Upload(addresses[output], right);
  }
  EXPECT_TRUE(device.findings().empty()) << Text(device.findings());
}

class GpuWorkTest : public testing::TestWithParam<std::string> {};

TEST_P(GpuWorkTest, DrawsAndChecksEachTimedCaseAsTheHostDoes) {
  const Lab& lab = *FindLab(GetParam());
  std::map<std::string, Case> cases;  // rungs often share one
  const std::filesystem::path rungs = std::filesystem::path(WARPGRADE_SOURCE_DIR) / "solutions" / GetParam();
  for (const auto& file : std::filesystem::directory_iterator(rungs)) {
    if (file.path().extension() != ".cu") continue;
    Random random(1);
    for (const Case& c : lab.Cases(file.path().stem().string(), CaseSet::kThroughput, random)) cases.emplace(c.name, c);
  }
  int tested = 0;
  for (const auto& [name, c] : cases) {
    if (!lab.OnGpu(c)) continue;
    for (const bool large : {false, true}) {
      SCOPED_TRACE(name + (large ? ", larger" : ", smaller"));
      TestCase(lab, Smaller(GetParam(), c, large));
      ++tested;
    }
  }
  EXPECT_EQ(tested > 0, !cases.empty()) << "no timed case is drawn and checked on the GPU";
}

// The kernel that finds out whether a program has changed its input; it has a loop for the last bytes of its own.
TEST(SameTest, SeesOneChangedByteAnywhere) {
  const Lab& lab = *FindLab("lab2");
  Random random(1);
  const Case c = lab.Cases("v1_naive", CaseSet::kThroughput, random)[0];
  const GpuWork work = *lab.OnGpu(c);
  OnDevice device(work, c);
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{16}, uint64_t{1003}, uint64_t{70'000}}) {
    const uint64_t one = device.Allocate(bytes), other = device.Allocate(bytes);
    Bytes content(bytes, std::byte{5});
    device.Upload(one, content);
    GpuArguments arguments = device.Arguments();
    arguments.arrays[0] = one;
    arguments.other = other;
    arguments.bytes = bytes;
    for (const uint64_t changed : {bytes, uint64_t{0}, bytes - 1, bytes / 2}) {
      Bytes changed_content = content;
      if (changed < bytes) changed_content[changed] = std::byte{6};
      device.Upload(other, changed_content);
      device.Upload(device.counts(), Bytes(sizeof(GpuCounts)));
      device.Run("same", false, arguments);
      const Bytes counts = device.Download(device.counts(), sizeof(GpuCounts));
      EXPECT_EQ(As<GpuCounts>(counts)->checked, bytes);
      EXPECT_EQ(As<GpuCounts>(counts)->wrong, changed < bytes ? 1 : 0) << bytes << " bytes, changed " << changed;
    }
  }
  EXPECT_TRUE(device.findings().empty()) << Text(device.findings());
}

INSTANTIATE_TEST_SUITE_P(All, GpuWorkTest, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const auto& folder : std::filesystem::directory_iterator(
                                    std::filesystem::path(WARPGRADE_SOURCE_DIR) / "solutions")) {
                             if (folder.is_directory()) names.push_back(folder.path().filename().string());
                           }
                           std::sort(names.begin(), names.end());
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
