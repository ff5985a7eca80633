// The payload of a TYPES, STREAMS or STRINGS block, as it grows: a count, then so many records.
#pragma once

#include <evt/little_endian.h>

#include "raw_bytes.h"

namespace evt {

class RecordList {
 public:
  // Where the next record is appended.
  Buffer& next() {
    if (count_++ == 0) bytes_.append_u32(0);
    return bytes_;
  }
  // True if it is large enough for a block.
  bool is_full() const { return bytes_.size() >= kEnough; }
  // Passes the payload to `put`, if there are any records, and starts over.
  template <typename Put>
  void put(Put put) {
    if (count_ > 0 && bytes_.ok()) {
      evt_store_u32(bytes_.data(), count_);
      put(bytes_of(bytes_));
    }
    bytes_.clear();
    count_ = 0;
  }

 private:
  static constexpr std::size_t kEnough = 4 << 20;  // except for one record

  Buffer bytes_;
  std::uint32_t count_ = 0;
};

}  // namespace evt
