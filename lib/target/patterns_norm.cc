// Normalisations that exporters write out.
#include "target/patterns.h"

namespace hwest {
namespace {

constexpr absl::string_view kNormSource = "ONNX Runtime LayerNormFusion, SimplifiedLayerNormFusion";

// clang-format off
constexpr PatternRow kNormPatterns[] = {
    {.name = "skip_layer_norm", .family = "skip_layer_norm", .picks = "skip_layer_norm", .key = "Add",
     .expression = "(LayerNormalization|SimplifiedLayerNormalization|RMSNormalization)(s*:Add[same_shape](n, r), "
                   "_[const])",
     .words = "residual sum and the normalisation of it", .source = "ONNX Runtime SkipLayerNormFusion"},
    {.name = "skip_layer_norm_chain", .family = "skip_layer_norm", .picks = "skip_layer_norm layer_norm",
     .key = "ReduceMean",
     .expression = "(@scaled_and_shifted(n*:Add[same_shape](_, _)) | "
                   "Add?(Mul?(@normalised(n*:Add[same_shape](_, _)), _[const]), _[const]))",
     .words = "residual sum and the layer normalisation of it, written out",
     .source = "ONNX Runtime SkipLayerNormFusion"},
    {.name = "skip_rms_norm_chain", .family = "skip_layer_norm", .picks = "skip_layer_norm rms_norm",
     .key = "ReduceMean",
     .expression = "@rms_scaled(n*:Add[same_shape](_, _))",
     .words = "residual sum and the RMS normalisation of it, written out",
     .source = "ONNX Runtime SkipLayerNormFusion"},
    {.name = "instance_norm", .family = "instance_norm", .picks = "instance_norm",
     .key = "InstanceNormalization ReduceMean GlobalAveragePool",
     .expression = "(Add[per_channel]?(Mul[per_channel]?(InstanceNormalization(x), _), _) | "
                   "Add[per_channel](Mul[per_channel]((@normalised(n:_) | @image_normalised(n:_)), _), _))",
     .words = "normalisation of each image and channel, with scale and offset",
     .source = "OpenVINO MVNFusion; TensorRT fusion catalog"},
    {.name = "group_norm", .family = "group_norm", .picks = "group_norm", .key = "InstanceNormalization ReduceMean",
     .expression = "Add[per_channel]?(Mul[per_channel]?(Reshape((InstanceNormalization(Reshape(x)) | "
                   "@normalised(n:Reshape(x)) | @image_normalised(n:Reshape(x)))), _), _)",
     .words = "normalisation of groups of channels, with scale and offset",
     .source = "Wu & He 2018; OpenVINO GroupNormalizationFusion"},
    {.name = "layer_norm", .family = "layer_norm", .picks = "layer_norm", .key = "ReduceMean",
     .expression = "(@scaled_and_shifted(n:_) | Add?(Mul?(@normalised(n:_), _[const]), _[const]))",
     .words = "layer normalisation, written out", .source = kNormSource},
    {.name = "rms_norm", .family = "rms_norm", .picks = "rms_norm", .key = "ReduceMean",
     .expression = "@rms_scaled(n:_)",
     .words = "RMS normalisation, written out", .source = kNormSource},
    {.name = "l2_norm", .family = "l2_norm", .picks = "l2_norm", .key = "ReduceL2 ReduceSum",
     .expression = "(Div(n:_, ~Expand ~@view (@l2 | (Clip|Max|Add)(@l2, _))) | "
                   "Mul(n:_, (Reciprocal(@l2) | Div(1, @l2))))",
     .words = "vectors divided by their length", .source = "QNN EP fusions; OpenVINO NormalizeL2Fusion"},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> NormPatterns() { return kNormPatterns; }

}  // namespace hwest
