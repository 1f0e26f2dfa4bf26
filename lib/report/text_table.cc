#include "report/text_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/enumerators.h"
#include "base/text.h"

namespace hwest {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kFoldIndent = 4;
constexpr size_t kWidestFree = 48;      // kept by wrapped cells in a file even when the line is full
constexpr size_t kWidestAligned = 512;  // a longer cell does not pad the others

bool IsStart(char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }

// Byte offset of code point `count`, or the size when there are fewer.
size_t OffsetOf(absl::string_view text, size_t count) {
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (IsStart(text[i]) && count-- == 0) return i;
  }
  return i;
}

std::string Padded(absl::string_view cell, size_t width, Align align, absl::string_view painted) {
  const std::string blanks(width - std::min(width, DisplayWidth(cell)), ' ');
  return align == Align::kRight ? absl::StrCat(blanks, painted) : absl::StrCat(painted, blanks);
}

absl::string_view Ellipsis(Glyphs glyphs) { return glyphs == Glyphs::kAscii ? "..." : "…"; }

size_t LongestWord(absl::string_view text) {
  size_t longest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, DisplayWidth(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

void TrimRight(std::string* line) {
  while (!line->empty() && line->back() == ' ') line->pop_back();
}

}  // namespace

std::string Paint(absl::string_view text, Style style, Color color) {
  constexpr const char* kCodes[] = {"", "1", "2", "32", "33", "31", "36"};
  static_assert(std::size(kCodes) == kNumEnumerators<Style>);
  if (color == Color::kNo || style == Style::kPlain || text.empty()) return std::string(text);
  return absl::StrCat("\x1b[", kCodes[static_cast<size_t>(style)], "m", text, "\x1b[0m");
}

size_t DisplayWidth(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), IsStart));
}

size_t LineWidth(const ReportOptions& options) {
  return options.width == 0 ? kLineWidth : std::min(options.width, kLineWidth);
}

std::string Shorten(absl::string_view text, size_t width, Glyphs glyphs) {
  const size_t size = DisplayWidth(text), dots = DisplayWidth(Ellipsis(glyphs));
  if (size <= width || width <= dots) return std::string(text);
  const size_t head = (width - dots) / 2;
  const size_t tail = width - dots - head;
  return absl::StrCat(text.substr(0, OffsetOf(text, head)), Ellipsis(glyphs), text.substr(OffsetOf(text, size - tail)));
}

std::string Cut(absl::string_view text, size_t width, Glyphs glyphs) {
  const size_t dots = DisplayWidth(Ellipsis(glyphs));
  if (DisplayWidth(text) <= width || width <= dots) return std::string(text);
  std::string head(text.substr(0, OffsetOf(text, width - dots)));
  TrimRight(&head);
  return absl::StrCat(head, Ellipsis(glyphs));
}

std::vector<std::string> WrapText(absl::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (DisplayWidth(text) > width && width > 0) {
    const size_t limit = OffsetOf(text, width);
    size_t last = text[limit] == ' ' ? limit : text.rfind(' ', limit - 1);
    if (last == absl::string_view::npos) last = text.find_last_of(";,/*", limit - 1);
    const size_t cut = last == absl::string_view::npos ? limit : last + 1;
    lines.emplace_back(text.substr(0, cut));
    TrimRight(&lines.back());
    text.remove_prefix(cut);
  }
  lines.emplace_back(text);
  return lines;
}

std::string Bar(double share, size_t width, Glyphs glyphs) {
  const double cells = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  auto full = static_cast<size_t>(std::lround(cells));
  if (share > 0 && full == 0) full = 1;
  const bool is_ascii = glyphs == Glyphs::kAscii;
  std::string bar;
  for (size_t i = 0; i < width; ++i) bar += i < full ? (is_ascii ? "#" : "█") : (is_ascii ? "-" : "░");
  return bar;
}

std::string Percent(double share) {
  if (!std::isfinite(share)) return "unknown";
  if (share > 0 && share < 0.001) return "<0.1 %";
  if (share == 1) return "100 %";
  // A rounded 100.0 would claim completeness.
  return absl::StrFormat("%.1f %%", share < 1 ? std::min(share * 100, 99.9) : share * 100);
}

std::string ShellQuoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_./:=,@%+-", c);
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

void TextTable::Add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = EscapeControl(cell);
  rows_.push_back(std::move(cells));
}

size_t TextTable::Natural(size_t column) const {
  size_t widest = DisplayWidth(columns_[column].title);
  for (const Cells& row : rows_) widest = std::max(widest, std::min(DisplayWidth(row[column]), kWidestAligned));
  return widest;
}

size_t TextTable::Least(size_t column, const ReportOptions& options) const {
  const size_t natural = Natural(column);
  const Squeeze squeeze = columns_[column].squeeze;
  if (options.width > 0) return squeeze == Squeeze::kKeep ? natural : std::min(natural, columns_[column].least);
  if (squeeze != Squeeze::kWrap) return natural;
  size_t word = kWidestFree;
  for (const Cells& row : rows_) word = std::max(word, LongestWord(row[column]));
  return std::min(natural, word);
}

// The columns to show: on a narrow terminal it drops as few spare ones as possible.
TextTable::Line TextTable::Kept(const ReportOptions& options) const {
  Line kept(columns_.size());
  std::iota(kept.begin(), kept.end(), 0);
  size_t needed = 0;
  for (const size_t i : kept) needed += kGap + Least(i, options);
  while (options.width > 0 && needed > options.width) {
    const auto most = std::max_element(kept.begin(), kept.end(),
                                       [&](size_t a, size_t b) { return columns_[a].spare < columns_[b].spare; });
    if (columns_[*most].spare == 0) break;
    needed -= kGap + Least(*most, options);
    kept.erase(most);
  }
  return kept;
}

std::vector<std::string> TextTable::LeftOut(const ReportOptions& options) const {
  const Line kept = Kept(options);
  std::vector<std::string> titles;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!std::binary_search(kept.begin(), kept.end(), i)) titles.push_back(columns_[i].title);
  }
  return titles;
}

// Which columns share a line: all of them, except on a narrow terminal.
std::vector<TextTable::Line> TextTable::Fold(const ReportOptions& options) const {
  std::vector<Line> lines(1);
  size_t used = 0;
  for (const size_t i : Kept(options)) {
    const size_t needed = kGap + Least(i, options);
    if (options.width > 0 && !lines.back().empty() && used + needed > options.width) {
      lines.emplace_back();
      used = kFoldIndent;
    }
    lines.back().push_back(i);
    used += needed;
  }
  return lines;
}

void TextTable::SqueezeLine(const Line& line, size_t page, const ReportOptions& options,
                            std::vector<size_t>* widths) const {
  std::vector<size_t> least(columns_.size(), 0);
  size_t total = 0;
  for (const size_t i : line) {
    least[i] = Least(i, options);
    (*widths)[i] = Natural(i);
    total += kGap + (*widths)[i];
  }
  for (; total > page; --total) {
    size_t* widest = nullptr;
    for (const size_t i : line) {
      if ((*widths)[i] > least[i] && (widest == nullptr || (*widths)[i] > *widest)) widest = &(*widths)[i];
    }
    if (widest == nullptr) break;
    --*widest;
  }
}

std::vector<std::string> TextTable::CellLines(size_t column, const Cells& cells, size_t width,
                                              const ReportOptions& options) const {
  const std::string& cell = cells[column];
  if (columns_[column].squeeze == Squeeze::kWrap) return WrapText(cell, width);
  if (options.width == 0) return {cell};
  return {columns_[column].squeeze == Squeeze::kCut ? Cut(cell, width, options.glyphs)
                                                    : Shorten(cell, width, options.glyphs)};
}

std::string TextTable::LineText(const Line& line, const Cells& cells, const std::vector<size_t>& widths, bool is_head,
                                const ReportOptions& options) const {
  std::vector<std::vector<std::string>> lines;
  size_t height = 1;
  for (const size_t i : line) {
    lines.push_back(CellLines(i, cells, widths[i], options));
    height = std::max(height, lines.back().size());
  }
  const std::string indent(line.front() > 0 ? kFoldIndent : 0, ' ');
  std::string text;
  for (size_t y = 0; y < height; ++y) {
    std::string out = indent;
    for (size_t at = 0; at < line.size(); ++at) {
      const Column& column = columns_[line[at]];
      const std::string cell = y < lines[at].size() ? lines[at][y] : "";
      const std::string painted = Paint(cell, is_head ? Style::kDim : column.style, options.color);
      absl::StrAppend(&out, "  ", Padded(cell, widths[line[at]], column.align, painted));
    }
    TrimRight(&out);
    // Skips a folded line that is empty for this row.
    if (!out.empty() || line.front() == 0) absl::StrAppend(&text, out, "\n");
  }
  return text;
}

std::string TextTable::Print(const ReportOptions& options) const {
  const size_t page = options.width == 0 ? kLineWidth : options.width;
  const std::vector<Line> lines = Fold(options);
  std::vector<size_t> widths(columns_.size(), 0);
  for (const Line& line : lines) {
    SqueezeLine(line, page - (line.front() > 0 ? kFoldIndent : 0), options, &widths);
  }
  Cells titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  std::string text;
  for (const Line& line : lines) absl::StrAppend(&text, LineText(line, titles, widths, true, options));
  for (const Cells& row : rows_) {
    for (const Line& line : lines) absl::StrAppend(&text, LineText(line, row, widths, false, options));
  }
  return text;
}

}  // namespace hwest
