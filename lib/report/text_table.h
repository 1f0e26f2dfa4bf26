// Aligned text: tables that fit a line, bars, and colour that is only there when asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "report/report.h"

namespace hwest {

inline constexpr size_t kLineWidth = 100;

enum class Style : uint8_t { kPlain, kBold, kDim, kGood, kWarn, kBad, kAccent };
// Wraps text in terminal codes; returns it unchanged without colour.
std::string Paint(absl::string_view text, Style style, Color color);

size_t DisplayWidth(absl::string_view text);  // code points
// Cuts the middle out of a text that is wider than `width`, with an ellipsis: names differ at both ends.
std::string Shorten(absl::string_view text, size_t width);
// Lines of at most `width`, broken after blanks and separators, hard only inside longer words.
std::vector<std::string> WrapText(absl::string_view text, size_t width);
// "██████░░░░" for share 0...1.
std::string Bar(double share, size_t width);
std::string Percent(double share);  // "12.3 %", "100 %", "<0.1 %"

enum class Align : uint8_t { kLeft, kRight };
// What a column does when the table is wider than a line: keep its width, cut the middle out of its cells, or go on
// in further lines.
enum class Squeeze : uint8_t { kKeep, kShorten, kWrap };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Squeeze squeeze = Squeeze::kKeep;
  Style style = Style::kPlain;
  size_t least = 16;  // width that squeezing stops at; a table of many such columns leaves the line
};

// TextTable collects rows of escaped cells and prints them under a head line, indented by two.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string Print(Color color, size_t width = kLineWidth) const;

 private:
  std::vector<size_t> Widths(size_t width) const;
  std::string RowText(const std::vector<std::string>& cells, const std::vector<size_t>& widths, Color color) const;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hwest
