// Parses literals and operators by precedence climbing. Integer arithmetic wraps; a division by zero is an error in the
// text.
// Covered by tests/emulator/ptx/constant_test.cc.
#include "grader/emulator/ptx/constant.h"

#include <bit>
#include <charconv>
#include <string>
#include <string_view>

namespace warpgrade::ptx {
namespace {

constexpr int kMaxDepth = 100;  // brackets and unary operators within one another

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}
  Constant Conditional();
  Constant Binary(int lowest);

 private:
  Constant Unary();
  Constant Primary();
  Constant Cast();
  Constant Apply(const Token& op, const Constant& a, const Constant& b);
  Constant ApplyFloat(const Token& op, const Constant& a, const Constant& b);

  TokenStream& tokens_;
  int depth_ = 0;
};

constexpr int kTermPrecedence = 10;

int Precedence(const Token& token) {
  if (token.kind != TokenKind::kPunctuation) return 0;
  const std::string_view op = token.text;
  if (op == "*" || op == "/" || op == "%") return kTermPrecedence;
  if (op == "+" || op == "-") return 9;
  if (op == "<<" || op == ">>") return 8;
  if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
  if (op == "==" || op == "!=") return 6;
  if (op == "&") return 5;
  if (op == "^") return 4;
  if (op == "|") return 3;
  if (op == "&&") return 2;
  if (op == "||") return 1;
  return 0;
}

Constant Signed(int64_t value) { return {Type::kS64, static_cast<uint64_t>(value)}; }
Constant Float(double value) { return {Type::kF64, std::bit_cast<uint64_t>(value)}; }

bool ParseDigits(std::string_view digits, int base, uint64_t* value) {
  const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), *value, base);
  return status == std::errc() && !digits.empty() && stop == digits.data() + digits.size();
}

bool ParseFloatLiteral(std::string_view text, Constant* value) {
  double number = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || stop != text.data() + text.size()) return false;
  *value = Float(number);
  return true;
}

// 0f and 0d: the text gives all bits of the value.
bool ParseBitLiteral(std::string_view text, Constant* value) {
  const bool is_single = text[1] == 'f' || text[1] == 'F';
  value->type = is_single ? Type::kF32 : Type::kF64;
  return text.size() == (is_single ? 10u : 18u) && ParseDigits(text.substr(2), 16, &value->bits);
}

bool ParseLiteral(std::string_view text, Constant* value) {
  int base = 10;
  const char prefix = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  switch (prefix) {
    case 'f':
    case 'F':
    case 'd':
    case 'D':
      return ParseBitLiteral(text, value);
    case 'x':
    case 'X':
      base = 16;
      text.remove_prefix(2);
      break;
    case 'b':
    case 'B':
      base = 2;
      text.remove_prefix(2);
      break;
    default:
      if (text.find_first_of(".eE") != std::string_view::npos) return ParseFloatLiteral(text, value);
      if (prefix >= '0' && prefix <= '9') base = 8;
      break;
  }
  const bool has_suffix = !text.empty() && text.back() == 'U';
  if (has_suffix) text.remove_suffix(1);
  if (!ParseDigits(text, base, &value->bits)) return false;
  value->type = has_suffix || value->bits > static_cast<uint64_t>(INT64_MAX) ? Type::kU64 : Type::kS64;
  return true;
}

Constant Negate(const Constant& value) {
  if (value.type == Type::kF32) return {Type::kF32, value.bits ^ (uint64_t{1} << 31)};
  if (value.type == Type::kF64) return {Type::kF64, value.bits ^ (uint64_t{1} << 63)};
  return {value.type, -value.bits};
}

Constant ExpressionParser::Conditional() {
  const Constant condition = Binary(1);
  if (!tokens_.At("?")) return condition;
  const Token question = tokens_.Next();
  if (++depth_ > kMaxDepth) tokens_.Fail(question, "a less deeply nested expression");
  const Constant yes = Conditional();
  tokens_.Expect(":");
  const Constant no = Conditional();
  --depth_;
  return condition.bits != 0 ? yes : no;
}

Constant ExpressionParser::Binary(int lowest) {
  Constant left = Unary();
  while (true) {
    const int precedence = Precedence(tokens_.Peek());
    if (precedence == 0 || precedence < lowest) return left;
    const Token op = tokens_.Next();
    const Constant right = Binary(precedence + 1);
    if (tokens_.failed()) return left;
    left = Apply(op, left, right);
  }
}

Constant ExpressionParser::Unary() {
  if (depth_ >= kMaxDepth) tokens_.Fail("a less deeply nested expression");
  const Token op = tokens_.Peek();
  const bool is_unary = op.Is("-") || op.Is("+") || op.Is("!") || op.Is("~");
  if (!is_unary) return Primary();
  tokens_.Next();
  ++depth_;
  const Constant value = Unary();
  --depth_;
  if (op.Is("-")) return Negate(value);
  if (op.Is("+")) return value;
  if (value.IsFloat()) tokens_.Fail(op, "'+' or '-' before a floating-point constant");
  return op.Is("!") ? Signed(value.bits == 0) : Constant{value.type, ~value.bits};
}

Constant ExpressionParser::Primary() {
  if (tokens_.At("(")) {
    if (tokens_.PeekSecond().kind == TokenKind::kDotted) return Cast();
    tokens_.Next();
    ++depth_;
    const Constant value = Conditional();
    --depth_;
    tokens_.Expect(")");
    return value;
  }
  if (tokens_.At(TokenKind::kIdentifier) && tokens_.Peek().text == "WARP_SZ") {
    tokens_.Next();
    return Signed(32);
  }
  const Token number = tokens_.Expect(TokenKind::kNumber, "a constant");
  Constant value;
  if (!tokens_.failed() && !ParseLiteral(number.text, &value)) tokens_.Fail(number, "a number that fits 64 bits");
  return value;
}

// (.s64)x and (.u64)x.
Constant ExpressionParser::Cast() {
  tokens_.Expect("(");
  const Token type = tokens_.Next();
  const bool to_signed = type.text == "s64";
  if (!to_signed && type.text != "u64") tokens_.Fail(type, "'.s64' or '.u64'");
  tokens_.Expect(")");
  ++depth_;
  const Constant value = Unary();
  --depth_;
  if (value.IsFloat()) tokens_.Fail(type, "an integer to convert");
  return {to_signed ? Type::kS64 : Type::kU64, value.bits};
}

Constant ExpressionParser::ApplyFloat(const Token& op, const Constant& a, const Constant& b) {
  const double x = ToDouble(a);
  const double y = ToDouble(b);
  if (op.Is("+")) return Float(x + y);
  if (op.Is("-")) return Float(x - y);
  if (op.Is("*")) return Float(x * y);
  if (op.Is("/")) return Float(x / y);
  tokens_.Fail(op, "'+', '-', '*' or '/' between floating-point constants");
  return {};
}

// Division and remainder; INT64_MIN / -1 wraps as the other operators do.
bool Divide(bool is_signed, uint64_t a, uint64_t b, uint64_t* quotient, uint64_t* remainder) {
  if (b == 0) return false;
  if (!is_signed) {
    *quotient = a / b;
    *remainder = a % b;
  } else if (b == ~uint64_t{0}) {
    *quotient = -a;
    *remainder = 0;
  } else {
    *quotient = static_cast<uint64_t>(static_cast<int64_t>(a) / static_cast<int64_t>(b));
    *remainder = static_cast<uint64_t>(static_cast<int64_t>(a) % static_cast<int64_t>(b));
  }
  return true;
}

uint64_t Shift(std::string_view op, bool is_signed, uint64_t a, uint64_t count) {
  const uint64_t bounded = count < 63 ? count : 63;
  if (op == "<<") return count > 63 ? 0 : a << count;
  if (is_signed) return static_cast<uint64_t>(static_cast<int64_t>(a) >> bounded);
  return count > 63 ? 0 : a >> count;
}

Constant ExpressionParser::Apply(const Token& op, const Constant& a, const Constant& b) {
  if (a.IsFloat() || b.IsFloat()) return ApplyFloat(op, a, b);
  const bool is_shift = op.Is("<<") || op.Is(">>");
  const bool is_signed = a.type == Type::kS64 && (is_shift || b.type == Type::kS64);
  const Type type = is_signed ? Type::kS64 : Type::kU64;
  const uint64_t x = a.bits;
  const uint64_t y = b.bits;
  const bool less = is_signed ? static_cast<int64_t>(x) < static_cast<int64_t>(y) : x < y;
  const std::string_view text = op.text;
  if (is_shift) return {type, Shift(text, is_signed, x, y)};
  if (text == "/" || text == "%") {
    uint64_t quotient = 0;
    uint64_t remainder = 0;
    if (!Divide(is_signed, x, y, &quotient, &remainder)) tokens_.Fail(op, "a divisor other than zero after it");
    return {type, text == "/" ? quotient : remainder};
  }
  if (text == "*") return {type, x * y};
  if (text == "+") return {type, x + y};
  if (text == "-") return {type, x - y};
  if (text == "<") return Signed(less);
  if (text == ">=") return Signed(!less);
  if (text == ">") return Signed(!less && x != y);
  if (text == "<=") return Signed(less || x == y);
  if (text == "==") return Signed(x == y);
  if (text == "!=") return Signed(x != y);
  if (text == "&") return {type, x & y};
  if (text == "^") return {type, x ^ y};
  if (text == "|") return {type, x | y};
  if (text == "&&") return Signed(x != 0 && y != 0);
  return Signed(x != 0 || y != 0);
}

}  // namespace

double ToDouble(const Constant& value) {
  switch (value.type) {
    case Type::kF32:
      return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
    case Type::kF64:
      return std::bit_cast<double>(value.bits);
    case Type::kU64:
      return static_cast<double>(value.bits);
    default:
      return static_cast<double>(static_cast<int64_t>(value.bits));
  }
}

Constant ParseConstant(TokenStream& tokens) { return ExpressionParser(tokens).Conditional(); }

Constant ParseConstantTerm(TokenStream& tokens) { return ExpressionParser(tokens).Binary(kTermPrecedence); }

uint64_t BitsAs(Type type, const Constant& value) {
  if (type == Type::kF64) return std::bit_cast<uint64_t>(ToDouble(value));
  if (type == Type::kF32) {
    if (value.type == Type::kF32) return value.bits;  // preserves a NaN's payload
    return std::bit_cast<uint32_t>(static_cast<float>(ToDouble(value)));
  }
  return value.bits;
}

}  // namespace warpgrade::ptx
