// Operators on images, contractions and recurrent cells.
#include <algorithm>
#include <array>
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
  const auto extent = [&](size_t axis, int stride, int dilation) {
    return Extent{.in = DimOf(x, axis),
                  .kernel = DimOf(w, axis),
                  .stride = to.Option(stride, 4, 1),
                  .dilation = to.Option(dilation, 4, 1)};
  };
  const std::vector<Extent> extents = {extent(1, 2, slots.dilation_h), extent(2, 1, slots.dilation_w)};
  const StrId data = to.Read(0, Order::kFirst), weights = to.ReadPermuted(1, perm);
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(slots.activation, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", std::vector<int64_t>{extents[0].kernel, extents[1].kernel});
  if (group != 1) to.Set("group", group);
  SetWindow(to, extents, to.Option(0, 1), to.PadsOf(0));
}

// Fully connected over the last axis of an image is a window of one position.
void EmitPositions(TfliteTranslator& to) {
  const TfliteTensor& w = to.in(1);
  const StrId data = to.Read(0, Order::kFirst);
  const StrId weights = to.ReadPermuted(1, {0, 1}, {w.dims[0], w.dims[1], 1, 1});
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(0, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", std::vector<int64_t>{1, 1});
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
  const std::array<std::pair<int, int>, 3> slots = {{{1, 5}, {3, 7}, {2, 6}}};  // stride and dilation of D, H, W
  std::vector<Extent> extents;
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < slots.size(); ++i) {
    extents.push_back({.in = DimOf(x, i + 1),
                       .kernel = DimOf(w, i),
                       .stride = to.Option(slots[i].first, 4, 1),
                       .dilation = to.Option(slots[i].second, 4, 1)});
    kernel.push_back(DimOf(w, i));
  }
  const StrId data = to.Read(0, Order::kFirst), weights = to.ReadPermuted(1, {4, 3, 0, 1, 2});
  const StrId bias = to.Read(2, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(4, 1));
  to.Emit("Conv", {data, weights, bias}, {result});
  to.Set("kernel_shape", kernel);
  SetWindow(to, extents, to.Option(0, 1));
}

// Inputs: sizes of the result, weights [O, h, w, I], data, bias. What the sizes leave open is padding.
void EmitTransposeConv(TfliteTranslator& to) {
  const TfliteTensor &y = to.out(0), &w = to.in(1), &x = to.in(2);
  if (x.rank() != 4 || w.rank() != 4 || y.rank() != 4) return to.EmitOpaque();
  const std::vector<Extent> extents = {
      {.in = DimOf(x, 1), .out = DimOf(y, 1), .kernel = DimOf(w, 1), .stride = to.Option(2, 4, 1)},
      {.in = DimOf(x, 2), .out = DimOf(y, 2), .kernel = DimOf(w, 2), .stride = to.Option(1, 4, 1)}};
  const StrId data = to.Read(2, Order::kFirst), weights = to.ReadPermuted(1, {3, 0, 1, 2});
  const StrId bias = to.Read(3, Order::kStored);
  const StrId result = to.Write(0, Order::kFirst, TensorForm::kReal, to.Option(3, 1));
  to.Emit("ConvTranspose", {data, weights, bias}, {result});
  to.Set("kernel_shape", std::vector<int64_t>{extents[0].kernel, extents[1].kernel});
  to.Set("strides", std::vector<int64_t>{extents[0].stride, extents[1].stride});
  std::vector<int64_t> pads, more;
  bool is_known = true;
  for (const Extent& extent : extents) {
    is_known = is_known && IsUsable(extent) && extent.out > 0;
    const int64_t full = is_known ? (extent.in - 1) * extent.stride + extent.kernel : 0;
    pads.push_back(std::max<int64_t>(full - extent.out, 0));
    more.push_back(std::max<int64_t>(extent.out - full, 0));
  }
  if (!is_known) {
    to.Set("auto_pad", to.Option(0, 1) == kSame ? "SAME_UPPER" : "VALID");
    return;
  }
  SetPads(to, pads);
  if (more[0] > 0 || more[1] > 0) to.Set("output_padding", std::move(more));
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
  if (keeps_axes && x.rank() == 4 && to.InOrder(0) == Order::kFirst && to.OutOrder(0) == Order::kFirst) {
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

// Inputs: data; weights of the gates i, f, c, o for the data, then for the state; three peepholes; four biases; a
// projection and its bias; two states; four norms. The cell of ONNX has neither projection nor norms.
void EmitLstm(TfliteTranslator& to) {
  constexpr size_t kGates = 4, kOfState = 5, kPeepholes = 9, kBiases = 12, kProjection = 16, kNorms = 20;
  for (size_t i = 1; i < kBiases + kGates; ++i) {
    if ((i < kPeepholes || i >= kBiases) != to.Has(i)) return to.EmitOpaque();
  }
  if (to.Has(kProjection) || to.Has(kNorms) || to.in(0).rank() != 3 || to.in(kOfState).rank() != 2) {
    return to.EmitOpaque();
  }
  const int64_t units = DimOf(to.in(kOfState), 1);
  constexpr std::array<size_t, kGates> kOrder = {0, 3, 1, 2};  // i, o, f, c
  const auto joined = [&](size_t first, absl::string_view what, int64_t axis) {
    std::vector<StrId> parts;
    for (const size_t gate : kOrder) {
      std::vector<int64_t> dims = to.in(first + gate).dims;
      dims.insert(dims.begin(), 1);
      parts.push_back(to.ReadPermuted(first + gate, PermOf(Order::kStored, to.in(first + gate).rank()), dims));
    }
    const StrId name = to.Fresh(what);
    to.Emit("Concat", std::move(parts), {name});
    to.Set("axis", axis);
    return name;
  };
  const bool is_time_first = to.Flag(3);
  const StrId data = to.Read(0, Order::kStored);
  const StrId weights = joined(1, "weights", 1), recurrent = joined(kOfState, "recurrent", 1);
  const StrId half = joined(kBiases, "bias_of_data", 1);
  const StrId pads = to.Ints("no_bias_of_state", {0, 0, 0, 4 * units}), bias = to.Fresh("bias");
  to.Emit("Pad", {half, pads}, {bias});
  const StrId all = to.Fresh("states"), axes = to.Ints("axes", {is_time_first ? int64_t{1} : int64_t{2}});
  to.Emit("LSTM", {data, weights, recurrent, bias}, {all});
  to.Set("hidden_size", units);
  if (!is_time_first) to.Set("layout", int64_t{1});
  to.Emit("Squeeze", {all, axes}, {to.Write(0, Order::kStored)});
}

}  // namespace hwest
