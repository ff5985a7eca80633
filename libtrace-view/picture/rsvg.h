// librsvg, and the cairo that it draws with, as far as they are used here.
#pragma once

#ifdef EVT_HAS_RSVG
#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

namespace evt::view {

// Loaded when a picture needs it: it brings some fifty libraries, of which every start of the program would pay for.
// Its functions have the names and types of its headers.
class Rsvg {
 public:
  // Null where it is not installed. It stays loaded: libraries below it do not expect to be unloaded.
  static const Rsvg* load();

#define EVT_RSVG_FUNCTIONS(X)                 \
  X(rsvg_handle_new_from_data)                \
  X(rsvg_handle_set_dpi)                      \
  X(rsvg_handle_get_intrinsic_size_in_pixels) \
  X(rsvg_handle_render_document)              \
  X(g_object_unref)                           \
  X(cairo_pdf_surface_create_for_stream)      \
  X(cairo_pdf_surface_set_metadata)           \
  X(cairo_image_surface_create)               \
  X(cairo_surface_write_to_png_stream)        \
  X(cairo_surface_finish)                     \
  X(cairo_surface_status)                     \
  X(cairo_surface_destroy)                    \
  X(cairo_create)                             \
  X(cairo_scale)                              \
  X(cairo_destroy)                            \
  X(cairo_status_to_string)

#define EVT_RSVG_MEMBER(name) decltype(&::name) name = nullptr;
  EVT_RSVG_FUNCTIONS(EVT_RSVG_MEMBER)
#undef EVT_RSVG_MEMBER

 private:
  bool find_all(void* library);
};

}  // namespace evt::view
#endif
