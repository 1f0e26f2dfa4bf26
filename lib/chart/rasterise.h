// PNG and PDF of an SVG, by librsvg and cairo.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace hwest {

inline constexpr char kRsvgLibrary[] = "librsvg-2.so.2";

enum class Raster : uint8_t { kPng, kPdf };

// The picture in the size of its viewBox, in points; pixels are 96 an inch, fewer where the picture is larger than a
// bitmap can be. The bytes depend on the picture and the fonts alone: a PDF is dated the first day of 1970. `library`
// is opened at the first picture. Errors: kOutputUnwritable, saying what to install, where it is absent; kInternal.
absl::StatusOr<std::string> Rasterise(const std::string& svg, Raster raster, const char* library = kRsvgLibrary);

}  // namespace hwest
