// Operators on images, and contractions.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

enum { kSame = 0, kValid = 1 };  // Padding

// One spatial axis of an operator with a window.
struct Extent {
  int64_t in = -1, out = -1, kernel = 1, stride = 1, dilation = 1;
};

int64_t CeilDiv(int64_t a, int64_t b) { return b <= 0 ? 0 : (a + b - 1) / b; }

bool IsUsable(const Extent& extent) {
  constexpr int64_t kMost = int64_t{1} << 31;
  const auto fits = [](int64_t value) { return value > 0 && value <= kMost; };
  return fits(extent.in) && fits(extent.kernel) && fits(extent.stride) && fits(extent.dilation);
}

// Elements added at both ends so that ceil(in / stride) windows fit.
int64_t SamePadding(const Extent& extent) {
  const int64_t windows = CeilDiv(extent.in, extent.stride);
  return std::max<int64_t>((windows - 1) * extent.stride + (extent.kernel - 1) * extent.dilation + 1 - extent.in, 0);
}

void SetPads(TfliteTranslator& to, const std::vector<int64_t>& totals) {
  std::vector<int64_t> pads;
  for (const int64_t total : totals) pads.push_back(total / 2);
  for (const int64_t total : totals) pads.push_back(total - total / 2);
  to.Set("pads", std::move(pads));
}

// Strides, dilations and padding of a window; sizes that are known give pads in numbers.
void SetWindow(TfliteTranslator& to, const std::vector<Extent>& extents, int64_t padding,
               const std::vector<int64_t>& pads = {}) {
  std::vector<int64_t> strides, dilations, totals;
  bool is_known = true;
  for (const Extent& extent : extents) {
    strides.push_back(extent.stride);
    dilations.push_back(extent.dilation);
    is_known = is_known && IsUsable(extent);
    totals.push_back(padding == kSame && IsUsable(extent) ? SamePadding(extent) : 0);
  }
  to.Set("strides", std::move(strides));
  if (std::any_of(dilations.begin(), dilations.end(), [](int64_t value) { return value != 1; })) {
    to.Set("dilations", std::move(dilations));
  }
  if (!pads.empty()) {
    to.Set("pads", pads);
  } else if (padding == kSame && !is_known) {
    to.Set("auto_pad", "SAME_UPPER");
  } else {
    SetPads(to, totals);
  }
}

int64_t DimOf(const TfliteTensor& tensor, size_t axis) { return axis < tensor.dims.size() ? tensor.dims[axis] : -1; }

// Slots of the options of a convolution of two axes.
struct ConvSlots {
  int activation, dilation_w, dilation_h;
};

void EmitConv2d(TfliteTranslator& to, const ConvSlots& slots, const std::vector<int64_t>& perm, int64_t group) {
  const TfliteTensor &x = to.in(0), &w = to.in(1);
  if (x.rank() != 4 || w.rank() != 4) return to.EmitOpaque();
  const AddedWindow* const added = to.AddedTo(0);
  const auto extent = [&](size_t axis, int stride, int dilation) {
    const int64_t step = added == nullptr || added->dilations.empty() ? 1 : added->dilations[axis - 1];
    return Extent{.in = DimOf(x, axis),
                  .kernel = DimOf(w, axis),
                  .stride = to.Option(stride, 4, 1),
                  .dilation = step * to.Option(dilation, 4, 1)};
  };
  const std::vector<Extent> extents = {extent(1, 2, slots.dilation_h), extent(2, 1, slots.dilation_w)};
  const StrId data = to.Read(0, Order::kFirst), weights = to.ReadPermuted(1, perm);
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(slots.activation, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", std::vector<int64_t>{extents[0].kernel, extents[1].kernel});
  if (group != 1) to.Set("group", group);
  SetWindow(to, extents, to.Option(0, 1), added == nullptr ? std::vector<int64_t>() : added->pads);
}

// Slots of the stride and the dilation of D, H, W in the options of a convolution of three axes.
constexpr std::array<std::pair<int, int>, 3> k3dSlots = {{{1, 5}, {3, 7}, {2, 6}}};

// Data are input 2, weights input 1, the bias input 3. What the sizes of the result leave open is padding.
void EmitTransposed(TfliteTranslator& to, const std::vector<Extent>& extents, const std::vector<int64_t>& perm,
                    int64_t activation) {
  const StrId data = to.Read(2, Order::kFirst), weights = to.ReadPermuted(1, perm);
  const StrId bias = to.Read(3, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, activation);
  to.Emit("ConvTranspose", {data, weights, bias}, {result});
  std::vector<int64_t> kernel, strides, pads, more;
  bool is_known = true;
  for (const Extent& extent : extents) {
    kernel.push_back(extent.kernel);
    strides.push_back(extent.stride);
    is_known = is_known && IsUsable(extent) && extent.out > 0;
    const int64_t full = is_known ? (extent.in - 1) * extent.stride + extent.kernel : 0;
    pads.push_back(std::max<int64_t>(full - extent.out, 0));
    more.push_back(std::max<int64_t>(extent.out - full, 0));
  }
  to.Set("kernel_shape", std::move(kernel));
  to.Set("strides", std::move(strides));
  if (!is_known) {
    to.Set("auto_pad", to.Option(0, 1) == kSame ? "SAME_UPPER" : "VALID");
    return;
  }
  SetPads(to, pads);
  const bool is_longer = std::any_of(more.begin(), more.end(), [](int64_t size) { return size > 0; });
  if (is_longer) to.Set("output_padding", std::move(more));
}

// Fully connected over the last axis of an image is a window of one position.
void EmitPositions(TfliteTranslator& to) {
  const std::vector<int64_t> ones(to.in(0).dims.size() - 2, 1);
  std::vector<int64_t> dims = to.in(1).dims;
  dims.insert(dims.end(), ones.begin(), ones.end());
  const StrId data = to.Read(0, Order::kFirst), weights = to.ReadPermuted(1, {0, 1}, dims);
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(0, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", ones);
}

// A size for each inner axis of `x`, and a pair of lengths that are not negative.
bool AreBlocks(const TfliteTensor& x, const std::optional<std::vector<int64_t>>& blocks,
               const std::optional<std::vector<int64_t>>& pairs) {
  constexpr int64_t kMost = int64_t{1} << 24;
  const auto fits = [](int64_t size) { return size > 0 && size <= kMost; };
  return x.rank() >= 3 && blocks.has_value() && pairs.has_value() && blocks->size() + 2 == x.dims.size() &&
         pairs->size() == 2 * blocks->size() && std::all_of(x.dims.begin() + 1, x.dims.end(), fits) &&
         std::all_of(blocks->begin(), blocks->end(), fits) &&
         std::all_of(pairs->begin(), pairs->end(), [&](int64_t size) { return size == 0 || fits(size); });
}

// `from` as `cut`, its axes in the order `perm`, as `made`.
void EmitMoved(TfliteTranslator& to, StrId from, const std::vector<int64_t>& cut, const std::vector<int64_t>& perm,
               const std::vector<int64_t>& made, StrId result) {
  const StrId parts = to.Fresh("cut"), ordered = to.Fresh("ordered");
  const StrId before = to.Ints("shape", cut);
  to.Emit("Reshape", {from, before}, {parts});
  to.EmitTranspose(parts, ordered, perm);
  const StrId after = to.Ints("shape", made);
  to.Emit("Reshape", {ordered, after}, {result});
}

}  // namespace

void EmitConv(TfliteTranslator& to) {
  const int64_t channels = DimOf(to.in(0), 3), each = DimOf(to.in(1), 3);
  const bool is_grouped = channels > 0 && each > 0 && channels % each == 0;
  EmitConv2d(to, {3, 4, 5}, {0, 3, 1, 2}, is_grouped ? channels / each : 1);
}

void EmitDepthwiseConv(TfliteTranslator& to) {
  const int64_t channels = DimOf(to.in(0), 3), made = DimOf(to.in(1), 3), multiplier = to.Option(3, 4, 1);
  EmitConv2d(to, {4, 5, 6}, {3, 0, 1, 2}, channels > 0 ? channels : multiplier > 0 ? made / multiplier : made);
}

void EmitConv3d(TfliteTranslator& to) {
  const TfliteTensor &x = to.in(0), &w = to.in(1);
  if (x.rank() != 5 || w.rank() != 5) return to.EmitOpaque();
  std::vector<Extent> extents;
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < k3dSlots.size(); ++i) {
    extents.push_back({.in = DimOf(x, i + 1),
                       .kernel = DimOf(w, i),
                       .stride = to.Option(k3dSlots[i].first, 4, 1),
                       .dilation = to.Option(k3dSlots[i].second, 4, 1)});
    kernel.push_back(DimOf(w, i));
  }
  const StrId data = to.Read(0, Order::kFirst), weights = to.ReadPermuted(1, {4, 3, 0, 1, 2});
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(4, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", kernel);
  SetWindow(to, extents, to.Option(0, 1));
}

// Inputs: sizes of the result, weights [O, h, w, I], data, bias.
void EmitTransposeConv(TfliteTranslator& to) {
  const TfliteTensor &y = to.out(0), &w = to.in(1), &x = to.in(2);
  if (x.rank() != 4 || w.rank() != 4 || y.rank() != 4) return to.EmitOpaque();
  EmitTransposed(to,
                 {{.in = DimOf(x, 1), .out = DimOf(y, 1), .kernel = DimOf(w, 1), .stride = to.Option(2, 4, 1)},
                  {.in = DimOf(x, 2), .out = DimOf(y, 2), .kernel = DimOf(w, 2), .stride = to.Option(1, 4, 1)}},
                 {3, 0, 1, 2}, to.Option(3, 1));
}

// The same with three axes; weights are [d, h, w, O, I].
void EmitTransposeConv3d(TfliteTranslator& to) {
  const TfliteTensor &y = to.out(0), &w = to.in(1), &x = to.in(2);
  if (x.rank() != 5 || w.rank() != 5 || y.rank() != 5) return to.EmitOpaque();
  std::vector<Extent> extents;
  for (size_t i = 0; i < k3dSlots.size(); ++i) {
    extents.push_back({.in = DimOf(x, i + 1),
                       .out = DimOf(y, i + 1),
                       .kernel = DimOf(w, i),
                       .stride = to.Option(k3dSlots[i].first, 4, 1)});
  }
  EmitTransposed(to, extents, {4, 3, 0, 1, 2}, to.Option(4, 1));
}

void EmitPool(TfliteTranslator& to) {
  if (to.in(0).rank() != 4) return to.EmitOpaque();
  const Extent high{.in = DimOf(to.in(0), 1), .kernel = to.Option(4, 4, 1), .stride = to.Option(2, 4, 1)};
  const Extent wide{.in = DimOf(to.in(0), 2), .kernel = to.Option(3, 4, 1), .stride = to.Option(1, 4, 1)};
  const StrId data = to.Read(0, Order::kFirst);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(5, 1));
  to.Emit(RowOf(to).onnx, {data}, {result});
  to.Set("kernel_shape", std::vector<int64_t>{high.kernel, wide.kernel});
  SetWindow(to, {high, wide}, to.Option(0, 1));
}

void EmitResize(TfliteTranslator& to) {
  if (to.in(0).rank() != 4) return to.EmitOpaque();
  const bool is_linear = RowOf(to).onnx == "linear";
  const int slot = is_linear ? 2 : 0;
  const bool aligns = to.Flag(slot), is_centered = to.Flag(slot + 1);
  const TensorForm form = is_linear ? TensorForm::kReal : TensorForm::kNumbers;
  const StrId data = to.Read(0, Order::kFirst, form), sizes = to.ReadSizes(1);
  to.Emit("Resize", {data, StrId(0u), StrId(0u), sizes}, {to.Write(0, Order::kFirst, form)});
  to.Set("axes", std::vector<int64_t>{2, 3});
  to.Set("mode", RowOf(to).onnx);
  to.Set("coordinate_transformation_mode", aligns ? "align_corners" : is_centered ? "half_pixel" : "asymmetric");
  if (!is_linear) to.Set("nearest_mode", aligns || is_centered ? "round_prefer_ceil" : "floor");
}

void EmitBlocks(TfliteTranslator& to) {
  const StrId data = to.Read(0, Order::kFirst, TensorForm::kNumbers);
  to.Emit(RowOf(to).onnx, {data}, {to.Write(0, Order::kFirst, TensorForm::kNumbers)});
  to.Set("blocksize", to.Option(0, 4, 1));
}

// [N, C, H, W] with zeros around it becomes [bh * bw * N, C, H / bh, W / bw]: an image of each set of positions that
// lie a block apart. `blocks` are input 1; input 2 has a pair of pads, or of crops, for each axis.
void EmitSpaceToBatch(TfliteTranslator& to) {
  const TfliteTensor& x = to.in(0);
  const auto blocks = to.Values(1), pads = to.Values(2);
  if (!AreBlocks(x, blocks, pads)) return to.EmitOpaque();
  if (x.rank() == 4 && to.LeaveSteps(*blocks, *pads)) return;
  std::vector<int64_t> before = {0, 0}, after = {0, 0}, cut = {x.dims.front(), x.dims.back()}, perm,
                       made = {-1, cut[1]};
  for (size_t i = 0; i < blocks->size(); ++i) {
    before.push_back((*pads)[2 * i]);
    after.push_back((*pads)[2 * i + 1]);
    const int64_t whole = x.dims[i + 1] + before.back() + after.back(), block = (*blocks)[i];
    if (whole % block != 0) return to.EmitOpaque();
    cut.insert(cut.end(), {whole / block, block});
    made.push_back(whole / block);
    perm.push_back(static_cast<int64_t>(2 * i + 3));
  }
  perm.insert(perm.end(), {0, 1});
  for (size_t i = 0; i < blocks->size(); ++i) perm.push_back(static_cast<int64_t>(2 * i + 2));
  StrId data = to.Read(0, Order::kFirst, TensorForm::kNumbers);
  before.insert(before.end(), after.begin(), after.end());
  if (std::any_of(before.begin(), before.end(), [](int64_t pad) { return pad != 0; })) {
    const StrId amounts = to.Ints("pads", before), padded = to.Fresh("padded");
    to.Emit("Pad", {data, amounts}, {padded});
    data = padded;
  }
  EmitMoved(to, data, cut, perm, made, to.Write(0, Order::kFirst, TensorForm::kNumbers));
}

void EmitBatchToSpace(TfliteTranslator& to) {
  if (to.IsMade(0)) return;
  const TfliteTensor& x = to.in(0);
  const auto blocks = to.Values(1), crops = to.Values(2);
  if (!AreBlocks(x, blocks, crops)) return to.EmitOpaque();
  const auto axes = static_cast<int64_t>(blocks->size());
  std::vector<int64_t> cut = *blocks, perm = {axes, axes + 1}, made = {-1, x.dims.back()}, at, starts, ends;
  cut.insert(cut.end(), {-1, x.dims.back()});
  for (int64_t i = 0; i < axes; ++i) {
    const auto axis = static_cast<size_t>(i);
    const int64_t size = x.dims[axis + 1], whole = size * (*blocks)[axis], end = whole - (*crops)[2 * axis + 1];
    cut.push_back(size);
    perm.insert(perm.end(), {axes + 2 + i, i});
    made.push_back(whole);
    if ((*crops)[2 * axis] == 0 && end == whole) continue;
    at.push_back(i + 2);
    starts.push_back((*crops)[2 * axis]);
    ends.push_back(end);
  }
  const StrId data = to.Read(0, Order::kFirst, TensorForm::kNumbers);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kNumbers);
  const StrId whole = at.empty() ? result : to.Fresh("whole");
  EmitMoved(to, data, cut, perm, made, whole);
  if (at.empty()) return;
  const StrId first = to.Ints("starts", starts), last = to.Ints("ends", ends), along = to.Ints("axes", at);
  to.Emit("Slice", {whole, first, last, along}, {result});
}

void EmitNormOfChannels(TfliteTranslator& to) {
  const StrId data = to.Read(0, Order::kFirst);
  const int64_t size = 2 * to.Option(0, 4) + 1;
  to.Emit("LRN", {data}, {to.Write(0, Order::kFirst)});
  to.Set("size", size);
  to.Set("bias", to.RealOption(1));
  to.Set("alpha", to.RealOption(2) * static_cast<float>(size));
  to.Set("beta", to.RealOption(3));
}

// Weights are [O, I]; data of more axes are rows of I, of which the result keeps the axes or not.
void EmitFullyConnected(TfliteTranslator& to) {
  const TfliteTensor &x = to.in(0), &w = to.in(1);
  if (w.rank() != 2) return to.EmitOpaque();
  const bool keeps_axes = to.Flag(2) && x.rank() > 2;
  const int64_t activation = to.Option(0, 1);
  if (keeps_axes && to.InOrder(0) == Order::kFirst && to.OutOrder(0) == Order::kFirst) {
    return EmitPositions(to);
  }
  if (keeps_axes) {
    const StrId data = to.Read(0, Order::kStored), weights = to.ReadPermuted(1, {1, 0});
    const StrId bias = to.Read(2, Order::kStored);
    const StrId result = to.Write(0, Order::kStored, TensorForm::kReal, activation);
    const StrId product = to.Has(2) ? to.Fresh("product") : result;
    to.Emit("MatMul", {data, weights}, {product});
    if (to.Has(2)) to.Emit("Add", {product, bias}, {result});
    return;
  }
  StrId data, weights;
  if (!to.ReadRows(0, 1, &data, &weights)) {
    data = to.ReadRow(0, TensorForm::kReal);
    weights = to.Read(1, Order::kStored);
  }
  if (x.ranked && x.rank() != 2) {
    const StrId rows = to.Fresh("rows"), shape = to.Ints("shape", {-1, DimOf(w, 1)});
    to.Emit("Reshape", {data, shape}, {rows});
    data = rows;
  }
  const StrId bias = to.Read(2, Order::kStored);
  to.Emit("Gemm", {data, weights, bias}, {to.Write(0, Order::kStored, TensorForm::kReal, activation)});
  to.Set("transB", int64_t{1});
}

void EmitBatchMatMul(TfliteTranslator& to) {
  std::vector<StrId> operands;
  for (const int input : {0, 1}) {
    const auto at = static_cast<size_t>(input);
    StrId value = to.Read(at, Order::kStored);
    const int rank = to.in(at).rank();
    if (to.Flag(input) && rank >= 2) {
      std::vector<int64_t> perm = PermOf(Order::kStored, rank);
      std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
      const StrId turned = to.Fresh("transposed");
      to.EmitTranspose(value, turned, perm);
      value = turned;
    }
    operands.push_back(value);
  }
  to.Emit("MatMul", std::move(operands), {to.Write(0, Order::kStored)});
}

}  // namespace hwest
