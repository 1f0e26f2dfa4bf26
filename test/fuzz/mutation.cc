#include "fuzz/mutation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hwest::test {
namespace {

constexpr size_t kMostBytes = 64 << 10;  // what grows beyond is cut
constexpr int kMostDepth = 8;            // of messages in messages
constexpr size_t kMostInputs = 256;      // that Remember keeps

// Numbers at the ends of types and ranges, and words that stand where numbers do.
constexpr std::array<absl::string_view, 20> kNumbers = {"0",
                                                        "-1",
                                                        "1",
                                                        "2",
                                                        "-0.0",
                                                        "1e308",
                                                        "1e-320",
                                                        "nan",
                                                        "inf",
                                                        "-inf",
                                                        "127",
                                                        "128",
                                                        "255",
                                                        "65536",
                                                        "2147483647",
                                                        "2147483648",
                                                        "9223372036854775807",
                                                        "-9223372036854775808",
                                                        "18446744073709551616",
                                                        "0x10"};
constexpr std::array<uint64_t, 12> kVarints = {0,
                                               1,
                                               2,
                                               3,
                                               127,
                                               128,
                                               255,
                                               uint64_t{1} << 31,
                                               uint64_t{1} << 32,
                                               (uint64_t{1} << 63) - 1,
                                               uint64_t{1} << 63,
                                               ~uint64_t{0}};

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

std::optional<uint64_t> TakeVarint(absl::string_view* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < std::min<size_t>(bytes->size(), 10); ++i) {
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    value |= static_cast<uint64_t>(byte & 127) << (7 * i);
    if (byte < 128) {
      bytes->remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

// Field is one of a message: a number, bytes, or a message of its own.
struct Field {
  uint64_t tag = 0;
  uint64_t number = 0;
  std::string bytes;  // of fixed width, too
  std::vector<Field> fields;
  bool is_message = false;
};

std::optional<std::vector<Field>> ParseMessage(absl::string_view bytes, int depth) {
  std::vector<Field> fields;
  while (!bytes.empty()) {
    Field field;
    const std::optional<uint64_t> tag = TakeVarint(&bytes);
    if (!tag.has_value() || *tag < 8) return std::nullopt;
    field.tag = *tag;
    const uint64_t form = *tag & 7;
    std::optional<uint64_t> length;
    if (form == 0) {
      const std::optional<uint64_t> number = TakeVarint(&bytes);
      if (!number.has_value()) return std::nullopt;
      field.number = *number;
      length = 0;
    } else if (form == 1 || form == 5) {
      length = form == 1 ? 8 : 4;
    } else if (form == 2) {
      length = TakeVarint(&bytes);
    }
    if (!length.has_value() || *length > bytes.size()) return std::nullopt;
    field.bytes = std::string(bytes.substr(0, *length));
    bytes.remove_prefix(*length);
    if (form == 2 && depth < kMostDepth && field.bytes.size() > 1) {
      std::optional<std::vector<Field>> inside = ParseMessage(field.bytes, depth + 1);
      field.is_message = inside.has_value();
      if (inside.has_value()) field.fields = *std::move(inside);
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string Serialized(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    AppendVarint(field.tag, &out);
    if ((field.tag & 7) == 0) {
      AppendVarint(field.number, &out);
      continue;
    }
    const std::string contents = field.is_message ? Serialized(field.fields) : field.bytes;
    if ((field.tag & 7) == 2) AppendVarint(contents.size(), &out);
    out += contents;
  }
  return out;
}

// The lists of fields at every depth.
void ListMessages(std::vector<Field>* fields, std::vector<std::vector<Field>*>* lists) {
  if (!fields->empty()) lists->push_back(fields);
  for (Field& field : *fields) ListMessages(&field.fields, lists);
}

}  // namespace

Mutator::Mutator(std::vector<std::string> inputs, std::vector<std::string> words, uint64_t seed)
    : inputs_(std::move(inputs)), words_(std::move(words)), random_(seed) {
  if (inputs_.empty()) inputs_.emplace_back();
  if (words_.empty()) words_.emplace_back(1, '\0');
}

size_t Mutator::Below(size_t count) { return count == 0 ? 0 : static_cast<size_t>(random_() % count); }

const std::string& Mutator::AnyInput() { return inputs_[Below(inputs_.size())]; }

std::string Mutator::Piece() {
  switch (Below(4)) {
    case 0: return words_[Below(words_.size())];
    case 1: return std::string(1 + Below(16), static_cast<char>(random_()));
    case 2: return std::string(kNumbers[Below(kNumbers.size())]);
    default: {
      const std::string& other = AnyInput();
      return other.substr(Below(other.size()), 1 + Below(64));
    }
  }
}

void Mutator::ChangeBytes(std::string* bytes) {
  const size_t at = Below(bytes->size() + 1);
  const size_t length = 1 + Below(std::min<size_t>(bytes->size() - at + 1, 32));
  switch (Below(6)) {
    case 0: bytes->erase(at, length); return;
    case 1: bytes->insert(at, Piece()); return;
    case 2: bytes->replace(at, length, Piece()); return;
    case 3: bytes->insert(at, bytes->substr(at, length)); return;
    case 4:
      if (at < bytes->size()) (*bytes)[at] = static_cast<char>((*bytes)[at] ^ (1 << Below(8)));
      return;
    default:
      if (at < bytes->size()) (*bytes)[at] = static_cast<char>(random_());
  }
}

void Mutator::ChangeNumber(std::string* bytes) {
  size_t at = Below(bytes->size());
  const auto is_digit = [&](size_t i) { return std::isdigit(static_cast<unsigned char>((*bytes)[i])) != 0; };
  while (at < bytes->size() && !is_digit(at)) ++at;
  size_t end = at;
  while (end < bytes->size() && (is_digit(end) || (*bytes)[end] == '.')) ++end;
  if (at == end) return;
  bytes->replace(at, end - at, std::string(kNumbers[Below(kNumbers.size())]));
}

void Mutator::ChangeLines(std::string* bytes) {
  std::vector<std::string> lines = absl::StrSplit(*bytes, '\n');
  const size_t from = Below(lines.size()), to = Below(lines.size());
  switch (Below(4)) {
    case 0: std::swap(lines[from], lines[to]); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), std::string(lines[from])); break;
    case 2: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from)); break;
    default: {
      const std::vector<std::string> others = absl::StrSplit(AnyInput(), '\n');
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), others[Below(others.size())]);
    }
  }
  std::string changed;
  for (size_t i = 0; i < lines.size(); ++i) changed += (i == 0 ? "" : "\n") + lines[i];
  *bytes = std::move(changed);
}

void Mutator::ChangeFields(std::string* bytes) {
  std::optional<std::vector<Field>> parsed = ParseMessage(*bytes, 0);
  if (!parsed.has_value() || parsed->empty()) return ChangeBytes(bytes);
  std::vector<std::vector<Field>*> lists;
  ListMessages(&*parsed, &lists);
  std::vector<Field>& list = *lists[Below(lists.size())];
  const size_t at = Below(list.size());
  Field& field = list[at];
  switch (Below(6)) {
    case 0: list.erase(list.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: {
      Field copy = field;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(Below(list.size() + 1)), std::move(copy));
      break;
    }
    case 2: {  // a field from elsewhere in this input or another one
      std::optional<std::vector<Field>> other = ParseMessage(Below(2) == 0 ? *bytes : AnyInput(), 0);
      if (!other.has_value() || other->empty()) break;
      std::vector<std::vector<Field>*> others;
      ListMessages(&*other, &others);
      std::vector<Field>& source = *others[Below(others.size())];
      Field taken = source[Below(source.size())];
      if (Below(2) == 0) taken.tag = field.tag / 8 * 8 + taken.tag % 8;
      field = std::move(taken);
      break;
    }
    case 3: std::swap(field, list[Below(list.size())]); break;
    default:
      if ((field.tag & 7) == 0) {
        field.number = Below(2) == 0 ? kVarints[Below(kVarints.size())] : field.number + Below(5) - 2;
      } else if ((field.tag & 7) == 2) {
        field.is_message = false;
        if (Below(2) == 0)
          field.bytes = Piece();
        else
          ChangeBytes(&field.bytes);
      } else {
        for (char& byte : field.bytes) byte = static_cast<char>(random_());
      }
  }
  *bytes = Serialized(*parsed);
}

std::string Mutator::Next() { return Changed(AnyInput(), kMostBytes); }

std::string Mutator::Changed(std::string bytes, size_t most_bytes) {
  for (size_t changes = 1 + Below(6); changes > 0; --changes) {
    switch (Below(6)) {
      case 0: ChangeNumber(&bytes); break;
      case 1: ChangeLines(&bytes); break;
      case 2: ChangeBytes(&bytes); break;
      default: ChangeFields(&bytes);
    }
    bytes.resize(std::min(bytes.size(), most_bytes));
  }
  return bytes;
}

void Mutator::Remember(absl::string_view input) {
  if (inputs_.size() < kMostInputs)
    inputs_.emplace_back(input);
  else
    inputs_[Below(kMostInputs)] = std::string(input);
}

std::vector<std::string> ParseDictionary(absl::string_view text) {
  std::vector<std::string> words;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    std::string word;
    if (!absl::ConsumePrefix(&line, "\"") || !absl::ConsumeSuffix(&line, "\"")) continue;
    if (absl::CUnescape(line, &word)) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace hwest::test
