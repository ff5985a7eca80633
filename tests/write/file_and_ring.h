// Where blocks are in a file and slots in a ring, for tests that damage either.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "format-spec/src/block/block_header.h"
#include "format-spec/src/ring/ring_layout.h"
#include "support/folder.h"

namespace evt::testing {

// Of a file without damage: where its blocks begin, those of one type or all.
inline std::vector<std::size_t> block_offsets(const std::string& path, std::uint16_t type = 0) {
  const std::string bytes = read_file(path);
  std::vector<std::size_t> offsets;
  BlockHeader header;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
    if (load_block_header(p, bytes.size() - at, &header) != HeaderState::kGood) {
      throw std::runtime_error("no block at " + std::to_string(at));
    }
    if (type == 0 || header.type == type) offsets.push_back(at);
    at += header.header_size + header.payload_size + padding_after(std::size_t{header.payload_size});
  }
  return offsets;
}

struct RingSlot {
  std::uint64_t offset = 0;  // in the ring
  ring::Slot slot = {};

  // Behind its last row.
  std::uint64_t end() const { return slot.first_ordinal + ring::rows_of(slot.commit); }
};

// Those that have rows.
inline std::vector<RingSlot> slots_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto load = [&](std::uint64_t offset, void* out, std::size_t size) {
    file.seekg(static_cast<std::streamoff>(offset)).read(static_cast<char*>(out), static_cast<std::streamsize>(size));
    if (!file) throw std::runtime_error("cannot read " + path);
  };
  ring::Header header;
  std::uint64_t header_at = 0;
  do {
    load(header_at += ring::kPage, &header, sizeof header);
  } while (std::memcmp(header.magic, ring::kMagic, sizeof header.magic) != 0);
  std::vector<RingSlot> found;
  for (std::uint32_t i = 0; i < header.areas; ++i) {
    ring::Area area;
    load(header.areas_offset + i * sizeof area, &area, sizeof area);
    for (std::uint32_t k = 0; k < area.count; ++k) {
      RingSlot at;
      at.offset = area.offset + std::uint64_t{k} * area.slot_size;
      load(at.offset, &at.slot, sizeof at.slot);
      if (at.slot.generation != 0 && at.slot.generation % 2 == 0 && at.slot.commit != 0) found.push_back(at);
    }
  }
  return found;
}

// Changes a byte of a file.
inline void invert_byte(const std::string& path, std::size_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const int byte = file.seekg(static_cast<std::streamoff>(offset)).get();
  file.seekp(static_cast<std::streamoff>(offset)).put(static_cast<char>(~byte));
  if (!file.flush()) throw std::runtime_error("cannot change " + path);
}

// Changes the front of a slot.
inline void store(const std::string& ring, const RingSlot& slot) {
  const int fd = ::open(ring.c_str(), O_WRONLY | O_CLOEXEC);
  const bool done =
      fd >= 0 && pwrite(fd, &slot.slot, sizeof slot.slot, static_cast<off_t>(slot.offset)) == ssize_t{sizeof slot.slot};
  if (fd >= 0) close(fd);
  if (!done) throw std::runtime_error("cannot write " + ring);
}

}  // namespace evt::testing
