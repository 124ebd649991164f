// The arithmetic that the generator draws from: one row per spelling, with the classes of its operands. A class is a
// pool of registers of one kind, so that values of one kind stay among themselves. (The bits of a NaN are not defined
// by the ISA, so floats reach integers only by cvt and comparisons.)
//
//   h r d   integers of 16, 32, 64 bits      f D   f32, f64
//   e E     f16, f16x2                       b B   bf16, bf16x2
//   F       f32x2, in 64 bits
//   p       predicate                        q     predicate, perhaps negated
//   P       two predicates, joined by |      a     32-bit amount, often small
//   i       immediate of 8 bits              k o    fns: a base below 32, an offset
//
// Of video instructions, all in 32-bit registers:
//
//   v       a number, perhaps a part of it   n m    -v, -r
//   w       the part that is written
//   x X     two or four parts, perhaps chosen from a and b
//   y Y     two or four parts that are written, perhaps some of them
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::oracle {

struct Form {
  std::string spelling;  // "add.s32"
  std::string classes;   // destination first: "rrr"
};

// By subject; the generator picks a subject first, so that the many conversions do not crowd out the rest.
const std::vector<std::vector<Form>>& Forms();

// Every class that has registers, in the order in which a thread's registers are written out.
inline constexpr std::string_view kClasses = "hrdfFDeEbBp";
// ".b16", ".b32", ".b64" or ".pred"; and the type that loads and stores such a register.
const char* RegisterType(char register_class);
// "%r" and so on.
const char* RegisterPrefix(char register_class);
int RegisterBytes(char register_class);  // 2, 4, 8; 0 for predicates
bool IsFloatClass(char register_class);

}  // namespace warpgrade::oracle
