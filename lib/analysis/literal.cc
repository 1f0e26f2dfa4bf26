#include "analysis/literal.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "op/known.h"

namespace hwest {
namespace {

constexpr size_t kMaxDepth = 64;

// A 16-bit floating point format.
struct HalfFormat {
  int fraction_bits;
  int bias;
};

// Bits of a value that the format holds exactly.
uint64_t EncodeHalf(const HalfFormat& format, double value) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  const uint64_t highest = (0x7FFFu >> format.fraction_bits) << format.fraction_bits;
  if (std::isnan(value)) return sign | highest | (uint64_t{1} << (format.fraction_bits - 1));
  if (std::isinf(value)) return sign | highest;
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int biased = exponent - 1 + format.bias;
  const int unit = std::max(biased, 1) - format.bias - format.fraction_bits;
  // The leading one of a normal number carries into the exponent's field.
  const auto fraction = static_cast<uint64_t>(std::ldexp(magnitude, -unit));
  return sign | (biased < 1 ? fraction : (static_cast<uint64_t>(biased - 1) << format.fraction_bits) + fraction);
}

std::optional<uint64_t> EncodeFloat(ElemType elem, double value) {
  if (elem == ElemType::kDouble) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  if (elem == ElemType::kFloat) {
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow) && !std::isinf(value)) return std::nullopt;
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof(bits));
    return bits;
  }
  const HalfFormat format = elem == ElemType::kFloat16 ? HalfFormat{10, 15} : HalfFormat{7, 127};
  const double rounded = FitTo(elem, FromDouble(value)).number();
  if (std::isinf(rounded) && !std::isinf(value)) return std::nullopt;
  return EncodeHalf(format, rounded);
}

std::optional<uint64_t> EncodeInteger(ElemType elem, absl::string_view text) {
  if (elem == ElemType::kUint64) {
    uint64_t value;
    return absl::SimpleAtoi(text, &value) ? std::optional<uint64_t>(value) : std::nullopt;
  }
  int64_t value;
  if (!absl::SimpleAtoi(text, &value)) return std::nullopt;
  const bool fits = elem == ElemType::kInt64 || !FitTo(elem, Scalar::Int(value)).is_unknown();
  return fits ? std::optional<uint64_t>(static_cast<uint64_t>(value)) : std::nullopt;
}

std::optional<uint64_t> EncodeBool(absl::string_view text) {
  if (text == "true" || text == "1") return 1;
  if (text == "false" || text == "0") return 0;
  return std::nullopt;
}

bool IsWholeNumber(absl::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool HasLiterals(ElemType elem) {
  switch (elem) {
    case ElemType::kFloat:
    case ElemType::kDouble:
    case ElemType::kFloat16:
    case ElemType::kBfloat16:
    case ElemType::kBool:
    case ElemType::kString: return true;
    default: return IsInteger(elem);
  }
}

class LiteralParser {
 public:
  LiteralParser(absl::string_view text, ElemType elem) : text_(text) { constant_.elem = elem; }

  absl::StatusOr<Constant> Run();

 private:
  absl::Status ReadItem(size_t depth);
  absl::Status ReadList(size_t depth);
  absl::Status ReadScalar();
  absl::Status ReadString();
  absl::Status CloseList(size_t depth, int64_t length, size_t at);
  void Finish();
  void SkipSpace();
  bool Take(char c);
  absl::string_view Word();
  absl::Status Expected(absl::string_view what) const;
  absl::Status Fault(size_t at, absl::string_view what, absl::string_view remedy) const;

  const absl::string_view text_;
  size_t pos_ = 0;
  bool has_rank_ = false;     // the first scalar or empty list was met: every one is as deep
  std::vector<bool> closed_;  // by axis: a list of it has ended, its length holds for all
  std::vector<uint64_t> bits_;
  Constant constant_;
};

absl::Status LiteralParser::Fault(size_t at, absl::string_view what, absl::string_view remedy) const {
  return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(text_), "', character ", at + 1, ": ", what), remedy);
}

absl::Status LiteralParser::Expected(absl::string_view what) const {
  const std::string found =
      pos_ < text_.size() ? absl::StrCat("found '", EscapeControl(text_.substr(pos_, 1)), "'") : "the text ends";
  return Fault(pos_, absl::StrCat(found, ", expected ", what), "write lists as [1, 2] or [[1, 2], [3, 4]]");
}

void LiteralParser::SkipSpace() {
  while (pos_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[pos_]))) ++pos_;
}

bool LiteralParser::Take(char c) {
  SkipSpace();
  if (pos_ >= text_.size() || text_[pos_] != c) return false;
  ++pos_;
  return true;
}

absl::string_view LiteralParser::Word() {
  const size_t begin = pos_;
  while (pos_ < text_.size() && (absl::ascii_isalnum(static_cast<unsigned char>(text_[pos_])) || text_[pos_] == '.' ||
                                 text_[pos_] == '-' || text_[pos_] == '+')) {
    ++pos_;
  }
  return text_.substr(begin, pos_ - begin);
}

absl::Status LiteralParser::ReadItem(size_t depth) {
  SkipSpace();
  if (pos_ < text_.size() && text_[pos_] == '[') {
    if (depth < kMaxDepth) return ReadList(depth);
    return Fault(pos_, absl::StrCat("lists nested more than ", kMaxDepth, " deep"), "flatten them");
  }
  if (has_rank_ && constant_.dims.size() != depth) return Expected("a list, as in the lists before it");
  has_rank_ = true;
  return constant_.elem == ElemType::kString ? ReadString() : ReadScalar();
}

absl::Status LiteralParser::ReadList(size_t depth) {
  const size_t at = pos_++;
  if (constant_.dims.size() == depth) {
    if (has_rank_) return Fault(at, "a list where the lists before it have a number", "give all lists one depth");
    constant_.dims.push_back(0);
    closed_.push_back(false);
  }
  int64_t length = 0;
  if (Take(']')) return CloseList(depth, length, at);
  do {
    HWEST_RETURN_IF_ERROR(ReadItem(depth + 1));
    ++length;
  } while (Take(','));
  if (!Take(']')) return Expected("',' or ']'");
  return CloseList(depth, length, at);
}

absl::Status LiteralParser::CloseList(size_t depth, int64_t length, size_t at) {
  if (length == 0 && constant_.dims.size() == depth + 1) has_rank_ = true;
  if (closed_[depth] && constant_.dims[depth] != length) {
    return Fault(at, absl::StrCat("a list of ", length, " beside lists of ", constant_.dims[depth]),
                 "give all lists of one depth the same length");
  }
  closed_[depth] = true;
  constant_.dims[depth] = length;
  return absl::OkStatus();
}

absl::Status LiteralParser::ReadScalar() {
  const size_t at = pos_;
  const absl::string_view word = Word();
  const std::string type = ElemTypeName(constant_.elem);
  if (word.empty()) return Expected(absl::StrCat("a value of type ", type));
  std::optional<uint64_t> bits;
  bool out_of_range = false;
  double number;
  if (constant_.elem == ElemType::kBool) {
    bits = EncodeBool(word);
  } else if (IsInteger(constant_.elem)) {
    bits = EncodeInteger(constant_.elem, word);
    out_of_range = IsWholeNumber(word);
  } else if (absl::SimpleAtod(word, &number)) {
    bits = EncodeFloat(constant_.elem, number);
    out_of_range = true;
  }
  if (!bits.has_value()) {
    return Fault(at, absl::StrCat("'", EscapeControl(word), out_of_range ? "' does not fit " : "' is no ", type),
                 absl::StrCat("give values of type ", type));
  }
  bits_.push_back(*bits);
  return absl::OkStatus();
}

absl::Status LiteralParser::ReadString() {
  if (!Take('"')) return Expected("a string between double quotes");
  std::string& value = constant_.strings.emplace_back();
  for (; pos_ < text_.size() && text_[pos_] != '"'; ++pos_) {
    if (text_[pos_] == '\\' && pos_ + 1 < text_.size()) ++pos_;
    value.push_back(text_[pos_]);
  }
  return Take('"') ? absl::OkStatus() : Expected("'\"'");
}

// Packs the elements as ONNX stores them: little endian, sub-byte types from the low bits up.
void LiteralParser::Finish() {
  const int width = ElemBits(constant_.elem);
  const bool empty = bits_.empty() && constant_.strings.empty();
  constant_.storage = empty ? Storage::kEmpty : Storage::kDecoded;
  if (width == 0) return;
  constant_.data.assign((bits_.size() * static_cast<size_t>(width) + 7) / 8, '\0');
  for (size_t i = 0; i < bits_.size(); ++i) {
    for (int bit = 0; bit < width; ++bit) {
      const size_t place = i * static_cast<size_t>(width) + static_cast<size_t>(bit);
      char& byte = constant_.data[place / 8];
      if ((bits_[i] >> bit & 1) != 0) byte = static_cast<char>(byte | 1u << (place % 8));
    }
  }
  constant_.length = static_cast<int64_t>(constant_.data.size());
}

absl::StatusOr<Constant> LiteralParser::Run() {
  if (!HasLiterals(constant_.elem)) {
    return MakeError(Code::kUsage, absl::StrCat(ElemTypeName(constant_.elem), " values cannot be written out"),
                     "give a file of a serialised tensor, FILE.pb");
  }
  HWEST_RETURN_IF_ERROR(ReadItem(0));
  SkipSpace();
  if (pos_ < text_.size()) return Expected("the end");
  Finish();
  return std::move(constant_);
}

}  // namespace

absl::StatusOr<Constant> ParseLiteral(absl::string_view text, ElemType elem) { return LiteralParser(text, elem).Run(); }

}  // namespace hwest
