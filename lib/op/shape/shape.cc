// Operators that reinterpret, move, select or make elements.
#include "op/count.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

constexpr OpClass kView = OpClass::kView;
constexpr OpClass kLayout = OpClass::kLayout;
// Of models in TensorFlow Lite. Reorder names the axes of an image in the other order, channels first or last: files of
// that format have one order in memory.
constexpr absl::string_view kTfliteOrder = "tflite.order";

// clang-format off
constexpr OpRule kShapeRules[] = {
    {.op = "CenterCropPad", .versions = "18", .infer = InferCenterCropPad, .work = WorkCenterCropPad,
     .op_class = kLayout, .shape_inputs = Inputs({1})},
    {.op = "Col2Im", .versions = "18", .infer = InferCol2Im, .work = WorkCol2Im, .shape_inputs = Inputs({1, 2})},
    {.op = "Compress", .versions = "9 11", .infer = InferCompress, .known = KnownCompress, .work = WorkOfTaken,
     .op_class = kLayout},
    {.op = "Concat", .versions = "1 4 11 13", .infer = InferConcat, .known = KnownConcat, .op_class = kLayout,
     .traits = trait::kJoins | trait::kCopiesRuns, .moved = kAllInputs},
    {.op = "Constant", .versions = "1 9 11 12 13 19 21 23 24 25", .infer = InferConstant, .known = KnownConstant,
     .op_class = OpClass::kConstant},
    {.op = "ConstantOfShape", .versions = "9 20 21 23 24 25", .infer = InferConstantOfShape,
     .known = KnownConstantOfShape, .op_class = kLayout, .shape_inputs = Inputs({0})},
    {.op = "DepthToSpace", .versions = "1 11 13", .infer = InferDepthToSpace, .op_class = kLayout},
    {.op = "Dropout", .versions = "1 6 7 10 12 13 22", .infer = InferDropout, .known = KnownDropout,
     .work = WorkDropout, .op_class = kView, .computes = DropsElements, .traits = trait::kPassesThrough,
     .shape_inputs = Inputs({1, 2})},
    {.op = "Expand", .versions = "8 13", .infer = InferExpand, .known = KnownExpand, .op_class = kLayout,
     .traits = trait::kRepeats, .shape_inputs = Inputs({1}), .sizes = {SizeForm::kAligned, 1}},
    {.op = "EyeLike", .versions = "9 22", .infer = InferEyeLike, .op_class = kLayout, .shape_inputs = Inputs({0})},
    {.op = "Flatten", .versions = "1 9 11 13 21 23 24 25", .infer = InferFlatten, .known = KnownSameElements,
     .op_class = kView, .traits = trait::kKeepsElements},
    {.op = "Gather", .versions = "1 11 13", .infer = InferGather, .known = KnownGather, .work = WorkOfTaken,
     .op_class = kLayout, .traits = trait::kTakesSlices, .parameters = Inputs({0})},
    {.op = "GatherElements", .versions = "11 13", .infer = InferGatherElements, .known = KnownGatherElements,
     .work = WorkOfTaken, .op_class = kLayout},
    {.op = "GatherND", .versions = "11 12 13", .infer = InferGatherND, .known = KnownGatherND, .work = WorkOfTaken,
     .op_class = kLayout},
    {.op = "Identity", .versions = "1 13 14 16 19 21 23 24 25", .infer = InferIdentity, .known = KnownSameElements,
     .op_class = kView, .traits = trait::kIdentity | trait::kPassesThrough | trait::kKeepsElements,
     .moved = Inputs({0})},
    {.op = "OneHot", .versions = "9 11", .infer = InferOneHot, .op_class = kLayout, .shape_inputs = Inputs({1})},
    {.op = "Pad", .versions = "1 2 11 13 18 19 21 23 24 25", .infer = InferPad, .known = KnownPad, .op_class = kLayout,
     .traits = trait::kCopiesRuns, .shape_inputs = Inputs({1, 3}), .moved = Inputs({0})},
    {.op = "Range", .versions = "11 27", .infer = InferRange, .known = KnownRange, .work = WorkRange,
     .op_class = kLayout, .shape_inputs = Inputs({0, 1, 2})},
    {.op = "Reshape", .versions = "1 5 13 14 19 21 23 24 25", .infer = InferReshape, .known = KnownSameElements,
     .op_class = kView, .traits = trait::kKeepsElements, .shape_inputs = Inputs({1}), .moved = Inputs({0}),
     .sizes = {SizeForm::kTarget, 1}},
    {.domain = kTfliteOrder, .op = "Reorder", .versions = "1", .infer = InferTranspose, .known = KnownTranspose,
     .op_class = kView, .traits = trait::kKeepsElements, .moved = Inputs({0})},
    {.op = "Resize", .versions = "10 11 13 18 19", .infer = InferResize, .work = WorkResize,
     .shape_inputs = Inputs({1, 2, 3}), .sizes = {SizeForm::kAligned, 3}},
    {.op = "ReverseSequence", .versions = "10", .infer = InferReverseSequence, .op_class = kLayout},
    {.op = "Scatter", .versions = "9 11", .infer = InferScatterElements, .known = KnownScatterElements,
     .work = WorkScatter, .op_class = kLayout, .moved = Inputs({0})},
    {.op = "ScatterElements", .versions = "11 13 16 18", .infer = InferScatterElements, .known = KnownScatterElements,
     .work = WorkScatter, .op_class = kLayout, .moved = Inputs({0})},
    {.op = "ScatterND", .versions = "11 13 16 18", .infer = InferScatterND, .known = KnownScatterND,
     .work = WorkScatter, .op_class = kLayout, .moved = Inputs({0})},
    {.op = "Shape", .versions = "1 13 15 19 21 23 24 25", .infer = InferShape, .known = KnownShape, .op_class = kLayout,
     .traits = trait::kReadsShape, .shape_inputs = Inputs({0})},
    {.op = "Size", .versions = "1 13 19 21 23 24 25", .infer = InferSize, .known = KnownSize, .op_class = kLayout,
     .traits = trait::kReadsShape, .shape_inputs = Inputs({0})},
    {.op = "Slice", .versions = "1 10 11 13", .infer = InferSlice, .known = KnownSlice, .work = WorkOfTaken,
     .op_class = kLayout, .traits = trait::kCopiesRuns, .shape_inputs = Inputs({1, 2, 3, 4}), .moved = Inputs({0}),
     .sizes = {SizeForm::kEnds, 2}},
    {.op = "SpaceToDepth", .versions = "1 13", .infer = InferSpaceToDepth, .op_class = kLayout},
    {.op = "Split", .versions = "1 2 11 13 18", .infer = InferSplit, .known = KnownSplit, .work = WorkSplit,
     .op_class = kLayout, .traits = trait::kCopiesRuns, .shape_inputs = Inputs({1}), .moved = Inputs({0})},
    {.op = "Squeeze", .versions = "1 11 13 21 23 24 25", .infer = InferSqueeze, .known = KnownSameElements,
     .op_class = kView, .traits = trait::kKeepsElements, .shape_inputs = Inputs({1}), .moved = Inputs({0})},
    {.op = "TensorScatter", .versions = "24", .infer = InferTensorScatter, .op_class = kLayout, .moved = Inputs({0})},
    {.op = "Tile", .versions = "1 6 13", .infer = InferTile, .known = KnownTile, .op_class = kLayout,
     .shape_inputs = Inputs({1, 2})},
    {.op = "Transpose", .versions = "1 13 21 23 24 25", .infer = InferTranspose, .known = KnownTranspose,
     .op_class = kLayout, .traits = trait::kKeepsElements, .moved = Inputs({0})},
    {.op = "Trilu", .versions = "14", .infer = InferTrilu, .known = KnownTrilu, .op_class = kLayout,
     .shape_inputs = Inputs({1})},
    {.op = "Unique", .versions = "11", .infer = InferUnique, .known = KnownUnique, .work = WorkUnique},
    {.op = "Unsqueeze", .versions = "1 11 13 21 23 24 25", .infer = InferUnsqueeze, .known = KnownSameElements,
     .op_class = kView, .traits = trait::kKeepsElements, .shape_inputs = Inputs({1}), .moved = Inputs({0})},
    {.op = "Upsample", .versions = "1 7 9 10", .infer = InferResize, .work = WorkResize, .shape_inputs = Inputs({1})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ShapeRules() { return kShapeRules; }

}  // namespace hwest
