// The inputs of a form, and what is a right result.
#pragma once

#include <string>
#include <vector>

#include "tests/emulator/exec/form.h"

namespace warpgrade::emulator {

int BytesOf(Operand o);  // of its register; a predicate has 4, as it is passed

// The inputs that a form runs over: the same for all forms with the same kinds of operands.
struct Rows {
  std::vector<uint64_t> a, b, c;
};
Rows MakeRows(const Form& form);

// The low bytes of `v` that an operand of this kind has.
uint64_t Truncate(uint64_t v, Operand o);
bool IsNan(uint64_t v, Operand o);
// The same bits, or both NaN.
bool Same(uint64_t got, uint64_t want, Operand o);
// Whether the form's oracle or judge takes `got` for the result of these inputs.
bool Accepts(const Form& form, uint64_t a, uint64_t b, uint64_t c, uint64_t got);

// A kind of input on which an instruction may behave differently.
struct InputClass {
  std::string name;
  std::function<bool(uint64_t)> holds;
};
std::vector<InputClass> ClassesOf(Operand o);

}  // namespace warpgrade::emulator
