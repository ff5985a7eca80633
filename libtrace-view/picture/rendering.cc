#include "rendering.h"

#include <stdlib.h>
#include <time.h>

#include <cmath>
#include <memory>

#include "rsvg.h"

namespace evt::view {
namespace {

Status no_librsvg() {
  return {Code::kInvalid,
          "PDF and PNG are drawn by librsvg 2, which is not here: install it, or write a .svg and run "
          "rsvg-convert -f pdf -o FILE.pdf FILE.svg"};
}

constexpr double kPointsOfAnInch = 72;
constexpr double kDots = 300;
constexpr int kLargestImage = 32767;  // of cairo

int append(void* to, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
  return Rsvg::kSuccess;
}

// SOURCE_DATE_EPOCH, or the first second of 1970: the same picture has the same bytes.
std::string creation_date() {
  const char* const epoch = getenv("SOURCE_DATE_EPOCH");
  const time_t seconds = epoch == nullptr ? 0 : static_cast<time_t>(strtoll(epoch, nullptr, 10));
  struct tm date {};
  char text[32];
  if (gmtime_r(&seconds, &date) == nullptr) return "1970-01-01T00:00:00Z";
  return {text, strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date)};
}

// An SVG that was read, with its size in points.
class Document {
 public:
  Document(const Rsvg& rsvg, const std::string& svg)
      : rsvg_(&rsvg),
        handle_(
            rsvg.rsvg_handle_new_from_data(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr)) {
    if (handle_ == nullptr) return;
    rsvg.rsvg_handle_set_dpi(handle_, kPointsOfAnInch);
    rsvg.rsvg_handle_get_intrinsic_size_in_pixels(handle_, &width_, &height_);
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document() {
    if (handle_ != nullptr) rsvg_->g_object_unref(handle_);
  }

  bool is_read() const { return handle_ != nullptr; }
  double width() const { return width_; }
  double height() const { return height_; }

  // Onto all of a surface of this size.
  Status draw(Rsvg::Surface* surface, double width, double height) const {
    const std::unique_ptr<Rsvg::Cairo, decltype(rsvg_->cairo_destroy)> cairo(rsvg_->cairo_create(surface),
                                                                             rsvg_->cairo_destroy);
    rsvg_->cairo_scale(cairo.get(), width / width_, height / height_);
    const Rsvg::Rectangle whole = {0, 0, width_, height_};
    if (rsvg_->rsvg_handle_render_document(handle_, cairo.get(), &whole, nullptr) == 0) {
      return {Code::kInvalid, "librsvg could not draw the picture"};
    }
    return {};
  }

 private:
  const Rsvg* rsvg_;
  Rsvg::Handle* handle_;
  double width_ = 0;
  double height_ = 0;
};

using Surface = std::unique_ptr<Rsvg::Surface, decltype(Rsvg::cairo_surface_destroy)>;

Status status_of(const Rsvg& rsvg, int status) {
  if (status == Rsvg::kSuccess) return {};
  return {Code::kInvalid, std::string("cairo could not draw the picture: ") + rsvg.cairo_status_to_string(status)};
}

Result<std::string> draw_pdf(const Rsvg& rsvg, const std::string& svg) {
  const Document document(rsvg, svg);
  if (!document.is_read()) return Status(Code::kInvalid, "librsvg could not read the picture");
  std::string pdf;
  const Surface surface(rsvg.cairo_pdf_surface_create_for_stream(append, &pdf, document.width(), document.height()),
                        rsvg.cairo_surface_destroy);
  rsvg.cairo_pdf_surface_set_metadata(surface.get(), Rsvg::kCreateDate, creation_date().c_str());
  const Status drawn = document.draw(surface.get(), document.width(), document.height());
  rsvg.cairo_surface_finish(surface.get());
  if (!drawn.ok()) return drawn;
  const Status status = status_of(rsvg, rsvg.cairo_surface_status(surface.get()));
  return status.ok() ? Result<std::string>(pdf) : status;
}

Result<std::string> draw_png(const Rsvg& rsvg, const std::string& svg) {
  constexpr double kScale = kDots / kPointsOfAnInch;
  const Document document(rsvg, svg);
  if (!document.is_read()) return Status(Code::kInvalid, "librsvg could not read the picture");
  const double width = std::ceil(document.width() * kScale);
  const double height = std::ceil(document.height() * kScale);
  if (width > kLargestImage || height > kLargestImage) {
    return Status(Code::kInvalid,
                  "a PNG of more than 32,767 dots cannot be made: write a .svg or a .pdf, or use --rows");
  }
  const Surface surface(
      rsvg.cairo_image_surface_create(Rsvg::kRgb24, static_cast<int>(width), static_cast<int>(height)),
      rsvg.cairo_surface_destroy);
  if (const Status status = document.draw(surface.get(), width, height); !status.ok()) return status;
  std::string png;
  const Status status = status_of(rsvg, rsvg.cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return status.ok() ? Result<std::string>(png) : status;
}

}  // namespace

Result<std::string> pdf_of(const std::string& svg) {
  const Rsvg* const rsvg = Rsvg::load();
  return rsvg == nullptr ? no_librsvg() : draw_pdf(*rsvg, svg);
}
Result<std::string> png_of(const std::string& svg) {
  const Rsvg* const rsvg = Rsvg::load();
  return rsvg == nullptr ? no_librsvg() : draw_png(*rsvg, svg);
}

}  // namespace evt::view
