// Operators that move, cut and join.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();

bool HasAtMostOneUnknown(const std::vector<int64_t>& dims) { return std::count(dims.begin(), dims.end(), -1) <= 1; }

// The shape that a view gives, as stored; none when it is computed.
std::optional<std::vector<int64_t>> ShapeOfView(TfliteTranslator& to) {
  const TfliteTensor& out = to.out(0);
  if (to.num_inputs() == 2) {
    if (std::optional<std::vector<int64_t>> values = to.Values(1)) {
      if (static_cast<int>(values->size()) == out.rank() && HasAtMostOneUnknown(*values)) return values;
    }
  }
  if (out.ranked && HasAtMostOneUnknown(out.dims)) return out.dims;
  return std::nullopt;
}

// Sizes for ONNX, where 0 copies a size and is none.
StrId TargetOf(TfliteTranslator& to, Order order, const std::vector<int64_t>& shape) {
  return to.Ints("shape", InOrderOf(order, shape));
}

// The order in which the axes that are left stand as stored.
Order OrderWithout(TfliteTranslator& to, const std::vector<int64_t>& axes) {
  const Order order = to.InOrder(0);
  std::vector<bool> is_gone(to.in(0).dims.size());
  for (const int64_t axis : axes) is_gone[static_cast<size_t>(axis)] = true;
  int64_t last = -1;
  for (const int64_t axis : PermOf(order, to.in(0).rank())) {
    if (is_gone[static_cast<size_t>(axis)]) continue;
    if (axis < last) return Order::kStored;
    last = axis;
  }
  return order;
}

std::vector<int64_t> AxesIn(Order order, int rank, const std::vector<int64_t>& axes) {
  std::vector<int64_t> moved;
  for (const int64_t axis : axes) moved.push_back(AxisIn(order, rank, axis));
  std::sort(moved.begin(), moved.end());
  return moved;
}

// Axes from the start, without those outside.
std::vector<int64_t> Settled(const std::vector<int64_t>& axes, int rank) {
  std::vector<int64_t> settled;
  for (const int64_t axis : axes) {
    if (AxisFromStart(axis, rank) >= 0) settled.push_back(AxisFromStart(axis, rank));
  }
  return settled;
}

// A complex tensor has one order, and the shape that the file states for it.
void EmitComplexView(TfliteTranslator& to) {
  const TfliteTensor& out = to.out(0);
  if (!out.is_complex || !HasAtMostOneUnknown(out.dims)) return to.EmitOpaque();
  const StrId data = to.Read(0, Order::kStored), shape = to.Ints("shape", out.dims);
  to.Emit("Reshape", {data, shape}, {to.Write(0, Order::kStored)});
}

bool AgreesAsView(TfliteTranslator& to) {
  return DiffersByUnitAxes(to.in(0), to.out(0)) && to.InOrder(0) == to.OutOrder(0);
}

// One position along an axis each, as sizes and places of a cut.
struct Cut {
  std::vector<int64_t> axes, starts, ends, steps;
  void Add(int64_t axis, int64_t start, int64_t end, int64_t step) {
    axes.push_back(axis);
    starts.push_back(start);
    ends.push_back(end);
    steps.push_back(step);
  }
};

void EmitCut(TfliteTranslator& to, StrId data, const Cut& cut, Order order, int rank, StrId result) {
  std::vector<int64_t> axes;
  for (const int64_t axis : cut.axes) axes.push_back(AxisIn(order, rank, axis));
  const StrId starts = to.Ints("starts", cut.starts), ends = to.Ints("ends", cut.ends), at = to.Ints("axes", axes);
  const bool has_steps = std::any_of(cut.steps.begin(), cut.steps.end(), [](int64_t step) { return step != 1; });
  const StrId steps = has_steps ? to.Ints("steps", cut.steps) : StrId(0u);
  to.Emit("Slice", {data, starts, ends, at, steps}, {result});
}

// A list with one entry for each axis, put in `order` where the tensor is read.
StrId ReadByAxis(TfliteTranslator& to, size_t input, Order order) {
  if (const auto values = to.Values(input)) return to.Ints("by_axis", InOrderOf(order, *values));
  const StrId sizes = to.ReadSizes(input);
  if (order == Order::kStored) return sizes;
  const StrId moved = to.Fresh("by_axis"), perm = to.Ints("order", PermOf(order, to.in(0).rank()));
  to.Emit("Gather", {sizes, perm}, {moved});
  return moved;
}

}  // namespace

void EmitReshape(TfliteTranslator& to) {
  if (to.in(0).is_complex) return EmitComplexView(to);
  const std::optional<std::vector<int64_t>> shape = ShapeOfView(to);
  const bool agrees = shape.has_value() && (AgreesAsView(to) || to.MayBeRows(0, 0));
  const Order order = to.OutOrder(0);
  const StrId data = agrees ? to.Read(0, to.InOrder(0), TensorForm::kNumbers) : to.ReadRow(0, TensorForm::kNumbers);
  if (!shape.has_value()) {
    if (!to.Has(1)) return to.EmitOpaque();
    const StrId sizes = to.ReadSizes(1);
    to.Emit("Reshape", {data, sizes}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
    return;
  }
  const Order made = agrees || IsSameRow(to.out(0)) ? order : Order::kStored;
  const StrId target = TargetOf(to, made, *shape);
  to.Emit("Reshape", {data, target}, {to.Write(0, made, TensorForm::kNumbers)});
}

void EmitSqueeze(TfliteTranslator& to) {
  if (to.in(0).is_complex) return EmitComplexView(to);
  const TfliteTensor& x = to.in(0);
  std::vector<int64_t> axes = Settled(to.ListOption(0), x.rank());
  if (axes.empty()) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (x.dims[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
    }
  }
  const Order order = AgreesAsView(to) ? to.InOrder(0) : OrderWithout(to, axes);
  const StrId data = to.Read(0, order, TensorForm::kNumbers), at = to.Ints("axes", AxesIn(order, x.rank(), axes));
  to.Emit("Squeeze", {data, at}, {to.Write(0, AgreesAsView(to) ? order : Order::kStored, TensorForm::kNumbers)});
}

void EmitExpandDims(TfliteTranslator& to) {
  if (to.in(0).is_complex) return EmitComplexView(to);
  const auto values = to.Values(1);
  const int rank = to.out(0).rank();
  if (!values.has_value() || values->size() != 1 || AxisFromStart((*values)[0], rank) < 0) return EmitReshape(to);
  const bool agrees = AgreesAsView(to);
  if (!agrees && (to.InOrder(0) == Order::kFirst || to.OutOrder(0) == Order::kFirst)) return EmitReshape(to);
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order, TensorForm::kNumbers), axes = to.Ints("axes", AxesIn(order, rank, *values));
  to.Emit("Unsqueeze", {data, axes}, {to.Write(0, order, TensorForm::kNumbers)});
}

// In the orders that its operands have, the permutation may be another, or none.
void EmitTransposeOp(TfliteTranslator& to) {
  const auto perm = to.Values(1);
  const int rank = to.in(0).rank();
  if (!perm.has_value() || static_cast<int>(perm->size()) != rank || to.out(0).rank() != rank) return to.EmitOpaque();
  std::vector<bool> is_named(static_cast<size_t>(rank));
  for (const int64_t axis : *perm) {
    if (axis < 0 || axis >= rank || is_named[static_cast<size_t>(axis)]) return to.EmitOpaque();
    is_named[static_cast<size_t>(axis)] = true;
  }
  const bool is_constant = to.IsConstant(0);
  const Order from = is_constant ? Order::kStored : to.InOrder(0), into = to.OutOrder(0);
  std::vector<int64_t> moved;
  for (const int64_t axis : PermOf(into, rank)) {
    moved.push_back(AxisIn(from, rank, (*perm)[static_cast<size_t>(axis)]));
  }
  const StrId data = to.Read(0, from, TensorForm::kNumbers);
  if (std::is_sorted(moved.begin(), moved.end())) return to.Alias(0, data);
  to.EmitTranspose(data, to.Write(0, into, TensorForm::kNumbers), moved);
}

// Numbers of tensors that are quantised alike are joined as they are.
void EmitConcat(TfliteTranslator& to) {
  const TfliteQuantization& made = to.out(0).quantization;
  const int rank = to.out(0).rank();
  const int64_t axis = AxisFromStart(to.Option(0, 4), rank);
  if (axis < 0) return to.EmitOpaque();
  TensorForm form = TensorForm::kNumbers;
  for (size_t i = 0; i < to.num_inputs(); ++i) {
    const TfliteQuantization& taken = to.in(i).quantization;
    const bool is_same = taken.first_scale == made.first_scale && taken.first_zero_point == made.first_zero_point;
    if (!is_same || to.in(i).elem != to.out(0).elem) form = TensorForm::kReal;
  }
  const Order order = to.OutOrder(0);
  std::vector<StrId> parts;
  for (size_t i = 0; i < to.num_inputs(); ++i) parts.push_back(to.Read(i, order, form));
  to.Emit("Concat", std::move(parts), {to.Write(0, order, form, to.Option(1, 1))});
  to.Set("axis", AxisIn(order, rank, axis));
}

// SPLIT has the axis first, SPLIT_V the sizes and then the axis.
void EmitSplit(TfliteTranslator& to) {
  const bool has_sizes = to.num_inputs() == 3;
  const size_t data = has_sizes ? 0 : 1;
  const auto axis = to.Values(has_sizes ? 2 : 0);
  const int rank = to.in(data).rank();
  if (!axis.has_value() || axis->size() != 1 || AxisFromStart((*axis)[0], rank) < 0) return to.EmitOpaque();
  const Order order = to.InOrder(data);
  const StrId whole = to.Read(data, order, TensorForm::kNumbers), sizes = has_sizes ? to.ReadSizes(1) : StrId(0u);
  std::vector<StrId> parts;
  for (size_t i = 0; i < to.num_outputs(); ++i) parts.push_back(to.Write(i, order, TensorForm::kNumbers));
  const auto count = static_cast<int64_t>(parts.size());
  to.Emit("Split", {whole, sizes}, std::move(parts));
  to.Set("axis", AxisIn(order, rank, (*axis)[0]));
  if (!has_sizes) to.Set("num_outputs", count);
}

void EmitPack(TfliteTranslator& to) {
  const int rank = to.out(0).rank();
  const int64_t axis = AxisFromStart(to.Option(1, 4), rank);
  if (axis < 0) return to.EmitOpaque();
  std::vector<StrId> parts;
  const StrId axes = to.Ints("axes", {axis});
  for (size_t i = 0; i < to.num_inputs(); ++i) {
    const StrId part = to.Read(i, Order::kStored, TensorForm::kNumbers), wide = to.Fresh("unsqueezed");
    to.Emit("Unsqueeze", {part, axes}, {wide});
    parts.push_back(wide);
  }
  to.Emit("Concat", std::move(parts), {to.Write(0, Order::kStored, TensorForm::kNumbers)});
  to.Set("axis", axis);
}

void EmitUnpack(TfliteTranslator& to) {
  const int rank = to.in(0).rank();
  const int64_t axis = AxisFromStart(to.Option(1, 4), rank);
  if (axis < 0) return to.EmitOpaque();
  const Order order = OrderWithout(to, {axis});
  const StrId whole = to.Read(0, order, TensorForm::kNumbers), axes = to.Ints("axes", {AxisIn(order, rank, axis)});
  std::vector<StrId> parts;
  for (size_t i = 0; i < to.num_outputs(); ++i) parts.push_back(to.Fresh("part"));
  to.Emit("Split", {whole}, parts);
  to.Set("axis", AxisIn(order, rank, axis));
  to.Set("num_outputs", static_cast<int64_t>(parts.size()));
  for (size_t i = 0; i < parts.size(); ++i) {
    to.Emit("Squeeze", {parts[i], axes}, {to.Write(i, Order::kStored, TensorForm::kNumbers)});
  }
}

void EmitPad(TfliteTranslator& to) {
  const TfliteTensor& x = to.in(0);
  const auto pairs = to.Values(1);
  if (!pairs.has_value() || pairs->size() != 2 * x.dims.size()) return to.EmitOpaque();
  const absl::string_view mode = RowOf(to).onnx;
  if (mode == "reflect" && to.Option(0, 1) != 0) return to.EmitOpaque();  // SYMMETRIC
  std::vector<int64_t> before, after;
  for (size_t i = 0; i < pairs->size(); i += 2) {
    before.push_back((*pairs)[i]);
    after.push_back((*pairs)[i + 1]);
  }
  const Order order = to.OutOrder(0);
  std::vector<int64_t> pads = InOrderOf(order, before);
  for (const int64_t pad : InOrderOf(order, after)) pads.push_back(pad);
  const bool is_around = x.rank() == 4 && before[0] + before[3] + after[0] + after[3] == 0 && !to.Has(2) &&
                         mode == "constant" && std::all_of(pairs->begin(), pairs->end(), [](int64_t pad) {
                           return pad >= 0 && pad <= std::numeric_limits<int32_t>::max();
                         });
  if (is_around && to.LeavePads(0, 0, {before[1], before[2], after[1], after[2]})) return;
  const StrId data = to.Read(0, order, TensorForm::kNumbers), amounts = to.Ints("pads", pads);
  const StrId value = to.Read(2, Order::kStored, TensorForm::kNumbers);
  to.Emit("Pad", {data, amounts, value}, {to.Write(0, order, TensorForm::kNumbers)});
  to.Set("mode", mode);
}

void EmitSlice(TfliteTranslator& to) {
  const auto begins = to.Values(1), sizes = to.Values(2);
  const TfliteTensor& x = to.in(0);
  if (!begins.has_value() || !sizes.has_value()) {
    const StrId data = to.Read(0, Order::kStored, TensorForm::kNumbers), from = to.ReadSizes(1), size = to.ReadSizes(2);
    StrId end = to.Fresh("ends");
    to.Emit("Add", {from, size}, {end});
    if (!sizes.has_value() || std::count(sizes->begin(), sizes->end(), -1) > 0) {
      const StrId is_rest = to.Fresh("is_rest"), sum = std::exchange(end, to.Fresh("ends"));
      const StrId none = to.Scalar("none", ElemType::kInt64, 0), last = to.Scalar("last", ElemType::kInt64, kToTheEnd);
      to.Emit("Less", {size, none}, {is_rest});  // -1 is all that is left
      to.Emit("Where", {is_rest, last, sum}, {end});
    }
    to.Emit("Slice", {data, from, end}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
    return;
  }
  if (begins->size() != x.dims.size() || sizes->size() != x.dims.size()) return to.EmitOpaque();
  Cut cut;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    const int64_t begin = (*begins)[i], size = (*sizes)[i];
    if (begin == 0 && (size == -1 || size == x.dims[i])) continue;
    cut.Add(static_cast<int64_t>(i), begin, size == -1 ? kToTheEnd : begin + size, 1);
  }
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order, TensorForm::kNumbers);
  EmitCut(to, data, cut, order, x.rank(), to.Write(0, order, TensorForm::kNumbers));
}

// x[begin:end:step, ...] with bits that say of each entry: from the start, to the end, "...", a new axis, one position.
void EmitStridedSlice(TfliteTranslator& to) {
  enum { kFromStart, kToEnd, kEllipsis, kNewAxis, kOne };
  const auto begins = to.Values(1), steps = to.Values(3);
  auto ends = to.Values(2);
  const int rank = to.in(0).rank();
  const auto bit = [&](int mask, size_t entry) { return entry < 32 && (to.Option(mask, 4) >> entry & 1) != 0; };
  if (!begins.has_value() || !steps.has_value() || steps->size() != begins->size()) return to.EmitOpaque();
  const bool has_ends = ends.has_value() && ends->size() == begins->size();
  size_t new_axes = 0;
  for (size_t i = 0; i < begins->size(); ++i) new_axes += bit(kNewAxis, i) && !bit(kEllipsis, i);

  Cut cut;
  std::vector<int64_t> dropped, added, entries;
  int64_t axis = 0, made = 0;
  for (size_t i = 0; i < begins->size(); ++i) {
    if (bit(kEllipsis, i)) {
      const int64_t skipped = rank - static_cast<int64_t>(begins->size() - 1 - new_axes);
      axis += std::max<int64_t>(skipped, 0);
      made += std::max<int64_t>(skipped, 0);
      continue;
    }
    if (bit(kNewAxis, i)) {
      added.push_back(made++);
      continue;
    }
    if (axis >= rank) return to.EmitOpaque();
    const int64_t begin = (*begins)[i], step = (*steps)[i];
    if (bit(kOne, i)) {
      cut.Add(axis, begin, begin == -1 ? kToTheEnd : begin + 1, 1);
      dropped.push_back(axis);
    } else if (!bit(kFromStart, i) || !bit(kToEnd, i) || step != 1) {
      const bool to_end = bit(kToEnd, i);
      const int64_t last = step < 0 ? std::numeric_limits<int64_t>::min() : kToTheEnd;
      cut.Add(axis, bit(kFromStart, i) ? (step < 0 ? kToTheEnd : 0) : begin,
              to_end     ? last
              : has_ends ? (*ends)[i]
                         : 0,
              step);
      if (!to_end) entries.push_back(static_cast<int64_t>(i));
    }
    ++axis;
    made += !bit(kOne, i);
  }
  const bool is_plain = dropped.empty() && added.empty();
  // Ends that are computed: those of the axes that are cut, if all of them have one.
  if (!has_ends && (!dropped.empty() || entries.size() != cut.axes.size())) return to.EmitOpaque();
  const Order order = is_plain ? to.OutOrder(0) : OrderWithout(to, dropped);
  const Order left = is_plain ? order : Order::kStored;
  StrId data = to.Read(0, order, TensorForm::kNumbers);
  StrId result = to.Write(0, left, TensorForm::kNumbers);
  const auto next = [&](bool is_last, absl::string_view what) { return is_last ? result : to.Fresh(what); };
  if (!has_ends && !cut.axes.empty()) {
    const StrId all = to.ReadSizes(2), picked = to.Ints("entries", entries), computed = to.Fresh("ends");
    to.Emit("Gather", {all, picked}, {computed});
    std::vector<int64_t> axes;
    for (const int64_t at : cut.axes) axes.push_back(AxisIn(order, rank, at));
    const StrId starts = to.Ints("starts", cut.starts), at = to.Ints("axes", axes),
                strides = to.Ints("steps", cut.steps);
    const StrId part = next(is_plain, "cut");
    to.Emit("Slice", {data, starts, computed, at, strides}, {part});
    data = part;
  } else if (!cut.axes.empty() || is_plain) {
    const StrId part = next(is_plain, "cut");
    EmitCut(to, data, cut, order, rank, part);
    data = part;
  }
  if (!dropped.empty()) {
    const StrId part = next(added.empty(), "squeezed"), axes = to.Ints("axes", AxesIn(order, rank, dropped));
    to.Emit("Squeeze", {data, axes}, {part});
    data = part;
  }
  if (!added.empty()) {
    const StrId axes = to.Ints("axes", added);
    to.Emit("Unsqueeze", {data, axes}, {result});
  }
}

void EmitReverse(TfliteTranslator& to) {
  const auto axes = to.Values(1);
  const int rank = to.in(0).rank();
  if (!axes.has_value()) return to.EmitOpaque();
  Cut cut;
  for (const int64_t axis : Settled(*axes, rank)) {
    cut.Add(axis, -1, std::numeric_limits<int64_t>::min(), -1);
  }
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order, TensorForm::kNumbers);
  EmitCut(to, data, cut, order, rank, to.Write(0, order, TensorForm::kNumbers));
}

void EmitTile(TfliteTranslator& to) {
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order, TensorForm::kNumbers), repeats = ReadByAxis(to, 1, order);
  to.Emit("Tile", {data, repeats}, {to.Write(0, order, TensorForm::kNumbers)});
}

void EmitBroadcastTo(TfliteTranslator& to) {
  const bool has_order = to.in(0).rank() == to.out(0).rank();
  const Order order = has_order ? to.OutOrder(0) : Order::kStored;
  const StrId data = to.Read(0, order, TensorForm::kNumbers), shape = ReadByAxis(to, 1, order);
  to.Emit("Expand", {data, shape}, {to.Write(0, order, TensorForm::kNumbers)});
}

// The sizes as stored, whatever order the tensor is in.
void EmitShape(TfliteTranslator& to) {
  const Order order = to.InOrder(0);
  const int rank = to.in(0).rank();
  const StrId data = to.Read(0, order, TensorForm::kNumbers),
              result = to.Write(0, Order::kStored, TensorForm::kNumbers);
  const bool is_wide = to.out(0).elem == ElemType::kInt64;
  const bool is_moved = order == Order::kFirst;
  const StrId sizes = is_wide && !is_moved ? result : to.Fresh("sizes");
  to.Emit("Shape", {data}, {sizes});
  StrId stored = sizes;
  if (is_moved) {
    std::vector<int64_t> places;
    for (int axis = 0; axis < rank; ++axis) places.push_back(AxisIn(order, rank, axis));
    stored = is_wide ? result : to.Fresh("stored");
    const StrId at = to.Ints("order", places);
    to.Emit("Gather", {sizes, at}, {stored});
  }
  if (!is_wide) to.EmitCast(stored, result, to.out(0).elem);
}

void EmitFill(TfliteTranslator& to) {
  const StrId shape = to.ReadSizes(0), value = to.Read(1, Order::kStored, TensorForm::kNumbers);
  to.Emit("Expand", {value, shape}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
}

void EmitRange(TfliteTranslator& to) {
  const StrId start = to.Read(0, Order::kStored), limit = to.Read(1, Order::kStored);
  const StrId delta = to.Read(2, Order::kStored);
  to.Emit("Range", {start, limit, delta}, {to.Write(0, Order::kStored)});
}

}  // namespace hwest
