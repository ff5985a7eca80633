// The definition of evt_compactor: how a session that wants it has its rows stored in less space. A table of
// functions, so that the writer's library needs none of what they need.
#pragma once

#include <evt/evt.h>

#include <cstddef>
#include <cstdint>

namespace evt {

// Rows as they are stored. Valid until the next call. Filled by one library and read by another: it never grows.
struct Compacted {
  const std::uint8_t* payload;
  std::uint32_t size;
  std::uint32_t raw_size;
  std::uint8_t layout;
  std::uint8_t codec;
};

}  // namespace evt

// One thread at a time uses what `open` makes; nothing but `open` and the first call of the others with that many
// rows allocates.
struct evt_compactor {
  // Of this table, in the library that has the functions, which may be of another version than the writer's. New
  // functions are added at the end.
  std::size_t size;
  void* (*open)();  // null: no memory
  // What is known of event types, from a TYPES payload.
  void (*learn)(void* state, const std::uint8_t* types, std::size_t size);
  // False: they are stored as they are.
  bool (*compact)(void* state, const std::uint8_t* rows, std::size_t size, std::uint32_t row_count,
                  evt::Compacted* out);
  void (*close)(void* state);
};
