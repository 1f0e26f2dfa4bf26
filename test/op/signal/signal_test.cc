#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("window functions: size and type from the node") {
  for (const char* op : {"BlackmanWindow", "HammingWindow", "HannWindow"}) {
    // clang-format off
    CheckRows({
        {op, {.op = op, .inputs = {"int64[] = {400}"}}, {"float[400]"}, "0", "add=400 mul=400 transcendental=400"},
        {"double, symbolic", {.op = op, .inputs = {"int32[] = {N}"}, .attrs = {Int("output_datatype", 11)}},
         {"double[N]"}, "0", "add=N mul=N transcendental=N"},
        {"unknown", {.op = op, .inputs = {"int64[]"}}, {"float[?]"}, "0", "add=? mul=? transcendental=?"},
    });
    // clang-format on
    CheckRefused({.op = op, .inputs = {"int64[] = {-1}"}}, "at least 0");
    CheckRefused({.op = op, .inputs = {"int64[2] = {1, 2}"}}, "one number");
  }
}

TEST_CASE("MelWeightMatrix: bins by bands") {
  const std::vector<std::string> tail = {"int64[]", "float[]", "float[]"};
  const auto inputs = [&](const char* bands, const char* length) {
    std::vector<std::string> list = {bands, length};
    list.insert(list.end(), tail.begin(), tail.end());
    return list;
  };
  // clang-format off
  CheckRows({
      {"known", {.op = "MelWeightMatrix", .inputs = inputs("int64[] = {80}", "int64[] = {400}")}, {"float[201, 80]"},
       "0", "add=32160 mul=32160"},
      {"odd length", {.op = "MelWeightMatrix", .inputs = inputs("int64[] = {8}", "int64[] = {17}"),
                      .attrs = {Int("output_datatype", 10)}},
       {"float16[9, 8]"}, "0", "add=144 mul=144"},
      {"unknown length", {.op = "MelWeightMatrix", .inputs = inputs("int64[] = {8}", "int64[]")}, {"float[?, 8]"}, "0",
       "add=? mul=?"},
  });
  // clang-format on
}

// A transform of 16 points: 16 * log2(16) = 64 steps of 3 sums and 2 products.
TEST_CASE("DFT: axis, length and half spectra") {
  // clang-format off
  CheckRows({
      {"version 17, first signal axis", {.op = "DFT", .opset = 17, .inputs = {"float[2, 16, 1]"}}, {"float[2, 16, 2]"},
       "0", "add=384 mul=256"},
      {"version 17, axis attribute, half spectrum",
       {.op = "DFT", .opset = 17, .inputs = {"float[2, 5, 16, 1]"}, .attrs = {Int("axis", 2), Int("onesided", 1)}},
       {"float[2, 5, 9, 2]"}, "0", "add=1920 mul=1280"},
      {"version 20, last signal axis", {.op = "DFT", .opset = 20, .inputs = {"double[2, 5, 16, 2]"}},
       {"double[2, 5, 16, 2]"}, "0", "add=1920 mul=1280"},
      {"version 20, axis input, padded to dft_length",
       {.op = "DFT", .opset = 20, .inputs = {"float[12, 3, 2]", "int64[] = {16}", "int64[] = {0}"}},
       {"float[16, 3, 2]"}, "0", "add=576 mul=384"},
      {"half a spectrum back to a signal",
       {.op = "DFT", .opset = 20, .inputs = {"float[N, 9, 2]"}, .attrs = {Int("onesided", 1), Int("inverse", 1)}},
       {"float[N, 16, 1]"}, "0", "add=192*N mul=128*N"},
      {"the same to a given length",
       {.op = "DFT", .opset = 20, .inputs = {"float[1, 9, 2]", "int64[] = {17}"},
        .attrs = {Int("onesided", 1), Int("inverse", 1)}},
       {"float[1, 17, 1]"}, "0", "add=207 mul=138"},
      {"full inverse", {.op = "DFT", .opset = 20, .inputs = {"float[1, 16, 2]"}, .attrs = {Int("inverse", 1)}},
       {"float[1, 16, 2]"}, "0", "add=192 mul=128"},
      {"symbolic length: no count", {.op = "DFT", .opset = 20, .inputs = {"float[2, L, 1]"},
                                     .attrs = {Int("onesided", 1)}},
       {"float[2, L//2 + 1, 2]"}, "0", "add=? mul=?"},
      {"unknown axis", {.op = "DFT", .opset = 20, .inputs = {"float[2, 16, 1]", "", "int64[]"}}, {"float[?, ?, 2]"},
       "0", "add=? mul=?"},
      {"unknown length", {.op = "DFT", .opset = 20, .inputs = {"float[2, 16, 1]", "int64[]"}}, {"float[2, ?, 2]"}, "0",
       "add=? mul=?"},
      {"unranked", {.op = "DFT", .opset = 20, .inputs = {"float?"}}, {"float?"}, "0", "add=? mul=?"},
  });
  // clang-format on
  CheckRefused({.op = "DFT", .opset = 20, .inputs = {"float[2, 16, 1]", "", "int64[] = {-1}"}}, "real and imaginary");
  CheckRefused({.op = "DFT", .opset = 17, .inputs = {"float[2, 16, 1]"}, .attrs = {Int("axis", 5)}}, "outside");
  CheckRefused({.op = "DFT", .opset = 20, .inputs = {"float[2, 16, 1]", "int64[] = {0}"}}, "at least 1");
}

TEST_CASE("STFT: frames that lie wholly in the signal") {
  // clang-format off
  CheckRows({
      {"frame length", {.op = "STFT", .inputs = {"float[1, 128, 1]", "int64[] = {8}", "", "int64[] = {16}"}},
       {"float[1, 15, 9, 2]"}, "0", "add=2880 mul=2160"},
      {"window gives the length", {.op = "STFT", .inputs = {"float[2, 131, 1]", "int64[] = {8}", "float[16]"}},
       {"float[2, 15, 9, 2]"}, "0", "add=5760 mul=4320"},
      {"complex, all bins", {.op = "STFT", .inputs = {"float[1, 128, 2]", "int64[] = {8}", "float[16]"},
                             .attrs = {Int("onesided", 0)}},
       {"float[1, 15, 16, 2]"}, "0", "add=2880 mul=2160"},
      {"one frame of the whole signal", {.op = "STFT", .inputs = {"float[1, 16]", "int64[] = {8}"}},
       {"float[1, 1, 9, 2]"}, "0", "add=192 mul=144"},
      {"symbolic", {.op = "STFT", .inputs = {"float[B, T, 1]", "int64[] = {160}", "float[400]"}},
       {"float[B, (T + 80)//160 - 2, 201, 2]"}, "0",
       "add=10374*B*((T + 80)//160) - 20748*B mul=7316*B*((T + 80)//160) - 14632*B"},
      {"unknown step", {.op = "STFT", .inputs = {"float[1, 128, 1]", "int64[]", "float[16]"}}, {"float[1, ?, 9, 2]"},
       "0", "add=? mul=?"},
  });
  // clang-format on
  CheckRefused({.op = "STFT", .inputs = {"float[1, 8, 1]", "int64[] = {1}", "float[16]"}}, "frames of 16");
  CheckRefused({.op = "STFT", .inputs = {"float[1, 64, 1]", "int64[] = {1}", "float[16]", "int64[] = {8}"}},
               "16 and 8");
  CheckRefused({.op = "STFT", .inputs = {"float[1, 64, 1]", "int64[] = {0}", "float[16]"}}, "at least 1");
}

}  // namespace
}  // namespace hwest
