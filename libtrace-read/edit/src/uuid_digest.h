// A uuid for a session that is made from others: the same input always gives the same uuid.
#pragma once

#include <evt/session.h>

#include <string>
#include <vector>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Adding in another order, or in other portions, gives another.
class UuidDigest {
 public:
  void add(std::uint64_t number) {
    for (std::uint64_t& state : states_) state = mixed(state ^ number);
  }
  void add(const Session::Uuid& uuid) {
    for (const std::uint8_t byte : uuid) add(std::uint64_t{byte});
  }
  void add(const std::string& text) {
    for (const char c : text) add(std::uint64_t{static_cast<std::uint8_t>(c)});
    add(std::uint64_t{text.size()});
  }
  // Adds the size of a file, and its content from an offset on, by the next 64 KiB.
  void add(ByteSource& file, std::uint64_t from) {
    std::vector<std::byte> front(64 << 10);
    front.resize(file.read_at(from, front.data(), front.size()));
    add(file.size());
    add(std::uint64_t{crc32c(0, front.data(), front.size())});
  }

  Session::Uuid uuid() const {
    Session::Uuid uuid;
    evt_store_u64(uuid.data(), states_[0]);
    evt_store_u64(uuid.data() + sizeof states_[0], states_[1]);
    uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0F) | 0x80);  // RFC 9562, version 8: custom
    uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3F) | 0x80);
    return uuid;
  }

 private:
  static std::uint64_t mixed(std::uint64_t a) {
    a *= 0xBF58476D1CE4E5B9;
    a = (a ^ a >> 31) * 0x94D049BB133111EB;
    return a ^ a >> 29;
  }

  std::uint64_t states_[2] = {0x9E3779B97F4A7C15, 0xD1B54A32D192ED03};
};

}  // namespace evt
