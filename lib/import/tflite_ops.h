// The operators of TensorFlow Lite: one row each, with the ONNX operator that it becomes.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"

namespace hwest {

class TfliteTranslator;

// What an operator asks of the order of axes, see tflite_order.h.
enum class AxisUse : uint8_t {
  kStored,  // operands as the file has them
  kImage,   // channels first; the operand is input `data`
  kAlike,   // any order, the same for all operands of the result's rank
  kReduce,  // kAlike if it keeps the axes that it reduces
  kView,    // kAlike if it adds or drops axes of size 1
  kDense,   // kAlike if it keeps the axes in front of the last
  kAny,     // any order for any operand
};

struct TfliteOp {
  absl::string_view name;
  AxisUse axes = AxisUse::kStored;
  void (*emit)(TfliteTranslator& to) = nullptr;  // null = no operator of ONNX is known for it
  absl::string_view onnx = "";                   // for functions that serve several rows
  int activation = -1;                           // slot of the fused activation in its options
  int data = 0;
  bool is_complex = false;  // takes complex tensors
};

// Null for a number that the schema does not know.
const TfliteOp* FindTfliteOp(int64_t code);

// True for convolutions that may have zeros around their image: the padding is in slot 0 of their options.
bool TakesPads(int64_t code);
// True for what puts an image together from the positions that another operator cut it into.
bool EndsBlocks(int64_t code);

// Functions of rows by the file they are in.
void EmitConv(TfliteTranslator& to);
void EmitDepthwiseConv(TfliteTranslator& to);
void EmitTransposeConv(TfliteTranslator& to);
void EmitConv3d(TfliteTranslator& to);
void EmitTransposeConv3d(TfliteTranslator& to);
void EmitPool(TfliteTranslator& to);
void EmitResize(TfliteTranslator& to);
void EmitBlocks(TfliteTranslator& to);
void EmitSpaceToBatch(TfliteTranslator& to);
void EmitBatchToSpace(TfliteTranslator& to);
void EmitNormOfChannels(TfliteTranslator& to);
void EmitFullyConnected(TfliteTranslator& to);
void EmitBatchMatMul(TfliteTranslator& to);

void EmitLstm(TfliteTranslator& to);
void EmitBidirectionalLstm(TfliteTranslator& to);
void EmitSequenceRnn(TfliteTranslator& to);
void EmitBidirectionalRnn(TfliteTranslator& to);
void EmitSvdf(TfliteTranslator& to);

void EmitReshape(TfliteTranslator& to);
void EmitSqueeze(TfliteTranslator& to);
void EmitExpandDims(TfliteTranslator& to);
void EmitTransposeOp(TfliteTranslator& to);
void EmitConcat(TfliteTranslator& to);
void EmitSplit(TfliteTranslator& to);
void EmitPack(TfliteTranslator& to);
void EmitUnpack(TfliteTranslator& to);
void EmitPad(TfliteTranslator& to);
void EmitSlice(TfliteTranslator& to);
void EmitStridedSlice(TfliteTranslator& to);
void EmitReverse(TfliteTranslator& to);
void EmitTile(TfliteTranslator& to);
void EmitBroadcastTo(TfliteTranslator& to);
void EmitShape(TfliteTranslator& to);
void EmitFill(TfliteTranslator& to);
void EmitRange(TfliteTranslator& to);

void EmitGather(TfliteTranslator& to);
void EmitGatherNd(TfliteTranslator& to);
void EmitScatterNd(TfliteTranslator& to);
void EmitEmbeddingLookup(TfliteTranslator& to);
void EmitOneHot(TfliteTranslator& to);
void EmitWhere(TfliteTranslator& to);
void EmitTopK(TfliteTranslator& to);
void EmitUnique(TfliteTranslator& to);
void EmitReverseSequence(TfliteTranslator& to);
void EmitNonMaxSuppression(TfliteTranslator& to);
void EmitUpdateSlice(TfliteTranslator& to);
void EmitSegments(TfliteTranslator& to);

void EmitIf(TfliteTranslator& to);
void EmitWhile(TfliteTranslator& to);

void EmitRfft2d(TfliteTranslator& to);
void EmitComplexAbs(TfliteTranslator& to);
void EmitComplexPart(TfliteTranslator& to);
void EmitFakeQuant(TfliteTranslator& to);

// Those of tflite_ops.cc stand before its table.

// The row of the operator at hand.
const TfliteOp& RowOf(const TfliteTranslator& to);

}  // namespace hwest
