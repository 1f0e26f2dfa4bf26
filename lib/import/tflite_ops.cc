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

void EmitZerosLike(TfliteTranslator& to) {
  if (to.out(0).elem != ElemType::kFloat) return to.EmitOpaque();
  const StrId data = to.Read(0, to.OutOrder(0)), sizes = to.Fresh("sizes");
  to.Emit("Shape", {data}, {sizes});
  to.Emit("ConstantOfShape", {sizes}, {Result(to)});
}

void EmitRank(TfliteTranslator& to) {
  const StrId data = to.Read(0, to.InOrder(0), TensorForm::kNumbers), sizes = to.Fresh("sizes"),
              axes = to.Fresh("axes");
  to.Emit("Shape", {data}, {sizes});
  to.Emit("Size", {sizes}, {axes});
  to.EmitCast(axes, to.Write(0, Order::kStored, TensorForm::kNumbers), to.out(0).elem);
}

// Weights that are stored without their zeros, and used with them.
void EmitDensify(TfliteTranslator& to) { to.Alias(0, to.Read(0, to.OutOrder(0), TensorForm::kNumbers)); }

void EmitShift(TfliteTranslator& to) {
  std::vector<StrId> operands = Operands(to);
  to.Emit("BitShift", std::move(operands), {Result(to)});
  to.Set("direction", "RIGHT");
}

// Of sizes that are given.
void EmitRandom(TfliteTranslator& to) {
  const auto shape = to.Values(0);
  if (!shape.has_value()) return to.EmitOpaque();
  to.Emit(RowOf(to).onnx, {}, {to.Write(0, Order::kStored)});
  to.Set("shape", *shape);
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
    {.name = "L2_POOL_2D", .axes = AxisUse::kImage, .emit = EmitPool, .onnx = "LpPool"},
    {.name = "LOCAL_RESPONSE_NORMALIZATION", .axes = AxisUse::kImage, .emit = EmitNormOfChannels},
    {.name = "LOGISTIC", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sigmoid"},
    {"LSH_PROJECTION"},
    {"LSTM"},
    {.name = "MAX_POOL_2D", .axes = AxisUse::kImage, .emit = EmitPool, .onnx = "MaxPool"},
    {.name = "MUL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Mul", .activation = 0},
    {.name = "RELU", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Relu"},
    {.name = "RELU_N1_TO_1", .axes = AxisUse::kAlike, .emit = EmitClip},
    {.name = "RELU6", .axes = AxisUse::kAlike, .emit = EmitClip},
    {.name = "RESHAPE", .axes = AxisUse::kView, .emit = EmitReshape, .is_complex = true},
    {.name = "RESIZE_BILINEAR", .axes = AxisUse::kImage, .emit = EmitResize, .onnx = "linear"},
    {"RNN"},
    {.name = "SOFTMAX", .axes = AxisUse::kAlike, .emit = EmitLastAxis, .onnx = "Softmax"},
    {.name = "SPACE_TO_DEPTH", .axes = AxisUse::kImage, .emit = EmitBlocks, .onnx = "SpaceToDepth"},
    {.name = "SVDF", .emit = EmitSvdf},
    {.name = "TANH", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Tanh"},
    {"CONCAT_EMBEDDINGS"},
    {"SKIP_GRAM"},
    {"CALL"},
    {"CUSTOM"},
    {"EMBEDDING_LOOKUP_SPARSE"},
    {.name = "PAD", .axes = AxisUse::kAlike, .emit = EmitPad, .onnx = "constant"},
    {.name = "UNIDIRECTIONAL_SEQUENCE_RNN", .emit = EmitSequenceRnn},
    {.name = "GATHER", .emit = EmitGather},
    {.name = "BATCH_TO_SPACE_ND", .axes = AxisUse::kImage, .emit = EmitBatchToSpace},
    {.name = "SPACE_TO_BATCH_ND", .axes = AxisUse::kImage, .emit = EmitSpaceToBatch},
    {.name = "TRANSPOSE", .axes = AxisUse::kAny, .emit = EmitTransposeOp},
    {.name = "MEAN", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMean"},
    {.name = "SUB", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sub", .activation = 0},
    {.name = "DIV", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Div", .activation = 0},
    {.name = "SQUEEZE", .axes = AxisUse::kView, .emit = EmitSqueeze, .is_complex = true},
    {.name = "UNIDIRECTIONAL_SEQUENCE_LSTM", .emit = EmitLstm},
    {.name = "STRIDED_SLICE", .axes = AxisUse::kAlike, .emit = EmitStridedSlice},
    {.name = "BIDIRECTIONAL_SEQUENCE_RNN", .emit = EmitBidirectionalRnn},
    {.name = "EXP", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Exp"},
    {.name = "TOPK_V2", .emit = EmitTopK},
    {.name = "SPLIT", .axes = AxisUse::kAlike, .emit = EmitSplit},
    {.name = "LOG_SOFTMAX", .axes = AxisUse::kAlike, .emit = EmitLastAxis, .onnx = "LogSoftmax"},
    {"DELEGATE"},
    {.name = "BIDIRECTIONAL_SEQUENCE_LSTM", .emit = EmitBidirectionalLstm},
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
    {.name = "EXPAND_DIMS", .axes = AxisUse::kView, .emit = EmitExpandDims, .is_complex = true},
    {.name = "EQUAL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Equal"},
    {.name = "NOT_EQUAL", .axes = AxisUse::kAlike, .emit = EmitNotEqual},
    {.name = "LOG", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Log"},
    {.name = "SUM", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceSum"},
    {.name = "SQRT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sqrt"},
    {.name = "RSQRT", .axes = AxisUse::kAlike, .emit = EmitRsqrt},
    {.name = "SHAPE", .axes = AxisUse::kAny, .emit = EmitShape},
    {.name = "POW", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Pow"},
    {.name = "ARG_MIN", .axes = AxisUse::kAny, .emit = EmitArg, .onnx = "ArgMin"},
    {.name = "FAKE_QUANT", .axes = AxisUse::kAlike, .emit = EmitFakeQuant},
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
    {.name = "ZEROS_LIKE", .axes = AxisUse::kAlike, .emit = EmitZerosLike},
    {.name = "FILL", .emit = EmitFill},
    {.name = "FLOOR_MOD", .axes = AxisUse::kAlike, .emit = EmitFloorMod},
    {.name = "RANGE", .emit = EmitRange},
    {.name = "RESIZE_NEAREST_NEIGHBOR", .axes = AxisUse::kImage, .emit = EmitResize, .onnx = "nearest"},
    {.name = "LEAKY_RELU", .axes = AxisUse::kAlike, .emit = EmitLeakyRelu},
    {.name = "SQUARED_DIFFERENCE", .axes = AxisUse::kAlike, .emit = EmitSquaredDifference},
    {.name = "MIRROR_PAD", .axes = AxisUse::kAlike, .emit = EmitPad, .onnx = "reflect"},
    {.name = "ABS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Abs"},
    {.name = "SPLIT_V", .axes = AxisUse::kAlike, .emit = EmitSplit},
    {.name = "UNIQUE", .emit = EmitUnique},
    {.name = "CEIL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Ceil"},
    {.name = "REVERSE_V2", .axes = AxisUse::kAlike, .emit = EmitReverse},
    {.name = "ADD_N", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sum"},
    {.name = "GATHER_ND", .emit = EmitGatherNd},
    {.name = "COS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Cos"},
    {.name = "WHERE", .emit = EmitWhere},
    {.name = "RANK", .axes = AxisUse::kAny, .emit = EmitRank},
    {.name = "ELU", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Elu"},
    {.name = "REVERSE_SEQUENCE", .emit = EmitReverseSequence},
    {"MATRIX_DIAG"},
    {.name = "QUANTIZE", .axes = AxisUse::kAlike, .emit = EmitQuantize},
    {"MATRIX_SET_DIAG"},
    {.name = "ROUND", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Round"},
    {.name = "HARD_SWISH", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "HardSwish"},
    {.name = "IF", .emit = EmitIf},
    {.name = "WHILE", .emit = EmitWhile},
    {.name = "NON_MAX_SUPPRESSION_V4", .emit = EmitNonMaxSuppression},
    {.name = "NON_MAX_SUPPRESSION_V5", .emit = EmitNonMaxSuppression},
    {.name = "SCATTER_ND", .emit = EmitScatterNd},
    {.name = "SELECT_V2", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Where"},
    {.name = "DENSIFY", .axes = AxisUse::kAlike, .emit = EmitDensify},
    {.name = "SEGMENT_SUM", .emit = EmitSegments, .onnx = "add"},
    {.name = "BATCH_MATMUL", .emit = EmitBatchMatMul},
    {"PLACEHOLDER_FOR_GREATER_OP_CODES"},
    {.name = "CUMSUM", .emit = EmitCumSum},
    {"CALL_ONCE"},
    {.name = "BROADCAST_TO", .axes = AxisUse::kAlike, .emit = EmitBroadcastTo},
    {.name = "RFFT2D", .emit = EmitRfft2d, .is_complex = true},
    {.name = "CONV_3D", .axes = AxisUse::kImage, .emit = EmitConv3d},
    {.name = "IMAG", .emit = EmitComplexPart, .is_complex = true},
    {.name = "REAL", .emit = EmitComplexPart, .is_complex = true},
    {.name = "COMPLEX_ABS", .emit = EmitComplexAbs, .is_complex = true},
    {"HASHTABLE"},
    {"HASHTABLE_FIND"},
    {"HASHTABLE_IMPORT"},
    {"HASHTABLE_SIZE"},
    {.name = "REDUCE_ALL", .axes = AxisUse::kReduce, .emit = EmitReduce, .onnx = "ReduceMin"},
    {.name = "CONV_3D_TRANSPOSE", .axes = AxisUse::kImage, .emit = EmitTransposeConv3d, .data = 2},
    {"VAR_HANDLE"},
    {"READ_VARIABLE"},
    {"ASSIGN_VARIABLE"},
    {"BROADCAST_ARGS"},
    {.name = "RANDOM_STANDARD_NORMAL", .emit = EmitRandom, .onnx = "RandomNormal"},
    {"BUCKETIZE"},
    {.name = "RANDOM_UNIFORM", .emit = EmitRandom, .onnx = "RandomUniform"},
    {"MULTINOMIAL"},
    {.name = "GELU", .axes = AxisUse::kAlike, .emit = EmitGelu},
    {.name = "DYNAMIC_UPDATE_SLICE", .axes = AxisUse::kAlike, .emit = EmitUpdateSlice},
    {.name = "RELU_0_TO_1", .axes = AxisUse::kAlike, .emit = EmitClip},
    {.name = "UNSORTED_SEGMENT_PROD", .emit = EmitSegments, .onnx = "mul"},
    {.name = "UNSORTED_SEGMENT_MAX", .emit = EmitSegments, .onnx = "max"},
    {.name = "UNSORTED_SEGMENT_SUM", .emit = EmitSegments, .onnx = "add"},
    {"ATAN2"},
    {.name = "UNSORTED_SEGMENT_MIN", .emit = EmitSegments, .onnx = "min"},
    {.name = "SIGN", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sign"},
    {"BITCAST"},
    {.name = "BITWISE_XOR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "BitwiseXor"},
    {.name = "RIGHT_SHIFT", .axes = AxisUse::kAlike, .emit = EmitShift},
    {.name = "STABLEHLO_LOGISTIC", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sigmoid"},
    {.name = "STABLEHLO_ADD", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Add"},
    {.name = "STABLEHLO_DIVIDE", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Div"},
    {.name = "STABLEHLO_MULTIPLY", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Mul"},
    {.name = "STABLEHLO_MAXIMUM", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Max"},
    {.name = "STABLEHLO_RESHAPE", .axes = AxisUse::kView, .emit = EmitReshape},
    {"STABLEHLO_CLAMP"},
    {"STABLEHLO_CONCATENATE"},
    {"STABLEHLO_BROADCAST_IN_DIM"},
    {"STABLEHLO_CONVOLUTION"},
    {"STABLEHLO_SLICE"},
    {"STABLEHLO_CUSTOM_CALL"},
    {"STABLEHLO_REDUCE"},
    {.name = "STABLEHLO_ABS", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Abs"},
    {.name = "STABLEHLO_AND", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "And"},
    {.name = "STABLEHLO_COSINE", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Cos"},
    {.name = "STABLEHLO_EXPONENTIAL", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Exp"},
    {.name = "STABLEHLO_FLOOR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Floor"},
    {.name = "STABLEHLO_LOG", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Log"},
    {.name = "STABLEHLO_MINIMUM", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Min"},
    {.name = "STABLEHLO_NEGATE", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Neg"},
    {.name = "STABLEHLO_OR", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Or"},
    {.name = "STABLEHLO_POWER", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Pow"},
    {"STABLEHLO_REMAINDER"},
    {.name = "STABLEHLO_RSQRT", .axes = AxisUse::kAlike, .emit = EmitRsqrt},
    {.name = "STABLEHLO_SELECT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Where"},
    {.name = "STABLEHLO_SUBTRACT", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Sub"},
    {.name = "STABLEHLO_TANH", .axes = AxisUse::kAlike, .emit = EmitElementwise, .onnx = "Tanh"},
    {"STABLEHLO_SCATTER"},
    {"STABLEHLO_COMPARE"},
    {.name = "STABLEHLO_CONVERT", .axes = AxisUse::kAlike, .emit = EmitCastOp},
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
    {"STABLEHLO_COMPOSITE"},
    {"STABLEHLO_SHIFT_LEFT"},
    {"STABLEHLO_CBRT"},
    {"STABLEHLO_CASE"},
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

bool EndsBlocks(int64_t code) {
  const TfliteOp* const row = FindTfliteOp(code);
  return row != nullptr && row->emit == EmitBatchToSpace;
}

const TfliteOp& RowOf(const TfliteTranslator& to) { return *FindTfliteOp(to.code()); }

}  // namespace hwest
