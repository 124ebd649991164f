// wmma, mma, ldmatrix, stmatrix and movmatrix: turns the spelling into a MatrixForm. The registers of each operand must
// hold a lane's share of its matrix, otherwise the instruction is refused. Tested by
// tests/emulator/exec/matrix_test.cc.
#include <cstdio>
#include <cstring>
#include <iterator>

#include "grader/emulator/program/decoder.h"
#include "grader/emulator/program/matrix_form.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;

bool ElementFromName(std::string_view name, Element* e) {
  static constexpr std::pair<std::string_view, Element> kNames[] = {
      {"f16", Element::kF16}, {"bf16", Element::kBF16}, {"tf32", Element::kTF32}, {"f32", Element::kF32},
      {"f64", Element::kF64}, {"s8", Element::kS8},     {"u8", Element::kU8},     {"s4", Element::kS4},
      {"u4", Element::kU4},   {"b1", Element::kB1},     {"s32", Element::kS32},   {"b16", Element::kB16}};
  for (const auto& [n, value] : kNames) {
    if (n != name) continue;
    *e = value;
    return true;
  }
  return false;
}

std::vector<Element> Elements(const ptx::Instruction& i) {
  std::vector<Element> all;
  for (const std::string& m : i.modifiers) {
    Element e;
    if (ElementFromName(m, &e)) all.push_back(e);
  }
  return all;
}

bool ShapeFromName(const ptx::Instruction& i, MatrixForm* f) {
  for (const std::string& name : i.modifiers) {
    unsigned m = 0, n = 0, k = 0;
    int end = 0;
    if (std::sscanf(name.c_str(), "m%un%uk%u%n", &m, &n, &k, &end) != 3) continue;
    if (static_cast<size_t>(end) != name.size() || m > 32 || n > 32 || k > 256) return false;
    f->m = static_cast<uint16_t>(m);
    f->n = static_cast<uint16_t>(n);
    f->k = static_cast<uint16_t>(k);
    return true;
  }
  return false;
}

// True if `registers` hold the lane's share of a matrix: exactly for mma, at least once for wmma.
bool Holds(const MatrixForm& f, Element e, int elements, int registers) {
  const int bits = BitsOf(e), slots = bits == 64 ? registers : registers * 32 / bits, each = elements / kLanes;
  if (elements % kLanes != 0 || slots == 0) return false;
  return f.wmma ? slots % each == 0 : slots == each;
}

bool IsInteger(Element e) {
  return e == Element::kS8 || e == Element::kU8 || e == Element::kS4 || e == Element::kU4 || e == Element::kB1;
}

int CellOf(Element e) { return e == Element::kF64 ? 8 : 4; }

}  // namespace

// Fills in the rows of a vector operand, or of a single register, as cells of `cell` bytes. Returns how many there are,
// or 0 if there are too many.
int FunctionDecoder::PlaceRegisters(const Operand& operand, VectorOperand* to, bool destination, int cell) {
  const size_t count = operand.kind == OperandKind::kVector ? operand.elements.size() : 1;
  if (count > std::size(to->rows)) return 0;
  for (size_t k = 0; k < count; ++k) {
    const Operand& e = operand.kind == OperandKind::kVector ? operand.elements[k] : operand;
    to->rows[k] = destination ? Destination(e, cell) : Source(e, cell, cell == 8 ? ptx::Type::kB64 : ptx::Type::kB32);
  }
  return static_cast<int>(count);
}

// `registers` holds the registers of d, a, b and c.
bool FunctionDecoder::EmitMatrix(const ptx::Instruction& i, const char* key, Inst inst, const MatrixForm& form,
                                 const VectorOperand (&registers)[4]) {
  VectorOperand packed;
  static_assert(sizeof(form) <= sizeof(packed));
  std::memcpy(static_cast<void*>(&packed), &form, sizeof(form));
  inst.vectors = static_cast<uint32_t>(code_.vectors.size());
  code_.vectors.insert(code_.vectors.end(), std::begin(registers), std::end(registers));
  code_.vectors.push_back(packed);
  return EmitByKey(i, key, inst);
}

bool FunctionDecoder::DecodeMoveMatrix(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], 4);
  inst.dst = Destination(i.operands[0], 4);
  return EmitByKey(i, "movmatrix.b16", inst);
}

// mma and wmma.mma.
bool FunctionDecoder::DecodeMultiplyMatrices(const ptx::Instruction& i) {
  const auto& o = i.operands;
  MatrixForm f;
  if (!ShapeFromName(i, &f)) return false;
  std::vector<Element> types = Elements(i);
  f.wmma = Has(i, "mma");
  // wmma with f16 operands only names the types of d and c.
  if (f.wmma && types.size() == 2) types = {types[0], Element::kF16, Element::kF16, types[1]};
  if (types.size() != 4) return false;
  f.d = types[0];
  f.a = types[1];
  f.b = types[2];
  f.c = types[3];
  // m8n8k4 with f16 operands works on four quarters of a warp, which is not emulated.
  if (!f.wmma && f.m == 8 && f.n == 8 && f.k == 4 && f.a == Element::kF16) return false;
  std::vector<bool> by_columns;
  for (const std::string& m : i.modifiers) {
    if (m == "row" || m == "col") by_columns.push_back(m == "col");
  }
  f.a_by_columns = by_columns[0];
  f.b_by_columns = by_columns[1];
  if (!f.wmma && (f.a_by_columns || !f.b_by_columns)) return false;
  f.saturate = Has(i, "satfinite") && IsInteger(f.a);
  f.exclusive_or = Has(i, "xor");
  VectorOperand registers[4];
  f.a_registers = static_cast<uint8_t>(PlaceRegisters(o[1], &registers[1], false, CellOf(f.a)));
  f.b_registers = static_cast<uint8_t>(PlaceRegisters(o[2], &registers[2], false, CellOf(f.b)));
  f.c_registers = static_cast<uint8_t>(PlaceRegisters(o[3], &registers[3], false, CellOf(f.c)));
  f.d_registers = static_cast<uint8_t>(PlaceRegisters(o[0], &registers[0], true, CellOf(f.d)));
  if (!Holds(f, f.a, f.m * f.k, f.a_registers) || !Holds(f, f.b, f.k * f.n, f.b_registers) ||
      !Holds(f, f.c, f.m * f.n, f.c_registers) || !Holds(f, f.d, f.m * f.n, f.d_registers)) {
    return false;
  }
  const char* key = f.a == Element::kF64 ? "mma.f64" : IsInteger(f.a) ? "mma.integer" : "mma.float";
  return EmitMatrix(i, key, Begin(i, nullptr), f, registers);
}

// Decodes the part that loads and stores of matrices share: the address.
Inst FunctionDecoder::BeginMatrixAccess(const ptx::Instruction& i, bool store, MatrixForm* form) {
  const bool shared = Has(i, "shared") || Has(i, "shared::cta"), global = Has(i, "global");
  const Address address = DecodeAddress(i.operands[store ? 0 : 1], shared   ? Space::kShared
                                                                   : global ? Space::kGlobal
                                                                            : Space::kNone);
  form->store = store;
  form->space = static_cast<uint8_t>(address.narrow ? 3 : shared ? 2 : global ? 1 : 0);
  Inst inst = Begin(i, nullptr, CountClass::kGeneric);
  inst.access = store ? AccessDirection::kStore : AccessDirection::kLoad;
  inst.a = address.row;
  inst.imm = address.offset;
  return inst;
}

bool FunctionDecoder::DecodeMatrixRows(const ptx::Instruction& i) {
  const bool store = i.operands[0].kind == OperandKind::kAddress;
  MatrixForm f;
  const Inst inst = BeginMatrixAccess(i, store, &f);
  f.matrices = Has(i, "x4") ? 4 : Has(i, "x2") ? 2 : 1;
  f.transpose = Has(i, "trans");
  VectorOperand registers[4];
  if (PlaceRegisters(i.operands[store ? 1 : 0], &registers[0], !store, 4) != f.matrices) return false;
  return EmitMatrix(i, "matrix.rows", inst, f, registers);
}

// wmma.load and wmma.store.
bool FunctionDecoder::DecodeFragments(const ptx::Instruction& i) {
  if (Has(i, "mma")) return DecodeMultiplyMatrices(i);
  const auto& o = i.operands;
  const bool store = Has(i, "store");
  MatrixForm f;
  Inst inst = BeginMatrixAccess(i, store, &f);
  if (!ShapeFromName(i, &f)) return false;
  std::vector<Element> types = Elements(i);
  if (types.size() != 1) return false;
  f.wmma = true;
  f.a = types[0];
  f.fragment = Has(i, "a") ? Fragment2D::kA : Has(i, "b") ? Fragment2D::kB : Fragment2D::kC;
  f.memory_by_columns = Has(i, "col");
  f.a_by_columns = f.b_by_columns = f.memory_by_columns && f.fragment != Fragment2D::kC;
  VectorOperand registers[4];
  f.a_registers = static_cast<uint8_t>(PlaceRegisters(o[store ? 1 : 0], &registers[0], !store, CellOf(f.a)));
  const int elements = f.fragment == Fragment2D::kA ? f.m * f.k : f.fragment == Fragment2D::kB ? f.k * f.n : f.m * f.n;
  if (!Holds(f, f.a, elements, f.a_registers)) return false;
  if (o.size() > 2) {
    inst.b = Source(o[2], 4);
    inst.has_stride = true;
  }
  return EmitMatrix(i, "wmma.fragment", inst, f, registers);
}

}  // namespace warpgrade::emulator
