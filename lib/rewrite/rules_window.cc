// Windows: convolutions and pools in other forms, and as matrix products.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rewrite/figures.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

using IntList = std::vector<int64_t>;

constexpr int64_t kMostStep = 1 << 20;    // of strides, dilations and pads
constexpr int64_t kMostWindow = 7;        // along an axis, of the parts that a large convolution is split into
constexpr int64_t kMostWindowParts = 64;  // of one convolution
constexpr int64_t kPoolPart = 5;          // window that a wide pooling is split into

// A convolution or pooling with every size stated. `pads` has those before all axes, then those behind.
struct WindowView {
  IntList x, w, kernel, strides, dilations, pads;
  int64_t group = 1;
};

bool AllAre(const IntList& values, int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [wanted](int64_t value) { return value == wanted; });
}

bool AllWithin(const IntList& values, int64_t least, int64_t most) {
  return std::all_of(values.begin(), values.end(),
                     [least, most](int64_t value) { return value >= least && value <= most; });
}

// None where a size is not known, or where padding is left to the operator.
std::optional<WindowView> WindowViewOf(const Site& site) {
  const NodeId node = site.root();
  const auto x = site.SizesOf(site.InputOf(node, 0));
  if (!x.has_value() || x->size() < 3 || !AllWithin(*x, 1, kMostElementsOfAxis)) return std::nullopt;
  const size_t spatial = x->size() - 2;
  WindowView view{.x = *x,
                  .w = site.SizesOf(site.InputOf(node, 1)).value_or(IntList()),
                  .kernel = {},
                  .strides = site.IntsOf(node, "strides", 99).value_or(IntList(spatial, 1)),
                  .dilations = site.IntsOf(node, "dilations", 99).value_or(IntList(spatial, 1)),
                  .pads = site.IntsOf(node, "pads", 99).value_or(IntList(2 * spatial, 0)),
                  .group = site.IntOf(node, "group", 1)};
  view.kernel = view.w.size() == x->size() ? IntList(view.w.begin() + 2, view.w.end())
                                           : site.IntsOf(node, "kernel_shape", 99).value_or(IntList());
  const std::string mode = site.TextOf(node, "auto_pad", "NOTSET");
  if (mode == "VALID") view.pads.assign(2 * spatial, 0);
  const bool is_stated = mode == "NOTSET" || mode == "VALID";
  const bool has_sizes = view.kernel.size() == spatial && view.strides.size() == spatial &&
                         view.dilations.size() == spatial && view.pads.size() == 2 * spatial;
  if (!is_stated || !has_sizes || !AllWithin(view.w, 1, kMostElementsOfAxis)) return std::nullopt;
  const bool is_usual = AllWithin(view.kernel, 1, kMostElementsOfAxis) && AllWithin(view.strides, 1, kMostStep) &&
                        AllWithin(view.dilations, 1, kMostStep) && AllWithin(view.pads, 0, kMostStep);
  return is_usual ? std::optional<WindowView>(std::move(view)) : std::nullopt;
}

std::optional<WindowView> ConvViewOf(const Site& site) {
  auto view = WindowViewOf(site);
  return view.has_value() && view->w.size() == view->x.size() ? view : std::nullopt;
}

// A convolution whose one window is the image as a product of matrices.
std::string GemmOfConv(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || view->group != 1 || !AllAre(view->pads, 0)) return "";
  const bool is_whole = std::equal(view->kernel.begin(), view->kernel.end(), view->x.begin() + 2);
  const auto columns = Product(absl::MakeConstSpan(view->w).subspan(1));
  if (!is_whole || view->x[1] != view->w[1] || !columns.has_value()) return "";
  if (!AllAre(view->dilations, 1) && !AllAre(view->kernel, 1)) return "";
  return absl::StrCat("Reshape(Gemm(", ReshapeText("x", {view->x[0], *columns}), ", ",
                      ConstantText(site, "w", {view->w[0], *columns}), ", b; transB=1), $sizes(root))");
}

// A convolution of single pixels as a product with the image as a matrix of channels and pixels.
std::string MatMulOfConv(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || view->group != 1 || !AllAre(view->pads, 0) || !AllAre(view->kernel, 1)) return "";
  const auto pixels = Product(absl::MakeConstSpan(view->x).subspan(2));
  if (!AllAre(view->strides, 1) || !pixels.has_value() || *pixels < 2 || view->x[1] != view->w[1]) return "";
  const std::string product = absl::StrCat("MatMul(", ConstantText(site, "w", {view->w[0], view->w[1]}), ", ",
                                           ReshapeText("x", {view->x[0], view->x[1], *pixels}), ")");
  const ValueId bias = site.ValueOf("b");
  const auto numbers = bias.valid() ? site.NumbersOf(bias) : std::nullopt;
  const bool is_zero =
      numbers.has_value() && std::all_of(numbers->begin(), numbers->end(), [](double each) { return each == 0; });
  return absl::StrCat("Reshape(",
                      bias.valid() && !is_zero
                          ? absl::StrCat("Add(", product, ", ", ConstantText(site, "b", {view->w[0], 1}), ")")
                          : product,
                      ", $sizes(root))");
}

// A product with constant weights as a convolution of single pixels.
std::string ConvOfMatMul(const Site& site) {
  const auto a = site.SizesOf(site.ValueOf("a")), b = site.SizesOf(site.ValueOf("b"));
  if (!a.has_value() || !b.has_value() || b->size() != 2 || a->size() < 3 || a->size() > 5) return "";
  if (!AllWithin(*a, 1, kMostElementsOfAxis) || !AllWithin(*b, 1, kMostElementsOfAxis)) return "";
  const auto rank = static_cast<int64_t>(a->size());
  IntList to = {0, rank - 1}, back = {0}, ones(static_cast<size_t>(std::max<int64_t>(rank - 2, 2)), 1);
  for (int64_t axis = 1; axis < rank - 1; ++axis) {
    to.push_back(axis);
    back.push_back(axis + 1);
  }
  back.push_back(1);
  IntList weights = {(*b)[1], (*b)[0]};
  weights.insert(weights.end(), ones.begin(), ones.end());
  std::string image = absl::StrCat("Transpose(a; perm=", ListText(to), ")");
  if (rank == 3) image = ReshapeText(image, {(*a)[0], (*a)[2], (*a)[1], 1});
  std::string conv =
      absl::StrCat("Conv(", image, ", ", TurnedText(site, "b", weights), ", c; kernel_shape=", ListText(ones), ")");
  if (rank == 3) conv = ReshapeText(conv, {(*a)[0], (*b)[1], (*a)[1]});
  return absl::StrCat("Transpose(", conv, "; perm=", ListText(back), ")");
}

// A convolution of windows side by side as a product of the windows, one a row.
std::string GemmOfPatches(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || view->x.size() != 4) return "";
  const IntList &x = view->x, &w = view->w;
  const int64_t side = w[2], rows = x[2] / side, columns = x[3] / side;
  const auto pixels = Product({w[1], side, side}), windows = Product({x[0], rows, columns});
  if (!pixels.has_value() || !windows.has_value()) return "";
  const std::string patches = absl::StrCat("Transpose(", ReshapeText("x", {x[0], x[1], rows, side, columns, side}),
                                           "; perm=[0, 2, 4, 1, 3, 5])");
  const std::string product = absl::StrCat("Gemm(", ReshapeText(patches, {*windows, *pixels}), ", ",
                                           ConstantText(site, "w", {w[0], *pixels}), ", b; transB=1)");
  return absl::StrCat("Reshape(Transpose(", ReshapeText(product, {x[0], rows * columns, w[0]}),
                      "; perm=[0, 2, 1]), $sizes(root))");
}

IntList Without(const IntList& values, size_t at, size_t second) {
  IntList left;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != at && i != second) left.push_back(values[i]);
  }
  return left;
}

// A convolution of an image of one row, or one column, on the other axis alone.
std::string ConvOfOneAxis(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || view->x.size() != 4) return "";
  for (const size_t flat : {size_t{0}, size_t{1}}) {
    const bool is_flat =
        view->x[flat + 2] == 1 && view->kernel[flat] == 1 && view->pads[flat] == 0 && view->pads[flat + 2] == 0;
    if (!is_flat) continue;
    const size_t none = view->x.size();
    const std::string axes = ListText({static_cast<int64_t>(flat) + 2});
    return absl::StrCat(
        "Unsqueeze(Conv(Squeeze(x; axes=", axes, "), ", ConstantText(site, "w", Without(view->w, flat + 2, none)),
        ", b; group=", view->group, ", kernel_shape=", ListText({view->kernel[1 - flat]}),
        ", strides=", ListText({view->strides[1 - flat]}), ", dilations=", ListText({view->dilations[1 - flat]}),
        ", pads=", ListText(Without(view->pads, flat, flat + 2)), "); axes=", axes, ")");
  }
  return "";
}

// A convolution that takes every second pixel, or fewer, of a part of the image.
std::string ConvOfTakenPixels(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || !AllAre(view->kernel, 1) || !AllAre(view->pads, 0) || AllAre(view->strides, 1)) return "";
  const size_t spatial = view->kernel.size();
  IntList axes;
  for (size_t i = 0; i < spatial; ++i) axes.push_back(static_cast<int64_t>(i) + 2);
  return absl::StrCat("Conv(Slice(x; starts=", ListText(IntList(spatial, 0)),
                      ", ends=", ListText(IntList(view->x.begin() + 2, view->x.end())), ", axes=", ListText(axes),
                      ", steps=", ListText(view->strides), "), w, b; *r, strides=", ListText(IntList(spatial, 1)), ")");
}

// The largest of a wide window as the largest of the largest of narrow ones: what lies outside of the image never
// counts.
std::string PoolsOfWidePool(const Site& site) {
  const auto view = WindowViewOf(site);
  if (!view.has_value() || !AllAre(view->strides, 1) || !AllAre(view->dilations, 1)) return "";
  const int64_t kernel = view->kernel[0];
  if (!AllAre(view->kernel, kernel) || kernel <= kPoolPart || kernel > kMostWindowParts || kernel % 2 == 0) return "";
  if (!AllAre(view->pads, kernel / 2)) return "";
  std::string text = "x";
  for (int64_t left = kernel; left > 1;) {
    const int64_t part = std::min(left, kPoolPart);
    text = absl::StrCat("MaxPool(", text, "; kernel_shape=", ListText(IntList(view->kernel.size(), part)),
                        ", strides=", ListText(view->strides),
                        ", pads=", ListText(IntList(view->pads.size(), part / 2)), ")");
    left -= part - 1;
  }
  return text;
}

// The taps [begin, end) of a window along an axis.
struct Taps {
  int64_t begin = 0, end = 0;
};

// A part of a convolution: the window from taps[0] to taps[1] and so on, with the padding that keeps each product where
// it was; where that is below zero, the image is cut.
std::string PartOfConv(const WindowView& view, const std::vector<Taps>& taps, bool has_bias) {
  const size_t spatial = view.kernel.size();
  IntList pads(2 * spatial), starts, ends, axes, kernel, first, last;
  bool is_cut = false;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t before = view.pads[i] - taps[i].begin * view.dilations[i];
    const int64_t behind = view.pads[i + spatial] - (view.kernel[i] - taps[i].end) * view.dilations[i];
    pads[i] = std::max<int64_t>(before, 0);
    pads[i + spatial] = std::max<int64_t>(behind, 0);
    starts.push_back(std::max<int64_t>(-before, 0));
    ends.push_back(view.x[i + 2] - std::max<int64_t>(-behind, 0));
    if (starts.back() >= ends.back()) return "";
    is_cut |= starts.back() > 0 || ends.back() < view.x[i + 2];
    axes.push_back(static_cast<int64_t>(i) + 2);
    kernel.push_back(taps[i].end - taps[i].begin);
    first.push_back(taps[i].begin);
    last.push_back(taps[i].end);
  }
  const auto slice = [&axes](absl::string_view of, const IntList& from, const IntList& to) {
    return absl::StrCat("Slice(", of, "; starts=", ListText(from), ", ends=", ListText(to), ", axes=", ListText(axes),
                        ")");
  };
  return absl::StrCat("Conv(", is_cut ? slice("x", starts, ends) : "x", ", ", slice("w", first, last),
                      has_bias ? ", b" : "", "; group=", view.group, ", kernel_shape=", ListText(kernel),
                      ", strides=", ListText(view.strides), ", dilations=", ListText(view.dilations),
                      ", pads=", ListText(pads), ")");
}

// A convolution with a large window as the sum of convolutions with parts of it.
std::string SumOfConvs(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value() || !AllWithin(view->kernel, 1, kMostWindow * kMostWindowParts)) return "";
  std::vector<std::vector<Taps>> parts = {{}};
  for (const int64_t size : view->kernel) {
    std::vector<std::vector<Taps>> longer;
    for (const auto& part : parts) {
      for (int64_t begin = 0; begin < size; begin += kMostWindow) {
        longer.push_back(part);
        longer.back().push_back({begin, std::min(size, begin + kMostWindow)});
      }
    }
    parts = std::move(longer);
    if (static_cast<int64_t>(parts.size()) > kMostWindowParts) return "";
  }
  if (parts.size() < 2) return "";
  std::string sum;
  for (const auto& taps : parts) {
    const std::string part = PartOfConv(*view, taps, sum.empty());
    if (part.empty()) return "";
    sum = sum.empty() ? part : absl::StrCat("Add(", sum, ", ", part, ")");
  }
  return sum;
}

// Weights [C, M, 1, ..] of a transposed convolution of single pixels as those of a convolution.
std::string ConvOfDeconv(const Site& site) {
  const auto view = ConvViewOf(site);
  if (!view.has_value()) return "";
  IntList weights = view->w;
  std::swap(weights[0], weights[1]);
  return absl::StrCat("Conv(x, ", TurnedText(site, "w", weights), ", b; kernel_shape=", ListText(view->kernel), ")");
}

// clang-format off
constexpr RewriteRule kWindowRules[] = {
    {.name = "conv_to_gemm", .key = "Conv", .match = "r:Conv(x, w[const], b?)", .holds = "floats composes", .make = "",
     .compose = GemmOfConv, .figures = "ints constant_as sizes", .exactness = Exactness::kRounding,
     .undoes = "gemm_to_conv", .words = "a convolution whose one window is the image becomes Gemm",
     .reason = kOnnxSpecification},
    {.name = "pointwise_conv_to_matmul", .key = "Conv", .match = "r:Conv(x, w[const], b[const]?)",
     .holds = "floats composes", .make = "", .compose = MatMulOfConv, .figures = "ints constant_as sizes",
     .exactness = Exactness::kRounding, .undoes = "matmul_to_conv",
     .words = "a 1x1 convolution becomes MatMul of weights and pixels", .reason = kOnnxSpecification},
    {.name = "matmul_to_conv", .key = "MatMul", .match = "Add?(MatMul(a, b[const]), c[bias])",
     .holds = "floats vector(c) composes", .make = "", .compose = ConvOfMatMul, .figures = "ints turned",
     .exactness = Exactness::kRounding, .undoes = "pointwise_conv_to_matmul",
     .words = "MatMul with constant weights becomes a 1x1 convolution, between Transposes",
     .reason = kOnnxSpecification},
    {.name = "patches_to_matmul", .key = "Conv", .match = "r:Conv(x, w[const], b?)",
     .holds = "floats patches(r) composes", .make = "", .compose = GemmOfPatches, .figures = "ints constant_as sizes",
     .exactness = Exactness::kRounding,
     .words = "a convolution of windows side by side becomes Gemm of a window a row",
     .reason = "Dosovitskiy et al. 2021: patches are projected one by one"},
    {.name = "conv2d_to_conv1d", .key = "Conv", .match = "r:Conv(x, w[const], b?)", .holds = "floats composes",
     .make = "", .compose = ConvOfOneAxis, .figures = "ints constant_as", .undoes = "conv1d_to_conv2d",
     .words = "a convolution of one row or column becomes one of one axis", .reason = kOnnxSpecification},
    {.name = "strided_pointwise_to_slice", .key = "Conv", .match = "r:Conv(x, w[const], b?)",
     .holds = "floats opset(10) composes", .make = "", .compose = ConvOfTakenPixels,
     .words = "a 1x1 convolution with strides becomes a Slice and one without", .reason = kOnnxSpecification},
    {.name = "large_conv_split", .key = "Conv", .match = "r:Conv(x, w[const], b?)",
     .holds = "floats opset(10) composes",
     .make = "", .compose = SumOfConvs, .exactness = Exactness::kRounding,
     .words = "a convolution with a window above 7 becomes a sum of convolutions with parts of it",
     .reason = "a sum over the window is the sum over its parts"},
    {.name = "large_max_pool_split", .key = "MaxPool", .match = "r:MaxPool(x)",
     .holds = "floats alone explicit_pads(r) int_is(r, ceil_mode, 0, 0) lacks(r, dilations)",
     .make = "MaxPool(MaxPool(x; kernel_shape=$half_window(0), strides=$half_window(0)); "
             "kernel_shape=$half_window(1), strides=$half_window(1))",
     .words = "a large MaxPool becomes two smaller ones", .reason = "the largest of the largest of parts"},
    {.name = "wide_max_pool_split", .key = "MaxPool", .match = "r:MaxPool(x)",
     .holds = "floats alone int_is(r, ceil_mode, 0, 0) composes", .make = "", .compose = PoolsOfWidePool,
     .words = "a MaxPool of overlapping windows above 5 becomes several of 5",
     .reason = "the largest of the largest of parts; Jocher 2022 (SPPF)"},
    {.name = "pointwise_deconv_to_conv", .key = "ConvTranspose",
     .match = "r:ConvTranspose[of_pixels](x, w[const], b?)", .holds = "floats composes", .make = "",
     .compose = ConvOfDeconv, .figures = "turned",
     .words = "a 1x1 ConvTranspose becomes Conv", .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> WindowRewrites() { return kWindowRules; }

}  // namespace hwest
