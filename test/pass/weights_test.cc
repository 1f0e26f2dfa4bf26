// What counts as a parameter, and how many elements packed weights have.
#include "pass/weights.h"

#include <string>

#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

// An initialiser of zeros, e.g. "uint8[5, 8] b".
std::string Zeros(const std::string& declaration, int count) {
  std::string text = declaration + " = {0";
  for (int i = 1; i < count; ++i) text += ", 0";
  return text + "}";
}

ParamTotals Count(const std::string& initialisers, const std::string& node) {
  const auto run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1, \"my\" : 1]> agraph (float[2, 16] x, uint8[2, 16] q) => "
      "(float[a] y) <" + initialisers + "> { y = " + node + " }");
  return CountParams(run.graph, run.facts);
}

TEST_CASE("packed weights count the elements the operator sees, their bytes stay those of the file") {
  struct Row {
    const char* name;
    std::string initialisers, node;
    int64_t params, bytes;
  };
  const std::string blob = Zeros("uint8[5, 1, 8] b", 40), scales = Zeros("float[5, 1] s", 5);
  const Row rows[] = {
      {"4 bits in blocks", blob + ", " + scales, "com.microsoft.MatMulNBits<K = 16, N = 5, block_size = 16>(x, b, s)", 80, 40},
      {"4-bit floats", Zeros("uint8[40] b", 40) + ", " + scales,
       "com.microsoft.MatMulBnb4<K = 16, N = 5, block_size = 16, quant_type = 0>(x, b, s)", 80, 40},
      {"a blob with its shape", Zeros("uint8[44] b", 44) + ", int64[2] d = {16, 5}", "com.microsoft.MatMulFpQ4(x, b, d)",
       80, 44},
      {"two to a byte", Zeros("uint8[5, 8] b", 40) + ", " + Zeros("uint8[5, 1] s", 5) + ", float[1] g = {1}",
       "com.microsoft.MatMulBlockQuantizedFp4Weight(x, b, s, g)", 80, 40},
      {"two projections, one of them with a bias",
       blob + ", " + Zeros("uint8[5, 1, 8] c", 40) + ", " + scales + ", " + Zeros("float[5] d", 5),
       "com.microsoft.MatMulNBitsMlp<K = 16, N = 5, block_size = 16, activation = \"silu\">(x, , , b, s, , c, s, d)",
       165, 100},
      {"2 bits, gathered", Zeros("uint8[3, 4] b", 12) + ", " + Zeros("float[3, 1] s", 3) + ", int64[1] i = {0}",
       "com.microsoft.GatherBlockQuantized<bits = 2, block_size = 16>(b, i, s)", 48, 12},
      {"integer weights, no scales",
       Zeros("int8[16, 5] b", 80) + ", float[1] s = {1}, int8[1] z = {0}, float[1] t = {1}",
       "com.microsoft.MatMulIntegerToFloat(q, b, s, t, , z)", 80, 80},
      {"the bias of a quantised convolution",
       Zeros("int8[5, 4, 1, 1] b", 20) + ", float[1] s = {1}, uint8[1] z = {0}, int8[1] v = {0}, " +
           Zeros("int32[5] c", 5),
       "QLinearConv(q, s, z, b, s, v, s, z, c)", 25, 25},
      {"the integers of an integer convolution", Zeros("int8[5, 4, 1, 1] b", 20), "ConvInteger(q, b)", 20, 20},
      {"those of another operator of that name", Zeros("int8[5, 4, 1, 1] b", 20), "my.ConvInteger(q, b)", 0, 0},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const ParamTotals totals = Count(row.initialisers, row.node);
    CHECK(totals.params == row.params);
    CHECK(totals.params_by_use == row.params);
    CHECK(totals.stored_bytes == row.bytes);
  }
}

}  // namespace
}  // namespace hwest
