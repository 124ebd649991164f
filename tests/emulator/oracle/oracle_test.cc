// Random kernels on the emulator and on the oracle: every register of every thread, the scratch memory and the atomics'
// results must be the same bits (all NaNs alike), with no finding, on one host thread and on two.
//
// WARPGRADE_FUZZ_SEEDS=10000 runs that many kernels; WARPGRADE_FUZZ_FIRST=77 begins at that one. On a difference the
// kernel is cut to the fewest statements that still show it: the last of them is the culprit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <sstream>

#include "grader/emulator/device.h"
#include "grader/emulator/ptx/opcode.h"
#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/oracle/forms.h"
#include "tests/emulator/oracle/generator.h"
#include "tests/emulator/oracle/machine.h"
#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using emulator::Device;
using emulator::DevicePtr;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The memory of one launch before it: the same for every run of a seed.
struct Inputs {
  std::vector<uint8_t> input, output, scratch, accumulators;
};

Inputs InputsOf(uint64_t seed, const Generated& kernel) {
  std::mt19937_64 random(seed ^ 0x9E3779B97F4A7C15);
  const size_t threads = size_t{kernel.grid} * kernel.block, slots = Registers().size();
  Inputs in;
  in.input.resize(threads * slots * 8);
  in.output.assign(threads * slots * 8, 0xCD);
  in.scratch.resize(threads * kScratchBytes);
  in.accumulators.resize(kAccumulators * 8);
  for (size_t t = 0; t < threads; ++t) {
    for (size_t k = 0; k < slots; ++k) {
      uint64_t bits = RandomBits(Registers()[k].register_class, random());
      std::memcpy(&in.input[(t * slots + k) * 8], &bits, 8);
    }
  }
  for (uint8_t& b : in.scratch) b = static_cast<uint8_t>(random());
  for (uint8_t& b : in.accumulators) b = static_cast<uint8_t>(random());
  return in;
}

void Put(std::vector<uint8_t>* block, size_t alignment, const void* value, size_t bytes) {
  block->resize((block->size() + alignment - 1) / alignment * alignment);
  const uint8_t* from = static_cast<const uint8_t*>(value);
  block->insert(block->end(), from, from + bytes);
}

std::vector<uint8_t> ParameterBlock(const std::vector<Region>& memory) {
  std::vector<uint8_t> block;
  for (size_t k = 0; k < 4; ++k) Put(&block, 8, &memory[k].base, 8);
  const int16_t s = -12345;
  const uint8_t u = 200;
  const float x = 1.375f;
  Put(&block, 2, &s, 2);
  Put(&block, 1, &u, 1);
  Put(&block, 4, &x, 4);
  return block;
}

// A module variable's bytes, with the addresses that it holds.
std::vector<uint8_t> Initial(const ptx::Variable& v, const std::map<std::string, uint64_t>& symbols) {
  std::vector<uint8_t> bytes = v.initial;
  bytes.resize(v.size);
  for (const ptx::Relocation& r : v.relocations) {
    uint64_t address = symbols.at(r.symbol) + static_cast<uint64_t>(r.addend);
    std::memcpy(&bytes[r.offset], &address, static_cast<size_t>(r.size));
  }
  return bytes;
}

// Both runs of one kernel. `problem` says what is wrong: "" when nothing is.
class Comparison {
 public:
  Comparison(uint64_t seed, int statements, int host_threads)
      : kernel_(Generate(seed, statements)), device_(Options(host_threads)) {
    inputs_ = InputsOf(seed, kernel_);
    Compare();
  }
  const std::string& problem() const { return problem_; }
  const std::string& ptx() const { return kernel_.ptx; }

 private:
  static emulator::DeviceOptions Options(int host_threads) {
    emulator::DeviceOptions options;
    options.host_threads = host_threads;
    options.global_memory_bytes = uint64_t{1} << 26;
    return options;
  }

  void Compare() {
    auto module = device_.LoadModule(kernel_.ptx, "fuzz.ptx");
    if (!module) return Blame("does not load: " + module.error().message);
    auto parsed = ptx::Parse(kernel_.ptx);
    auto found = device_.FindKernel(*module, "k");
    if (!parsed || !found) return Blame("no kernel");
    std::map<std::string, uint64_t> symbols;
    for (const std::vector<uint8_t>* bytes : {&inputs_.input, &inputs_.output, &inputs_.scratch, &inputs_.accumulators})
      Upload(*bytes);
    for (const ptx::Variable& v : parsed->variables) {
      if (auto info = device_.FindVariable(*module, v.name)) symbols[v.name] = info->base;
    }
    for (const ptx::Variable& v : parsed->variables) {
      if (symbols.count(v.name) != 0) memory_.push_back({symbols[v.name], Initial(v, symbols)});
    }
    RunOnDevice(*found);
    Launch launch;
    launch.module = &*parsed;
    launch.kernel = "k";
    launch.grid = kernel_.grid;
    launch.block = kernel_.block;
    launch.parameters = ParameterBlock(memory_);
    launch.symbols = symbols;
    launch.memory = &memory_;
    if (Status ran = Run(launch); !ran.ok()) return Blame("the oracle: " + ran.error().message);
    for (const char* name : {"input", "output", "scratch", "accumulators"}) CompareRegion(name);
  }

  void Upload(const std::vector<uint8_t>& bytes) {
    auto at = device_.Allocate(bytes.size(), "buffer");
    if (!at.ok() || !device_.CopyToDevice(*at, bytes.data(), bytes.size()).ok()) return Blame("no device memory");
    memory_.push_back({*at, bytes});
  }

  void RunOnDevice(emulator::KernelId kernel) {
    emulator::LaunchRequest request;
    request.kernel = kernel;
    request.grid = {kernel_.grid, 1, 1};
    request.block = {kernel_.block, 1, 1};
    for (uint8_t b : ParameterBlock(memory_)) request.parameters.push_back(static_cast<std::byte>(b));
    request.parameters.resize(device_.Kernel(kernel).parameter_bytes);
    const emulator::LaunchStatus status = device_.Launch(request);
    for (const emulator::Finding& f : device_.Findings()) {
      Blame(std::string(Name(f.kind)) + " at PTX line " + std::to_string(f.ptx_line) + ": " + f.message);
    }
    if (status != emulator::LaunchStatus::kOk) Blame("the launch failed");
  }

  void CompareRegion(const std::string& name) {
    static constexpr const char* kNames[] = {"input", "output", "scratch", "accumulators"};
    for (size_t k = 0; k < 4; ++k) {
      if (name != kNames[k]) continue;
      std::vector<uint8_t> got(memory_[k].bytes.size());
      if (!device_.CopyFromDevice(got.data(), memory_[k].base, got.size()).ok()) return Blame("no copy");
      for (size_t at = 0; at + 8 <= got.size(); at += 8) CompareWord(name, at, got, memory_[k].bytes);
    }
  }

  void CompareWord(const std::string& region, size_t at, const std::vector<uint8_t>& got,
                   const std::vector<uint8_t>& want) {
    uint64_t g = 0, w = 0;
    std::memcpy(&g, &got[at], 8);
    std::memcpy(&w, &want[at], 8);
    const Slot& slot = Registers()[at / 8 % Registers().size()];
    if (g == w || (region == "output" && SameFloat(slot.register_class, g, w))) return;
    char text[160];
    size_t thread = at / 8 / (region == "output" ? Registers().size() : region == "scratch" ? kScratchBytes / 8 : 1);
    std::snprintf(text, sizeof(text), "%s, thread %zu (block %zu), %s: the emulator has %llx, the oracle %llx",
                  region.c_str(), thread, thread / kernel_.block, region == "output" ? slot.name.c_str() : "a word",
                  static_cast<unsigned long long>(g), static_cast<unsigned long long>(w));
    Blame(text);
  }

  // All NaNs are alike.
  static bool SameFloat(char c, uint64_t a, uint64_t b) {
    switch (c) {
      case 'f':
        return (a ^ b) >> 32 == 0 && std::isnan(Single(a)) && std::isnan(Single(b));
      case 'F': {
        const uint64_t high_a = a >> 32, high_b = b >> 32;
        const bool low = (a ^ b) << 32 == 0 || (std::isnan(Single(a)) && std::isnan(Single(b)));
        return low && (high_a == high_b || (std::isnan(Single(high_a)) && std::isnan(Single(high_b))));
      }
      case 'D':
        return std::isnan(Double(a)) && std::isnan(Double(b));
      case 'e':
      case 'b':
      case 'E':
      case 'B': {
        if (a >> 32 != b >> 32) return false;
        const NarrowFormat& format = c == 'e' || c == 'E' ? kHalf : kBFloat;
        for (int k = 0; k < 2; ++k) {
          uint64_t x = a >> (16 * k) & 0xFFFF, y = b >> (16 * k) & 0xFFFF;
          if (x != y && !(std::isnan(Widen(x, format)) && std::isnan(Widen(y, format)))) return false;
        }
        return true;
      }
      default:
        return false;
    }
  }

  void Blame(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  Generated kernel_;
  Inputs inputs_;
  Device device_;
  std::vector<Region> memory_;  // input, output, scratch, accumulators, then module variables
  std::string problem_;
};

// The fewest statements that still fail; a failure need not be monotonic, so this goes up from nothing.
int FewestStatements(uint64_t seed, int host_threads) {
  for (int statements = 0; statements < 1000; ++statements) {
    if (!Comparison(seed, statements, host_threads).problem().empty()) return statements;
  }
  return 1000;
}

void CheckSeeds(uint64_t first, uint64_t count, int host_threads) {
  int failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    Comparison whole(seed, 1000, host_threads);
    if (whole.problem().empty()) continue;
    ++failures;
    int statements = FewestStatements(seed, host_threads);
    Comparison small(seed, statements, host_threads);
    ADD_FAILURE() << "seed " << seed << ", " << host_threads << " host threads: " << whole.problem() << "\nwith "
                  << statements << " statements: " << small.problem() << "\n"
                  << (std::getenv("WARPGRADE_FUZZ_PRINT") != nullptr ? small.ptx() : "");
  }
}

TEST(OracleTest, RandomKernelsGiveTheSameBitsOnOneHostThread) {
  CheckSeeds(FromEnvironment("WARPGRADE_FUZZ_FIRST", 1), FromEnvironment("WARPGRADE_FUZZ_SEEDS", 200), 1);
}

TEST(OracleTest, RandomKernelsGiveTheSameBitsOnTwoHostThreads) {
  uint64_t count = FromEnvironment("WARPGRADE_FUZZ_SEEDS", 200);
  CheckSeeds(FromEnvironment("WARPGRADE_FUZZ_FIRST", 1) + count, count, 2);
}

// What the kernels are made of: every spelling in the tables, and every kind of statement, turns up.
TEST(GeneratorTest, TurnsUpEverythingThatItKnows) {
  std::string all;
  for (uint64_t seed = 1; seed <= 1500; ++seed) all += Generate(seed).ptx;
  std::set<std::string> words;
  std::istringstream text(all);
  for (std::string word; text >> word;) words.insert(word);
  for (const std::vector<Form>& rows : Forms()) {
    for (const Form& form : rows) EXPECT_EQ(words.count(form.spelling), 1u) << form.spelling;
  }
  for (const char* word : {"brx.idx",
                           "call",
                           "call.uni",
                           "exit;",
                           "ret;",
                           "bar.warp.sync",
                           "bar.red.popc.u32",
                           "barrier.sync",
                           "redux.sync.min.s32",
                           "match.any.sync.b64",
                           "match.all.sync.b32",
                           "vote.sync.uni.pred",
                           "shfl.sync.up.b32",
                           "atom.global.cas.b16",
                           "atom.shared.cas.b64",
                           "atom.inc.u32",
                           "red.global.and.b32",
                           "madc.hi.u64",
                           "subc.cc.u32",
                           "ld.const.v2.u32",
                           "ld.local.v4.u32",
                           "st.shared.v2.u64",
                           "cvta.local.u64",
                           "cvta.shared.u64",
                           "st.v4.u16"}) {
    EXPECT_EQ(words.count(word), 1u) << word;
  }
}

// Instructions that no random kernel has, and why. They are tested one by one in tests/emulator/exec/.
struct Exception {
  const char* reason;
  std::vector<const char*> opcodes;
};
const std::vector<Exception>& Exceptions() {
  static const auto* exceptions = new std::vector<Exception>{
      {"the ISA bounds the error of an approximation, and leaves its bits open",
       {"rsqrt", "sin", "cos", "lg2", "ex2", "tanh"}},
      {"the answer depends on which lanes run together", {"activemask", "elect"}},
      {"a kernel cannot see what it does",
       {"prefetch", "prefetchu", "discard", "applypriority", "createpolicy", "nanosleep", "griddepcontrol",
        "setmaxnreg", "pmevent"}},
      {"it ends the launch with an error", {"trap", "brkpt"}},
      {"the oracle has its memory in other places, and neither a stack nor a cluster",
       {"isspacep", "ldu", "alloca", "stacksave", "stackrestore", "mapa", "getctarank"}},
      {"the oracle runs one thread at a time, and has no copies under way", {"cp", "mbarrier"}},
      {"the lanes of a warp multiply together; the tests compare each shape with a plain product",
       {"wmma", "mma", "ldmatrix", "stmatrix", "movmatrix"}},
  };
  return *exceptions;
}

TEST(GeneratorTest, EveryInstructionOfTheOpcodeTableTurnsUpOrHasAReason) {
  std::set<std::string> drawn, excepted;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::istringstream text(Generate(seed).ptx);
    for (std::string word; text >> word;) drawn.insert(word.substr(0, word.find_first_of(".;")));
  }
  for (const Exception& e : Exceptions()) excepted.insert(e.opcodes.begin(), e.opcodes.end());
  for (size_t k = 0; k < ptx::Opcodes().count; ++k) {
    const ptx::Opcode& opcode = ptx::Opcodes().rows[k];
    if (opcode.form_count == 0) continue;  // the emulator refuses it
    EXPECT_NE(drawn.count(opcode.name), excepted.count(opcode.name))
        << opcode.name
        << (drawn.count(opcode.name) != 0
                ? " is drawn; it is no exception"
                : " is never drawn: give it a row in forms.cc and a rule, or a reason in Exceptions()");
  }
}

TEST(GeneratorTest, GivesTheSameKernelForTheSameSeed) {
  EXPECT_EQ(Generate(7).ptx, Generate(7).ptx);
  EXPECT_NE(Generate(7).ptx, Generate(8).ptx);
}

}  // namespace
}  // namespace warpgrade::oracle
