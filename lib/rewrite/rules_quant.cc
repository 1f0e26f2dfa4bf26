// Quantisation.
#include "rewrite/rules.h"

namespace hwest {
namespace {

constexpr absl::string_view kShifted = "both ends and the zero point move by 128, so the same numbers are told apart";

constexpr absl::string_view kShiftedWeights =
    "weights and zero point move by 128, so their difference, which the scale multiplies, is the same";

// clang-format off
constexpr RewriteRule kQuantRules[] = {
    {.name = "quantized_to_signed", .key = "QuantizeLinear",
     .match = "r:DequantizeLinear(c:QuantizeLinear(x, s, z?), t, u?)",
     .holds = "floats elem(c, uint8) lacks(c, output_dtype) lacks(r, output_dtype)",
     .make = "DequantizeLinear(QuantizeLinear(x, s, $shifted(z, s, int8); *c), t, $shifted(u, t, int8); *r)",
     .undoes = "quantized_to_unsigned", .words = "values between QuantizeLinear and DequantizeLinear become int8",
     .reason = kShifted},
    {.name = "quantized_to_unsigned", .key = "QuantizeLinear",
     .match = "r:DequantizeLinear(c:QuantizeLinear(x, s, z), t, u?)",
     .holds = "floats elem(c, int8) lacks(c, output_dtype) lacks(r, output_dtype)",
     .make = "DequantizeLinear(QuantizeLinear(x, s, $shifted(z, s, uint8); *c), t, $shifted(u, t, uint8); *r)",
     .undoes = "quantized_to_signed", .words = "values between QuantizeLinear and DequantizeLinear become uint8",
     .reason = kShifted},
    {.name = "quantized_weights_to_signed", .key = "DequantizeLinear", .match = "r:DequantizeLinear(w, s, z?)",
     .holds = "floats constant(w) elem(w, uint8) lacks(r, output_dtype)",
     .make = "DequantizeLinear($shifted_weights(w, int8), s, $shifted(z, s, int8); *r)",
     .of_constants = true, .undoes = "quantized_weights_to_unsigned", .words = "quantised weights become int8",
     .reason = kShiftedWeights},
    {.name = "quantized_weights_to_unsigned", .key = "DequantizeLinear", .match = "r:DequantizeLinear(w, s, z)",
     .holds = "floats constant(w) elem(w, int8) lacks(r, output_dtype)",
     .make = "DequantizeLinear($shifted_weights(w, uint8), s, $shifted(z, s, uint8); *r)",
     .of_constants = true, .undoes = "quantized_weights_to_signed", .words = "quantised weights become uint8",
     .reason = kShiftedWeights},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> QuantRewrites() { return kQuantRules; }

}  // namespace hwest
