// Lexemes of dim expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

enum class Token : uint8_t {
  kEnd,
  kName,
  kNumber,
  kPlus,
  kMinus,
  kTimes,
  kSlash,
  kFloor,
  kPercent,
  kPower,
  kOpen,
  kClose,
  kComma,
};

struct Lexeme {
  Token token = Token::kEnd;
  absl::string_view text;
  bool tight = false;  // no space before it
};

inline constexpr size_t kMaxDimTokens = 1024;

bool IsNameStart(char c);
bool IsNameChar(char c);
bool IsDigit(char c);
// Length of the longest prefix whose characters are all accepted.
size_t SpanOf(absl::string_view text, bool (*accept)(char));

// Splits a text into lexemes, kEnd last; empty when a character belongs to no expression or past kMaxDimTokens.
std::vector<Lexeme> LexDim(absl::string_view text);

}  // namespace hwest
