#include "rendering.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#include <cmath>
#include <cstddef>
#include <memory>

namespace evt::view {
namespace {

// librsvg, and the cairo that it draws with, as far as they are used here. Loaded when a picture needs it: it brings
// some fifty libraries, of which every start of the program would pay for. Its functions are declared here because its
// headers would bring those of forty packages into every build.
class Rsvg {
 public:
  struct Handle;
  struct Surface;
  struct Cairo;
  struct Rectangle {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };
  using Append = int (*)(void* to, const unsigned char* bytes, unsigned int size);  // returns a status

  static constexpr int kSuccess = 0;              // CAIRO_STATUS_SUCCESS
  static constexpr int kRgb24 = 1;                // CAIRO_FORMAT_RGB24
  static constexpr unsigned int kCreateDate = 5;  // CAIRO_PDF_METADATA_CREATE_DATE

  // Null where it is not installed. It stays loaded: libraries below it do not expect to be unloaded.
  static const Rsvg* load();

#define EVT_RSVG_FUNCTIONS(X)                                                                         \
  X(Handle*, rsvg_handle_new_from_data, (const unsigned char* bytes, std::size_t size, void** error)) \
  X(void, rsvg_handle_set_dpi, (Handle*, double dpi))                                                 \
  X(int, rsvg_handle_get_intrinsic_size_in_pixels, (Handle*, double* width, double* height))          \
  X(int, rsvg_handle_render_document, (Handle*, Cairo*, const Rectangle* viewport, void** error))     \
  X(void, g_object_unref, (void* object))                                                             \
  X(Surface*, cairo_pdf_surface_create_for_stream, (Append, void* to, double width, double height))   \
  X(void, cairo_pdf_surface_set_metadata, (Surface*, unsigned int what, const char* text))            \
  X(Surface*, cairo_image_surface_create, (int format, int width, int height))                        \
  X(int, cairo_surface_write_to_png_stream, (Surface*, Append, void* to))                             \
  X(void, cairo_surface_finish, (Surface*))                                                           \
  X(int, cairo_surface_status, (Surface*))                                                            \
  X(void, cairo_surface_destroy, (Surface*))                                                          \
  X(Cairo*, cairo_create, (Surface*))                                                                 \
  X(void, cairo_scale, (Cairo*, double x, double y))                                                  \
  X(void, cairo_destroy, (Cairo*))                                                                    \
  X(const char*, cairo_status_to_string, (int status))

#define EVT_RSVG_MEMBER(result, name, parameters) result(*name) parameters = nullptr;
  EVT_RSVG_FUNCTIONS(EVT_RSVG_MEMBER)
#undef EVT_RSVG_MEMBER

 private:
  bool find_all(void* library);
};

const Rsvg* Rsvg::load() {
  static Rsvg rsvg;
  static const bool is_loaded = [] {
    void* const library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && rsvg.find_all(library);
  }();
  return is_loaded ? &rsvg : nullptr;
}

// What its own libraries have is found by its handle, too.
bool Rsvg::find_all(void* library) {
#define EVT_RSVG_FIND(result, name, parameters)                   \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name)); \
  if (name == nullptr) return false;
  EVT_RSVG_FUNCTIONS(EVT_RSVG_FIND)
#undef EVT_RSVG_FIND
  return true;
}

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
