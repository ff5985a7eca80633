// Numbers in the files of a CTF trace: in little-endian order, at any byte.
#pragma once

#include <evt/little_endian.h>
#include <evt/text/text_buffer.h>

#include <cstdint>

namespace evt {

inline void append_u16(TextBuffer& out, std::uint16_t number) {
  char* const to = out.room(sizeof number);
  evt_store_u16(to, number);
  out.end_at(to + sizeof number);
}
inline void append_u32(TextBuffer& out, std::uint32_t number) {
  char* const to = out.room(sizeof number);
  evt_store_u32(to, number);
  out.end_at(to + sizeof number);
}
inline void append_u64(TextBuffer& out, std::uint64_t number) {
  char* const to = out.room(sizeof number);
  evt_store_u64(to, number);
  out.end_at(to + sizeof number);
}
inline void append_bytes(TextBuffer& out, const void* bytes, std::size_t size) {
  out += std::string_view(static_cast<const char*>(bytes), size);
}

}  // namespace evt
