// Decoding of one function; private to decode*.cc. opcodes.def names the member function that decodes each opcode. They
// are split by subject: operands and the driver (decode.cc), arithmetic (decode_arithmetic.cc), comparisons and
// selections (decode_compare.cc), moves and conversions (decode_move.cc), video instructions (decode_video.cc), memory
// accesses (decode_access.cc), asynchronous copies and mbarriers (decode_async.cc), matrix instructions
// (decode_matrix.cc), control flow and warp-wide instructions (decode_control.cc).
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/program/address_space.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/program/matrix_form.h"

namespace warpgrade::emulator {

class FunctionDecoder {
 public:
  FunctionDecoder(Program& program, const SymbolAddresses& symbols, const ptx::Function& function, int32_t index,
                  const HandlerTable& handlers);
  void Run();
  // The functions of the module that this one calls or takes the address of (module indices), and whether it calls
  // indirectly.
  const std::vector<int32_t>& callees() const { return callees_; }
  bool calls_indirectly() const { return calls_indirectly_; }

 private:
  // decode.cc
  void LayOutLocals();
  void LayOutRegisters();
  void FinishLayout();
  void FormRuns();
  void ShortenStart();
  void Emit(Inst inst);
  // The handler for a key that every machine has, such as "bra".
  Handler Known(const char* key) const;
  Inst Begin(const ptx::Instruction& i, Handler handler, CountClass count = CountClass::kPlain) const;
  uint32_t ConstantRow(uint64_t bits, int bytes);
  uint32_t Temporary(int bytes);
  int RegisterBytes(int32_t reg) const;  // of a cell: 4 or 8; 0 for predicates
  // The row that holds the operand's value as a cell of `bytes` (4 or 8); emits helpers where needed.
  uint32_t Source(const ptx::Operand& o, int bytes, ptx::Type type = ptx::Type::kNone);
  uint32_t Predicate(const ptx::Operand& o, int64_t* negated);
  // Where a result of `bytes` goes; `widen` is set when it must be extended into a 64-bit register afterwards.
  uint32_t Destination(const ptx::Operand& o, int bytes, bool is_signed = false);
  void FlushWidening(const ptx::Instruction& i);
  uint32_t SymbolRow(const ptx::Operand& o, int bytes);
  // The handler of `mov` from a special register; nullptr when it is not emulated.
  Handler SpecialRegister(const std::string& name) const;
  bool LargeCluster() const;  // the kernel asks for clusters of more than one block
  void FailInstruction(const ptx::Instruction& i, const std::string& why);
  void DecodeOne(const ptx::Instruction& i);
  bool EmitByKey(const ptx::Instruction& i, const std::string& key, Inst inst);

  // One function for each decoder that opcodes.def names. It returns false if the instruction has a form of the table
  // that the emulator does not execute.
  using DecodeFunction = bool (FunctionDecoder::*)(const ptx::Instruction& i);
  static DecodeFunction DecoderOf(const ptx::Opcode& opcode);

  // decode_arithmetic.cc
  bool DecodeArithmetic(const ptx::Instruction& i);
  bool DecodeApproximation(const ptx::Instruction& i);
  bool DecodeTestProperty(const ptx::Instruction& i);
  bool DecodeLogic(const ptx::Instruction& i);
  bool DecodeLogicOfPredicates(const ptx::Instruction& i);
  bool DecodeLop3(const ptx::Instruction& i);
  bool DecodeShift(const ptx::Instruction& i);
  bool DecodeBitField(const ptx::Instruction& i);
  bool DecodeBitFieldInsert(const ptx::Instruction& i);
  bool DecodeBitCount(const ptx::Instruction& i);
  bool DecodeByBytes(const ptx::Instruction& i);

  // decode_compare.cc
  bool DecodeSetPredicate(const ptx::Instruction& i);
  bool DecodeSet(const ptx::Instruction& i);
  bool DecodeSelect(const ptx::Instruction& i);
  bool DecodeSelectBySign(const ptx::Instruction& i);

  // decode_move.cc
  bool DecodeMove(const ptx::Instruction& i);
  bool DecodeMove128(const ptx::Instruction& i);
  bool DecodePack(const ptx::Instruction& i);
  bool DecodePackBytes(const ptx::Instruction& i);
  bool DecodeUnpack(const ptx::Instruction& i);
  bool DecodeMoveOfSpecial(const ptx::Instruction& i);
  bool DecodeAddressConversion(const ptx::Instruction& i);
  bool DecodeSpaceTest(const ptx::Instruction& i);
  bool DecodeConvert(const ptx::Instruction& i);

  // decode_video.cc
  bool DecodeVideo(const ptx::Instruction& i);
  bool DecodePairs(const ptx::Instruction& i);
  bool DecodeConvertPack(const ptx::Instruction& i);

  // decode_matrix.cc
  bool DecodeFragments(const ptx::Instruction& i);
  bool DecodeMultiplyMatrices(const ptx::Instruction& i);
  bool DecodeMatrixRows(const ptx::Instruction& i);
  bool DecodeMoveMatrix(const ptx::Instruction& i);
  int PlaceRegisters(const ptx::Operand& operand, VectorOperand* to, bool destination, int cell);
  Inst BeginMatrixAccess(const ptx::Instruction& i, bool store, MatrixForm* form);
  bool EmitMatrix(const ptx::Instruction& i, const char* key, Inst inst, const MatrixForm& form,
                  const VectorOperand (&registers)[4]);

  // decode_async.cc
  bool DecodeAsyncCopy(const ptx::Instruction& i);
  bool DecodeAsyncGroup(const ptx::Instruction& i);
  bool DecodeMbarrier(const ptx::Instruction& i);
  bool DecodeStackAllocation(const ptx::Instruction& i);
  bool DecodeStackSave(const ptx::Instruction& i);
  bool DecodeStackRestore(const ptx::Instruction& i);
  bool DecodeCachePolicy(const ptx::Instruction& i);
  bool DecodeClusterAddress(const ptx::Instruction& i);
  bool DecodeClusterRank(const ptx::Instruction& i);
  bool DecodeTexture(const ptx::Instruction& i);

  // decode_access.cc
  bool DecodeLoad(const ptx::Instruction& i) { return DecodeLoadStore(i, true); }
  bool DecodeStore(const ptx::Instruction& i) { return DecodeLoadStore(i, false); }
  bool DecodeAtomic(const ptx::Instruction& i) { return DecodeReadModifyWrite(i, true); }
  bool DecodeReduction(const ptx::Instruction& i) { return DecodeReadModifyWrite(i, false); }
  bool DecodeFence(const ptx::Instruction& i);
  bool DecodeNothing(const ptx::Instruction& i);
  bool DecodeLoadStore(const ptx::Instruction& i, bool load);
  bool DecodeReadModifyWrite(const ptx::Instruction& i, bool has_result);
  bool IsOnlyCopied(const ptx::Operand& o);  // true if it is loaded only to be stored
  bool IsUnread(const ptx::Operand& o);      // true if nobody uses the register's value
  void MarkReadsOfSwappedWords();
  void MarkWatchedFlags();
  struct Address {
    uint32_t row = 0;
    int64_t offset = 0;
    bool narrow = false;  // a 32-bit row
    bool kernel_parameter = false;
    bool in_local = false;  // a body-scoped .param or .local variable: local memory
  };
  Address DecodeAddress(const ptx::Operand& o, ptx::Space space);
  struct AccessPlace {
    const char* prefix = "";
    CountClass count = CountClass::kGeneric;
  };
  AccessPlace PlaceOf(const ptx::Instruction& i, ptx::Space space, const Address& address, bool load) const;

  // decode_control.cc
  bool DecodeBranch(const ptx::Instruction& i);
  bool DecodeIndexedBranch(const ptx::Instruction& i);
  bool DecodeCall(const ptx::Instruction& i);
  struct Callee {
    int32_t target = -1;  // index in Program::functions
    const ptx::Prototype* prototype = nullptr;
  };
  Callee CalleeOf(const ptx::Instruction& i);
  Handler BuiltinOf(const std::string& name);
  bool DecodeByName(const ptx::Instruction& i);
  bool DecodeBreakpoint(const ptx::Instruction& i);
  bool DecodeBarrier(const ptx::Instruction& i);
  bool DecodeClusterBarrier(const ptx::Instruction& i);
  bool DecodeShuffle(const ptx::Instruction& i);
  bool DecodeVote(const ptx::Instruction& i);
  bool DecodeMatch(const ptx::Instruction& i);
  bool DecodeReduceInWarp(const ptx::Instruction& i);
  bool DecodeActiveMask(const ptx::Instruction& i);
  bool DecodeElect(const ptx::Instruction& i);

  Program& program_;
  const SymbolAddresses& symbols_;
  const HandlerTable& handlers_;
  const ptx::Function& function_;
  FunctionCode& code_;
  const int32_t index_;
  std::vector<uint32_t> register_offset_;
  std::vector<uint32_t> variable_offset_;  // local frame offset, or kernel parameter offset, or shared offset
  std::map<std::pair<uint64_t, int>, uint32_t> constants_;
  uint32_t next_constant_ = kFirstConstant;
  std::vector<int32_t> code_index_;  // by body index: where its code starts (the marker, if it has one)
  std::vector<int32_t> reconverge_;
  std::vector<size_t> branches_;  // in FunctionCode::code: their targets are body indices until the end of Run()
  std::vector<char> labelled_;    // by body index: true if some branch goes there
  std::vector<int32_t> callees_;
  std::vector<std::pair<uint32_t, int64_t>> swapped_;  // address row and offset of each compare-and-swap
  bool calls_indirectly_ = false;
  std::vector<char> copied_;  // CopiedRegisters, once they are needed
  std::vector<char> read_;    // ReadRegisters, once they are needed
  uint32_t frame_bytes_ = kFirstConstant;
  const ptx::Instruction* current_ = nullptr;
  size_t current_index_ = 0;  // of current_ in the function's body
  struct Widening {
    uint32_t from, to;
    bool is_signed;
  };
  std::vector<Widening> widenings_;
  std::map<std::string_view, const ptx::Prototype*> prototypes_;  // of indirect calls, filled at the first one
  std::map<int32_t, uint32_t> branch_tables_;  // by .branchtargets list: its place in FunctionCode::branch_tables
};

inline bool Has(const ptx::Instruction& i, std::string_view modifier) { return i.Has(modifier); }
bool OneOf(std::string_view s, std::initializer_list<std::string_view> list);
// "opcode.modifier.modifier" as written in the PTX.
std::string SpellingOf(const ptx::Instruction& i);
// Joins the parts that are not empty: "a.b.c".
std::string JoinKey(std::initializer_list<std::string_view> parts);
// The first and the last modifier that names a type.
ptx::Type FirstType(const ptx::Instruction& i);
ptx::Type LastType(const ptx::Instruction& i);
bool IsSigned(ptx::Type t);
bool IsFloating(ptx::Type t);
std::string UnsignedName(ptx::Type t);  // by size: "u16", "u32", "u64"; floats keep their name
std::string BitsName(ptx::Type t);      // "b16", "b32", "b64"
int CellBytes(ptx::Type t);             // 4 or 8
// Formals first: offsets of returns, then parameters, in a callee's local frame; gives the bytes used.
uint64_t LayOutFormals(const ptx::Prototype& p, std::vector<FunctionCode::Slot>* returns,
                       std::vector<FunctionCode::Slot>* parameters);

}  // namespace warpgrade::emulator
