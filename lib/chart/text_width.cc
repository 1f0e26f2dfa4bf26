#include "chart/text_width.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace hwest {
namespace {

// Characters from `first` on, up to the next run, take `width` each.
struct Run {
  uint16_t first, width;
};
#include "chart/font_widths.inc"

constexpr char kEllipsis[] = "\u2026";

// A character that begins at `begin`.
struct Letter {
  size_t begin = 0;
  double width = 0;
};

double WidthOf(uint32_t rune, const TextStyle& style) {
  const absl::Span<const Run> runs = style.is_bold ? absl::MakeSpan(kBold) : absl::MakeSpan(kRegular);
  const auto next =
      std::upper_bound(runs.begin(), runs.end(), rune, [](uint32_t a, const Run& b) { return a < b.first; });
  return next == runs.begin() ? 0 : std::prev(next)->width * style.size / 1000;
}

// Decodes UTF-8; each malformed byte counts as a character.
std::vector<Letter> LettersOf(absl::string_view text, const TextStyle& style) {
  std::vector<Letter> letters;
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<uint8_t>(text[at]);
    const size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t rune = length == 1 ? lead : lead & (0x7F >> length);
    for (size_t i = 1; i < length && at + i < text.size(); ++i) rune = rune << 6 | (text[at + i] & 0x3F);
    letters.push_back({at, WidthOf(rune, style)});
    at += length;
  }
  return letters;
}

}  // namespace

double TextWidth(absl::string_view text, const TextStyle& style) {
  double width = 0;
  for (const Letter& letter : LettersOf(text, style)) width += letter.width;
  return width;
}

std::string FitText(absl::string_view text, const TextStyle& style) {
  constexpr double kRounding = 1e-6;
  double width = TextWidth(text, style);
  if (width <= style.room + kRounding) return std::string(text);
  const std::vector<Letter> letters = LettersOf(text, style);
  width += TextWidth(kEllipsis, style);
  size_t head = (letters.size() + 1) / 2, tail = head;  // letters before `head` and from `tail` on stay
  while (width > style.room && head > 0) {
    width -= letters[head > letters.size() - tail ? --head : tail++].width;
  }
  if (head == 0) return "";
  return absl::StrCat(text.substr(0, letters[head].begin), kEllipsis,
                      tail < letters.size() ? text.substr(letters[tail].begin) : "");
}

}  // namespace hwest
