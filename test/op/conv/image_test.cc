#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("AffineGrid: positions times matrices") {
  // clang-format off
  CheckRows({
      {"images", {.op = "AffineGrid", .opset = 20, .inputs = {"float[2, 2, 3]", "int64[4] = {2, 3, 5, 6}"}},
       {"float[2, 5, 6, 2]"}, "360", "", "activation 2x30x2x3"},
      {"volumes", {.op = "AffineGrid", .opset = 20, .inputs = {"double[N, 3, 4]", "int64[5] = {N, 3, 4, 5, 6}"}},
       {"double[N, 4, 5, 6, 3]"}, "1440*N", "", "activation Nx120x3x4"},
      {"size not known", {.op = "AffineGrid", .opset = 20, .inputs = {"float[2, 2, 3]", "int64[4]"}},
       {"float[2, ?, ?, 2]"}, "?", "", "activation 2x?x2x3"},
      {"rank from the size alone", {.op = "AffineGrid", .opset = 20, .inputs = {"float?", "int64[4] = {2, 3, 5, 6}"}},
       {"float[2, 5, 6, 2]"}, "360", "", "activation 2x30x2x3"},
      {"nothing tells", {.op = "AffineGrid", .opset = 20, .inputs = {"float?", "int64[K]"}}, {"float?"}, "?", "",
       "activation ?x?x?x?"},
  });
  // clang-format on
  CheckRefused({.op = "AffineGrid", .opset = 20, .inputs = {"float[2, 2, 3]", "int64[5] = {2, 3, 4, 5, 6}"}},
               "5 and 4");
  CheckRefused({.op = "AffineGrid", .opset = 20, .inputs = {"float[2, 4, 5]", "int64[4]"}}, "2 or 3 axes");
}

TEST_CASE("GridSample: taps by mode") {
  const std::vector<std::string> images = {"float[1, 3, 8, 8]", "float[1, 5, 6, 2]"};
  // clang-format off
  CheckRows({
      {"version 16, bilinear", {.op = "GridSample", .opset = 16, .inputs = images, .attrs = {Str("mode", "bilinear")}},
       {"float[1, 3, 5, 6]"}, "0", "add=480 mul=480"},
      {"version 16, default", {.op = "GridSample", .opset = 16, .inputs = images}, {"float[1, 3, 5, 6]"}, "0",
       "add=480 mul=480"},
      {"version 16, bicubic", {.op = "GridSample", .opset = 16, .inputs = images, .attrs = {Str("mode", "bicubic")}},
       {"float[1, 3, 5, 6]"}, "0", "add=1560 mul=1560"},
      {"version 20, nearest", {.op = "GridSample", .opset = 20, .inputs = images, .attrs = {Str("mode", "nearest")}},
       {"float[1, 3, 5, 6]"}, "0", "add=120 mul=120"},
      {"version 22, volumes",
       {.op = "GridSample", .opset = 22, .inputs = {"float[N, 2, 4, 4, 4]", "float[N, 3, 3, 3, 3]"}},
       {"float[N, 2, 3, 3, 3]"}, "0", "add=594*N mul=594*N"},
      {"version 20, one axis", {.op = "GridSample", .opset = 20, .inputs = {"float[1, 2, 9]", "float[1, 4, 1]"},
                                .attrs = {Str("mode", "cubic")}},
       {"float[1, 2, 4]"}, "0", "add=40 mul=40"},
      {"grid alone is ranked", {.op = "GridSample", .opset = 20, .inputs = {"float?", "float[1, 5, 6, 2]"}},
       {"float[1, ?, 5, 6]"}, "0", "add=? mul=?"},
      {"unknown mode", {.op = "GridSample", .opset = 20, .inputs = images, .attrs = {Str("mode", "lanczos")}},
       {"float[1, 3, 5, 6]"}, "0", "add=? mul=?"},
  });
  // clang-format on
  CheckRefused({.op = "GridSample", .opset = 16, .inputs = {"float[1, 2, 4, 4, 4]", "float[1, 3, 3, 3, 3]"}}, "rank 4");
  CheckRefused({.op = "GridSample", .opset = 20, .inputs = {"float[1, 2, 4, 4]", "float[1, 3, 3, 3]"}}, "3 and 2");
  CheckRefused({.op = "GridSample", .opset = 20, .inputs = {"float[1, 2, 4, 4]", "float[1, 3, 3, 3, 3]"}},
               "equal ranks");
}

TEST_CASE("ImageDecoder: the stream decides the size, the format the channels") {
  const OpRun color = RunOp({.op = "ImageDecoder", .opset = 20, .inputs = {"uint8[n]"}});
  REQUIRE(color.inferred.ok());
  const Type& image = color.view().out(0);
  CHECK(image.elem == ElemType::kUint8);
  REQUIRE(image.shape.rank() == 3);
  for (const int axis : {0, 1}) {
    const SymbolId size = color.dims->AsSymbol(image.shape.dim(axis));
    REQUIRE(size.valid());
    CHECK(color.dims->symbol(size).data_dependent);
  }
  CHECK_FALSE(image.shape.dim(0) == image.shape.dim(1));
  CHECK(image.shape.dim(2) == Dim(3));
  CHECK(color.ops() == "add=? mul=? compare=? transcendental=? integer=?");
  const OpRun gray =
      RunOp({.op = "ImageDecoder", .opset = 20, .inputs = {"uint8[n]"}, .attrs = {Str("pixel_format", "Grayscale")}});
  CHECK(gray.view().out(0).shape.dim(2) == Dim(1));
  CheckRefused({.op = "ImageDecoder", .opset = 20, .inputs = {"uint8[n]"}, .attrs = {Str("pixel_format", "CMYK")}},
               "CMYK");
}

}  // namespace
}  // namespace hwest
