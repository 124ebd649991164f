// The decoded form of one kernel: what the interpreter runs. Built by decode from a ptx::Module, immutable afterwards
// and shared by all host threads.
//
// A function's frame is one block of bytes for a whole warp. Every register is a row of 32 lanes:
//
//   offset 0    carry flags (one 32-bit mask: add.cc / addc)
//   offset 64   kSinkRow: results that nobody reads
//   offset 320  constants: a row for each immediate and symbol address, copied in when the frame is made. Nothing else
//               writes them
//   then        registers: predicates are one 32-bit lane mask; up to 32 bits: 32 x 4 bytes; 64 bits: 32 x 8 bytes
//
// so every operand is a byte offset into the frame and no handler asks what kind of operand it has.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/emulator/program/access_form.h"
#include "grader/emulator/program/async_form.h"
#include "grader/emulator/program/compare_form.h"
#include "grader/emulator/program/control_form.h"
#include "grader/emulator/program/float_form.h"
#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

inline constexpr int kLanes = 32;
using LaneMask = uint32_t;
inline constexpr LaneMask kAllLanes = 0xFFFFFFFFu;
inline constexpr int kWaveLanes = 64;  // of a HIP program

inline constexpr uint32_t kSinkRow = 64;
inline constexpr uint32_t kFirstConstant = 64 + 256;

struct Exec;
struct Inst;
using Handler = void (*)(Exec&, const Inst&);

// What an instruction counts as, for the counters derived from how often it ran.
enum class CountClass : uint8_t {
  kNone,
  kPlain,
  kConstantLoad,  // ld.const, whose address must be one of constant memory: a global load if lanes read several words
  kParameter,     // ld.param and st.param through a register, whose address must be one of the kernel's parameters
  kBranch,
  kGlobalLoad,
  kGlobalStore,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kLocal,
  kGlobalAtomic,
  kAsyncCopy,  // cp.async: a global load and a shared store
  kGeneric,    // a load, store or atomic whose space is known only when it runs
  kShuffle,
  kVote,
  kBarrier,
  kFAdd,
  kFMul,
  kFFma,
  kDAdd,
  kDMul,
  kDFma,
  kHAdd,
  kHMul,
  kHFma,
};

// A value that every handler reads has its own member. Values of only some families of instructions share a member with
// values of other families. A handler reads only the name that its decoder wrote.
struct Inst {
  Handler handler = nullptr;
  uint32_t dst = 0, a = 0, b = 0, c = 0;  // frame offsets
  union {
    uint32_t second_dst = 0;  // setp, shfl, match, elect: the predicate behind the '|'; 0: there is none
    uint32_t d;               // bfi, mov of four parts: a fourth source
  };
  int32_t guard = -1;  // frame offset of the guarding predicate, -1 none
  bool guard_negated = false;
  CountClass count_class = CountClass::kPlain;
  uint8_t vector = 1;  // elements of a vector access
  union {
    AccessDirection access = AccessDirection::kLoad;
    PredicateJoin join;          // setp, set
    FloatFlags floats;           // float arithmetic
    NarrowFlags narrow;          // cvt to f16, bf16, tf32
    bool flush;                  // slct.ftz
    uint8_t part;                // mov out of a vector: which 16 bits
    TestedSpace tested_space;    // isspacep
    FenceScope fence;            // membar, fence
    BarrierReduction reduction;  // bar.red
    WaitLoopFlags waits;         // bra at the end of a loop that only waits
    AsyncFlags async;            // cp.async, mbarrier
  };
  int32_t target = -1;      // branch target (index into FunctionCode::code), callee index
  int32_t reconverge = -1;  // where diverged lanes of this branch meet again; -1: at the function's end
  int64_t imm = 0;          // address offset, immediate
  union {
    uint32_t member_mask = 0;  // shfl: the row of the member mask
    CompareForm compare;       // set, setp of bf16 and of pairs
    bool has_stride;           // wmma.load, wmma.store: row b is the stride
    bool meets_elsewhere;      // barriers: threads may wait at different instructions
    int32_t sign;              // mbarrier: +1 for expect_tx, -1 for complete_tx
    int32_t global_offset;     // bulk copies: added to the address in row b
  };
  union {
    uint32_t vectors = 0;  // index into FunctionCode::vectors
    uint32_t call;         // into calls
    uint32_t message;      // into messages
    uint32_t table;        // into branch_tables
  };
  uint32_t index = 0;  // position in the Program-wide statistics
  uint32_t run = 0;    // instructions from this one on that run and count together (interpreter.cc)
  uint16_t order = 0;  // of a memory access: AccessOrder bits
};
static_assert(sizeof(Inst) == 80, "the interpreter reads these in order: a larger one is a slower one");

// How a memory access takes part in synchronisation between threads (PTX ISA "Memory Consistency Model"). 0: weak.
enum AccessOrder : uint16_t {
  kStrong = 1,        // volatile, relaxed, acquire, release; every atomic
  kVolatile = 2,      // .volatile: in student code, a flag or a reduction without barriers
  kRelease = 4,       // .release, .acq_rel
  kBlockScope = 8,    // .cta: synchronises with threads of its own block only
  kOnlyCopied = 16,   // a load whose value is only stored again: see copied_registers.h
  kAcquire = 32,      // .acquire, .acq_rel
  kDecides = 64,      // a strong load whose value decides a branch: somebody watches a flag
  kCompares = 64,     // an atomic: compare-and-swap, which takes a lock
  kOverwrites = 128,  // an atomic exchange whose old value nobody uses
  kOldValue = 256     // an atomic whose old value somebody uses
};

// Vector operands and other things that do not fit in Inst.
struct VectorOperand {
  uint32_t rows[8] = {};
  bool sink[8] = {};
};

struct CallSite {
  struct Copy {
    uint32_t from = 0, to = 0, bytes = 0;
  };                                     // local-memory offsets: caller's and callee's frame
  std::vector<Copy> arguments, returns;  // from caller to callee; from callee to caller
};

struct FunctionCode {
  const ptx::Function* function = nullptr;
  std::string name;
  std::vector<Inst> code;
  // Of the kernel: what a warp executes of its first run (Inst::run) if it has run an earlier block, as indices into
  // `code`. By which parts of %ctaid differ from that block's: bits 0, 1 and 2 for x, y and z. Empty: the first run is
  // not shortened. See same_in_each_block.h.
  std::array<std::vector<int32_t>, 8> start_again;
  std::vector<VectorOperand> vectors;
  std::vector<CallSite> calls;
  std::vector<std::string> messages;                // for unsupported instructions
  std::vector<std::vector<int32_t>> branch_tables;  // brx.idx
  uint32_t frame_bytes = 0;
  std::vector<uint8_t> constants;  // initial bytes of the frame from offset 0
  uint32_t local_bytes = 0;        // body-scoped .param and .local variables of one call, up to a multiple of 16
  uint32_t local_end = 0;          // where the .local variables end; they come last
  // If GuardLocals moved the variables of the source apart: where they lie in the local frame, in order. All bytes
  // between guard_begin and guard_end that are in none of them belong to nobody.
  struct LocalPart {
    uint32_t offset = 0, bytes = 0;
    std::string_view name;  // in the module; "" if it has none
  };
  std::vector<LocalPart> parts;
  uint32_t guard_begin = 0, guard_end = 0;
  uint32_t guards = 0;  // bytes of local_bytes that only keep the parts apart
  // Offsets (in the local frame) and sizes of parameters and returns, for calls.
  struct Slot {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> parameters, returns;
};

// Where an instruction came from, for findings and per-line counters.
struct InstOrigin {
  const ptx::Instruction* instruction = nullptr;  // null for reconvergence markers
  int32_t function = 0;
  CountClass count_class = CountClass::kNone;
  int32_t file = -1, line = 0;  // the student's line: see PickFrame in decode
  bool is_in_header = false;    // a header of CUDA or of the system: then the line is not the student's
};

struct Program {
  const ptx::Module* module = nullptr;
  int wave_lanes = kLanes;              // 64: warps 2k and 2k + 1 of a block are one wavefront (machine/wave.h)
  std::vector<FunctionCode> functions;  // [0] is the kernel
  std::vector<InstOrigin> origins;      // by Inst::index
  std::vector<uint32_t> polls;          // Inst::index of what loops spin on: volatile loads, locks, nanosleep
  uint32_t static_shared_bytes = 0;
  bool watches_flags = false;  // some load has kDecides
  bool has_fences = false;     // membar, fence, .release: without one nothing orders two blocks
  bool uses_mbarriers = false;
  bool uses_reserved_shared = false;  // reads %reserved_smem_offset_1
  bool allocates = false;             // calls malloc or free
  bool calls_device_runtime = false;  // and may launch kernels
  bool guards_locals = false;         // some function has parts
  std::unordered_map<std::string, int32_t> function_index;
  struct SharedVariable {
    std::string name;
    uint32_t offset, bytes;
  };
  std::vector<SharedVariable> shared_variables;
  std::unordered_map<std::string, uint32_t> shared_offsets;  // the same by name
};

}  // namespace warpgrade::emulator
