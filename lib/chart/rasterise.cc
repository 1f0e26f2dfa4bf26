#include "chart/rasterise.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "chart/shared_library.h"

namespace hwest {
namespace {

constexpr double kPixelsPerPoint = 96.0 / 72;
constexpr double kMostSide = 32'000, kMostArea = 2e8;  // pixels: what cairo takes, and 800 MB
constexpr int kArgb32 = 0, kCreateDate = 5;            // of cairo_format_t and cairo_pdf_metadata_t
constexpr char kDate[] = "1970-01-01T00:00:00Z";

// Declarations of librsvg 2.46, cairo 1.16 and GLib 2: their ABI is stable, so no build needs their headers.
struct Handle;
struct Cairo;
struct Surface;
struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};
using Write = int(void* closure, const unsigned char* data, unsigned int length);

// The loader also finds the functions of cairo and GLib, because librsvg links to them.
struct Librsvg {
  explicit Librsvg(const char* file)
      : library(file, "png and pdf need librsvg",
                "install it, on Debian and Ubuntu the package librsvg2-2, or write svg") {}

  SharedLibrary library;
  Handle* (*rsvg_handle_new_from_data)(const unsigned char*, size_t, void**) = library["rsvg_handle_new_from_data"];
  int (*rsvg_handle_render_document)(Handle*, Cairo*, const Rectangle*,
                                     void**) = library["rsvg_handle_render_document"];
  void (*g_object_unref)(void*) = library["g_object_unref"];
  Surface* (*cairo_image_surface_create)(int, int, int) = library["cairo_image_surface_create"];
  Surface* (*cairo_pdf_surface_create_for_stream)(Write*, void*, double,
                                                  double) = library["cairo_pdf_surface_create_for_stream"];
  void (*cairo_pdf_surface_set_metadata)(Surface*, int, const char*) = library["cairo_pdf_surface_set_metadata"];
  int (*cairo_surface_write_to_png_stream)(Surface*, Write*, void*) = library["cairo_surface_write_to_png_stream"];
  void (*cairo_surface_finish)(Surface*) = library["cairo_surface_finish"];
  int (*cairo_surface_status)(Surface*) = library["cairo_surface_status"];
  void (*cairo_surface_destroy)(Surface*) = library["cairo_surface_destroy"];
  Cairo* (*cairo_create)(Surface*) = library["cairo_create"];
  void (*cairo_destroy)(Cairo*) = library["cairo_destroy"];
};

// Of `viewBox="0 0 WIDTH HEIGHT"`.
absl::StatusOr<Rectangle> PageOf(absl::string_view svg) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(svg.substr(0, svg.find('>', svg.find("<svg"))), "viewBox=\"");
  const std::vector<absl::string_view> sizes = absl::StrSplit(parts.back().substr(0, parts.back().find('"')), ' ');
  Rectangle page;
  const bool is_page = parts.size() == 2 && sizes.size() == 4 && absl::SimpleAtod(sizes[2], &page.width) &&
                       absl::SimpleAtod(sizes[3], &page.height) && page.width > 0 && page.height > 0;
  return is_page ? absl::StatusOr<Rectangle>(page) : absl::InternalError("a picture without a size");
}

int Append(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return 0;
}

// Draws the picture onto `surface` and destroys that. The bytes of a PNG come from `surface`, those of a PDF go to its
// writer.
absl::Status Draw(const Librsvg& rsvg, Handle* picture, Surface* surface, const Rectangle& page, std::string* png) {
  Cairo* cairo = rsvg.cairo_create(surface);
  bool is_drawn = rsvg.rsvg_handle_render_document(picture, cairo, &page, nullptr) != 0;
  rsvg.cairo_destroy(cairo);
  if (png != nullptr) is_drawn = is_drawn && rsvg.cairo_surface_write_to_png_stream(surface, Append, png) == 0;
  rsvg.cairo_surface_finish(surface);
  is_drawn = is_drawn && rsvg.cairo_surface_status(surface) == 0;
  rsvg.cairo_surface_destroy(surface);
  rsvg.g_object_unref(picture);
  return is_drawn ? absl::OkStatus() : absl::InternalError("librsvg cannot draw the picture");
}

}  // namespace

absl::StatusOr<std::string> Rasterise(const std::string& svg, Raster raster, const char* library) {
  const Librsvg rsvg(library);
  HWEST_RETURN_IF_ERROR(rsvg.library.status());
  HWEST_ASSIGN_OR_RETURN(Rectangle page, PageOf(svg));
  const auto* data = reinterpret_cast<const unsigned char*>(svg.data());
  Handle* picture = rsvg.rsvg_handle_new_from_data(data, svg.size(), nullptr);
  if (picture == nullptr) return absl::InternalError("librsvg cannot read the picture");
  std::string bytes;
  if (raster == Raster::kPdf) {
    Surface* surface = rsvg.cairo_pdf_surface_create_for_stream(Append, &bytes, page.width, page.height);
    rsvg.cairo_pdf_surface_set_metadata(surface, kCreateDate, kDate);
    HWEST_RETURN_IF_ERROR(Draw(rsvg, picture, surface, page, nullptr));
    return bytes;
  }
  const double scale = std::min({kPixelsPerPoint, kMostSide / std::max(page.width, page.height),
                                 std::sqrt(kMostArea / (page.width * page.height))});
  page = {.width = std::ceil(page.width * scale), .height = std::ceil(page.height * scale)};
  Surface* surface =
      rsvg.cairo_image_surface_create(kArgb32, static_cast<int>(page.width), static_cast<int>(page.height));
  HWEST_RETURN_IF_ERROR(Draw(rsvg, picture, surface, page, &bytes));
  return bytes;
}

}  // namespace hwest
