// Data movements that together are one kernel.
#include "target/patterns.h"

namespace hwest {
namespace {

constexpr absl::string_view kLayoutSeen = "RKNN-Toolkit2 2.5.0 layer tables";

// clang-format off
constexpr PatternRow kLayoutPatterns[] = {
    {.name = "concat_shuffle", .family = "channel_shuffle", .picks = "concat_shuffle",
     .key = "Transpose",
     .expression = "Reshape(Transpose[swaps_channels](Reshape(Concat(_[ragged], _))))",
     .words = "channel shuffle of two values", .source = kLayoutSeen},
    {.name = "shuffle_split", .family = "shuffle_conv", .picks = "shuffle_conv", .key = "Transpose",
     .expression = "Split(@shuffled)",
     .words = "shuffled channels, split by convolutions that pick them", .source = kLayoutSeen},
    {.name = "channel_shuffle", .family = "channel_shuffle", .picks = "channel_shuffle", .key = "Transpose",
     .expression = "(Reshape(Transpose[swaps_channels](Reshape(x))) | "
                   "Transpose(Reshape(Transpose[swaps_channels](Reshape(Transpose(x))))))",
     .words = "channel shuffle", .source = "Zhang et al. 2018; QNN EP fusions"},
    {.name = "roll", .family = "roll", .picks = "roll", .key = "Concat",
     .expression = "Concat[turns](Split.1(x), Split(x))",
     .words = "an image turned around along one axis, as windows are shifted", .source = kLayoutSeen},
    {.name = "subsample", .family = "subsample", .picks = "subsample", .key = "Slice",
     .expression = "Reshape(Slice[strided](Slice[strided]?(Reshape(x))))",
     .words = "every other pixel of rows and columns of positions in a row", .source = kLayoutSeen},
    {.name = "window_partition", .family = "window_partition", .picks = "window_partition", .key = "Transpose",
     .expression = "Reshape(Transpose[moves_windows](Reshape(x)))",
     .words = "windows cut out of an image, or put back", .source = "Liu et al. 2021; RKNN exWindow"},
    {.name = "space_to_depth", .family = "space_to_depth", .picks = "space_to_depth", .key = "Transpose",
     .expression = "Reshape(Transpose[moves_blocks](Reshape(x)))",
     .words = "blocks of pixels to or from channels", .source = "QNN EP fusions; OpenVINO DepthToSpaceFusion"},
    {.name = "patch_merge", .family = "patch_merge", .picks = "patch_merge", .key = "Slice",
     .expression = "Concat(@cell, @cell, @cell, @cell)",
     .words = "every other pixel of rows and columns, side by side as channels",
     .source = "Liu et al. 2021; TIDL fusePatchMergingBlock"},
    {.name = "concat_in_place", .family = "concat_in_place", .picks = "concat_in_place", .key = "Concat",
     .expression = "a Concat of values that kernels make for it alone",
     .words = "a concatenation whose parts are written where they end up, which takes no time",
     .source = "TensorRT best practices; QAIRT graph preparation", .kind = RowKind::kInPlace},
    {.name = "concat_nested", .family = "concat_in_place", .picks = "concat_in_place concat_nested", .key = "Concat",
     .expression = "a Concat of values that others take, too, when they begin alike",
     .words = "concatenations that begin alike share one buffer, as in densely connected networks",
     .source = "Pleiss et al. 2017", .kind = RowKind::kNested},
    {.name = "image_region", .family = "image_region", .picks = "image_region", .key = "Transpose",
     .expression = "Transpose[stays_image](x)",
     .words = "channels of an image put last for some operators and first again, which change no place then",
     .source = "RKNN-Toolkit2 2.5.0 layer tables", .alone = true},
    {.name = "image_positions", .family = "image_positions", .picks = "image_positions", .key = "Transpose",
     .expression = "Transpose[keeps_order](x)",
     .words = "an image to its positions in a row or back, a copy where channels are innermost",
     .source = "ONNX Runtime layout transformation for channels-last execution providers", .alone = true},
    {.name = "transpose_chain", .family = "transpose_chain", .picks = "transpose_chain", .key = "Transpose",
     .expression = "Transpose(~@view Transpose(x))",
     .words = "transposes one after the other", .source = "TensorRT fusion catalog, Shuffle + Shuffle; QNN EP fusions"},
    {.name = "transpose_split", .family = "transpose_split", .picks = "transpose_split", .key = "Split",
     .expression = "Split(~@view Transpose(x))",
     .words = "a transposed value in parts, as queries, keys and values of one product",
     .source = "names of TensorRT's generated kernels: reshapes, transposes and slices in one"},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> LayoutPatterns() { return kLayoutPatterns; }

}  // namespace hwest
