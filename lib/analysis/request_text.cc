#include "analysis/request_text.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

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

}  // namespace hwest
