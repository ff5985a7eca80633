#include "bit_reader.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <cstring>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::ctf {
namespace {

std::uint64_t lowest(std::uint32_t bits) { return bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1; }

}  // namespace

// Null if the file has fewer.
const std::uint8_t* BitReader::peek(std::uint64_t byte, std::size_t count) {
  const std::uint8_t* bytes = nullptr;
  if (byte >= window_at_ && byte + count <= window_at_ + window_size_) {
    return raw(window_.data()) + static_cast<std::size_t>(byte - window_at_);
  }
  return peek_some(byte, count, &bytes) == count ? bytes : nullptr;
}

// Returns how many there are, at least one unless the file ends.
std::size_t BitReader::peek_some(std::uint64_t byte, std::uint64_t most, const std::uint8_t** bytes) {
  const bool is_there = byte >= window_at_ && byte < window_at_ + window_size_ &&
                        std::min<std::uint64_t>(most, kWindow / 2) <= window_at_ + window_size_ - byte;
  if (!is_there) {
    window_at_ = byte;
    window_size_ = file_.read_at(byte, window_.data(), window_.size());
  }
  const std::uint64_t left = window_at_ + window_size_ - byte;
  *bytes = raw(window_.data()) + static_cast<std::size_t>(byte - window_at_);
  return static_cast<std::size_t>(std::min(most, left));
}

bool BitReader::align(std::uint64_t bits) {
  const std::uint64_t rest = (at_ - packet_) & (bits - 1);
  return rest == 0 || skip(bits - rest);
}

bool BitReader::skip(std::uint64_t bits) {
  if (!has(bits)) return false;
  at_ += bits;
  return true;
}

bool BitReader::number(std::uint32_t bits, ByteOrder order, std::uint64_t* number) {
  if (!has(bits)) return false;
  const auto offset = static_cast<std::uint32_t>(at_ % 8);
  const std::size_t count = (offset + bits + 7) / 8;
  const std::uint8_t* const bytes = peek(at_ / 8, count);
  if (bytes == nullptr) return false;
  at_ += bits;
  if (order == ByteOrder::kLittle && offset == 0 && bits % 8 == 0) {
    std::uint8_t all[8] = {};
    std::memcpy(all, bytes, count);
    *number = evt_load_u64(all);
    return true;
  }
  // Little-endian fields begin at the lowest bit of a byte, big-endian ones at its highest.
  std::uint64_t value = 0;
  std::uint32_t from = offset;
  for (std::uint32_t got = 0, i = 0; got < bits; ++i, from = 0) {
    const std::uint32_t some = std::min(8 - from, bits - got);
    const std::uint64_t part = order == ByteOrder::kLittle ? bytes[i] >> from : bytes[i] >> (8 - from - some);
    if (order == ByteOrder::kLittle) {
      value |= (part & lowest(some)) << got;
    } else {
      value = (got == 0 ? 0 : value << some) | (part & lowest(some));
    }
    got += some;
  }
  *number = value;
  return true;
}

bool BitReader::variable_number(bool is_signed, std::uint64_t* number) {
  std::uint64_t value = 0;
  for (std::uint32_t shift = 0; shift < 70; shift += 7) {
    std::uint64_t byte = 0;
    if (!this->number(8, ByteOrder::kLittle, &byte)) return false;
    if (shift < 64) value |= (byte & 0x7F) << shift;
    if ((byte & 0x80) != 0) continue;
    if (is_signed && (byte & 0x40) != 0 && shift + 7 < 64) value |= UINT64_MAX << (shift + 7);
    *number = value;
    return true;
  }
  return false;
}

bool BitReader::text(std::size_t most, std::string* out) {
  const std::size_t before = out->size();
  while (has(8)) {
    const std::uint8_t* bytes = nullptr;
    const std::size_t some = peek_some(at_ / 8, (end_ - at_) / 8, &bytes);
    if (some == 0) return false;
    const auto* const end = static_cast<const std::uint8_t*>(std::memchr(bytes, 0, some));
    const std::size_t size = end == nullptr ? some : static_cast<std::size_t>(end - bytes);
    out->append(reinterpret_cast<const char*>(bytes), std::min(size, most - (out->size() - before)));
    at_ += std::uint64_t{size} * 8;
    if (end != nullptr) return skip(8);
  }
  return false;
}

bool BitReader::bytes(std::uint64_t count, std::size_t most, std::string* out) {
  if (count > (end_ - std::min(at_, end_)) / 8) return false;
  const std::size_t before = out->size();
  while (count > 0) {
    const std::uint8_t* bytes = nullptr;
    const std::size_t some = peek_some(at_ / 8, count, &bytes);
    if (some == 0) return false;
    out->append(reinterpret_cast<const char*>(bytes), std::min(some, most - (out->size() - before)));
    at_ += std::uint64_t{some} * 8;
    count -= some;
  }
  return true;
}

}  // namespace evt::ctf
