// The rows about the labs' algorithms: reduction trees, scans, sorts, convolution by hand, histograms, sparse rows.
// Each does the algorithm on the CPU and counts. tests/quiz/functions_algorithm_test.cc compares the counts with the
// emulator's counters. Where no kernel runs, it compares them with the algorithm as textbooks give it.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "grader/device_model/gpu_limits.h"
#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

constexpr int kWarpSize = gpu_limits::kWarpSize;

// Whether thread `tid` adds in this step. The three ways of labs/lab1's v1, v2 and v3.
bool Works(const std::string& variant, int tid, int threads, int step) {
  if (variant == "modulo") return tid % (2 * step) == 0;
  if (variant == "strided") return 2 * step * tid < threads;
  return tid < step;  // sequential
}

struct Step {
  int divergent = 0, working = 0;  // warps
};

Step StepOf(const std::string& variant, int threads, int step) {
  Step result;
  for (int first = 0; first < threads; first += kWarpSize) {
    const int lanes = std::min(kWarpSize, threads - first);
    int works = 0;
    for (int lane = 0; lane < lanes; ++lane) works += Works(variant, first + lane, threads, step) ? 1 : 0;
    result.divergent += works > 0 && works < lanes ? 1 : 0;
    result.working += works > 0 ? 1 : 0;
  }
  return result;
}

Result<Value> InStep(const Arguments& a, int Step::*what) {
  if (a.Whole("step") >= a.Whole("threads")) {
    return Error{ErrorKind::kUsage, "a step is less than the threads of the block; choose a smaller one"};
  }
  return Value(double(StepOf(a.Word("variant"), a.Whole("threads"), a.Whole("step")).*what));
}

Value OverAllSteps(const Arguments& a, int Step::*what) {
  int sum = 0;
  for (int step = 1; step < a.Whole("threads"); step *= 2) {
    sum += StepOf(a.Word("variant"), a.Whole("threads"), step).*what;
  }
  return Value(double(sum));
}

Result<Value> DivergentWarps(const Arguments& a) { return InStep(a, &Step::divergent); }
Result<Value> WorkingWarps(const Arguments& a) { return InStep(a, &Step::working); }
Result<Value> DivergentWarpsInAll(const Arguments& a) { return OverAllSteps(a, &Step::divergent); }

Result<Value> ReductionLaunches(const Arguments& a) {
  int launches = 0;
  for (double n = a.Number("n"); n > 1; n = std::ceil(n / a.Number("per_block"))) ++launches;
  return Value(double(launches));
}

double Log2(double n) { return std::round(std::log2(n)); }

// Blelloch's up-sweep and down-sweep are log2(n) steps each.
Result<Value> ScanSteps(const Arguments& a) {
  const double steps = Log2(a.Number("n"));
  return Value(a.Word("algorithm") == "blelloch" ? 2 * steps : steps);
}

// Hillis-Steele: n - d additions in the step with distance d. Blelloch: n - 1 in each sweep.
Result<Value> ScanAdditions(const Arguments& a) {
  const double n = a.Number("n");
  if (a.Word("algorithm") == "blelloch") return Value(2 * (n - 1));
  return Value(n * Log2(n) - (n - 1));
}

Result<Value> InclusiveScan(const Arguments& a) {
  std::vector<double> sums = a.List("input");
  for (size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return Value(sums);
}

Result<Value> ExclusiveScan(const Arguments& a) {
  const std::vector<double>& input = a.List("input");
  std::vector<double> sums(input.size());
  for (size_t i = 1; i < sums.size(); ++i) sums[i] = sums[i - 1] + input[i - 1];
  return Value(sums);
}

// With the mask turned: out[i] = sum over j of mask[j] * input[i + r - j], r = width / 2. With the mask as given:
// input[i - r + j], which mathematics calls a correlation. What lies outside of the input is 0. The result is as long
// as the input, or has all places where the mask touches the input.
Result<Value> Convolution(const Arguments& a) {
  const std::vector<double>&input = a.List("input"), &mask = a.List("mask");
  const int n = static_cast<int>(input.size()), width = static_cast<int>(mask.size());
  const bool turned = a.Word("orientation") == "turned", full = a.Word("length") == "full";
  if (mask.size() % 2 == 0) return Error{ErrorKind::kUsage, "the mask has an even width; give it an odd one"};
  const int before = full ? width / 2 : 0;  // elements of the result before the one at input[0]
  std::vector<double> out(input.size() + 2 * static_cast<size_t>(before), 0);
  for (int i = 0; i < static_cast<int>(out.size()); ++i) {
    for (int j = 0; j < width; ++j) {
      const int at = i - before, from = turned ? at + width / 2 - j : at - width / 2 + j;
      if (from >= 0 && from < n) out[i] += mask[j] * input[from];
    }
  }
  return Value(out);
}

// For a mask of rows x columns that is a column times a row, against one that is not.
Result<Value> MaskMultiplications(const Arguments& a) {
  const double rows = a.Number("rows"), columns = a.Number("columns");
  return Value(a.Word("separable") == "yes" ? rows + columns : rows * columns);
}

// Elements of the mask that lie on ghosts, summed over all outputs.
Result<Value> GhostProducts(const Arguments& a) {
  const int n = a.Whole("n"), width = a.Whole("width");
  int ghosts = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < width; ++j) {
      const int from = i + width / 2 - j;
      ghosts += from < 0 || from >= n ? 1 : 0;
    }
  }
  return Value(double(ghosts));
}

// Lane l of a warp counts the value l * stride. The result is the most lanes that want the same bin: they take turns.
Result<Value> HistogramTurns(const Arguments& a) {
  std::map<int, int> lanes_of_bin;
  int most = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    most = std::max(most, ++lanes_of_bin[lane * a.Whole("stride") % a.Whole("bins")]);
  }
  return Value(double(most));
}

// direct: one addition in global memory per element. private: each block counts in shared memory, and then adds each of
// its bins once.
Result<Value> HistogramGlobalAtomics(const Arguments& a) {
  if (a.Word("scheme") == "direct") return Value(a.Number("n"));
  return Value(a.Number("blocks") * a.Number("bins"));
}

// In each step of a warp, every lane of a row's group adds one more nonzero, until the longest row is done.
Result<Value> SparseSteps(const Arguments& a) {
  const std::vector<double>& lengths = a.List("lengths");
  const double lanes = a.Number("lanes");
  if (static_cast<double>(lengths.size()) * lanes > kWarpSize) {
    return Error{ErrorKind::kUsage, "the rows have more lanes than a warp; give fewer lengths or fewer lanes"};
  }
  double steps = 0;
  for (const double length : lengths) steps = std::max(steps, std::ceil(length / lanes));
  return Value(steps);
}

// A bitonic sort of n = 2^k elements: phase p of k has p steps, and each step compares n / 2 pairs.
double BitonicSteps(double n) { return Log2(n) * (Log2(n) + 1) / 2; }

Result<Value> SortSteps(const Arguments& a) { return Value(BitonicSteps(a.Number("n"))); }

Result<Value> SortComparisons(const Arguments& a) { return Value(BitonicSteps(a.Number("n")) * a.Number("n") / 2); }

Result<Value> RadixPasses(const Arguments& a) { return Value(std::ceil(a.Number("bits") / a.Number("digit_bits"))); }

// Pass 0 looks at the lowest digit.
Result<Value> RadixDigit(const Arguments& a) {
  const int shift = a.Whole("pass") * a.Whole("digit_bits");
  if (shift >= 32) return Error{ErrorKind::kUsage, "this pass looks at bits from 32 on; choose an earlier one"};
  return Value(double(a.Whole("key") >> shift & ((1 << a.Whole("digit_bits")) - 1)));
}

struct Task {
  const char* what;
  const char* pattern;
};

// independent: no result needs another one. reduction: all inputs give one result. scan: each result needs all inputs
// before it. serial: each step needs the result of the step before, and no order of operations helps.
constexpr Task kTasks[] = {
    {"make every pixel of a photo brighter", "independent"},
    {"compute the distance of every star from the Earth", "independent"},
    {"render each frame of a film", "independent"},
    {"find the best mark of a class", "reduction"},
    {"add up all sales of a shop", "reduction"},
    {"compute the balance of an account after each of its bookings", "scan"},
    {"give each word of a text the position of its first letter, from the lengths of the words", "scan"},
    {"hash a password a million times, each time the result of the time before", "serial"},
};

Result<Value> PatternOf(const Arguments& a) {
  const auto is_it = [&](const Task& task) { return a.Word("task") == task.what; };
  return Value(std::find_if(std::begin(kTasks), std::end(kTasks), is_it)->pattern);
}

}  // namespace

// Long because it is a table: one row for each function.
std::vector<Function> AlgorithmFunctions() {
  const std::vector<double> powers = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  const Parameter variant{.name = "variant", .kind = Kind::kWord, .words = {"modulo", "strided", "sequential"}};
  const Parameter threads{.name = "threads", .only = powers};
  const Parameter step{.name = "step", .only = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}};
  const Parameter algorithm{.name = "algorithm", .kind = Kind::kWord, .words = {"hillis_steele", "blelloch"}};
  const Parameter n{.name = "n", .min = 1, .max = 1e12};
  const Parameter bins{.name = "bins", .min = 1, .max = 65536};
  std::vector<const char*> tasks;
  for (const Task& task : kTasks) tasks.push_back(task.what);
  const auto numbers = [](const char* name) {
    return Parameter{.name = name, .kind = Kind::kList, .min = -1e6, .max = 1e6};
  };
  const auto size = [](const char* name, double max) { return Parameter{.name = name, .min = 1, .max = max}; };
  return {
      {"divergent_warps",
       "warps of a block that diverge in one step of a reduction: modulo, strided, sequential",
       Kind::kWhole,
       {variant, threads, step},
       DivergentWarps},
      {"divergent_warps_in_all_steps",
       "divergent warps of a block, summed over all steps of that reduction",
       Kind::kWhole,
       {variant, threads},
       DivergentWarpsInAll},
      {"working_warps",
       "warps of a block with at least one thread that adds in the step",
       Kind::kWhole,
       {variant, threads, step},
       WorkingWarps},
      {"reduction_launches",
       "launches until one number is left of n, if each launch reduces per_block elements to one",
       Kind::kWhole,
       {n, {.name = "per_block", .min = 2, .max = 1e6}},
       ReductionLaunches},
      {"scan_steps",
       "steps that a scan of n elements takes, one after the other",
       Kind::kWhole,
       {algorithm, {.name = "n", .only = powers}},
       ScanSteps},
      {"scan_additions",
       "additions of a scan of n elements, of all threads together",
       Kind::kWhole,
       {algorithm, {.name = "n", .only = powers}},
       ScanAdditions},
      {"sort_steps",
       "steps of a bitonic sort of n elements, one after the other",
       Kind::kWhole,
       {{.name = "n", .only = powers}},
       SortSteps},
      {"sort_comparisons",
       "comparisons of a bitonic sort of n elements, of all threads together",
       Kind::kWhole,
       {{.name = "n", .only = powers}},
       SortComparisons},
      {"radix_passes",
       "passes of a radix sort that looks at digit_bits bits of a key of `bits` bits at a time",
       Kind::kWhole,
       {size("bits", 1024), size("digit_bits", 32)},
       RadixPasses},
      {"radix_digit",
       "the digit of a key that a pass of a radix sort looks at; pass 0 looks at the lowest bits",
       Kind::kWhole,
       {{.name = "key", .min = 0, .max = 2147483647}, size("digit_bits", 16), {.name = "pass", .min = 0, .max = 31}},
       RadixDigit},
      {"pattern_of",
       "how a task can be computed in parallel: independent, reduction, scan or serial",
       Kind::kWord,
       {{.name = "task", .kind = Kind::kWord, .words = tasks}},
       PatternOf},
      {"inclusive_scan",
       "for each element, the sum of it and of all elements before it",
       Kind::kList,
       {numbers("input")},
       InclusiveScan},
      {"exclusive_scan",
       "for each element, the sum of all elements before it",
       Kind::kList,
       {numbers("input")},
       ExclusiveScan},
      {"convolution",
       "the convolution of a list with a mask, where ghosts are 0",
       Kind::kList,
       {numbers("input"),
        numbers("mask"),
        {.name = "orientation", .kind = Kind::kWord, .words = {"turned", "as_given"}, .otherwise = Value("turned")},
        {.name = "length", .kind = Kind::kWord, .words = {"same", "full"}, .otherwise = Value("same")}},
       Convolution},
      {"mask_multiplications",
       "multiplications per output element of a mask in two dimensions",
       Kind::kWhole,
       {size("rows", 127),
        size("columns", 127),
        {.name = "separable", .kind = Kind::kWord, .words = {"yes", "no"}, .otherwise = Value("no")}},
       MaskMultiplications},
      {"ghost_products",
       "products with ghosts that a convolution of n elements in one dimension can leave out",
       Kind::kWhole,
       {size("n", 4096), size("width", 127)},
       GhostProducts},
      {"histogram_turns",
       "lanes of a warp that want the same bin: lane l counts the value l * stride",
       Kind::kWhole,
       {{.name = "stride", .min = 0, .max = 65536}, bins},
       HistogramTurns},
      {"histogram_global_atomics",
       "atomic additions in global memory: direct, one for each element; private, one for each bin of each block",
       Kind::kWhole,
       {n,
        size("blocks", gpu_limits::kGridY),
        bins,
        {.name = "scheme", .kind = Kind::kWord, .words = {"direct", "private"}}},
       HistogramGlobalAtomics},
      {"sparse_steps",
       "steps of a warp that adds up rows of a sparse matrix, with a group of lanes for each row",
       Kind::kWhole,
       {{.name = "lengths", .kind = Kind::kList, .min = 0, .max = 1e6},
        {.name = "lanes", .only = {1, 2, 4, 8, 16, 32}}},
       SparseSteps},
  };
}

}  // namespace warpgrade::quiz
