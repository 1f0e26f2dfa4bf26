// Recurrent cells. TensorFlow Lite has an operand for each gate, ONNX one for all of them and for both directions.
#include <array>
#include <utility>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

constexpr size_t kNoInput = ~size_t{0};

// The operands of one direction, by the place of the first of each kind. Gates are i, f, c, o in TensorFlow Lite and
// i, o, f, c in ONNX; a plain cell has one.
struct Direction {
  size_t weights, recurrent, peepholes, biases, projection;
};
constexpr Direction kForward = {1, 5, 9, 12, 16}, kBackward = {18, 22, 26, 29, 33},
                    kPlain = {1, 2, kNoInput, 3, kNoInput}, kPlainBackward = {5, 6, kNoInput, 7, kNoInput};
constexpr std::array<size_t, 4> kGates = {0, 3, 1, 2};
constexpr std::array<size_t, 3> kPeepholes = {0, 2, 1};  // i, o, f of i, f, o
constexpr size_t kNorms = 20, kOtherInput = 39;
constexpr size_t kPlainOtherInput = 9;

enum class Merge : uint8_t { kNone, kSplit, kJoined };  // what becomes of two directions

struct Cell {
  absl::string_view op;  // of ONNX
  std::vector<Direction> directions;
  size_t gates;
  bool is_time_first;
  Merge merge;
  bool is_rectified = false;  // with Relu in the place of Tanh
};

// Operands of each direction side by side: the parts of a direction along `axis`, the directions along the first.
StrId Joined(TfliteTranslator& to, const Cell& cell, size_t Direction::* first, absl::Span<const size_t> parts,
             absl::string_view what) {
  std::vector<StrId> directions;
  for (const Direction& direction : cell.directions) {
    std::vector<StrId> joined;
    for (const size_t part : parts) {
      const size_t input = direction.*first + part;
      std::vector<int64_t> dims = to.in(input).dims;
      dims.insert(dims.begin(), 1);
      joined.push_back(to.ReadPermuted(input, PermOf(Order::kStored, to.in(input).rank()), dims));
    }
    directions.push_back(joined.size() == 1 ? joined[0] : to.Fresh(what));
    if (joined.size() == 1) continue;
    to.Emit("Concat", std::move(joined), {directions.back()});
    to.Set("axis", int64_t{1});
  }
  if (directions.size() == 1) return directions[0];
  const StrId all = to.Fresh(what);
  to.Emit("Concat", std::move(directions), {all});
  to.Set("axis", int64_t{0});
  return all;
}

// Of both directions [time, direction, batch, units], or with the batch first [batch, time, direction, units].
void WriteBoth(TfliteTranslator& to, const Cell& cell, StrId all) {
  const int64_t axis = cell.is_time_first ? 1 : 2;
  if (cell.merge == Merge::kSplit) {
    const std::vector<StrId> halves = {to.Fresh("forward"), to.Fresh("backward")};
    to.Emit("Split", {all}, halves);
    to.Set("axis", axis);
    to.Set("num_outputs", int64_t{2});
    const StrId axes = to.Ints("axes", {axis});
    for (size_t i = 0; i < halves.size(); ++i) to.Emit("Squeeze", {halves[i], axes}, {to.Write(i, Order::kStored)});
    return;
  }
  if (cell.is_time_first) {
    const StrId ordered = to.Fresh("by_position");
    to.EmitTranspose(all, ordered, {0, 2, 1, 3});
    all = ordered;
  }
  const StrId shape = to.Ints("shape", {0, 0, -1});
  to.Emit("Reshape", {all, shape}, {to.Write(0, Order::kStored)});
}

void EmitCell(TfliteTranslator& to, const Cell& cell) {
  const Direction& forward = cell.directions[0];
  const auto gates = absl::MakeConstSpan(kGates).first(cell.gates);
  const int64_t units = to.in(forward.recurrent).dims.back();
  const StrId data = to.Read(0, Order::kStored);
  const StrId weights = Joined(to, cell, &Direction::weights, gates, "weights");
  const StrId recurrent = Joined(to, cell, &Direction::recurrent, gates, "recurrent");
  const StrId half = Joined(to, cell, &Direction::biases, gates, "bias_of_data");
  const StrId pads = to.Ints("no_bias_of_state", {0, 0, 0, static_cast<int64_t>(cell.gates) * units});
  const StrId bias = to.Fresh("bias"), all = to.Fresh("states"), none(0u);
  to.Emit("Pad", {half, pads}, {bias});
  const bool has_peepholes = forward.peepholes != kNoInput && to.Has(forward.peepholes);
  const StrId peepholes = has_peepholes ? Joined(to, cell, &Direction::peepholes, kPeepholes, "peepholes") : none;
  to.Emit(cell.op, {data, weights, recurrent, bias, none, none, none, peepholes}, {all});
  to.Set("hidden_size", units);
  if (!cell.is_time_first) to.Set("layout", int64_t{1});
  if (cell.directions.size() == 2) to.Set("direction", "bidirectional");
  if (cell.is_rectified) to.Set("activations", std::vector<absl::string_view>(cell.directions.size(), "Relu"));
  if (cell.merge != Merge::kNone) return WriteBoth(to, cell, all);
  const StrId axes = to.Ints("axes", {cell.is_time_first ? int64_t{1} : int64_t{2}});
  to.Emit("Squeeze", {all, axes}, {to.Write(0, Order::kStored)});
}

// True when ONNX's cell computes it: all gates are there, and no projection; peepholes for all gates or for none.
bool IsWholeCell(const TfliteTranslator& to, const Direction& direction, size_t gates) {
  for (size_t i = 0; i < gates; ++i) {
    for (const size_t first : {direction.weights, direction.recurrent, direction.biases}) {
      if (!to.Has(first + i)) return false;
    }
  }
  if (to.in(direction.recurrent).rank() != 2) return false;
  if (direction.peepholes == kNoInput) return true;
  size_t peepholes = 0;
  for (size_t i = 0; i < kPeepholes.size(); ++i) peepholes += to.Has(direction.peepholes + i);
  return (peepholes == 0 || peepholes == kPeepholes.size()) && !to.Has(direction.projection);
}

bool AreWholeCells(const TfliteTranslator& to, const Cell& cell) {
  for (const Direction& direction : cell.directions) {
    if (!IsWholeCell(to, direction, cell.gates)) return false;
  }
  return to.in(0).rank() == 3;
}

bool IsActivationOfCell(int64_t activation) {
  return activation == tflite_activation::kRelu || activation == tflite_activation::kTanh;
}

Merge MergeOf(bool is_joined) { return is_joined ? Merge::kJoined : Merge::kSplit; }

}  // namespace

// Inputs: data; weights of the gates for the data, then for the state; three peepholes; four biases; a projection and
// its bias; two states; four norms.
void EmitLstm(TfliteTranslator& to) {
  const Cell cell = {"LSTM", {kForward}, kGates.size(), to.Flag(3), Merge::kNone};
  if (to.Has(kNorms) || !AreWholeCells(to, cell)) return to.EmitOpaque();
  EmitCell(to, cell);
}

// Inputs: data; the operands of both directions as above; four states; a second input with its weights.
void EmitBidirectionalLstm(TfliteTranslator& to) {
  const bool is_time_first = to.Option(4, 1, 1) != 0;
  const Cell cell = {"LSTM", {kForward, kBackward}, kGates.size(), is_time_first, MergeOf(to.Flag(3))};
  if (to.Has(kOtherInput) || !AreWholeCells(to, cell)) return to.EmitOpaque();
  EmitCell(to, cell);
}

// Inputs: data, weights, recurrent weights, bias, state.
void EmitSequenceRnn(TfliteTranslator& to) {
  if (!IsActivationOfCell(to.Option(1, 1))) return to.EmitOpaque();
  const Cell cell = {"RNN", {kPlain}, 1, to.Flag(0), Merge::kNone, to.Option(1, 1) == tflite_activation::kRelu};
  if (!AreWholeCells(to, cell)) return to.EmitOpaque();
  EmitCell(to, cell);
}

// Inputs: data; weights, recurrent weights, bias, state of both directions; a second input with its weights.
void EmitBidirectionalRnn(TfliteTranslator& to) {
  if (!IsActivationOfCell(to.Option(1, 1))) return to.EmitOpaque();
  const Cell cell = {"RNN",      {kPlain, kPlainBackward}, 1,
                     to.Flag(0), MergeOf(to.Flag(2)),      to.Option(1, 1) == tflite_activation::kRelu};
  if (to.Has(kPlainOtherInput) || !AreWholeCells(to, cell)) return to.EmitOpaque();
  EmitCell(to, cell);
}

// A dense layer over the data of now, then a filter in time for each of its results, and sums of every few of them.
// Inputs: data [B, I], weights [F, I], weights in time [F, T], bias [F / rank], the results of the last T runs.
void EmitSvdf(TfliteTranslator& to) {
  const TfliteTensor &x = to.in(0), &dense = to.in(1), &in_time = to.in(2);
  const int64_t rank = to.Option(0, 4);
  const bool is_known = x.rank() == 2 && dense.rank() == 2 && in_time.rank() == 2 && x.dims[0] > 0 &&
                        in_time.dims[0] > 0 && in_time.dims[1] > 1 && rank > 0 && in_time.dims[0] % rank == 0;
  if (!is_known) return to.EmitOpaque();
  const int64_t filters = in_time.dims[0], steps = in_time.dims[1], batch = x.dims[0];
  const StrId data = to.Read(0, Order::kStored), weights = to.Read(1, Order::kStored), now = to.Fresh("now");
  to.Emit("Gemm", {data, weights}, {now});
  to.Set("transB", int64_t{1});
  const StrId last = to.Ints("axis", {2}), column = to.Fresh("column"), history = to.Fresh("history");
  to.Emit("Unsqueeze", {now, last}, {column});
  const StrId earlier = to.Fresh("earlier"), size = to.Ints("size", {batch, filters, steps - 1});
  to.Emit("ConstantOfShape", {size}, {earlier});
  to.Emit("Concat", {earlier, column}, {history});
  to.Set("axis", int64_t{2});
  const StrId filter = to.ReadPermuted(2, {0, 1}, {filters, 1, steps}), filtered = to.Fresh("filtered");
  to.Emit("Conv", {history, filter}, {filtered});
  to.Set("kernel_shape", std::vector<int64_t>{steps});
  to.Set("group", filters);
  const StrId shape = to.Ints("shape", {batch, filters / rank, rank}), grouped = to.Fresh("grouped");
  to.Emit("Reshape", {filtered, shape}, {grouped});
  const StrId result = to.Write(0, Order::kStored, TensorForm::kReal, to.Option(1, 1));
  const StrId sums = to.Has(3) ? to.Fresh("sums") : result;
  to.Emit("ReduceSum", {grouped, last}, {sums});
  to.Set("keepdims", int64_t{0});
  if (!to.Has(3)) return;
  const StrId bias = to.Read(3, Order::kStored);
  to.Emit("Add", {sums, bias}, {result});
}

}  // namespace hwest
