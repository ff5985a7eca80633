// Interned text: one id a text. The text itself lives in the metadata log's records alone.
#pragma once

#include <cstdint>

#include "format-spec/src/base/buffer.h"
#include "hash_index.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class StringTable {
 public:
  // The id of the text, which is appended to `records` when it is new. `wanted` 0: the next free id. 0 when there is
  // no memory, or `wanted` names another text.
  std::uint32_t intern(const char* text, std::size_t size, std::uint32_t wanted, Buffer& records);
  // When no text will come any more.
  void release() {
    by_text_.release();
    by_id_.release();
  }

 private:
  HashIndex by_text_;  // -> place of the record
  HashIndex by_id_;
  std::uint32_t next_id_ = 1;
};

}  // namespace evt
