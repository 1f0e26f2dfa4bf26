// Picture: the boxes and arrows of a drawing, free of any drawing library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"
#include "report/view.h"

namespace hwest {

inline constexpr size_t kMaxBoxes = 400;

struct PictureBox {
  std::vector<std::string> lines;  // of the label
  std::string tooltip;
  UnitId unit;
  SegmentId segment;  // none when boxes of the picture span segments
};

struct PictureEdge {
  size_t from = 0;  // indices into Picture::boxes
  size_t to = 0;
  std::string label;
};

struct Picture {
  std::vector<std::string> title;
  std::vector<PictureBox> boxes;
  std::vector<PictureEdge> edges;     // by (from, to), no duplicates, no loops
  std::vector<std::string> segments;  // labels by SegmentId; empty = not drawn
  std::string note;                   // whether and how it was folded to fit; empty = not folded
};

// MakePicture draws one box per group, or per node without a target or with Level::kNode; with another level one per
// segment, module or unit. Past kMaxBoxes boxes are modules, as deep as fits; a file without modules is cut into runs of
// equal length. Needs the view's values. Errors: kUsage for Level::kModule of a file that names no modules.
absl::StatusOr<Picture> MakePicture(const View& view, const ReportOptions& options);

// The picture in DOT, the language of Graphviz. Boxes are n0, n1, ... in their order.
std::string DotText(const Picture& picture);

// The picture as dot, or rendered by Graphviz: svg, png, pdf. Errors: kOutputUnwritable without Graphviz; kInternal.
absl::StatusOr<std::string> RenderPicture(const Picture& picture, Format format);

}  // namespace hwest
