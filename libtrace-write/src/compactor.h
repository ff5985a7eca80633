// The definition of evt_compactor: how a session stores its rows in less space. A table of functions, so that the
// writer's library needs none of their dependencies.
#pragma once

#include <evt/evt.h>

#include <cstddef>
#include <cstdint>

namespace evt {

// Stored rows. Valid until the next call. Filled by one library and read by another, so it never grows.
struct Compacted {
  const std::uint8_t* payload;
  std::uint32_t size;
  std::uint32_t raw_size;
  std::uint8_t layout;
  std::uint8_t codec;
};

}  // namespace evt

// One thread at a time uses what `open` makes. Only `open`, and the first call of the others with that many rows,
// allocate.
struct evt_compactor {
  // Size of this table in the library that defines the functions, whose version may differ from the writer's. New
  // functions are added at the end.
  std::size_t size;
  void* (*open)();  // null: no memory
  // Learns event types from a TYPES payload.
  void (*learn)(void* state, const std::uint8_t* types, std::size_t size);
  // Returns false to store the rows uncompressed.
  bool (*compact)(void* state, const std::uint8_t* rows, std::size_t size, std::uint32_t row_count,
                  evt::Compacted* out);
  void (*close)(void* state);
};
