#include "report/text_table.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"

namespace hwest {
namespace {

constexpr size_t kGap = 2;

bool IsStart(char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }

// Byte offset of code point `count`, the size when there are fewer.
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

void TrimRight(std::string* line) {
  while (!line->empty() && line->back() == ' ') line->pop_back();
}

}  // namespace

std::string Paint(absl::string_view text, Style style, Color color) {
  constexpr const char* kCodes[] = {"", "1", "2", "32", "33", "31", "36"};
  if (color == Color::kNo || style == Style::kPlain || text.empty()) return std::string(text);
  return absl::StrCat("\x1b[", kCodes[static_cast<size_t>(style)], "m", text, "\x1b[0m");
}

size_t DisplayWidth(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), IsStart));
}

std::string Shorten(absl::string_view text, size_t width) {
  const size_t size = DisplayWidth(text);
  if (size <= width || width == 0) return std::string(text);
  const size_t head = (width - 1) / 2;
  const size_t tail = width - 1 - head;
  return absl::StrCat(text.substr(0, OffsetOf(text, head)), "…", text.substr(OffsetOf(text, size - tail)));
}

std::vector<std::string> WrapText(absl::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (DisplayWidth(text) > width && width > 0) {
    const size_t limit = OffsetOf(text, width);
    const size_t last = text[limit] == ' ' ? limit : text.find_last_of(" ;,/*", limit - 1);
    const size_t cut = last == absl::string_view::npos ? limit : last + 1;
    lines.emplace_back(text.substr(0, cut));
    TrimRight(&lines.back());
    text.remove_prefix(cut);
  }
  lines.emplace_back(text);
  return lines;
}

std::string Bar(double share, size_t width) {
  const double cells = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  auto full = static_cast<size_t>(std::lround(cells));
  if (share > 0 && full == 0) full = 1;
  std::string bar;
  for (size_t i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  return bar;
}

std::string Percent(double share) {
  if (!std::isfinite(share)) return "unknown";
  if (share > 0 && share < 0.001) return "<0.1 %";
  if (share == 1) return "100 %";
  // A rounded 100.0 would claim completeness.
  return absl::StrFormat("%.1f %%", share < 1 ? std::min(share * 100, 99.9) : share * 100);
}

void TextTable::Add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = EscapeControl(cell);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::Widths(size_t width) const {
  std::vector<size_t> widths;
  size_t total = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t widest = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) widest = std::max(widest, DisplayWidth(row[i]));
    widths.push_back(widest);
    total += widest + kGap;
  }
  while (total > width) {
    size_t* widest = nullptr;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].squeeze == Squeeze::kKeep || widths[i] <= columns_[i].least) continue;
      if (widest == nullptr || widths[i] > *widest) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
    --total;
  }
  return widths;
}

std::string TextTable::RowText(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                               Color color) const {
  std::vector<std::vector<std::string>> lines;
  size_t height = 1;
  for (size_t i = 0; i < columns_.size(); ++i) {
    lines.push_back(columns_[i].squeeze == Squeeze::kWrap ? WrapText(cells[i], widths[i])
                                                          : std::vector<std::string>{Shorten(cells[i], widths[i])});
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (size_t y = 0; y < height; ++y) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = y < lines[i].size() ? lines[i][y] : "";
      absl::StrAppend(&line, "  ", Padded(cell, widths[i], columns_[i].align, Paint(cell, columns_[i].style, color)));
    }
    TrimRight(&line);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::string TextTable::Print(Color color, size_t width) const {
  const std::vector<size_t> widths = Widths(width);
  std::string head;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string title = Shorten(columns_[i].title, widths[i]);
    absl::StrAppend(&head, "  ", Padded(title, widths[i], columns_[i].align, Paint(title, Style::kDim, color)));
  }
  TrimRight(&head);
  std::string text = absl::StrCat(head, "\n");
  for (const auto& row : rows_) absl::StrAppend(&text, RowText(row, widths, color));
  return text;
}

}  // namespace hwest
