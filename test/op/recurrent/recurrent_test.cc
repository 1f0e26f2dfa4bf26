#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("recurrent layers: shapes and one product a step") {
  // clang-format off
  CheckRows({
      {"bidirectional LSTM",
       {.op = "LSTM", .inputs = {"float[50, 1, 128]", "const float[2, 1024, 128]", "const float[2, 1024, 256]"},
        .attrs = {Str("direction", "bidirectional"), Int("hidden_size", 256)}},
       {"float[50, 2, 1, 256]", "float[2, 1, 256]", "float[2, 1, 256]"}, "39321600",
       "add=230400 mul=76800 transcendental=128000", "recurrent 100x1x1024x384"},
      {"GRU", {.op = "GRU", .inputs = {"float[S, B, 4]", "const float[1, 6, 4]", "const float[1, 6, 2]"},
               .attrs = {Int("hidden_size", 2), Int("linear_before_reset", 1)}},
       {"float[S, 1, B, 2]", "float[1, B, 2]"}, "36*S*B", "add=14*S*B mul=6*S*B transcendental=6*S*B",
       "recurrent SxBx6x6"},
      {"RNN, batch first",
       {.op = "RNN", .inputs = {"float[3, 5, 4]", "const float[1, 2, 4]", "const float[1, 2, 2]"},
        .attrs = {Int("layout", 1)}},
       {"float[3, 5, 1, 2]", "float[3, 1, 2]"}, "180", "add=60 transcendental=30", "recurrent 5x3x2x6"},
      {"hidden size from the attribute", {.op = "RNN", .inputs = {"float[5, 3, 4]", "float?", "float?"},
                                          .attrs = {Int("hidden_size", 2)}},
       {"float[5, 1, 3, 2]", "float[1, 3, 2]"}, "180", "add=60 transcendental=30", "recurrent 5x3x2x6"},
  });
  // clang-format on
  CheckRefused({.op = "LSTM", .inputs = {"float[5, 1, 3]", "float[1, 8, 4]", "float[1, 8, 2]"}}, "3 and 4");
  CheckRefused({.op = "GRU", .inputs = {"float[5, 3]", "float[1, 6, 3]", "float[1, 6, 2]"}}, "rank 3 for input 0");
  CheckRefused(
      {.op = "RNN", .inputs = {"float[5, 1, 3]", "float[1, 2, 3]", "float[1, 2, 2]"}, .attrs = {Int("hidden_size", 4)}},
      "hidden_size is 4, R has 2 columns");
}

}  // namespace
}  // namespace hwest
