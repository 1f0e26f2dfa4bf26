// Operators that reinterpret, move, select or make elements.
#include "op/count.h"
#include "op/families.h"
#include "op/pointwise.h"
#include "op/shape_rules.h"

namespace hwest {
namespace {

constexpr OpClass kView = OpClass::kView;
constexpr OpClass kLayout = OpClass::kLayout;

constexpr OpRule kRules[] = {
    {"", "CenterCropPad", "18", InferCenterCropPad, nullptr, WorkCenterCropPad, kLayout, 0b10},
    {"", "Col2Im", "18", InferCol2Im, nullptr, WorkCol2Im, OpClass::kCompute, 0b110},
    {"", "Compress", "9 11", InferCompress, KnownCompress, WorkOfTaken, kLayout},
    {"", "Concat", "1 4 11 13", InferConcat, KnownConcat, nullptr, kLayout},
    {"", "Constant", "1 9 11 12 13 19 21 23 24 25", InferConstant, KnownConstant, nullptr, OpClass::kConstant},
    {"", "ConstantOfShape", "9 20 21 23 24 25", InferConstantOfShape, KnownConstantOfShape, nullptr, kLayout, 0b1},
    {"", "DepthToSpace", "1 11 13", InferDepthToSpace, nullptr, nullptr, kLayout},
    {"", "Dropout", "1 6 7 10 12 13 22", InferDropout, KnownDropout, WorkDropout, kView, 0b110},
    {"", "Expand", "8 13", InferExpand, KnownExpand, nullptr, kLayout, 0b10},
    {"", "EyeLike", "9 22", InferEyeLike, nullptr, nullptr, kLayout, 0b1},
    {"", "Flatten", "1 9 11 13 21 23 24 25", InferFlatten, KnownSameElements, nullptr, kView},
    {"", "Gather", "1 11 13", InferGather, KnownGather, WorkOfTaken, kLayout},
    {"", "GatherElements", "11 13", InferGatherElements, KnownGatherElements, WorkOfTaken, kLayout},
    {"", "GatherND", "11 12 13", InferGatherND, KnownGatherND, WorkOfTaken, kLayout},
    {"", "Identity", "1 13 14 16 19 21 23 24 25", InferIdentity, KnownSameElements, nullptr, kView},
    {"", "OneHot", "9 11", InferOneHot, nullptr, nullptr, kLayout, 0b10},
    {"", "Pad", "1 2 11 13 18 19 21 23 24 25", InferPad, KnownPad, nullptr, kLayout, 0b1010},
    {"", "Range", "11 27", InferRange, KnownRange, WorkRange, kLayout, 0b111},
    {"", "Reshape", "1 5 13 14 19 21 23 24 25", InferReshape, KnownSameElements, nullptr, kView, 0b10},
    {"", "Resize", "10 11 13 18 19", InferResize, nullptr, WorkResize, OpClass::kCompute, 0b1110},
    {"", "ReverseSequence", "10", InferReverseSequence, nullptr, nullptr, kLayout},
    {"", "Scatter", "9 11", InferScatterElements, KnownScatterElements, WorkScatter, kLayout},
    {"", "ScatterElements", "11 13 16 18", InferScatterElements, KnownScatterElements, WorkScatter, kLayout},
    {"", "ScatterND", "11 13 16 18", InferScatterND, KnownScatterND, WorkScatter, kLayout},
    {"", "Shape", "1 13 15 19 21 23 24 25", InferShape, KnownShape, nullptr, kLayout, 0b1},
    {"", "Size", "1 13 19 21 23 24 25", InferSize, KnownSize, nullptr, kLayout, 0b1},
    {"", "Slice", "1 10 11 13", InferSlice, KnownSlice, WorkOfTaken, kLayout, 0b11110},
    {"", "SpaceToDepth", "1 13", InferSpaceToDepth, nullptr, nullptr, kLayout},
    {"", "Split", "1 2 11 13 18", InferSplit, KnownSplit, WorkSplit, kLayout, 0b10},
    {"", "Squeeze", "1 11 13 21 23 24 25", InferSqueeze, KnownSameElements, nullptr, kView, 0b10},
    {"", "TensorScatter", "24", InferTensorScatter, nullptr, nullptr, kLayout},
    {"", "Tile", "1 6 13", InferTile, KnownTile, nullptr, kLayout, 0b110},
    {"", "Transpose", "1 13 21 23 24 25", InferTranspose, KnownTranspose, nullptr, kLayout},
    {"", "Trilu", "14", InferTrilu, KnownTrilu, nullptr, kLayout, 0b10},
    {"", "Unique", "11", InferUnique, KnownUnique, WorkUnique, OpClass::kCompute},
    {"", "Unsqueeze", "1 11 13 21 23 24 25", InferUnsqueeze, KnownSameElements, nullptr, kView, 0b10},
    {"", "Upsample", "1 7 9 10", InferResize, nullptr, WorkResize, OpClass::kCompute, 0b10},
};

}  // namespace

absl::Span<const OpRule> ShapeRules() { return kRules; }

}  // namespace hwest
