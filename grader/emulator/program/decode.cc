// The driver of decoding, and what all decoders share: where registers, constants and variables lie in the frame, how
// an operand becomes a row, and how an instruction that cannot be executed is reported. Each instruction is first
// compared with the opcode table, and then passed to the decoder that the table names. Tested by
// tests/emulator/refused_test.cc, hostile_decode_test.cc and every test that runs a kernel.
#include "grader/emulator/program/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "grader/emulator/program/cfg.h"
#include "grader/emulator/program/decoder.h"
#include "grader/emulator/program/instruction_forms.h"
#include "grader/emulator/program/program_layout.h"
#include "grader/emulator/program/same_in_each_block.h"
#include "grader/emulator/program/wait_loop.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

bool IsSystemFile(const std::string& path) {
  return path.find("/targets/") != std::string::npos || path.starts_with("/usr/include") ||
         path.starts_with("/usr/lib/") || path.find("/include/cooperative_groups") != std::string::npos;
}

}  // namespace

bool OneOf(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

std::string SpellingOf(const ptx::Instruction& i) {
  std::string name = i.opcode;
  for (const std::string& m : i.modifiers) name += "." + m;
  return name;
}

std::string JoinKey(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (std::string_view part : parts) {
    if (part.empty()) continue;
    if (!key.empty()) key.push_back('.');
    key.append(part);
  }
  return key;
}

Type FirstType(const ptx::Instruction& i) {
  for (const std::string& m : i.modifiers) {
    if (const Type t = ptx::TypeFromName(m.c_str(), m.size()); t != Type::kNone) return t;
  }
  return Type::kNone;
}

Type LastType(const ptx::Instruction& i) {
  for (auto it = i.modifiers.rbegin(); it != i.modifiers.rend(); ++it) {
    Type t = ptx::TypeFromName(it->c_str(), it->size());
    if (t != Type::kNone) return t;
  }
  return Type::kNone;
}

bool IsSigned(Type t) { return t == Type::kS8 || t == Type::kS16 || t == Type::kS32 || t == Type::kS64; }
bool IsFloating(Type t) {
  return t == Type::kF16 || t == Type::kF16x2 || t == Type::kBF16 || t == Type::kBF16x2 || t == Type::kF32 ||
         t == Type::kF32x2 || t == Type::kF64 || t == Type::kTF32;
}
std::string UnsignedName(Type t) {
  if (IsFloating(t)) return ptx::Name(t);
  return fmt::format("u{}", ptx::SizeOf(t) * 8);
}
std::string BitsName(Type t) { return fmt::format("b{}", ptx::SizeOf(t) * 8); }
int CellBytes(Type t) { return ptx::SizeOf(t) > 4 ? 8 : 4; }

uint64_t LayOutFormals(const ptx::Prototype& p, std::vector<FunctionCode::Slot>* returns,
                       std::vector<FunctionCode::Slot>* parameters) {
  uint64_t at = 0;
  auto place = [&at](const std::vector<ptx::Variable>& from, std::vector<FunctionCode::Slot>* to) {
    for (const ptx::Variable& v : from) {
      const uint32_t offset = Place(v, &at);
      to->push_back({offset, Saturated(v.size)});
    }
  };
  place(p.returns, returns);
  place(p.parameters, parameters);
  return at;
}

ParameterLayout LayOutParameters(const ptx::Function& kernel) {
  ParameterLayout layout;
  uint64_t at = 0;
  for (const ptx::Variable& v : kernel.prototype.parameters) {
    layout.offsets.push_back(Place(v, &at));
    layout.sizes.push_back(Saturated(v.size));
  }
  layout.bytes = Saturated(at);
  return layout;
}

ptx::SourceFrame PickFrame(const ptx::Module& module, int32_t location) {
  if (location < 0 || static_cast<size_t>(location) >= module.locations.size()) return {};
  const std::vector<ptx::SourceFrame>& chain = module.locations[static_cast<size_t>(location)];
  if (chain.empty()) return {};
  int32_t own_file = chain.back().file;
  const ptx::SourceFrame* outside = nullptr;
  for (const ptx::SourceFrame& f : chain) {
    if (f.file == own_file) return f;
    bool known = f.file >= 0 && static_cast<size_t>(f.file) < module.files.size();
    if (outside == nullptr && known && !IsSystemFile(module.files[static_cast<size_t>(f.file)])) outside = &f;
  }
  return outside != nullptr ? *outside : chain.back();
}

FunctionDecoder::FunctionDecoder(Program& program, const SymbolAddresses& symbols, const ptx::Function& function,
                                 int32_t index, const HandlerTable& handlers)
    : program_(program),
      symbols_(symbols),
      handlers_(handlers),
      function_(function),
      code_(program.functions[static_cast<size_t>(index)]),
      index_(index) {}

void FunctionDecoder::LayOutLocals() {
  variable_offset_.assign(function_.variables.size(), 0);
  const size_t formals = function_.prototype.returns.size() + function_.prototype.parameters.size();
  uint64_t at = 0;
  if (function_.is_entry) {
    ParameterLayout layout = LayOutParameters(function_);
    for (size_t k = 0; k < layout.offsets.size() && k < variable_offset_.size(); ++k)
      variable_offset_[k] = layout.offsets[k];
  } else {
    at = LayOutFormals(function_.prototype, &code_.returns, &code_.parameters);
    size_t k = 0;
    for (const FunctionCode::Slot& s : code_.returns) variable_offset_[k++] = s.offset;
    for (const FunctionCode::Slot& s : code_.parameters) variable_offset_[k++] = s.offset;
  }
  // The arrays come last, so that an index past their end reaches nothing of this call.
  for (const Space space : {Space::kParam, Space::kLocal}) {
    at = (at + 15) / 16 * 16;
    for (size_t k = formals; k < function_.variables.size(); ++k) {
      const ptx::Variable& v = function_.variables[k];
      if (v.space == space) variable_offset_[k] = Place(v, &at);
    }
  }
  for (size_t k = formals; k < function_.variables.size(); ++k) {
    const ptx::Variable& v = function_.variables[k];
    if (v.parts.empty()) continue;
    code_.parts.clear();
    code_.guards = Saturated(v.guards);
    code_.guard_begin = variable_offset_[k];
    code_.guard_end = Saturated(uint64_t{code_.guard_begin} + v.size);
    for (const ptx::SourceVariable& part : v.parts) {
      code_.parts.push_back({Saturated(code_.guard_begin + part.offset), Saturated(part.bytes), part.name});
    }
    program_.guards_locals = true;
  }
  code_.local_bytes = Saturated((at + 15) / 16 * 16);
  code_.local_end = std::min(Saturated(at), code_.local_bytes);
}

int FunctionDecoder::RegisterBytes(int32_t reg) const {
  Type t = function_.registers[static_cast<size_t>(reg)].type;
  return t == Type::kPred ? 0 : CellBytes(t);
}

void FunctionDecoder::LayOutRegisters() {
  // Room for the constants comes first, so that only they are copied into a new frame.
  std::set<std::tuple<uint64_t, std::string, int32_t>> distinct;
  auto visit = [&distinct](const Operand& o, auto&& self) -> void {
    if (o.kind == OperandKind::kImmediate) distinct.emplace(o.bits, "", -1);
    if (o.kind == OperandKind::kSymbol || o.kind == OperandKind::kAddress) {
      distinct.emplace(o.kind == OperandKind::kSymbol ? static_cast<uint64_t>(o.offset) : 0, o.name, o.variable);
    }
    for (const Operand& e : o.elements) self(e, self);
  };
  for (const ptx::Instruction& i : function_.body) {
    for (const Operand& o : i.operands) visit(o, visit);
    visit(i.callee, visit);
  }
  // Each constant may be needed as 32 bits, as 64 bits, and a double also as the bits of a single.
  frame_bytes_ = kFirstConstant + static_cast<uint32_t>(distinct.size() + 8) * (128 + 256 + 128);
  register_offset_.resize(function_.registers.size());
  for (size_t r = 0; r < function_.registers.size(); ++r) {
    int bytes = RegisterBytes(static_cast<int32_t>(r));
    frame_bytes_ = RoundUp(frame_bytes_, bytes == 0 ? 4 : 64);
    register_offset_[r] = frame_bytes_;
    if (function_.registers[r].type == Type::kB128) bytes = 16;  // two rows of 64 bits
    frame_bytes_ += bytes == 0 ? 4 : static_cast<uint32_t>(bytes) * kLanes;
  }
}

void FunctionDecoder::FinishLayout() {
  code_.frame_bytes = RoundUp(frame_bytes_, 64);
  uint32_t end = kFirstConstant;
  for (const auto& [key, offset] : constants_) end = std::max(end, offset + static_cast<uint32_t>(key.second) * kLanes);
  code_.constants.assign(end, 0);
  for (const auto& [key, offset] : constants_) {
    for (uint32_t l = 0; l < kLanes; ++l) {
      const auto bytes = static_cast<size_t>(key.second);
      std::memcpy(code_.constants.data() + offset + l * bytes, &key.first, bytes);
    }
  }
}

uint32_t FunctionDecoder::ConstantRow(uint64_t bits, int bytes) {
  if (bytes == 4) bits &= 0xFFFFFFFFu;
  auto [it, added] = constants_.try_emplace({bits, bytes}, next_constant_);
  if (added) {
    next_constant_ += static_cast<uint32_t>(bytes) * kLanes;
    WARPGRADE_CHECK(register_offset_.empty() || next_constant_ <= register_offset_[0]);
  }
  return it->second;
}

uint32_t FunctionDecoder::Temporary(int bytes) {
  frame_bytes_ = RoundUp(frame_bytes_, 64);
  uint32_t at = frame_bytes_;
  frame_bytes_ += static_cast<uint32_t>(std::max(bytes * kLanes, 64));
  return at;
}

Handler FunctionDecoder::Known(const char* key) const {
  const Handler handler = handlers_.Find(key);
  WARPGRADE_CHECK(handler != nullptr);
  return handler;
}

Inst FunctionDecoder::Begin(const ptx::Instruction& i, Handler handler, CountClass count) const {
  Inst inst;
  inst.handler = handler;
  inst.count_class = count;
  inst.dst = kSinkRow;
  inst.a = inst.b = inst.c = kSinkRow;
  if (i.guard >= 0) {
    inst.guard = static_cast<int32_t>(register_offset_[static_cast<size_t>(i.guard)]);
    inst.guard_negated = i.guard_negated;
  }
  return inst;
}

void FunctionDecoder::Emit(Inst inst) {
  inst.index = static_cast<uint32_t>(program_.origins.size());
  InstOrigin origin;
  origin.instruction = current_;
  origin.function = index_;
  origin.count_class = inst.count_class;
  if (current_ != nullptr) {
    ptx::SourceFrame frame = PickFrame(*program_.module, current_->location);
    origin.file = frame.file;
    origin.line = frame.line;
    const auto& files = program_.module->files;
    origin.is_in_header = frame.file >= 0 && static_cast<size_t>(frame.file) < files.size() &&
                          IsSystemFile(files[static_cast<size_t>(frame.file)]);
  }
  bool spins = current_ != nullptr && inst.count_class != CountClass::kNone && SpinsOn(*current_);
  if (spins) program_.polls.push_back(inst.index);
  inst.run = !spins && handlers_.RoleOf(inst.handler) != RunRole::kNone ? 1 : 0;
  program_.origins.push_back(origin);
  code_.code.push_back(inst);
}

void FunctionDecoder::FailInstruction(const ptx::Instruction& i, const std::string& why) {
  Inst inst = Begin(i, Known("unsupported"));
  inst.message = static_cast<uint32_t>(code_.messages.size());
  code_.messages.push_back(fmt::format("the emulator cannot execute `{}` (PTX line {}){}{}", SpellingOf(i), i.ptx_line,
                                       why.empty() ? "" : ": ", why));
  widenings_.clear();
  Emit(inst);
}

bool FunctionDecoder::LargeCluster() const {
  const int32_t* c = program_.functions[0].function->cluster;
  return c[0] > 1 || c[1] > 1 || c[2] > 1;
}

Handler FunctionDecoder::SpecialRegister(const std::string& name) const {
  // Without a cluster, a block counts as a cluster of one block.
  static const std::map<std::string, const char*> kOfOneBlock = {{"cluster_ctaid.x", "mov.%zero"},
                                                                 {"cluster_ctaid.y", "mov.%zero"},
                                                                 {"cluster_ctaid.z", "mov.%zero"},
                                                                 {"cluster_ctarank", "mov.%zero"},
                                                                 {"cluster_nctaid.x", "mov.%one"},
                                                                 {"cluster_nctaid.y", "mov.%one"},
                                                                 {"cluster_nctaid.z", "mov.%one"},
                                                                 {"cluster_nctarank", "mov.%one"},
                                                                 {"clusterid.x", "mov.%ctaid.x"},
                                                                 {"clusterid.y", "mov.%ctaid.y"},
                                                                 {"clusterid.z", "mov.%ctaid.z"},
                                                                 {"nclusterid.x", "mov.%nctaid.x"},
                                                                 {"nclusterid.y", "mov.%nctaid.y"},
                                                                 {"nclusterid.z", "mov.%nctaid.z"},
                                                                 {"aggr_smem_size", "mov.%total_smem_size"},
                                                                 {"reserved_smem_offset_0", "mov.%zero"}};
  if (auto it = kOfOneBlock.find(name); it != kOfOneBlock.end()) {
    return LargeCluster() ? nullptr : handlers_.Find(it->second);
  }
  if (name == "reserved_smem_offset_1") program_.uses_reserved_shared = true;
  if (Handler handler = handlers_.Find(("mov.%" + name).c_str()); handler != nullptr) return handler;
  // The driver uses some environment registers for cooperative launches; the others are zero.
  return name.starts_with("envreg") ? handlers_.Find("mov.%zero") : nullptr;
}

uint32_t FunctionDecoder::SymbolRow(const Operand& o, int bytes) {
  uint64_t value = static_cast<uint64_t>(o.offset);
  if (o.variable >= 0) {
    const ptx::Variable& v = function_.variables[static_cast<size_t>(o.variable)];
    if (v.space == Space::kShared) {
      auto it = program_.shared_offsets.find(fmt::format("{}:{}", index_, o.variable));
      if (it != program_.shared_offsets.end()) return ConstantRow(value + it->second, bytes);
    }
    bool formal_of_kernel =
        function_.is_entry && static_cast<size_t>(o.variable) < function_.prototype.parameters.size();
    uint64_t offset = value + variable_offset_[static_cast<size_t>(o.variable)];
    if (formal_of_kernel) return ConstantRow(offset, bytes);  // cvta.param adds the window
    Inst inst;
    inst.handler = handlers_.Find("local.address");
    inst.count_class = CountClass::kNone;
    inst.imm = static_cast<int64_t>(offset);
    inst.dst = Temporary(8);
    Emit(inst);
    return inst.dst;
  }
  if (auto it = symbols_.find(o.name); it != symbols_.end()) return ConstantRow(value + it->second, bytes);
  if (auto it = program_.shared_offsets.find(o.name); it != program_.shared_offsets.end()) {
    return ConstantRow(value + it->second, bytes);
  }
  if (auto it = program_.function_index.find(o.name); it != program_.function_index.end()) {
    callees_.push_back(it->second - 1);
    calls_indirectly_ = true;
    return ConstantRow(kFunctionBase + 16 * static_cast<uint64_t>(it->second), bytes);
  }
  return ConstantRow(0, bytes);  // an extern that is not defined reads as address 0, which faults with a message
}

uint32_t FunctionDecoder::Source(const Operand& o, int bytes, Type type) {
  switch (o.kind) {
    case OperandKind::kImmediate: {
      uint64_t bits = o.bits;
      if (o.immediate_type == Type::kF64 && type == Type::kF32) {
        double d;
        std::memcpy(&d, &bits, sizeof(d));
        float f = static_cast<float>(d);
        uint32_t u;
        std::memcpy(&u, &f, sizeof(u));
        bits = u;
      }
      if (o.immediate_type == Type::kF32 && type == Type::kF64) {
        const auto single = static_cast<uint32_t>(bits);
        float f;
        std::memcpy(&f, &single, sizeof(f));
        const double d = f;
        std::memcpy(&bits, &d, sizeof(bits));
      }
      return ConstantRow(bits, bytes);
    }
    case OperandKind::kRegister: {
      uint32_t row = register_offset_[static_cast<size_t>(o.reg)];
      int have = RegisterBytes(o.reg);
      if (have == bytes || have == 0) return row;
      Inst inst;
      inst.handler = handlers_.Find(bytes == 4 ? "unpack.low.b32" : IsSigned(type) ? "cvt.u64.s32" : "cvt.u64.u32");
      inst.count_class = CountClass::kNone;
      inst.a = row;
      inst.dst = Temporary(bytes);
      Emit(inst);
      return inst.dst;
    }
    case OperandKind::kSymbol:
      return SymbolRow(o, bytes);
    case OperandKind::kSpecial: {
      Inst inst;
      inst.handler = SpecialRegister(o.name);
      inst.count_class = CountClass::kNone;
      inst.dst = Temporary(8);
      if (inst.handler == nullptr) {
        FailInstruction(*current_, fmt::format("special register %{} is not emulated", o.name));
        return inst.dst;
      }
      Emit(inst);
      return inst.dst;
    }
    default:
      return kSinkRow;
  }
}

uint32_t FunctionDecoder::Predicate(const Operand& o, int64_t* negated) {
  *negated = o.negated ? 1 : 0;
  if (o.kind == OperandKind::kRegister) return register_offset_[static_cast<size_t>(o.reg)];
  if (o.kind == OperandKind::kImmediate) return ConstantRow(o.bits != 0 ? ~uint64_t{0} : 0, 4);
  return kSinkRow;
}

uint32_t FunctionDecoder::Destination(const Operand& o, int bytes, bool is_signed) {
  if (o.kind != OperandKind::kRegister) return kSinkRow;
  uint32_t row = register_offset_[static_cast<size_t>(o.reg)];
  int have = RegisterBytes(o.reg);
  if (have == bytes || have == 0) return row;
  uint32_t temporary = Temporary(bytes);
  widenings_.push_back({temporary, row, is_signed});
  if (have < bytes) widenings_.back().is_signed = false;
  return temporary;
}

void FunctionDecoder::FlushWidening(const ptx::Instruction& i) {
  for (const Widening& w : widenings_) {
    // Valid PTX cannot write a result that is wider than its register. A narrower result is extended.
    Inst inst = Begin(i, handlers_.Find(w.is_signed ? "cvt.u64.s32" : "cvt.u64.u32"), CountClass::kNone);
    inst.a = w.from;
    inst.dst = w.to;
    Emit(inst);
  }
  widenings_.clear();
}

bool FunctionDecoder::EmitByKey(const ptx::Instruction& i, const std::string& key, Inst inst) {
  inst.handler = handlers_.Find(key.c_str());
  if (inst.handler == nullptr) {
    FailInstruction(i, "");
    return true;
  }
  Emit(inst);
  FlushWidening(i);
  return true;
}

FunctionDecoder::DecodeFunction FunctionDecoder::DecoderOf(const ptx::Opcode& opcode) {
  static constexpr DecodeFunction kDecoders[] = {
#define MODIFIER_SET(name, members)
#define OPCODE(name, decoder, traits, ...) &FunctionDecoder::Decode##decoder,
#include "grader/emulator/ptx/opcodes.def"
#undef OPCODE
#undef MODIFIER_SET
  };
  return kDecoders[opcode.index];
}

void FunctionDecoder::DecodeOne(const ptx::Instruction& i) {
  if (i.known == nullptr) return FailInstruction(i, "");
  if (i.known->form_count != 0) {
    if (const std::string why = WhatIsWrong(function_, i); !why.empty()) return FailInstruction(i, why);
  }
  if (!(this->*DecoderOf(*i.known))(i)) FailInstruction(i, "");
}

void FunctionDecoder::Run() {
  code_.function = &function_;
  code_.name = function_.prototype.name;
  LayOutLocals();
  LayOutRegisters();
  reconverge_ = ReconvergencePoints(function_);
  std::vector<char> is_meeting_point(function_.body.size() + 1, 0);
  for (int32_t r : reconverge_) {
    if (r >= 0) is_meeting_point[static_cast<size_t>(r)] = 1;
  }
  labelled_.assign(function_.body.size() + 1, 0);
  for (const ptx::Instruction& i : function_.body) {
    for (const Operand& o : i.operands) {
      if (o.kind == OperandKind::kLabel && o.target >= 0) labelled_[static_cast<size_t>(o.target)] = 1;
    }
  }
  for (const auto& [name, targets] : function_.branch_targets) {
    for (const Operand& o : targets) labelled_[static_cast<size_t>(o.target)] = 1;
  }
  code_index_.assign(function_.body.size() + 1, 0);
  for (size_t k = 0; k < function_.body.size(); ++k) {
    code_index_[k] = static_cast<int32_t>(code_.code.size());
    if (is_meeting_point[k]) {
      current_ = nullptr;
      Inst marker;
      marker.handler = Known("reconverge");
      marker.count_class = CountClass::kNone;
      Emit(marker);
    }
    current_ = &function_.body[k];
    current_index_ = k;
    DecodeOne(function_.body[k]);
  }
  // A body without a return at its end returns there.
  code_index_[function_.body.size()] = static_cast<int32_t>(code_.code.size());
  current_ = nullptr;
  Inst end;
  end.handler = Known("ret");
  end.count_class = CountClass::kNone;
  Emit(end);
  // Until here, branch targets are body indices. Turn them into indices of the code.
  for (const size_t at : branches_) {
    Inst& inst = code_.code[at];
    if (inst.target >= 0) inst.target = code_index_[static_cast<size_t>(inst.target)];
    if (inst.reconverge >= 0) inst.reconverge = code_index_[static_cast<size_t>(inst.reconverge)];
  }
  for (std::vector<int32_t>& table : code_.branch_tables) {
    for (int32_t& t : table) t = code_index_[static_cast<size_t>(t)];
  }
  FormRuns();
  ShortenStart();
  MarkWatchedFlags();
  MarkReadsOfSwappedWords();
  FinishLayout();
}

void FunctionDecoder::FormRuns() {
  constexpr uint32_t kLongestRun = 128;  // a warp that spins can only be interrupted between runs
  for (size_t k = code_.code.size() - 1; k-- > 0;) {
    Inst& inst = code_.code[k];
    const uint32_t next = code_.code[k + 1].run;
    if (next < kLongestRun && handlers_.RoleOf(inst.handler) == RunRole::kInside && inst.run != 0) inst.run += next;
  }
}

// Leaves out of the kernel's first run what gives the results of the block before. It keeps the last instruction, which
// leaves the lanes where the run ends.
void FunctionDecoder::ShortenStart() {
  if (index_ != 0) return;
  const std::vector<uint8_t> depends = BlockDependences(function_);
  const size_t run = code_.code[0].run;
  for (size_t changed = 0; changed < code_.start_again.size(); ++changed) {
    for (size_t k = 0; k < run; ++k) {
      const ptx::Instruction* from = program_.origins[code_.code[k].index].instruction;
      const size_t on = from == nullptr ? kAlways : depends[static_cast<size_t>(from - function_.body.data())];
      if ((on & (changed | kAlways)) != 0 || k + 1 == run) {
        code_.start_again[changed].push_back(static_cast<int32_t>(k));
      }
    }
  }
  if (code_.start_again[0].size() == run) code_.start_again = {};
}

std::vector<std::string> UnsupportedInstructions(const Program& program) {
  std::vector<std::string> all;
  for (const FunctionCode& f : program.functions) all.insert(all.end(), f.messages.begin(), f.messages.end());
  return all;
}

std::unique_ptr<Program> Decode(const ptx::Module& module, const ptx::Function& kernel, const SymbolAddresses& symbols,
                                const HandlerTable& handlers) {
  auto program = std::make_unique<Program>();
  program->module = &module;
  program->functions.resize(module.functions.size() + 1);
  for (size_t k = 0; k < module.functions.size(); ++k) {
    const ptx::Function& f = module.functions[k];
    int32_t& slot = program->function_index[f.prototype.name];
    if (slot == 0 || f.has_body) slot = static_cast<int32_t>(k) + 1;  // a definition wins over its declarations
  }
  program->functions[0].function = &kernel;
  std::vector<int32_t> reachable = Reachable(*program, module, kernel);
  for (int32_t f : reachable) {
    if (f > 0) program->functions[static_cast<size_t>(f)].function = &module.functions[static_cast<size_t>(f) - 1];
  }
  LayOutShared(*program, reachable);
  for (int32_t f : reachable) {
    FunctionDecoder(*program, symbols, *program->functions[static_cast<size_t>(f)].function, f, handlers).Run();
  }
  return program;
}

}  // namespace warpgrade::emulator
