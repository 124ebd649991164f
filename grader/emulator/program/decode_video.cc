// Video instructions and the rare integer ones beside them: turns modifiers and operand parts into a VideoForm. Tested
// by tests/emulator/exec/video_test.cc.
#include <cstring>

#include "grader/emulator/program/decoder.h"
#include "grader/emulator/program/video_form.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

// Splits an opcode into operation and lanes: "vabsdiff4" has 4 lanes, "vadd" has 0. Returns false if it is not a video
// instruction.
bool VideoOpcode(std::string_view opcode, VideoOp* op, int* lanes) {
  if (opcode.empty() || opcode[0] != 'v') return false;
  *lanes = opcode.back() == '2' ? 2 : opcode.back() == '4' ? 4 : 0;
  if (*lanes != 0) opcode.remove_suffix(1);
  static constexpr std::pair<std::string_view, VideoOp> kNames[] = {
      {"vadd", VideoOp::kAdd}, {"vsub", VideoOp::kSub},     {"vabsdiff", VideoOp::kAbsDiff}, {"vmin", VideoOp::kMin},
      {"vmax", VideoOp::kMax}, {"vshl", VideoOp::kShl},     {"vshr", VideoOp::kShr},         {"vmad", VideoOp::kMad},
      {"vset", VideoOp::kSet}, {"vavrg", VideoOp::kAverage}};
  for (const auto& [name, value] : kNames) {
    if (name != opcode) continue;
    *op = value;
    bool scalar_only = value == VideoOp::kShl || value == VideoOp::kShr || value == VideoOp::kMad;
    return value == VideoOp::kAverage ? *lanes != 0 : !(scalar_only && *lanes != 0);
  }
  return false;
}

bool IsSigned32(const std::string& type) { return type == "s32"; }

uint8_t ScalarPart(const Operand& o) {
  if (o.part[0] == 'b') return static_cast<uint8_t>(1 + (o.part[1] - '0'));
  if (o.part[0] == 'h') return static_cast<uint8_t>(5 + (o.part[1] - '0'));
  return 0;
}

// Which part of {b, a} each part of the result takes: as written, highest first; without a selection, the same part of
// its own operand.
uint16_t Select(const Operand& o, int lanes, int first) {
  int bits = 0;
  size_t digits = std::strlen(o.part);
  for (int k = 0; k < lanes; ++k) {
    int from = digits == static_cast<size_t>(lanes) + 1 ? o.part[digits - 1 - static_cast<size_t>(k)] - '0' : first + k;
    bits |= from << (3 * k);
  }
  return static_cast<uint16_t>(bits);
}

}  // namespace

bool FunctionDecoder::DecodeVideo(const ptx::Instruction& i) {
  VideoOp op{};
  int lanes = 0;
  if (!VideoOpcode(i.opcode, &op, &lanes)) return false;
  const auto& o = i.operands;
  VideoForm form{};
  form.op = op;
  std::vector<std::string> types;
  for (const std::string& m : i.modifiers) {
    if (m == "s32" || m == "u32") types.push_back(m);
    if (m == "sat") form.saturate = 1;
    if (m == "wrap") form.wrap = 1;
    if (m == "po") form.plus_one = 1;
    if (m == "shr7") form.scale = 7;
    if (m == "shr15") form.scale = 15;
    if (m == "add") form.second = VideoSecond::kAdd;
    if (m == "min") form.second = VideoSecond::kMin;
    if (m == "max") form.second = VideoSecond::kMax;
    static constexpr const char* kCompares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    for (int k = 0; k < 6; ++k) {
      if (m == kCompares[k]) form.compare = static_cast<VideoCompare>(k);
    }
  }
  if (types.size() == 2) types.insert(types.begin(), "u32");  // vset names no destination type
  if (types.size() != 3) return false;
  form.d_signed = IsSigned32(types[0]);
  form.a_signed = IsSigned32(types[1]);
  form.b_signed = IsSigned32(types[2]);
  if (op == VideoOp::kMad) {
    form.negate_a = o[1].negated;
    form.negate_b = o[2].negated;
    form.negate_c = o.size() > 3 && o[3].negated;
  }
  form.d_part = lanes == 0 ? ScalarPart(o[0]) : 0;
  form.a_part = lanes == 0 ? ScalarPart(o[1]) : 0;
  form.b_part = lanes == 0 ? ScalarPart(o[2]) : 0;
  if (lanes != 0) {
    form.lanes = static_cast<uint8_t>(lanes);
    form.a_select = Select(o[1], lanes, 0);
    form.b_select = Select(o[2], lanes, lanes);
    int mask = 0;
    for (const char* digit = o[0].part; *digit != 0; ++digit) {
      if (*digit >= '0' && *digit <= '3') mask |= 1 << (*digit - '0');
    }
    form.mask = static_cast<uint8_t>(mask == 0 ? (1 << lanes) - 1 : mask);
  }
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], 4, Type::kU32);
  inst.b = Source(o[2], 4, Type::kU32);
  inst.c = o.size() > 3 ? Source(o[3], 4, Type::kU32) : ConstantRow(0, 4);
  inst.dst = Destination(o[0], 4);
  inst.vectors = static_cast<uint32_t>(code_.vectors.size());
  VectorOperand& packed = code_.vectors.emplace_back();
  static_assert(sizeof(form) <= sizeof(packed));
  std::memcpy(static_cast<void*>(&packed), &form, sizeof(form));
  return EmitByKey(i, op == VideoOp::kMad ? "video.mad" : lanes != 0 ? "video.simd" : "video", inst);
}

// add, min and max of u16x2 and s16x2, and .relu of 32-bit ones.
bool FunctionDecoder::DecodePairs(const ptx::Instruction& i) {
  const bool is_signed = Has(i, "s16x2"), pair = is_signed || Has(i, "u16x2"), relu = Has(i, "relu");
  const bool select = i.opcode == "min" || i.opcode == "max";
  if (!(pair && (select || i.opcode == "add")) && !(select && relu && Has(i, "s32"))) return false;
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], 4);
  inst.b = Source(i.operands[2], 4);
  inst.dst = Destination(i.operands[0], 4);
  const char* type = !pair ? "s32" : is_signed && select ? "s16x2" : "u16x2";  // the sign does not matter for adding
  return EmitByKey(i, JoinKey({i.opcode, relu ? "relu" : "", type}), inst);
}

// cvt.pack.sat.convertType.s32{.b32} d, a, b{, c}.
bool FunctionDecoder::DecodeConvertPack(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], 4);
  inst.b = Source(o[2], 4);
  inst.c = o.size() > 3 ? Source(o[3], 4) : ConstantRow(0, 4);
  inst.dst = Destination(o[0], 4);
  for (const char* type : {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"}) {
    if (Has(i, type)) return EmitByKey(i, JoinKey({"cvt.pack", type}), inst);
  }
  return false;
}

}  // namespace warpgrade::emulator
