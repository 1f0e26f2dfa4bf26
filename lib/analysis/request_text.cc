#include "analysis/request_text.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"

namespace hwest {

std::optional<std::pair<std::string, int64_t>> ParseSize(absl::string_view text) {
  const size_t equals = text.rfind('=');
  int64_t value;
  if (equals == text.npos || equals == 0) return std::nullopt;
  if (!absl::SimpleAtoi(text.substr(equals + 1), &value) || value < 0) return std::nullopt;
  return std::make_pair(std::string(text.substr(0, equals)), value);
}

std::optional<std::pair<std::string, std::vector<int64_t>>> ParseShape(absl::string_view text) {
  const size_t equals = text.rfind('=');
  const absl::string_view name = equals == text.npos ? absl::string_view() : text.substr(0, equals);
  const absl::string_view sizes = equals == text.npos ? text : text.substr(equals + 1);
  std::vector<int64_t> dims;
  for (const absl::string_view part : absl::StrSplit(sizes, 'x')) {
    int64_t dim;
    if (!absl::SimpleAtoi(part, &dim) || dim < 0) return std::nullopt;
    dims.push_back(dim);
  }
  return std::make_pair(std::string(name), std::move(dims));
}

std::optional<Pin> ParsePin(absl::string_view text) {
  const size_t at = text.rfind('@');
  if (at == text.npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return Pin{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

absl::Status BadValue(absl::string_view name, absl::string_view value, absl::string_view remedy,
                      std::vector<NamedOption> options) {
  options.insert(options.begin(), NamedOption(name));
  return MakeError(Code::kUsage, absl::StrCat(name, " cannot be '", EscapeControl(value), "'"), remedy, options);
}

absl::StatusOr<int64_t> ParseNumber(absl::string_view name, absl::string_view text, int64_t least) {
  int64_t value;
  if (absl::SimpleAtoi(text, &value) && value >= least) return value;
  return BadValue(name, text, absl::StrCat("write a whole number of at least ", least));
}

absl::StatusOr<size_t> ParseWord(absl::string_view name, absl::string_view text, absl::string_view words) {
  const std::vector<std::string> choices = absl::StrSplit(words, ' ');
  for (size_t i = 0; i < choices.size(); ++i) {
    if (absl::EqualsIgnoreCase(choices[i], text)) return i;
  }
  const std::vector<std::string> nearest = NearestNames(text, choices, 1);
  return BadValue(name, text,
                  nearest.empty() ? absl::StrCat("write one of ", absl::StrJoin(choices, ", "))
                                  : absl::StrCat("did you mean ", nearest[0], "?"));
}

}  // namespace hwest
