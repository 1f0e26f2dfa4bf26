// PNG and PDF of an SVG, by librsvg and cairo.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace hwest {

inline constexpr char kRsvgLibrary[] = "librsvg-2.so.2";

enum class Raster : uint8_t { kPng, kPdf };

// Renders the picture at the size of its viewBox, in points, with 96 pixels an inch, or fewer where it exceeds the
// largest bitmap. The bytes depend only on the picture and the fonts: a PDF is dated the first day of 1970. The first
// picture opens `library`. Errors: kOutputUnwritable, saying what to install, if it is absent; kInternal.
absl::StatusOr<std::string> Rasterise(const std::string& svg, Raster raster, const char* library = kRsvgLibrary);

}  // namespace hwest
