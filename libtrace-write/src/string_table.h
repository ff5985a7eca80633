// Interned text: one id per text. The text itself is stored only in the metadata log's records.
#pragma once

#include <cstdint>

#include "format-spec/src/base/buffer.h"
#include "hash_index.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class StringTable {
 public:
  // Returns the id of the text, which is appended to `records` if it is new. `wanted` 0: the next free id. Returns 0 if
  // there is no memory, or `wanted` belongs to another text.
  std::uint32_t intern(const char* text, std::size_t size, std::uint32_t wanted, Buffer& records);
  // Called when no more texts will come.
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
