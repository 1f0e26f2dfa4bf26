// Attention and the nodes around it.
#include "target/patterns.h"

namespace hwest {
namespace {

// clang-format off
constexpr PatternRow kAttentionPatterns[] = {
    {.name = "attention", .family = "attention", .picks = "attention", .key = "Softmax",
     .expression = "(Transpose?(~@view (core:MatMul(@attended(@scores), @mixed)))"
                   " | core:Einsum(@attended(@scores), @mixed))",
     .words = "products of queries, keys and values with the softmax between them",
     .source = "Vaswani et al. 2017; TensorRT fusion catalog; RKNN exSDPAttention"},
    {.name = "attention_of_channels", .family = "attention", .picks = "attention attention_of_channels",
     .key = "Softmax",
     .expression = "core:MatMul(@mixed, Transpose[last_two](~Cast @weights(@scores)))",
     .words = "attention whose values have channels before positions",
     .source = "Vaswani et al. 2017; TensorRT fusion catalog"},
    {.name = "attention_of_placed", .family = "attention", .picks = "attention_of_placed", .key = "Softmax",
     .expression = "Transpose[into_product]?"
                   "(~@view (core:MatMul(@placed_weights(@placed_scores), @repeated(@placed(v)))))",
     .words = "products of queries, keys and values with the softmax between them, where what makes heads puts them in "
              "front",
     .source = "RKNN-Toolkit2 2.5.0 layer tables, exSDPAttention"},
    {.name = "softmax_turned", .family = "", .picks = "softmax_turned", .key = "Softmax",
     .expression = "Transpose[last_two](core:Softmax[last_axis](_))",
     .words = "softmax whose result the product behind it reads the other way round",
     .source = "RKNN-Toolkit2 2.5.0 layer tables, exSoftmax13"},
    {.name = "softmax_scale", .family = "softmax_scale", .picks = "softmax_scale", .key = "Softmax",
     .expression = "Softmax((Mul|Div)(_, _[scalar]))",
     .words = "softmax of scaled scores", .source = "QNN EP fusions, Softmax with beta"},
    {.name = "softmax_mask", .family = "softmax_mask", .picks = "softmax_mask", .key = "Softmax",
     .expression = "Softmax(~@view Add(_, _))",
     .words = "softmax of masked scores", .source = "RKNN exSoftmaxMask; ONNX Runtime BiasSoftmaxFusion"},
    {.name = "rope", .family = "rope", .picks = "rope", .key = "Neg",
     .expression = "Add(Mul(x, _), Mul((Concat(Neg(Slice(x)), Slice(x)) | Concat(Neg(Split.1(x)), Split(x))), _))",
     .words = "rotation of queries or keys by their position", .source = "Su et al. 2021; OpenVINO RoPE fusion"},
    {.name = "rope_halves", .family = "rope", .picks = "rope", .key = "Concat",
     .expression = "Concat(Sub(Mul(a:@half, c), Mul(b:@half, s)), Add(Mul(b, c), Mul(a, s)))",
     .words = "rotation of queries or keys by their position", .source = "Su et al. 2021; OpenVINO RoPE fusion"},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> AttentionPatterns() { return kAttentionPatterns; }

}  // namespace hwest
