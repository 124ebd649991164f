// One opcode form: how PTX spells it, which handler it must reach, and a scalar oracle for its result. The tables of
// forms are the tests of the lane-wise handlers, and completeness_test.cc compares them with the handlers' own list.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade::emulator {

// What an operand is: its register's width, and which values make it interesting.
enum class Operand : uint8_t {
  kNone,
  kPred,
  kInt16,
  kInt32,
  kInt64,
  kAmount,
  kF16,
  kBF16,
  kF16x2,
  kBF16x2,
  kF32,
  kF32x2,
  kF64,
  kAngle,   // f32 in [-2 pi, 2 pi]
  kNormal,  // f32, positive and negative, 2^-60..2^60
};

// Operands and result as raw bits in the low part of the word.
using Oracle = std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)>;
// Judges a result where it need not be exact: (a, b, c, got).
using Judge = std::function<bool(uint64_t a, uint64_t b, uint64_t c, uint64_t got)>;

struct Form {
  std::string key;  // the handler, as in handlers/table.h
  std::string ptx;  // with %d the result and %a, %b, %c the operands: "add.s32 %d, %a, %b;"
  Operand d, a, b = Operand::kNone, c = Operand::kNone;
  Oracle oracle;  // or else
  Judge judge = {};
};

// Runs every form over all combinations of edge values and many random ones, with all lanes on and with some off (which
// must keep their old result), and compares. All NaNs are equal where the result is a float.
void CheckForms(const std::vector<Form>& forms);

// The tables, each beside the test that runs it.
std::vector<Form> IntegerForms();
std::vector<Form> FloatForms();
std::vector<Form> HalfForms();
std::vector<Form> CompareForms();
std::vector<Form> ConvertForms();
std::vector<Form> MoveForms();
std::vector<Form> NarrowForms();
std::vector<Form> VideoForms();
// Keys of handlers that tests of whole kernels cover: memory accesses, warp-wide instructions, special registers.
std::vector<std::string> GlobalAccessKeys();
std::vector<std::string> SharedAccessKeys();
std::vector<std::string> LocalAccessKeys();
std::vector<std::string> CollectiveKeys();
std::vector<std::string> SpecialRegisterKeys();
std::vector<std::string> AsyncKeys();
std::vector<std::string> MatrixKeys();
std::vector<std::string> StackKeys();

// True if decoding `ptx` (a module with kernel `k`) gives an instruction that the handler of `key` runs.
bool Reaches(const std::string& ptx, const std::string& key);

template <typename To, typename From>
To Cast(From from) {  // bits, of the low bytes
  To to{};
  std::memcpy(&to, &from, sizeof(to) < sizeof(from) ? sizeof(to) : sizeof(from));
  return to;
}

}  // namespace warpgrade::emulator
