#include "metadata_file.h"

#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>

namespace evt::ctf {
namespace {

// Packets of metadata (CTF 1.8.3, section 7.1): the text is the concatenation of theirs.
constexpr std::uint32_t kMetadataMagic = 0x75D11D57;
constexpr std::size_t kHeader = 37;
constexpr std::size_t kContentSize = 24;
constexpr std::size_t kPacketSize = 28;

class PacketHeader {
 public:
  explicit PacketHeader(std::string_view bytes) : bytes_(bytes) {
    is_big_ = bytes.size() >= kHeader && swapped(number(0)) == kMetadataMagic;
  }
  bool ok() const { return bytes_.size() >= kHeader && at(0) == kMetadataMagic; }
  std::uint64_t content_bytes() const { return at(kContentSize) / 8; }
  std::uint64_t packet_bytes() const { return at(kPacketSize) / 8; }

 private:
  static std::uint32_t swapped(std::uint32_t number) { return __builtin_bswap32(number); }
  std::uint32_t number(std::size_t place) const {
    return evt_load_u32(reinterpret_cast<const std::uint8_t*>(bytes_.data()) + place);
  }
  std::uint32_t at(std::size_t place) const { return is_big_ ? swapped(number(place)) : number(place); }

  std::string_view bytes_;
  bool is_big_ = false;
};

Result<std::string> text_of_packets(std::string_view file) {
  std::string text;
  for (std::size_t at = 0; at < file.size();) {
    const PacketHeader header(file.substr(at));
    const std::uint64_t left = file.size() - at;
    if (!header.ok()) {
      return Status(Code::kNotATrace, fmt::format("no packet of metadata begins at byte {}", at));
    }
    const std::uint64_t size = header.packet_bytes();
    const std::uint64_t content = header.content_bytes();
    if (content < kHeader || content > size || content > left) {
      return Status(Code::kNotATrace, fmt::format("the packet of metadata at byte {} states a content of {} bytes in a "
                                                  "packet of {}, and {} bytes are left",
                                                  at, content, size, left));
    }
    text += file.substr(at + kHeader, static_cast<std::size_t>(content) - kHeader);
    at += static_cast<std::size_t>(std::min(size, left));
  }
  return text;
}

}  // namespace

Result<Metadata> read_metadata(std::string_view file) {
  std::string text;
  if (PacketHeader(file).ok()) {
    auto unpacked = text_of_packets(file);
    if (!unpacked) return unpacked.status();
    text = *std::move(unpacked);
    file = text;
  }
  const std::size_t begin = file.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return Status(Code::kNotATrace, "it is empty");
  return file[begin] == '\x1E' || file[begin] == '{' ? parse_ctf2(file.substr(begin)) : parse_tsdl(file);
}

}  // namespace evt::ctf
