#include "report/picture_columns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace hwest {
namespace {

// In inches. Gaps around a box include arrow labels.
constexpr double kCharacter = 0.085, kWidthGap = 0.8, kLineHeight = 0.17, kHeightGap = 0.65;
constexpr double kPageShape = 1.4;     // width over height
constexpr uint32_t kLeastLevels = 12;  // of a column; shorter ones are no gain

// The length of the longest path to each box. A box that reads nothing stands right above its reader.
std::vector<uint32_t> LevelsOf(const Picture& picture) {
  std::vector<uint32_t> levels(picture.boxes.size(), 0);
  std::vector<uint32_t> first_reader(picture.boxes.size(), UINT32_MAX);
  std::vector<bool> reads(picture.boxes.size(), false);
  for (const PictureEdge& edge : picture.edges) {  // by (from, to): every path to `from` comes first
    if (edge.from > edge.to) continue;
    levels[edge.to] = std::max(levels[edge.to], levels[edge.from] + 1);
    reads[edge.to] = true;
  }
  for (const PictureEdge& edge : picture.edges) {
    if (edge.from < edge.to) first_reader[edge.from] = std::min(first_reader[edge.from], levels[edge.to]);
  }
  for (size_t b = 0; b < levels.size(); ++b) {
    if (!reads[b] && first_reader[b] != UINT32_MAX) levels[b] = first_reader[b] - 1;
  }
  return levels;
}

struct BoxSize {
  double width = kWidthGap, height = kHeightGap;
};

BoxSize MeanSize(const Picture& picture) {
  BoxSize size;
  const auto boxes = static_cast<double>(picture.boxes.size());
  for (const PictureBox& box : picture.boxes) {
    size_t longest = 0;
    for (const std::string& line : box.lines) longest = std::max(longest, line.size());
    size.width += kCharacter * static_cast<double>(longest) / boxes;
    size.height += kLineHeight * static_cast<double>(box.lines.size()) / boxes;
  }
  return size;
}

// By level: the last level of the repeated block that it lies in; outside of blocks, the level itself.
std::vector<uint32_t> BlockEnds(const Picture& picture, const std::vector<uint32_t>& levels, uint32_t count) {
  std::vector<uint32_t> ends(count);
  for (uint32_t level = 0; level < count; ++level) ends[level] = level;
  for (uint32_t repeat = 1; repeat <= picture.repeats.size(); ++repeat) {
    uint32_t first = UINT32_MAX, last = 0;
    for (size_t b = 0; b < levels.size(); ++b) {
      if (picture.boxes[b].repeat != repeat) continue;
      first = std::min(first, levels[b]);
      last = std::max(last, levels[b]);
    }
    for (uint32_t level = first; level <= last && first != UINT32_MAX; ++level)
      ends[level] = std::max(ends[level], last);
  }
  return ends;
}

// The column of every level. Blocks stay whole if columns stay between 0.5 and 1.5 of `height`.
std::vector<uint32_t> ColumnsOf(const std::vector<uint32_t>& ends, uint32_t height) {
  std::vector<uint32_t> columns(ends.size(), 0);
  uint32_t begin = 0, block_end = ends[0];
  for (uint32_t level = 1; level < ends.size(); ++level) {
    const uint32_t length = level - begin;
    const bool is_inside = level <= block_end;
    block_end = std::max(block_end, ends[level]);
    const bool ends_late = ends[level] - begin >= height + height / 2;
    const bool breaks =
        is_inside ? length >= height + height / 2 : length >= height || (length >= height / 2 && ends_late);
    columns[level] = columns[level - 1] + (breaks ? 1 : 0);
    if (breaks) begin = level;
  }
  return columns;
}

}  // namespace

void BreakIntoColumns(Picture* picture) {
  if (picture->boxes.empty()) return;
  const std::vector<uint32_t> levels = LevelsOf(*picture);
  const uint32_t count = *std::max_element(levels.begin(), levels.end()) + 1;
  const double beside = static_cast<double>(picture->boxes.size()) / count;  // boxes of a level
  const BoxSize box = MeanSize(*picture);
  const double columns = std::sqrt(kPageShape * count * box.height / (beside * box.width));
  const auto height = std::max(kLeastLevels, static_cast<uint32_t>(std::ceil(count / std::max(1.0, columns))));
  if (height * 3 >= count * 2) return;
  const std::vector<uint32_t> column_of = ColumnsOf(BlockEnds(*picture, levels, count), height);
  picture->columns = column_of.back() + 1;
  for (size_t b = 0; b < levels.size(); ++b) picture->boxes[b].column = column_of[levels[b]];
}

}  // namespace hwest
