#include "row_context.h"

namespace evt {

Status RowContext::decode_whole(const Block& of) {
  if (whole_of == of.offset) return {};
  whole_of = UINT64_MAX;
  whole.resize(of.events.rows_size);
  Status status = decoder->decode(of, whole.data());
  if (status.ok()) whole_of = of.offset;
  return status;
}

}  // namespace evt
