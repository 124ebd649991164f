// How wmma, mma, ldmatrix and stmatrix are described to their handlers: PTX ISA "Matrix Multiply-Accumulate
// Instructions".
//
// Where the elements of a matrix lie in the lanes' registers (the fragment): for mma, as the ISA draws it; for wmma,
// which leaves it open, in runs: lane l has elements l*n .. l*n+n-1 of the matrix in the order of its layout
// (accumulators: by rows), where n is the number of elements divided by 32. Registers beyond that hold the same
// elements again.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

enum class Element : uint8_t { kF16, kBF16, kTF32, kF32, kF64, kS8, kU8, kS4, kU4, kB1, kS32, kB16 };
inline constexpr int BitsOf(Element e) {
  switch (e) {
    case Element::kF64:
      return 64;
    case Element::kTF32:
    case Element::kF32:
    case Element::kS32:
      return 32;
    case Element::kF16:
    case Element::kBF16:
    case Element::kB16:
      return 16;
    case Element::kS8:
    case Element::kU8:
      return 8;
    case Element::kB1:
      return 1;
    default:
      return 4;
  }
}

enum class Fragment2D : uint8_t { kA, kB, kC };

// Registers are in four VectorOperands of FunctionCode::vectors from Inst::vectors on, d, a, b, c; the form is in a
// fifth.
struct MatrixForm {
  uint16_t m = 0, n = 0, k = 0;
  Element a = Element::kF16, b = Element::kF16, c = Element::kF32, d = Element::kF32;
  uint8_t a_registers = 0, b_registers = 0, c_registers = 0, d_registers = 0;
  bool a_by_columns = false, b_by_columns = false;  // the layouts of wmma fragments
  bool wmma = false;
  bool saturate = false;      // .satfinite of integers
  bool exclusive_or = false;  // b1: .xor.popc, else .and.popc
  // Loads and stores: which fragment, and how memory is laid out.
  Fragment2D fragment = Fragment2D::kA;
  bool memory_by_columns = false;
  bool store = false;
  uint8_t space = 0;     // 0 generic, 1 global, 2 shared, 3 shared with 32-bit addresses
  uint8_t matrices = 0;  // ldmatrix, stmatrix
  bool transpose = false;
};

}  // namespace warpgrade::emulator
