// The lists of headers and symbols that every rung may use, and the functions that find the first one outside of them.
// Tests: tests/build/allowance_test.cc and tests/attacks; tests/course shows that every solution passes.
#include "grader/build/allowance.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace warpgrade::build {
namespace {

constexpr std::string_view kHeaders[] = {
    // C++
    "algorithm", "array", "atomic", "bitset", "cassert", "cctype", "cerrno", "cfloat", "chrono", "cinttypes", "climits",
    "cmath", "complex", "cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "deque", "exception",
    "forward_list", "functional", "initializer_list", "iomanip", "ios", "iosfwd", "iostream", "istream", "iterator",
    "limits", "list", "map", "memory", "new", "numeric", "optional", "ostream", "queue", "random", "ratio", "set",
    "sstream", "stack", "stdexcept", "streambuf", "string", "string_view", "system_error", "tuple", "type_traits",
    "typeinfo", "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector",
    // C
    "assert.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h",
    // CUDA, as a language
    "cooperative_groups.h", "cooperative_groups/memcpy_async.h", "cuComplex.h", "cuda.h", "cuda_awbarrier.h",
    "cuda_awbarrier_primitives.h", "cuda_bf16.h", "cuda_fp16.h", "cuda_fp8.h", "cuda_pipeline.h",
    "cuda_pipeline_primitives.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h",
    "math_constants.h", "mma.h", "vector_types.h", "cuda/atomic", "cuda/barrier", "cuda/pipeline", "cuda/std/array",
    "cuda/std/atomic", "cuda/std/cstdint", "cuda/std/limits", "cuda/std/tuple", "cuda/std/type_traits",
    "cuda/std/utility"};

constexpr std::string_view kSymbols[] = {
    // the CUDA runtime
    "cuda*", "__cuda*",
    // C++: its runtime and its library
    "_Z*", "__cxa_*", "__gxx_personality_v0", "_Unwind_Resume", "__dso_handle", "_GLOBAL_OFFSET_TABLE_",
    "__stack_chk_fail", "__tls_get_addr", "atexit",
    // memory and text
    "mem*", "str*", "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "__mem*_chk",
    "__str*_chk", "__ctype_*", "isalpha", "isdigit", "isspace", "tolower", "toupper", "atoi", "atol", "atof", "abs",
    "labs", "qsort", "bsearch", "rand", "srand", "rand_r",
    // printing
    "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsnprintf", "puts", "putchar", "putc", "fputs",
    "fputc", "fwrite", "fflush", "perror", "stdout", "stderr", "__*printf_chk",
    // time, and the end
    "time", "clock", "clock_gettime", "gettimeofday", "nanosleep", "difftime", "__assert_fail", "abort", "exit",
    "__errno_location"};

// <cmath>, each also with f or l behind it.
constexpr std::string_view kMath[] = {
    "acos",      "acosh",     "asin", "asinh",     "atan",  "atan2",  "atanh",     "cbrt",    "ceil",   "copysign",
    "cos",       "cosh",      "erf",  "erfc",      "exp",   "exp10",  "exp2",      "expm1",   "fabs",   "fdim",
    "floor",     "fma",       "fmax", "fmin",      "fmod",  "frexp",  "hypot",     "ilogb",   "ldexp",  "lgamma",
    "llrint",    "llround",   "log",  "log10",     "log1p", "log2",   "logb",      "lrint",   "lround", "modf",
    "nearbyint", "nextafter", "pow",  "remainder", "rint",  "round",  "roundeven", "scalbln", "scalbn", "sin",
    "sincos",    "sinh",      "sqrt", "tan",       "tanh",  "tgamma", "trunc"};

// Names that match the lists above but that no kernel needs: a part of the symbol, and the word that people use.
struct Never {
  std::string_view part, word;
};
constexpr Never kNever[] = {
    {"basic_ifstream", "ifstream"},  {"basic_ofstream", "ofstream"},
    {"basic_fstream", "fstream"},    {"basic_filebuf", "filebuf"},
    {"filesystem", "filesystem"},    {"St6thread", "thread"},
    {"St7jthread", "jthread"},       {"13random_device", "random_device"},
    {"cudaGetDriverEntryPoint", ""}, {"cudaIpc", ""},
    {"cudaImportExternal", ""},
};

// Functions that the grader's part of the program calls. If a rung defined one, the grader would call that one.
constexpr std::string_view kReserved[] = {"cuda*",         "__cuda*", "__cxa_*", "warpgrade*", "_Exit",
                                          "clock_gettime", "getenv",  "recv",    "recvmsg",    "send",
                                          "sendmsg",       "sendto",  "setvbuf", "mmap",       "munmap"};

bool MatchesAny(std::string_view name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [name](const std::string& pattern) { return Matches(name, pattern); });
}

template <size_t kCount>
bool MatchesAny(std::string_view name, const std::string_view (&patterns)[kCount]) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [name](std::string_view pattern) { return Matches(name, pattern); });
}

bool IsMath(std::string_view name) {
  const auto is = [](std::string_view n) {
    return std::find(std::begin(kMath), std::end(kMath), n) != std::end(kMath);
  };
  if (is(name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') && is(name.substr(0, name.size() - 1));
}

const Never* FindNever(std::string_view name) {
  const auto never = std::find_if(std::begin(kNever), std::end(kNever),
                                  [name](const Never& n) { return name.find(n.part) != std::string_view::npos; });
  return never == std::end(kNever) ? nullptr : never;
}

bool IsPartOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::vector<std::string> AllowedHeaders(const config::Allowance& allow) {
  std::vector<std::string> headers(std::begin(kHeaders), std::end(kHeaders));
  for (const std::string& header : allow.headers) {
    if (header.find('*') == std::string::npos) headers.push_back(header);
  }
  return headers;
}

std::optional<std::string> FindForbiddenHeader(const std::vector<std::string>& opened, const std::string& own,
                                               const std::vector<std::string>& brought,
                                               const config::Allowance& allow) {
  std::vector<std::string> patterns;
  for (const std::string& header : allow.headers) patterns.push_back("*/" + header);
  for (const std::string& path : opened) {
    if (path.starts_with(own + "/") || std::binary_search(brought.begin(), brought.end(), path)) continue;
    if (!MatchesAny(path, patterns)) return path;
  }
  return std::nullopt;
}

std::optional<ForbiddenSymbol> FindForbiddenSymbol(const ObjectSymbols& symbols, const config::Allowance& allow) {
  for (const std::string& name : symbols.defined) {
    const bool is_driver =
        name.size() > 2 && name.starts_with("cu") && std::isupper(static_cast<unsigned char>(name[2]));
    if (is_driver || MatchesAny(name, kReserved)) return ForbiddenSymbol{name, true};
  }
  for (const std::string& name : symbols.undefined) {
    if (MatchesAny(name, allow.symbols)) continue;
    if (const Never* const never = FindNever(name)) {
      return ForbiddenSymbol{never->word.empty() ? name : std::string(never->word), false};
    }
    if (!MatchesAny(name, kSymbols) && !IsMath(name)) return ForbiddenSymbol{name, false};
  }
  return std::nullopt;
}

bool Matches(std::string_view name, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (name.size() < star || name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t at = star; at <= name.size(); ++at) {
    if (Matches(name.substr(at), rest)) return true;
  }
  return false;
}

int LineWithWord(std::string_view text, std::string_view word) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const size_t end = at + word.size();
    if ((at > 0 && IsPartOfWord(text[at - 1])) || (end < text.size() && IsPartOfWord(text[end]))) continue;
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  return 0;
}

}  // namespace warpgrade::build
