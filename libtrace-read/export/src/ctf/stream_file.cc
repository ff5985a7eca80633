#include "stream_file.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "little_bytes.h"

namespace evt {
namespace {

constexpr std::uint32_t kCtfMagic = 0xC1FC1FC1;
constexpr std::size_t kBitsOfByte = 8;

}  // namespace

// Everything but the times and sizes, which are known at its end.
void StreamFile::begin_packet(std::uint64_t time) {
  first_ = time;
  append_u32(packet_, kCtfMagic);
  append_bytes(packet_, front_.uuid.data(), front_.uuid.size());
  append_u32(packet_, front_.stream_class);
  append_u64(packet_, front_.instance);
  append_u64(packet_, time);  // timestamp_begin
  append_u64(packet_, 0);     // timestamp_end
  append_u64(packet_, 0);     // content_size
  append_u64(packet_, 0);     // packet_size
  append_u64(packet_, discarded_);
  if (front_.cpu) append_u32(packet_, *front_.cpu);
}

bool StreamFile::end_packet(std::uint64_t time, CtfFiles& files) {
  constexpr std::size_t kEnd = 4 + 16 + 4 + 8 + 8;
  // The text of a buffer is read-only: its room, from its end on, is writable.
  const std::size_t size = packet_.size();
  const std::uint64_t bits = std::uint64_t{size} * kBitsOfByte;
  packet_.cut(kEnd);
  append_u64(packet_, time);
  append_u64(packet_, bits);
  append_u64(packet_, bits);
  packet_.cut(size);
  last_ = time;
  has_packets_ = true;
  const bool appended = files.append(path_, packet_.text());
  packet_.clear();
  return appended;
}

TextBuffer& StreamFile::begin_event(std::uint32_t event_class, std::uint64_t time) {
  if (packet_.size() == 0) begin_packet(time);
  last_ = time;
  append_u32(packet_, event_class);
  append_u64(packet_, time);
  return packet_;
}

// A reader takes the difference between the counts of two packets as lost between their ends; it cannot know that for
// the first packet.
bool StreamFile::lose(std::uint64_t count, std::uint64_t from, std::uint64_t to, CtfFiles& files) {
  from = std::max(from, last_);
  const bool is_open = packet_.size() > 0;
  if (is_open || !has_packets_ || last_ < from) {
    if (!is_open) begin_packet(from);
    if (!end_packet(from, files)) return false;
  }
  saturating_add(&discarded_, count);
  begin_packet(from);
  return end_packet(std::max(from, to), files);
}

bool StreamFile::write_packet(CtfFiles& files, bool goes_on) {
  const bool written = packet_.size() == 0 || end_packet(last_, files);
  if (!goes_on) packet_ = {};
  return written;
}

}  // namespace evt
