// Picture: the boxes and arrows of a drawing, free of any drawing library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/palette.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

inline constexpr size_t kMaxBoxes = 400;
inline constexpr size_t kMostBoxes = 3000;  // on request; laying out more takes minutes

struct PictureBox {
  std::vector<std::string> lines;  // of the label
  std::string tooltip;
  Tint paint;
  bool is_bottleneck = false;
  SegmentId segment;    // none when the items lie in several
  uint32_t repeat = 0;  // of Picture::repeats, counted from 1; 0 = drawn for itself
  uint32_t column = 0;  // of the page, from the left
};

struct PictureEdge {
  size_t from = 0;  // indices into Picture::boxes
  size_t to = 0;
  std::string label;
};

struct Picture {
  std::vector<std::string> title;
  Palette legend;  // of the colours that occur
  std::vector<PictureBox> boxes;
  std::vector<PictureEdge> edges;     // by (from, to), no duplicates, no loops
  std::vector<std::string> segments;  // labels by SegmentId; empty = not drawn
  std::vector<std::string> repeats;   // labels of blocks that stand for several
  uint32_t columns = 1;
  std::string note;  // whether and how it was folded to fit; empty = not folded
};

// MakePicture draws one box per group, or per node without a target or with Level::kNode; with another level or
// collapse, one per segment, module or unit. Past kMaxBoxes, boxes are modules, as deep as fits; a file without modules
// is cut into runs of equal length. Draws only `nodes` unless null. Breaks long pictures into columns. Needs the view's
// values. Errors: kUsage for modules of a file that names none, more than kMostBoxes boxes, and colours that need a
// target.
absl::StatusOr<Picture> MakePicture(const View& view, const ReportOptions& options,
                                    const std::vector<NodeId>* nodes = nullptr);

// The picture in DOT, the language of Graphviz. Boxes are n0, n1, ... in their order.
std::string DotText(const Picture& picture);

// The picture as dot, or rendered by Graphviz: svg, png, pdf. Errors: kOutputUnwritable without Graphviz; kInternal.
absl::StatusOr<std::string> RenderPicture(const Picture& picture, Format format);

}  // namespace hwest
