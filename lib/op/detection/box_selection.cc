#include "op/detection/box_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "op/known.h"

namespace hwest {
namespace {

constexpr int64_t kMaxPairs = int64_t{1} << 22;
constexpr double kTie = 1e-6;  // single precision cannot tell overlaps that are closer to the threshold

struct Box {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  double Area() const { return (x1 - x0) * (y1 - y0); }
};

// Two opposite corners in any order, or centre and size.
Box MakeBox(const double* v, bool centre) {
  if (centre) return {v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2};
  return {std::min(v[1], v[3]), std::min(v[0], v[2]), std::max(v[1], v[3]), std::max(v[0], v[2])};
}

double Overlap(const Box& a, const Box& b) {
  const double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  const double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  const double both = width > 0 && height > 0 ? width * height : 0;
  const double either = a.Area() + b.Area() - both;
  return either > 0 ? both / either : 0;
}

struct Selection {
  std::vector<double> boxes, scores;
  int64_t batch = 0, classes = 0, count = 0;
  int64_t limit = 0;  // of one class of one image
  double overlap = 0;
  double score = -std::numeric_limits<double>::infinity();
  bool centre = false;
};

// The one element of an optional scalar input, `fallback` when it is absent.
std::optional<double> ScalarInput(const OpView& op, int i, double fallback) {
  if (!op.has_input(i)) return fallback;
  const auto values = op.known_floats(i);
  if (!values.has_value() || values->size() != 1) return std::nullopt;
  return values->front();
}

std::optional<Selection> ReadSelection(const OpView& op) {
  const auto boxes = op.known_floats(0), scores = op.known_floats(1);
  const Shape& box_shape = op.in(0).shape;
  const Shape& score_shape = op.in(1).shape;
  if (!boxes.has_value() || !scores.has_value() || !box_shape.constant() || !score_shape.constant())
    return std::nullopt;
  if (box_shape.rank() != 3 || score_shape.rank() != 3 || !box_shape.dim(2).IsConstant(4)) return std::nullopt;
  // clang-format off
  Selection s{.boxes = *boxes, .scores = *scores, .batch = score_shape.dim(0).value(),
              .classes = score_shape.dim(1).value(), .count = score_shape.dim(2).value()};
  // clang-format on
  if (!box_shape.dim(0).IsConstant(s.batch) || !box_shape.dim(1).IsConstant(s.count)) return std::nullopt;
  const auto limit = ScalarInput(op, 2, 0), overlap = ScalarInput(op, 3, 0), score = ScalarInput(op, 4, s.score);
  if (!limit.has_value() || !overlap.has_value() || !score.has_value()) return std::nullopt;
  s.limit = static_cast<int64_t>(std::clamp(*limit, 0.0, static_cast<double>(s.count)));
  s.overlap = *overlap;
  s.score = *score;
  s.centre = op.attr("center_point_box", int64_t{0}) != 0;
  const int64_t compared = static_cast<int64_t>(s.scores.size());
  if (s.limit > 0 && compared > kMaxPairs / s.limit) return std::nullopt;
  return s;
}

// Boxes of one class that pass the score, highest first; equal scores keep their order.
std::vector<int64_t> Candidates(const Selection& s, const double* scores) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < s.count; ++i) {
    if (scores[i] > s.score) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  return order;
}

enum class Fate { kKept, kSuppressed, kTooClose };

Fate FateOf(const Selection& s, const Box& box, const std::vector<Box>& kept) {
  for (const Box& other : kept) {
    const double overlap = Overlap(box, other);
    // Suppressed only above the threshold, which is a single precision number.
    if (static_cast<float>(overlap) == static_cast<float>(s.overlap) || (overlap == 0 && s.overlap > 0)) continue;
    if (!std::isfinite(overlap) || std::abs(overlap - s.overlap) < kTie) return Fate::kTooClose;
    if (overlap > s.overlap) return Fate::kSuppressed;
  }
  return Fate::kKept;
}

// Appends the kept boxes of one class of one image; false when an overlap is too close to tell.
bool SelectOf(const Selection& s, int64_t image, int64_t label, std::vector<SelectedBox>& selected) {
  const double* boxes = s.boxes.data() + image * s.count * 4;
  const double* scores = s.scores.data() + (image * s.classes + label) * s.count;
  std::vector<Box> kept;
  for (const int64_t i : Candidates(s, scores)) {
    if (static_cast<int64_t>(kept.size()) == s.limit) break;
    const Box box = MakeBox(boxes + i * 4, s.centre);
    const Fate fate = FateOf(s, box, kept);
    if (fate == Fate::kTooClose) return false;
    if (fate == Fate::kSuppressed) continue;
    kept.push_back(box);
    selected.push_back({image, label, i});
  }
  return true;
}

}  // namespace

std::optional<std::vector<SelectedBox>> SelectBoxes(const OpView& op) {
  const auto selection = ReadSelection(op);
  if (!selection.has_value()) return std::nullopt;
  std::vector<SelectedBox> selected;
  for (int64_t image = 0; image < selection->batch; ++image) {
    for (int64_t label = 0; label < selection->classes; ++label) {
      if (!SelectOf(*selection, image, label, selected)) return std::nullopt;
    }
  }
  return selected;
}

}  // namespace hwest
