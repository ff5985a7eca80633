#include "trace_file.h"

#include <fcntl.h>
#include <string.h>

#include "format-spec/src/block/block_header.h"
#include "format-spec/src/session/segment_record.h"

namespace evt {

TraceFile::~TraceFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool TraceFile::open(const char* path) {
  fd_ = ::open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  return fd_ >= 0 && reread();
}

bool TraceFile::reread() {
  struct stat status;
  if (fstat(fd_, &status) != 0) return false;
  id_ = id_of(status);
  owner_ = status.st_uid;
  if (!S_ISREG(status.st_mode)) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  end_ = session_id_ = 0;
  append_at_ = size;
  ordinals_.clear();
  by_stream_.clear();
  std::uint8_t bytes[EVT_BLOCK_HEADER_MAX];
  while (end_ < size) {
    const ssize_t got = pread(fd_, bytes, sizeof bytes, static_cast<off_t>(end_));
    BlockHeader header;
    const HeaderState state =
        got <= 0 ? HeaderState::kNotABlock : load_block_header(bytes, static_cast<std::size_t>(got), &header);
    if (state == HeaderState::kShort) append_at_ = end_;  // truncated
    const std::uint64_t next =
        end_ + header.header_size + header.payload_size + padding_after(std::size_t{header.payload_size});
    if (state != HeaderState::kGood || next > size) {
      // Blocks behind damage, or behind one that was truncated, count too: their rows must not come from a ring again,
      // and they must not be removed.
      const std::uint64_t behind = end_ > 0 ? next_header(end_ + 1, size) : size;
      if (behind == size && state == HeaderState::kGood) append_at_ = end_;
      if (behind == size) break;
      end_ = behind;
      continue;
    }
    if (header.session_id != session_id_) {
      ordinals_.clear();
      by_stream_.clear();
      session_id_ = header.session_id;
    }
    finished_ = header.type == EVT_BLOCK_TRAILER && (header.flags & EVT_FLAG_MORE) == 0;
    if (header.type == EVT_BLOCK_SEGMENT) note_segment(end_ + header.header_size, header.payload_size);
    if (header.type == EVT_BLOCK_SESSION) note_session(end_ + header.header_size, header.payload_size);
    if (header.type == EVT_BLOCK_EVENTS && header.header_size >= EVT_EVENTS_HEADER_SIZE) {
      note_events(load_events_header(bytes), end_ + header.header_size, header.payload_size);
    }
    end_ = next;
  }
  return end_ > 0 && !lacks_memory_;
}

std::uint64_t TraceFile::next_header(std::uint64_t from, std::uint64_t size) const {
  std::uint8_t bytes[4 << 10];
  while (from < size) {
    const ssize_t got = pread(fd_, bytes, sizeof bytes, static_cast<off_t>(from));
    if (got < ssize_t{EVT_BLOCK_HEADER_SIZE}) return size;
    const auto count = static_cast<std::size_t>(got);
    const void* const magic = memmem(bytes, count, EVT_MAGIC, EVT_MAGIC_SIZE);
    if (magic == nullptr) {
      from += count - (EVT_MAGIC_SIZE - 1);
      continue;
    }
    const auto at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(magic) - bytes);
    if (at > 0 && count - at < EVT_BLOCK_HEADER_MAX) {
      from += at;  // all of the header at once
      continue;
    }
    BlockHeader header;
    if (load_block_header(bytes + at, count - at, &header) == HeaderState::kGood) return from + at;
    from += at + 1;
  }
  return size;
}

// The fixed part, behind a line of text, has the start of the session.
void TraceFile::note_session(std::uint64_t payload_at, std::uint64_t size) {
  std::uint8_t front[1024];
  const ssize_t got = pread(fd_, front, size < sizeof front ? static_cast<std::size_t>(size) : sizeof front,
                            static_cast<off_t>(payload_at));
  if (got <= 0) return;
  const auto* const line_end =
      static_cast<const std::uint8_t*>(std::memchr(front, '\n', static_cast<std::size_t>(got)));
  if (line_end == nullptr) return;
  std::size_t fixed_at = static_cast<std::size_t>(line_end - front) + 1;
  fixed_at += padding_after(fixed_at);
  if (fixed_at + EVT_SESSION_FIXED_SIZE > static_cast<std::size_t>(got)) return;
  start_utc_ns_ = static_cast<std::int64_t>(evt_load_u64(front + fixed_at + 40));
}

// Rows of the segments before are not to come from a ring again.
void TraceFile::note_segment(std::uint64_t payload_at, std::uint32_t payload_size) {
  if (payload_size > EVT_MAX_METADATA_PAYLOAD) return;
  table_.clear();
  std::uint8_t* const bytes = table_.extend(payload_size);
  lacks_memory_ |= !table_.ok();
  SegmentRecord segment;
  const bool is_there = bytes != nullptr && pread(fd_, bytes, payload_size, static_cast<off_t>(payload_at)) ==
                                                static_cast<ssize_t>(payload_size);
  if (!is_there || !load_segment(bytes, payload_size, &segment)) return;
  for (std::uint32_t i = 0; i < segment.stream_count; ++i) {
    const SegmentStream stream = load_segment_stream(bytes, i);
    note_rows(stream.id, stream.next_ordinal);
  }
}

std::uint64_t TraceFile::place_of(std::uint32_t stream) const {
  const auto* const ordinals = reinterpret_cast<const Ordinal*>(ordinals_.data());
  return by_stream_.find(hash_of(&stream, sizeof stream),
                         [&](std::uint64_t place) { return ordinals[place].stream == stream; });
}

void TraceFile::note_events(const EventsHeader& events, std::uint64_t payload_at, std::uint32_t payload_size) {
  if (!is_multiplexed(events.layout)) return note_rows(events.stream_id, events.first_ordinal + events.row_count);
  std::uint8_t head[EVT_PIECE_TABLE_HEAD];
  const auto at = static_cast<off_t>(payload_at);
  if (pread(fd_, head, sizeof head, at) != ssize_t{sizeof head}) return;
  const std::size_t size = piece_table_size(head, payload_size);
  table_.clear();
  std::uint8_t* const bytes = size != 0 ? table_.extend(size) : nullptr;
  lacks_memory_ |= !table_.ok();
  if (bytes == nullptr || pread(fd_, bytes, size, at) != static_cast<ssize_t>(size)) return;
  PieceTable table(events, bytes, size);
  for (Piece piece; table.next(&piece);) note_rows(piece.stream_id, piece.first_ordinal + piece.row_count);
}

void TraceFile::note_rows(std::uint32_t stream, std::uint64_t next) {
  const std::uint64_t place = place_of(stream);
  if (place != HashIndex::kNone) {
    Ordinal& known = reinterpret_cast<Ordinal*>(ordinals_.data())[place];
    if (next > known.next) known.next = next;
    return;
  }
  const Ordinal first = {stream, next};
  const std::uint64_t at = ordinals_.size() / sizeof first;
  ordinals_.append(&first, sizeof first);
  lacks_memory_ |= !ordinals_.ok() || !by_stream_.insert(hash_of(&stream, sizeof stream), at);
}

std::uint64_t TraceFile::next_ordinal(std::uint32_t stream) const {
  const std::uint64_t place = place_of(stream);
  return place == HashIndex::kNone ? 0 : reinterpret_cast<const Ordinal*>(ordinals_.data())[place].next;
}

}  // namespace evt
