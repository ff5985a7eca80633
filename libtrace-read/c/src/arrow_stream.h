// Tables as streams of Arrow arrays.
#pragma once

#include <evt/arrow.h>
#include <evt/reader.h>

#include <cerrno>
#include <utility>

#include "arrow_array.h"
#include "guarded.h"

namespace evt::reader {

// What the functions of a stream refer to. `Rows` has table(), and next(), which fills an array, with none at the end,
// and returns 0, or an errno with an error.
template <typename Rows>
class ArrowStream {
 public:
  // The stream owns the rows until it is released.
  static void open(Rows rows, ArrowArrayStream* to) {
    to->private_data = new ArrowStream(std::move(rows));
    to->get_schema = [](ArrowArrayStream* stream, ArrowSchema* out) {
      return guarded(&of(stream)->error_, ENOMEM, [&] {
        export_schema(of(stream)->rows_.table(), out);
        return 0;
      });
    };
    to->get_next = [](ArrowArrayStream* stream, ArrowArray* out) {
      *out = {};
      evtr_error* const error = &of(stream)->error_;
      return guarded(error, ENOMEM, [&] { return of(stream)->rows_.next(out, error); });
    };
    to->get_last_error = [](ArrowArrayStream* stream) -> const char* {
      const evtr_error& error = of(stream)->error_;
      return error.code != EVT_OK ? error.message : nullptr;
    };
    to->release = [](ArrowArrayStream* stream) {
      delete of(stream);
      stream->release = nullptr;
    };
  }

 private:
  explicit ArrowStream(Rows rows) : rows_(std::move(rows)) {}

  static ArrowStream* of(ArrowArrayStream* stream) { return static_cast<ArrowStream*>(stream->private_data); }

  Rows rows_;
  evtr_error error_ = {};
};

}  // namespace evt::reader
