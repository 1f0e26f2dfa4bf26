// PNG and PDF of drawings.
#include "chart/rasterise.h"

#include "chart/drawing.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest {
namespace {

std::string Picture() {
  Drawing drawing(300, "A title", {"and a line"});
  drawing.Box(10, 60, 100, 20, TintAt(0).fill, TintAt(0).line, "a box");
  drawing.y = 90;
  return drawing.Svg();
}

uint32_t BigEndian(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

TEST_CASE("pixels are 96 an inch", "[librsvg]") {
  const std::string png = *Rasterise(Picture(), Raster::kPng);
  CHECK_THAT(png, Catch::StartsWith("\x89PNG"));
  CHECK(BigEndian(png, 16) == 400);
  CHECK(BigEndian(png, 20) == 120);
}

TEST_CASE("a picture larger than a bitmap can be has fewer", "[librsvg]") {
  const std::string png =
      *Rasterise("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64000 8\"/>", Raster::kPng);
  CHECK(BigEndian(png, 16) == 32'000);
  CHECK(BigEndian(png, 20) == 4);
}

TEST_CASE("a PDF has the same date, and the same bytes, whenever it is made", "[librsvg]") {
  const std::string pdf = *Rasterise(Picture(), Raster::kPdf);
  CHECK_THAT(pdf, Catch::StartsWith("%PDF-") && Catch::Contains("19700101000000Z"));
  CHECK(pdf == *Rasterise(Picture(), Raster::kPdf));
}

TEST_CASE("bitmaps are those of a light page", "[librsvg]") {
  std::string light = Picture();
  const size_t style = light.find("<style>"), end = light.find("</style>") + 8;
  light.erase(style, end - style);
  CHECK(*Rasterise(light, Raster::kPng) == *Rasterise(Picture(), Raster::kPng));
}

TEST_CASE("what is no picture is refused", "[librsvg]") {
  CHECK(Rasterise("<svg", Raster::kPng).status().code() == absl::StatusCode::kInternal);
  CHECK(Rasterise("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", Raster::kPdf).status().code() ==
        absl::StatusCode::kInternal);
}

TEST_CASE("the error says what to install where librsvg is absent, or is something else") {
  for (const char* library : {"librsvg-of-nobody.so.2", "libm.so.6"}) {
    INFO(library);
    const absl::StatusOr<std::string> png = Rasterise(Picture(), Raster::kPng, library);
    REQUIRE(!png.ok());
    const Diagnostic error = DiagnosticOf(png.status());
    CHECK(error.code == Code::kOutputUnwritable);
    CHECK_THAT(error.message, Catch::StartsWith("png and pdf need librsvg (") && Catch::Contains(library));
    CHECK_THAT(error.remedy, Catch::Contains("package librsvg2-2"));
  }
}

}  // namespace
}  // namespace hwest
