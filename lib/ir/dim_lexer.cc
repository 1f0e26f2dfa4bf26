#include "ir/dim_lexer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace hwest {
namespace {

struct Operator {
  absl::string_view text;
  Token token;
};

// Longer operators first.
constexpr Operator kOperators[] = {
    {"//", Token::kFloor}, {"**", Token::kPower},  {"+", Token::kPlus}, {"-", Token::kMinus}, {"*", Token::kTimes},
    {"/", Token::kSlash},  {"%", Token::kPercent}, {"(", Token::kOpen}, {")", Token::kClose}, {",", Token::kComma}};

// Length of "12" or "0.5" at the start of `text`; 0 when letters follow, as in "2x".
size_t NumberLength(absl::string_view text) {
  size_t length = SpanOf(text, IsDigit);
  if (length + 1 < text.size() && text[length] == '.' && IsDigit(text[length + 1])) {
    length += 1 + SpanOf(text.substr(length + 1), IsDigit);
  }
  return length < text.size() && IsNameStart(text[length]) ? 0 : length;
}

// Token and length of the lexeme at the start of `text`; length 0 for none.
std::pair<Token, size_t> NextToken(absl::string_view text) {
  if (IsNameStart(text[0])) return {Token::kName, SpanOf(text, IsNameChar)};
  if (IsDigit(text[0])) return {Token::kNumber, NumberLength(text)};
  for (const Operator& op : kOperators) {
    if (absl::StartsWith(text, op.text)) return {op.token, op.text.size()};
  }
  return {Token::kEnd, 0};
}

}  // namespace

bool IsNameStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsNameChar(char c) { return IsNameStart(c) || IsDigit(c); }

size_t SpanOf(absl::string_view text, bool (*accept)(char)) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), accept) - text.begin());
}

std::vector<Lexeme> LexDim(absl::string_view text) {
  std::vector<Lexeme> lexemes;
  while (lexemes.size() < kMaxDimTokens) {
    const absl::string_view rest = absl::StripLeadingAsciiWhitespace(text);
    const bool tight = rest.size() == text.size();
    if (rest.empty()) {
      lexemes.push_back({.tight = tight});
      return lexemes;
    }
    const auto [token, length] = NextToken(rest);
    if (length == 0) return {};
    lexemes.push_back({.token = token, .text = rest.substr(0, length), .tight = tight});
    text = rest.substr(length);
  }
  return {};
}

}  // namespace hwest
