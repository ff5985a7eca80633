#include "stream_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace evt::ctf {
namespace {

constexpr std::uint32_t kMagic = 0xC1FC1FC1;
constexpr std::size_t kStep = 64 << 10;
constexpr std::uint64_t kMaxHeader = 64 << 10;  // bytes of a packet's header and context

bool has_role(const FieldClass& field, Role role) {
  return field.role == role ||
         std::ranges::any_of(field.members, [&](const Member& member) { return has_role(*member.field, role); });
}

}  // namespace

StreamReader::StreamReader(ByteSource& file, const Metadata& metadata, StreamTaker& taker)
    : file_(file),
      metadata_(metadata),
      taker_(taker),
      reader_(file, metadata.slots),
      has_magic_(metadata.packet_header != nullptr && has_role(*metadata.packet_header, Role::kMagic)) {}

bool StreamReader::fail(std::string why) {
  why_ = std::move(why);
  return false;
}

std::optional<std::int64_t> StreamReader::ns_of(const StreamClass& stream,
                                                const std::optional<std::uint64_t>& ticks) const {
  return ticks && stream.clock ? stream.clock->ns_of(*ticks) : std::nullopt;
}

void StreamReader::run() {
  for (std::uint64_t begin = 0; begin < file_.size();) {
    Packet packet;
    if (read_header(begin, &packet)) {
      if (!packet.is_whole) end_before_next(&packet);
      count_losses(packet);
      read_events(packet);
      begin = packet.end;
      continue;
    }
    // Space reserved for packets that did not come.
    if (is_zero(begin)) return taker_.zeros(file_.size() - begin);
    const bool goes_on = ++failures_ < kMaxFailures;
    const std::uint64_t next = goes_on ? next_packet(begin + 1).value_or(file_.size()) : file_.size();
    taker_.damage(begin, next - begin, why_);
    begin = next;
  }
}

bool StreamReader::read_header(std::uint64_t begin, Packet* packet) {
  BitReader& bits = reader_.bits();
  packet->begin = begin;
  const std::uint64_t end = std::min(file_.size(), begin + kMaxHeader) * 8;
  bits.begin_packet(begin * 8);
  bits.set_end(end);
  reader_.begin_packet();
  const auto cannot_be_read = [&] {
    if (!reader_.goes_beyond()) return fail(fmt::format("the header of a packet: {}", reader_.why()));
    return fail(end == file_.size() * 8 ? "the file ends inside the header of a packet"
                                        : fmt::format("the header of a packet has more than {} KiB", kMaxHeader >> 10));
  };
  if (metadata_.packet_header != nullptr && !reader_.skip(*metadata_.packet_header)) return cannot_be_read();
  if (const auto magic = reader_.of(Role::kMagic); magic && *magic != kMagic) {
    return fail(fmt::format("no packet begins here: {:#x} is there in place of {:#x}", *magic, kMagic));
  }
  const auto& streams = metadata_.streams;
  const std::uint64_t id = reader_.of(Role::kStreamClass).value_or(streams.empty() ? 0 : streams.begin()->first);
  const auto stream = streams.find(id);
  if (stream == streams.end()) return fail(fmt::format("a packet of a stream {} that the metadata does not have", id));
  packet->stream = &stream->second;
  const FieldClass* const context = stream->second.packet_context.get();
  if (context != nullptr && !reader_.skip(*context)) return cannot_be_read();
  return set_sizes(packet);
}

// Sizes that the packet states; without them, it is the whole file.
bool StreamReader::set_sizes(Packet* packet) {
  const std::uint64_t begin = packet->begin * 8;
  const std::uint64_t left = file_.size() * 8 - begin;
  const std::uint64_t front = reader_.bits().at() - begin;
  const std::optional<std::uint64_t> content = reader_.of(Role::kContentSize);
  const std::optional<std::uint64_t> stated = reader_.of(Role::kPacketSize);
  const std::uint64_t size = stated ? *stated : content ? (*content + 7) / 8 * 8 : left;
  const std::uint64_t used = content.value_or(size);
  if (size % 8 != 0 || used > size || used < front) {
    return fail(
        fmt::format("a packet states a content of {} bits in {}, of which its header has {}", used, size, front));
  }
  packet->is_whole = size <= left;
  packet->end = packet->begin + std::min(size, left) / 8;
  packet->content_end = begin + std::min(used, left);
  return true;
}

const char* StreamReader::why_cut(const Packet& packet) const {
  return packet.end == file_.size() ? "the file ends inside a packet"
                                    : "a packet states more than is there before the next";
}

// A packet that claims more than the file has ends where another one begins, if there is one.
void StreamReader::end_before_next(Packet* packet) {
  Packet other;
  const std::optional<std::uint64_t> next = next_packet(packet->begin + 1);
  if (next && ++failures_ < kMaxFailures && read_header(*next, &other)) {
    packet->end = *next;
    packet->content_end = std::min(packet->content_end, *next * 8);
  }
  Packet again;
  read_header(packet->begin, &again);
}

void StreamReader::count_losses(const Packet& packet) {
  const std::optional<std::int64_t> begin_ns = ns_of(*packet.stream, reader_.ticks());
  const std::optional<std::int64_t> end_ns = ns_of(*packet.stream, reader_.of(Role::kEndTime));
  const std::optional<std::uint64_t> sequence = reader_.of(Role::kSequence);
  const std::uint64_t packets = sequence && sequence_ ? reader_.counted(Role::kSequence, *sequence_) : 0;
  if (packets > 1) taker_.missing(packet.begin, *sequence_ + 1, *sequence_ + packets - 1, begin_ns);
  sequence_ = sequence;
  // The total so far, in as many bits as the field has.
  const std::optional<std::uint64_t> discarded = reader_.of(Role::kDiscarded);
  const std::uint64_t events = !discarded   ? 0
                               : discarded_ ? reader_.counted(Role::kDiscarded, *discarded_)
                                            : *discarded;
  if (events > 0) taker_.discarded(events, end_ns_ ? end_ns_ : begin_ns, end_ns ? end_ns : begin_ns);
  if (discarded) discarded_ = discarded;
  end_ns_ = end_ns;
}

void StreamReader::read_events(const Packet& packet) {
  BitReader& bits = reader_.bits();
  bits.set_end(packet.content_end);
  while (bits.at() < packet.content_end) {
    const std::uint64_t begin = bits.at();
    bool is_read = read_event(packet);
    if (is_read && bits.at() == begin) is_read = fail("its events have no bits");
    if (is_read) continue;
    const std::uint64_t at = begin / 8;
    taker_.damage(at, packet.end - at, packet.is_whole ? why_ : why_cut(packet));
    return;
  }
  if (!packet.is_whole) taker_.damage(packet.end, 0, why_cut(packet));
}

bool StreamReader::read_event(const Packet& packet) {
  const StreamClass& stream = *packet.stream;
  const auto header_is_read = [&] { return stream.event_header == nullptr || reader_.skip(*stream.event_header); };
  reader_.begin_event();
  if (!header_is_read()) return fail(reader_.why());
  const std::uint64_t one = stream.events.size() == 1 ? stream.events.begin()->first : 0;
  const std::uint64_t id = reader_.of(Role::kEventClass).value_or(one);
  const auto event = stream.events.find(id);
  if (event == stream.events.end()) return fail(fmt::format("an event {} that the metadata does not have", id));
  if (taker_.event(stream, event->second, ns_of(stream, reader_.ticks()), &reader_)) return true;
  return fail(fmt::format("event {}: {}", event->second.name, reader_.why()));
}

// Finds it by its magic number, which is at a whole byte; nothing if there is none.
std::optional<std::uint64_t> StreamReader::next_packet(std::uint64_t from) {
  if (!has_magic_) return std::nullopt;
  const bool is_little = metadata_.order == ByteOrder::kLittle;
  static constexpr std::array kLittle = {std::byte{0xC1}, std::byte{0x1F}, std::byte{0xFC}, std::byte{0xC1}};
  static constexpr std::array kBig = {std::byte{0xC1}, std::byte{0xFC}, std::byte{0x1F}, std::byte{0xC1}};
  const auto& magic = is_little ? kLittle : kBig;
  std::vector<std::byte> bytes(kStep);
  for (std::size_t size; (size = file_.read_at(from, bytes.data(), kStep)) >= magic.size();) {
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(size);
    const auto at = std::search(bytes.begin(), end, magic.begin(), magic.end());
    if (at != end) return from + static_cast<std::uint64_t>(at - bytes.begin());
    from += size - (magic.size() - 1);
  }
  return std::nullopt;
}

bool StreamReader::is_zero(std::uint64_t from) {
  std::vector<std::byte> bytes(kStep);
  while (const std::size_t size = file_.read_at(from, bytes.data(), kStep)) {
    if (std::any_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size),
                    [](std::byte byte) { return byte != std::byte{0}; })) {
      return false;
    }
    from += size;
  }
  return true;
}

}  // namespace evt::ctf
