#include "packed_text.h"

#include <array>
#include <new>

namespace evt::tools {
namespace {

std::string base64(std::string_view bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace

PackedText::PackedText() {
  if (deflateInit(&stream_, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
}

PackedText::~PackedText() { deflateEnd(&stream_); }

void PackedText::deflate_all(std::string_view bytes, int flush) {
  std::array<char, 16384> room;
  std::string_view rest = bytes;
  do {
    const auto taken = static_cast<uInt>(std::min<std::size_t>(rest.size(), 1u << 30));
    // Its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    stream_.avail_in = taken;
    rest.remove_prefix(taken);
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room.data());
      stream_.avail_out = static_cast<uInt>(room.size());
      deflate(&stream_, rest.empty() ? flush : Z_NO_FLUSH);
      deflated_.append(room.data(), room.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  } while (!rest.empty());
}

std::string PackedText::text() {
  deflate_all({}, Z_FINISH);
  return base64(deflated_);
}

std::string packed(std::string_view bytes) {
  PackedText text;
  text.add(bytes);
  return text.text();
}

}  // namespace evt::tools
