#include "explore/space.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr size_t kMostInSpace = 10'000'000;

}  // namespace

absl::StatusOr<Space> Space::Make(const Target& target, const Vary& vary) {
  if (vary.empty()) {
    return MakeError(Code::kUsage, "there is nothing to explore",
                     "add --vary PATH=VALUES, e.g. --vary npu.clock=0.5GHz:2GHz:x2; `onnx-hwest targets show NAME` "
                     "lists the paths in its column `set`",
                     {{"--vary", {"PATH=VALUES"}}, {"--vary", {"npu.clock=0.5GHz:2GHz:x2"}}});
  }
  Space space;
  for (const auto& [path, text] : vary) {
    HWEST_ASSIGN_OR_RETURN(Settable figure, FindSettable(target, path));
    const bool is_known = std::any_of(space.axes_.begin(), space.axes_.end(),
                                      [&, &own = figure](const Axis& axis) { return axis.figure.path == own.path; });
    if (is_known) {
      return MakeError(Code::kUsage, absl::StrCat("--vary names ", figure.path, " twice"), "list all its values once",
                       {"--vary"});
    }
    HWEST_ASSIGN_OR_RETURN(std::vector<double> values, ParseValues("--vary", text, figure));
    if (values.size() > kMostInSpace / space.size_) {
      return MakeError(Code::kUsage, "the space has more than ten million points", "list fewer values");
    }
    space.size_ *= values.size();
    space.axes_.push_back({std::move(figure), std::move(values)});
  }
  return space;
}

GridPoint Space::At(size_t index) const {
  GridPoint point(axes_.size());
  for (size_t i = axes_.size(); i-- > 0;) {
    point[i] = static_cast<uint32_t>(index % axes_[i].values.size());
    index /= axes_[i].values.size();
  }
  return point;
}

size_t Space::IndexOf(const GridPoint& point) const {
  size_t index = 0;
  for (size_t i = 0; i < axes_.size(); ++i) index = index * axes_[i].values.size() + point[i];
  return index;
}

std::vector<double> Space::ValuesOf(const GridPoint& point) const {
  std::vector<double> values;
  for (size_t i = 0; i < axes_.size(); ++i) values.push_back(axes_[i].values[point[i]]);
  return values;
}

void Space::Apply(const std::vector<double>& values, Target* target) const {
  for (size_t i = 0; i < axes_.size(); ++i) SetFigure(axes_[i].figure, values[i], target);
}

}  // namespace hwest
