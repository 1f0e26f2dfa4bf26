#include "ir/dim_parser.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "hwest/dim.h"
#include "ir/dim_impl.h"
#include "ir/dim_lexer.h"

namespace hwest {
namespace {

constexpr size_t kMaxText = 4096;
constexpr int kMaxDepth = 64;

enum class Function : uint8_t {
  kFloorDiv,
  kCeilDiv,
  kTrueDiv,
  kExactDiv,
  kMod,
  kMin,
  kMax,
  kBroadcast,
  kAdd,
  kMul,
  kPow,
  kFloor,
  kCeil,
  kTrunc,
  kAbs,
  kSame,
  kModularIndexing,
};

struct FunctionRow {
  absl::string_view name;
  Function function;
  size_t min_args;
  size_t max_args;
};

constexpr FunctionRow kFunctions[] = {
    {"FloorDiv", Function::kFloorDiv, 2, 2},
    {"floor_div", Function::kFloorDiv, 2, 2},
    {"floordiv", Function::kFloorDiv, 2, 2},
    {"CeilDiv", Function::kCeilDiv, 2, 2},
    {"ceil_div", Function::kCeilDiv, 2, 2},
    {"ceildiv", Function::kCeilDiv, 2, 2},
    {"IntTrueDiv", Function::kTrueDiv, 2, 2},
    {"FloatTrueDiv", Function::kTrueDiv, 2, 2},
    {"TrueDiv", Function::kTrueDiv, 2, 2},
    {"CleanDiv", Function::kExactDiv, 2, 2},
    {"Mod", Function::kMod, 2, 2},
    {"PythonMod", Function::kMod, 2, 2},
    {"mod", Function::kMod, 2, 2},
    {"Min", Function::kMin, 1, kMaxDimTokens},
    {"min", Function::kMin, 1, kMaxDimTokens},
    {"sym_min", Function::kMin, 2, 2},
    {"Max", Function::kMax, 1, kMaxDimTokens},
    {"max", Function::kMax, 1, kMaxDimTokens},
    {"sym_max", Function::kMax, 2, 2},
    {"broadcast", Function::kBroadcast, 2, kMaxDimTokens},
    {"Add", Function::kAdd, 1, kMaxDimTokens},
    {"Mul", Function::kMul, 1, kMaxDimTokens},
    {"Pow", Function::kPow, 2, 2},
    {"PowByNatural", Function::kPow, 2, 2},
    {"FloorToInt", Function::kFloor, 1, 1},
    {"floor", Function::kFloor, 1, 1},
    {"CeilToInt", Function::kCeil, 1, 1},
    {"ceiling", Function::kCeil, 1, 1},
    {"ceil", Function::kCeil, 1, 1},
    {"TruncToInt", Function::kTrunc, 1, 1},
    {"Abs", Function::kAbs, 1, 1},
    {"Identity", Function::kSame, 1, 1},
    {"Integer", Function::kSame, 1, 1},
    {"ToFloat", Function::kSame, 1, 1},
    {"ModularIndexing", Function::kModularIndexing, 3, 3},
};

const FunctionRow* FindFunction(absl::string_view name) {
  for (const FunctionRow& row : kFunctions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// A rational number num / den; most are integers with den 1.
struct Fraction {
  Dim num;
  Dim den = 1;
};

// Recursive descent over the lexemes; builds the value in `pool`. Any failure is final.
class Parser {
 public:
  Parser(DimPool& pool, const std::vector<Lexeme>& lexemes) : pool_(pool), lexemes_(lexemes) {}

  // The whole text as an integer; unknown when it is no expression, or has no symbol.
  Dim Run() {
    const Fraction value = Sum();
    if (Peek() != Token::kEnd || !has_symbol_) return Dim::Unknown();
    return failed_ ? Dim::Unknown() : pool_.ExactDiv(value.num, value.den);
  }

 private:
  Token Peek() const { return lexemes_[at_].token; }
  const Lexeme& Take() { return lexemes_[at_ + 1 < lexemes_.size() ? at_++ : at_]; }
  bool Accept(Token token) {
    if (Peek() != token) return false;
    Take();
    return true;
  }
  Fraction Fail() {
    failed_ = true;
    return {};
  }

  Fraction Sum() {
    Fraction left = Product();
    while (!failed_) {
      if (Accept(Token::kPlus)) {
        left = Add(left, Product());
      } else if (Accept(Token::kMinus)) {
        left = Add(left, Negate(Product()));
      } else {
        break;
      }
    }
    return left;
  }

  Fraction Product() {
    Fraction left = Unary();
    while (!failed_) {
      const Token op = Peek();
      if (op != Token::kTimes && op != Token::kSlash && op != Token::kFloor && op != Token::kPercent) break;
      Take();
      const Fraction right = Unary();
      left = op == Token::kTimes ? Mul(left, right) : op == Token::kPercent ? Mod(left, right) : Div(left, right);
      if (op == Token::kFloor) left = Floor(left);
    }
    return left;
  }

  Fraction Unary() {
    if (++depth_ > kMaxDepth) return Fail();
    Fraction value;
    if (Accept(Token::kMinus)) {
      value = Negate(Unary());
    } else if (Accept(Token::kPlus)) {
      value = Unary();
    } else {
      value = Primary();
      if (Accept(Token::kPower)) value = Pow(value, Unary());
    }
    --depth_;
    return value;
  }

  Fraction Primary() {
    const Lexeme& lexeme = Take();
    if (lexeme.token == Token::kNumber) return Number(lexeme.text);
    if (lexeme.token == Token::kOpen) {
      const Fraction value = Sum();
      return Accept(Token::kClose) ? value : Fail();
    }
    if (lexeme.token != Token::kName) return Fail();
    if (Accept(Token::kOpen)) return Call(lexeme.text);
    if (!NamesSize(lexeme.text)) return Fail();
    has_symbol_ = true;
    return {pool_.Symbol(lexeme.text)};
  }

  // "12" or "0.5".
  Fraction Number(absl::string_view text) {
    constexpr size_t kMaxDecimals = 9;
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits('.', 1));
    int64_t digits;
    if (parts.second.size() > kMaxDecimals || !absl::SimpleAtoi(absl::StrCat(parts.first, parts.second), &digits)) {
      return Fail();
    }
    int64_t scale = 1;
    for (size_t i = 0; i < parts.second.size(); ++i) scale *= 10;
    const int64_t common = std::gcd(digits, scale);
    return {Dim(digits / common), Dim(scale / common)};
  }

  Fraction Call(absl::string_view name) {
    const FunctionRow* row = FindFunction(name);
    if (row == nullptr || ++depth_ > kMaxDepth) return Fail();
    std::vector<Fraction> args;
    do {
      args.push_back(Sum());
    } while (!failed_ && Accept(Token::kComma));
    --depth_;
    if (!Accept(Token::kClose) || args.size() < row->min_args || args.size() > row->max_args) return Fail();
    return Evaluate(row->function, args);
  }

  Fraction Evaluate(Function function, const std::vector<Fraction>& args) {
    switch (function) {
      case Function::kFloorDiv: return Floor(Div(args[0], args[1]));
      case Function::kCeilDiv: return Ceil(Div(args[0], args[1]));
      case Function::kTrueDiv: return Div(args[0], args[1]);
      case Function::kExactDiv: return {pool_.ExactDiv(Integer(args[0]), Integer(args[1]))};
      case Function::kMod: return Mod(args[0], args[1]);
      case Function::kMin: return Fold(args, &DimPool::Min);
      case Function::kMax: return Fold(args, &DimPool::Max);
      case Function::kBroadcast: return Fold(args, &DimPool::Broadcast);
      case Function::kAdd: return Fold(args, &DimPool::Add);
      case Function::kMul: return Fold(args, &DimPool::Mul);
      case Function::kPow: return Pow(args[0], args[1]);
      case Function::kFloor: return Floor(args[0]);
      case Function::kCeil: return Ceil(args[0]);
      case Function::kTrunc: return Trunc(args[0]);
      case Function::kAbs: return {pool_.Max(Integer(args[0]), pool_.Neg(Integer(args[0])))};
      case Function::kSame: return args[0];
      case Function::kModularIndexing: return Mod(Floor(Div(args[0], args[1])), args[2]);
    }
    return Fail();
  }

  // The fraction as an integer; fails unless the division is known to be exact.
  Dim Integer(Fraction value) {
    if (value.den.IsConstant(1)) return value.num;
    if (!pool_.Mod(value.num, value.den).IsConstant(0)) failed_ = true;
    return pool_.ExactDiv(value.num, value.den);
  }

  Fraction Fold(const std::vector<Fraction>& args, Dim (DimPool::*combine)(Dim, Dim)) {
    Dim result = Integer(args[0]);
    for (size_t i = 1; i < args.size(); ++i) result = (pool_.*combine)(result, Integer(args[i]));
    return {result};
  }

  Fraction Add(Fraction a, Fraction b) {
    if (a.den == b.den) return {pool_.Add(a.num, b.num), a.den};
    return {pool_.Add(pool_.Mul(a.num, b.den), pool_.Mul(b.num, a.den)), pool_.Mul(a.den, b.den)};
  }
  Fraction Negate(Fraction a) { return {pool_.Neg(a.num), a.den}; }
  Fraction Mul(Fraction a, Fraction b) { return {pool_.Mul(a.num, b.num), pool_.Mul(a.den, b.den)}; }
  Fraction Div(Fraction a, Fraction b) {
    if (b.num.IsConstant(0)) return Fail();
    return {pool_.Mul(a.num, b.den), pool_.Mul(a.den, b.num)};
  }
  Fraction Mod(Fraction a, Fraction b) { return {pool_.Mod(Integer(a), Integer(b))}; }
  Fraction Floor(Fraction a) { return {pool_.FloorDiv(a.num, a.den)}; }
  Fraction Ceil(Fraction a) { return {pool_.CeilDiv(a.num, a.den)}; }
  Fraction Trunc(Fraction a) {
    const bool positive = pool_.BoundsOf(a.num).min >= 0 && pool_.BoundsOf(a.den).min >= 0;
    return positive ? Floor(a) : Fail();
  }
  Fraction Pow(Fraction base, Fraction exponent) {
    constexpr int64_t kMaxPower = 8;
    if (!exponent.num.is_constant() || !exponent.den.IsConstant(1)) return Fail();
    const int64_t power = exponent.num.value();
    if (power > kMaxPower || power < -kMaxPower) return Fail();
    Fraction result{1};
    for (int64_t i = 0; i < std::abs(power); ++i) result = Mul(result, base);
    return power < 0 ? Div({1}, result) : result;
  }

  DimPool& pool_;
  const std::vector<Lexeme>& lexemes_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  bool has_symbol_ = false;
};

// "s10", "u0": how sympy-based exporters name symbols.
bool IsExporterSymbol(absl::string_view name) {
  return name.size() >= 2 && (name[0] == 's' || name[0] == 'u') && SpanOf(name.substr(1), IsDigit) == name.size() - 1;
}

// "batch-size" and "enc/len" are names though they read like expressions: a tight "-" or "/" after a name that is no
// symbol yet, before another name (for "-", or a number).
bool ReadsLikeName(const std::vector<Lexeme>& lexemes, const DimStore& pool) {
  const auto is_symbol = [&](const Lexeme& lexeme) {
    return IsExporterSymbol(lexeme.text) || pool.FindText(lexeme.text) || FindFunction(lexeme.text) != nullptr;
  };
  for (size_t i = 1; i + 1 < lexemes.size(); ++i) {
    const Lexeme &before = lexemes[i - 1], &op = lexemes[i], &after = lexemes[i + 1];
    if ((op.token != Token::kMinus && op.token != Token::kSlash) || !op.tight || !after.tight) continue;
    if (before.token != Token::kName) continue;
    if (after.token == Token::kName && (!is_symbol(before) || !is_symbol(after))) return true;
    if (after.token == Token::kNumber && op.token == Token::kMinus && !is_symbol(before)) return true;
  }
  return false;
}

// The value of an expression, unknown when the text is none. The first run, in a pool of its own, keeps symbols of a
// text that turns out to be no expression from staying behind.
Dim ParseExpression(DimPool& pool, const DimStore& store, absl::string_view text) {
  if (text.size() > kMaxText || store.stored_terms > DimStore::kMaxParsedTerms) return Dim::Unknown();
  const std::vector<Lexeme> lexemes = LexDim(text);
  if (lexemes.size() < 2 || ReadsLikeName(lexemes, store)) return Dim::Unknown();
  DimPool trial(&pool);
  if (Parser(trial, lexemes).Run().is_unknown()) return Dim::Unknown();
  return Parser(pool, lexemes).Run();
}

// The last word of `text` when only "{" or "," stands before it, e.g. "s1" in "..., s1".
absl::string_view KeyBefore(absl::string_view text) {
  text = absl::StripSuffix(absl::StripTrailingAsciiWhitespace(text), ":");
  text = absl::StripSuffix(absl::StripTrailingAsciiWhitespace(text), "'");
  size_t begin = text.size();
  while (begin > 0 && IsNameChar(text[begin - 1])) --begin;
  const absl::string_view key = text.substr(begin);
  const absl::string_view before = absl::StripTrailingAsciiWhitespace(absl::StripSuffix(text.substr(0, begin), "'"));
  const bool first = before.empty() || absl::EndsWith(before, "{") || absl::EndsWith(before, ",");
  return first && !key.empty() && IsNameStart(key[0]) ? key : absl::string_view();
}

// What exporters write for a size that they do not know, beside signs alone and negative numbers.
constexpr absl::string_view kPlaceholders[] = {"any",  "dyn",  "dynamic",   "n/a", "nan",     "nil",
                                               "none", "null", "undefined", "unk", "unknown", "unspecified"};

// Every byte past ASCII belongs to a letter of some script.
bool IsLetterOrDigit(char c) { return IsNameChar(c) || static_cast<unsigned char>(c) >= 0x80; }
bool IsSeparator(char c) { return !IsLetterOrDigit(c); }
bool IsUnderscore(char c) { return c == '_'; }

bool IsPlaceholder(absl::string_view word) {
  word.remove_prefix(SpanOf(word, IsUnderscore));
  while (absl::ConsumeSuffix(&word, "_")) continue;
  const auto is_it = [&](absl::string_view each) { return absl::EqualsIgnoreCase(each, word); };
  return word.empty() || std::any_of(std::begin(kPlaceholders), std::end(kPlaceholders), is_it);
}

}  // namespace

bool NamesSize(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (IsPlaceholder(text)) return false;
  bool has_number = false, is_open = text[0] == '-' || absl::StrContains(text, '?');
  for (text.remove_prefix(SpanOf(text, IsSeparator)); !text.empty(); text.remove_prefix(SpanOf(text, IsSeparator))) {
    const absl::string_view word = text.substr(0, SpanOf(text, IsLetterOrDigit));
    text.remove_prefix(word.size());
    const bool is_number = SpanOf(word, IsDigit) == word.size();
    if (!is_number && !IsPlaceholder(word)) return true;
    has_number |= is_number;
    is_open |= !is_number;
  }
  return has_number && !is_open;
}

Dim DimPool::Parse(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (!NamesSize(text)) return Dim::Unknown();
  const bool name = SpanOf(text, IsNameChar) == text.size();
  if (name || impl_->FindText(text)) return Symbol(text);
  const auto known = impl_->parsed.find(text);
  if (known != impl_->parsed.end()) return known->second;
  const Dim value = ParseExpression(*this, *impl_, text);
  if (value.is_unknown()) return Symbol(text);
  impl_->parsed.emplace(std::string(text), value);
  return value;
}

std::vector<RangeConstraint> ParseRangeConstraints(absl::string_view text) {
  constexpr absl::string_view kOpen = "VR[";
  constexpr int64_t kUnbounded = INT64_MAX / 2;  // older exporters write sys.maxsize - 1 for infinity
  std::vector<RangeConstraint> constraints;
  for (size_t open = text.find(kOpen); open != text.npos; open = text.find(kOpen, open + kOpen.size())) {
    const size_t close = text.find(']', open);
    if (close == text.npos) break;
    const absl::string_view key = KeyBefore(text.substr(0, open));
    const std::vector<absl::string_view> ends =
        absl::StrSplit(text.substr(open + kOpen.size(), close - open - kOpen.size()), ',');
    if (key.empty() || ends.size() != 2) continue;
    RangeConstraint constraint{.name = std::string(key)};
    int64_t end;
    if (absl::SimpleAtoi(ends[0], &end)) constraint.min = end;
    if (absl::SimpleAtoi(ends[1], &end) && end < kUnbounded) constraint.max = end;
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

}  // namespace hwest
