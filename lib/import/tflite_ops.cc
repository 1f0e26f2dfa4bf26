#include "import/tflite_ops.h"

#include <iterator>
#include <utility>
#include <vector>

#include "import/tflite_translator.h"

namespace hwest {
namespace {

// The operands broadcast to the result.
std::vector<StrId> Operands(TfliteTranslator& to) {
  std::vector<StrId> operands;
  for (size_t i = 0; i < to.num_inputs(); ++i) {
    operands.push_back(to.ReadBroadcast(i, to.OutOrder(0), to.out(0).rank()));
  }
  return operands;
}

StrId Result(TfliteTranslator& to) {
  const int slot = RowOf(to).activation;
  return to.Write(0, to.OutOrder(0), TensorForm::kReal, slot < 0 ? 0 : to.Option(slot, 1));
}

void EmitElementwise(TfliteTranslator& to) {
  std::vector<StrId> operands = Operands(to);
  to.Emit(RowOf(to).onnx, std::move(operands), {Result(to)});
}

// Result of one operator after another.
void EmitBoth(TfliteTranslator& to, std::vector<StrId> operands, absl::string_view first, absl::string_view second) {
  const StrId between = to.Fresh(first);
  to.Emit(first, std::move(operands), {between});
  to.Emit(second, {between}, {Result(to)});
}

void EmitNotEqual(TfliteTranslator& to) { EmitBoth(to, Operands(to), "Equal", "Not"); }
void EmitRsqrt(TfliteTranslator& to) { EmitBoth(to, Operands(to), "Sqrt", "Reciprocal"); }

void EmitFloorDiv(TfliteTranslator& to) {
  if (!IsFloat(to.out(0).elem)) {
    std::vector<StrId> operands = Operands(to);
    to.Emit("Div", std::move(operands), {Result(to)});
    return;
  }
  EmitBoth(to, Operands(to), "Div", "Floor");
}

void EmitFloorMod(TfliteTranslator& to) {
  std::vector<StrId> operands = Operands(to);
  to.Emit("Mod", std::move(operands), {Result(to)});
  if (IsFloat(to.out(0).elem)) to.Set("fmod", int64_t{1});
}

void EmitSquare(TfliteTranslator& to) {
  const StrId value = to.ReadBroadcast(0, to.OutOrder(0), to.out(0).rank());
  to.Emit("Mul", {value, value}, {Result(to)});
}

void EmitSquaredDifference(TfliteTranslator& to) {
  std::vector<StrId> operands = Operands(to);
  const StrId difference = to.Fresh("difference");
  to.Emit("Sub", std::move(operands), {difference});
  to.Emit("Mul", {difference, difference}, {Result(to)});
}

// RELU_N1_TO_1, RELU6 and RELU_0_TO_1.
void EmitClip(TfliteTranslator& to) {
  constexpr absl::string_view kSigned = "RELU_N1_TO_1", kSix = "RELU6";
  const absl::string_view name = RowOf(to).name;
  const StrId data = to.Read(0, to.OutOrder(0));
  const StrId least = to.Number(name == kSigned ? -1 : 0), most = to.Number(name == kSix ? 6 : 1);
  to.Emit("Clip", {data, least, most}, {Result(to)});
}

void EmitLeakyRelu(TfliteTranslator& to) {
  const StrId data = to.Read(0, to.OutOrder(0));
  to.Emit("LeakyRelu", {data}, {Result(to)});
  to.Set("alpha", to.RealOption(0));
}

void EmitGelu(TfliteTranslator& to) {
  const StrId data = to.Read(0, to.OutOrder(0));
  to.Emit("Gelu", {data}, {Result(to)});
  if (to.Flag(0)) to.Set("approximate", "tanh");
}

// Along the last axis as stored.
void EmitLastAxis(TfliteTranslator& to) {
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order);
  to.Emit(RowOf(to).onnx, {data}, {Result(to)});
  to.Set("axis", order == Order::kStored ? int64_t{-1} : AxisIn(order, to.in(0).rank(), -1));
}

void EmitReduce(TfliteTranslator& to) {
  const TfliteTensor& x = to.in(0);
  const bool keeps = to.Flag(0);
  const auto axes = to.Values(1);
  Order order = keeps ? to.OutOrder(0) : to.InOrder(0);
  StrId at;
  if (axes.has_value()) {
    std::vector<int64_t> kept, moved;
    std::vector<bool> is_reduced(x.dims.size());
    for (const int64_t axis : *axes) {
      const int64_t place = AxisFromStart(axis, x.rank());
      if (place < 0) return to.EmitOpaque();
      is_reduced[static_cast<size_t>(place)] = true;
    }
    for (const int64_t axis : PermOf(order, x.rank())) {
      if (!is_reduced[static_cast<size_t>(axis)]) kept.push_back(axis);
    }
    // Without its axes the result has one order, that of the file.
    for (size_t i = 1; i < kept.size() && !keeps; ++i) {
      if (kept[i] < kept[i - 1]) order = Order::kStored;
    }
    int64_t place = 0;
    for (const int64_t axis : PermOf(order, x.rank())) {
      if (is_reduced[static_cast<size_t>(axis)]) moved.push_back(place);
      ++place;
    }
    at = to.Ints("axes", moved);
  } else {
    order = Order::kStored;
    at = to.ReadSizes(1);
  }
  const StrId data = to.Read(0, order), result = to.Write(0, keeps ? order : Order::kStored);
  to.Emit(RowOf(to).onnx, {data, at}, {result});
  to.Set("keepdims", int64_t{keeps});
}

void EmitArg(TfliteTranslator& to) {
  const auto axis = to.Values(1);
  const int rank = to.in(0).rank();
  if (!axis.has_value() || axis->size() != 1 || AxisFromStart((*axis)[0], rank) < 0) return to.EmitOpaque();
  const int64_t stored = AxisFromStart((*axis)[0], rank);
  // Without the last axis the others stand as stored in either order.
  const Order order = stored == rank - 1 ? to.InOrder(0) : Order::kStored;
  const StrId data = to.Read(0, order), result = to.Write(0, Order::kStored, TensorForm::kNumbers);
  const bool is_wide = to.out(0).elem == ElemType::kInt64;
  const StrId index = is_wide ? result : to.Fresh("index");
  to.Emit(RowOf(to).onnx, {data}, {index});
  to.Set("axis", AxisIn(order, rank, stored));
  to.Set("keepdims", int64_t{0});
  if (!is_wide) to.EmitCast(index, result, to.out(0).elem);
}

void EmitTopK(TfliteTranslator& to) {
  const auto count = to.Values(1);
  const StrId data = to.Read(0, Order::kStored);
  const StrId k = count.has_value() ? to.Ints("k", *count) : to.ReadSizes(1);
  const StrId values = to.Write(0, Order::kStored), indices = to.Write(1, Order::kStored, TensorForm::kNumbers);
  const StrId wide = to.Fresh("indices");
  to.Emit("TopK", {data, k}, {values, wide});
  if (to.num_outputs() > 1) to.EmitCast(wide, indices, to.out(1).elem);
}

void EmitCastOp(TfliteTranslator& to) {
  const StrId data = to.Read(0, to.OutOrder(0));
  to.EmitCast(data, to.Write(0, to.OutOrder(0)), to.out(0).elem);
}

// Numbers of a quantised tensor, or the shorter floats that weights are stored as.
void EmitDequantize(TfliteTranslator& to) {
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order);
  if (to.in(0).is_quantised()) return to.Alias(0, data);
  to.EmitCast(data, to.Write(0, order), to.out(0).elem);
}

// What Write adds to its result is all there is to it.
void EmitQuantize(TfliteTranslator& to) {
  const Order order = to.OutOrder(0);
  if (!to.out(0).is_quantised()) return to.EmitOpaque();
  const StrId data = to.Read(0, order);
  to.WriteQuantised(0, order, data);
}

void EmitCumSum(TfliteTranslator& to) {
  const StrId data = to.Read(0, Order::kStored), axis = to.Read(1, Order::kStored);
  to.Emit("CumSum", {data, axis}, {to.Write(0, Order::kStored)});
  if (to.Flag(0)) to.Set("exclusive", int64_t{1});
  if (to.Flag(1)) to.Set("reverse", int64_t{1});
}

// By BuiltinOperator of TensorFlow Lite's schema.
// clang-format off
constexpr TfliteOp kOps[] = {
    {.name = "ADD", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Add", .activation = 0},
    {.name = "AVERAGE_POOL_2D", .axes = AxisUse::kImage, .emit = EmitPool, .onnx = "AveragePool"},
    {.name = "CONCATENATION", .axes = AxisUse::kAlike, .emit = EmitConcat},
    {.name = "CONV_2D", .axes = AxisUse::kImage, .emit = EmitConv},
    {.name = "DEPTHWISE_CONV_2D", .axes = AxisUse::kImage, .emit = EmitDepthwiseConv},
    {.name = "DEPTH_TO_SPACE", .axes = AxisUse::kImage, .emit = EmitBlocks, .onnx = "DepthToSpace"},
    {.name = "DEQUANTIZE", .axes = AxisUse::kAlike, .emit = EmitDequantize},
    {.name = "EMBEDDING_LOOKUP", .emit = EmitEmbeddingLookup},
    {.name = "FLOOR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Floor"},
    {.name = "FULLY_CONNECTED", .axes = AxisUse::kDense, .emit = EmitFullyConnected},
    {"HASHTABLE_LOOKUP"},
    {.name = "L2_NORMALIZATION", .axes = AxisUse::kAlike, .emit = EmitLastAxis, .onnx = "LpNormalization"},
    {"L2_POOL_2D"},
    {.name = "LOCAL_RESPONSE_NORMALIZATION", .axes = AxisUse::kImage, .emit = EmitNormOfChannels},
    {.name = "LOGISTIC", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sigmoid"},
    {"LSH_PROJECTION"},
    {"LSTM"},
    {.name = "MAX_POOL_2D", .axes = AxisUse::kImage, .emit = EmitPool, .onnx = "MaxPool"},
    {.name = "MUL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Mul", .activation = 0},
    {.name = "RELU", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Relu"},
    {.name = "RELU_N1_TO_1", .axes = AxisUse::kAlike, .emit = EmitClip},
    {.name = "RELU6", .axes = AxisUse::kAlike, .emit = EmitClip},
    {.name = "RESHAPE", .axes = AxisUse::kView, .emit = EmitReshape},
    {.name = "RESIZE_BILINEAR", .axes = AxisUse::kImage, .emit = EmitResize, .onnx = "linear"},
    {"RNN"},
    {.name = "SOFTMAX", .axes = AxisUse::kAlike, .emit = EmitLastAxis, .onnx = "Softmax"},
    {.name = "SPACE_TO_DEPTH", .axes = AxisUse::kImage, .emit = EmitBlocks, .onnx = "SpaceToDepth"},
    {"SVDF"},
    {.name = "TANH", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Tanh"},
    {"CONCAT_EMBEDDINGS"},
    {"SKIP_GRAM"},
    {"CALL"},
    {"CUSTOM"},
    {"EMBEDDING_LOOKUP_SPARSE"},
    {.name = "PAD", .axes = AxisUse::kAlike, .emit = EmitPad, .onnx = "constant"},
    {"UNIDIRECTIONAL_SEQUENCE_RNN"},
    {.name = "GATHER", .emit = EmitGather},
    {"BATCH_TO_SPACE_ND"},
    {"SPACE_TO_BATCH_ND"},
    {.name = "TRANSPOSE", .axes = AxisUse::kAny, .emit = EmitTransposeOp},
    {.name = "MEAN", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMean"},
    {.name = "SUB", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sub", .activation = 0},
    {.name = "DIV", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Div", .activation = 0},
    {.name = "SQUEEZE", .axes = AxisUse::kView, .emit = EmitSqueeze},
    {.name = "UNIDIRECTIONAL_SEQUENCE_LSTM", .emit = EmitLstm},
    {.name = "STRIDED_SLICE", .axes = AxisUse::kAlike, .emit = EmitStridedSlice},
    {"BIDIRECTIONAL_SEQUENCE_RNN"},
    {.name = "EXP", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Exp"},
    {.name = "TOPK_V2", .emit = EmitTopK},
    {.name = "SPLIT", .axes = AxisUse::kAlike, .emit = EmitSplit},
    {.name = "LOG_SOFTMAX", .axes = AxisUse::kAlike, .emit = EmitLastAxis, .onnx = "LogSoftmax"},
    {"DELEGATE"},
    {"BIDIRECTIONAL_SEQUENCE_LSTM"},
    {.name = "CAST", .axes = AxisUse::kAlike, .emit = EmitCastOp},
    {.name = "PRELU", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "PRelu"},
    {.name = "MAXIMUM", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Max"},
    {.name = "ARG_MAX", .axes = AxisUse::kAny, .emit = EmitArg, .onnx = "ArgMax"},
    {.name = "MINIMUM", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Min"},
    {.name = "LESS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Less"},
    {.name = "NEG", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Neg"},
    {.name = "PADV2", .axes = AxisUse::kAlike, .emit = EmitPad, .onnx = "constant"},
    {.name = "GREATER", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Greater"},
    {.name = "GREATER_EQUAL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "GreaterOrEqual"},
    {.name = "LESS_EQUAL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "LessOrEqual"},
    {.name = "SELECT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Where"},
    {.name = "SLICE", .axes = AxisUse::kAlike, .emit = EmitSlice},
    {.name = "SIN", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sin"},
    {.name = "TRANSPOSE_CONV", .axes = AxisUse::kImage, .emit = EmitTransposeConv, .data = 2},
    {"SPARSE_TO_DENSE"},
    {.name = "TILE", .axes = AxisUse::kAlike, .emit = EmitTile},
    {.name = "EXPAND_DIMS", .axes = AxisUse::kView, .emit = EmitExpandDims},
    {.name = "EQUAL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Equal"},
    {.name = "NOT_EQUAL", .axes = AxisUse::kAlike, .emit = EmitNotEqual},
    {.name = "LOG", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Log"},
    {.name = "SUM", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceSum"},
    {.name = "SQRT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sqrt"},
    {.name = "RSQRT", .axes = AxisUse::kAlike, .emit = EmitRsqrt},
    {.name = "SHAPE", .axes = AxisUse::kAny, .emit = EmitShape},
    {.name = "POW", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Pow"},
    {.name = "ARG_MIN", .axes = AxisUse::kAny, .emit = EmitArg, .onnx = "ArgMin"},
    {"FAKE_QUANT"},
    {.name = "REDUCE_PROD", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceProd"},
    {.name = "REDUCE_MAX", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMax"},
    {.name = "PACK", .emit = EmitPack},
    {.name = "LOGICAL_OR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Or"},
    {.name = "ONE_HOT", .emit = EmitOneHot},
    {.name = "LOGICAL_AND", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "And"},
    {.name = "LOGICAL_NOT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Not"},
    {.name = "UNPACK", .axes = AxisUse::kAny, .emit = EmitUnpack},
    {.name = "REDUCE_MIN", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMin"},
    {.name = "FLOOR_DIV", .axes = AxisUse::kAlike, .emit = EmitFloorDiv},
    {.name = "REDUCE_ANY", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMax"},
    {.name = "SQUARE", .axes = AxisUse::kAlike, .emit = EmitSquare},
    {"ZEROS_LIKE"},
    {.name = "FILL", .emit = EmitFill},
    {.name = "FLOOR_MOD", .axes = AxisUse::kAlike, .emit = EmitFloorMod},
    {.name = "RANGE", .emit = EmitRange},
    {.name = "RESIZE_NEAREST_NEIGHBOR", .axes = AxisUse::kImage, .emit = EmitResize, .onnx = "nearest"},
    {.name = "LEAKY_RELU", .axes = AxisUse::kAlike, .emit = EmitLeakyRelu},
    {.name = "SQUARED_DIFFERENCE", .axes = AxisUse::kAlike, .emit = EmitSquaredDifference},
    {.name = "MIRROR_PAD", .axes = AxisUse::kAlike, .emit = EmitPad, .onnx = "reflect"},
    {.name = "ABS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Abs"},
    {.name = "SPLIT_V", .axes = AxisUse::kAlike, .emit = EmitSplit},
    {"UNIQUE"},
    {.name = "CEIL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Ceil"},
    {.name = "REVERSE_V2", .axes = AxisUse::kAlike, .emit = EmitReverse},
    {.name = "ADD_N", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sum"},
    {.name = "GATHER_ND", .emit = EmitGatherNd},
    {.name = "COS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Cos"},
    {.name = "WHERE", .emit = EmitWhere},
    {"RANK"},
    {.name = "ELU", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Elu"},
    {"REVERSE_SEQUENCE"},
    {"MATRIX_DIAG"},
    {.name = "QUANTIZE", .axes = AxisUse::kAlike, .emit = EmitQuantize},
    {"MATRIX_SET_DIAG"},
    {.name = "ROUND", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Round"},
    {.name = "HARD_SWISH", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "HardSwish"},
    {"IF"},
    {"WHILE"},
    {"NON_MAX_SUPPRESSION_V4"},
    {"NON_MAX_SUPPRESSION_V5"},
    {.name = "SCATTER_ND", .emit = EmitScatterNd},
    {.name = "SELECT_V2", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Where"},
    {"DENSIFY"},
    {"SEGMENT_SUM"},
    {.name = "BATCH_MATMUL", .emit = EmitBatchMatMul},
    {"PLACEHOLDER_FOR_GREATER_OP_CODES"},
    {.name = "CUMSUM", .emit = EmitCumSum},
    {"CALL_ONCE"},
    {.name = "BROADCAST_TO", .axes = AxisUse::kAlike, .emit = EmitBroadcastTo},
    {"RFFT2D"},
    {.name = "CONV_3D", .axes = AxisUse::kImage, .emit = EmitConv3d},
    {"IMAG"},
    {"REAL"},
    {"COMPLEX_ABS"},
    {"HASHTABLE"},
    {"HASHTABLE_FIND"},
    {"HASHTABLE_IMPORT"},
    {"HASHTABLE_SIZE"},
    {.name = "REDUCE_ALL", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMin"},
    {"CONV_3D_TRANSPOSE"},
    {"VAR_HANDLE"},
    {"READ_VARIABLE"},
    {"ASSIGN_VARIABLE"},
    {"BROADCAST_ARGS"},
    {"RANDOM_STANDARD_NORMAL"},
    {"BUCKETIZE"},
    {"RANDOM_UNIFORM"},
    {"MULTINOMIAL"},
    {.name = "GELU", .axes = AxisUse::kAlike, .emit = EmitGelu},
    {"DYNAMIC_UPDATE_SLICE"},
    {.name = "RELU_0_TO_1", .axes = AxisUse::kAlike, .emit = EmitClip},
    {"UNSORTED_SEGMENT_PROD"},
    {"UNSORTED_SEGMENT_MAX"},
    {"UNSORTED_SEGMENT_SUM"},
    {"ATAN2"},
    {"UNSORTED_SEGMENT_MIN"},
    {.name = "SIGN", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sign"},
    {"BITCAST"},
    {.name = "BITWISE_XOR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "BitwiseXor"},
    {"RIGHT_SHIFT"},
    {"STABLEHLO_LOGISTIC"},
    {"STABLEHLO_ADD"},
    {"STABLEHLO_DIVIDE"},
    {"STABLEHLO_MULTIPLY"},
    {"STABLEHLO_MAXIMUM"},
    {"STABLEHLO_RESHAPE"},
    {"STABLEHLO_CLAMP"},
    {"STABLEHLO_CONCATENATE"},
    {"STABLEHLO_BROADCAST_IN_DIM"},
    {"STABLEHLO_CONVOLUTION"},
    {"STABLEHLO_SLICE"},
    {"STABLEHLO_CUSTOM_CALL"},
    {"STABLEHLO_REDUCE"},
    {"STABLEHLO_ABS"},
    {"STABLEHLO_AND"},
    {"STABLEHLO_COSINE"},
    {"STABLEHLO_EXPONENTIAL"},
    {"STABLEHLO_FLOOR"},
    {"STABLEHLO_LOG"},
    {"STABLEHLO_MINIMUM"},
    {"STABLEHLO_NEGATE"},
    {"STABLEHLO_OR"},
    {"STABLEHLO_POWER"},
    {"STABLEHLO_REMAINDER"},
    {"STABLEHLO_RSQRT"},
    {"STABLEHLO_SELECT"},
    {"STABLEHLO_SUBTRACT"},
    {"STABLEHLO_TANH"},
    {"STABLEHLO_SCATTER"},
    {"STABLEHLO_COMPARE"},
    {"STABLEHLO_CONVERT"},
    {"STABLEHLO_DYNAMIC_SLICE"},
    {"STABLEHLO_DYNAMIC_UPDATE_SLICE"},
    {"STABLEHLO_PAD"},
    {"STABLEHLO_IOTA"},
    {"STABLEHLO_DOT_GENERAL"},
    {"STABLEHLO_REDUCE_WINDOW"},
    {"STABLEHLO_SORT"},
    {"STABLEHLO_WHILE"},
    {"STABLEHLO_GATHER"},
    {"STABLEHLO_TRANSPOSE"},
    {"DILATE"},
    {"STABLEHLO_RNG_BIT_GENERATOR"},
    {"REDUCE_WINDOW"},
};
// clang-format on

}  // namespace

const TfliteOp* FindTfliteOp(int64_t code) {
  return code >= 0 && code < static_cast<int64_t>(std::size(kOps)) ? &kOps[code] : nullptr;
}

bool TakesPads(int64_t code) {
  const TfliteOp* const row = FindTfliteOp(code);
  return row != nullptr && (row->emit == EmitConv || row->emit == EmitDepthwiseConv);
}

const TfliteOp& RowOf(const TfliteTranslator& to) { return *FindTfliteOp(to.code()); }

}  // namespace hwest
