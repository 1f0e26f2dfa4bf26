// Resize as nodes that move data, where the sizes allow it.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "rewrite/figures.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

struct ResizeSizes {
  std::vector<int64_t> from, to;
};

// Sizes before and after, of as many axes, none empty. None for what depends on more than sizes and mode.
std::optional<ResizeSizes> ResizeSizesOf(const Site& site) {
  const auto from = site.SizesOf(site.InputOf(site.root(), 0)), to = site.SizesOf(site.ValueOf("root"));
  if (!from.has_value() || !to.has_value() || from->size() != to->size() || from->empty()) return std::nullopt;
  if (!ResizesAsAWhole(site)) return std::nullopt;
  const auto is_usual = [](int64_t size) { return size >= 1 && size <= kMostElementsOfAxis; };
  if (!std::all_of(from->begin(), from->end(), is_usual) || !std::all_of(to->begin(), to->end(), is_usual)) {
    return std::nullopt;
  }
  return ResizeSizes{*from, *to};
}

// Scales that are stated are the ratio of the sizes, where they are powers of two.
bool HasScalesOf(const Site& site, const ResizeSizes& sizes) {
  const ValueId scales = site.InputOf(site.root(), 2);
  if (!scales.valid() || site.SizesOf(scales) == std::vector<int64_t>{0}) return true;
  const auto numbers = site.NumbersOf(scales);
  if (!numbers.has_value() || numbers->size() != sizes.from.size()) return false;
  for (size_t i = 0; i < numbers->size(); ++i) {
    if ((*numbers)[i] * static_cast<double>(sizes.from[i]) != static_cast<double>(sizes.to[i])) return false;
  }
  return true;
}

// The nearest element by whole factors: each becomes a block of itself.
std::string ExpandOfBlocks(const Site& site) {
  const auto sizes = ResizeSizesOf(site);
  if (!sizes.has_value() || !ResizesInBlocks(site)) return "";
  std::vector<int64_t> apart, blocks;
  for (size_t i = 0; i < sizes->from.size(); ++i) {
    apart.push_back(sizes->from[i]);
    blocks.push_back(sizes->from[i]);
    const int64_t factor = sizes->to[i] / sizes->from[i];
    if (factor == 1) continue;
    apart.push_back(1);
    blocks.push_back(factor);
  }
  if (apart == sizes->from) return "";
  return absl::StrCat("Reshape(Expand(", ReshapeText("x", apart), ", ", IntsText(blocks), "), $sizes(root))");
}

// Between one element and itself nothing but it lies.
std::string ExpandOfPixel(const Site& site) {
  const auto sizes = ResizeSizesOf(site);
  const std::string mode = site.TextOf(site.root(), "mode", "nearest");
  if (!sizes.has_value() || sizes->from == sizes->to || (mode != "nearest" && mode != "linear")) return "";
  if (site.TextOf(site.root(), "coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize") return "";
  for (size_t i = 0; i < sizes->from.size(); ++i) {
    if (sizes->from[i] != sizes->to[i] && sizes->from[i] != 1) return "";
  }
  return "Expand(x, $sizes(root))";
}

// The nearest element below, of every second, fourth and so on: other steps are no exact scales.
std::string SliceOfNearest(const Site& site) {
  const auto sizes = ResizeSizesOf(site);
  const NodeId node = site.root();
  if (!sizes.has_value() || sizes->from == sizes->to || !HasScalesOf(site, *sizes)) return "";
  if (site.TextOf(node, "mode", "nearest") != "nearest" || site.TextOf(node, "nearest_mode", "") != "floor" ||
      site.TextOf(node, "coordinate_transformation_mode", "") != "asymmetric") {
    return "";
  }
  std::vector<int64_t> starts, ends, axes, steps;
  for (size_t i = 0; i < sizes->from.size(); ++i) {
    const int64_t step = sizes->from[i] / sizes->to[i];
    if (sizes->from[i] % sizes->to[i] != 0 || (step & (step - 1)) != 0) return "";
    if (step == 1) continue;
    starts.push_back(0);
    ends.push_back(sizes->from[i]);
    axes.push_back(static_cast<int64_t>(i));
    steps.push_back(step);
  }
  return absl::StrCat("Slice(x; starts=", ListText(starts), ", ends=", ListText(ends), ", axes=", ListText(axes),
                      ", steps=", ListText(steps), ")");
}

// Half the size by half pixels: in the middle between two elements of each axis.
std::string PoolOfHalf(const Site& site) {
  const auto sizes = ResizeSizesOf(site);
  const NodeId node = site.root();
  const std::string coordinates = site.TextOf(node, "coordinate_transformation_mode", "half_pixel");
  if (!sizes.has_value() || sizes->from.size() != 4 || !HasScalesOf(site, *sizes)) return "";
  if (site.TextOf(node, "mode", "nearest") != "linear") return "";
  if (coordinates != "half_pixel" && coordinates != "pytorch_half_pixel") return "";
  for (size_t i = 0; i < sizes->from.size(); ++i) {
    if (sizes->from[i] != sizes->to[i] * (i < 2 ? 1 : 2)) return "";
    if (i >= 2 && sizes->to[i] == 1 && coordinates != "half_pixel") return "";  // the first element there
  }
  return "AveragePool(x; kernel_shape=[2, 2], strides=[2, 2])";
}

// clang-format off
constexpr RewriteRule kResizeRules[] = {
    {.name = "resize_to_expand", .key = "Resize", .match = "Resize(x)", .holds = "opset(11) composes", .make = "",
     .compose = ExpandOfBlocks, .figures = "ints sizes",
     .words = "a Resize to the nearest element by whole factors becomes Reshape and Expand",
     .reason = kOnnxSpecification},
    {.name = "resize_of_pixel_to_expand", .key = "Resize", .match = "Resize(x)", .holds = "floats opset(11) composes",
     .make = "", .compose = ExpandOfPixel, .figures = "sizes", .exactness = Exactness::kRounding,
     .words = "a Resize of a single pixel becomes Expand", .reason = kOnnxSpecification},
    {.name = "resize_to_slice", .key = "Resize", .match = "Resize(x)", .holds = "opset(11) composes", .make = "",
     .compose = SliceOfNearest, .words = "a Resize that leaves out all but every second element becomes Slice",
     .reason = kOnnxSpecification},
    {.name = "resize_half_to_average_pool", .key = "Resize", .match = "Resize(x)", .holds = "floats opset(11) composes",
     .make = "", .compose = PoolOfHalf, .exactness = Exactness::kRounding,
     .words = "a linear Resize to half the size becomes AveragePool",
     .reason = "the middle of two elements of each axis is the mean of four"},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> ResizeRewrites() { return kResizeRules; }

}  // namespace hwest
