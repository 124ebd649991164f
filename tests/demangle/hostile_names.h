// Mangled names of a few bytes whose text is endless.
#pragma once

#include <string>

namespace warpgrade {

// The back reference to the n-th thing that a name may refer to: S_, S0_, ..., SZ_, S10_, ...
inline std::string Reference(int n) {
  if (n == 0) return "S_";
  std::string digits;
  for (int rest = n - 1;; rest /= 36) {
    digits.insert(digits.begin(), static_cast<char>(rest % 36 < 10 ? '0' + rest % 36 : 'A' + rest % 36 - 10));
    if (rest < 36) break;
  }
  return "S" + digits + "_";
}

// A function f(A, B<A, A>, B<B<A, A>, B<A, A>>, ...): each parameter's text is twice as long as the last one's.
inline std::string NameThatDoubles(int times) {
  std::string name = "_Z1f1A1BIS_S_E";  // A is thing 0, B thing 1, B<A, A> thing 2
  for (int k = 2; k <= times; ++k) name += Reference(1) + "I" + Reference(k) + Reference(k) + "E";
  return name;
}

}  // namespace warpgrade
