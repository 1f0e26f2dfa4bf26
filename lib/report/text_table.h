// Aligned text: tables that fit the page, bars, and colour on request.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "report/report.h"

namespace hwest {

// Prose keeps to lines of this width, or of a narrower terminal's.
inline constexpr size_t kLineWidth = 100;
size_t LineWidth(const ReportOptions& options);

enum class Style : uint8_t { kPlain, kBold, kDim, kGood, kWarn, kBad, kAccent };
// Wraps text in terminal codes; returns it unchanged without colour.
std::string Paint(absl::string_view text, Style style, Color color);

size_t DisplayWidth(absl::string_view text);  // code points
// Cuts the middle out of a text that is wider than `width`, with an ellipsis: names differ at both ends.
std::string Shorten(absl::string_view text, size_t width, Glyphs glyphs = Glyphs::kUnicode);
// Cuts the end off, for prose.
std::string Cut(absl::string_view text, size_t width, Glyphs glyphs = Glyphs::kUnicode);
// Lines of at most `width`, broken at blanks, else after separators, hard only inside longer words.
std::vector<std::string> WrapText(absl::string_view text, size_t width);
// "######----" for share 0...1, in blocks where those can be shown.
std::string Bar(double share, size_t width, Glyphs glyphs);
std::string Percent(double share);  // "12.3 %", "100 %", "<0.1 %"
// A word as a shell takes it.
std::string ShellQuoted(const std::string& word);

enum class Align : uint8_t { kLeft, kRight };
// What a column does when the table is wider than its page: keep its width, lose the middle or the end of its cells, or
// wrap to more lines. Except on a terminal, only kWrap has an effect, and never inside a word.
enum class Squeeze : uint8_t { kKeep, kShorten, kCut, kWrap };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Squeeze squeeze = Squeeze::kKeep;
  Style style = Style::kPlain;
  size_t least = 16;  // width that squeezing stops at
  uint8_t spare = 0;  // other than 0: left out where a terminal is too narrow, the highest first
};

// TextTable collects rows of escaped cells and prints them under a head line, indented by two. If a terminal is too
// narrow even for squeezed columns, it drops spare ones and moves the last remaining ones to extra lines below the row.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string Print(const ReportOptions& options) const;
  std::vector<std::string> LeftOut(const ReportOptions& options) const;  // titles

 private:
  using Cells = std::vector<std::string>;
  using Line = std::vector<size_t>;  // columns, by index

  size_t Natural(size_t column) const;
  size_t Least(size_t column, const ReportOptions& options) const;
  Line Kept(const ReportOptions& options) const;
  std::vector<Line> Fold(const ReportOptions& options) const;
  void SqueezeLine(const Line& line, size_t page, const ReportOptions& options, std::vector<size_t>* widths) const;
  std::vector<std::string> CellLines(size_t column, const Cells& cells, size_t width,
                                     const ReportOptions& options) const;
  std::string LineText(const Line& line, const Cells& cells, const std::vector<size_t>& widths, bool is_head,
                       const ReportOptions& options) const;
  std::vector<Column> columns_;
  std::vector<Cells> rows_;
};

}  // namespace hwest
