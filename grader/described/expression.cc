// A parser by recursive descent, one function for each level of precedence, and two walks over its tree: in whole
// numbers with checked arithmetic, and in doubles. Texts and trees are bounded, so that no file can exhaust the stack.
// Tests: tests/described/expression_test.cc.
#include "grader/described/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "grader/config/nearest.h"
#include "grader/config/problems.h"

namespace warpgrade::described {

struct Expression::Node {
  enum class Kind { kNumber, kName, kOperator, kFunction } kind = Kind::kNumber;
  std::string name;  // of kName and kFunction; kOperator: one character, "-" with one operand is a minus before it
  int64_t whole = 0;
  double number = 0;
  std::vector<Node> operands;
};

namespace {

using Node = Expression::Node;

constexpr size_t kLongest = 300;
constexpr int kDeepest = 40;

struct FunctionRow {
  std::string_view name;
  size_t operands;
  Allowed allowed;  // kWhole: everywhere
};
constexpr FunctionRow kFunctions[] = {
    {"min", 2, Allowed::kWhole},   {"max", 2, Allowed::kWhole},   {"ceil_div", 2, Allowed::kWhole},
    {"sqrt", 1, Allowed::kNumber}, {"log2", 1, Allowed::kNumber},
};

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& names, Allowed allowed)
      : text_(text), names_(names), allowed_(allowed) {}

  std::optional<Node> Whole() {
    if (text_.size() > kLongest) {
      return Fail(0, fmt::format("this expression has more than {} characters; write a shorter one", kLongest));
    }
    std::optional<Node> node = Range();
    if (node && at_ < text_.size()) {
      return Fail(at_, fmt::format("'{}' is not expected here; write an operator such as + or *, or nothing",
                                   config::Shown(text_.substr(at_, 1))));
    }
    return node;
  }

  const Expression::Mistake& mistake() const { return mistake_; }
  bool draws() const { return draws_; }

 private:
  std::nullopt_t Fail(size_t column, std::string what) {
    mistake_ = {column, std::move(what)};
    return std::nullopt;
  }

  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  // The next character if it is one of `any`, which is then read; else 0.
  char Take(std::string_view any) {
    SkipSpace();
    if (at_ >= text_.size() || any.find(text_[at_]) == std::string_view::npos) return 0;
    const char taken = text_[at_++];
    SkipSpace();
    return taken;
  }

  std::optional<Node> Chain(std::string_view operators, std::optional<Node> (Parser::*operand)()) {
    std::optional<Node> left = (this->*operand)();
    while (left) {
      const char sign = Take(operators);
      if (sign == 0) break;
      std::optional<Node> right = (this->*operand)();
      if (!right) return std::nullopt;
      left = Node{Node::Kind::kOperator, std::string(1, sign), 0, 0, {std::move(*left), std::move(*right)}};
    }
    return left;
  }

  // low..high, or a sum.
  std::optional<Node> Range() {
    std::optional<Node> low = Sum();
    if (!low || !text_.substr(at_).starts_with("..")) return low;
    if (allowed_ != Allowed::kDrawn) {
      return Fail(at_, "'..' draws a number, which only hidden.yaml does; write a number that is always the same");
    }
    at_ += 2;
    draws_ = true;
    std::optional<Node> high = Sum();
    if (!high) return std::nullopt;
    return Node{Node::Kind::kOperator, ".", 0, 0, {std::move(*low), std::move(*high)}};
  }

  std::optional<Node> Sum() { return Chain("+-", &Parser::Product); }
  std::optional<Node> Product() { return Chain("*/%", &Parser::Signed); }

  std::optional<Node> Signed() {
    if (depth_ >= kDeepest) return Fail(at_, "this expression is nested too deeply; write a simpler one");
    ++depth_;
    std::optional<Node> node;
    if (Take("-") != 0) {
      if (std::optional<Node> of = Signed()) node = Node{Node::Kind::kOperator, "-", 0, 0, {std::move(*of)}};
    } else {
      node = Power();
    }
    --depth_;
    return node;
  }

  std::optional<Node> Power() {
    std::optional<Node> base = Atom();
    if (!base || Take("^") == 0) return base;
    std::optional<Node> exponent = Signed();
    if (!exponent) return std::nullopt;
    return Node{Node::Kind::kOperator, "^", 0, 0, {std::move(*base), std::move(*exponent)}};
  }

  std::optional<Node> Atom() {
    SkipSpace();
    if (at_ >= text_.size()) return Fail(at_, "this expression ends too early; write a number or the name of a size");
    if (IsDigit(text_[at_])) return NumberAtom();
    if (IsLetter(text_[at_])) return NameAtom();
    if (Take("(") != 0) {
      std::optional<Node> inner = Range();
      if (!inner) return std::nullopt;
      if (Take(")") == 0) return Fail(at_, "a parenthesis is not closed; write )");
      return inner;
    }
    return Fail(at_, fmt::format("'{}' is not expected here; write a number, a name or a parenthesis",
                                 config::Shown(text_.substr(at_, 1))));
  }

  std::optional<Node> NumberAtom() {
    Node node;
    const size_t begin = at_;
    const char* const end = text_.data() + text_.size();
    if (allowed_ == Allowed::kNumber) {
      const auto [stop, error] = std::from_chars(text_.data() + at_, end, node.number);
      if (error != std::errc())
        return Fail(begin, "this number is too large or too small; write one that a double has");
      at_ = static_cast<size_t>(stop - text_.data());
    } else {
      const auto [stop, error] = std::from_chars(text_.data() + at_, end, node.whole);
      if (error != std::errc()) return Fail(begin, "this number does not fit into 64 bits; write a smaller one");
      at_ = static_cast<size_t>(stop - text_.data());
      const std::string_view rest = text_.substr(at_);
      if ((rest.starts_with(".") && !rest.starts_with("..")) || rest.starts_with("e")) {
        return Fail(begin, "this is no whole number; write one, such as 1000 or 10^6");
      }
      node.number = static_cast<double>(node.whole);
    }
    if (at_ < text_.size() && IsLetter(text_[at_])) {
      return Fail(at_, "a name stands right behind a number; write an operator between them, as in 2 * n");
    }
    SkipSpace();
    return node;
  }

  std::optional<Node> NameAtom() {
    const size_t begin = at_;
    while (at_ < text_.size() && (IsLetter(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    Node node;
    node.name = std::string(text_.substr(begin, at_ - begin));
    if (Take("(") != 0) return Call(std::move(node), begin);
    SkipSpace();
    node.kind = Node::Kind::kName;
    if (std::find(names_.begin(), names_.end(), node.name) != names_.end()) return node;
    const auto near = config::NearestName(node.name, names_);
    const std::string to_do = near             ? fmt::format("did you mean '{}'?", *near)
                              : names_.empty() ? "write a number"
                                               : "the names are " + config::ListNames(names_);
    return Fail(begin, fmt::format("there is no size '{}' here; {}", config::Shown(node.name), to_do));
  }

  std::optional<Node> Call(Node node, size_t begin) {
    node.kind = Node::Kind::kFunction;
    const FunctionRow* row = nullptr;
    std::vector<std::string> names;
    for (const FunctionRow& one : kFunctions) {
      if (one.allowed != Allowed::kWhole && one.allowed != allowed_) continue;
      names.emplace_back(one.name);
      if (one.name == node.name) row = &one;
    }
    if (row == nullptr) {
      return Fail(begin, fmt::format("there is no function '{}' here; the functions are {}", config::Shown(node.name),
                                     config::ListNames(names)));
    }
    do {
      std::optional<Node> operand = Sum();
      if (!operand) return std::nullopt;
      node.operands.push_back(std::move(*operand));
    } while (Take(",") != 0);
    if (Take(")") == 0) {
      return Fail(at_, "a parenthesis is not closed; write ), and put an expression with a comma into quotes");
    }
    if (node.operands.size() != row->operands) {
      return Fail(begin, fmt::format("{} takes {}, not {}; see the table of functions", node.name,
                                     row->operands == 1 ? "one value" : "two values", node.operands.size()));
    }
    return node;
  }

  std::string_view text_;
  const std::vector<std::string>& names_;
  const Allowed allowed_;
  size_t at_ = 0;
  int depth_ = 0;
  bool draws_ = false;
  Expression::Mistake mistake_;
};

// Thrown inside this file by a walk over a tree.
struct NoValue {
  std::string what;
};

int64_t Power(int64_t base, int64_t exponent) {
  if (exponent < 0) throw NoValue{"has a negative power"};
  int64_t value = 1;
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(value, base, &value)) throw NoValue{"does not fit into 64 bits"};
    if (value == 0 || value == 1) break;  // and stays so: of 0 and 1
    if (value == -1 && base == -1) return exponent % 2 != 0 ? -1 : 1;
  }
  return value;
}

int64_t CeilDiv(int64_t a, int64_t b) {
  if (b == 0) throw NoValue{"divides by 0"};
  if (b == -1 && a == std::numeric_limits<int64_t>::min()) throw NoValue{"does not fit into 64 bits"};
  return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}

int64_t Apply(char sign, int64_t a, int64_t b) {
  int64_t value = 0;
  bool overflows = false;
  switch (sign) {
    case '+':
      overflows = __builtin_add_overflow(a, b, &value);
      break;
    case '-':
      overflows = __builtin_sub_overflow(a, b, &value);
      break;
    case '*':
      overflows = __builtin_mul_overflow(a, b, &value);
      break;
    case '^':
      return Power(a, b);
    default:
      if (b == 0) throw NoValue{"divides by 0"};
      overflows = b == -1 && a == std::numeric_limits<int64_t>::min();
      if (!overflows) value = sign == '/' ? a / b : a % b;
  }
  if (overflows) throw NoValue{"does not fit into 64 bits"};
  return value;
}

int64_t Draw(int64_t low, int64_t high, Random* random) {
  if (low > high) throw NoValue{fmt::format("draws from {} to {}, a smaller number", low, high)};
  WARPGRADE_CHECK(random != nullptr);
  return std::uniform_int_distribution<int64_t>(low, high)(*random);
}

int64_t WholeOf(const Node& node, const Values& values, Random* random) {
  const auto operand = [&](size_t i) { return WholeOf(node.operands[i], values, random); };
  switch (node.kind) {
    case Node::Kind::kNumber:
      return node.whole;
    case Node::Kind::kName:
      return values.at(node.name);
    case Node::Kind::kOperator: {
      if (node.operands.size() == 1) return Apply('-', 0, operand(0));
      const int64_t left = operand(0), right = operand(1);
      return node.name == "." ? Draw(left, right, random) : Apply(node.name[0], left, right);
    }
    case Node::Kind::kFunction:
      break;
  }
  const int64_t left = operand(0), right = operand(1);
  if (node.name == "min") return std::min(left, right);
  return node.name == "max" ? std::max(left, right) : CeilDiv(left, right);
}

double NumberOf(const Node& node, const Values& values) {
  const auto operand = [&](size_t i) { return NumberOf(node.operands[i], values); };
  if (node.kind == Node::Kind::kNumber) return node.number;
  if (node.kind == Node::Kind::kName) return static_cast<double>(values.at(node.name));
  const double a = operand(0);
  if (node.name == "sqrt") return std::sqrt(a);
  if (node.name == "log2") return std::log2(a);
  if (node.operands.size() == 1) return -a;
  const double b = operand(1);
  if (node.name == "min") return std::min(a, b);
  if (node.name == "max") return std::max(a, b);
  if ((node.name == "/" || node.name == "%" || node.name == "ceil_div") && b == 0) throw NoValue{"divides by 0"};
  switch (node.name[0]) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return std::fmod(a, b);
    case '^':
      return std::pow(a, b);
    default:
      return std::ceil(a / b);
  }
}

Error NoValueOf(const std::string& text, const std::string& what, const Values& values) {
  std::vector<std::string> sizes;
  for (const auto& [name, value] : values) sizes.push_back(fmt::format("{} = {}", name, value));
  return {ErrorKind::kUsage,
          fmt::format("'{}' {}{}{}", text, what, sizes.empty() ? "" : " with ", fmt::join(sizes, ", "))};
}

}  // namespace

bool Expression::Parse(std::string_view text, const std::vector<std::string>& names, Allowed allowed, Expression* to,
                       Mistake* mistake) {
  Parser parser(text, names, allowed);
  std::optional<Node> root = parser.Whole();
  if (!root) {
    *mistake = parser.mistake();
    return false;
  }
  to->text_ = std::string(text);
  to->root_ = std::make_shared<const Node>(std::move(*root));
  to->draws_ = parser.draws();
  return true;
}

Result<int64_t> Expression::Whole(const Values& values, Random* random) const {
  WARPGRADE_CHECK(root_ != nullptr);
  try {
    return WholeOf(*root_, values, random);
  } catch (const NoValue& e) {
    return NoValueOf(text_, e.what, values);
  }
}

Result<double> Expression::Number(const Values& values) const {
  WARPGRADE_CHECK(root_ != nullptr);
  try {
    const double value = NumberOf(*root_, values);
    if (std::isfinite(value)) return value;
    return NoValueOf(text_, "is not a finite number", values);
  } catch (const NoValue& e) {
    return NoValueOf(text_, e.what, values);
  }
}

}  // namespace warpgrade::described
