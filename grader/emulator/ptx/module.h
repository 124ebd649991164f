// The syntax tree of a PTX module: what the parser produces and decode consumes. Names are as written in the PTX;
// registers and function-local variables are resolved to indices. Source: PTX ISA 9.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/ptx/opcode.h"

namespace warpgrade::ptx {

enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBF16,
  kBF16x2,
  kF32,
  kF32x2,
  kF64,
  kTF32,
  kE4M3,
  kE5M2,
};

// Bytes of one value: kPred and kNone are 0... f16x2 is 4, f32x2 is 8, b128 is 16.
int SizeOf(Type type);
// "kF32" is ".f32" without the dot: "f32". "" for kNone.
const char* Name(Type type);
// The type named by a modifier such as "f32"; kNone if it names no type.
Type TypeFromName(const char* name, size_t length);

enum class Space : uint8_t { kNone, kReg, kConst, kGlobal, kLocal, kParam, kShared };

// One frame of a source position, from .loc and .file. `file` indexes Module::files; -1 when unknown.
struct SourceFrame {
  int32_t file = -1;
  int32_t line = 0;
  int32_t column = 0;
  bool operator==(const SourceFrame&) const = default;
};

enum class OperandKind : uint8_t {
  kRegister,   // index into Function::registers
  kImmediate,  // `bits`: integers sign-extended to 64; floats as the bits of `immediate_type`
  kSymbol,     // a variable or function by name, + offset (mov.u64 %rd, name+8)
  kAddress,    // [register + offset], [symbol + offset] or [immediate]
  kVector,     // {a, b, c, d}
  kSpecial,    // %tid.x and the like: `name` without the %, e.g. "tid.x", "laneid", "envreg2"
  kLabel,      // branch target: `target` is an index into Function::body
  kSink,       // _
};

struct Operand {
  OperandKind kind = OperandKind::kSink;
  bool negated = false;               // !%p1 (predicates), -%r1 (vmad)
  int32_t reg = -1;                   // kRegister; kAddress with a register base
  Type immediate_type = Type::kNone;  // kImmediate: kS64, kU64 (integers), kF32 (0f...), kF64 (0d... and decimals)
  uint64_t bits = 0;                  // kImmediate
  int64_t offset = 0;                 // kSymbol, kAddress
  std::string name;                   // kSymbol, kSpecial, kAddress with a symbol base
  int32_t variable = -1;              // kSymbol/kAddress: index into Function::variables when the symbol is local to it
  int32_t target = -1;                // kLabel; kSymbol after brx.idx: index into Function::branch_targets
  int8_t sub = -1;                    // %r1.x etc. on vector registers, 0..3; -1 none
  char part[6] = {};                  // %r1.b2, %r1.h10 of video instructions: "b2", "h10"
  std::vector<Operand> elements;      // kVector
};

struct Instruction {
  std::string opcode;                  // root: "add", "ld", "setp", "bra"
  const Opcode* known = nullptr;       // its row of opcodes.def; null when it has none
  std::vector<std::string> modifiers;  // in order, without dots: {"sync", "down", "b32"}; "L2::128B" kept whole
  int32_t guard = -1;                  // predicate register index, -1 for none
  bool guard_negated = false;
  // In source order. `a|b` destinations (setp, shfl) are two consecutive operands with `pair` set.
  // call: return values, callee and arguments are flattened into `call_*` instead.
  std::vector<Operand> operands;
  bool pair = false;  // operands[0]|operands[1] were joined by '|'
  // call only.
  std::vector<Operand> call_returns;  // kSymbol with `variable` set (param-space variables) or registers
  Operand callee;                     // kSymbol (direct) or kRegister (indirect)
  std::vector<Operand> call_arguments;
  std::string call_prototype;  // indirect: name of the .callprototype or .calltargets
  int32_t ptx_line = 0;        // 1-based, in the PTX text
  int32_t ptx_column = 0;
  int32_t location = -1;  // index into Module::locations; -1 when there is no .loc before it

  // True if the opcode has one of these traits.
  bool Is(uint32_t traits) const { return known != nullptr && (known->traits & traits) != 0; }
  bool Has(std::string_view modifier) const {
    for (const std::string& m : modifiers) {
      if (m == modifier) return true;
    }
    return false;
  }
};

struct Register {
  std::string name;  // "%r12"
  Type type = Type::kNone;
  int8_t vector = 1;  // .v2 / .v4 registers
};

// An initialiser that holds the address of a symbol: written at `offset` in the variable, `size` bytes.
struct Relocation {
  uint64_t offset = 0;
  int32_t size = 8;
  std::string symbol;
  int64_t addend = 0;
  bool generic = false;  // generic(sym): a generic address rather than one within the space
  uint64_t mask = 0;     // 0xFF(sym) style byte extraction; 0 for none
};

// A variable of the source, inside of a .local variable.
struct SourceVariable {
  std::string name;  // "" if nvcc made it, or if it has none
  uint64_t offset = 0, bytes = 0;
  bool is_pointer = false;  // or a reference
};

struct Variable {
  std::string name;
  Space space = Space::kNone;
  Type type = Type::kNone;  // of an element
  int8_t vector = 1;
  uint64_t alignment = 0;  // bytes; the natural one when not written
  uint64_t size = 0;       // bytes; 0 for an unsized array (`extern .shared .b8 s[]`)
  bool is_extern = false;
  bool is_visible = false;       // .visible, .weak, .common: known outside of the module
  bool is_weak = false;          // .weak, .common: another module may define it, too
  bool is_managed = false;       // .attribute(.managed)
  std::vector<uint8_t> initial;  // may be shorter than size: the rest is zero
  std::vector<Relocation> relocations;
  // kLocal, if the module has debug data: what lies in it. See dwarf.h, and program/guarded_locals.h.
  std::vector<SourceVariable> parts;
  uint64_t guards = 0;  // bytes of `size` that only keep the parts apart
};

// Signature of a function, an entry or a .callprototype.
struct Prototype {
  std::string name;
  std::vector<Variable> returns;     // space kParam or kReg
  std::vector<Variable> parameters;  // space kParam or kReg
  bool noreturn = false;
};

struct Function {
  Prototype prototype;
  bool is_entry = false;
  bool has_body = false;                     // false: only declared
  bool is_visible = false, is_weak = false;  // as in Variable
  std::vector<Register> registers;
  // Parameters and returns first (in the prototype's order: returns, then parameters), then body-scoped
  // .shared/.local/.param/.const/.global variables; inner scopes that reuse a name get their own entry.
  // A parameter in .reg (hand-written .func only) is here and, by the same name, in `registers`.
  std::vector<Variable> variables;
  std::vector<Instruction> body;
  std::vector<Prototype> prototypes;  // .callprototype labels; P#2 is the second scope's P
  std::vector<std::pair<std::string, std::vector<Operand>>> branch_targets;  // .branchtargets: label -> kLabel list
  int32_t max_threads[3] = {0, 0, 0};                                        // .maxntid, 0 when absent
  int32_t required_threads[3] = {0, 0, 0};                                   // .reqntid
  int32_t cluster[3] = {0, 0, 0};                                            // .reqnctapercluster
  int32_t min_blocks_per_sm = 0;                                             // .minnctapersm
  int32_t ptx_line = 0;
};

struct Module {
  int version_major = 0, version_minor = 0;
  bool is_linked = false;  // made of the units of a program (link_units.h)
  std::string target;      // "sm_75"
  int address_size = 64;
  std::vector<Variable> variables;  // module scope
  std::vector<Function> functions;  // definitions and declarations
  std::vector<std::string> files;   // by .file number; unused numbers are ""
  // Source positions: frames from the innermost inlined one to the outermost, as .loc inlined_at chains give them.
  std::vector<std::vector<SourceFrame>> locations;
};

}  // namespace warpgrade::ptx
