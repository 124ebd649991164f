// Expressions of lab.yaml, such as `8 * n + 4`: over the sizes of a case, and evaluated before anything is allocated. A
// whole number that does not fit into 64 bits and a division by zero are errors, never a wrapped value.
//
//   operators   + - * / % ^ (power; binds tighter than a minus before it)  ( )
//               low..high              in hidden.yaml: a random whole number, both ends included; binds least
//   functions   min(a, b)  max(a, b)  ceil_div(a, b)
//               sqrt(a)  log2(a)       in tolerances, which are no whole numbers
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/result/result.h"

namespace warpgrade::described {

// The values of names: sizes, in the order of lab.yaml.
using Values = std::map<std::string, int64_t>;

enum class Allowed {
  kWhole,   // whole numbers
  kDrawn,   // and low..high
  kNumber,  // numbers with a fraction, sqrt and log2
};

class Expression {
 public:
  // A mistake has the column of the text at which it stands, from 0.
  struct Mistake {
    size_t column = 0;
    std::string what;  // "what; what to do"
  };
  // `names` are the names that may occur. Returns false after filling in `mistake`.
  static bool Parse(std::string_view text, const std::vector<std::string>& names, Allowed allowed, Expression* to,
                    Mistake* mistake);

  // The value as a whole number. `random` draws; it is needed only for an expression that draws. Errors (kUsage) say
  // which part has no value, and for which sizes.
  Result<int64_t> Whole(const Values& values, Random* random = nullptr) const;
  // The value as a number, which is finite.
  Result<double> Number(const Values& values) const;

  bool draws() const { return draws_; }
  const std::string& text() const { return text_; }

  struct Node;  // of the tree; defined in expression.cc

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  bool draws_ = false;
};

}  // namespace warpgrade::described
