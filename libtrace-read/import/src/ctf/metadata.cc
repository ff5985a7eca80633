#include "metadata.h"

#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "libtrace-read/core/src/base/uint128.h"

namespace evt::ctf {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kMaxSeconds = (std::int64_t{1} << 62) / std::int64_t{kNsPerSecond} - 3;

}  // namespace

void Clock::set_offset(std::int64_t seconds, std::int64_t ticks) {
  const auto per_second = static_cast<std::int64_t>(hz);
  const std::int64_t whole = ticks / per_second - (ticks % per_second < 0 ? 1 : 0);
  const auto fits = [](std::int64_t number) { return -kMaxSeconds < number && number < kMaxSeconds; };
  is_offset_left_out = !fits(seconds) || !fits(whole) || !fits(seconds + whole);
  if (is_offset_left_out) return;
  offset_s = seconds + whole;
  offset_ticks = static_cast<std::uint64_t>(ticks - whole * per_second);
}

std::optional<std::int64_t> Clock::ns_of(std::uint64_t ticks) const {
  const std::uint64_t whole = ticks / hz;
  if (whole > kMaxSeconds) return std::nullopt;
  const std::uint64_t rest = ticks % hz + offset_ticks;
  const std::int64_t seconds = static_cast<std::int64_t>(whole) + offset_s;
  if (std::abs(seconds) > kMaxSeconds) return std::nullopt;
  const std::uint64_t ns = hz == kNsPerSecond ? rest : division(product(rest, kNsPerSecond), hz).quotient;
  return seconds * std::int64_t{kNsPerSecond} + static_cast<std::int64_t>(ns);
}

bool Metadata::has_event(std::string_view name) const {
  for (const auto& [id, stream] : streams) {
    for (const auto& [event_id, event] : stream.events) {
      if (event.name == name) return true;
    }
  }
  return false;
}

std::string Metadata::text_of(const std::string& key) const {
  const auto entry = environment.find(key);
  const std::string* const text = entry == environment.end() ? nullptr : std::get_if<std::string>(&entry->second);
  return text != nullptr ? *text : std::string();
}

std::int64_t Metadata::number_of(const std::string& key) const {
  const auto entry = environment.find(key);
  const std::int64_t* const number = entry == environment.end() ? nullptr : std::get_if<std::int64_t>(&entry->second);
  return number != nullptr ? *number : 0;
}

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
