#include "profile/text_lines.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hwest {
namespace {

// Removes sequences ESC [ ... letter.
std::string WithoutColours(absl::string_view line) {
  std::string plain;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      plain.push_back(line[i]);
      continue;
    }
    while (i + 1 < line.size() && !absl::ascii_isalpha(static_cast<unsigned char>(line[i + 1]))) ++i;
    ++i;
  }
  return plain;
}

// "D RKNN: [10:11:12.345] rest" as rest; a level of another letter likewise.
absl::string_view WithoutLogger(absl::string_view line) {
  if (line.size() < 2 || line[1] != ' ' || line.substr(2, 5) != "RKNN:") return line;
  line.remove_prefix(7);
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "[")) return line;
  const size_t end = line.find(']');
  return end == absl::string_view::npos ? line : line.substr(end + 1);
}

}  // namespace

std::vector<std::string> PlainLines(absl::string_view text) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::string plain = WithoutColours(absl::StripTrailingAsciiWhitespace(line));
    lines.emplace_back(WithoutLogger(plain));
  }
  return lines;
}

std::vector<absl::string_view> WordsIn(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

std::vector<std::string> CsvCells(absl::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) cells.back().push_back(line[i++]);
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back().push_back(line[i]);
    }
  }
  return cells;
}

std::optional<size_t> CellNamed(const std::vector<std::string>& cells, absl::string_view name) {
  const auto at = std::find(cells.begin(), cells.end(), name);
  if (at == cells.end()) return std::nullopt;
  return at - cells.begin();
}

std::optional<size_t> CellNamed(const std::vector<absl::string_view>& cells, absl::string_view name) {
  const auto at = std::find(cells.begin(), cells.end(), name);
  if (at == cells.end()) return std::nullopt;
  return at - cells.begin();
}

std::optional<double> TimeIn(absl::string_view text) {
  double time = 0;
  if (!absl::SimpleAtod(absl::StripAsciiWhitespace(text), &time) || !std::isfinite(time) || time < 0) {
    return std::nullopt;
  }
  return time;
}

}  // namespace hwest
