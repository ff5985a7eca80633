// librsvg, and the cairo that it draws with, as far as they are used here.
#pragma once

#include <cstddef>

namespace evt::view {

// Loaded when a picture needs it: it brings some fifty libraries, of which every start of the program would pay for.
// Its functions are declared here because its headers would bring those of forty packages into every build.
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

}  // namespace evt::view
